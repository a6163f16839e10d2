//! Several runs at the same clock, one ladder a row, on one axis.
//!
//! ```text
//! │ compare: 4 strategies under late-commit                  00:37  ▮▮ paused │ bar
//! │ They part at 00:31. …                                                     │ caption
//! │ ▸1 naive retry          ✓ 1 charge  believes unknown  says nothing yet    │
//! │  agent   1─────────✗·2───                                                 │ a row
//! │  wire    ⠑⠒⠤⣀⡀      ⠱⡀⡜                                                   │
//! │  ledger              $1━━━━                                               │
//! │  …                                                                        │
//! │        ╵00:00   ╵00:15                                                    │ the scale of all
//! ```

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::Line;

use super::ladder::axis::Axis;
use super::ladder::{Plan, Rows};
use super::lines::{Words, cut};
use super::{Scene, beside, chrome, ladder, lesson, write};
use crate::trace::Trace;
use crate::tui::app::App;
use crate::tui::compare::{By, Compare};
use crate::tui::theme::{Glyph, Role};

/// The fewest rows in which a run is readable: its name, the wire and the ledger.
const ROW_MIN: u16 = 3;

pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, app: &App) {
    let Some(compare) = &app.aside.compare else { return };
    let count = u16::try_from(compare.rows.len()).unwrap_or(1).max(1);
    // Bar, scale and footer take one row each, the caption one at least; what the runs cannot share is the caption's,
    // unless it is the lesson's, which is as long as its words.
    let words = app.lesson().map(|guide| lesson::caption(guide, usize::from(area.width.saturating_sub(2))));
    let told = words.as_ref().map_or(1, |words| u16::try_from(words.len()).unwrap_or(1));
    let room = area.height.saturating_sub(3 + told);
    let (high, shown) = match room / count {
        high if high >= ROW_MIN => (high, count),
        _ => (ROW_MIN, (room / ROW_MIN).max(1)),
    };
    let spare = room - (high * shown).min(room);
    let caption_rows = told + if words.is_some() { 0 } else { spare.min(if area.height > 30 { 3 } else { 2 }) };
    let heights = [1, caption_rows, high * shown, 1].map(Constraint::Length);
    let [bar, caption, body, scale, _, footer] =
        Layout::vertical(heights.into_iter().chain([Constraint::Fill(1), Constraint::Length(1)])).areas(area);
    let title = app.lesson().map_or_else(|| title(app, compare), lesson::title);
    chrome::bar(frame, bar, app.look, &title, &chrome::clock(app));
    match words {
        None => draw_caption(frame, caption, app, compare),
        Some(words) => {
            for (row, line) in caption.rows().zip(words) {
                write(frame, row, &Line::styled(format!(" {line}"), app.look.style(Role::Title)));
            }
        }
    }

    let axis = Axis::over(compare.traces(), ladder::columns(area.width));
    let chosen = u16::try_from(compare.row).unwrap_or(0);
    let first = (chosen + 1).saturating_sub(shown);
    for (place, n) in (first..(first + shown).min(count)).enumerate() {
        let y = body.y + high * u16::try_from(place).unwrap_or(0);
        let row = Rect { y, height: high, ..body }.intersection(body);
        draw_row(frame, row, app, compare, usize::from(n), &axis);
    }
    if let Some(trace) = compare.traces().next() {
        let plan = Plan { axis: &axis, rows: Rows::ALL, parting: compare.parts_at };
        ladder::draw_scale(frame, scale, &Scene::of(app, trace), &plan);
    }
    chrome::footer(frame, footer, app.look, app.place());
}

fn title(app: &App, compare: &Compare) -> String {
    let (cell, count) = (compare.cell(), compare.rows.len());
    match compare.by {
        By::Strategies => format!("{count} strategies under {}", app.grid().faults[cell.fault].name),
        By::Faults => format!("{}: {count} faults", app.grid().strategies[cell.strategy].title()),
    }
}

fn name(app: &App, compare: &Compare, n: usize) -> String {
    let cell = compare.rows[n].cell;
    match compare.by {
        By::Strategies => app.grid().strategies[cell.strategy].title(),
        By::Faults => app.grid().faults[cell.fault].name.to_string(),
    }
}

fn draw_caption(frame: &mut Frame<'_>, area: Rect, app: &App, compare: &Compare) {
    let runs: Vec<(String, &Trace)> = (0..compare.rows.len())
        .filter_map(|n| compare.rows[n].trace.as_ref().ok().map(|trace| (name(app, compare, n), trace)))
        .collect();
    if let Ok(trace) = &compare.rows[compare.row].trace {
        let name = name(app, compare, compare.row);
        beside::draw_caption(frame, area, &runs, compare.parts_at, (&name, &Scene::of(app, trace)));
    }
}

fn draw_row(frame: &mut Frame<'_>, area: Rect, app: &App, compare: &Compare, n: usize, axis: &Axis) {
    let chosen = n == compare.row;
    let [head, chart] = Layout::vertical([Constraint::Length(1), Constraint::Fill(1)]).areas(area);
    let columns = usize::from(head.width);
    let words = Words::new(app.look);
    let words = if chosen { words.glyph(Role::Key, Glyph::Chosen) } else { words.say(Role::Text, " ") };
    let name = cut(app.look, &format!("{} {}", n + 1, name(app, compare, n)), 23.min(columns / 2));
    let words = words.say(if chosen { Role::Cursor } else { Role::Title }, name);
    let trace = match &compare.rows[n].trace {
        Ok(trace) => trace,
        Err(error) => {
            let text = cut(app.look, &format!("  {error}"), columns.saturating_sub(words.width()));
            return write(frame, head, &words.say(Role::Bad, text).line());
        }
    };
    let scene = Scene::of(app, trace);
    let pad = 24_usize.min(columns / 2 + 1).saturating_sub(words.width()).max(1);
    let state = beside::state(&scene, columns.saturating_sub(words.width() + pad));
    write(frame, head, &words.say(Role::Text, " ".repeat(pad)).and(state).line());
    let rows = Rows { agent: chart.height >= 3, belief: chart.height >= 6, scale: false };
    ladder::draw_planned(frame, chart, &scene, &Plan { axis, rows, parting: compare.parts_at });
}
