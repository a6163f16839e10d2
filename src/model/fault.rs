//! What the network does to the n-th call, as data.

use std::fmt;

use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::ser::{SerializeMap, Serializer};
use serde::{Deserialize, Deserializer, Serialize, de};

use super::json;
use super::number::WholeNumber;
use super::text::Text;
use super::time::Span;

/// A fault plan: what becomes of certain charge requests and their answers. Calls that it does not
/// name cross unharmed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fault {
    /// What it is called.
    pub name: Text,
    /// At most one entry a call.
    pub plan: Vec<CallFault>,
}

/// What becomes of one call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CallFault {
    /// Which charge request, counted from 1 in sending order, whatever attempt it belongs to.
    pub call: Call,
    /// What becomes of the request.
    #[serde(default, skip_serializing_if = "RequestFate::is_delivered")]
    pub request: RequestFate,
    /// What becomes of each answer to it.
    #[serde(default, skip_serializing_if = "ResponseFate::is_delivered")]
    pub response: ResponseFate,
}

/// The number of a charge request.
pub type Call = WholeNumber<1, 1_000>;

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
    /// It arrives after the latency, and its copies behind it, each so far apart.
    Copied {
        /// How often it arrives in all.
        copies: Copies,
        /// The time between one arrival and the next.
        apart: Span,
    },
}

/// What becomes of an answer on the wire.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ResponseFate {
    /// It arrives after the one-way latency.
    #[default]
    Delivered,
    /// It never arrives.
    Lost,
    /// It arrives so long after it was sent, instead of after the latency.
    Delayed(Span),
}

impl RequestFate {
    /// Whether nothing befalls the request.
    #[must_use]
    pub fn is_delivered(&self) -> bool {
        *self == Self::Delivered
    }
}

impl ResponseFate {
    /// Whether nothing befalls the answer.
    #[must_use]
    pub fn is_delivered(&self) -> bool {
        *self == Self::Delivered
    }
}

impl Fault {
    /// The names of the presets, in the order of every list and key.
    pub const PRESETS: [&'static str; 4] = ["none", "lost-ack", "late-commit", "redelivery"];
    /// The most entries that a plan may have.
    pub const LONGEST_PLAN: usize = 100;

    /// The four presets: none, lost-ack, late-commit, redelivery. Each strikes call 1.
    #[must_use]
    pub fn presets() -> [Self; 4] {
        let strike =
            CallFault { call: Call::new(1), request: RequestFate::Delivered, response: ResponseFate::Delivered };
        let lost_ack = CallFault { response: ResponseFate::Lost, ..strike.clone() };
        let late = CallFault { request: RequestFate::Delayed(Span::secs(90)), ..strike.clone() };
        let twice = RequestFate::Copied { copies: Copies::new(2), apart: Span::secs(1) };
        let redelivery = CallFault { request: twice, ..strike };
        let preset = |n: usize, plan| Self { name: Text::new(Self::PRESETS[n]), plan };
        [preset(0, vec![]), preset(1, vec![lost_ack]), preset(2, vec![late]), preset(3, vec![redelivery])]
    }

    /// The preset of that name.
    #[must_use]
    pub fn preset(name: &str) -> Option<Self> {
        Self::presets().into_iter().find(|preset| &*preset.name == name)
    }

    /// The name of the preset that this is; none where it is another fault, whatever its name.
    #[must_use]
    pub fn preset_name(&self) -> Option<&'static str> {
        let place = Self::presets().iter().position(|preset| preset == self)?;
        Some(Self::PRESETS[place])
    }

    /// What becomes of the `call`-th charge request and its answers.
    #[must_use]
    pub fn of_call(&self, call: u32) -> (RequestFate, ResponseFate) {
        self.plan
            .iter()
            .find(|strike| strike.call.get() == call)
            .map_or_else(Default::default, |strike| (strike.request, strike.response))
    }

    /// The plan in plain words, one clause a call: `call 1: the response is lost`.
    #[must_use]
    pub fn describe(&self) -> String {
        if self.plan.is_empty() {
            return "nothing goes wrong".to_owned();
        }
        let clauses: Vec<String> = self.plan.iter().map(CallFault::describe).collect();
        clauses.join("; ")
    }
}

impl CallFault {
    fn describe(&self) -> String {
        let request = match self.request {
            RequestFate::Delivered => None,
            RequestFate::Lost => Some("the request is lost".to_owned()),
            RequestFate::Delayed(by) => Some(format!("the request takes {} to arrive", by.human())),
            RequestFate::Copied { copies, apart } => {
                let times = match copies.get() {
                    2 => "twice".to_owned(),
                    n => format!("{n} times"),
                };
                Some(format!("the request arrives {times}, {} apart", apart.human()))
            }
        };
        let response = match self.response {
            ResponseFate::Delivered => None,
            ResponseFate::Lost => Some("the response is lost".to_owned()),
            ResponseFate::Delayed(by) => Some(format!("the response takes {} to arrive", by.human())),
        };
        let clauses: Vec<String> = request.into_iter().chain(response).collect();
        match clauses.as_slice() {
            [] => format!("call {}: nothing goes wrong", self.call),
            _ => format!("call {}: {}", self.call, clauses.join(", ")),
        }
    }
}

/// What a request's fate holds, in either of its forms.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct RequestFields {
    #[serde(default, deserialize_with = "present")]
    delay: Option<Span>,
    #[serde(default, deserialize_with = "present")]
    copies: Option<Copies>,
    #[serde(default, deserialize_with = "present")]
    apart: Option<Span>,
}

/// A field that may be left out, but stands for nothing else than a `T` where it is there: no `null`.
fn present<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct ResponseFields {
    delay: Span,
}

const REQUEST_FORMS: &str = r#"{"delay": "90s"} or {"copies": 2, "apart": "1s"}"#;
const RESPONSE_FORM: &str = r#"{"delay": "40s"}"#;

impl TryFrom<RequestFields> for RequestFate {
    type Error = String;

    fn try_from(fields: RequestFields) -> Result<Self, String> {
        let RequestFields { delay, copies, apart } = fields;
        match (delay, copies, apart) {
            (Some(delay), None, None) => Ok(Self::Delayed(delay)),
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
        Self::Delayed(fields.delay)
    }
}

impl Serialize for RequestFate {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Delivered => serializer.serialize_str("deliver"),
            Self::Lost => serializer.serialize_str("lose"),
            Self::Delayed(delay) => {
                let mut map = serializer.serialize_map(Some(1))?;
                map.serialize_entry("delay", delay)?;
                map.end()
            }
            Self::Copied { copies, apart } => {
                let mut map = serializer.serialize_map(Some(2))?;
                map.serialize_entry("copies", copies)?;
                map.serialize_entry("apart", apart)?;
                map.end()
            }
        }
    }
}

impl Serialize for ResponseFate {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Delivered => serializer.serialize_str("deliver"),
            Self::Lost => serializer.serialize_str("lose"),
            Self::Delayed(delay) => {
                let mut map = serializer.serialize_map(Some(1))?;
                map.serialize_entry("delay", delay)?;
                map.end()
            }
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

/// What a fault that is not a preset is written as.
enum Plan {
    Unnamed(Vec<CallFault>),
    Named(NamedPlan),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NamedPlan {
    name: Text,
    plan: Vec<CallFault>,
}

const PLAN_FORMS: &str = r#"an array of plans such as {"call": 1, "response": "lose"}"#;

impl<'de> Deserialize<'de> for Plan {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl<'de> de::Visitor<'de> for Visitor {
            type Value = Plan;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(PLAN_FORMS)
            }
            fn visit_seq<A: de::SeqAccess<'de>>(self, seq: A) -> Result<Plan, A::Error> {
                Vec::deserialize(SeqAccessDeserializer::new(seq)).map(Plan::Unnamed)
            }
            fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<Plan, A::Error> {
                NamedPlan::deserialize(MapAccessDeserializer::new(map)).map(Plan::Named)
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

impl TryFrom<Plan> for Fault {
    type Error = String;

    fn try_from(plan: Plan) -> Result<Self, String> {
        let (name, plan) = match plan {
            Plan::Unnamed(plan) => (Text::new("custom"), plan),
            Plan::Named(NamedPlan { name, plan }) => (name, plan),
        };
        if plan.len() > Self::LONGEST_PLAN {
            return Err(format!("found {} plans, allowed: at most {}", plan.len(), Self::LONGEST_PLAN));
        }
        for (i, strike) in plan.iter().enumerate() {
            if plan[..i].iter().any(|earlier| earlier.call == strike.call) {
                return Err(format!("found two plans for call {}, allowed: one a call", strike.call));
            }
        }
        Ok(Self { name, plan })
    }
}

impl<'de> Deserialize<'de> for Fault {
    /// A preset's name, an array of plans, or `{"name": .., "plan": [..]}`.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        json::preset_or::<D, Self, Plan>(deserializer, &Self::PRESETS, PLAN_FORMS, Self::preset)
    }
}
