//! The task: the intent that should take effect exactly once.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, de};
use serde_json::{Map, Value};

use super::json;
use super::text::Text;

/// A tool call that an agent was asked to make, and that should take effect exactly once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Task {
    /// What the intent is called, the same for every attempt at it.
    pub id: Name,
    /// The tool that carries it out.
    pub tool: Name,
    /// What the tool is called with.
    pub args: Args,
}

/// A name that a key is made of: made safe to show, and then 1 to [`Name::LONGEST`] characters long.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Name(Text);

/// The arguments of a charge: `customer`, `amountCents`, and whatever else the tool takes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Args(Map<String, Value>);

impl Name {
    /// The most characters that a name may have.
    pub const LONGEST: usize = 200;

    /// A name made safe to show.
    ///
    /// # Errors
    ///
    /// What was found and what is allowed, where `name` is empty or too long.
    pub fn new(name: &str) -> Result<Self, String> {
        // What is counted is the safe name, so that a name that was written out is never too long to be read.
        let name = Text::new(name);
        match name.chars().count() {
            0 => Err(format!("found an empty name, allowed: 1 to {} characters", Self::LONGEST)),
            n if n > Self::LONGEST => Err(format!("found {n} characters, allowed: 1 to {}", Self::LONGEST)),
            _ => Ok(Self(name)),
        }
    }
}

impl std::ops::Deref for Name {
    type Target = str;
    fn deref(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Display for Name {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(&self.0)
    }
}

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::new(&text).map_err(serde::de::Error::custom)
    }
}

impl Args {
    /// The largest amount in cents that can be charged: a hundred million of the currency.
    pub const AMOUNT_MAX: u64 = 10_000_000_000;

    /// Arguments that hold a customer and an amount.
    ///
    /// # Errors
    ///
    /// The argument, what was found and what is allowed, where `customer` is not a string or
    /// `amountCents` not a whole number from 1 to [`Args::AMOUNT_MAX`].
    pub fn new(map: Map<String, Value>) -> Result<Self, String> {
        let found = |name| match map.get(name) {
            None => "nothing".into(),
            Some(value) => value.to_string(),
        };
        if !map.get("customer").is_some_and(Value::is_string) {
            return Err(format!("customer: found {}, allowed: a string", found("customer")));
        }
        match map.get("amountCents").and_then(Value::as_u64) {
            Some(1..=Self::AMOUNT_MAX) => Ok(Self(map)),
            _ => Err(format!(
                "amountCents: found {}, allowed: a whole number of cents from 1 to {}",
                found("amountCents"),
                Self::AMOUNT_MAX
            )),
        }
    }

    /// Who is charged, made safe to show.
    #[must_use]
    pub fn customer(&self) -> Text {
        Text::new(self.0.get("customer").and_then(Value::as_str).unwrap_or_default())
    }

    /// How much is charged, in cents, from 1 to [`Args::AMOUNT_MAX`].
    #[must_use]
    pub fn amount_cents(&self) -> u64 {
        self.0.get("amountCents").and_then(Value::as_u64).unwrap_or_default()
    }

    /// These arguments with some of them replaced, or others added.
    ///
    /// # Errors
    ///
    /// As [`Args::new`].
    pub fn patched(&self, patch: &Map<String, Value>) -> Result<Self, String> {
        let mut map = self.0.clone();
        map.extend(patch.iter().map(|(name, value)| (name.clone(), value.clone())));
        Self::new(map)
    }

    /// As a JSON value, for canonical form and fingerprint.
    #[must_use]
    pub fn to_value(&self) -> Value {
        Value::Object(self.0.clone())
    }
}

impl JsonSchema for Name {
    fn schema_name() -> Cow<'static, str> {
        "Name".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "minLength": 1, "maxLength": Self::LONGEST })
    }
}

impl JsonSchema for Args {
    fn schema_name() -> Cow<'static, str> {
        "Args".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let cents = generator.subschema_for::<Cents>();
        json_schema!({
            "type": "object",
            "description": "What the tool is called with: customer, amountCents, and whatever else it takes.",
            "properties": { "customer": { "type": "string" }, "amountCents": cents },
            "required": ["customer", "amountCents"],
        })
    }
}

impl<'de> Deserialize<'de> for Args {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ArgsVisitor)
    }
}

/// Reads arguments one by one, so that an error about one of them names it.
struct ArgsVisitor;

impl<'de> de::Visitor<'de> for ArgsVisitor {
    type Value = Args;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(r#"an object such as {"customer": "acme", "amountCents": 4900}"#)
    }

    fn visit_map<A: de::MapAccess<'de>>(self, mut members: A) -> Result<Args, A::Error> {
        let mut map = Map::new();
        while let Some(name) = members.next_key::<String>()? {
            let value = match name.as_str() {
                "customer" => Value::from(members.next_value::<String>()?),
                "amountCents" => Value::from(members.next_value::<Cents>()?.0),
                _ => members.next_value()?,
            };
            map.insert(name, value);
        }
        for name in ["customer", "amountCents"] {
            if !map.contains_key(name) {
                return Err(de::Error::missing_field(name));
            }
        }
        Args::new(map).map_err(de::Error::custom)
    }
}

/// An amount in cents, from 1 to [`Args::AMOUNT_MAX`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Cents(u64);

impl Cents {
    /// The number of cents.
    #[must_use]
    pub const fn get(self) -> u64 {
        self.0
    }
}

impl JsonSchema for Cents {
    fn schema_name() -> Cow<'static, str> {
        "Cents".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "integer", "minimum": 1, "maximum": Args::AMOUNT_MAX })
    }
}

impl<'de> Deserialize<'de> for Cents {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        json::whole(deserializer, 1..=Args::AMOUNT_MAX).map(Self)
    }
}

impl Default for Task {
    /// The task of the talk: charge `acme` $49.00, once.
    fn default() -> Self {
        let name = |text| Name::new(text).expect("a short name");
        let args = [("customer", Value::from("acme")), ("amountCents", Value::from(4_900))];
        Self {
            id: name("task-42"),
            tool: name("create_charge"),
            args: Args::new(args.map(|(k, v)| (k.to_owned(), v)).into_iter().collect()).expect("right arguments"),
        }
    }
}

/// An amount of cents as money: `$49.00`.
#[must_use]
pub fn money(cents: u64) -> String {
    format!("${}.{:02}", cents / 100, cents % 100)
}
