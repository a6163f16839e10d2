//! What the service promises, as data.

use serde::Serialize;

use super::text::Text;

/// What the service does with idempotency keys.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Contract {
    /// What it is called.
    pub name: Text,
}

impl Contract {
    /// The names of the presets.
    pub const PRESETS: [&'static str; 1] = ["keyed"];

    /// The preset of that name.
    #[must_use]
    pub fn preset(name: &str) -> Option<Self> {
        Self::PRESETS.contains(&name).then(|| Self { name: Text::new(name) })
    }
}

impl Default for Contract {
    /// `keyed`: the same key and the same fingerprint replays the first charge; the same key and another
    /// fingerprint is refused; no key, or a new one, is a new charge.
    fn default() -> Self {
        Self { name: Text::new(Self::PRESETS[0]) }
    }
}
