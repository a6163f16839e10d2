//! The README shows the screen and the keys as they are.
//!
//! Where they have changed, `UPDATE_README=1 cargo test --test readme` writes them anew.

mod paint;

use std::fmt::Write as _;
use std::fs;
use std::sync::Mutex;

use paint::{app, paint, text};
use retryscope::model::{Scenario, Time};
use retryscope::tui::keys::{Action, Binding, Place, TABLE};
use retryscope::tui::theme::Look;

const README: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");

/// Tests run side by side, and each may write.
static WRITING: Mutex<()> = Mutex::new(());

fn readme() -> String {
    let _writing = WRITING.lock();
    fs::read_to_string(README).expect("the README")
}

/// Compares what stands between two comments with what should.
fn assert_shows(begin: &str, end: &str, right: &str) {
    let _writing = WRITING.lock();
    let readme = fs::read_to_string(README).expect("the README");
    let (head, rest) = readme.split_once(begin).expect("the begin of the part");
    let (shown, tail) = rest.split_once(end).expect("the end of the part");
    if std::env::var_os("UPDATE_README").is_some() {
        fs::write(README, format!("{head}{begin}{right}{end}{tail}")).expect("to write the README");
    } else {
        assert_eq!(shown, right, "write it anew with UPDATE_README=1 cargo test --test readme");
    }
}

#[test]
fn it_shows_the_screen() {
    let mut app = app("verify-then-retry", "late-commit", Look::default());
    app.set_clock(Time::from_ms(37_000));
    let screen = format!("\n```text\n{}\n```\n", text(&paint(&app, (80, 24))));
    assert_shows("<!-- screen: kept current by tests/readme.rs -->", "<!-- end of screen -->", &screen);
}

#[test]
fn it_shows_a_map() {
    let mut app = app("verify-then-retry", "late-commit", Look::default());
    app.update(Some(Action::Evidence));
    app.update(Some(Action::Sheet(1)));
    app.settle();
    let map = format!("\n```text\n{}\n```\n", text(&paint(&app, (80, 24))));
    assert_shows("<!-- map: kept current by tests/readme.rs -->", "<!-- end of map -->", &map);
}

#[test]
fn it_lists_the_keys() {
    let mut list = String::new();
    for (place, title) in [
        (Place::Lesson, "in the lesson"),
        (Place::Ask, "at a question"),
        (Place::Clock, "on every screen with a clock"),
        (Place::Run, "on the run screen"),
        (Place::Why, "why?"),
        (Place::WhatIf, "what if?"),
        (Place::Fork, "a changed run beside the present one"),
        (Place::Compare, "comparing"),
        (Place::Summary, "in the summary"),
        (Place::Cases, "in the cases"),
        (Place::Details, "all of a run"),
        (Place::Evidence, "on any sheet of the evidence"),
        (Place::Search, "on the sheet that searches"),
        (Place::Map, "on the map"),
        (Place::Policies, "on the map of policies"),
        (Place::Odds, "on the sheet of the odds"),
        (Place::Anywhere, "everywhere"),
    ] {
        write!(list, "\n| {title} | |\n|---|---|\n").expect("a string");
        for binding in TABLE.iter().filter(|binding| binding.place == place && !binding.help.is_empty()) {
            writeln!(list, "| {} | {} |", labels(binding), binding.help).expect("a string");
        }
    }
    assert_shows("<!-- keys: kept current by tests/readme.rs -->", "<!-- end of keys -->", &list);
}

fn labels(binding: &Binding) -> String {
    let keys = binding.keys.iter().filter(|key| !key.is_for_other_layouts());
    keys.map(|key| format!("`{}`", key.label(false))).collect::<Vec<_>>().join(" ")
}

/// The scenarios in it can be read and run.
#[test]
fn its_examples_are_scenarios() {
    let readme = readme();
    let blocks: Vec<&str> = readme.split("```json\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert_eq!(blocks.len(), 2);
    for block in blocks {
        let scenario: Scenario = retryscope::model::json::from_str(block).unwrap_or_else(|e| panic!("{e}\n{block}"));
        retryscope::sim::simulate(&scenario).expect("a short run");
    }
}
