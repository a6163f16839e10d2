//! The run screen: two truths, one cursor.
//!
//! ```text
//! │ verify then retry × late-commit                              00:37 ▮▮ paused │ bar
//! │ The service charges acme $49.00 for request #4: ch_1.                        │ caption
//! ├─ Agent: what it has seen ────┬─ Wire: in flight ──┬─ Ledger: the truth ──────┤
//! │                              │                    │                          │ panes
//! ├─ Space and time ─────────────┴────────────────────┴──────────────────────────┤
//! │                                                                              │ ladder
//! │ 3 attempts · timeout 30 s · backoff 1 s · …                                  │ foot
//! │ → tick   ] event   space play   1-4 strategy   f fault   …                   │ footer
//! ```
//!
//! In a lesson the caption is the lesson's, and the foot its question or the presenter's notes.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::Line;

use super::maps::turning;
use super::{Scene, agent, big, caption, chrome, ladder, ledger, lesson, lines, numbers, wire, write};
use crate::model::Time;
use crate::tui::app::App;
use crate::tui::keys::Place;
use crate::tui::theme::{Glyph, Role};

pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, app: &App) {
    let look = app.look;
    let scene = Scene::of(app, app.trace());
    // A question needs its words.
    if app.big && app.place() != Place::Ask {
        return big::draw(frame, area, app, &scene);
    }
    let columns = usize::from(area.width.saturating_sub(2));
    let mut foot = foot(app, &scene, columns);
    // On a low screen the risk takes the place of the numbers.
    if app.evidence.turning.shown && app.lesson().is_none() && area.height < 24 {
        foot.clear();
    }
    let rows = Rows::of(area, u16::try_from(foot.len()).unwrap_or(u16::MAX), app.lesson().is_some());

    chrome::bar(frame, rows.bar, look, &title(app), &chrome::clock(app));
    draw_caption(frame, rows.caption, app, &scene);
    let dividers = panes(frame, rows.panes, &scene);
    let [first, second] = dividers.map(|x| x - area.x + 1);
    let heads = if area.width < 76 {
        ["Agent saw", "In flight", "Truth"]
    } else {
        ["Agent: what it has seen", "Wire: in flight", "Ledger: the truth"]
    };
    chrome::rule(frame, rows.upper_rule, look, &[(0, heads[0]), (first, heads[1]), (second, heads[2])], Glyph::TeeDown);
    let legend = format!("{} unseen  {} wrong", look.glyph(Glyph::Unseen), look.glyph(Glyph::Wrong));
    chrome::rule(frame, rows.lower_rule, look, &[(0, "Space and time"), (first, ""), (second, &legend)], Glyph::TeeUp);
    let risk = if app.lesson().is_none() { turning::rows(app, rows.ladder.height) } else { 0 };
    let [space, risk] = Layout::vertical([Constraint::Fill(1), Constraint::Length(risk)]).areas(rows.ladder);
    ladder::draw(frame, space, &scene);
    turning::draw(frame, risk, app, &scene);
    for (row, line) in rows.foot.rows().zip(&foot) {
        write(frame, Rect { x: row.x + 1, width: row.width.saturating_sub(1), ..row }, line);
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
    foot: Rect,
    footer: Rect,
}

/// The least rows that a ladder is drawn in.
const LADDER_MIN: u16 = ladder::ROWS_BESIDES_WIRE + 2;
/// The most rows that the numbers of a run take.
const FOOT_ROWS: usize = 3;
/// The least rows of the panes.
const PANES_MIN: u16 = 4;

impl Rows {
    /// Shares the height out: the words first, then the panes, and what is left is the ladder's. Where
    /// that is too little for a ladder, the panes have it.
    fn of(area: Rect, foot: u16, lesson: bool) -> Self {
        let caption = match area.height {
            0..20 => 2 + u16::from(lesson),
            20..30 => 3,
            _ => 4,
        };
        // On a low screen the rule above the ladder makes room for the ladder.
        let lower_rule = u16::from(area.height >= 20 && area.height >= caption + foot + 4 + PANES_MIN + LADDER_MIN);
        let left = area.height.saturating_sub(caption + foot + 3 + lower_rule);
        let panes = match left {
            _ if left < PANES_MIN + LADDER_MIN => left,
            0..14 => left.saturating_sub(LADDER_MIN).min(5),
            14..18 => 6,
            _ => (left / 3).clamp(6, 14),
        };
        let heights = [1, caption, 1, panes, lower_rule].map(Constraint::Length);
        let tail = [Constraint::Fill(1), Constraint::Length(foot), Constraint::Length(1)];
        let [bar, caption, upper_rule, panes, lower_rule, ladder, foot, footer] =
            Layout::vertical(heights.into_iter().chain(tail)).areas(area);
        Self { bar, caption, upper_rule, panes, lower_rule, ladder, foot, footer }
    }
}

/// What stands below the ladder: the lesson's question or notes, else all the numbers of the run.
fn foot(app: &App, scene: &Scene<'_>, columns: usize) -> Vec<Line<'static>> {
    let look = scene.look;
    let mut foot = app.lesson().map_or_else(Vec::new, |guide| lesson::panel(app, guide, columns));
    if app.lesson().is_some_and(|guide| guide.progress().0 == 1) {
        foot.push(Line::styled(caption::WELCOME_TO_LESSON, look.style(Role::Key)));
    }
    if foot.len() < 2 {
        foot.extend(parameters(scene, columns));
    }
    if app.notes {
        let notes = lesson::notes(app.guide(), columns);
        foot.extend(notes.into_iter().take(4).map(|text| Line::styled(text, look.style(Role::Late))));
    }
    foot
}

/// What an engineer should know, in a line; and all the numbers of the run. What has no room is told by an ellipsis, and
/// stands with the details.
fn parameters(scene: &Scene<'_>, columns: usize) -> Vec<Line<'static>> {
    let (look, scenario) = (scene.look, scene.trace.scenario());
    let mut lines = Vec::new();
    let warnings = scenario.warnings();
    if let Some(warning) = warnings.first() {
        let more = if warnings.len() > 1 { format!(" (d: {} more)", warnings.len() - 1) } else { String::new() };
        let room = columns.saturating_sub(more.len());
        let warning = lines::cut(look, &format!("Mind: {warning}"), room) + &more;
        lines.push(Line::styled(warning, look.style(Role::Late)));
    }
    let room = FOOT_ROWS - lines.len();
    let mut numbers = numbers::lines(look, scenario, columns);
    if numbers.len() > room {
        numbers.truncate(room);
        let more = format!(" {} d: all", look.glyph(Glyph::Ellipsis));
        if let Some(last) = numbers.last_mut() {
            *last = lines::cut(look, last, columns.saturating_sub(more.len())) + &more;
        }
    }
    lines.extend(numbers.into_iter().map(|line| Line::styled(line, look.style(Role::Dim))));
    lines
}

pub(super) fn title(app: &App) -> String {
    if let Some(guide) = app.lesson() {
        return lesson::title(guide);
    }
    let (name, run) = (&app.trace().scenario().name, name_of_run(app));
    if name.is_empty() { format!("retryscope  {run}") } else { format!("{name}: {run}") }
}

/// The strategy and the fault of the run that is open.
pub(super) fn name_of_run(app: &App) -> String {
    let scenario = app.trace().scenario();
    format!("{} {} {}", scenario.strategy.title(), app.look.glyph(Glyph::Times), scenario.fault.name)
}

/// What the caption says: the notice, the lesson's words, or what just happened.
pub(super) fn caption(app: &App, scene: &Scene<'_>, columns: usize, rows: usize) -> (Role, Vec<String>) {
    if let Some(notice) = &app.notice {
        return (Role::Bad, lines::first(scene.look, notice, columns, rows));
    }
    if let Some(told) = &app.atlas.told {
        return (Role::Title, lines::first(scene.look, told, columns, rows));
    }
    match app.lesson() {
        Some(guide) if !app.plays_out() => (Role::Title, lesson::caption(guide, columns)),
        _ => caption::lines(scene, columns, rows),
    }
}

fn draw_caption(frame: &mut Frame<'_>, area: Rect, app: &App, scene: &Scene<'_>) {
    let columns = usize::from(area.width.saturating_sub(2));
    let (role, mut text) = caption(app, scene, columns, usize::from(area.height));
    if let Some(welcome) = welcome(app) {
        text.truncate(usize::from(area.height.saturating_sub(1)));
        for (row, line) in area.rows().skip(text.len()).zip(lines::wrap(welcome, columns)) {
            write(frame, row, &Line::styled(format!(" {line}"), scene.look.style(Role::Key)));
        }
    }
    for (row, line) in area.rows().zip(text) {
        write(frame, row, &Line::styled(format!(" {line}"), scene.look.style(role)));
    }
}

/// Which keys to press, for who has just come.
fn welcome(app: &App) -> Option<&'static str> {
    match app.lesson() {
        _ if app.notice.is_some() || app.atlas.told.is_some() => None,
        // The lesson's own words fill the caption; see the foot.
        Some(_) => None,
        None if app.guide().progress().0 > 1 => Some(caption::BACK_TO_LESSON),
        None => (app.at() == Time::ZERO).then_some(caption::WELCOME),
    }
}

/// The three panes side by side, and the columns of the lines between them.
fn panes(frame: &mut Frame<'_>, area: Rect, scene: &Scene<'_>) -> [u16; 2] {
    let shares = [Constraint::Ratio(9, 26), Constraint::Length(1), Constraint::Ratio(1, 3), Constraint::Length(1)];
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
