//! The lesson on the screen: every page as a picture, and the ways through it.

mod paint;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use paint::{paint, row, text};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use retryscope::tui::app::App;
use retryscope::tui::follower::Follower;
use retryscope::tui::guide::{Guide, Side};
use retryscope::tui::keys::Place;
use retryscope::tui::prompter::{Place as MeetingPlace, Presenter};
use retryscope::tui::theme::{Look, Theme};
use retryscope::tui::{Program, Wish};
use std::time::Duration;

const SIZE: (u16, u16) = (80, 24);

fn lesson() -> App {
    App::teach(Guide::built_in(), Look::default()).expect("short runs")
}

fn press(app: &mut App, code: KeyCode) {
    app.key(KeyEvent::new(code, KeyModifiers::NONE));
}

fn type_in(app: &mut App, keys: &str) {
    keys.chars().for_each(|c| press(app, KeyCode::Char(c)));
}

/// A page forward, with what is played out seen to its end.
fn forward(app: &mut App) {
    press(app, KeyCode::PageDown);
    while app.wake().is_some() {
        app.advance(Duration::from_millis(500));
    }
}

fn page(app: &App) -> usize {
    app.guide().progress().0
}

/// Forward to the first question.
fn first_question() -> App {
    let mut app = lesson();
    while app.guide().page().side != Side::Ask {
        forward(&mut app);
    }
    app
}

/// The lines that stand below the ladder: the question, or its answer.
fn foot(app: &App) -> String {
    let buffer = paint(app, SIZE);
    let rows: Vec<String> = (0..SIZE.1).map(|y| row(&buffer, y)).collect();
    let scale = rows.iter().rposition(|row| row.contains('╵')).expect("a ladder");
    rows[scale + 1..rows.len() - 1].join("\n")
}

#[test]
fn every_page_is_a_picture() {
    let mut app = lesson();
    loop {
        let (page, pages) = app.guide().progress();
        insta::assert_snapshot!(format!("page-{page:02}"), text(&paint(&app, SIZE)));
        if page == pages {
            break;
        }
        forward(&mut app);
    }
}

/// All words of a page, wherever lines break.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn every_word_of_every_page_can_be_read_at_60x18() {
    let mut app = lesson();
    loop {
        let shown = words(&text(&paint(&app, (60, 18))));
        let guide = app.guide();
        let said = words(&guide.words().iter().map(|text| &**text).collect::<Vec<_>>().join(" "));
        assert!(shown.contains(&said), "page {}: {said}\n{shown}", page(&app));
        if let (Some(question), Side::Ask) = (&guide.stop().question, guide.page().side) {
            assert!(shown.contains(&words(&question.ask)), "{shown}");
            for option in &question.options {
                assert!(shown.contains(&*option.text), "{}\n{shown}", option.text);
            }
        }
        if guide.is_at_end() {
            break;
        }
        forward(&mut app);
    }
}

#[test]
fn forward_to_the_end_and_back_ends_where_it_began() {
    let mut app = lesson();
    let mut pictures = vec![text(&paint(&app, SIZE))];
    while !app.guide().is_at_end() {
        forward(&mut app);
        pictures.push(text(&paint(&app, SIZE)));
    }
    let last = pictures.len() - 1;
    forward(&mut app);
    assert_eq!(text(&paint(&app, SIZE)), pictures[last], "the end is the end");
    for picture in pictures[..last].iter().rev() {
        press(&mut app, KeyCode::PageUp);
        assert_eq!(&text(&paint(&app, SIZE)), picture);
    }
    press(&mut app, KeyCode::PageUp);
    assert_eq!(text(&paint(&app, SIZE)), pictures[0], "the start is the start");
}

#[test]
fn a_wrong_answer_is_played_out_and_explained_and_can_be_changed() {
    let mut app = first_question();
    insta::assert_snapshot!(foot(&app), @"
     ? How many charges will the ledger hold in the end?
       1 None: the request failed
       2 One: it is the same request again
       3 Two
       Pick with 1 to 3, then go on to see it played out. v counts hands.
    ");
    type_in(&mut app, "2");
    insta::assert_snapshot!(foot(&app), @"
     ? How many charges will the ledger hold in the end?
       1 None: the request failed
     ▸ 2 One: it is the same request again
       3 Two
       Picked. The next page plays it out; until then you can change your mind.
    ");
    press(&mut app, KeyCode::PageDown);
    assert!(app.plays_out(), "it is played out first");
    press(&mut app, KeyCode::PageDown);
    assert!(!app.plays_out(), "who presses again has seen enough");
    insta::assert_snapshot!(foot(&app), @"
     ✗ 1 None: the request failed
     ✗ 2 One: it is the same request again (your answer)
     ✓ 3 Two
       Tempting, as the intent is the same. But nothing in the request says that it
       is a repeat.
    ");
    assert_eq!((app.guide().score().answered, app.guide().score().right), (1, 0));
    press(&mut app, KeyCode::PageUp);
    type_in(&mut app, "3");
    forward(&mut app);
    assert_eq!((app.guide().score().answered, app.guide().score().right), (1, 1));
}

#[test]
fn a_room_votes_twice_and_both_counts_stay() {
    let mut app = first_question();
    type_in(&mut app, "v+++++");
    press(&mut app, KeyCode::Down);
    type_in(&mut app, "++");
    press(&mut app, KeyCode::Tab);
    type_in(&mut app, "3333-");
    insta::assert_snapshot!(foot(&app), @"
     ? How many charges will the ledger hold in the end?
       1 None: the request failed            █████████████   5  ·············   0
       2 One: it is the same request again   █████········   2  ·············   0
     ▸ 3 Two                                 ·············   0  ███████······   3
       Second count: + and - hands. The next page plays it out.
    ");
    forward(&mut app);
    insta::assert_snapshot!(foot(&app), @"
     ✗ 1 None: the request failed            █████████████   5  ·············   0
     ✗ 2 One: it is the same request again   █████········   2  ·············   0
     ✓ 3 Two                                 ·············   0  ███████······   3
       Every message is a request of its own, and nothing in this one says that it
       is a repeat.
    ");
    let score = app.guide().score();
    assert_eq!((score.hands, score.hands_right), ([7, 3], [0, 3]));
}

#[test]
fn leaving_explores_that_very_run_and_coming_back_resumes_the_page() {
    let mut app = first_question();
    let (page_before, at, before) = (page(&app), app.at(), text(&paint(&app, SIZE)));
    press(&mut app, KeyCode::Esc);
    assert_eq!((app.place(), app.at()), (Place::Run, at), "the same run at the same clock");
    press(&mut app, KeyCode::End);
    type_in(&mut app, "4f");
    press(&mut app, KeyCode::Esc);
    assert_eq!(app.wish(), Wish::Continue, "Esc never quits");
    type_in(&mut app, "l");
    assert_eq!((page(&app), app.at(), text(&paint(&app, SIZE))), (page_before, at, before));
}

#[test]
fn f5_starts_anew_and_brackets_go_by_chapters() {
    let mut app = first_question();
    type_in(&mut app, "]");
    assert_eq!(app.guide().stop().chapter, 2);
    type_in(&mut app, "[");
    assert_eq!(app.guide().stop().chapter, 1);
    press(&mut app, KeyCode::F(5));
    assert_eq!(page(&app), 1);
}

#[test]
fn the_last_pane_says_how_one_did() {
    let mut app = lesson();
    while !app.guide().is_at_end() {
        let right = app.guide().stop().question.as_ref().map(|question| question.right);
        if let (Some(right), Side::Ask) = (right, app.guide().page().side) {
            type_in(&mut app, &(right + 1).to_string());
        }
        forward(&mut app);
    }
    let shown = text(&paint(&app, SIZE));
    assert!(shown.contains("You predicted 6 of 6 rightly."), "{shown}");
    assert!(shown.contains("Duplicates: 7 of 16 runs"), "{shown}");
}

#[test]
fn the_booth_goes_round_and_any_key_stops_it() {
    let mut app = lesson();
    app.play_in_a_loop();
    let mut seen = vec![];
    for _ in 0..2_000 {
        let wait = app.wake().expect("it goes on");
        app.advance(wait);
        seen.push(page(&app));
    }
    let (_, pages) = app.guide().progress();
    assert!((1..=pages).all(|page| seen.contains(&page)), "every page is shown");
    assert!(seen.windows(2).any(|pair| pair == [pages, 1]), "and then the first again");
    let before = page(&app);
    type_in(&mut app, "q");
    assert_eq!(app.wish(), Wish::Quit(0), "but q quits");
    app.play_in_a_loop();
    press(&mut app, KeyCode::PageDown);
    assert!(!app.is_booth() && page(&app) == before, "the key that stops it does nothing else");
}

#[test]
fn notes_and_the_large_view_in_every_look() {
    for theme in Theme::ALL {
        for ascii in [false, true] {
            let mut app = App::teach(Guide::built_in(), Look { theme, ascii }).expect("short runs");
            type_in(&mut app, "n");
            while !app.guide().is_at_end() {
                for size in [(80, 24), (60, 18), (44, 16), (200, 60)] {
                    let plain = text(&paint(&app, size));
                    assert!(!ascii || plain.is_ascii(), "{plain}");
                    type_in(&mut app, "g");
                    let large = text(&paint(&app, size));
                    assert!(!ascii || large.is_ascii(), "{large}");
                    type_in(&mut app, "g");
                }
                forward(&mut app);
            }
        }
    }
}

#[test]
fn the_presenter_reads_the_note_below_the_ladder() {
    let mut app = lesson();
    type_in(&mut app, "n");
    let shown = text(&paint(&app, SIZE));
    let note = app.guide().stop().note.as_ref().expect("a note").to_string();
    assert!(words(&shown).contains(&words(&note)), "{shown}");
}

#[test]
fn a_run_opened_by_itself_has_the_lesson_behind_a_key() {
    let mut app = paint::app("naive-retry", "none", Look::default());
    assert_eq!(app.place(), Place::Run);
    type_in(&mut app, "l");
    assert_eq!((app.place(), page(&app)), (Place::Lesson, 1));
}

#[test]
fn a_second_terminal_shows_the_notes_and_what_comes_next() {
    let folder = std::env::temp_dir().join(format!("retryscope-notes-{}", std::process::id()));
    let place = MeetingPlace::at(&folder);
    let mut follower = Follower::new(place.clone(), Look::default());
    let picture = |follower: &Follower| {
        let mut terminal = Terminal::new(TestBackend::new(60, 18)).expect("a buffer");
        terminal.draw(|frame| follower.draw(frame)).expect("a buffer");
        text(terminal.backend().buffer())
    };
    insta::assert_snapshot!("notes-waiting", picture(&follower));

    let mut presenter = Presenter::take(place).expect("nobody else presents");
    presenter.tell(first_question().prompt()).expect("the folder is ours");
    follower.outside();
    insta::assert_snapshot!("notes-at-a-question", picture(&follower));
    drop(presenter);
    follower.outside();
    assert!(picture(&follower).contains("No presenter yet."));
    std::fs::remove_dir_all(folder).expect("it is ours");
}
