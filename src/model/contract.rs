//! What the service promises, as data.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::text::Text;

/// What the service does with idempotency keys.
#[derive(Clone, Debug, PartialEq, Eq)]
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

    /// The promise in plain words.
    #[must_use]
    pub const fn describe(&self) -> &'static str {
        "a known key with the same arguments gets the first charge again; with other arguments it is refused; \
         no key, or a new one, is a new charge"
    }
}

impl Default for Contract {
    /// `keyed`: the same key and the same fingerprint replays the first charge; the same key and another
    /// fingerprint is refused; no key, or a new one, is a new charge.
    fn default() -> Self {
        Self { name: Text::new(Self::PRESETS[0]) }
    }
}

impl Serialize for Contract {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.name.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Contract {
    /// A preset's name.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(rename_all = "kebab-case")]
        enum Preset {
            Keyed,
        }
        let Preset::Keyed = Preset::deserialize(deserializer)?;
        Ok(Self::default())
    }
}
