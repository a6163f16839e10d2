//! How the harness retries, as data: a point in one space.

use serde::{Deserialize, Deserializer, Serialize};

use super::json;
use super::number::WholeNumber;
use super::text::Text;
use super::time::Span;

/// How the harness tries to finish the task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Strategy {
    /// What it is called; the screen shows blanks for the hyphens.
    pub name: Text,
    /// Which idempotency key an attempt carries.
    pub key: KeyPolicy,
    /// Whether the harness looks for the charge before it goes on.
    pub verify: Verify,
    /// How many attempts at most.
    pub max_attempts: Attempts,
    /// How long an attempt, or a lookup, waits for its answer; at least 1 ms.
    pub timeout: Span,
    /// How long the harness pauses after an attempt that did not succeed.
    pub backoff: Span,
    /// What a refusal leads to.
    pub on_refused: OnRefused,
    /// What the agent reports when no attempt is left.
    pub on_exhausted: OnExhausted,
}

/// A number of attempts.
pub type Attempts = WholeNumber<1, 1_000>;

/// Which idempotency key an attempt carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum KeyPolicy {
    /// No key.
    None,
    /// A new key for each attempt: `{task}-retry{n}`.
    PerAttempt,
    /// The intent key, the same for every attempt.
    PerIntent,
}

/// Whether, and by what, the harness looks for the charge before it goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verify {
    /// It does not look.
    None,
    /// By a charge in the ledger with the same customer and amount.
    LookAlike,
}

/// What a refusal leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OnRefused {
    /// The next attempt, where one is left.
    Retry,
    /// The report `failed: <reason>`.
    Fail,
}

/// What the agent reports when no attempt is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OnExhausted {
    /// `failed`.
    Failed,
    /// `unknown: escalate`.
    Escalate,
}

/// A strategy as it is written out in a file.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Fields {
    #[serde(default = "unnamed")]
    name: Text,
    key: KeyPolicy,
    verify: Verify,
    max_attempts: Attempts,
    #[serde(deserialize_with = "Span::deserialize_nonzero")]
    timeout: Span,
    backoff: Span,
    on_refused: OnRefused,
    on_exhausted: OnExhausted,
}

fn unnamed() -> Text {
    Text::new("unnamed")
}

impl From<Fields> for Strategy {
    fn from(fields: Fields) -> Self {
        let Fields { name, key, verify, max_attempts, timeout, backoff, on_refused, on_exhausted } = fields;
        Self { name, key, verify, max_attempts, timeout, backoff, on_refused, on_exhausted }
    }
}

impl<'de> Deserialize<'de> for Strategy {
    /// A preset's name, or the object that it stands for.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        json::preset_or::<D, Self, Fields>(deserializer, &Self::PRESETS, "an object", Self::preset)
    }
}

impl Strategy {
    /// The names of the presets, in the order of every list and key.
    pub const PRESETS: [&'static str; 4] =
        ["naive-retry", "verify-then-retry", "new-key-per-attempt", "pinned-intent-key"];

    /// The four presets: naive retry, verify then retry, new key per attempt, pinned intent key.
    #[must_use]
    pub fn presets() -> [Self; 4] {
        let naive = Self {
            name: Text::new(Self::PRESETS[0]),
            key: KeyPolicy::None,
            verify: Verify::None,
            max_attempts: Attempts::new(3),
            timeout: Span::secs(30),
            backoff: Span::secs(1),
            on_refused: OnRefused::Retry,
            on_exhausted: OnExhausted::Failed,
        };
        let verify = Self { name: Text::new(Self::PRESETS[1]), verify: Verify::LookAlike, ..naive.clone() };
        let new_key = Self { name: Text::new(Self::PRESETS[2]), key: KeyPolicy::PerAttempt, ..naive.clone() };
        let pinned = Self {
            name: Text::new(Self::PRESETS[3]),
            key: KeyPolicy::PerIntent,
            on_refused: OnRefused::Fail,
            on_exhausted: OnExhausted::Escalate,
            ..naive.clone()
        };
        [naive, verify, new_key, pinned]
    }

    /// The preset of that name.
    #[must_use]
    pub fn preset(name: &str) -> Option<Self> {
        Self::presets().into_iter().find(|preset| &*preset.name == name)
    }

    /// The name of the preset that this is; none where it is another strategy, whatever its name.
    #[must_use]
    pub fn preset_name(&self) -> Option<&'static str> {
        let place = Self::presets().iter().position(|preset| preset == self)?;
        Some(Self::PRESETS[place])
    }

    /// The name as the screen shows it, with blanks for hyphens: `verify then retry`.
    #[must_use]
    pub fn title(&self) -> String {
        self.name.replace('-', " ")
    }
}
