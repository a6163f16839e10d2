//! A whole run, as data: who tries what, how, against which service, over which network.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::by_name::{self, Named, is_usual, present};
use super::contract::Contract;
use super::fault::Fault;
use super::json;
use super::kind::Kind;
use super::strategy::Strategy;
use super::task::Task;
use super::text::Text;
use super::time::Span;

mod check;

/// All that a run depends on. The same scenario gives the same trace, byte for byte, on every machine.
///
/// The file form, in which it is read and written, names presets by their names and writes everything else out; all
/// but `strategy` and `fault` may be left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Scenario {
    /// What the run is called; empty where it has no name.
    #[serde(default = "nameless", skip_serializing_if = "is_empty")]
    pub name: Text,
    /// What should take effect exactly once.
    #[serde(default)]
    pub task: Task,
    /// How the harness retries: a preset's name, or an object.
    #[serde(with = "by_name")]
    #[schemars(with = "Named<Strategy>")]
    pub strategy: Strategy,
    /// What goes wrong: a preset's name, or a plan.
    #[serde(with = "by_name")]
    #[schemars(with = "Named<Fault>")]
    pub fault: Fault,
    /// What the service promises: a preset's name, or an object.
    #[serde(default, with = "by_name")]
    #[schemars(with = "Named<Contract>")]
    pub contract: Contract,
    /// How long messages take.
    #[serde(default)]
    pub network: Network,
    /// How long after the last report a message can still land.
    #[serde(default = "usual_horizon")]
    pub horizon: Span,
    /// What chance is drawn from, where anything is left to it.
    #[serde(default, skip_serializing_if = "is_usual")]
    pub seed: u32,
    /// Agents beside the first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<Agent>,
    /// What it is about; it changes nothing in the run.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "About")]
    pub about: Option<About>,
    /// What it must come to; it changes nothing in the run.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Expect")]
    pub expect: Option<Expect>,
}

/// What a scenario is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct About {
    /// What happened, in a paragraph.
    pub what: Text,
    /// Where it can be read, as addresses.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<Text>,
    /// What kinds of fault it shows, in a word each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kinds: Vec<Text>,
}

/// What a scenario must come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Expect {
    /// The worst outcome of any agent.
    pub outcome: Kind,
    /// How many charges are committed in the run, for all tasks.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u32")]
    pub charges: Option<u32>,
}

/// An agent beside the first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Agent {
    /// When it starts, counted from the start of the run.
    #[serde(default)]
    pub starts_at: Span,
    /// Its task; the first agent's where it is left out. The same id is the same task, and has the same arguments.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Task")]
    pub task: Option<Task>,
    /// How it retries; as the first agent where it is left out.
    #[serde(default, with = "by_name::option", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Named<Strategy>")]
    pub strategy: Option<Strategy>,
}

/// How long messages take that no fault strikes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
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

impl Default for Network {
    /// 2 s each way, so that a message can be seen crossing.
    fn default() -> Self {
        Self { latency: Span::secs(2) }
    }
}

impl Scenario {
    /// How long the world goes on after the report, unless the scenario says otherwise.
    pub const HORIZON: Span = Span::hours(1);
    /// The most agents that a run may have.
    pub const AGENTS_MAX: usize = 8;

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
            seed: 0,
            others: Vec::new(),
            about: None,
            expect: None,
        }
    }

    /// Reads a scenario in the file form.
    ///
    /// # Errors
    ///
    /// Where `text` is no JSON, holds what the form does not have, or a value that is not allowed: or one
    /// that makes no sense with others ([`Scenario::check`]): the path inside the text, what was found and what is
    /// allowed, safe to print.
    pub fn from_json(text: &str) -> Result<Self, json::Error> {
        let scenario: Self = json::from_str(text)?;
        scenario.check().map_err(serde::de::Error::custom)?;
        Ok(scenario)
    }

    /// The 16 runs: each fault in turn, and under it each strategy.
    pub fn presets() -> impl Iterator<Item = Self> {
        Fault::presets()
            .into_iter()
            .flat_map(|fault| Strategy::presets().map(|strategy| Self::new(strategy, fault.clone())))
    }
}
