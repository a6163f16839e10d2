//! A whole run, as data: who tries what, how, against which service, over which network.

use serde::{Deserialize, Serialize, Serializer};

use super::contract::Contract;
use super::fault::Fault;
use super::json;
use super::strategy::Strategy;
use super::task::Task;
use super::text::Text;
use super::time::Span;

/// All that a run depends on. The same scenario gives the same trace, byte for byte, on every machine.
///
/// The file form, in which it is read and written, names presets by their names and writes everything else out; all
/// but `strategy` and `fault` may be left out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Scenario {
    /// What the run is called; empty where it has no name.
    #[serde(default = "nameless", skip_serializing_if = "is_empty")]
    pub name: Text,
    /// What should take effect exactly once.
    #[serde(default)]
    pub task: Task,
    /// How the harness retries.
    #[serde(serialize_with = "strategy_by_name")]
    pub strategy: Strategy,
    /// What goes wrong.
    #[serde(serialize_with = "fault_by_name")]
    pub fault: Fault,
    /// What the service promises.
    #[serde(default)]
    pub contract: Contract,
    /// How long messages take.
    #[serde(default)]
    pub network: Network,
    /// How long after the report a message can still land.
    #[serde(default = "usual_horizon")]
    pub horizon: Span,
}

/// How long messages take that no fault strikes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Network {
    /// One way, for requests, answers, lookups and what they found.
    pub latency: Span,
}

fn nameless() -> Text {
    Text::new("")
}

fn is_empty(name: &Text) -> bool {
    name.as_str().is_empty()
}

const fn usual_horizon() -> Span {
    Scenario::HORIZON
}

fn strategy_by_name<S: Serializer>(strategy: &Strategy, serializer: S) -> Result<S::Ok, S::Error> {
    match strategy.preset_name() {
        Some(name) => serializer.serialize_str(name),
        None => strategy.serialize(serializer),
    }
}

fn fault_by_name<S: Serializer>(fault: &Fault, serializer: S) -> Result<S::Ok, S::Error> {
    match fault.preset_name() {
        Some(name) => serializer.serialize_str(name),
        None => fault.serialize(serializer),
    }
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

    /// Reads a scenario in the file form.
    ///
    /// # Errors
    ///
    /// Where `text` is no JSON, holds what the form does not have, or a value that is not allowed: the path inside
    /// the text, what was found and what is allowed, safe to print.
    pub fn from_json(text: &str) -> Result<Self, json::Error> {
        json::from_str(text)
    }

    /// The 16 runs: each fault in turn, and under it each strategy.
    pub fn presets() -> impl Iterator<Item = Self> {
        Fault::presets()
            .into_iter()
            .flat_map(|fault| Strategy::presets().map(|strategy| Self::new(strategy, fault.clone())))
    }
}
