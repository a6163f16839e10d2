//! The sheet that maps two numbers: each cell a run, in the colour and with the sign of what it comes to.
//!
//! ```text
//! │ Upward: commit lateness. Across: client timeout.                              │
//! │    150 s ×××××××××××××××××················                                    │
//! │     90 s ××××××××●××××××······················                                │
//! │      0 s ·········································                            │
//! │          1 s       30 s      60 s      90 s                                   │
//! │ client timeout 30 s, commit lateness 90 s: × quiet duplicate                  │
//! │ 2 charges; the agent says completed at 00:39. More than one charge, and …     │
//! │ × quiet duplicate 41 %  · right 59 %  ● this run                              │
//! ```

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::Line;

use super::{flow, kinds, paragraph, percent};
use crate::model::text::width;
use crate::search::map::{Axis, Cell};
use crate::trace::{Kind, Tally};
use crate::tui::app::App;
use crate::tui::maps::heat::{Chart, Heat, NAMES, SIDE, has_side};
use crate::tui::theme::{Glyph, Look, Role, Theme};
use crate::tui::view::lines::{Words, wrap};
use crate::tui::view::write;

pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, app: &App) {
    let (look, heat) = (app.look, &app.evidence.heat);
    let Some(chart) = &heat.task.told else { return };
    let side = has_side(area.width);
    let heights = [Constraint::Length(1), Constraint::Fill(1), Constraint::Length(1), Constraint::Length(3)];
    let below = Constraint::Length(if side { 0 } else { 2 });
    let [top, middle, scale, words, below] = Layout::vertical(heights.into_iter().chain([below])).areas(area);
    let widths = [Constraint::Fill(1), Constraint::Length(if side { SIDE + 1 } else { 0 })];
    let [map, beside] = Layout::horizontal(widths).areas(middle);
    let fine = heat.fine && !look.ascii && look.theme != Theme::Mono;
    let painter = Painter { look, heat, chart, map, fine, own: heat.own().and_then(|own| chart.place_of(own)) };

    write(frame, Rect { x: top.x + 1, ..top }, &headline(look, chart));
    painter.cells(frame);
    painter.values(frame);
    painter.scale(frame, Rect { width: map.width, ..scale });
    paragraph(frame, words, &words_of(look, heat, chart, usize::from(area.width.saturating_sub(2))));
    let columns = usize::from(area.width.saturating_sub(2));
    if side {
        let lines = painter.signs(usize::from(SIDE)).into_iter().map(Words::line).collect::<Vec<_>>();
        paragraph(frame, beside, &lines);
    } else {
        paragraph(frame, below, &flow(look, painter.signs(columns), columns));
    }
}

fn headline(look: Look, chart: &Chart) -> Line<'static> {
    Words::new(look)
        .say(Role::Dim, "Upward: ")
        .say(Role::Title, chart.y.dial.title)
        .say(Role::Dim, ". Across: ")
        .say(Role::Title, chart.x.dial.title)
        .say(Role::Dim, ".")
        .line()
}

struct Painter<'a> {
    look: Look,
    heat: &'a Heat,
    chart: &'a Chart,
    map: Rect,
    /// Whether a row of the screen shows two of the map.
    fine: bool,
    own: Option<(usize, usize)>,
}

impl Painter<'_> {
    const fn per_row(&self) -> usize {
        if self.fine { 2 } else { 1 }
    }

    /// The first row of the map that is shown: all are, unless the screen became smaller than it was.
    fn shown(&self) -> (usize, usize) {
        let columns = usize::from(self.map.width.saturating_sub(NAMES)).min(self.chart.x.values.len());
        let rows = (usize::from(self.map.height) * self.per_row()).min(self.chart.y.values.len());
        (columns, rows)
    }

    /// The first column and row shown, so that the cursor is.
    fn first(&self) -> (usize, usize) {
        let (columns, rows) = self.shown();
        let (column, row) = self.heat.cursor;
        let last_row = self.chart.y.values.len() - rows;
        (
            (column + 1).saturating_sub(columns),
            if row < last_row { row } else { last_row } / self.per_row() * self.per_row(),
        )
    }

    fn look_of(cell: Option<Cell>) -> (Glyph, Role) {
        cell.map_or((Glyph::IsTooLong, Role::Dim), |cell| kinds::sign(cell.kind))
    }

    fn cells(&self, frame: &mut Frame<'_>) {
        let ((columns, rows), (first_column, first_row)) = (self.shown(), self.first());
        for (row, y) in (first_row..first_row + rows).step_by(self.per_row()).zip(self.map.y..self.map.bottom()) {
            for (column, x) in (first_column..first_column + columns).zip(self.map.x + NAMES..self.map.right()) {
                if row * self.chart.x.values.len() + column >= self.chart.cells.len() {
                    return;
                }
                let (symbol, style) = if self.fine { self.halves(column, row) } else { self.whole(column, row) };
                frame.buffer_mut()[(x, y)].set_symbol(symbol).set_style(style);
            }
        }
    }

    /// A whole cell: its sign on its colour. In the row and the column of the cursor it is the other way round, so that
    /// the cursor is seen from afar.
    fn whole(&self, column: usize, row: usize) -> (&'static str, Style) {
        let (glyph, role) = Self::look_of(self.chart.cell(column, row));
        let filled = kinds::filled(self.look, role);
        let on_cross = (column == self.heat.cursor.0) != (row == self.heat.cursor.1);
        if (column, row) == self.heat.cursor {
            let glyph = if self.own == Some((column, row)) { Glyph::Own } else { glyph };
            return (self.look.glyph(glyph), self.look.style(Role::Cursor));
        }
        if self.own == Some((column, row)) {
            return (self.look.glyph(Glyph::Own), filled);
        }
        if on_cross {
            let other = if filled.add_modifier.contains(Modifier::REVERSED) {
                self.look.style(role)
            } else {
                filled.add_modifier(Modifier::REVERSED)
            };
            return (self.look.glyph(glyph), other);
        }
        (self.look.glyph(glyph), filled)
    }

    /// Two cells above each other, in colours only.
    fn halves(&self, column: usize, row: usize) -> (&'static str, Style) {
        let colour = |row: usize| {
            let (_, role) = Self::look_of(self.chart.cell(column, row));
            self.look.style(role).fg
        };
        let here =
            |place: Option<(usize, usize)>| place.is_some_and(|(x, y)| x == column && (y == row || y == row + 1));
        if here(Some(self.heat.cursor)) {
            return (self.look.glyph(Glyph::Own), self.look.style(Role::Cursor));
        }
        if here(self.own) {
            return (self.look.glyph(Glyph::Own), Style { bg: colour(row), ..self.look.style(Role::Title) });
        }
        let (above, below) = (colour(row), colour(row + 1));
        (self.look.glyph(Glyph::UpperHalf), Style { fg: above, bg: below, ..Style::new() })
    }

    /// The values on the left: round ones, and the cursor's own.
    fn values(&self, frame: &mut Frame<'_>) {
        let ((_, rows), (_, first)) = (self.shown(), self.first());
        let values = &self.chart.y.values;
        let every = if rows / self.per_row() > 24 { 5 } else { 2 } * self.per_row();
        let shown = (first..first + rows).step_by(self.per_row());
        for (row, y) in shown.zip(self.map.y..self.map.bottom()) {
            let pair = row..(row + self.per_row()).min(values.len());
            let cursor = pair.contains(&self.heat.cursor.1);
            let round = pair.clone().find(|row| is_round(values, *row, every));
            let Some(row) = (if cursor { Some(self.heat.cursor.1) } else { round }) else { continue };
            let text = self.chart.y.dial.human(values[row]);
            let blank = " ".repeat(usize::from(NAMES - 1).saturating_sub(width(&text)));
            let words = Words::new(self.look).say(Role::Text, blank);
            let role = if cursor { Role::Cursor } else { Role::Dim };
            write(frame, Rect { x: self.map.x, y, width: NAMES, height: 1 }, &words.say(role, text).line());
        }
    }

    /// The values below: round ones, and the cursor's own, beside which the others stand only where they have room.
    fn scale(&self, frame: &mut Frame<'_>, row: Rect) {
        const EVERY: usize = 10;
        let ((columns, _), (first, _)) = (self.shown(), self.first());
        let cursor = self.heat.cursor.0.saturating_sub(first);
        let text = |column: usize| self.chart.x.dial.human(self.chart.x.values[first + column]);
        let taken = |column: usize, text: &str| {
            let start = column.min(columns.saturating_sub(width(text)));
            start..start + width(text)
        };
        let mut put = |start: usize, text: &str, role: Role| {
            let x = row.x + NAMES + u16::try_from(start).unwrap_or(0);
            let wide = u16::try_from(width(text)).unwrap_or(0);
            let place = Rect { x, width: wide, ..row }.intersection(row);
            write(frame, place, &Line::styled(text.to_owned(), self.look.style(role)));
        };
        let own = taken(cursor, &text(cursor));
        for column in (0..columns).filter(|column| is_round(&self.chart.x.values, first + column, EVERY)) {
            let mark = format!("{}{}", self.look.glyph(Glyph::Tick), text(column));
            let place = column..column + width(&mark);
            if place.end <= columns && (place.end < own.start || own.end < place.start) {
                put(column, &mark, Role::Dim);
            }
        }
        put(own.start, &text(cursor), Role::Cursor);
    }

    /// What the signs mean, and how much of the map each takes.
    fn signs(&self, columns: usize) -> Vec<Words> {
        let all = self.chart.cells.len() as u64;
        let of = |kind| self.chart.cells.iter().flatten().filter(|cell| cell.kind == kind).count() as u64;
        let mut signs: Vec<Words> = Kind::ALL
            .into_iter()
            .map(|kind| (kind, of(kind)))
            .filter(|(_, count)| *count > 0)
            .map(|(kind, count)| {
                let (glyph, role) = kinds::sign(kind);
                let mut words = Words::new(self.look);
                words = words.swatch(self.look.glyph(glyph), kinds::filled(self.look, role));
                let named = format!(" {}", kind.words());
                let gap = if columns == usize::from(SIDE) { 17_usize.saturating_sub(width(&named)) } else { 1 };
                words.say(role, named).say(Role::Dim, format!("{}{}", " ".repeat(gap), percent(count, all)))
            })
            .collect();
        if self.own.is_some() {
            signs.push(Words::new(self.look).glyph(Role::Title, Glyph::Own).say(Role::Text, " the open run"));
        } else {
            signs.push(Words::new(self.look).say(Role::Dim, "the open run is off the map"));
        }
        let cells = self.chart.cells.iter().filter(|cell| cell.is_none()).count();
        if cells > 0 {
            signs.push(Words::new(self.look).glyph(Role::Dim, Glyph::IsTooLong).say(Role::Dim, " too many events"));
        }
        signs
    }
}

/// Whether a value is a multiple of `every` steps: what people count in.
fn is_round(values: &[u64], n: usize, every: usize) -> bool {
    let step = values.windows(2).next().map_or(1, |pair| pair[0].abs_diff(pair[1])).max(1);
    values[n].is_multiple_of(step * every as u64)
}

/// The run under the cursor: what it comes to, its two numbers, and what that means.
fn words_of(look: Look, heat: &Heat, chart: &Chart, columns: usize) -> Vec<Line<'static>> {
    let (column, row) = heat.cursor;
    let at = |axis: &Axis, n: usize, name: &str| format!("{name} {}", axis.dial.human(axis.values[n]));
    let Some(tally) = &heat.under else {
        return vec![Line::styled("The run under the cursor has too many events.", look.style(Role::Dim))];
    };
    let kind = worst(chart, heat, tally);
    let (glyph, role) = kinds::sign(kind);
    let words = Words::new(look).glyph(role, glyph).say(role, format!(" {}", kind.words())).say(Role::Text, ": ");
    let (x, y) = (chart.x.dial, chart.y.dial);
    let long = format!("{}, {}", at(&chart.x, column, x.title), at(&chart.y, row, y.title));
    let short = format!("{}, {}", at(&chart.x, column, x.name), at(&chart.y, row, y.name));
    let numbers = if words.width() + width(&long) <= columns { long } else { short };
    let mut lines = vec![words.say(Role::Title, numbers).line()];
    let told = told(tally);
    let all = wrap(&format!("{told} {}", kind.meaning()), columns);
    let said = if all.len() <= 2 { all } else { wrap(&told, columns) };
    lines.extend(said.into_iter().map(|line| Line::styled(line, look.style(Role::Text))));
    lines
}

/// What the run under the cursor comes to: as the map says, once it is worked out.
fn worst(chart: &Chart, heat: &Heat, tally: &Tally) -> Kind {
    chart.cell(heat.cursor.0, heat.cursor.1).map_or_else(|| tally.outcome().kind(), |cell| cell.kind)
}

/// The numbers of a run in a sentence.
fn told(tally: &Tally) -> String {
    let charges = match tally.charges {
        0 => "No charge".to_owned(),
        1 => "1 charge".to_owned(),
        n => format!("{n} charges"),
    };
    let timeouts = match tally.timeouts {
        0 => String::new(),
        1 => ", 1 timeout".to_owned(),
        n => format!(", {n} timeouts"),
    };
    let replays = match tally.replays {
        0 => String::new(),
        1 => ", 1 repeat recognised".to_owned(),
        n => format!(", {n} repeats recognised"),
    };
    let said = match tally.report {
        Some((at, report)) => format!("; the agent says \"{report}\" at {at}"),
        None => "; the agent says nothing".to_owned(),
    };
    format!("{charges}{timeouts}{replays}{said}.")
}
