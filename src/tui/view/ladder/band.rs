//! The wire of the ladder: which dot of which cell each message passes through, and when.

use super::axis::Axis;
use crate::model::Time;
use crate::trace::{Message, Payload, Trace};
use crate::tui::theme::Role;

/// The wire as cells of Braille dots, agent above and service below.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Band {
    columns: u16,
    rows: u16,
    cells: Vec<Cell>,
}

/// What stands in a cell of the wire. Of messages that cross in one cell, the later one gives the colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    /// The Braille dots, as in U+2800.
    pub dots: u8,
    /// The line's slope, for those who cannot see Braille; falling lines go to the service.
    pub slope: Slope,
    /// What passes here.
    pub role: Option<Role>,
    /// When it passes here first.
    pub at: Time,
    /// Whether a message ends here, lost.
    pub lost: bool,
}

/// How a line runs through a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Slope {
    /// Along the upper edge.
    #[default]
    High,
    /// Along the middle.
    Level,
    /// Along the lower edge.
    Low,
    /// Down to the right.
    Falling,
    /// Up to the right.
    Rising,
}

/// What a message is drawn as: late ones stand out whatever they carry.
#[must_use]
pub fn role(trace: &Trace, message: &Message) -> Role {
    let on_time = trace.scenario().network.latency;
    match message.payload {
        _ if message.arrives_at().is_none() => Role::Lost,
        Payload::Request { copy_of: None, .. } | Payload::Response { .. }
            if message.arrives_at().is_some_and(|at| at - message.sent_at > on_time) =>
        {
            Role::Late
        }
        Payload::Request { .. } if message.agent.index() > 0 => Role::Other,
        Payload::Request { .. } => Role::Request,
        Payload::Response { .. } => Role::Response,
        Payload::Lookup { .. } | Payload::Finding { .. } | Payload::LookupFailed { .. } => Role::Lookup,
    }
}

impl Band {
    /// The wire of a run, `rows` high, as far as it is known at `until`.
    #[must_use]
    pub fn new(trace: &Trace, axis: &Axis, rows: u16, until: Time) -> Self {
        let columns = axis.columns();
        let mut band = Self { columns, rows, cells: vec![Cell::default(); usize::from(columns) * usize::from(rows)] };
        for message in trace.messages().iter().filter(|message| message.sent_at <= until) {
            let line = Line::of(message, trace, axis, rows);
            // A copy is a doubled line.
            let copy = matches!(message.payload, Payload::Request { copy_of: Some(_), .. });
            for aside in if copy { 0..2 } else { 0..1 } {
                line.draw(axis, until, |dot| band.set(&line, Dot { x: dot.x + aside * 3, ..dot }));
            }
            if message.arrives_at().is_none() {
                band.mark_lost(&line, axis, until);
            }
        }
        band
    }

    /// How many rows it is high.
    #[must_use]
    pub const fn rows(&self) -> u16 {
        self.rows
    }

    /// The cell of a column and a row, counted from 0.
    #[must_use]
    pub fn cell(&self, column: u16, row: u16) -> Cell {
        self.index(column, row).map_or_else(Cell::default, |n| self.cells[n])
    }

    fn index(&self, column: u16, row: u16) -> Option<usize> {
        (column < self.columns && row < self.rows)
            .then(|| usize::from(row) * usize::from(self.columns) + usize::from(column))
    }

    fn set(&mut self, line: &Line, dot: Dot) {
        let (column, row) = (u16::try_from(dot.x / 2), u16::try_from(dot.y / 4));
        let (Ok(column), Ok(row)) = (column, row) else { return };
        let Some(n) = self.index(column, row) else { return };
        let cell = &mut self.cells[n];
        let fresh = cell.role != Some(line.role);
        cell.dots |= BRAILLE[usize::from(dot.x % 2 == 1)][usize::try_from(dot.y % 4).unwrap_or(0)];
        cell.role = Some(line.role);
        cell.at = if cell.dots.is_power_of_two() { dot.at } else { cell.at.min(dot.at) };
        if fresh {
            cell.slope = line.slope(dot.y % 4);
        }
    }

    fn mark_lost(&mut self, line: &Line, axis: &Axis, until: Time) {
        let at = line.end;
        let row = u16::try_from(line.y(at) / 4).unwrap_or(u16::MAX);
        if at <= until
            && let Some(n) = self.index(axis.column(at), row)
        {
            self.cells[n].lost = true;
            self.cells[n].role = Some(Role::Lost);
            self.cells[n].at = at;
        }
    }
}

/// The bits of Braille dots, by column and row.
const BRAILLE: [[u8; 4]; 2] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]];

/// A dot of the band, and when the message is there.
#[derive(Clone, Copy)]
struct Dot {
    x: u64,
    y: u64,
    at: Time,
}

/// The way of one message across the band.
struct Line {
    start: Time,
    /// Where the line ends: at its arrival, or half way where it is lost.
    end: Time,
    /// When it would be across.
    across: Time,
    outbound: bool,
    last_dot: u64,
    steep: bool,
    role: Role,
}

impl Line {
    fn of(message: &Message, trace: &Trace, axis: &Axis, rows: u16) -> Self {
        let start = message.sent_at;
        let latency = trace.scenario().network.latency;
        let across = message.arrives_at().unwrap_or(start + latency);
        let end = if message.arrives_at().is_some() { across } else { start + half(latency) };
        let last_dot = (u64::from(rows) * 4).saturating_sub(1);
        let wide = axis.dot(across) - axis.dot(start);
        Self {
            start,
            end,
            across,
            outbound: message.is_outbound(),
            last_dot,
            steep: wide < last_dot,
            role: role(trace, message),
        }
    }

    /// The dot row at an instant: 0 at the agent.
    fn y(&self, at: Time) -> u64 {
        let (gone, whole) = (at.since(self.start).as_ms(), self.across.since(self.start).as_ms());
        let down = (gone * self.last_dot).checked_div(whole).unwrap_or(self.last_dot).min(self.last_dot);
        if self.outbound { down } else { self.last_dot - down }
    }

    /// Goes along the line dot by dot: down its height where it is steep, else across its width, so that
    /// it has no holes and is one dot thick.
    fn draw(&self, axis: &Axis, until: Time, mut dot: impl FnMut(Dot)) {
        let end = self.end.min(until);
        if !self.steep {
            for x in axis.dot(self.start)..=axis.dot(end) {
                let at = axis.time(x).max(self.start).min(end);
                dot(Dot { x, y: self.y(at), at });
            }
            return dot(Dot { x: axis.dot(end), y: self.y(end), at: end });
        }
        let whole = self.across.since(self.start).as_ms();
        for step in 0..=self.last_dot {
            let gone = (whole * step).checked_div(self.last_dot).unwrap_or(0);
            let at = self.start + crate::model::Span::ms(gone);
            if at <= end {
                let y = if self.outbound { step } else { self.last_dot - step };
                dot(Dot { x: axis.dot(at), y, at });
            }
        }
    }

    fn slope(&self, y_in_cell: u64) -> Slope {
        match (self.steep, self.outbound, y_in_cell) {
            (true, true, _) => Slope::Falling,
            (true, false, _) => Slope::Rising,
            (false, _, 0) => Slope::High,
            (false, _, 3) => Slope::Low,
            (false, ..) => Slope::Level,
        }
    }
}

fn half(span: crate::model::Span) -> crate::model::Span {
    crate::model::Span::ms(span.as_ms() / 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Fault, Scenario, Strategy};
    use crate::sim::simulate;

    fn picture(strategy: usize, fault: usize, columns: u16, rows: u16) -> String {
        let scenario = Scenario::new(Strategy::presets()[strategy].clone(), Fault::presets()[fault].clone());
        let trace = simulate(&scenario).unwrap();
        let instants: Vec<Time> = trace.events().iter().map(|event| event.at).collect();
        let axis = Axis::new(&instants, columns);
        let band = Band::new(&trace, &axis, rows, trace.end());
        let line = |row| -> String {
            let sign = |column| match band.cell(column, row) {
                Cell { lost: true, .. } => 'x',
                cell => char::from_u32(0x2800 + u32::from(cell.dots)).unwrap(),
            };
            (0..columns).map(sign).collect::<String>().trim_end_matches('\u{2800}').to_owned()
        };
        (0..rows).map(line).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn a_late_request_crawls_while_the_next_goes_down_and_up() {
        insta::assert_snapshot!(picture(1, 2, 66, 4));
    }

    #[test]
    fn a_lost_answer_ends_half_way() {
        insta::assert_snapshot!(picture(0, 1, 66, 4));
    }

    #[test]
    fn every_line_touches_both_shores_in_any_size() {
        for (columns, rows) in [(1, 1), (7, 1), (30, 2), (190, 30)] {
            for scenario in Scenario::presets() {
                let trace = simulate(&scenario).unwrap();
                let axis = Axis::new(&[Time::ZERO, trace.end()], columns);
                for message in trace.messages().iter().filter(|message| message.arrives_at().is_some()) {
                    let line = Line::of(message, &trace, &axis, rows);
                    let mut rows_seen = Vec::new();
                    line.draw(&axis, trace.end(), |dot| rows_seen.push(dot.y));
                    assert!(rows_seen.contains(&0) && rows_seen.contains(&line.last_dot));
                }
            }
        }
    }
}
