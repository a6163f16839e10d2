//! The evidence: each sheet as a picture, what its keys do, and that the work behind it comes to the same in whatever
//! pieces it is done.

mod paint;

use std::sync::atomic::AtomicBool;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use insta::assert_snapshot;
use paint::{app, paint, row, text};
use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Size;
use ratatui::style::Color;
use retryscope::model::text::width;
use retryscope::model::{Fault, Scenario, Strategy, Time};
use retryscope::search::explore::Exploration;
use retryscope::search::map::DIALS;
use retryscope::search::turn::Turn;
use retryscope::search::{Bounds, Forbid};
use retryscope::sim::simulate;
use retryscope::trace::Kind;
use retryscope::tui::Program;
use retryscope::tui::app::{App, Screen};
use retryscope::tui::maps::Sheet;
use retryscope::tui::maps::policy::POLICIES;
use retryscope::tui::maps::work::UnderWay;
use retryscope::tui::theme::{Look, Theme};
use retryscope::tui::view::SIZE_MIN;

const SIZES: [(u16, u16); 3] = [(60, 18), (80, 24), (120, 40)];

fn key(name: &str) -> KeyEvent {
    let code = match name {
        "→" => KeyCode::Right,
        "←" => KeyCode::Left,
        "↑" => KeyCode::Up,
        "↓" => KeyCode::Down,
        "Enter" => KeyCode::Enter,
        "Esc" => KeyCode::Esc,
        "Tab" => KeyCode::Tab,
        "Shift-Tab" => KeyCode::BackTab,
        "Home" => KeyCode::Home,
        "space" => KeyCode::Char(' '),
        name => KeyCode::Char(name.chars().next().expect("a key")),
    };
    KeyEvent::new(code, KeyModifiers::NONE)
}

/// Presses keys, and after each waits for the work that it starts.
fn press(app: &mut App, names: &str) {
    for name in names.split_whitespace() {
        app.key(key(name));
        app.settle();
    }
}

fn opened() -> App {
    app("verify-then-retry", "late-commit", Look::default())
}

/// The screen at a size that the program was told of.
fn at(app: &mut App, (columns, rows): (u16, u16)) -> Buffer {
    app.resized(Size::new(columns, rows));
    app.settle();
    paint(app, (columns, rows))
}

/// The rows of a screen that hold a text.
fn said(app: &mut App, part: &str) -> String {
    let screen = at(app, (80, 24));
    let rows = (0..24).map(|y| row(&screen, y)).filter(|row| row.contains(part));
    rows.map(|row| row.trim().to_owned()).collect::<Vec<_>>().join("\n")
}

#[test]
fn each_sheet_as_a_picture() {
    let mut app = opened();
    press(&mut app, "e");
    for sheet in Sheet::ALL {
        for size in SIZES {
            let screen = at(&mut app, size);
            assert_snapshot!(format!("{}-{}x{}", sheet.name().to_lowercase(), size.0, size.1), text(&screen));
        }
        press(&mut app, "Tab");
    }
    assert_eq!(app.evidence.sheet, Sheet::Search, "round and round");
}

#[test]
fn in_ascii() {
    let mut app = app("naive-retry", "late-commit", Look { ascii: true, ..Look::default() });
    press(&mut app, "e 2");
    assert_snapshot!("map-80x24-ascii", text(&at(&mut app, (80, 24))));
}

#[test]
fn the_point_of_no_return_below_the_ladder() {
    let mut app = opened();
    app.resized(Size::new(80, 24));
    press(&mut app, "r ] ] ]");
    assert_snapshot!("risk-80x24", text(&paint(&app, (80, 24))));
    assert_snapshot!("risk-60x18", text(&paint(&app, (60, 18))));
    let share = |app: &mut App| said(app, " continuations ") + &said(app, "Nothing else");
    let along: Vec<String> = (0..5)
        .map(|_| {
            press(&mut app, "]");
            share(&mut app)
        })
        .collect();
    assert_snapshot!(along.join("\n"), @r"
    472 of 496 continuations end in a duplicate: 95 %. At most 4 calls, 2 faults.
    70 of 72 continuations end in a duplicate: 97 %. At most 4 calls, 2 faults.
    31 of 32 continuations end in a duplicate: 97 %. At most 4 calls, 2 faults.
    Nothing else can happen any more: a duplicate.
    Nothing else can happen any more: a duplicate.
    ");
    press(&mut app, "r");
    assert!(!text(&paint(&app, (80, 24))).contains(" risk "), "the key hides it again");
}

#[test]
fn the_certificate_has_its_bounds() {
    let mut app = app("pinned-intent-key", "none", Look::default());
    press(&mut app, "e");
    assert_snapshot!(said(&mut app, "plans"), @r"
    ✓ 14,456 of 14,456 plans, at most 4 calls and 3 faults: 0 duplicates, 1
    Every fault plan within the bounds was run, but for 396 plans that come to the
    ");
    press(&mut app, "- - ]");
    assert_snapshot!(said(&mut app, "plans"), @r"
    ✓ 26 of 26 plans, at most 5 calls and 1 fault: 0 duplicates, 0 missing, 0
    Every fault plan within the bounds was run, but for 0 plans that come to the
    ");
    assert_snapshot!(said(&mut app, "at most"), @r"
    Bounds: at most 5 calls and 1 fault; each one of request-lost, request-late,
    ✓ 26 of 26 plans, at most 5 calls and 1 fault: 0 duplicates, 0 missing, 0
    ");
    // Something else is forbidden: an honest unknown becomes the counterexample.
    press(&mut app, "+ + F");
    assert_snapshot!(said(&mut app, "Is there"), @r"Is there a fault plan that ends in anything but right?");
    assert_snapshot!(said(&mut app, " enough: "), @r"3 faults are enough: call 1: the request is lost; call 2: the request is lost;");
}

#[test]
fn the_counterexample_opens_as_a_run_and_is_still_there_on_return() {
    let mut app = opened();
    app.set_clock(Time::from_ms(37_000));
    press(&mut app, "e");
    let found = app.evidence.search.counterexample().expect("a counterexample").clone();
    press(&mut app, "Enter");
    assert_eq!((app.screen, app.at()), (Screen::Run, Time::ZERO));
    assert_eq!(app.trace(), &found);
    assert_eq!(app.trace().worst(), Kind::QuietDuplicate);
    assert!(app.grid().faults.iter().any(|fault| *fault == found.scenario().fault), "the grid is built around it");
    // The same strategy, contract and network: nothing is searched again.
    app.key(key("e"));
    assert!(!app.evidence.search.task.is_under_way());
    assert_eq!(app.evidence.search.counterexample(), Some(&found));
    press(&mut app, "Esc");
    assert_eq!(app.screen, Screen::Run);
}

#[test]
fn esc_stops_a_search_first_and_then_goes_back() {
    let mut app = opened();
    app.key(key("e"));
    // More faults take longer: seconds, and keys are not waited for.
    app.key(key("+"));
    app.key(key("+"));
    assert!(app.evidence.is_under_way() && app.wake().is_some());
    app.key(key("Esc"));
    assert_eq!(app.screen, Screen::Evidence);
    assert!(!app.evidence.is_under_way() && app.wake().is_none());
    let screen = text(&paint(&app, (80, 24)));
    assert!(screen.contains("stopped at") && screen.contains("Stopped "), "{screen}");
    assert!(!screen.contains(" of 0 plans") && !screen.contains('✓'), "a part is no certificate\n{screen}");
    // What was stopped stays so, until it is asked for.
    app.key(key("?"));
    app.key(key("?"));
    assert!(!app.evidence.is_under_way());
    app.key(key("space"));
    assert!(app.evidence.is_under_way());
    app.key(key("space"));
    assert!(!app.evidence.is_under_way());
    app.key(key("Esc"));
    assert_eq!(app.screen, Screen::Run);
}

#[test]
fn leaving_the_screen_stops_the_work() {
    for leave in ["s", "e", "2", "l"] {
        let mut app = opened();
        app.key(key("e"));
        app.key(key("+"));
        assert!(app.evidence.search.task.is_under_way());
        app.key(key(leave));
        assert!(!app.evidence.search.task.is_under_way(), "{leave}");
        assert!(!app.evidence.search.task.stopped, "{leave}: nobody stopped it, so it goes on when it is opened again");
    }
}

#[test]
fn more_than_a_screen_should_wait_for_is_refused() {
    let mut app = opened();
    press(&mut app, "e");
    app.evidence.search.bounds = Bounds { calls: 9, faults: 5, ..Bounds::default() };
    press(&mut app, "]");
    app.evidence.search.start();
    app.settle();
    let screen = text(&paint(&app, (80, 24)));
    let refused = screen.contains("This would take up to");
    assert!(refused || app.evidence.search.counterexample().is_some(), "{screen}");
}

#[test]
fn the_cursor_moves_over_the_map_and_enter_opens_its_run() {
    let mut app = opened();
    app.resized(Size::new(80, 24));
    press(&mut app, "e 2");
    let mut story = vec![said(&mut app, "client timeout ")];
    for keys in ["↓ ↓ ↓", "→ → → → → → → → →", "↓", "↓ ↓ ↓ ↓ ↓ ↓", "Home"] {
        press(&mut app, keys);
        story.push(said(&mut app, "client timeout "));
    }
    assert_snapshot!(story.join("\n"), @r"
    × quiet duplicate: client timeout 30 s, commit lateness 90 s
    × quiet duplicate: client timeout 30 s, commit lateness 45 s
    · right: client timeout 48 s, commit lateness 45 s
    · right: client timeout 48 s, commit lateness 30 s
    · right: client timeout 48 s, commit lateness 0 s
    × quiet duplicate: client timeout 30 s, commit lateness 90 s
    ");
    press(&mut app, "Enter");
    assert_eq!((app.screen, app.at()), (Screen::Run, Time::ZERO));
    assert!(app.trace().scenario().name.is_empty(), "the own point is the open run itself");
    press(&mut app, "e ↓ ↓ → Enter");
    assert_eq!(app.trace().scenario().name.as_str(), "client timeout 32 s, commit lateness 60 s");
    assert_eq!(app.trace().scenario().strategy.timeout.as_ms(), 32_000);
    // On return the cursor stands on the run that is now open.
    press(&mut app, "e");
    assert_snapshot!(said(&mut app, "client timeout 32 s"), @r"× quiet duplicate: client timeout 32 s, commit lateness 60 s");
}

#[test]
fn other_numbers_make_another_map() {
    let mut app = opened();
    press(&mut app, "e 2 x");
    let first = app.evidence.heat.dials;
    assert_snapshot!(said(&mut app, "Upward"), @r"Upward: commit lateness. Across: answer lateness.");
    press(&mut app, "X");
    assert_ne!(app.evidence.heat.dials, first);
    for _ in 0..DIALS.len() {
        press(&mut app, "y");
        let (x, y) = app.evidence.heat.dials;
        assert_ne!(x, y, "two axes, two numbers");
        let chart = app.evidence.heat.task.told.as_ref().expect("a map");
        let trace = simulate(&app.evidence.heat.chosen().expect("a run")).expect("a short run");
        let (column, row) = app.evidence.heat.cursor;
        assert_eq!(chart.cell(column, row).map(|cell| cell.kind), Some(trace.worst()), "{}", DIALS[y].name);
    }
}

#[test]
fn half_cells_show_twice_as_many_rows_and_whole_cells_where_there_is_no_colour() {
    let mut app = opened();
    press(&mut app, "e 2");
    let rows = |app: &App| app.evidence.heat.task.told.as_ref().map_or(0, |chart| chart.y.values.len());
    at(&mut app, (200, 60));
    let whole = rows(&app);
    press(&mut app, "z");
    assert!(rows(&app) >= 60 && rows(&app) > whole, "{whole} {}", rows(&app));
    assert!(text(&paint(&app, (200, 60))).contains("▀▀▀"));
    app.look.ascii = true;
    press(&mut app, "Home");
    assert_eq!(rows(&app), whole);
}

#[test]
fn policies_page_by_page() {
    let mut app = opened();
    press(&mut app, "e 3");
    assert!(app.evidence.policy.pages().iter().all(|page| page.len() == POLICIES));
    let foot = |app: &mut App| {
        let screen = at(app, (80, 24));
        (16..19).map(|y| row(&screen, y).trim().to_owned()).collect::<Vec<_>>().join("\n")
    };
    assert_snapshot!(foot(&mut app), @r"
    no key, look-alike: quiet duplicate by call 1: the request arrives twice, 0 s
    apart. Enter opens it.
    Under all 14 contracts: unsafe in 13, never works in 1.
    ");
    press(&mut app, "↓ ↓ ↓ ↓");
    assert_snapshot!(foot(&mut app), @r"
    key per intent, look-alike: no duplicate and no false success in 562 plans.
    Under all 14 contracts: safe in 12, unsafe in 2.
    Bounds: at most 3 calls and 2 faults; each one of request-lost, request-late,
    ");
    // A safe policy opens as a run under the open run's own fault, an unsafe one as its counterexample.
    press(&mut app, "Enter");
    assert_eq!(app.trace().scenario().fault.name.as_str(), "late-commit");
    assert_eq!(app.trace().worst(), Kind::Right);
    press(&mut app, "e ↑ ↑ ↑ p Enter");
    assert_eq!(app.trace().scenario().fault.name.as_str(), "found by search");
    assert_eq!(app.trace().scenario().contract.name.as_str(), "stripe-v1");
    assert_eq!(app.trace().worst(), Kind::QuietDuplicate);
}

#[test]
fn the_odds_of_another_strategy_open_its_run() {
    let mut app = opened();
    press(&mut app, "e 4 ↓ ↓ ↓ Enter");
    assert_eq!(app.trace().scenario().strategy.name.as_str(), "pinned-intent-key");
    assert_eq!(app.trace().scenario().fault.name.as_str(), "late-commit");
    press(&mut app, "e");
    // Those of another contract take a while; what they are of is said at once.
    app.key(key("p"));
    assert!(text(&paint(&app, (80, 24))).contains("all strategies under stripe-v1"));
}

#[test]
fn a_lesson_is_left_for_the_evidence_and_goes_on_where_it_was() {
    let mut app = opened();
    press(&mut app, "l → →");
    let page = app.guide().progress();
    press(&mut app, "e 3");
    assert_eq!(app.screen, Screen::Evidence);
    press(&mut app, "l");
    assert!(app.lesson().is_some());
    assert_eq!(app.guide().progress(), page);
}

// ── Every size, every look ───────────────────────────────────────────────────────────────────────

/// Every sheet, worked out, and the run with its risk.
fn everywhere(look: Look, sizes: &[(u16, u16)], mut look_at: impl FnMut(&Buffer)) {
    for (strategy, fault) in [("verify-then-retry", "late-commit"), ("pinned-intent-key", "lost-ack")] {
        let mut app = app(strategy, fault, look);
        press(&mut app, "r ] ]");
        for sheet in ["e", "2", "3", "4", "e"] {
            press(&mut app, sheet);
            for size in sizes {
                look_at(&paint(&app, *size));
            }
        }
        press(&mut app, "e 2");
        for size in sizes {
            look_at(&at(&mut app, *size));
        }
    }
}

#[test]
fn every_size_can_be_drawn() {
    let odd = [(1, 200), (500, 3), (300, 100), (44, 200), (500, 16), (43, 100), (200, 60)];
    let small = (0..=60).step_by(3).flat_map(|columns| (0..=40).step_by(3).map(move |rows| (columns, rows)));
    let sizes: Vec<(u16, u16)> = small.chain(odd).chain([SIZE_MIN, (45, 17), (76, 20), (100, 24)]).collect();
    everywhere(Look::default(), &sizes, |buffer| {
        for y in 0..buffer.area.height {
            for x in 0..buffer.area.width {
                let symbol = buffer[(x, y)].symbol();
                assert!(!symbol.contains(char::is_control), "{symbol:?} at {x},{y}");
                assert!(usize::from(x) + width(symbol) <= usize::from(buffer.area.width), "{symbol:?} at {x},{y}");
            }
        }
    });
}

#[test]
fn every_look_is_kept() {
    let sizes = [(44, 16), (80, 24), (120, 40)];
    everywhere(Look { ascii: true, ..Look::default() }, &sizes, |buffer| {
        let odd = buffer.content.iter().find(|cell| !cell.symbol().is_ascii());
        assert_eq!(odd.map(Cell::symbol), None, "{}", text(buffer));
    });
    everywhere(Look { theme: Theme::Mono, ascii: false }, &sizes, |buffer| {
        assert!(buffer.content.iter().all(|cell| (cell.fg, cell.bg) == (Color::Reset, Color::Reset)));
    });
    let look = Look { theme: Theme::Light, ascii: false };
    everywhere(look, &sizes, |buffer| {
        assert!(buffer.content.iter().all(|cell| Some(cell.bg) == look.ground().bg), "{}", text(buffer));
    });
}

// ── The work behind the sheets ───────────────────────────────────────────────────────────────────

fn scenario(strategy: &str, fault: &str) -> Scenario {
    Scenario::new(Strategy::preset(strategy).expect("a strategy"), Fault::preset(fault).expect("a fault"))
}

#[test]
fn a_search_comes_to_the_same_in_whatever_pieces() {
    for strategy in ["verify-then-retry", "guard", "pinned-intent-key"] {
        let scenario = scenario(strategy, "none");
        let bounds = Bounds { calls: 3, faults: 2, ..Bounds::default() };
        let new = || Exploration::new(&scenario, bounds.clone(), Forbid::USUAL.to_vec());
        let whole = new().finish();
        for pieces in [1, 3, 64] {
            let mut search = new();
            while search.advance(pieces, &AtomicBool::new(false)) {}
            assert_eq!(search.findings(), &whole, "{strategy} by {pieces}");
        }
    }
}

#[test]
fn the_risk_comes_to_the_same_in_whatever_pieces() {
    let scenario = scenario("verify-then-retry", "late-commit");
    let bounds = Bounds { calls: 3, faults: 2, ..Bounds::default() };
    let new = || Turn::new(scenario.clone(), bounds.clone()).expect("a short run");
    let whole = new().finish();
    for steps in [1, 17, 1_000] {
        let mut turn = new();
        while turn.advance(steps) {}
        assert_eq!(turn.moments(), whole, "by {steps}");
    }
}

#[test]
fn policies_come_to_the_same_whichever_page_is_first() {
    let mut one = opened();
    press(&mut one, "e 3");
    let mut other = opened();
    other.key(key("e"));
    other.key(key("3"));
    // Turned while the first pages are still under way.
    for name in ["p", "p", "P", "p", "p"] {
        other.key(key(name));
    }
    other.settle();
    assert_eq!(one.evidence.policy.pages(), other.evidence.policy.pages());
}
