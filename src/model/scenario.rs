//! A whole run, as data: who tries what, how, against which service, over which network.

use serde::{Deserialize, Serialize};

use super::contract::Contract;
use super::fault::Fault;
use super::strategy::Strategy;
use super::task::Task;
use super::text::Text;
use super::time::Span;

/// All that a run depends on. The same scenario gives the same trace, byte for byte, on every machine.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Scenario {
    /// What the run is called; empty where it has no name.
    pub name: Text,
    /// What should take effect exactly once.
    pub task: Task,
    /// How the harness retries.
    pub strategy: Strategy,
    /// What goes wrong.
    pub fault: Fault,
    /// What the service promises.
    pub contract: Contract,
    /// How long messages take.
    pub network: Network,
    /// How long after the report a message can still land.
    pub horizon: Span,
}

/// How long messages take that no fault strikes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Network {
    /// One way, for requests, answers, lookups and what they found.
    pub latency: Span,
}

impl Default for Network {
    /// 2 s each way, so that a message can be seen crossing.
    fn default() -> Self {
        Self { latency: Span::secs(2) }
    }
}

impl Scenario {
    /// How long the world goes on after the report, unless the scenario says otherwise.
    pub const HORIZON: Span = Span::hours(1);

    /// A scenario with everything else as it is by default.
    #[must_use]
    pub fn new(strategy: Strategy, fault: Fault) -> Self {
        Self {
            name: Text::new(""),
            task: Task::default(),
            strategy,
            fault,
            contract: Contract::default(),
            network: Network::default(),
            horizon: Self::HORIZON,
        }
    }

    /// The 16 runs: each fault in turn, and under it each strategy.
    pub fn presets() -> impl Iterator<Item = Self> {
        Fault::presets()
            .into_iter()
            .flat_map(|fault| Strategy::presets().map(|strategy| Self::new(strategy, fault.clone())))
    }
}
