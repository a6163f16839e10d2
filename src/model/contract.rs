//! What the service promises, as data.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::by_name::{Preset, is_usual, present};
use super::task::Args;
use super::text::Text;
use super::time::Span;

mod presets;
mod words;

/// What the service does with idempotency keys, how long it works, and what can be read from it.
///
/// In a file every field may be left out; what is left out is as in `keyed`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Contract {
    /// What it is called.
    pub name: Text,
    /// What it does with a key.
    #[serde(skip_serializing_if = "is_usual")]
    pub keys: Keys,
    /// How long a key is kept, from the first request that carried it.
    #[serde(skip_serializing_if = "is_usual")]
    pub retention: Retention,
    /// What a known key with other arguments gets.
    #[serde(skip_serializing_if = "is_usual")]
    pub mismatch: Mismatch,
    /// What a known key gets while the first request with it still runs.
    #[serde(skip_serializing_if = "is_usual")]
    pub in_progress: InProgress,
    /// Which outcomes are stored under the key.
    #[serde(skip_serializing_if = "is_usual")]
    pub stores: Stores,
    /// What a repeat of a stored request gets.
    #[serde(skip_serializing_if = "is_usual")]
    pub repeat: Repeat,
    /// When the key is recorded; it matters where the service crashes in between.
    #[serde(skip_serializing_if = "is_usual")]
    pub recorded: Recorded,
    /// How long the service works on a request before the charge is committed.
    #[serde(skip_serializing_if = "is_usual")]
    pub processing: Span,
    /// What a lookup sees.
    #[serde(skip_serializing_if = "is_usual")]
    pub reads: Reads,
    /// Charges that stand in the ledger before the run begins.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ledger: Vec<Prior>,
    /// Where this promise was read.
    #[serde(deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Source")]
    pub source: Option<Source>,
}

/// What the service does with a key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Keys {
    /// It stores it. A request without one is a new request.
    #[default]
    Stored,
    /// It stores it, and refuses a request without one.
    Required,
    /// It takes no notice of it.
    Ignored,
    /// It refuses a request that has one.
    Refused,
}

/// How long a key is kept. In a file: `forever`, or a span.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Retention {
    /// For ever.
    #[default]
    Forever,
    /// For so long. A request that comes after it is a new request.
    For(Span),
}

/// What a known key with other arguments gets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Mismatch {
    /// A refusal.
    #[default]
    Refuse,
    /// What is stored, all the same.
    Answer,
}

/// What a known key gets while the first request with it still runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum InProgress {
    /// A conflict (HTTP 409).
    #[default]
    Conflict,
    /// It waits for the first, and gets what the first gets.
    Wait,
    /// Both run: the service checks, and then acts.
    BothRun,
}

/// Which outcomes are stored under the key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Stores {
    /// Successes. What failed is tried again.
    #[default]
    Successes,
    /// Successes and server errors. An error is answered again and again.
    Everything,
}

/// What a repeat of a stored request gets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Repeat {
    /// The first answer again.
    #[default]
    Replay,
    /// A conflict that says that the key was used.
    Conflict,
}

/// When the key is recorded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Recorded {
    /// In one transaction with the effect. After a crash there is neither.
    #[default]
    WithEffect,
    /// Before the effect. After a crash in between there is a key without an effect.
    Before,
    /// After the effect. After a crash in between there is an effect without a key.
    After,
}

/// What a lookup sees.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Reads {
    /// Whether there is anything to read, and whether it works.
    #[serde(skip_serializing_if = "is_usual")]
    pub path: ReadPath,
    /// How far behind the ledger a read is.
    #[serde(skip_serializing_if = "is_usual")]
    pub lag: Span,
    /// Whether a charge can be found by the key that it was made under.
    #[serde(skip_serializing_if = "is_usual")]
    pub by_key: bool,
}

/// Whether there is anything to read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ReadPath {
    /// Lookups are answered.
    #[default]
    Works,
    /// Every lookup gets an error.
    Fails,
    /// The service has nothing that could be asked.
    None,
}

/// A charge that stands in the ledger before the run begins, and is no task's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Prior {
    /// Who was charged.
    pub customer: Text,
    /// How much, in cents.
    pub amount_cents: Cents,
}

/// An amount in cents.
pub type Cents = super::task::Cents;

/// Where a promise was read, and what it leaves open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Source {
    /// The address of the page.
    pub address: Text,
    /// The day on which it was read, as `2026-12-01`.
    pub read: Text,
    /// What the page does not say, and what is assumed here instead.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unsaid: Vec<Text>,
}

impl Default for Contract {
    /// `keyed`: the same key and the same fingerprint replays the first charge; the same key and another
    /// fingerprint is refused; no key, or a new one, is a new charge.
    fn default() -> Self {
        Self {
            name: Text::new(Self::PRESETS[0]),
            keys: Keys::default(),
            retention: Retention::default(),
            mismatch: Mismatch::default(),
            in_progress: InProgress::default(),
            stores: Stores::default(),
            repeat: Repeat::default(),
            recorded: Recorded::default(),
            processing: Span::ZERO,
            reads: Reads::default(),
            ledger: Vec::new(),
            source: None,
        }
    }
}

impl Contract {
    /// The most charges that may stand in the ledger before the run begins.
    pub const LEDGER_MAX: usize = 100;
    /// The names of the presets, `keyed` first.
    pub const PRESETS: [&'static str; 14] = presets::NAMES;

    /// The preset of that name.
    #[must_use]
    pub fn preset(name: &str) -> Option<Self> {
        Self::named(name)
    }

    /// The name of the preset that this is; none where it is another contract, whatever its name.
    #[must_use]
    pub fn preset_name(&self) -> Option<&'static str> {
        self.known_as()
    }

    /// Whether the service recognises a repeat by its key at all.
    #[must_use]
    pub const fn stores_keys(&self) -> bool {
        matches!(self.keys, Keys::Stored | Keys::Required)
    }

    /// The promise in plain words.
    #[must_use]
    pub fn describe(&self) -> String {
        let mut parts: Vec<String> = Vec::new();
        match self.keys {
            Keys::Ignored => parts.push("keys are ignored: every request is a new charge".into()),
            Keys::Refused => parts.push("a request with a key is refused: every other request is a new charge".into()),
            Keys::Stored | Keys::Required => self.describe_keys(&mut parts),
        }
        if self.processing > Span::ZERO {
            parts.push(format!("a charge takes {} to make", self.processing.human()));
        }
        match (self.reads.path, self.reads.lag) {
            (ReadPath::Works, Span::ZERO) => {}
            (ReadPath::Works, lag) => parts.push(format!("a lookup sees what was there {} ago", lag.human())),
            (ReadPath::Fails, _) => parts.push("lookups get an error".into()),
            (ReadPath::None, _) => parts.push("there is no way to look a charge up".into()),
        }
        parts.join("; ")
    }

    fn describe_keys(&self, parts: &mut Vec<String>) {
        let again = match self.repeat {
            Repeat::Replay => "gets the first charge again",
            Repeat::Conflict => "gets a conflict",
        };
        parts.push(match self.mismatch {
            Mismatch::Refuse => {
                format!("a known key with the same arguments {again}; with other arguments it is refused")
            }
            Mismatch::Answer => format!("a known key {again}, whatever its arguments"),
        });
        parts.push(match self.keys {
            Keys::Required => "a request without a key is refused".into(),
            _ => "no key, or a new one, is a new charge".into(),
        });
        if let Retention::For(kept) = self.retention {
            parts.push(format!("keys are kept for {}", kept.human()));
        }
        if self.stores == Stores::Everything {
            parts.push("server errors are stored and answered again".into());
        }
        match self.recorded {
            Recorded::WithEffect => {}
            Recorded::Before => parts.push("the key is recorded before the charge".into()),
            Recorded::After => parts.push("the key is recorded after the charge".into()),
        }
        if self.processing > Span::ZERO {
            parts.push(match self.in_progress {
                InProgress::Conflict => "a repeat of a running request gets a conflict".into(),
                InProgress::Wait => "a repeat of a running request waits for it".into(),
                InProgress::BothRun => "a repeat of a running request runs beside it".into(),
            });
        }
    }
}

impl Preset for Contract {
    const NAMES: &'static [&'static str] = &Self::PRESETS;
    const OTHERWISE: &'static str = "an object";

    fn all() -> Vec<Self> {
        Self::presets()
    }
}

impl Retention {
    /// Whether what was stored at `stored` ms is still known `after` so long.
    #[must_use]
    pub fn holds(self, after: Span) -> bool {
        match self {
            Self::Forever => true,
            Self::For(kept) => after < kept,
        }
    }
}

impl Serialize for Retention {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Forever => serializer.serialize_str("forever"),
            Self::For(kept) => kept.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Retention {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl de::Visitor<'_> for Visitor {
            type Value = Retention;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, "forever, or {}", Span::FORM)
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<Retention, E> {
                if text == "forever" {
                    Ok(Retention::Forever)
                } else {
                    text.parse().map(Retention::For).map_err(E::custom)
                }
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

impl JsonSchema for Retention {
    fn schema_name() -> Cow<'static, str> {
        "Retention".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let span = generator.subschema_for::<Span>();
        json_schema!({ "anyOf": [{ "const": "forever" }, span] })
    }
}

impl Prior {
    /// Whether a lookup for a charge with these arguments would take it for theirs.
    #[must_use]
    pub fn looks_like(&self, args: &Args) -> bool {
        self.customer == args.customer() && self.amount_cents.get() == args.amount_cents()
    }
}
