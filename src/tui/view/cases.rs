//! The shipped cases: what was reported, where, what it comes to.
//!
//! ```text
//! │ 21 cases that were reported                                        kind: all │ bar
//! │▸✗ Plain retry                     │ Plain retry                              │
//! │ ✗ Pressed again                   │ ✗ quiet duplicate, 2 charges             │
//! │ …                                 │ The paragraph …                          │
//! │                                   │ Kinds: retry                             │
//! │                                   │ Source: https://…                        │
//! │ ↓ choose  Enter open  Tab kind  Esc back                                     │ footer
//! ```
//!
//! A narrow screen has the list above the words.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::Line;

use super::lines::{Words, cut, wrap_address};
use super::outcome::looks;
use super::{Scene, chrome, ladder, write};
use crate::model::Text;
use crate::trace::Snapshot;
use crate::tui::app::App;
use crate::tui::cases::{Case, Cases};
use crate::tui::theme::{Glyph, Look, Role};

/// The least columns in which list and words stand side by side.
const SIDE_BY_SIDE: u16 = 76;
/// The most columns of the list beside the words.
const LIST_MAX: u16 = 48;
/// The least columns and rows that a run is pictured in, and the most rows.
const PICTURE_MIN: (u16, u16) = (50, 9);
const PICTURE_ROWS_MAX: u16 = 18;
/// The most rows of the list above the words.
const LIST_ROWS: u16 = 6;

pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, app: &App) {
    let look = app.look;
    let rows = [Constraint::Length(1), Constraint::Fill(1), Constraint::Length(1)];
    let [bar, body, footer] = Layout::vertical(rows).areas(area);
    let Some(cases) = &app.atlas.cases else { return };
    let title = match cases.kind() {
        None => format!("{} cases that were reported", cases.count()),
        Some(_) => format!("{} of {} cases that were reported", cases.listed().count(), cases.count()),
    };
    let kind = cases.kind().map_or("all", |kind| &**kind);
    chrome::bar(frame, bar, look, &title, &format!("kind: {kind}"));
    let (list, words) = if area.width >= SIDE_BY_SIDE {
        let columns =
            [Constraint::Length((area.width * 9 / 20).min(LIST_MAX)), Constraint::Length(1), Constraint::Fill(1)];
        let [list, line, words] = Layout::horizontal(columns).areas(body);
        chrome::divide(frame, body, line.x, look);
        (list, words)
    } else {
        let rows = [Constraint::Length(LIST_ROWS), Constraint::Length(1), Constraint::Fill(1)];
        let [list, rule, words] = Layout::vertical(rows).areas(body);
        chrome::rule(frame, rule, look, &[(0, "")], Glyph::TeeUp);
        (list, words)
    };
    self::list(frame, list, look, cases);
    if let Some(case) = cases.chosen() {
        let columns = usize::from(words.width.saturating_sub(2));
        let lines = self::words(look, case, columns, usize::from(words.height));
        for (row, line) in words.rows().zip(&lines) {
            write(frame, Rect { x: row.x + 1, width: row.width.saturating_sub(1), ..row }, line);
        }
        let taken = u16::try_from(lines.len()).unwrap_or(u16::MAX).saturating_add(1);
        let below = Rect { y: words.y.saturating_add(taken), height: words.height.saturating_sub(taken), ..words };
        picture(frame, below, look, case);
    }
    chrome::footer(frame, footer, look, app.place());
}

/// The whole run as a ladder, where there is room.
fn picture(frame: &mut Frame<'_>, area: Rect, look: Look, case: &Case) {
    if area.height < PICTURE_MIN.1 || area.width < PICTURE_MIN.0 {
        return;
    }
    let trace = &case.trace;
    let scene = Scene { trace, world: Snapshot::at(trace, trace.end()), look, future: true };
    ladder::draw(frame, Rect { height: area.height.min(PICTURE_ROWS_MAX), ..area }, &scene);
}

/// The list, scrolled so that the choice is in sight; its last row says how many are beyond an edge.
fn list(frame: &mut Frame<'_>, area: Rect, look: Look, cases: &Cases) {
    let all = cases.listed().count();
    let height = usize::from(area.height);
    let room = if all > height { height.saturating_sub(1) } else { height };
    let first = (cases.choice() + 1).saturating_sub(room.div_ceil(2)).min(all.saturating_sub(room));
    for (row, (n, case)) in area.rows().zip(cases.listed().enumerate().skip(first).take(room)) {
        let chosen = n == cases.choice();
        let marks = looks(case.outcome);
        let words = Words::new(look);
        let words = if chosen { words.glyph(Role::Title, Glyph::Fresh) } else { words.say(Role::Text, " ") };
        let words = words.glyph(marks.role, marks.glyph);
        let room = usize::from(area.width).saturating_sub(words.width() + 2);
        let role = if chosen { Role::Title } else { Role::Text };
        write(frame, row, &words.say(role, format!(" {}", cut(look, &case.scenario.name, room))).line());
        if chosen {
            let name = Rect { x: row.x + 2, width: row.width.saturating_sub(2), ..row };
            frame.buffer_mut().set_style(name, Style::new().add_modifier(Modifier::REVERSED));
        }
    }
    if room < height {
        let row = Rect { y: area.y + area.height - 1, height: 1, ..area };
        let (above, below) = (first, all - first - room);
        let [up, down] = [Glyph::MoreUp, Glyph::MoreDown].map(|glyph| look.glyph(glyph));
        let text = match (above, below) {
            (0, below) => format!("  {down} {below} more below"),
            (above, 0) => format!("  {up} {above} more above"),
            (above, below) => format!("  {up} {above} above, {down} {below} below"),
        };
        write(frame, row, &Words::new(look).say(Role::Dim, text).line());
    }
}

/// All that is told of a case. Where there is little room, blank lines go first.
fn words(look: Look, case: &Case, columns: usize, rows: usize) -> Vec<Line<'static>> {
    let marks = looks(case.outcome);
    let charges = match case.charges {
        0 => "no charge".to_owned(),
        1 => "1 charge".to_owned(),
        n => format!("{n} charges"),
    };
    let said = |role: Role, text: &str| -> Vec<Line<'static>> {
        wrap_address(text, columns).into_iter().map(|line| Words::new(look).say(role, line).line()).collect()
    };
    let scenario = &case.scenario;
    let mut parts = vec![said(Role::Title, &scenario.name)];
    let comes_to = Words::new(look).glyph(marks.role, marks.glyph).say(marks.role, format!(" {}", case.outcome));
    parts.push(vec![comes_to.say(Role::Text, format!(", {charges}")).line()]);
    if let Some(about) = &scenario.about {
        parts.push(said(Role::Text, &about.what));
        let kinds: Vec<&str> = about.kinds.iter().map(Text::as_str).collect();
        parts.push(said(Role::Dim, &format!("Kinds: {}", kinds.join(", "))));
        let sources = about.sources.iter().flat_map(|source| said(Role::Dim, &format!("Source: {source}")));
        parts.push(sources.collect());
    }
    if let Some(expect) = &scenario.expect {
        let charges = expect.charges.map_or_else(String::new, |charges| format!(", charges: {charges}"));
        parts.push(said(Role::Dim, &format!("It must come to: {}{charges}", expect.outcome)));
    }
    let times = look.glyph(Glyph::Times);
    let run = format!("Run: {} {times} {}", scenario.strategy.title(), scenario.fault.name);
    parts.push(said(Role::Dim, &format!("{run}, contract {}", scenario.contract.name)));
    let taken: usize = parts.iter().map(Vec::len).sum();
    let apart = taken + 4 <= rows;
    let mut lines = Vec::new();
    for (n, part) in parts.into_iter().enumerate() {
        // Name and outcome stand together, and so does the small print.
        if apart && matches!(n, 2..=3) {
            lines.push(Line::default());
        }
        lines.extend(part);
    }
    lines
}
