//! The run screen: two truths, one cursor.
//!
//! ```text
//! │ verify then retry × late-commit                              00:37 ▮▮ paused │ bar
//! │ The service charges acme $49.00 for request #4: ch_1.                        │ caption
//! ├─ Agent: what it has seen ────┬─ Wire: in flight ──┬─ Ledger: the truth ──────┤
//! │                              │                    │                          │ panes
//! ├─ Space and time ─────────────┴────────────────────┴──────────────────────────┤
//! │                                                                              │ ladder
//! │ 3 attempts · timeout 30 s · backoff 1 s · …                                  │ parameters
//! │ → tick   ] event   space play   1-4 strategy   f fault   …                   │ footer
//! ```

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::Line;

use super::{Scene, agent, caption, chrome, ladder, ledger, lines, wire, write};
use crate::model::Time;
use crate::trace::Snapshot;
use crate::tui::app::App;
use crate::tui::theme::{Glyph, Role};

pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, app: &App) {
    let look = app.look;
    let world = Snapshot::at(app.trace(), app.at());
    let scene = Scene { trace: app.trace(), world, look, future: app.future };
    let columns = usize::from(area.width.saturating_sub(2));
    let parameters = chrome::parameters(&scene, columns);
    let rows = Rows::of(area, parameters.len());

    chrome::bar(frame, rows.bar, look, &title(app), &chrome::clock(app));
    caption(frame, rows.caption, app, &scene);
    let dividers = panes(frame, rows.panes, &scene);
    let [first, second] = dividers.map(|x| x - area.x + 1);
    let heads = if area.width < 76 {
        ["Agent saw", "In flight", "Truth"]
    } else {
        ["Agent: what it has seen", "Wire: in flight", "Ledger: the truth"]
    };
    chrome::rule(frame, rows.upper_rule, look, &[(0, heads[0]), (first, heads[1]), (second, heads[2])], Glyph::TeeDown);
    chrome::rule(frame, rows.lower_rule, look, &[(0, "Space and time"), (first, ""), (second, "")], Glyph::TeeUp);
    ladder::draw(frame, rows.ladder, &scene);
    for (row, text) in rows.parameters.rows().zip(parameters) {
        write(frame, row, &Line::styled(format!(" {text}"), look.style(Role::Dim)));
    }
    chrome::footer(frame, rows.footer, look, app.place());
}

/// Where everything stands.
struct Rows {
    bar: Rect,
    caption: Rect,
    upper_rule: Rect,
    panes: Rect,
    lower_rule: Rect,
    ladder: Rect,
    parameters: Rect,
    footer: Rect,
}

impl Rows {
    /// Shares the height out: the words first, then the panes, and what is left is the ladder's.
    fn of(area: Rect, parameters: usize) -> Self {
        let caption = match area.height {
            0..20 => 2,
            20..30 => 3,
            _ => 4,
        };
        let parameters = u16::try_from(parameters).unwrap_or(1).min(if area.height < 20 { 2 } else { 3 });
        // On a low screen the rule above the ladder makes room for the ladder.
        let lower_rule = u16::from(area.height >= 20);
        let left = area.height.saturating_sub(caption + parameters + 3 + lower_rule);
        let panes = match left {
            0..14 => left.saturating_sub(ladder::ROWS_BESIDES_WIRE + 2).min(5),
            14..18 => 6,
            _ => (left / 3).clamp(6, 14),
        };
        let heights = [1, caption, 1, panes, lower_rule].map(Constraint::Length);
        let tail = [Constraint::Fill(1), Constraint::Length(parameters), Constraint::Length(1)];
        let [bar, caption, upper_rule, panes, lower_rule, ladder, parameters, footer] =
            Layout::vertical(heights.into_iter().chain(tail)).areas(area);
        Self { bar, caption, upper_rule, panes, lower_rule, ladder, parameters, footer }
    }
}

fn title(app: &App) -> String {
    let scenario = app.trace().scenario();
    let times = app.look.glyph(Glyph::Times);
    let run = format!("{} {times} {}", scenario.strategy.title(), scenario.fault.name);
    if scenario.name.is_empty() { format!("retryscope  {run}") } else { format!("{}: {run}", scenario.name) }
}

/// What just happened; at the start, how to go on.
fn caption(frame: &mut Frame<'_>, area: Rect, app: &App, scene: &Scene<'_>) {
    let columns = usize::from(area.width.saturating_sub(2));
    let (role, mut text) = match &app.notice {
        Some(notice) => (Role::Bad, lines::wrap(notice, columns)),
        None => caption::lines(scene, columns, usize::from(area.height)),
    };
    if app.at() == Time::ZERO && app.notice.is_none() {
        text.truncate(usize::from(area.height.saturating_sub(1)));
        for (row, line) in area.rows().skip(text.len()).zip(lines::wrap(caption::WELCOME, columns)) {
            write(frame, row, &Line::styled(format!(" {line}"), scene.look.style(Role::Key)));
        }
    }
    for (row, line) in area.rows().zip(text) {
        write(frame, row, &Line::styled(format!(" {line}"), scene.look.style(role)));
    }
}

/// The three panes side by side, and the columns of the lines between them.
fn panes(frame: &mut Frame<'_>, area: Rect, scene: &Scene<'_>) -> [u16; 2] {
    let shares = [Constraint::Ratio(9, 26), Constraint::Length(1), Constraint::Ratio(9, 26), Constraint::Length(1)];
    let [agent, first, wire, second, ledger] =
        Layout::horizontal(shares.into_iter().chain([Constraint::Fill(1)])).areas(area);
    for line in [first, second] {
        chrome::divide(frame, area, line.x, scene.look);
    }
    agent::draw(frame, agent, scene);
    wire::draw(frame, wire, scene);
    ledger::draw(frame, ledger, scene);
    [first.x, second.x]
}
