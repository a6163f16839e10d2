//! A changed run beside the present one: two ladders above each other at the same clock.
//!
//! ```text
//! │ what if request #1 is lost?                           01:30  ▮▮ paused │ bar
//! │ They part at 01:30. …                                                  │ caption
//! ├─ As it is: late-commit ────────────────────────────────────────────────┤
//! │ now ✗ 2 charges DUPLICATE …   in the end ✗ 2 charges DUPLICATE …       │ state
//! │                                                                        │ ladder
//! ├─ If request #1 is lost ────────────────────────────────────────────────┤
//! │                                                                        │ state, ladder
//! ```

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};

use super::ladder::axis::Axis;
use super::ladder::{Plan, Rows};
use super::lines::Words;
use super::{Scene, beside, chrome, ladder, what_if, write};
use crate::trace::{Tally, Trace};
use crate::tui::app::App;
use crate::tui::theme::{Glyph, Role};

pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, app: &App) {
    let Some(what_if) = &app.aside.what_if else { return };
    let (Some(in_flight), Some(chosen)) = (what_if.in_flight(), what_if.chosen()) else { return };
    let message = what_if::name(&in_flight.message);
    let caption_rows = match area.height {
        0..22 => 1,
        22..30 => 2,
        _ => 4,
    };
    let each = Constraint::Fill(1);
    let heights = [Constraint::Length(1), Constraint::Length(caption_rows), each, each, Constraint::Length(1)];
    let [bar, caption, first, second, footer] = Layout::vertical(heights).areas(area);
    let question = format!("what if {message} {}?  {}", chosen.words, app.trace().scenario().strategy.title());
    chrome::bar(frame, bar, app.look, &question, &chrome::clock(app));

    let runs = [("the first".to_owned(), app.trace()), ("the second".to_owned(), &chosen.trace)];
    let changed = Scene::of(app, &chosen.trace);
    beside::draw_caption(frame, caption, &runs, chosen.parts_at, ("Instead", &changed));
    let axis = Axis::over([app.trace(), &chosen.trace], ladder::columns(area.width));
    let name = |trace: &Trace| trace.scenario().fault.describe();
    let present = format!("As it is: {}", name(app.trace()));
    let changed = format!("Instead: {}", name(&chosen.trace));
    for (area, title, trace) in [(first, present, app.trace()), (second, changed, &chosen.trace)] {
        let [rule, state, chart] =
            Layout::vertical([Constraint::Length(1), Constraint::Length(1), Constraint::Fill(1)]).areas(area);
        let scene = Scene::of(app, trace);
        chrome::rule(frame, rule, app.look, &[(0, &title)], Glyph::TeeDown);
        write(frame, state, &state_line(app, &scene, usize::from(area.width)).line());
        let plan = Plan { axis: &axis, rows: Rows::ALL, parting: chosen.parts_at };
        ladder::draw_planned(frame, chart, &scene, &plan);
    }
    chrome::footer(frame, footer, app.look, app.place());
}

/// What is so now, and what the run comes to in the end.
fn state_line(app: &App, scene: &Scene<'_>, columns: usize) -> Words {
    let ended = app.at() >= scene.trace.end();
    let now = beside::state(scene, columns.saturating_sub(7));
    if ended || !app.shows_future() {
        let lead = if ended { " end: " } else { " now: " };
        return Words::new(app.look).say(Role::Dim, lead).and(now);
    }
    let outcome = beside::outcome(app.look, &Tally::of(scene.trace).outcome(), columns.saturating_sub(7));
    let words = Words::new(app.look).say(Role::Dim, " now: ");
    let tail = outcome.width() + 8;
    let now = beside::state(scene, columns.saturating_sub(words.width() + tail));
    if now.width() == 0 {
        return Words::new(app.look).say(Role::Dim, " end: ").and(outcome);
    }
    words.and(now).say(Role::Dim, "  end: ").and(outcome)
}
