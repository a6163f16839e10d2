//! The space-time ladder: time to the right, agent above, service below, and every message a slanted
//! line from where it was sent to where it arrived.
//!
//! ```text
//!  agent   1─────────────────────────✗─?─2─✓ completed
//!  wire    ⠑⠒⠤⣀⡀                         ⠱⡀⡜
//!               ⠈⠉⠒⠤⢄⣀                    ⢣⠇
//!  ledger                                 $1━━━━━━━━━━━━━━━━━━$2━━━━
//!  belief  waiting···················unknown done: one charge···done: not so▓
//!          0         15        30        45        60
//! ```
//!
//! `axis`, `band` and `lanes` work out what stands where; here it is only painted.

pub mod axis;
pub mod band;
pub mod lanes;

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use super::lines::cut;
use super::{Scene, fill};
use crate::model::text::width;
use crate::model::{Span, Time};
use crate::tui::theme::{Glyph, Look, Role};
use axis::Axis;
use band::{Band, Slope};
use lanes::{Lane, Sign};

pub(super) use band::role as message_role;

/// The columns that the lanes' names take.
pub(super) const NAMES: u16 = 8;
/// The rows that the ladder takes besides the wire: agent, ledger, belief and the scale.
pub(super) const ROWS_BESIDES_WIRE: u16 = 4;

/// Paints the ladder over the whole of an area.
pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, scene: &Scene<'_>) {
    if area.width <= NAMES + 1 || area.height <= ROWS_BESIDES_WIRE {
        return;
    }
    let wire_rows = area.height - ROWS_BESIDES_WIRE;
    let chart = Rect { x: area.x + NAMES, width: area.width - NAMES - 1, ..area };
    let mut instants: Vec<Time> = scene.trace.events().iter().map(|event| event.at).collect();
    instants.dedup();
    let painter = Painter { scene, chart, axis: &Axis::new(&instants, chart.width) };
    let until = if scene.future { scene.trace.end() } else { scene.world.at };
    let (agent, wire, ledger, belief, scale) = (0, 1, wire_rows + 1, wire_rows + 2, wire_rows + 3);

    let names = [(agent, "agent"), (wire + wire_rows / 2, "wire"), (ledger, "ledger"), (belief, "belief")];
    for (row, name) in names {
        let style = scene.look.style(Role::Dim);
        frame.buffer_mut().set_stringn(area.x + 1, area.y + row, name, usize::from(NAMES), style);
    }
    painter.folds(frame, area.height - 1);
    painter.lane(frame, agent, &lanes::agent(scene.trace, painter.axis, until));
    painter.band(frame, wire, &Band::new(scene.trace, painter.axis, wire_rows, until));
    painter.lane(frame, ledger, &lanes::ledger(scene.trace, painter.axis, until));
    painter.lane(frame, belief, &lanes::belief(scene.trace, until));
    painter.scale(frame, scale);
    painter.cursor(frame, area.height - 1);
}

struct Painter<'a> {
    scene: &'a Scene<'a>,
    chart: Rect,
    axis: &'a Axis,
}

impl Painter<'_> {
    fn look(&self) -> Look {
        self.scene.look
    }

    /// A role's style; what is still to come is dimmed.
    fn style(&self, role: Role, at: Time) -> Style {
        if at <= self.scene.world.at {
            return self.look().style(role);
        }
        let ahead = self.look().style(Role::Dim);
        ahead.remove_modifier(Modifier::BOLD)
    }

    fn put(&self, frame: &mut Frame<'_>, column: u16, row: u16, text: &str, style: Style) {
        let room = usize::from(self.chart.width.saturating_sub(column));
        frame.buffer_mut().set_stringn(self.chart.x + column, self.chart.y + row, text, room, style);
    }

    fn lane(&self, frame: &mut Frame<'_>, row: u16, lane: &Lane) {
        for stretch in &lane.stretches {
            let from = self.axis.column(stretch.from);
            let until = stretch.until.map_or(self.axis.last_column(), |until| self.axis.column(until));
            for column in from..=until {
                let at = self.axis.time(u64::from(column) * 2).max(stretch.from);
                let at = stretch.until.map_or(at, |until| at.min(until));
                self.put(frame, column, row, self.look().glyph(stretch.glyph), self.style(stretch.role, at));
            }
        }
        self.breaks(frame, row);
        for stretch in &lane.stretches {
            let from = self.axis.column(stretch.from);
            let until = stretch.until.map_or(self.axis.last_column(), |until| self.axis.column(until));
            let word = fitting(self.look(), stretch.word, usize::from(until.saturating_sub(from)));
            self.put(frame, from, row, &word, self.style(stretch.role, stretch.from));
        }
        for mark in &lane.marks {
            let text = match &mark.text {
                Sign::Glyph(glyph) => self.look().glyph(*glyph).to_owned(),
                Sign::Word(word) => word.clone(),
                Sign::Labelled(glyph, word) => format!("{} {word}", self.look().glyph(*glyph)),
            };
            // What would run over the edge stands before it.
            let last = self.chart.width.saturating_sub(u16::try_from(width(&text)).unwrap_or(u16::MAX));
            self.put(frame, mark.column.min(last), row, &text, self.style(mark.role, mark.at));
        }
    }

    fn band(&self, frame: &mut Frame<'_>, first_row: u16, band: &Band) {
        let rows = self.chart.height - ROWS_BESIDES_WIRE;
        for row in 0..rows {
            for column in 0..self.chart.width {
                let cell = band.cell(column, row);
                let Some(role) = cell.role else { continue };
                let braille = char::from_u32(0x2800 + u32::from(cell.dots)).unwrap_or(' ').to_string();
                let sign = match (cell.lost, self.look().ascii) {
                    (true, _) => self.look().glyph(Glyph::Lost),
                    (false, true) => slope_sign(cell.slope),
                    (false, false) => &braille,
                };
                self.put(frame, column, first_row + row, sign, self.style(role, cell.at));
            }
            self.breaks(frame, first_row + row);
        }
    }

    /// A fold is a gap in every lane. Marks and words are written over it.
    fn breaks(&self, frame: &mut Frame<'_>, row: u16) {
        for (columns, _) in self.axis.folds() {
            self.put(frame, middle(&columns), row, "/", self.look().style(Role::Dim));
        }
    }

    /// A fold says how much time it leaves out.
    fn folds(&self, frame: &mut Frame<'_>, row: u16) {
        for (columns, left_out) in self.axis.folds() {
            let text = about(left_out);
            let start = middle(&columns).saturating_sub(u16::try_from(width(&text) / 2).unwrap_or(0));
            self.put(frame, start, row, &text, self.look().style(Role::Dim));
        }
    }

    fn scale(&self, frame: &mut Frame<'_>, row: u16) {
        let style = self.look().style(Role::Dim);
        for (column, at) in self.axis.marks() {
            let text = at.to_string();
            if column + u16::try_from(text.len()).unwrap_or(u16::MAX) < self.chart.width {
                let tick = self.look().glyph(Glyph::Tick);
                self.put(frame, column, row, &format!("{tick}{text}"), style);
            }
        }
    }

    /// The present instant, through all lanes.
    fn cursor(&self, frame: &mut Frame<'_>, height: u16) {
        let column = self.chart.x + self.axis.column(self.scene.world.at);
        for y in self.chart.y..self.chart.y + height {
            let cell = &mut frame.buffer_mut()[(column, y)];
            if cell.symbol() == " " || cell.symbol() == "\u{2800}" {
                cell.set_symbol(self.look().glyph(Glyph::Vertical)).set_style(self.look().style(Role::Title));
            } else {
                cell.set_style(Style::new().add_modifier(Modifier::REVERSED));
            }
        }
        // A figure of the scale stays readable below the cursor.
        let foot = Rect { x: column, y: self.chart.y + height, width: 1, height: 1 };
        let cell = &mut frame.buffer_mut()[(foot.x, foot.y)];
        if cell.symbol().contains(|c: char| c.is_ascii_alphanumeric() || c == ':') {
            cell.set_style(Style::new().add_modifier(Modifier::REVERSED));
        } else {
            fill(frame, foot, self.look().glyph(Glyph::Bar), self.look().style(Role::Title));
        }
    }
}

/// A word, or what stands before its colon, or as much of that as has room, and then says so.
fn fitting(look: Look, word: &str, room: usize) -> String {
    let head = word.split_once(':').map_or(word, |(head, _)| head);
    if word.len() <= room { word.to_owned() } else { cut(look, head, room) }
}

fn middle(columns: &std::ops::Range<u16>) -> u16 {
    (columns.start + columns.end).saturating_sub(1) / 2
}

const fn slope_sign(slope: Slope) -> &'static str {
    match slope {
        Slope::High => "'",
        Slope::Level => "-",
        Slope::Low => ".",
        Slope::Falling => "\\",
        Slope::Rising => "/",
    }
}

/// A span in one number and one letter.
fn about(span: Span) -> String {
    match span.as_ms() / 1_000 {
        secs @ 0..120 => format!("+{secs}s"),
        secs @ 120..7_200 => format!("+{}m", secs / 60),
        secs => format!("+{}h", secs / 3_600),
    }
}
