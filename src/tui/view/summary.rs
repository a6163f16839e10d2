//! The summary: every run of the grid, what the ledger says and what the agent said.
//!
//! ```text
//! │ the 16 runs                          Enter opens a run │
//! │              naive retry   verify then retry  …        │
//! │ none         1 ok          1 ok                        │
//! │              completed     completed                   │
//! │ …                                                      │
//! │ Contract 1 of 14, the scenario's own: keyed. …         │
//! │ Duplicates: 7 of 16 runs                               │
//! │ Duplicates the agent reported as completed: 7          │
//! │ One key for another amount: refused, …                 │
//! ```
//!
//! Where the grid has more rows or columns than there is room for, it scrolls with the choice and says how much is
//! beyond an edge.

mod window;

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::Line;

use super::lines::{Words, cut, wrap};
use super::outcome::looks;
use super::{chrome, contract, lesson, write};
use crate::model::text::width;
use crate::trace::{Kind, Outcome, Verdict};
use crate::tui::app::App;
use crate::tui::grid::Cell;
use crate::tui::guide::Guide;
use crate::tui::theme::{Glyph, Look, Role};
use window::Window;

/// The columns that the faults' names take.
const NAMES: u16 = 12;
/// The least columns of a cell.
const CELL_MIN: u16 = 12;
/// The most columns of a cell, where there are few.
const CELL_MAX: u16 = 48;
/// The most rows of a cell.
const CELL_ROWS: u16 = 5;
/// The rows that the strategies' names take.
const HEAD: u16 = 3;

pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, app: &App) {
    let look = app.look;
    let columns = usize::from(area.width.saturating_sub(2));
    let foot = foot(app, columns, area.height);
    let words = app.lesson().map_or_else(Vec::new, |guide| lesson::caption(guide, columns));
    let rows = [
        Constraint::Length(1),
        Constraint::Length(u16::try_from(words.len()).unwrap_or(3)),
        Constraint::Fill(1),
        Constraint::Length(u16::try_from(foot.len()).unwrap_or(3)),
        Constraint::Length(1),
    ];
    let [bar, caption, grid, below, footer] = Layout::vertical(rows).areas(area);
    let view = View::of(grid, app);
    let count = app.grid().cells().count();
    let title = app.lesson().map_or_else(|| format!("the {count} runs"), lesson::title);
    chrome::bar(frame, bar, look, &title, &view.says());
    for (row, line) in caption.rows().zip(words) {
        write(frame, row, &Line::styled(format!(" {line}"), look.style(Role::Title)));
    }
    view.draw(frame, app);
    for (row, line) in below.rows().zip(&foot) {
        write(frame, row, line);
    }
    chrome::footer(frame, footer, look, app.place());
}

/// The grid in its area: which of it is shown, and where.
struct View {
    area: Rect,
    strategies: Window,
    faults: Window,
    margin: u16,
    wide: u16,
    high: u16,
}

impl View {
    fn of(area: Rect, app: &App) -> Self {
        let (grid, choice) = (app.grid(), app.choice);
        // A narrow screen has no room for a margin.
        let margin = u16::from(area.width > 60);
        let across = area.width.saturating_sub(NAMES + margin);
        let down = area.height.saturating_sub(HEAD);
        let strategies = Window::around(choice.strategy, grid.strategies.len(), across / CELL_MIN);
        let faults = Window::around(choice.fault, grid.faults.len(), down);
        let share = |room: u16, cells: usize| room / u16::try_from(cells).unwrap_or(1).max(1);
        let wide = share(across, strategies.shown).min(CELL_MAX);
        let high = share(down, faults.shown).clamp(1, CELL_ROWS);
        Self { area, strategies, faults, margin, wide, high }
    }

    /// What the bar says: what the cells tell, or which part of them is in sight.
    fn says(&self) -> String {
        let part = |what: &str, window: Window| {
            let Window { first, shown, all } = window;
            format!("{what} {}-{} of {all}", first + 1, first + shown)
        };
        match (self.strategies.is_whole(), self.faults.is_whole()) {
            (true, true) => "what is true, what was said".to_owned(),
            (false, true) => part("strategies", self.strategies),
            (true, false) => part("faults", self.faults),
            (false, false) => format!("{}, {}", part("strategies", self.strategies), part("faults", self.faults)),
        }
    }

    /// Where a cell stands, if it is in sight.
    fn place(&self, cell: Cell) -> Option<Rect> {
        let (x, y) = (self.strategies.place(cell.strategy)?, self.faults.place(cell.fault)?);
        let left = self.area.x + self.margin + NAMES + self.wide * x;
        let top = self.area.y + HEAD + self.high * y;
        Some(Rect { x: left, y: top, width: self.wide, height: self.high }.intersection(self.area))
    }

    fn draw(&self, frame: &mut Frame<'_>, app: &App) {
        let (grid, look) = (app.grid(), app.look);
        let head = Rect { height: HEAD.min(self.area.height), ..self.area };
        let title = look.style(Role::Title);
        for (n, strategy) in grid.strategies.iter().enumerate() {
            let cell = Cell { strategy: n, fault: self.faults.first };
            let Some(place) = self.place(cell) else { continue };
            let column = Rect { y: head.y, height: head.height, ..place };
            let room = usize::from(self.wide.saturating_sub(1));
            let lines = wrap(&strategy.title(), room);
            for (row, line) in column.rows().skip(usize::from(lines.len() < 2)).zip(lines) {
                write(frame, row, &Line::styled(cut(look, &line, room), title));
            }
        }
        for (n, fault) in grid.faults.iter().enumerate() {
            let Some(place) = self.place(Cell { strategy: self.strategies.first, fault: n }) else { continue };
            let row = Rect { x: self.area.x + self.margin, width: NAMES, height: place.height.min(1), ..place };
            write(frame, row, &Line::styled(cut(look, &fault.name, usize::from(NAMES) - 1), title));
        }
        self.edges(frame, look, head);
        for cell in grid.cells() {
            if let Some(place) = self.place(cell) {
                draw_cell(frame, place, app, cell);
            }
        }
    }

    /// How many strategies and faults are beyond each edge, in the corner that is free.
    fn edges(&self, frame: &mut Frame<'_>, look: Look, head: Rect) {
        let corner = Rect { x: head.x + self.margin, width: NAMES - 1, ..head };
        let beyond = |glyph: Glyph, count: usize| {
            if count == 0 { String::new() } else { format!("{} {count}  ", look.glyph(glyph)) }
        };
        let across =
            beyond(Glyph::MoreLeft, self.strategies.before()) + &beyond(Glyph::MoreRight, self.strategies.after());
        let down = beyond(Glyph::MoreUp, self.faults.before()) + &beyond(Glyph::MoreDown, self.faults.after());
        for (row, text) in corner.rows().skip(1).zip([across, down]) {
            write(frame, row, &Words::new(look).say(Role::Key, text).line());
        }
    }
}

fn draw_cell(frame: &mut Frame<'_>, area: Rect, app: &App, cell: Cell) {
    let columns = usize::from(area.width.saturating_sub(1));
    let lines = match (app.grid().tally(cell), app.grid().kind(cell)) {
        (Ok(tally), Ok(kind)) => outcome(app.look, &tally.outcome(), kind, columns, area.height),
        _ => vec![Words::new(app.look).say(Role::Bad, cut(app.look, "too long", columns)).line()],
    };
    let taken = lines.len();
    for (row, line) in area.rows().zip(lines) {
        write(frame, row, &line);
    }
    if cell == app.choice {
        let height = u16::try_from(taken).unwrap_or(1).min(area.height);
        let chosen = Rect { width: area.width.saturating_sub(1), height, ..area };
        frame.buffer_mut().set_style(chosen, Style::new().add_modifier(Modifier::REVERSED));
    }
}

/// An outcome in one, two or three lines.
fn outcome(look: Look, outcome: &Outcome, kind: Kind, columns: usize, rows: u16) -> Vec<Line<'static>> {
    let marks = looks(kind);
    let role = marks.role;
    let report = outcome.report.map_or_else(|| "no report".to_owned(), |(_, report)| report.to_string());
    let indent = if width(&report) + 2 <= columns { "  " } else { "" };
    // What stands before the colon says enough.
    let report = match report.split_once(':') {
        Some((head, _)) if width(&report) > columns => format!("  {head}"),
        _ => report,
    };
    let report = cut(look, &report, columns - indent.len());
    let report = Words::new(look).say(Role::Text, indent).say(Role::Dim, report).line();
    let charges = charges(outcome.charges);
    let (long, short) = (format!(" {}", marks.word), format!(" {}", marks.short));
    let count = if rows >= 4 { String::new() } else { format!(" {}", outcome.charges) };
    // The word in full with the number, the short one with it, the short one alone. Where there is no room for any, the
    // number says it.
    let head = Words::new(look).glyph(role, marks.glyph);
    let fits = |text: &str| width(text) < columns;
    let tries = [long.clone() + &count, short.clone() + &count, short];
    let text = tries.into_iter().find(|text| fits(text)).unwrap_or(count);
    let head = head.say(role, cut(look, &text, columns.saturating_sub(1)));
    if rows >= 4 {
        return vec![head.line(), Words::new(look).say(Role::Text, format!("  {charges}")).line(), report];
    }
    if rows >= 2 { vec![head.line(), report] } else { vec![head.line()] }
}

fn charges(charges: u32) -> String {
    match charges {
        1 => "1 charge".to_owned(),
        n => format!("{n} charges"),
    }
}

/// What stands below the grid: what is chosen, the contract, the totals, how one did, the notes; and last the key-reuse
/// check, which the lesson speaks of as the last line.
fn foot(app: &App, columns: usize, height: u16) -> Vec<Line<'static>> {
    let look = app.look;
    let asked = !app.grid().is_under_own();
    let mut foot = Vec::new();
    if app.lesson().is_none() && height >= 22 {
        foot.extend(choice(app, columns));
    }
    if asked || (app.lesson().is_none() && height >= 22) {
        let rows = match height {
            0..22 => 4,
            22..30 => 5,
            _ => 8,
        };
        foot.extend(contract::lines(look, app.grid(), columns, rows));
    }
    if let Some(notice) = &app.notice {
        foot.extend(
            wrap(notice, columns).into_iter().map(|line| Words::new(look).say(Role::Bad, format!(" {line}")).line()),
        );
    }
    if app.lesson().is_some_and(Guide::is_at_end) {
        let end = "The end. Esc: choose a run here and open it. F5: the lesson from its start.";
        foot.push(Words::new(look).say(Role::Key, format!(" {}", cut(look, end, columns))).line());
    }
    foot.extend(totals(app, columns));
    foot.extend(lesson::score(look, &app.guide().score(), columns));
    if app.notes {
        let notes = lesson::notes(app.guide(), columns).into_iter();
        foot.extend(notes.map(|text| Line::styled(format!(" {text}"), look.style(Role::Late))));
    }
    let check = wrap(&contract::key_reuse(app.grid().contract()), columns);
    foot.extend(check.into_iter().map(|line| Words::new(look).say(Role::Dim, format!(" {line}")).line()));
    foot
}

/// The run that is chosen, and what its outcome means.
fn choice(app: &App, columns: usize) -> Option<Line<'static>> {
    let (grid, look) = (app.grid(), app.look);
    let kind = grid.kind(app.choice).ok()?;
    let scenario = grid.scenario(app.choice);
    let marks = looks(kind);
    // Names come after the sign, so that no name moves it.
    let words = Words::new(look).say(Role::Text, " ").glyph(marks.role, marks.glyph);
    let words = words.say(marks.role, format!(" {kind}: "));
    let run = format!("{} {} {}.", scenario.strategy.title(), look.glyph(Glyph::Times), scenario.fault.name);
    let run = cut(look, &run, columns.saturating_sub(words.width()));
    let words = words.say(Role::Title, run);
    let meaning = format!(" {}", kind.meaning());
    let meaning = if words.width() + width(&meaning) <= columns + 1 { meaning } else { String::new() };
    Some(words.say(Role::Text, meaning).line())
}

/// The two totals that there always are; and a line of the others, as far as there is something to say.
fn totals(app: &App, columns: usize) -> Vec<Line<'static>> {
    let look = app.look;
    let grid = app.grid();
    let outcomes: Vec<Outcome> =
        grid.cells().filter_map(|cell| grid.tally(cell).ok()).map(|tally| tally.outcome()).collect();
    let kinds: Vec<Kind> = grid.cells().filter_map(|cell| grid.kind(cell).ok()).collect();
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
    let mut others = Words::new(look).say(Role::Text, " ");
    let mut any = false;
    for (kind, name) in [
        (Kind::FalseSuccess, "false successes"),
        (Kind::FalseFailure, "false failures"),
        (Kind::HonestFailure, "honest failures"),
        (Kind::HonestUnknown, "honest unknowns"),
    ] {
        let count = kinds.iter().filter(|other| **other == kind).count();
        let text = format!("{name} {count}");
        let gap = if any { "   " } else { "" };
        if count > 0 && others.width() + gap.len() + 2 + width(&text) <= columns + 1 {
            let marks = looks(kind);
            others = others.say(Role::Text, gap).glyph(marks.role, marks.glyph).say(marks.role, format!(" {text}"));
            any = true;
        }
    }
    if any {
        lines.push(others.line());
    }
    lines
}
