//! Whole numbers with a range in their type.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize};

use super::json;

/// A whole number from `MIN` to `MAX`, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct WholeNumber<const MIN: u32, const MAX: u32>(u32);

impl<const MIN: u32, const MAX: u32> WholeNumber<MIN, MAX> {
    /// `n`, as a number of this range.
    ///
    /// # Panics
    ///
    /// Where `n` is out of range; at compile time where it is a constant.
    #[must_use]
    pub const fn new(n: u32) -> Self {
        assert!(MIN <= n && n <= MAX, "out of range");
        Self(n)
    }

    /// The number.
    #[must_use]
    pub const fn get(self) -> u32 {
        self.0
    }
}

impl<const MIN: u32, const MAX: u32> TryFrom<u64> for WholeNumber<MIN, MAX> {
    type Error = String;

    /// # Errors
    ///
    /// What was found and what is allowed, where `n` is out of range.
    fn try_from(n: u64) -> Result<Self, String> {
        u32::try_from(n)
            .ok()
            .filter(|n| (MIN..=MAX).contains(n))
            .map(Self)
            .ok_or_else(|| format!("found {n}, allowed: a whole number from {MIN} to {MAX}"))
    }
}

impl<const MIN: u32, const MAX: u32> std::fmt::Display for WholeNumber<MIN, MAX> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl<'de, const MIN: u32, const MAX: u32> Deserialize<'de> for WholeNumber<MIN, MAX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let n = json::whole(deserializer, u64::from(MIN)..=u64::from(MAX))?;
        Self::try_from(n).map_err(serde::de::Error::custom)
    }
}

impl<const MIN: u32, const MAX: u32> JsonSchema for WholeNumber<MIN, MAX> {
    fn schema_name() -> Cow<'static, str> {
        format!("WholeNumber{MIN}To{MAX}").into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "integer", "minimum": MIN, "maximum": MAX })
    }
}
