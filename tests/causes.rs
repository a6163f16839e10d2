//! The screens beside the run: why a charge is there, what else could have become of a message, and several runs
//! compared. Keys, and between them what the screen says.

use std::fmt::Write as _;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use insta::assert_snapshot;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use retryscope::model::gallery;
use retryscope::model::strategy::Attempts;
use retryscope::model::{Fault, Scenario, Strategy, Time};
use retryscope::sim::remedy::search;
use retryscope::sim::simulate;
use retryscope::trace::Snapshot;
use retryscope::trace::cause::chain;
use retryscope::tui::Program;
use retryscope::tui::app::{App, Screen};
use retryscope::tui::guide::Guide;
use retryscope::tui::theme::{Look, Theme};

const SIZE: (u16, u16) = (80, 24);

fn open(strategy: &str, fault: &str, secs: u64) -> App {
    let scenario =
        Scenario::new(Strategy::preset(strategy).expect("a strategy"), Fault::preset(fault).expect("a fault"));
    let mut app = App::new(scenario, Guide::built_in(), Look::default()).expect("a short run");
    app.set_clock(Time::from_ms(secs * 1_000));
    app
}

fn press(app: &mut App, names: &str) {
    for name in names.split_whitespace() {
        let code = match name {
            "→" => KeyCode::Right,
            "←" => KeyCode::Left,
            "↑" => KeyCode::Up,
            "↓" => KeyCode::Down,
            "End" => KeyCode::End,
            "Home" => KeyCode::Home,
            "Enter" => KeyCode::Enter,
            "Esc" => KeyCode::Esc,
            "Tab" => KeyCode::Tab,
            "space" => KeyCode::Char(' '),
            name if name.len() > 1 && name.starts_with('F') => KeyCode::F(name[1..].parse().expect("a number")),
            name => KeyCode::Char(name.chars().next().expect("a key")),
        };
        app.key(KeyEvent::new(code, KeyModifiers::NONE));
    }
}

fn screen(app: &App, (columns, rows): (u16, u16)) -> String {
    let mut terminal = Terminal::new(TestBackend::new(columns, rows)).expect("a buffer");
    terminal.draw(|frame| app.draw(frame)).expect("a buffer");
    let buffer = terminal.backend().buffer();
    let row = |y| (0..columns).map(|x| buffer[(x, y)].symbol()).collect::<String>().trim_end().to_owned();
    (0..rows).map(row).collect::<Vec<_>>().join("\n")
}

fn secs(app: &App) -> u64 {
    app.at().as_ms() / 1_000
}

// ── Why? ─────────────────────────────────────────────────────────────────────────────────────────

#[test]
fn the_late_charge_is_explained_by_the_read_back_before_the_commit() {
    let mut app = open("verify-then-retry", "late-commit", 92);
    press(&mut app, "w ↓ ↓ ↓");
    assert_snapshot!("why", screen(&app, SIZE));
    let flat = screen(&app, SIZE).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flat.contains("the read-back came 57 s before the commit"), "{flat}");
    assert!(flat.contains("prevented it: key: per-intent"), "{flat}");
}

#[test]
fn a_link_is_a_jump_and_the_explanation_stays() {
    let mut app = open("verify-then-retry", "late-commit", 92);
    press(&mut app, "w ↓ ↓ ↓ Enter");
    assert_eq!((secs(&app), app.screen), (33, Screen::Why));
    assert!(
        screen(&app, SIZE).contains("ch_2 of 01:30"),
        "the clock stands before the charge, which is still explained"
    );
    press(&mut app, "↓ →");
    assert_eq!(secs(&app), 30);
    press(&mut app, "Esc");
    assert_eq!((secs(&app), app.screen), (30, Screen::Run));
}

#[test]
fn up_and_down_go_through_the_links_of_all_charges() {
    let mut app = open("verify-then-retry", "late-commit", 92);
    press(&mut app, "w ↑");
    let why = app.aside.why.as_ref().expect("an explanation");
    assert_eq!(
        (why.charge, why.link + 1),
        (0, why.charges[0].links.len()),
        "up from the last charge is the first's fault"
    );
    press(&mut app, "↓ Tab");
    assert_eq!(app.aside.why.as_ref().expect("an explanation").charge, 0, "Tab goes round");
}

#[test]
fn an_empty_ledger_and_a_right_one_say_so() {
    let mut app = open("verify-then-retry", "late-commit", 5);
    press(&mut app, "w");
    assert!(screen(&app, SIZE).contains("The ledger is empty at 00:05"));
    press(&mut app, "↓ ↑ Tab Enter w");
    assert_eq!((secs(&app), app.screen), (5, Screen::Run));
    let mut app = open("pinned-intent-key", "late-commit", 92);
    press(&mut app, "F12");
    assert!(screen(&app, SIZE).contains("Nothing is wrong with the ledger so far."));
}

// ── What if? ─────────────────────────────────────────────────────────────────────────────────────

#[test]
fn a_message_in_flight_has_its_alternatives_and_each_opens_beside_the_first_run() {
    let mut app = open("verify-then-retry", "late-commit", 10);
    press(&mut app, "x");
    assert_snapshot!("what_if", screen(&app, SIZE));
    press(&mut app, "↓ Enter");
    assert_eq!((secs(&app), app.screen), (10, Screen::Fork));
    press(&mut app, "End");
    assert_snapshot!("fork", screen(&app, SIZE));
}

#[test]
fn the_fork_steps_as_the_run_does_and_goes_back_to_it_at_the_same_clock() {
    let mut app = open("verify-then-retry", "late-commit", 1);
    press(&mut app, "/ Enter →");
    assert_eq!(secs(&app), 2);
    assert!(screen(&app, SIZE).contains("Alike until 00:02: the second has its request arrive, the first does not."));
    // Events of both runs are stops: the answer of the second at 4 s, the timeout of the first at 30 s.
    press(&mut app, "]");
    assert_eq!(secs(&app), 4);
    press(&mut app, "]");
    assert_eq!(secs(&app), 30);
    press(&mut app, "[ Esc");
    assert_eq!((secs(&app), app.screen), (4, Screen::Run));
    // The changed run may last longer than the first; the clock then goes back as far as that lasts.
    let mut app = open("naive-retry", "none", 1);
    press(&mut app, "x ↓ ↓ Enter End");
    assert!(secs(&app) > 30, "{}", secs(&app));
    press(&mut app, "Esc");
    assert_eq!(secs(&app), 4);
}

#[test]
fn a_lookup_in_flight_can_be_lost_too_and_an_empty_wire_says_so() {
    let mut app = open("verify-then-retry", "lost-ack", 32);
    press(&mut app, "x");
    let text = screen(&app, SIZE);
    assert!(text.contains("What if lookup #3") && text.contains("has its answer lost"), "{text}");
    press(&mut app, "Enter");
    assert_eq!(app.screen, Screen::Fork);
    press(&mut app, "Esc End x");
    assert!(screen(&app, SIZE).contains("Nothing is in flight at"), "{}", screen(&app, SIZE));
    press(&mut app, "Enter ↓ → Tab");
    assert_eq!(app.screen, Screen::WhatIf, "there is nothing to open");
}

// ── Compare ──────────────────────────────────────────────────────────────────────────────────────

#[test]
fn four_strategies_under_one_fault_at_the_same_clock() {
    let mut app = open("verify-then-retry", "late-commit", 37);
    press(&mut app, "c");
    assert_snapshot!("compare_strategies", screen(&app, SIZE));
    press(&mut app, "c End");
    assert_snapshot!("compare_faults", screen(&app, SIZE));
    press(&mut app, "Esc Home F8");
    assert_snapshot!("compare_low", screen(&app, (60, 18)));
}

#[test]
fn a_row_opens_at_the_clock_and_the_common_thing_turns() {
    let mut app = open("naive-retry", "lost-ack", 33);
    press(&mut app, "c ↓ ↓ f");
    let compare = app.aside.compare.as_ref().expect("rows");
    assert_eq!((compare.row, compare.cell().fault), (2, 2), "the row stays, the fault is the next");
    press(&mut app, "4 Enter");
    assert_eq!((app.screen, secs(&app)), (Screen::Run, 33));
    assert_eq!(app.trace().scenario().strategy.name.to_string(), "pinned-intent-key");
    assert_eq!(app.trace().scenario().fault.name.to_string(), "late-commit");
}

#[test]
fn the_clock_never_stands_beyond_what_is_shown() {
    // Faults end at 92 s, the strategies without a fault at 4 s.
    let mut app = open("naive-retry", "none", 0);
    press(&mut app, "c c End");
    assert_eq!(secs(&app), 92);
    press(&mut app, "1 c");
    assert_eq!(secs(&app), 4);
    // Where the clock was left in a short run is within that run, though it was left beside a longer one.
    press(&mut app, "c End 3 Enter");
    assert_eq!((app.screen, secs(&app)), (Screen::Run, 92));
    press(&mut app, "F F");
    assert_eq!(secs(&app), 4);
}

#[test]
fn playing_goes_to_the_end_of_the_longest_run() {
    let mut app = open("naive-retry", "none", 0);
    press(&mut app, "c c space");
    for _ in 0..2_000 {
        app.advance(std::time::Duration::from_millis(100));
    }
    assert!(!app.player.playing);
    assert_eq!(secs(&app), 92, "that of the late commit, though the run that is open ends at 4 s");
    press(&mut app, "s");
    assert_eq!((app.screen, secs(&app)), (Screen::Summary, 4));
}

#[test]
fn a_fifth_row_is_scrolled_to_where_there_is_no_room_for_all() {
    let strategy = Strategy { max_attempts: Attempts::new(7), ..Strategy::presets()[0].clone() };
    let scenario = Scenario::new(strategy, Fault::presets()[2].clone());
    let mut app = App::new(scenario, Guide::built_in(), Look::default()).expect("a short run");
    press(&mut app, "c");
    assert!(screen(&app, (60, 18)).contains("▸5 naive retry"), "{}", screen(&app, (60, 18)));
    press(&mut app, "1");
    assert!(screen(&app, (60, 18)).contains("▸1 naive retry"));
}

// ── What is hidden, and every size ───────────────────────────────────────────────────────────────

#[test]
fn where_what_is_to_come_is_hidden_so_is_where_runs_part() {
    let mut app = open("verify-then-retry", "late-commit", 10);
    press(&mut app, "h c");
    let text = screen(&app, SIZE);
    assert!(text.contains("Alike so far.") && !text.contains("00:31"), "{text}");
}

/// Every screen beside the run, at the instants that matter.
fn each(mut look_at: impl FnMut(&App, &str)) {
    for keys in ["w", "w ↓ ↓ ↓ Enter", "x", "x → ↓ Enter", "x Enter End", "c", "c c ↓", "c c End", "c ?", "w ?", "x ?"]
    {
        for secs in [0, 5, 32, 37, 92] {
            let mut app = open("verify-then-retry", "late-commit", secs);
            press(&mut app, keys);
            look_at(&app, keys);
        }
    }
}

#[test]
fn no_size_panics() {
    each(|app, _| {
        for size in [
            (0, 0),
            (1, 1),
            (43, 15),
            (44, 16),
            (45, 17),
            (60, 18),
            (80, 24),
            (110, 16),
            (300, 80),
            (44, 100),
            (500, 16),
        ] {
            screen(app, size);
        }
    });
    for columns in 40..130 {
        let app = {
            let mut app = open("verify-then-retry", "late-commit", 92);
            press(&mut app, "w");
            app
        };
        screen(&app, (columns, 10 + columns / 3));
    }
}

#[test]
fn in_ascii_nothing_else_is_drawn() {
    each(|app, keys| {
        let mut terminal = Terminal::new(TestBackend::new(80, 24)).expect("a buffer");
        let mut ascii = open("verify-then-retry", "late-commit", app.at().as_ms() / 1_000);
        ascii.look = Look { theme: Theme::Mono, ascii: true };
        press(&mut ascii, keys);
        terminal.draw(|frame| ascii.draw(frame)).expect("a buffer");
        let text: String = terminal.backend().buffer().content().iter().map(ratatui::buffer::Cell::symbol).collect();
        assert!(text.is_ascii(), "{keys}: {:?}", text.chars().find(|c| !c.is_ascii()));
    });
}

// ── The cases ────────────────────────────────────────────────────────────────────────────────────

#[test]
fn every_case_is_explained_and_has_its_smallest_change() {
    let mut told = String::new();
    for (case, scenario) in gallery::cases() {
        let trace = simulate(&scenario).expect("a short run");
        let search = search(&scenario, &Fault::presets()).expect("a short run");
        writeln!(told, "{case}: {}", trace.worst()).expect("a string");
        if let Some(charge) = Snapshot::at(&trace, trace.end()).ledger.last() {
            for link in chain(&trace, charge.id, trace.end()) {
                writeln!(told, "  {} {}: {}", link.at, link.title, link.sentence).expect("a string");
            }
        }
        let best = search.remedies.first().map_or_else(
            || "nothing that was tried works".to_owned(),
            |best| {
                let changes: Vec<String> = best.changes.iter().map(ToString::to_string).collect();
                format!("{}: {}, right under {} of {}", changes.join(", "), best.kind, best.holds_under, search.faults)
            },
        );
        writeln!(told, "  smallest of {} changes tried: {best}\n", search.tried).expect("a string");
    }
    assert_snapshot!("cases", told);
}
