//! The evidence: four sheets about the open run's strategy, contract and network.
//!
//! ```text
//! │ evidence: verify then retry under keyed                          all searched │ bar
//! │ 1 Search   2 Map   3 Policies   4 Odds                                        │ tabs
//! │                                                                               │ sheet
//! │ Tab sheet   ] calls   + faults   f forbid   Enter open   Esc back   …         │ footer
//! ```

mod chance;
mod heat;
mod kinds;
mod policy;
mod search;
pub(super) mod turning;

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::Line;

use super::lines::Words;
use super::{chrome, write};
use crate::tui::app::App;
use crate::tui::maps::Sheet;
use crate::tui::theme::{Look, Role};

pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, app: &App) {
    let look = app.look;
    let rows = [Constraint::Length(1), Constraint::Length(1), Constraint::Fill(1), Constraint::Length(1)];
    let [bar, tabs, sheet, footer] = Layout::vertical(rows).areas(area);
    let scenario = app.trace().scenario();
    let contract = match app.evidence.sheet {
        Sheet::Policies => app.evidence.policy.contracts.get(app.evidence.policy.page),
        Sheet::Odds => app.evidence.chance.under(),
        Sheet::Search | Sheet::Map => None,
    };
    let contract = &contract.unwrap_or(&scenario.contract).name;
    let title = match app.evidence.sheet {
        Sheet::Policies => format!("evidence: all policies under {contract}"),
        Sheet::Odds => format!("evidence: all strategies under {contract}"),
        Sheet::Search | Sheet::Map => format!("evidence: {} under {contract}", scenario.strategy.title()),
    };
    chrome::bar(frame, bar, look, &title, &state(app));
    draw_tabs(frame, tabs, look, app.evidence.sheet);
    match app.evidence.sheet {
        Sheet::Search => search::draw(frame, sheet, app),
        Sheet::Map => heat::draw(frame, sheet, app),
        Sheet::Policies => policy::draw(frame, sheet, app),
        Sheet::Odds => chance::draw(frame, sheet, app),
    }
    chrome::footer(frame, footer, look, app.place());
}

/// How far the work of the open sheet is.
fn state(app: &App) -> String {
    use crate::tui::maps::work::UnderWay;
    let evidence = &app.evidence;
    let (under_way, stopped, (done, of)) = match evidence.sheet {
        Sheet::Search => {
            (evidence.search.task.is_under_way(), evidence.search.task.stopped, evidence.search.progress())
        }
        Sheet::Map => {
            let progress = evidence.heat.task.told.as_ref().map_or((0, 0), crate::tui::maps::heat::Chart::progress);
            (evidence.heat.task.is_under_way(), evidence.heat.task.stopped, progress)
        }
        Sheet::Policies => {
            (evidence.policy.task.is_under_way(), evidence.policy.task.stopped, evidence.policy.progress())
        }
        Sheet::Odds => {
            let rows = evidence.chance.rows();
            let done = rows.iter().filter(|row| row.odds.is_some()).count();
            (evidence.chance.task.is_under_way(), evidence.chance.task.stopped, (done, rows.len()))
        }
    };
    let percent = (done * 100).checked_div(of).unwrap_or(0);
    match (under_way, stopped) {
        (true, _) => format!("{percent} %, Esc stops"),
        (false, true) if done < of || of == 0 => format!("stopped at {percent} %"),
        _ => "done".to_owned(),
    }
}

fn draw_tabs(frame: &mut Frame<'_>, row: Rect, look: Look, open: Sheet) {
    let mut words = Words::new(look);
    for (n, sheet) in Sheet::ALL.into_iter().enumerate() {
        let name = sheet.name();
        words = if sheet == open {
            words.say(Role::Cursor, format!(" {} {name} ", n + 1)).say(Role::Text, " ")
        } else {
            words.say(Role::Key, format!(" {}", n + 1)).say(Role::Dim, format!(" {name} ")).say(Role::Text, " ")
        };
    }
    write(frame, Rect { x: row.x + 1, width: row.width.saturating_sub(1), ..row }, &words.line());
}

/// Writes lines from the top of an area, each one column in.
fn paragraph(frame: &mut Frame<'_>, area: Rect, lines: &[Line<'_>]) {
    let inner = Rect { x: area.x + 1, width: area.width.saturating_sub(2), ..area };
    for (row, line) in inner.rows().zip(lines) {
        write(frame, row, line);
    }
}

/// Puts pieces on as few lines as they need.
fn flow(look: Look, pieces: Vec<Words>, columns: usize) -> Vec<Line<'static>> {
    let mut lines: Vec<(usize, Line<'static>)> = Vec::new();
    for piece in pieces {
        let wide = piece.width();
        let spans = piece.line().spans;
        match lines.last_mut() {
            Some((taken, line)) if *taken + 3 + wide <= columns => {
                *taken += 3 + wide;
                line.spans.push(ratatui::text::Span::styled("   ", look.style(Role::Text)));
                line.spans.extend(spans);
            }
            _ => lines.push((wide, Line::from(spans))),
        }
    }
    lines.into_iter().map(|(_, line)| line).collect()
}

/// A number with commas between the thousands: `1,296`.
fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number and its noun: `1 plan`, `2 plans`.
fn counted(n: u64, noun: &str) -> String {
    if n == 1 { format!("1 {noun}") } else { format!("{} {noun}s", grouped(n)) }
}

/// How many percent that is of the whole, with a digit after the point where it is few.
#[expect(clippy::cast_precision_loss, reason = "plans are far below 2^53")]
fn percent(part: u64, whole: u64) -> String {
    let share = part as f64 * 100.0 / whole.max(1) as f64;
    match share {
        share if part > 0 && share < 0.1 => "<0.1 %".to_owned(),
        share if part < whole && share > 99.9 => ">99.9 %".to_owned(),
        share if part > 0 && share < 10.0 => format!("{share:.1} %"),
        share => format!("{share:.0} %"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!(
            [0, 12, 999, 1_000, 1_296, 5_000_000].map(grouped),
            ["0", "12", "999", "1,000", "1,296", "5,000,000"]
        );
        assert_eq!((counted(1, "plan"), counted(1_296, "plan")), ("1 plan".to_owned(), "1,296 plans".to_owned()));
        let said =
            [(0, 9), (1, 9), (9, 9), (1, 20), (1, 100_000), (99_999, 100_000), (0, 0)].map(|(a, b)| percent(a, b));
        assert_eq!(said, ["0 %", "11 %", "100 %", "5.0 %", "<0.1 %", ">99.9 %", "0 %"]);
    }
}
