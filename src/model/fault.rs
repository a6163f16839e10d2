//! What the network does to the n-th call, as data.

use std::fmt;

use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::ser::{SerializeMap, Serializer};
use serde::{Deserialize, Deserializer, Serialize, de};

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

/// The forms that a fate takes in a file, together; which of them may stand is checked once.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct RequestForm {
    delay: Option<Span>,
    copies: Option<Copies>,
    apart: Option<Span>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct ResponseForm {
    delay: Span,
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
        const FORM: &str = r#""deliver", "lose", {"delay": "90s"} or {"copies": 2, "apart": "1s"}"#;
        struct Visitor;
        impl<'de> de::Visitor<'de> for Visitor {
            type Value = RequestFate;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(FORM)
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<RequestFate, E> {
                match text {
                    "deliver" => Ok(RequestFate::Delivered),
                    "lose" => Ok(RequestFate::Lost),
                    _ => Err(E::invalid_value(de::Unexpected::Str(text), &self)),
                }
            }
            fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<RequestFate, A::Error> {
                match RequestForm::deserialize(MapAccessDeserializer::new(map))? {
                    RequestForm { delay: Some(delay), copies: None, apart: None } => Ok(RequestFate::Delayed(delay)),
                    RequestForm { delay: None, copies: Some(copies), apart } => {
                        Ok(RequestFate::Copied { copies, apart: apart.unwrap_or(Span::secs(1)) })
                    }
                    _ => Err(de::Error::custom(format!("found other fields together, allowed: {FORM}"))),
                }
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

impl<'de> Deserialize<'de> for ResponseFate {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl<'de> de::Visitor<'de> for Visitor {
            type Value = ResponseFate;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(r#""deliver", "lose" or {"delay": "40s"}"#)
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<ResponseFate, E> {
                match text {
                    "deliver" => Ok(ResponseFate::Delivered),
                    "lose" => Ok(ResponseFate::Lost),
                    _ => Err(E::invalid_value(de::Unexpected::Str(text), &self)),
                }
            }
            fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<ResponseFate, A::Error> {
                let form = ResponseForm::deserialize(MapAccessDeserializer::new(map))?;
                Ok(ResponseFate::Delayed(form.delay))
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NamedPlan {
    name: Text,
    plan: Vec<CallFault>,
}

impl<'de> Deserialize<'de> for Fault {
    /// A preset's name, a plan, or `{"name": …, "plan": […]}`.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl<'de> de::Visitor<'de> for Visitor {
            type Value = Fault;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{} or an array of plans a call", Fault::PRESETS.join(", "))
            }
            fn visit_str<E: de::Error>(self, name: &str) -> Result<Fault, E> {
                Fault::preset(name).ok_or_else(|| E::invalid_value(de::Unexpected::Str(name), &self))
            }
            fn visit_seq<A: de::SeqAccess<'de>>(self, seq: A) -> Result<Fault, A::Error> {
                let plan = Vec::deserialize(SeqAccessDeserializer::new(seq))?;
                Fault::checked(Text::new("custom"), plan)
            }
            fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<Fault, A::Error> {
                let NamedPlan { name, plan } = NamedPlan::deserialize(MapAccessDeserializer::new(map))?;
                Fault::checked(name, plan)
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

impl Fault {
    fn checked<E: de::Error>(name: Text, plan: Vec<CallFault>) -> Result<Self, E> {
        if plan.len() > Self::LONGEST_PLAN {
            return Err(E::custom(format!("found {} entries, allowed: at most {}", plan.len(), Self::LONGEST_PLAN)));
        }
        for (i, strike) in plan.iter().enumerate() {
            if plan[..i].iter().any(|earlier| earlier.call == strike.call) {
                return Err(E::custom(format!("found call {} twice, allowed: one entry a call", strike.call)));
            }
        }
        Ok(Self { name, plan })
    }
}
