//! The runs that one can choose from.

use crate::model::{Fault, Scenario, Strategy};
use crate::sim::{Simulator, TooManyEvents};
use crate::trace::Tally;

/// A cell of the grid, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Which strategy.
    pub strategy: usize,
    /// Which fault.
    pub fault: usize,
}

/// The runs that one can choose from: strategies by faults, all else as in one scenario.
#[derive(Debug)]
pub struct Grid {
    base: Scenario,
    /// The presets, and the scenario's own strategy where it is none of them.
    pub strategies: Vec<Strategy>,
    /// The presets, and the scenario's own fault where it is none of them.
    pub faults: Vec<Fault>,
    tallies: Vec<Result<Tally, TooManyEvents>>,
}

impl Grid {
    /// The presets with all else as in `base`, and the cell of `base` itself.
    #[must_use]
    pub fn new(base: Scenario) -> (Self, Cell) {
        let mut strategies = Strategy::presets().to_vec();
        let mut faults = Fault::presets().to_vec();
        let chosen = Cell { strategy: place(&mut strategies, &base.strategy), fault: place(&mut faults, &base.fault) };
        let mut grid = Self { base, strategies, faults, tallies: Vec::new() };
        let mut simulator = Simulator::default();
        grid.tallies = grid.cells().map(|cell| simulator.count(&grid.scenario(cell))).collect();
        (grid, chosen)
    }

    /// Every cell: each fault in turn, and under it each strategy.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let (strategies, faults) = (self.strategies.len(), self.faults.len());
        (0..faults).flat_map(move |fault| (0..strategies).map(move |strategy| Cell { strategy, fault }))
    }

    /// What the run of a cell comes to.
    ///
    /// # Errors
    ///
    /// Where it has too many events.
    pub fn tally(&self, cell: Cell) -> Result<Tally, TooManyEvents> {
        self.tallies[self.index(cell)]
    }

    /// The number of a cell among all.
    #[must_use]
    pub const fn index(&self, cell: Cell) -> usize {
        cell.fault * self.strategies.len() + cell.strategy
    }

    /// The scenario of a cell.
    #[must_use]
    pub fn scenario(&self, cell: Cell) -> Scenario {
        Scenario {
            strategy: self.strategies[cell.strategy].clone(),
            fault: self.faults[cell.fault].clone(),
            ..self.base.clone()
        }
    }
}

/// Where `own` stands in `presets`, at their end if it is none of them.
fn place<T: Clone + PartialEq>(presets: &mut Vec<T>, own: &T) -> usize {
    presets.iter().position(|preset| preset == own).unwrap_or_else(|| {
        presets.push(own.clone());
        presets.len() - 1
    })
}
