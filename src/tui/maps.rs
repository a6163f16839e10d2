//! The evidence about the open run's strategy, contract and network: what a search of every fault plan finds, a map over
//! two of its numbers, the space of policies, and the odds.
//!
//! What takes long is worked out on a thread of its own ([`work`]); each sheet keeps what it was told, so that painting
//! only reads it, and nothing is worked out again that is still known.

pub mod chance;
pub mod heat;
pub mod policy;
pub mod search;
pub mod turning;
pub mod work;

use ratatui::layout::Size;

use super::theme::{Look, Theme};
use crate::model::fault::FaultPlan;
use crate::model::{Fault, Scenario, Text};
use work::UnderWay;

/// A sheet of the evidence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sheet {
    /// Every fault plan within bounds.
    #[default]
    Search,
    /// What the run comes to over two of its numbers.
    Map,
    /// Which policies are safe.
    Policies,
    /// How likely each outcome is.
    Odds,
}

impl Sheet {
    /// All sheets, in their order.
    pub const ALL: [Self; 4] = [Self::Search, Self::Map, Self::Policies, Self::Odds];

    /// The name on its tab.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Search => "Search",
            Self::Map => "Map",
            Self::Policies => "Policies",
            Self::Odds => "Odds",
        }
    }

    /// The next one, or the one before, round and round.
    #[must_use]
    pub fn turn(self, forward: bool) -> Self {
        let step = if forward { 1 } else { Self::ALL.len() - 1 };
        Self::ALL[(self as usize + step) % Self::ALL.len()]
    }
}

/// The state of all sheets.
#[derive(Debug, Default)]
pub struct Evidence {
    /// The sheet that is open.
    pub sheet: Sheet,
    /// The search.
    pub search: search::Search,
    /// The map of two numbers.
    pub heat: heat::Heat,
    /// The map of policies.
    pub policy: policy::Policies,
    /// The odds.
    pub chance: chance::Odds,
    /// The point of no return, along the ladder of the run.
    pub turning: turning::Turning,
    /// How large the terminal is, as far as it was said.
    pub size: Option<Size>,
}

impl Evidence {
    /// Makes the open sheet show what belongs to a scenario, starting what work that needs.
    pub fn open(&mut self, scenario: &Scenario, look: Look) {
        let plain = without_fault(scenario);
        match self.sheet {
            Sheet::Search => self.search.open(&plain),
            Sheet::Map => {
                let coloured = !look.ascii && look.theme != Theme::Mono;
                self.heat.open(scenario, heat::room(self.size.unwrap_or(USUAL_SIZE)), coloured);
            }
            Sheet::Policies => self.policy.open(&plain),
            Sheet::Odds => self.chance.open(&plain),
        }
    }

    /// Stops the work of the sheets until it is asked for again. Whether there was any.
    pub fn stop(&mut self) -> bool {
        // Each is told, whether or not another was at work.
        self.sheets().map(UnderWay::stop).contains(&true)
    }

    /// Lets go of the work of the sheets; it goes on when they are opened again.
    pub fn leave(&mut self) {
        self.sheets().into_iter().for_each(UnderWay::leave);
    }

    /// Takes note of what the threads have told.
    pub fn look(&mut self) {
        self.sheets().into_iter().for_each(UnderWay::look);
        self.turning.task.look();
    }

    /// Waits until all work is done. For those who have no screen to keep alive.
    pub fn finish(&mut self) {
        self.sheets().into_iter().for_each(UnderWay::finish);
        self.turning.task.finish();
    }

    /// Whether any work is under way.
    #[must_use]
    pub fn is_under_way(&self) -> bool {
        let tasks: [&dyn UnderWay; 5] =
            [&self.search.task, &self.heat.task, &self.policy.task, &self.chance.task, &self.turning.task];
        tasks.iter().any(|task| task.is_under_way())
    }

    fn sheets(&mut self) -> [&mut dyn UnderWay; 4] {
        [&mut self.search.task, &mut self.heat.task, &mut self.policy.task, &mut self.chance.task]
    }
}

/// What is assumed until the terminal's size is said.
pub const USUAL_SIZE: Size = Size::new(80, 24);

/// A scenario whose own fault plan, name and story do not matter.
fn without_fault(scenario: &Scenario) -> Scenario {
    let fault = Fault { name: Text::new("none"), plan: FaultPlan::default() };
    Scenario { name: Text::new(""), fault, about: None, expect: None, ..scenario.clone() }
}
