//! How the harness retries, as data: a point in one space.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::by_name::{Preset, is_usual, present};
use super::number::WholeNumber;
use super::text::Text;
use super::time::Span;

mod backoff;
mod presets;
mod words;

pub use backoff::{Backoff, Factor, Jitter};

/// How the harness tries to finish the task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Strategy {
    /// What it is called; the screen shows blanks for the hyphens.
    #[serde(default = "unnamed")]
    pub name: Text,
    /// Which idempotency key an attempt carries.
    pub key: KeyPolicy,
    /// Whether, and how, the harness looks for the charge before it goes on.
    pub verify: Verify,
    /// How many attempts at most.
    pub max_attempts: Attempts,
    /// How long an attempt, or a lookup, waits for its answer; at least 1 ms.
    #[serde(deserialize_with = "Span::deserialize_nonzero")]
    pub timeout: Span,
    /// How long the harness pauses after an attempt that did not succeed.
    pub backoff: Backoff,
    /// What a refusal that is about the request itself leads to: its key, or its arguments.
    pub on_refused: Reaction,
    /// What the agent reports when no attempt is left.
    pub on_exhausted: OnExhausted,
    /// What a timeout leads to.
    #[serde(default, skip_serializing_if = "is_usual")]
    pub on_timeout: Reaction,
    /// What a server error (HTTP 500) leads to. It is indefinite, as a timeout is.
    #[serde(default, skip_serializing_if = "is_usual")]
    pub on_server_error: Reaction,
    /// What a conflict (HTTP 409) leads to: the first request still runs, or the key was used already.
    #[serde(default, skip_serializing_if = "is_usual")]
    pub on_conflict: Reaction,
    /// What a definite refusal for now (HTTP 503 or 429) leads to. A retry waits as long as the service asks for.
    #[serde(default, skip_serializing_if = "is_usual")]
    pub on_unavailable: Reaction,
    /// What it leads to when the verify fails, times out, or there is nothing to read.
    #[serde(default, skip_serializing_if = "is_usual")]
    pub on_unverified: Reaction,
    /// How long after an attempt was started its verify starts, at the soonest.
    #[serde(default, skip_serializing_if = "is_usual")]
    pub verify_after: Span,
    /// Whether the verify also waits out the lag that the service says its reads have.
    #[serde(default, skip_serializing_if = "is_usual")]
    pub verify_knows_lag: bool,
    /// Successes that the client remembers, so as not to send again.
    #[serde(default, skip_serializing_if = "is_usual")]
    pub memo: Memo,
    /// A layer beneath the harness that sends again by itself.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Transport")]
    pub transport: Option<Transport>,
    /// Arguments that come out differently on a later attempt.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Drift")]
    pub drift: Option<Drift>,
    /// A crash of the harness, and how it resumes.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Crash")]
    pub crash: Option<Crash>,
}

/// A number of attempts.
pub type Attempts = WholeNumber<1, 1_000>;

/// Which idempotency key an attempt carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum KeyPolicy {
    /// No key.
    None,
    /// A new key for each attempt: `{task}-retry{n}`.
    PerAttempt,
    /// The intent key, the same for every attempt and every run of the task.
    PerIntent,
    /// A key made anew by each run of the harness, and the same for every attempt of it.
    PerRun,
    /// No key on the first attempt, the intent key from the second on.
    AfterFirst,
}

/// Whether the harness looks for the charge before it goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Verify {
    /// It goes on without looking.
    None,
    /// It looks for a charge with the same customer and amount.
    LookAlike,
    /// It looks for a charge with the same customer and amount, made at or after its first attempt.
    LookAlikeSince,
    /// It looks for the charge made under the key of its last attempt.
    ByKey,
}

/// What something leads to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Reaction {
    /// The next attempt, where one is left, after the pause and the verify.
    #[default]
    Retry,
    /// The report `failed`, with the reason where there is one.
    Fail,
    /// The report `unknown: escalate`.
    Escalate,
    /// The report `completed`, as if it had succeeded.
    Completed,
}

/// What a refusal leads to.
pub type OnRefused = Reaction;

/// What the agent reports when no attempt is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum OnExhausted {
    /// `failed`.
    Failed,
    /// `unknown: escalate`.
    Escalate,
    /// `completed`, as if it had succeeded.
    Completed,
}

/// Which successes a client remembers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Memo {
    /// None.
    #[default]
    None,
    /// Those of a task, by its id.
    ByTask,
    /// Those of a call, by its arguments: another task with the same arguments counts as done.
    ByArguments,
}

/// A layer beneath the harness that sends again by itself, as many SDKs do. The harness sees one attempt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Transport {
    /// How often it sends again, after a timeout of its own, a server error, a conflict or a refusal for now.
    pub retries: WholeNumber<0, 100>,
    /// How long it waits for the answer to each request; at least 1 ms. The attempt's own timeout goes on above it.
    #[serde(deserialize_with = "Span::deserialize_nonzero")]
    pub timeout: Span,
    /// How long it pauses before it sends again.
    pub backoff: Backoff,
    /// Whether a request sent again carries the key of the first; else it carries none.
    pub repeats_key: bool,
}

/// Arguments that come out differently on a later attempt, such as a time stamp or a recomputed amount.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Drift {
    /// The first attempt with other arguments.
    pub from_attempt: WholeNumber<2, 1_000>,
    /// The arguments that are other, over the task's own.
    pub args: Map<String, Value>,
    /// Whether the intent key is computed again from the arguments, and so changes with them.
    pub key_follows: bool,
}

/// A crash of the harness, and how it resumes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Crash {
    /// When it crashes, counted from the start of the run. After the report it matters only where the progress is lost.
    pub at: Span,
    /// How long it is down.
    pub resume_after: Span,
    /// What becomes of the key. Where it is lost, a new one is made.
    pub key: Survival,
    /// What becomes of its progress: what it has tried, and what it has reported. Where it is lost, it begins again.
    pub progress: Survival,
}

/// Whether something outlives a crash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Survival {
    /// It does.
    Kept,
    /// It does not.
    Lost,
}

fn unnamed() -> Text {
    Text::new("unnamed")
}

impl Strategy {
    /// The names of the four presets of the grid, in the order of every list and key.
    pub const PRESETS: [&'static str; 4] =
        ["naive-retry", "verify-then-retry", "new-key-per-attempt", "pinned-intent-key"];

    /// The preset of that name, of the grid or beyond it.
    #[must_use]
    pub fn preset(name: &str) -> Option<Self> {
        Self::named(name)
    }

    /// The name of the preset that this is; none where it is another strategy, whatever its name.
    #[must_use]
    pub fn preset_name(&self) -> Option<&'static str> {
        self.known_as()
    }

    /// The name as the screen shows it, with blanks for hyphens: `verify then retry`.
    #[must_use]
    pub fn title(&self) -> String {
        self.name.replace('-', " ")
    }

    /// Whether a later attempt, or a request sent again, can carry the key of an earlier one.
    #[must_use]
    pub const fn has_stable_key(&self) -> bool {
        matches!(self.key, KeyPolicy::PerIntent | KeyPolicy::PerRun | KeyPolicy::AfterFirst)
    }
}

impl Preset for Strategy {
    const NAMES: &'static [&'static str] = &presets::NAMES;
    const OTHERWISE: &'static str = "an object";

    fn all() -> Vec<Self> {
        Self::named_presets()
    }
}
