//! The screens around the one run: contracts and the matrix on the summary, the shipped cases, all of a run, several
//! agents and what a service does. Storyboards, pictures, and every case at every size.

mod paint;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use insta::assert_snapshot;
use paint::{app, open, paint, row, text};
use ratatui::style::Color;
use retryscope::model::text::width;
use retryscope::model::{Contract, Scenario, Strategy, Time, gallery};
use retryscope::tui::Program;
use retryscope::tui::app::{App, Screen};
use retryscope::tui::theme::{Look, Theme};

const SIZE: (u16, u16) = (80, 24);

/// Each size that the screens are designed for.
const SIZES: [(u16, u16); 5] = [(44, 16), (60, 18), (80, 24), (120, 40), (200, 60)];

fn opened() -> App {
    app("verify-then-retry", "late-commit", Look::default())
}

fn press(app: &mut App, names: &str) {
    for name in names.split_whitespace() {
        let code = match name {
            "↓" => KeyCode::Down,
            "↑" => KeyCode::Up,
            "→" => KeyCode::Right,
            "←" => KeyCode::Left,
            "PgDn" => KeyCode::PageDown,
            "End" => KeyCode::End,
            "Home" => KeyCode::Home,
            "Enter" => KeyCode::Enter,
            "Esc" => KeyCode::Esc,
            "Tab" => KeyCode::Tab,
            name => KeyCode::Char(name.chars().next().expect("a character")),
        };
        app.key(KeyEvent::new(code, KeyModifiers::NONE));
    }
}

fn screen(app: &App) -> String {
    text(&paint(app, SIZE))
}

/// The rows of the summary that speak of contract and totals.
fn foot(app: &App) -> String {
    let screen = paint(app, SIZE);
    let from = (0..SIZE.1).find(|y| row(&screen, *y).contains("Contract ")).expect("a contract");
    (from..SIZE.1 - 1).map(|y| row(&screen, y)).collect::<Vec<_>>().join("\n")
}

fn case(number: &str) -> Scenario {
    gallery::cases().find(|(name, _)| name.starts_with(number)).expect("a case").1
}

fn at_end(scenario: Scenario) -> App {
    let mut app = open(scenario, Look::default());
    press(&mut app, "End");
    app
}

// ── Contracts and the matrix ─────────────────────────────────────────────────────────────────────

#[test]
fn what_if_my_service_ignores_the_key_is_one_key_away() {
    let mut app = opened();
    press(&mut app, "s P P");
    assert_snapshot!(screen(&app));
    assert_eq!(app.trace().scenario().contract.name.as_str(), "github-create-issue");
    press(&mut app, "Home");
    assert!(foot(&app).starts_with(" Contract 1 of 14: keyed."), "{}", foot(&app));
    press(&mut app, "p");
    assert_snapshot!(foot(&app), @"
    Contract 2 of 14, what if: stripe-v1. A known key gets the first answer, with
    other arguments a refusal; keys are kept for 24 h; errors are stored too.
    Read 2026-12-01 at https://docs.stripe.com/api/idempotent_requests
    Not said: when exactly a key is pruned after 24 h (assumed: at once).
    Duplicates: 7 of 16 runs
    Duplicates the agent reported as completed: 7
    One key for another amount: refused, idempotency key reused with different
    parameters.
    ");
}

#[test]
fn every_contract_has_its_turn_forward_and_back() {
    let mut app = opened();
    press(&mut app, "s");
    let mut names = Vec::new();
    for _ in 0..Contract::PRESETS.len() {
        names.push(app.grid().contract().name.to_string());
        press(&mut app, "p");
    }
    assert_eq!(names, Contract::PRESETS);
    assert!(app.grid().is_under_own());
    for name in names.iter().rev() {
        press(&mut app, "P");
        assert_eq!(app.grid().contract().name.as_str(), name);
    }
}

#[test]
fn the_key_reuse_line_follows_the_contract_and_stays_last() {
    let mut app = opened();
    press(&mut app, "s");
    let mut said = Vec::new();
    for _ in 0..Contract::PRESETS.len() {
        let foot = foot(&app);
        let last = foot.rfind(" One key").or_else(|| foot.rfind(" A request with")).expect("a check");
        said.push(foot[last..].replace('\n', ""));
        press(&mut app, "p");
    }
    said.sort();
    said.dedup();
    assert_eq!(
        said,
        [
            " One key for another amount: answered with the first charge, and nothing is charged.",
            " One key for another amount: charged again.",
            " One key for another amount: refused, idempotency key reused with different parameters.",
        ]
    );
}

#[test]
fn on_the_run_screen_the_contract_changes_under_the_clock() {
    let mut app = app("pinned-intent-key", "lost-ack", Look::default());
    app.set_clock(Time::from_ms(33_000));
    press(&mut app, "P P");
    assert_eq!(app.at(), Time::from_ms(33_000));
    let shown = screen(&app);
    assert!(shown.contains("Contract 13 of 14, github-create-issue: Keys are ignored"), "{shown}");
    assert!(shown.contains("2 charges: DUPLICATE") && shown.contains("Mind: The strategy sends a key"), "{shown}");
    press(&mut app, "0");
    assert!(screen(&app).contains("1 charge") && app.grid().is_under_own());
    press(&mut app, "]");
    assert!(!screen(&app).contains("Contract 1 of"), "it is told once");
}

#[test]
fn all_named_strategies_and_faults_scroll_with_the_choice() {
    let mut app = opened();
    press(&mut app, "s m M");
    assert_eq!(app.grid().strategies.len(), Strategy::named_presets().len());
    for _ in 0..9 {
        press(&mut app, "→ ↓");
    }
    assert_snapshot!(screen(&app));
    // The choice stands out, wherever the window is.
    for size in SIZES {
        let shown = paint(&app, size);
        let body = shown.content.iter().skip(usize::from(size.0));
        let reversed = body.filter(|cell| cell.modifier.contains(ratatui::style::Modifier::REVERSED));
        assert!(reversed.count() > 0, "{size:?}\n{}", text(&shown));
    }
    let chosen = app.grid().scenario(app.choice);
    press(&mut app, "m M");
    assert_eq!((app.grid().strategies.len(), app.grid().faults.len()), (4, 4));
    press(&mut app, "m M");
    assert_eq!(app.grid().strategies.len(), Strategy::named_presets().len());
    assert_eq!(chosen.contract, app.grid().scenario(app.choice).contract);
}

#[test]
fn the_lesson_speaks_of_sixteen_runs_whatever_was_shown_before() {
    let mut app = opened();
    press(&mut app, "s m M p l");
    for _ in 0..60 {
        press(&mut app, "→");
        if app.screen == Screen::Summary {
            let shown = screen(&app);
            assert!(shown.contains("Duplicates: 7 of 16 runs"), "{shown}");
            let rows: Vec<&str> = shown.lines().collect();
            assert!(rows[rows.len() - 3].starts_with(" One key for another amount: refused"), "{shown}");
            return;
        }
    }
    panic!("the lesson ends with the summary");
}

// ── Cases ────────────────────────────────────────────────────────────────────────────────────────

#[test]
fn a_case_is_found_by_its_kind_opened_and_left() {
    let mut app = opened();
    press(&mut app, "o");
    assert_snapshot!("cases-80x24", screen(&app));
    press(&mut app, "Tab ↓ ↓");
    assert_snapshot!("cases-of-a-kind-80x24", screen(&app));
    press(&mut app, "Enter");
    assert_eq!((app.screen, app.at()), (Screen::Run, Time::ZERO));
    let name = app.trace().scenario().name.to_string();
    assert_eq!(app.trace().scenario(), &app.grid().scenario(app.chosen()));
    press(&mut app, "] ] ] Esc");
    assert_eq!(app.screen, Screen::Cases);
    assert!(screen(&app).contains(&name));
    press(&mut app, "Esc Esc Esc");
    assert_eq!(app.screen, Screen::Run, "Esc does not go round");
}

#[test]
fn the_cases_at_other_sizes() {
    let mut app = opened();
    press(&mut app, "o End");
    for (columns, rows) in [(60, 18), (120, 40)] {
        assert_snapshot!(format!("cases-{columns}x{rows}"), text(&paint(&app, (columns, rows))));
    }
}

#[test]
fn every_case_tells_its_story_and_its_source_at_every_size() {
    let mut app = opened();
    press(&mut app, "o Home");
    for (name, scenario) in gallery::cases() {
        let about = scenario.about.expect("what it is about");
        for size in [(60, 18), (80, 24), (120, 40), (200, 60)] {
            let painted = text(&paint(&app, size));
            let words = painted.lines().filter_map(|line| line.split('│').next_back());
            let shown: String = words.flat_map(str::split_whitespace).collect();
            for source in &about.sources {
                assert!(shown.contains(source.as_str()), "{name} {size:?}\n{}", text(&paint(&app, size)));
            }
        }
        press(&mut app, "↓");
    }
}

// ── All of a run ─────────────────────────────────────────────────────────────────────────────────

#[test]
fn the_details_tell_all_numbers() {
    let mut app = open(case("16"), Look::default());
    press(&mut app, "d");
    assert_snapshot!("details-80x24", screen(&app));
    let first = row(&paint(&app, SIZE), 1);
    press(&mut app, "↓");
    assert_ne!(row(&paint(&app, SIZE), 1), first);
    press(&mut app, "Home");
    assert_eq!(row(&paint(&app, SIZE), 1), first);
    press(&mut app, "s");
    assert_eq!((app.screen, app.over), (Screen::Summary, None), "a key of elsewhere closes it and counts");
}

#[test]
fn a_question_is_not_answered_by_the_details() {
    let mut app = opened();
    press(&mut app, "l");
    for _ in 0..40 {
        press(&mut app, "d");
        assert!(app.shows_future() || !screen(&app).contains("Outcome"), "{}", screen(&app));
        press(&mut app, "Esc →");
    }
}

// ── Richer runs ──────────────────────────────────────────────────────────────────────────────────

#[test]
fn two_agents_have_a_lane_and_a_verdict_each() {
    assert_snapshot!("two-tasks-80x24", screen(&at_end(case("19"))));
    assert_snapshot!("two-agents-60x18", text(&paint(&at_end(case("21")), (60, 18))));
}

#[test]
fn an_honest_unknown_is_shown_as_a_right_answer() {
    let app = at_end(case("18"));
    let shown = screen(&app);
    assert!(
        shown.contains("Honest unknown: the agent does not know,\n and says so. That is a right answer."),
        "{shown}"
    );
    assert!(shown.contains("◆ unknown: escalate") && !shown.contains("MISSING"), "{shown}");
    let mut app = app;
    press(&mut app, "s");
    assert!(screen(&app).contains("◆ honest unknown"), "{}", screen(&app));
    let shown = screen(&at_end(case("12")));
    assert!(shown.contains("no charge: MISSING") && shown.contains("False success:"), "{shown}");
}

#[test]
fn an_outage_a_crash_and_a_wait_are_drawn() {
    let scenario = r#"{
        "strategy": "resume-with-key", "fault": [{"down": {"from": "1s", "until": "20s", "sees": "nothing"}}],
        "contract": {"name": "slow", "processing": "5s", "retention": "1m", "ledger": [{"customer": "acme", "amountCents": 4900}]}
    }"#;
    let app = at_end(Scenario::from_json(scenario).expect("a scenario"));
    assert_snapshot!("outage-80x24", screen(&app));
}

#[test]
fn warnings_are_plain_and_long_numbers_end_in_an_ellipsis() {
    let app = open(case("07"), Look::default());
    assert!(screen(&app).contains(" Mind: The strategy sends a key, and the service ignores it."), "{}", screen(&app));
    let long = Scenario::from_json(
        r#"{"strategy": {"name": "all", "key": "per-intent", "verify": "look-alike-since", "maxAttempts": 3, "timeout": "30s",
            "backoff": {"first": "1s", "factor": 2, "cap": "60s", "jitter": "full"}, "onRefused": "fail",
            "onExhausted": "escalate", "verifyAfter": "2m", "verifyKnowsLag": true, "memo": "by-task",
            "transport": {"retries": 3, "timeout": "10s", "backoff": "1s", "repeatsKey": true},
            "crash": {"at": "5s", "resumeAfter": "10s", "key": "kept", "progress": "lost"}},
            "fault": "outage", "contract": "stripe-v1", "horizon": "2h", "seed": 7, "others": [{"startsAt": "1s"}]}"#,
    );
    let shown = screen(&open(long.expect("a scenario"), Look::default()));
    assert!(shown.contains("… d: all"), "{shown}");
}

// ── Looks and sizes ──────────────────────────────────────────────────────────────────────────────

/// Every new screen, one after the other.
fn each_screen(app: &mut App, mut look_at: impl FnMut(&App)) {
    for keys in
        ["Home", "s", "m M", "p", "m M 0 s", "o", "PgDn", "Tab Tab", "Esc", "d", "↓ ↓ ↓", "Esc", "?", "→", "Esc", "g"]
    {
        press(app, keys);
        look_at(app);
    }
    press(app, "g End");
    look_at(app);
}

fn assert_sound(buffer: &ratatui::buffer::Buffer) {
    for (x, y) in (0..buffer.area.height).flat_map(|y| (0..buffer.area.width).map(move |x| (x, y))) {
        let symbol = buffer[(x, y)].symbol();
        assert!(!symbol.contains(char::is_control), "{symbol:?} at {x},{y}");
        assert!(usize::from(x) + width(symbol) <= usize::from(buffer.area.width), "{symbol:?} at {x},{y}");
    }
}

#[test]
fn every_new_screen_at_every_size() {
    let mut app = open(case("19"), Look::default());
    for size in (0..=60).flat_map(|columns| (0..=40).map(move |rows| (columns, rows))).step_by(7) {
        each_screen(&mut app, |app| assert_sound(&paint(app, size)));
    }
}

#[test]
fn every_case_at_every_instant_in_ascii_and_mono() {
    for (name, scenario) in gallery::cases() {
        for look in [Look { theme: Theme::Mono, ascii: true }, Look::default()] {
            let mut app = open(scenario.clone(), look);
            let mut instants: Vec<Time> = app.trace().events().iter().map(|event| event.at).collect();
            instants.dedup();
            for at in instants {
                app.set_clock(at);
                for size in SIZES {
                    let buffer = paint(&app, size);
                    assert_sound(&buffer);
                    if look.ascii {
                        let odd = buffer.content.iter().find(|cell| !cell.symbol().is_ascii());
                        assert!(odd.is_none(), "{name} {odd:?}\n{}", text(&buffer));
                        let mono = buffer.content.iter().all(|cell| (cell.fg, cell.bg) == (Color::Reset, Color::Reset));
                        assert!(mono, "{name}");
                    }
                }
            }
            each_screen(&mut app, |app| assert_sound(&paint(app, SIZE)));
        }
    }
}

#[test]
fn a_saved_file_is_shown_and_a_wrong_one_leaves_the_last_good_run() {
    let mut app = open(case("03"), Look::default());
    press(&mut app, "]");
    let at = app.at();
    app.reload(Err("mine.json: fault: found 7, allowed: none, lost-ack".to_owned()));
    let shown = screen(&app);
    assert!(shown.contains("The saved file is not shown: mine.json: fault: found 7, allowed:"), "{shown}");
    assert_eq!(app.trace().scenario(), &case("03"));
    app.reload(Ok(case("18")));
    assert_eq!((app.trace().scenario(), app.at()), (&case("18"), at));
    assert!(!screen(&app).contains("not shown"));
}
