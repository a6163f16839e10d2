//! Every screen at every size, with every name: nothing panics, nothing runs over an edge or breaks a border.

mod paint;

use paint::{app, paint, text};
use ratatui::buffer::Buffer;
use ratatui::style::Color;
use retryscope::model::task::{Args, Name};
use retryscope::model::text::{Text, width};
use retryscope::model::{Fault, Scenario, Strategy, Task, Time};
use retryscope::tui::app::{App, Over, Screen};
use retryscope::tui::theme::{Look, Theme};
use retryscope::tui::view::SIZE_MIN;

/// Large ones of an odd shape.
const ODD: [(u16, u16); 8] = [(1, 200), (500, 3), (300, 100), (44, 200), (500, 16), (43, 100), (200, 15), (200, 60)];

/// Every screen of a run, one after the other.
fn each_screen(app: &mut App, mut look_at: impl FnMut(&App)) {
    for (screen, over) in [
        (Screen::Run, None),
        (Screen::Run, Some(Over::Help)),
        (Screen::Summary, None),
        (Screen::Summary, Some(Over::Help)),
        (Screen::Summary, Some(Over::Blank)),
        // Before anything is worked out; `tests/maps.rs` has the sheets filled.
        (Screen::Evidence, None),
        (Screen::Evidence, Some(Over::Help)),
    ] {
        app.screen = screen;
        app.over = over;
        look_at(app);
    }
    app.screen = Screen::Run;
    app.over = None;
}

fn seconds(app: &mut App, secs: u64) {
    app.set_clock(Time::from_ms(secs * 1_000));
}

/// No cell holds what a terminal would act upon, and none reaches beyond the edge.
fn assert_sound(buffer: &Buffer) {
    for y in 0..buffer.area.height {
        for x in 0..buffer.area.width {
            let symbol = buffer[(x, y)].symbol();
            assert!(!symbol.contains(char::is_control), "{symbol:?} at {x},{y}");
            assert!(usize::from(x) + width(symbol) <= usize::from(buffer.area.width), "{symbol:?} at {x},{y}");
        }
    }
}

#[test]
fn every_size_can_be_drawn() {
    let mut app = app("verify-then-retry", "late-commit", Look::default());
    let sizes = (0..=60).flat_map(|columns| (0..=40).map(move |rows| (columns, rows))).chain(ODD);
    for (n, size) in sizes.enumerate() {
        // Sizes go through the instants as well, so that each size does not have to be drawn at each.
        seconds(&mut app, n as u64 % 93);
        each_screen(&mut app, |app| assert_sound(&paint(app, size)));
    }
}

#[test]
fn every_run_can_be_drawn_at_every_instant() {
    for strategy in Strategy::PRESETS {
        for fault in Fault::PRESETS {
            let mut app = app(strategy, fault, Look::default());
            for secs in 0..=app.trace().end().as_ms() / 1_000 {
                seconds(&mut app, secs);
                app.future = secs.is_multiple_of(2);
                for size in [SIZE_MIN, (80, 24), (200, 60)] {
                    assert_sound(&paint(&app, size));
                }
            }
        }
    }
}

#[test]
fn too_small_says_so() {
    let app = app("verify-then-retry", "late-commit", Look::default());
    for (columns, rows) in [(43, 16), (44, 15), (20, 5), (500, 3), (19, 200)] {
        let said = text(&paint(&app, (columns, rows)));
        assert!(said.starts_with(&format!("Too small: {columns}x{rows}.")), "{said}");
        assert!(said.contains("Needs 44x16.") && said.contains("q quits."), "{said}");
    }
    assert!(!text(&paint(&app, SIZE_MIN)).contains("Too small"));
}

/// A run in which every name that a file can give is this one.
fn named(name: &str) -> App {
    let strategy = Strategy { name: Text::new(name), ..Strategy::presets()[1].clone() };
    let fault = Fault { name: Text::new(name), ..Fault::presets()[2].clone() };
    let args = [("customer", name.into()), ("amountCents", 4_900.into())];
    let args = Args::new(args.map(|(key, value)| (key.to_owned(), value)).into_iter().collect()).expect("arguments");
    // A task has to have a short name, counted as it is shown.
    let short: String = Text::new(if name.is_empty() { "x" } else { name }).chars().take(Name::LONGEST).collect();
    let task = Task { id: Name::new(&short).unwrap(), tool: Name::new(&short).unwrap(), args };
    let scenario = Scenario { name: Text::new(name), task, ..Scenario::new(strategy, fault) };
    paint::open(scenario, Look::default())
}

fn hostile() -> Vec<String> {
    let long = |text: &str| text.repeat(10_000 / text.chars().count());
    vec![
        String::new(),
        " ".to_owned(),
        "\u{1b}[2J\u{1b}[31mred\u{7}\u{9b}1m".to_owned(),
        "a\r\nb\tc\u{8}\u{8}\u{85}\u{2028}".to_owned(),
        "\u{202e}abc\u{2066}def\u{200f}\u{61c}".to_owned(),
        "\u{200b}\u{200d}\u{2060}\u{feff}\u{ad}".to_owned(),
        format!("Z{}", "\u{300}\u{316}".repeat(50)),
        "東京都千代田区永田町一丁目七番一号".to_owned(),
        "👩‍👩‍👧‍👦🇩🇪👍🏽☕️1️⃣ﷺ꧅".to_owned(),
        "नमस्ते שלום مرحبا กำ".to_owned(),
        long("x"),
        long("word "),
        long("界"),
        long("👩‍👩‍👧‍👦"),
        long("│─┬┴"),
    ]
}

/// What a screen's frame is drawn with, and where.
fn frame(buffer: &Buffer) -> Vec<(u16, u16, String)> {
    let upper = (0..buffer.area.height).find(|y| paint::row(buffer, *y).contains("Agent ")).unwrap_or(0);
    let last = buffer.area.height - 1;
    let lower = (0..buffer.area.height).find(|y| paint::row(buffer, *y).contains("Space and time")).unwrap_or(last);
    let rows = upper..=lower.min(last);
    rows.flat_map(|y| (0..buffer.area.width).map(move |x| (x, y)))
        .map(|(x, y)| (x, y, buffer[(x, y)].symbol().to_owned()))
        .filter(|(_, _, symbol)| ["│", "┬", "┴"].contains(&symbol.as_str()))
        .collect()
}

/// Where the summary's verdicts begin: in the grid, and below it that of the chosen run, before its names.
fn verdicts(buffer: &Buffer) -> Vec<(u16, u16)> {
    let cells = (0..buffer.area.height).flat_map(|y| (0..buffer.area.width).map(move |x| (x, y)));
    cells.filter(|at| ["✓", "✗"].contains(&buffer[*at].symbol())).collect()
}

#[test]
fn no_name_breaks_a_border() {
    let mut plain = named("mine");
    for name in hostile() {
        let mut app = named(&name);
        for secs in [0, 2, 37, 39, 90, 92] {
            seconds(&mut app, secs);
            seconds(&mut plain, secs);
            for size in [SIZE_MIN, (60, 18), (80, 24), (120, 40), (200, 60)] {
                let (drawn, right) = (paint(&app, size), paint(&plain, size));
                // A name can hold the very signs that borders are made of, so a border may not be missing.
                let (found, borders) = (frame(&drawn), frame(&right));
                let missing = borders.iter().find(|border| !found.contains(border));
                assert_eq!(missing, None, "{size:?} at {secs} s, named {:?}\n{}", cut(&name), text(&drawn));
                assert!(!borders.is_empty());
                each_screen(&mut app, |app| assert_sound(&paint(app, size)));
            }
        }
        app.screen = Screen::Summary;
        plain.screen = Screen::Summary;
        for size in [SIZE_MIN, (60, 18), (80, 24), (120, 40)] {
            let (drawn, right) = (paint(&app, size), paint(&plain, size));
            assert_eq!(verdicts(&drawn), verdicts(&right), "named {:?}\n{}", cut(&name), text(&drawn));
        }
        plain.screen = Screen::Run;
    }
}

fn cut(name: &str) -> String {
    name.chars().take(30).collect()
}

/// Every screen of all runs at some instants, in one look.
fn everywhere(look: Look, mut look_at: impl FnMut(&Buffer)) {
    for strategy in Strategy::PRESETS {
        for fault in Fault::PRESETS {
            let mut app = app(strategy, fault, look);
            for secs in [0, 2, 3, 31, 33, 37, 39, 90, 92] {
                seconds(&mut app, secs);
                each_screen(&mut app, |app| look_at(&paint(app, (80, 24))));
            }
            look_at(&paint(&app, (60, 18)));
            look_at(&paint(&app, (10, 4)));
            app.update(Some(retryscope::tui::keys::Action::Play));
            look_at(&paint(&app, (80, 24)));
        }
    }
}

#[test]
fn ascii_is_ascii_in_every_cell() {
    everywhere(Look { ascii: true, ..Look::default() }, |buffer| {
        let odd = buffer.content.iter().find(|cell| !cell.symbol().is_ascii());
        assert_eq!(odd.map(ratatui::buffer::Cell::symbol), None, "{}", text(buffer));
    });
}

#[test]
fn mono_has_no_colour_in_any_cell() {
    everywhere(Look { theme: Theme::Mono, ascii: false }, |buffer| {
        assert!(buffer.content.iter().all(|cell| (cell.fg, cell.bg) == (Color::Reset, Color::Reset)));
    });
}

#[test]
fn a_painted_theme_paints_every_cell() {
    for theme in [Theme::Light, Theme::Dark, Theme::HighContrast] {
        let ground = Look { theme, ascii: false }.ground();
        everywhere(Look { theme, ascii: false }, |buffer| {
            assert!(buffer.content.iter().all(|cell| Some(cell.bg) == ground.bg), "{theme:?}");
        });
    }
}
