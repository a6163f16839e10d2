//! What can become of a message, and what the service can do with it.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::ser::{SerializeMap, Serializer};
use serde::{Deserialize, Deserializer, Serialize};

use crate::model::by_name::present;
use crate::model::json;
use crate::model::number::WholeNumber;
use crate::model::time::Span;

/// How often a request arrives that arrives more than once.
pub type Copies = WholeNumber<2, 100>;

/// What becomes of a request on the wire.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum RequestFate {
    /// It arrives after the one-way latency.
    #[default]
    Delivered,
    /// It never arrives.
    Lost,
    /// It arrives so long after it was sent, instead of after the latency.
    Delayed(Span),
    /// It arrives late, by a log-uniform draw between two spans: a heavy tail.
    Drawn {
        /// The shortest delay.
        from: Span,
        /// The longest delay.
        to: Span,
    },
    /// It arrives after the latency, and its copies behind it, each so far apart.
    Copied {
        /// How often it arrives in all.
        copies: Copies,
        /// The time between one arrival and the next.
        apart: Span,
    },
}

/// What becomes of an answer, or of a lookup, on the wire.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ResponseFate {
    /// It arrives after the one-way latency.
    #[default]
    Delivered,
    /// It never arrives.
    Lost,
    /// It arrives so long after it was sent, instead of after the latency.
    Delayed(Span),
    /// It arrives late, by a log-uniform draw between two spans: a heavy tail.
    Drawn {
        /// The shortest delay.
        from: Span,
        /// The longest delay.
        to: Span,
    },
}

/// What the service does with a request, and what the client sees of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", rename_all_fields = "camelCase", deny_unknown_fields)]
pub enum ServiceFate {
    /// It does what it promises.
    #[default]
    Works,
    /// It fails before the commit, and says so with a server error (HTTP 500).
    ErrorBefore,
    /// It fails after the commit, and says so with a server error (HTTP 500).
    ErrorAfter,
    /// It refuses for now (HTTP 503), before anything is done.
    Unavailable,
    /// It refuses for now (HTTP 429), before anything is done, and says when to come again.
    RateLimited {
        /// How long to wait, in whole seconds up to 18 h (RFC 9110, `Retry-After`); a part of one is rounded up.
        retry_after: Span,
    },
    /// It crashes at the commit, between key and effect where the two are apart. The client sees nothing.
    Crash,
}

/// What the service does with a lookup.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum LookupFate {
    /// It reads as it promises.
    #[default]
    Works,
    /// It fails, and says so.
    Error,
    /// It reads what was there so long ago, whatever it promises.
    Lag(Span),
}

impl RequestFate {
    /// What befalls a message of that name, in words; none where nothing does.
    pub(super) fn words(self, what: &str) -> Option<String> {
        match self {
            Self::Delivered => None,
            Self::Lost => ResponseFate::Lost.words(what),
            Self::Delayed(by) => ResponseFate::Delayed(by).words(what),
            Self::Drawn { from, to } => ResponseFate::Drawn { from, to }.words(what),
            Self::Copied { copies, apart } => {
                let times = match copies.get() {
                    2 => "twice".to_owned(),
                    n => format!("{n} times"),
                };
                Some(format!("the {what} arrives {times}, {} apart", apart.human()))
            }
        }
    }
}

impl ResponseFate {
    /// What befalls a message of that name, in words; none where nothing does.
    pub(super) fn words(self, what: &str) -> Option<String> {
        match self {
            Self::Delivered => None,
            Self::Lost => Some(format!("the {what} is lost")),
            Self::Delayed(by) => Some(format!("the {what} takes {} to arrive", by.human())),
            Self::Drawn { from, to } => {
                Some(format!("the {what} takes something from {} to {} to arrive", from.human(), to.human()))
            }
        }
    }
}

impl ServiceFate {
    pub(super) fn words(self) -> Option<String> {
        Some(match self {
            Self::Works => return None,
            Self::ErrorBefore => "the service fails before the commit".to_owned(),
            Self::ErrorAfter => "the service fails after the commit".to_owned(),
            Self::Unavailable => "the service is unavailable".to_owned(),
            Self::RateLimited { retry_after } => {
                format!("the service asks to come again after {}", retry_after.human())
            }
            Self::Crash => "the service crashes at the commit".to_owned(),
        })
    }
}

impl LookupFate {
    pub(super) fn words(self) -> Option<String> {
        match self {
            Self::Works => None,
            Self::Error => Some("the read fails".to_owned()),
            Self::Lag(by) => Some(format!("the read is {} behind", by.human())),
        }
    }
}

/// What a fate holds where it is an object, in any of its forms.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct RequestFields {
    #[serde(default, deserialize_with = "present")]
    delay: Option<Delay>,
    #[serde(default, deserialize_with = "present")]
    copies: Option<Copies>,
    #[serde(default, deserialize_with = "present")]
    apart: Option<Span>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct ResponseFields {
    delay: Delay,
}

/// A delay: fixed, or drawn.
#[derive(Clone, Copy)]
enum Delay {
    Fixed(Span),
    Drawn(DelayFields),
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct DelayFields {
    from: Span,
    to: Span,
}

const REQUEST_FORMS: &str =
    r#"{"delay": "90s"}, {"delay": {"from": "40s", "to": "2h"}} or {"copies": 2, "apart": "1s"}"#;
const RESPONSE_FORM: &str = r#"{"delay": "40s"} or {"delay": {"from": "40s", "to": "2h"}}"#;

impl TryFrom<DelayFields> for Delay {
    type Error = String;

    fn try_from(fields: DelayFields) -> Result<Self, String> {
        if fields.from == Span::ZERO || fields.from > fields.to {
            let DelayFields { from, to } = fields;
            return Err(format!("found from {from} to {to}, allowed: at least 1ms, and not longer than \"to\""));
        }
        Ok(Self::Drawn(fields))
    }
}

impl<'de> Deserialize<'de> for Delay {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl<'de> serde::de::Visitor<'de> for Visitor {
            type Value = Delay;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, r#"{}, or {{"from": "40s", "to": "2h"}}"#, Span::FORM)
            }
            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Delay, E> {
                text.parse().map(Delay::Fixed).map_err(E::custom)
            }
            fn visit_map<A: serde::de::MapAccess<'de>>(self, map: A) -> Result<Delay, A::Error> {
                DelayFields::deserialize(serde::de::value::MapAccessDeserializer::new(map))?
                    .try_into()
                    .map_err(serde::de::Error::custom)
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

impl From<Delay> for RequestFate {
    fn from(delay: Delay) -> Self {
        match delay {
            Delay::Fixed(by) => Self::Delayed(by),
            Delay::Drawn(DelayFields { from, to }) => Self::Drawn { from, to },
        }
    }
}

impl TryFrom<RequestFields> for RequestFate {
    type Error = String;

    fn try_from(fields: RequestFields) -> Result<Self, String> {
        let RequestFields { delay, copies, apart } = fields;
        match (delay, copies, apart) {
            (Some(delay), None, None) => Ok(delay.into()),
            (None, Some(copies), Some(apart)) => Ok(Self::Copied { copies, apart }),
            (delay, copies, apart) => {
                let found = [("delay", delay.is_some()), ("copies", copies.is_some()), ("apart", apart.is_some())];
                let found: Vec<&str> = found.iter().filter_map(|(name, there)| there.then_some(*name)).collect();
                let found = if found.is_empty() { "no fields".to_owned() } else { found.join(" and ") };
                Err(format!("found {found}, allowed: {REQUEST_FORMS}"))
            }
        }
    }
}

impl From<ResponseFields> for ResponseFate {
    fn from(fields: ResponseFields) -> Self {
        match fields.delay {
            Delay::Fixed(by) => Self::Delayed(by),
            Delay::Drawn(DelayFields { from, to }) => Self::Drawn { from, to },
        }
    }
}

fn object_of<S: Serializer, T: Serialize>(serializer: S, name: &'static str, value: &T) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(1))?;
    map.serialize_entry(name, value)?;
    map.end()
}

impl Serialize for RequestFate {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match *self {
            Self::Delivered => serializer.serialize_str("deliver"),
            Self::Lost => serializer.serialize_str("lose"),
            Self::Delayed(delay) => object_of(serializer, "delay", &delay),
            Self::Drawn { from, to } => object_of(serializer, "delay", &DelayFields { from, to }),
            Self::Copied { copies, apart } => {
                let mut map = serializer.serialize_map(Some(2))?;
                map.serialize_entry("copies", &copies)?;
                map.serialize_entry("apart", &apart)?;
                map.end()
            }
        }
    }
}

impl Serialize for ResponseFate {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match *self {
            Self::Delivered => serializer.serialize_str("deliver"),
            Self::Lost => serializer.serialize_str("lose"),
            Self::Delayed(delay) => object_of(serializer, "delay", &delay),
            Self::Drawn { from, to } => object_of(serializer, "delay", &DelayFields { from, to }),
        }
    }
}

impl<'de> Deserialize<'de> for RequestFate {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let word = |word: &str| match word {
            "deliver" => Some(Self::Delivered),
            "lose" => Some(Self::Lost),
            _ => None,
        };
        json::preset_or::<D, Self, RequestFields>(deserializer, &["deliver", "lose"], REQUEST_FORMS, word)
    }
}

impl<'de> Deserialize<'de> for ResponseFate {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let word = |word: &str| match word {
            "deliver" => Some(Self::Delivered),
            "lose" => Some(Self::Lost),
            _ => None,
        };
        json::preset_or::<D, Self, ResponseFields>(deserializer, &["deliver", "lose"], RESPONSE_FORM, word)
    }
}

fn delay_schema(generator: &mut SchemaGenerator) -> Schema {
    let span = generator.subschema_for::<Span>();
    let drawn = json_schema!({
        "type": "object", "additionalProperties": false, "required": ["from", "to"],
        "description": "Drawn log-uniformly between the two, from the scenario's seed.",
        "properties": { "from": span, "to": span },
    });
    json_schema!({
        "type": "object", "additionalProperties": false, "required": ["delay"],
        "properties": { "delay": { "anyOf": [span, drawn] } },
    })
}

impl JsonSchema for RequestFate {
    fn schema_name() -> Cow<'static, str> {
        "RequestFate".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let (delay, span) = (delay_schema(generator), generator.subschema_for::<Span>());
        let copied = json_schema!({
            "type": "object", "additionalProperties": false, "required": ["copies", "apart"],
            "properties": { "copies": generator.subschema_for::<Copies>(), "apart": span },
        });
        json_schema!({ "anyOf": [{ "enum": ["deliver", "lose"] }, delay, copied] })
    }
}

impl JsonSchema for ResponseFate {
    fn schema_name() -> Cow<'static, str> {
        "ResponseFate".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let delay = delay_schema(generator);
        json_schema!({ "anyOf": [{ "enum": ["deliver", "lose"] }, delay] })
    }
}
