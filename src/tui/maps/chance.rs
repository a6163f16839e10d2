//! The sheet of the odds: how likely each outcome is, strategies side by side, and what that costs.

use super::work::{Task, Telling};
use crate::model::{Contract, Scenario, Strategy};
use crate::search::Chances;
use crate::search::odds::{self, odds};

/// What is less likely than this is not followed further; what that leaves open is shown.
const CUT: f64 = 1e-9;

/// The odds of a strategy.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The strategy.
    pub strategy: Strategy,
    /// Its odds, once they are worked out; nothing inside where it makes no sense under the contract, or its runs are too
    /// long.
    pub odds: Option<Option<odds::Odds>>,
}

/// The state of the sheet.
#[derive(Debug, Default)]
pub struct Odds {
    /// How likely each mishap is taken to be.
    pub chances: Chances,
    /// The contracts that the key goes through; the scenario's own is the first.
    pub contracts: Vec<Contract>,
    /// Which of them.
    pub contract: usize,
    /// The strategies, the scenario's own first.
    pub task: Task<Vec<Row>>,
    /// The strategy that the choice is on.
    pub choice: usize,
    about: Option<Scenario>,
}

impl Odds {
    /// The odds of a scenario's strategy beside those of every strategy that has a name.
    pub fn open(&mut self, scenario: &Scenario) {
        if self.about.as_ref() != Some(scenario) {
            let mut contracts = Contract::presets();
            contracts.retain(|contract| *contract != scenario.contract);
            contracts.insert(0, scenario.contract.clone());
            self.contracts = contracts;
            self.contract = 0;
            self.choice = 0;
            self.about = Some(scenario.clone());
            self.start();
        } else if self.task.is_idle() && self.rows().iter().any(|row| row.odds.is_none()) {
            self.start();
        }
    }

    fn start(&mut self) {
        let Some(about) = &self.about else { return };
        let about = Scenario { contract: self.contracts[self.contract].clone(), ..about.clone() };
        let mut strategies = Strategy::named_presets();
        strategies.retain(|strategy| *strategy != about.strategy);
        strategies.insert(0, about.strategy.clone());
        let rows: Vec<Row> = strategies.into_iter().map(|strategy| Row { strategy, odds: None }).collect();
        let chances = self.chances.clone();
        self.task.start(Some(rows.clone()), move |telling| work_out(&about, &chances, rows, telling));
    }

    /// The rows, as far as they are worked out.
    #[must_use]
    pub fn rows(&self) -> &[Row] {
        self.task.told.as_deref().unwrap_or_default()
    }

    /// The contract under which the odds are.
    #[must_use]
    pub fn under(&self) -> Option<&Contract> {
        self.contracts.get(self.contract)
    }

    /// The next contract, or the one before.
    pub fn turn_contract(&mut self, forward: bool) {
        let contracts = self.contracts.len().max(1);
        self.contract = (self.contract + if forward { 1 } else { contracts - 1 }) % contracts;
        self.start();
    }

    /// Moves the choice.
    pub fn step(&mut self, down: isize) {
        self.choice = self.choice.saturating_add_signed(down).min(self.rows().len().saturating_sub(1));
    }

    /// The run of the strategy that the choice is on, under the scenario's own faults.
    #[must_use]
    pub fn chosen(&self, of: &Scenario) -> Option<Scenario> {
        let strategy = self.rows().get(self.choice)?.strategy.clone();
        let contract = self.under()?.clone();
        Some(Scenario { strategy, contract, expect: None, about: None, ..of.clone() })
    }
}

fn work_out(about: &Scenario, chances: &Chances, mut rows: Vec<Row>, telling: &Telling<Vec<Row>>) {
    for n in 0..rows.len() {
        let scenario = Scenario { strategy: rows[n].strategy.clone(), ..about.clone() };
        let sensible = scenario.check().is_ok();
        rows[n].odds = Some(sensible.then(|| odds(&scenario, chances, CUT).ok()).flatten());
        if !telling.tell(rows.clone()) {
            return;
        }
    }
}
