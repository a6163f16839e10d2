//! The summary: every run of the grid, what the ledger says and what the agent said.
//!
//! ```text
//! │ the 16 runs                          Enter opens a run │
//! │              naive retry   verify then retry  …        │
//! │ none         1 ok          1 ok                        │
//! │              completed     completed                   │
//! │ …                                                      │
//! │ Duplicates: 7 of 16 runs                               │
//! │ Duplicates the agent reported as completed: 7          │
//! ```

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Modifier;
use ratatui::text::Line;

use super::lines::{Words, cut, wrap};
use super::write;
use super::{chrome, lesson};
use crate::model::text::width;
use crate::sim::key_reuse;
use crate::trace::{Answer, Outcome, Verdict};
use crate::tui::app::App;
use crate::tui::grid::Cell;
use crate::tui::guide::Guide;
use crate::tui::theme::{Glyph, Look, Role};

/// The columns that the faults' names take.
const NAMES: u16 = 12;

pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, app: &App) {
    let look = app.look;
    let columns = usize::from(area.width.saturating_sub(2));
    let mut totals = totals(app, columns);
    totals.extend(lesson::score(look, &app.guide().score(), columns));
    if app.lesson().is_some_and(Guide::is_at_end) {
        let end = "The end. Esc: choose a run here and open it. F5: the lesson from its start.";
        totals.insert(0, Words::new(look).say(Role::Key, format!(" {}", cut(look, end, columns))).line());
    }
    if app.notes {
        let notes = lesson::notes(app.guide(), columns).into_iter();
        totals.extend(notes.map(|text| Line::styled(format!(" {text}"), look.style(Role::Late))));
    }
    let words = app.lesson().map_or_else(Vec::new, |guide| lesson::caption(guide, columns));
    let rows = [
        Constraint::Length(1),
        Constraint::Length(u16::try_from(words.len()).unwrap_or(3)),
        Constraint::Fill(1),
        Constraint::Length(u16::try_from(totals.len()).unwrap_or(3)),
        Constraint::Length(1),
    ];
    let [bar, caption, grid, foot, footer] = Layout::vertical(rows).areas(area);
    let count = app.grid().cells().count();
    let title = app.lesson().map_or_else(|| format!("the {count} runs"), lesson::title);
    chrome::bar(frame, bar, look, &title, "what is true, what was said");
    for (row, line) in caption.rows().zip(words) {
        write(frame, row, &Line::styled(format!(" {line}"), look.style(Role::Title)));
    }
    draw_grid(frame, grid, app);
    for (row, line) in foot.rows().zip(&totals) {
        write(frame, row, line);
    }
    chrome::footer(frame, footer, look, app.place());
}

fn draw_grid(frame: &mut Frame<'_>, area: Rect, app: &App) {
    let grid = app.grid();
    let (columns, rows) = (grid.strategies.len(), grid.faults.len());
    let head = Rect { height: 3.min(area.height), ..area };
    let body = Rect { y: area.y + head.height, height: area.height - head.height, ..area };
    // A narrow screen has no room for a margin.
    let margin = u16::from(area.width > 60);
    let wide = (area.width - NAMES - margin) / u16::try_from(columns).unwrap_or(1).max(1);
    let high = (body.height / u16::try_from(rows).unwrap_or(1).max(1)).clamp(1, 5);
    let place = |cell: Cell| {
        let (x, y) = (u16::try_from(cell.strategy).unwrap_or(0), u16::try_from(cell.fault).unwrap_or(0));
        Rect { x: area.x + margin + NAMES + wide * x, y: body.y + high * y, width: wide, height: high }
            .intersection(area)
    };
    for (n, strategy) in grid.strategies.iter().enumerate() {
        let column = Rect { y: head.y, height: head.height, ..place(Cell { strategy: n, fault: 0 }) };
        let lines = wrap(&strategy.title(), usize::from(wide.saturating_sub(1)));
        for (row, line) in column.rows().skip(usize::from(lines.len() < 2)).zip(lines) {
            let line = cut(app.look, &line, usize::from(wide.saturating_sub(1)));
            write(frame, row, &Line::styled(line, app.look.style(Role::Title)));
        }
    }
    for (n, fault) in grid.faults.iter().enumerate() {
        let row = Rect { x: area.x + margin, width: NAMES, ..place(Cell { strategy: 0, fault: n }) };
        let name = cut(app.look, &fault.name, usize::from(NAMES) - 1);
        write(frame, Rect { height: 1, ..row }, &Line::styled(name, app.look.style(Role::Title)));
    }
    for cell in grid.cells() {
        draw_cell(frame, place(cell), app, cell);
    }
}

fn draw_cell(frame: &mut Frame<'_>, area: Rect, app: &App, cell: Cell) {
    let columns = usize::from(area.width.saturating_sub(1));
    let lines = match app.grid().tally(cell) {
        Ok(tally) => outcome(app.look, &tally.outcome(), columns, area.height),
        Err(_) => vec![Words::new(app.look).say(Role::Bad, cut(app.look, "too long", columns)).line()],
    };
    let taken = lines.len();
    for (row, line) in area.rows().zip(lines) {
        write(frame, row, &line);
    }
    if cell == app.choice {
        let height = u16::try_from(taken).unwrap_or(1).min(area.height);
        let chosen = Rect { width: area.width.saturating_sub(1), height, ..area };
        frame.buffer_mut().set_style(chosen, ratatui::style::Style::new().add_modifier(Modifier::REVERSED));
    }
}

/// An outcome in one, two or three lines.
fn outcome(look: Look, outcome: &Outcome, columns: usize, rows: u16) -> Vec<Line<'static>> {
    let verdict = outcome.verdict();
    let (role, glyph) = match verdict {
        Verdict::ExactlyOnce => (Role::Good, Glyph::Done),
        Verdict::Duplicate => (Role::Bad, Glyph::Failed),
        Verdict::Missing => (Role::Unknown, Glyph::Unsure),
    };
    let report = outcome.report.map_or_else(|| "no report".to_owned(), |(_, report)| report.to_string());
    let indent = if width(&report) + 2 <= columns { "  " } else { "" };
    let report = cut(look, &report, columns - indent.len());
    let report = Words::new(look).say(Role::Text, indent).say(Role::Dim, report).line();
    let charges = match outcome.charges {
        1 => "1 charge".to_owned(),
        n => format!("{n} charges"),
    };
    let word = format!(" {}", verdict.word());
    let head = Words::new(look).glyph(role, glyph);
    // Where there is no room for the word, the number says it.
    let head = if width(&word) < columns { head.say(role, word) } else { head };
    if rows >= 4 {
        return vec![head.line(), Words::new(look).say(Role::Text, format!("  {charges}")).line(), report];
    }
    let with_count = format!(" {}", outcome.charges);
    let head = if head.width() + width(&with_count) <= columns { head.say(role, with_count) } else { head };
    if rows >= 2 { vec![head.line(), report] } else { vec![head.line()] }
}

/// The two totals and the key-reuse check.
fn totals(app: &App, columns: usize) -> Vec<Line<'static>> {
    let look = app.look;
    let outcomes: Vec<Outcome> =
        app.grid().cells().filter_map(|cell| app.grid().tally(cell).ok()).map(|tally| tally.outcome()).collect();
    let duplicates = outcomes.iter().filter(|outcome| outcome.verdict() == Verdict::Duplicate).count();
    let quiet = outcomes.iter().filter(|outcome| outcome.is_quiet()).count();
    let mut lines = vec![
        Words::new(look)
            .say(Role::Bad, format!(" Duplicates: {duplicates}"))
            .say(Role::Text, format!(" of {} runs", outcomes.len()))
            .line(),
        Words::new(look)
            .say(Role::Text, " Duplicates the agent reported as completed: ")
            .say(Role::Bad, quiet.to_string())
            .line(),
    ];
    if let Answer::Refused(refusal) = key_reuse().second {
        let text = format!("One key for another amount: refused, {refusal}.");
        let text = wrap(&text, columns);
        lines.extend(text.into_iter().map(|line| Words::new(look).say(Role::Dim, format!(" {line}")).line()));
    }
    lines
}
