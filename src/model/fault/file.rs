//! A fault plan as it stands in a file: a list of entries, or a list with a name.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::value::SeqAccessDeserializer;
use serde::ser::{SerializeSeq, SerializeStruct};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::{
    Call, CallFault, Fault, FaultPlan, LookupFate, LookupFault, Outage, RequestFate, ResponseFate, ServiceFate,
};
use crate::model::by_name::present;
use crate::model::json;
use crate::model::text::Text;

/// What may stand for a fault, for error messages.
pub(super) const PLAN_FORMS: &str = r#"an array of plans such as {"call": 1, "response": "lose"}"#;

const ENTRY_FORMS: &str = r#"one of "call", "lookup" and "down" in each plan"#;

/// One entry, of whichever kind.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Entry {
    #[serde(default, deserialize_with = "present")]
    call: Option<Call>,
    #[serde(default, deserialize_with = "present")]
    lookup: Option<Call>,
    #[serde(default, deserialize_with = "present")]
    down: Option<Outage>,
    #[serde(default)]
    request: RequestFate,
    #[serde(default)]
    service: Option<Served>,
    #[serde(default)]
    response: ResponseFate,
}

/// What the service does with a call or with a lookup.
#[derive(Clone, Copy, Debug)]
enum Served {
    Works,
    Error,
    Call(ServiceFate),
    Lookup(LookupFate),
}

impl<'de> Deserialize<'de> for Served {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(rename_all = "kebab-case", deny_unknown_fields)]
        struct Fields {
            #[serde(default, deserialize_with = "present")]
            rate_limited: Option<Limited>,
            #[serde(default, deserialize_with = "present")]
            lag: Option<crate::model::Span>,
        }
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase", deny_unknown_fields)]
        struct Limited {
            retry_after: crate::model::Span,
        }
        impl TryFrom<Fields> for Served {
            type Error = String;
            fn try_from(fields: Fields) -> Result<Self, String> {
                match fields {
                    Fields { rate_limited: Some(Limited { retry_after }), lag: None } => {
                        Ok(Self::Call(ServiceFate::RateLimited { retry_after }))
                    }
                    Fields { rate_limited: None, lag: Some(lag) } => Ok(Self::Lookup(LookupFate::Lag(lag))),
                    _ => Err(format!("found none or both, allowed: {OBJECTS}")),
                }
            }
        }
        const OBJECTS: &str = r#"{"rate-limited": {"retryAfter": "20s"}} for a call, {"lag": "2m"} for a lookup"#;
        const WORDS: [&str; 6] = ["works", "error-before", "error-after", "unavailable", "crash", "error"];
        let word = |word: &str| {
            Some(match word {
                "works" => Self::Works,
                "error-before" => Self::Call(ServiceFate::ErrorBefore),
                "error-after" => Self::Call(ServiceFate::ErrorAfter),
                "unavailable" => Self::Call(ServiceFate::Unavailable),
                "crash" => Self::Call(ServiceFate::Crash),
                "error" => Self::Error,
                _ => return None,
            })
        };
        json::preset_or::<D, Self, Fields>(deserializer, &WORDS, OBJECTS, word)
    }
}

/// One entry, told apart.
#[derive(Deserialize)]
#[serde(try_from = "Entry")]
enum Plan {
    Call(CallFault),
    Lookup(LookupFault),
    Down(Outage),
}

impl TryFrom<Entry> for Plan {
    type Error = String;

    fn try_from(entry: Entry) -> Result<Self, String> {
        let Entry { call, lookup, down, request, service, response } = entry;
        match (call, lookup, down) {
            (Some(call), None, None) => {
                let service = match service {
                    None | Some(Served::Works) => ServiceFate::Works,
                    Some(Served::Call(fate)) => fate,
                    Some(Served::Error) => {
                        return Err(
                            r#"found the service "error", allowed for a call: error-before, error-after"#.into()
                        );
                    }
                    Some(Served::Lookup(_)) => return Err("found the service's lag, allowed only for a lookup".into()),
                };
                Ok(Self::Call(CallFault { call, request, service, response }))
            }
            (None, Some(lookup), None) => {
                let service = match service {
                    None | Some(Served::Works) => LookupFate::Works,
                    Some(Served::Lookup(fate)) => fate,
                    Some(Served::Error) => LookupFate::Error,
                    Some(Served::Call(_)) => {
                        return Err(
                            r#"found a call's service, allowed for a lookup: works, error or {"lag": "2m"}"#.into()
                        );
                    }
                };
                let request = match request {
                    RequestFate::Delivered => ResponseFate::Delivered,
                    RequestFate::Lost => ResponseFate::Lost,
                    RequestFate::Delayed(by) => ResponseFate::Delayed(by),
                    RequestFate::Drawn { from, to } => ResponseFate::Drawn { from, to },
                    RequestFate::Copied { .. } => {
                        return Err("found copies of a lookup, allowed only for a call".into());
                    }
                };
                Ok(Self::Lookup(LookupFault { lookup, request, service, response }))
            }
            (None, None, Some(down)) => {
                if request != RequestFate::Delivered || service.is_some() || response != ResponseFate::Delivered {
                    return Err(r#"found "down" with other fields, allowed: "down" alone"#.into());
                }
                if down.from >= down.until {
                    let Outage { from, until, .. } = down;
                    return Err(format!("found down from {from} until {until}, allowed: until later than from"));
                }
                Ok(Self::Down(down))
            }
            (None, None, None) => Err(format!("found none of them, allowed: {ENTRY_FORMS}")),
            _ => Err(format!("found several of them, allowed: {ENTRY_FORMS}")),
        }
    }
}

impl TryFrom<Vec<Plan>> for FaultPlan {
    type Error = String;

    fn try_from(plans: Vec<Plan>) -> Result<Self, String> {
        if plans.len() > Fault::LONGEST_PLAN {
            return Err(format!("found {} plans, allowed: at most {}", plans.len(), Fault::LONGEST_PLAN));
        }
        let mut all = Self::default();
        for plan in plans {
            match plan {
                Plan::Call(fault) if all.call(fault.call.get()).is_some() => {
                    return Err(format!("found two plans for call {}, allowed: one a call", fault.call));
                }
                Plan::Lookup(fault) if all.lookup(fault.lookup.get()).is_some() => {
                    return Err(format!("found two plans for lookup {}, allowed: one a lookup", fault.lookup));
                }
                Plan::Call(fault) => all.calls.push(fault),
                Plan::Lookup(fault) => all.lookups.push(fault),
                Plan::Down(outage) => all.outages.push(outage),
            }
        }
        Ok(all)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NamedPlan {
    name: Text,
    plan: FaultPlan,
}

impl<'de> Deserialize<'de> for FaultPlan {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl<'de> de::Visitor<'de> for Visitor {
            type Value = FaultPlan;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(PLAN_FORMS)
            }
            fn visit_seq<A: de::SeqAccess<'de>>(self, seq: A) -> Result<FaultPlan, A::Error> {
                let plans = Vec::<Plan>::deserialize(SeqAccessDeserializer::new(seq))?;
                plans.try_into().map_err(de::Error::custom)
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

impl<'de> Deserialize<'de> for Fault {
    /// An array of plans, or `{"name": .., "plan": [..]}`.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl<'de> de::Visitor<'de> for Visitor {
            type Value = Fault;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(PLAN_FORMS)
            }
            fn visit_seq<A: de::SeqAccess<'de>>(self, seq: A) -> Result<Fault, A::Error> {
                let plan = FaultPlan::deserialize(SeqAccessDeserializer::new(seq))?;
                Ok(Fault { name: Text::new("custom"), plan })
            }
            fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<Fault, A::Error> {
                let NamedPlan { name, plan } = NamedPlan::deserialize(de::value::MapAccessDeserializer::new(map))?;
                Ok(Fault { name, plan })
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

impl Serialize for FaultPlan {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Down<'a> {
            down: &'a Outage,
        }
        let mut seq = serializer.serialize_seq(Some(self.len()))?;
        self.calls.iter().try_for_each(|call| seq.serialize_element(call))?;
        self.lookups.iter().try_for_each(|lookup| seq.serialize_element(lookup))?;
        self.outages.iter().try_for_each(|down| seq.serialize_element(&Down { down }))?;
        seq.end()
    }
}

impl Serialize for Fault {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fault = serializer.serialize_struct("Fault", 2)?;
        fault.serialize_field("name", &self.name)?;
        fault.serialize_field("plan", &self.plan)?;
        fault.end()
    }
}

impl JsonSchema for FaultPlan {
    fn schema_name() -> Cow<'static, str> {
        "FaultPlan".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let (call, lookup) = (generator.subschema_for::<CallFault>(), generator.subschema_for::<LookupFault>());
        let down = generator.subschema_for::<Outage>();
        let down = json_schema!({
            "type": "object", "additionalProperties": false, "required": ["down"], "properties": { "down": down },
        });
        json_schema!({ "type": "array", "maxItems": Fault::LONGEST_PLAN, "items": { "anyOf": [call, lookup, down] } })
    }
}

impl JsonSchema for Fault {
    fn schema_name() -> Cow<'static, str> {
        "Fault".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let plan = generator.subschema_for::<FaultPlan>();
        let named = json_schema!({
            "type": "object", "additionalProperties": false, "required": ["name", "plan"],
            "properties": { "name": { "type": "string" }, "plan": plan },
        });
        json_schema!({ "anyOf": [plan, named] })
    }
}
