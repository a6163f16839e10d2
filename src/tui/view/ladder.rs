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
use ratatui::buffer::Cell;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use super::lines::cut;
use super::{Scene, fill};
use crate::model::text::width;
use crate::model::{AgentId, Span, Time};
use crate::tui::theme::{Glyph, Look, Role};
use axis::Axis;
use band::{Band, Slope};
use lanes::{Lane, Sign};

pub(super) use band::role as message_role;

/// The columns that the lanes' names take.
pub(super) const NAMES: u16 = 8;
/// The rows that the ladder takes besides the wire: agent, ledger, belief and the scale.
pub(super) const ROWS_BESIDES_WIRE: u16 = 4;

/// How a ladder is painted, where it is not the only one on the screen.
pub(super) struct Plan<'a> {
    /// Where instants stand: one axis for all ladders that stand above each other.
    pub(super) axis: &'a Axis,
    /// Which rows it has besides the wire.
    pub(super) rows: Rows,
    /// The instant at which this run parts from another one.
    pub(super) parting: Option<Time>,
}

/// Which rows a ladder has besides the wire and the ledger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rows {
    pub(super) agent: bool,
    pub(super) belief: bool,
    pub(super) scale: bool,
}

impl Rows {
    /// All of them.
    pub(super) const ALL: Self = Self { agent: true, belief: true, scale: true };

    /// How many rows they are, with the ledger's.
    pub(super) fn count(self) -> u16 {
        1 + u16::from(self.agent) + u16::from(self.belief) + u16::from(self.scale)
    }
}

/// The columns of the axis of a ladder that is so many columns wide.
pub(super) const fn columns(width: u16) -> u16 {
    width.saturating_sub(NAMES + 1)
}

/// Paints the ladder over the whole of an area.
pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, scene: &Scene<'_>) {
    let axis = Axis::over([scene.trace], columns(area.width));
    draw_planned(frame, area, scene, &Plan { axis: &axis, rows: Rows::ALL, parting: None });
}

/// Paints a ladder as planned: above each other the agent, the wire as high as there is room, the ledger,
/// the belief and the scale.
pub(super) fn draw_planned(frame: &mut Frame<'_>, area: Rect, scene: &Scene<'_>, plan: &Plan<'_>) {
    let rows = plan.rows;
    if area.width <= NAMES + 1 || area.height <= rows.count() {
        return;
    }
    let all = u16::try_from(scene.trace.agents().len()).unwrap_or(u16::MAX);
    let (agents, beliefs) = match rows {
        Rows::ALL => lanes_of(area.height, all),
        rows => (u16::from(rows.agent), u16::from(rows.belief)),
    };
    let wire_rows = area.height - agents - beliefs - 1 - u16::from(rows.scale);
    let chart = Rect { x: area.x + NAMES, width: columns(area.width), ..area };
    let painter = Painter { scene, chart, axis: plan.axis };
    let until = if scene.future { scene.trace.end() } else { scene.world.at };
    let (wire, ledger, belief) = (agents, agents + wire_rows, agents + wire_rows + 1);
    let lanes_end = belief + beliefs;

    let name = |frame: &mut Frame<'_>, row: u16, name: &str, role| {
        let style = scene.look.style(role);
        frame.buffer_mut().set_stringn(area.x + 1, area.y + row, name, usize::from(NAMES) - 1, style);
    };
    name(frame, wire + wire_rows / 2, "wire", Role::Dim);
    name(frame, ledger, "ledger", Role::Dim);
    if agents < all && rows == Rows::ALL {
        name(frame, lanes_end, &format!("+{} more", all - agents), Role::Dim);
    }
    for (agent, row) in scene.trace.agents().zip(0..agents) {
        let (word, role) = agent_name(agent, all);
        name(frame, row, &word, role);
        painter.lane(frame, row, &lanes::agent_of(scene.trace, agent, plan.axis, until));
    }
    painter.band(frame, wire, &Band::new(scene.trace, plan.axis, wire_rows, until));
    painter.lane(frame, ledger, &lanes::ledger(scene.trace, plan.axis, until));
    for (agent, row) in scene.trace.agents().zip(0..beliefs) {
        let (word, role) = belief_name(agent, beliefs);
        name(frame, belief + row, &word, role);
        painter.lane(frame, belief + row, &lanes::belief_of(scene.trace, agent, until));
    }
    if rows.scale {
        painter.folds(frame, lanes_end);
        painter.scale(frame, lanes_end, plan.parting);
    }
    painter.parting(frame, lanes_end, rows.scale, plan.parting);
    painter.cursor(frame, lanes_end, rows.scale);
}

/// Paints the scale alone, under several ladders.
pub(super) fn draw_scale(frame: &mut Frame<'_>, row: Rect, scene: &Scene<'_>, plan: &Plan<'_>) {
    if row.width <= NAMES + 1 || row.height == 0 {
        return;
    }
    let chart = Rect { x: row.x + NAMES, width: columns(row.width), ..row };
    let painter = Painter { scene, chart, axis: plan.axis };
    painter.folds(frame, 0);
    painter.scale(frame, 0, plan.parting);
    painter.parting(frame, 0, true, plan.parting);
    painter.cursor(frame, 0, true);
}

/// How many rows there are for agents and for what they believe, in so many rows with the ledger and the scale. The
/// agents come first, then some wire, then the beliefs.
fn lanes_of(height: u16, agents: u16) -> (u16, u16) {
    const WIRE_MIN: u16 = 2;
    const WIRE_GOOD: u16 = 3;
    if agents <= 1 {
        return (1, 1);
    }
    let shown = agents.min(height.saturating_sub(2 + WIRE_MIN)).max(1);
    let left = height.saturating_sub(2 + shown);
    let beliefs = if left >= WIRE_GOOD + shown { shown } else { u16::from(left > WIRE_GOOD) };
    (shown, beliefs)
}

/// How an agent's lane is called, and in which role; by its number where there are several.
fn agent_name(agent: AgentId, agents: u16) -> (String, Role) {
    match (agents, agent.index()) {
        (1, _) => ("agent".to_owned(), Role::Dim),
        (_, n) => (format!("agent{}", n + 1), if n == 0 { Role::Request } else { Role::Other }),
    }
}

/// The same for what an agent believes.
fn belief_name(agent: AgentId, beliefs: u16) -> (String, Role) {
    match (beliefs, agent.index()) {
        (1, _) => ("belief".to_owned(), Role::Dim),
        (_, 0) => ("belief".to_owned(), Role::Request),
        (_, n) => (format!("{:>6}", n + 1), Role::Other),
    }
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
                // What holds for ever does so from the end of the run on, however much of the axis is left.
                let at = at.min(stretch.until.unwrap_or_else(|| self.scene.trace.end().max(stretch.from)));
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
        for row in 0..band.rows() {
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

    /// Round instants, but for those that would stand where the parting is written.
    fn scale(&self, frame: &mut Frame<'_>, row: u16, parting: Option<Time>) {
        const APART_MIN: u16 = 7;
        let style = self.look().style(Role::Dim);
        let parting = self.shown(parting).map(|at| self.axis.column(at));
        let is_free = |column: u16| parting.is_none_or(|parting| parting.abs_diff(column) >= APART_MIN);
        for (column, at) in self.axis.marks().into_iter().filter(|(column, _)| is_free(*column)) {
            let text = at.to_string();
            if column + u16::try_from(text.len()).unwrap_or(u16::MAX) < self.chart.width {
                let tick = self.look().glyph(Glyph::Tick);
                self.put(frame, column, row, &format!("{tick}{text}"), style);
            }
        }
    }

    /// An instant, unless it is still to come and that is hidden.
    fn shown(&self, at: Option<Time>) -> Option<Time> {
        at.filter(|at| self.scene.future || *at <= self.scene.world.at)
    }

    /// The instant at which runs part: a broken line where nothing else stands, and on the scale, where there is one, the
    /// instant itself.
    fn parting(&self, frame: &mut Frame<'_>, height: u16, scale: bool, at: Option<Time>) {
        let Some(at) = self.shown(at) else { return };
        let style = self.look().style(Role::Parting).remove_modifier(Modifier::DIM);
        let column = self.chart.x + self.axis.column(at);
        for y in self.chart.y..self.chart.y + height {
            let cell = &mut frame.buffer_mut()[(column, y)];
            if is_empty(cell) {
                cell.set_symbol(self.look().glyph(Glyph::Parting));
            }
            cell.set_style(style);
        }
        if scale {
            let text = format!("{}{at}", self.look().glyph(Glyph::PartingFoot));
            let last = self.chart.width.saturating_sub(u16::try_from(width(&text)).unwrap_or(u16::MAX));
            self.put(frame, self.axis.column(at).min(last), height, &text, style);
        }
    }

    /// The present instant, through all lanes, and on the scale where there is one.
    fn cursor(&self, frame: &mut Frame<'_>, height: u16, scale: bool) {
        let column = self.chart.x + self.axis.column(self.scene.world.at);
        for y in self.chart.y..self.chart.y + height {
            let cell = &mut frame.buffer_mut()[(column, y)];
            if is_empty(cell) {
                cell.set_symbol(self.look().glyph(Glyph::Vertical)).set_style(self.look().style(Role::Title));
            } else {
                cell.set_style(Style::new().add_modifier(Modifier::REVERSED));
            }
        }
        if !scale {
            return;
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

fn is_empty(cell: &Cell) -> bool {
    cell.symbol() == " " || cell.symbol() == "\u{2800}"
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
