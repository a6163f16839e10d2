//! The runs that one can choose from.

use crate::model::by_name::Preset;
use crate::model::cast::Cast;
use crate::model::{Contract, Fault, Scenario, Strategy};
use crate::sim::{Simulator, TooManyEvents};
use crate::trace::{Kind, Tally};

/// A cell of the grid, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Which strategy.
    pub strategy: usize,
    /// Which fault.
    pub fault: usize,
}

/// Which strategies and faults the grid is made of, besides those of the scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sets {
    /// The strategies.
    pub strategies: Vec<Strategy>,
    /// The faults.
    pub faults: Vec<Fault>,
    /// Whether all strategies that have a name are added.
    pub every_strategy: bool,
    /// Whether all faults that have a name are added.
    pub every_fault: bool,
}

impl Default for Sets {
    /// Four by four.
    fn default() -> Self {
        let (strategies, faults) = (Strategy::presets().to_vec(), Fault::presets().to_vec());
        Self { strategies, faults, every_strategy: false, every_fault: false }
    }
}

/// The runs that one can choose from: strategies by faults, all else as in one scenario.
#[derive(Debug)]
pub struct Grid {
    base: Scenario,
    sets: Sets,
    /// The scenario that it was made around, whatever is looked at since: its strategy and its fault stay in the grid,
    /// and one can go back to its contract.
    own: Scenario,
    /// Those of the sets, and the scenario's own strategy where it is none of them.
    pub strategies: Vec<Strategy>,
    /// Those of the sets, and the scenario's own fault where it is none of them.
    pub faults: Vec<Fault>,
    tallies: Vec<Result<(Tally, Kind), TooManyEvents>>,
}

impl Grid {
    /// The presets with all else as in `own`, and the cell of `own` itself.
    #[must_use]
    pub fn new(own: Scenario) -> (Self, Cell) {
        Self::of(own.clone(), Sets::default(), own)
    }

    /// Those sets, and what else `own` brings, with all else as in `base`; and the cell of `base` itself.
    fn of(base: Scenario, sets: Sets, own: Scenario) -> (Self, Cell) {
        let (mut strategies, mut faults) = (sets.strategies.clone(), sets.faults.clone());
        if sets.every_strategy {
            add(&mut strategies, Strategy::named_presets());
        }
        if sets.every_fault {
            add(&mut faults, Fault::named_presets());
        }
        place(&mut strategies, &own.strategy);
        place(&mut faults, &own.fault);
        let chosen = Cell { strategy: place(&mut strategies, &base.strategy), fault: place(&mut faults, &base.fault) };
        let mut grid = Self { base, sets, own, strategies, faults, tallies: Vec::new() };
        let mut simulator = Simulator::default();
        let judge = |cell| {
            let scenario = grid.scenario(cell);
            let tally = simulator.count(&scenario)?;
            Ok((tally, tally.worst(&Cast::new(&scenario))))
        };
        grid.tallies = grid.cells().map(judge).collect();
        (grid, chosen)
    }

    /// The same grid under another contract. Each cell stays where it is.
    #[must_use]
    pub fn under(&self, chosen: Cell, contract: Contract) -> (Self, Cell) {
        Self::of(Scenario { contract, ..self.scenario(chosen) }, self.sets.clone(), self.own.clone())
    }

    /// The same grid made of other sets, and where `chosen` stands in it.
    #[must_use]
    pub fn made_of(&self, chosen: Cell, sets: Sets) -> (Self, Cell) {
        Self::of(self.scenario(chosen), sets, self.own.clone())
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
        self.tallies[self.index(cell)].map(|(tally, _)| tally)
    }

    /// The worst that the run of a cell comes to for any agent.
    ///
    /// # Errors
    ///
    /// Where it has too many events.
    pub fn kind(&self, cell: Cell) -> Result<Kind, TooManyEvents> {
        self.tallies[self.index(cell)].map(|(_, kind)| kind)
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

    /// Which strategies and faults it is made of.
    #[must_use]
    pub const fn sets(&self) -> &Sets {
        &self.sets
    }

    /// The contract that all its runs are under.
    #[must_use]
    pub const fn contract(&self) -> &Contract {
        &self.base.contract
    }

    /// The scenario's own contract.
    #[must_use]
    pub const fn own_contract(&self) -> &Contract {
        &self.own.contract
    }

    /// Whether its runs are under the scenario's own contract.
    #[must_use]
    pub fn is_under_own(&self) -> bool {
        self.base.contract == self.own.contract
    }

    /// The contracts to go through: the scenario's own, then those that have a name. Charges that stood in the ledger
    /// are the world's and no promise, so they stand there under each.
    #[must_use]
    pub fn contracts(&self) -> Vec<Contract> {
        let own = &self.own.contract;
        let mut contracts = vec![own.clone()];
        let named = Contract::all().into_iter().map(|named| Contract { ledger: own.ledger.clone(), ..named });
        contracts.extend(named.filter(|named| named != own));
        contracts
    }

    /// Which of the contracts its runs are under, counted from 0.
    #[must_use]
    pub fn contract_place(&self) -> usize {
        self.contracts().iter().position(|contract| *contract == self.base.contract).unwrap_or(0)
    }
}

/// Where `own` stands in `presets`, at their end if it is none of them.
fn place<T: Clone + PartialEq>(presets: &mut Vec<T>, own: &T) -> usize {
    presets.iter().position(|preset| preset == own).unwrap_or_else(|| {
        presets.push(own.clone());
        presets.len() - 1
    })
}

/// Adds what is not there yet.
fn add<T: Clone + PartialEq>(list: &mut Vec<T>, more: Vec<T>) {
    for one in more {
        place(list, &one);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn base() -> Scenario {
        Scenario::new(Strategy::presets()[1].clone(), Fault::presets()[2].clone())
    }

    #[test]
    fn the_scenarios_own_contract_comes_first_and_each_other_once() {
        let (grid, _) = Grid::new(base());
        assert_eq!(grid.contracts().len(), Contract::PRESETS.len());
        let mine = Contract { name: crate::model::Text::new("mine"), ..Contract::default() };
        let (grid, _) = Grid::new(Scenario { contract: mine.clone(), ..base() });
        assert_eq!(grid.contracts().len(), Contract::PRESETS.len() + 1);
        assert_eq!((&grid.contracts()[0], grid.contract_place()), (&mine, 0));
    }

    #[test]
    fn all_named_strategies_come_after_the_few() {
        let (grid, cell) = Grid::new(base());
        let (grid, cell) = grid.made_of(cell, Sets { every_strategy: true, every_fault: true, ..Sets::default() });
        assert_eq!((grid.strategies.len(), grid.faults.len()), (Strategy::NAMES.len(), Fault::NAMED.len()));
        assert_eq!(cell, Cell { strategy: 1, fault: 2 });
        assert_eq!(grid.scenario(cell), base());
    }

    #[test]
    fn what_the_scenario_brings_stays_whatever_is_chosen() {
        let mine = Strategy { name: crate::model::Text::new("mine"), ..Strategy::presets()[1].clone() };
        let (grid, own) = Grid::new(Scenario { strategy: mine, ..base() });
        let naive = Cell { strategy: 0, ..own };
        for (again, cell) in [grid.under(naive, grid.contracts()[3].clone()), grid.made_of(naive, Sets::default())] {
            assert_eq!((cell, &again.strategies), (naive, &grid.strategies));
        }
    }
}
