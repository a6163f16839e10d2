//! The sheet that maps what the open run comes to over two of its numbers.

use ratatui::layout::Size;

use super::work::{Task, Telling};
use crate::model::{Scenario, Text};
use crate::search::map::{Axis, Cell, DIALS, Dial, Map};
use crate::sim::Simulator;
use crate::trace::Tally;

/// How many cells are worked out between two looks at the flag.
const PIECE: usize = 256;

/// The most cells of a map, either way.
const CELLS_MAX: (usize, usize) = (160, 120);

/// The columns and rows that a map's cells have on a screen of that size; the rest is names, words and signs. What is
/// painted and what is worked out agree by this.
#[must_use]
pub fn room(size: Size) -> (usize, usize) {
    let beside = NAMES + if has_side(size.width) { SIDE + 2 } else { 1 };
    let columns = usize::from(size.width.saturating_sub(beside)).clamp(4, CELLS_MAX.0);
    let rows = usize::from(size.height.saturating_sub(rows_besides(size.width))).clamp(3, CELLS_MAX.1);
    (columns, rows)
}

/// The columns of the values on the left.
pub const NAMES: u16 = 9;
/// The columns of the signs on the right, where they have room there.
pub const SIDE: u16 = 26;

/// Whether the signs stand on the right, and not below.
#[must_use]
pub const fn has_side(width: u16) -> bool {
    width >= 100
}

/// The rows that are not the map's: bar, tabs, headline, scale, its figures, words, signs, keys.
#[must_use]
pub const fn rows_besides(width: u16) -> u16 {
    if has_side(width) { 8 } else { 10 }
}

/// A map as far as it is worked out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chart {
    /// Along the width, the smallest value first.
    pub x: Axis,
    /// Along the height, the largest value first.
    pub y: Axis,
    /// Row by row; none where a run is too long. Shorter than the map while it is under way.
    pub cells: Vec<Option<Cell>>,
    /// What the map is of.
    base: Scenario,
}

impl Chart {
    /// A cell, if it is worked out.
    #[must_use]
    pub fn cell(&self, column: usize, row: usize) -> Option<Cell> {
        self.cells.get(row * self.x.values.len() + column).copied().flatten()
    }

    /// How many cells are worked out, and of how many.
    #[must_use]
    pub fn progress(&self) -> (usize, usize) {
        (self.cells.len(), self.x.values.len() * self.y.values.len())
    }

    /// The run of a cell.
    #[must_use]
    pub fn scenario(&self, column: usize, row: usize) -> Scenario {
        let mut scenario = self.base.clone();
        self.y.dial.set(&mut scenario, self.y.values[row]);
        self.x.dial.set(&mut scenario, self.x.values[column]);
        scenario.expect = None;
        scenario.about = None;
        let at = |axis: &Axis, n: usize| format!("{} {}", axis.dial.title, axis.dial.human(axis.values[n]));
        scenario.name = Text::new(&format!("{}, {}", at(&self.x, column), at(&self.y, row)));
        scenario
    }

    /// The cell nearest to the numbers of a scenario; none where one of them is off the scale.
    #[must_use]
    pub fn place_of(&self, scenario: &Scenario) -> Option<(usize, usize)> {
        Some((nearest(&self.x, self.x.dial.get(scenario))?, nearest(&self.y, self.y.dial.get(scenario))?))
    }
}

/// The place on an axis that is nearest to a value; none where that is more than half a step beyond its ends.
fn nearest(axis: &Axis, value: u64) -> Option<usize> {
    let step = axis.values.windows(2).map(|pair| pair[0].abs_diff(pair[1])).max().unwrap_or(1);
    let (n, off) = axis.values.iter().map(|at| at.abs_diff(value)).enumerate().min_by_key(|(_, off)| *off)?;
    (off <= step).then_some(n)
}

/// The state of the sheet.
#[derive(Debug)]
pub struct Heat {
    /// The number along the width, and the one along the height, as places in [`DIALS`].
    pub dials: (usize, usize),
    /// Whether cells are half as high, where the terminal has colours and more than ASCII.
    pub fine: bool,
    /// The map, as far as it is worked out.
    pub task: Task<Chart>,
    /// The cell under the cursor.
    pub cursor: (usize, usize),
    /// What the run under the cursor comes to.
    pub under: Option<Tally>,
    asked: Option<Asked>,
}

/// What a map was asked for with.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Asked {
    scenario: Scenario,
    dials: (usize, usize),
    cells: (usize, usize),
}

impl Default for Heat {
    fn default() -> Self {
        Self { dials: (0, 1), fine: false, task: Task::default(), cursor: (0, 0), under: None, asked: None }
    }
}

impl Heat {
    /// The map of a scenario, so many cells wide and high.
    pub fn open(&mut self, scenario: &Scenario, (columns, rows): (usize, usize), coloured: bool) {
        let rows = if self.fine && coloured { (rows * 2).min(CELLS_MAX.1) } else { rows };
        let asked = Asked { scenario: scenario.clone(), dials: self.dials, cells: (columns, rows) };
        let done = |chart: &Chart| chart.progress().0 == chart.progress().1;
        if self.asked.as_ref() == Some(&asked) && (!self.task.is_idle() || self.task.told.as_ref().is_some_and(done)) {
            return;
        }
        // A map of other runs is not this one's; one at another size gives way when the new one is there.
        let same = self.asked.as_ref().is_some_and(|known| Asked { cells: asked.cells, ..known.clone() } == asked);
        let (x, y) = axes(&asked);
        let kept = self.task.told.take().filter(|_| same);
        let values = kept.map(|chart| (chart.x.values[self.cursor.0], chart.y.values[self.cursor.1]));
        let empty = Chart { x, y, cells: Vec::new(), base: scenario.clone() };
        let own = empty.place_of(scenario);
        let kept = values.and_then(|(x, y)| Some((nearest(&empty.x, x)?, nearest(&empty.y, y)?)));
        self.cursor = kept.or(own).unwrap_or((0, empty.y.values.len() - 1));
        self.asked = Some(asked);
        self.task.start(Some(empty.clone()), move |telling| work_out(empty, telling));
        self.read();
    }

    /// The scenario that the map is of.
    #[must_use]
    pub fn own(&self) -> Option<&Scenario> {
        self.asked.as_ref().map(|asked| &asked.scenario)
    }

    /// Moves the cursor by so many cells.
    pub fn step(&mut self, right: isize, down: isize) {
        let Some(chart) = &self.task.told else { return };
        let (columns, rows) = (chart.x.values.len(), chart.y.values.len());
        let (column, row) = self.cursor;
        self.cursor =
            (column.saturating_add_signed(right).min(columns - 1), row.saturating_add_signed(down).min(rows - 1));
        self.read();
    }

    /// Puts the cursor on the open run's own numbers.
    pub fn home(&mut self) {
        let (Some(chart), Some(own)) = (&self.task.told, self.own()) else { return };
        self.cursor = chart.place_of(own).unwrap_or(self.cursor);
        self.read();
    }

    /// Works out what the run under the cursor comes to.
    fn read(&mut self) {
        let chart = self.task.told.as_ref();
        self.under =
            chart.and_then(|chart| Simulator::default().count(&chart.scenario(self.cursor.0, self.cursor.1)).ok());
    }

    /// The run under the cursor: the open run itself where its numbers are the very ones.
    #[must_use]
    pub fn chosen(&self) -> Option<Scenario> {
        let (chart, own) = (self.task.told.as_ref()?, self.own()?);
        let (x, y) = (&chart.x, &chart.y);
        let is_own = (x.dial.get(own), y.dial.get(own)) == (x.values[self.cursor.0], y.values[self.cursor.1]);
        Some(if is_own { own.clone() } else { chart.scenario(self.cursor.0, self.cursor.1) })
    }

    /// Another number across, one that this run has and that is not the other axis's.
    pub fn turn_across(&mut self, forward: bool) {
        self.dials.0 = self.turned(self.dials.0, self.dials.1, forward);
    }

    /// Another number upward.
    pub fn turn_upward(&mut self, forward: bool) {
        self.dials.1 = self.turned(self.dials.1, self.dials.0, forward);
    }

    fn turned(&self, from: usize, other: usize, forward: bool) -> usize {
        let step = if forward { 1 } else { DIALS.len() - 1 };
        let turns = std::iter::successors(Some(from), |n| Some((n + step) % DIALS.len())).skip(1);
        let mut turns = turns.take(DIALS.len());
        turns.find(|n| *n != other && self.own().is_none_or(|own| matters(&DIALS[*n], own))).unwrap_or(from)
    }
}

/// Whether turning a dial changes a scenario at all.
fn matters(dial: &Dial, scenario: &Scenario) -> bool {
    let turned = |to: u64| {
        let mut scenario = scenario.clone();
        dial.set(&mut scenario, to);
        scenario
    };
    turned(dial.range.0) != turned(dial.range.0 + 1)
}

fn axes(asked: &Asked) -> (Axis, Axis) {
    let axis = |n: usize, cells: usize| {
        let dial = DIALS[n];
        Axis { dial, values: values(&dial, dial.get(&asked.scenario), cells) }
    };
    let (x, mut y) = (axis(asked.dials.0, asked.cells.0), axis(asked.dials.1, asked.cells.1));
    y.values.reverse();
    (x, y)
}

/// Round values, evenly spaced from the least on, that reach the scenario's own and something beyond.
#[must_use]
pub fn values(dial: &Dial, own: u64, cells: usize) -> Vec<u64> {
    /// Steps in milliseconds that people count in.
    const STEPS: [u64; 16] = [
        250, 500, 1_000, 2_000, 5_000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000, 900_000, 1_800_000,
        3_600_000, 7_200_000,
    ];
    let cells = cells.max(2) as u64;
    let usual = usual_reach(dial);
    // What is far beyond all that is usual, such as for ever, is off the scale.
    let reach = if own > usual * 100 { usual } else { usual.max(own + own / 3) };
    let needed = reach.div_ceil(cells - 1);
    let step = if dial.is_span {
        STEPS.into_iter().find(|step| *step >= needed).unwrap_or_else(|| needed.div_ceil(3_600_000) * 3_600_000)
    } else {
        needed.max(1)
    };
    let first = if dial.range.0 == 0 { 0 } else { step };
    let first = if dial.is_span { first } else { dial.range.0 };
    (0..cells).map(|n| first + n * step).take_while(|value| *value <= dial.range.1).collect()
}

/// How far a dial is turned where nothing asks for more; spans in milliseconds.
fn usual_reach(dial: &Dial) -> u64 {
    match dial.name {
        "timeout" => 120_000,
        "lateness" | "answer-lateness" | "verify-after" => 150_000,
        "latency" => 40_000,
        "horizon" => 7_200_000,
        _ if dial.is_span => 60_000,
        _ => 1,
    }
}

/// Works a map out, and tells after every few cells.
fn work_out(mut chart: Chart, telling: &Telling<Chart>) {
    let mut map = Map::new(chart.base.clone(), chart.x.clone(), chart.y.clone());
    loop {
        let more = map.advance(PIECE);
        let (done, _) = map.progress();
        let columns = chart.x.values.len();
        chart.cells.extend((chart.cells.len()..done).map(|n| map.cell(n % columns, n / columns)));
        if !telling.tell(chart.clone()) || !more {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Fault, Strategy};
    use crate::tui::maps::work::UnderWay;

    fn late() -> Scenario {
        Scenario::new(Strategy::preset("verify-then-retry").unwrap(), Fault::preset("late-commit").unwrap())
    }

    #[test]
    fn values_are_round_and_reach_the_run() {
        for dial in DIALS {
            for cells in [4, 14, 60, 120] {
                let own = dial.get(&late());
                let values = values(&dial, own, cells);
                assert!(values.windows(2).all(|pair| pair[0] < pair[1]), "{} {values:?}", dial.name);
                assert!(values.iter().all(|value| (dial.range.0..=dial.range.1).contains(value)), "{}", dial.name);
                let reaches = values.last().is_some_and(|last| *last >= own) || own > 100_000_000;
                assert!(reaches, "{} {own} {values:?}", dial.name);
            }
        }
    }

    #[test]
    fn a_number_that_the_run_does_not_have_is_passed_over() {
        let mut heat = Heat::default();
        heat.open(&late(), (10, 10), false);
        let mut seen = Vec::new();
        for _ in 0..DIALS.len() {
            heat.turn_across(true);
            seen.push(DIALS[heat.dials.0].name);
        }
        assert!(!seen.contains(&"resends") && !seen.contains(&"lateness"), "{seen:?}");
        assert!(seen.contains(&"timeout") && seen.contains(&"seed"), "{seen:?}");
    }

    #[test]
    fn a_map_is_the_same_in_whatever_pieces() {
        let asked = Asked { scenario: late(), dials: (0, 1), cells: (23, 17) };
        let (x, y) = axes(&asked);
        let whole = Map::new(late(), x.clone(), y.clone()).finish();
        for piece in [1, 7, 256] {
            let mut map = Map::new(late(), x.clone(), y.clone());
            while map.advance(piece) {}
            for row in 0..17 {
                for column in 0..23 {
                    assert_eq!(map.cell(column, row), whole.cell(column, row), "{column} {row} by {piece}");
                }
            }
        }
    }

    #[test]
    fn the_cell_under_the_cursor_is_the_run_that_opens() {
        let mut heat = Heat::default();
        heat.open(&late(), (40, 20), false);
        heat.task.finish();
        for (right, down) in [(0, 0), (3, 0), (-7, 4), (100, -100), (-1, 50)] {
            heat.step(right, down);
            let chart = heat.task.told.as_ref().unwrap();
            let cell = chart.cell(heat.cursor.0, heat.cursor.1).unwrap();
            let trace = crate::sim::simulate(&heat.chosen().unwrap()).unwrap();
            assert_eq!(trace.worst(), cell.kind);
            assert_eq!(heat.under, Some(Tally::of(&trace)));
        }
    }
}
