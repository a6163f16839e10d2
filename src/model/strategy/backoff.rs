//! How long a pause is, from one attempt to the next.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::model::by_name::is_usual;
use crate::model::draw;
use crate::model::number::WholeNumber;
use crate::model::time::Span;

/// How long the pauses between attempts are. In a file: a span where all are the same, or an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Backoff {
    /// The first pause.
    pub first: Span,
    /// By how much each pause is longer than the one before.
    pub factor: Factor,
    /// The longest pause.
    pub cap: Span,
    /// How much of it is left to chance.
    pub jitter: Jitter,
}

/// By how much each pause is longer than the one before.
pub type Factor = WholeNumber<1, 10>;

/// How much of a pause is left to chance ("Exponential Backoff And Jitter", AWS Architecture Blog, 2015).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Jitter {
    /// Nothing.
    #[default]
    None,
    /// All of it: anything from no time to the whole pause.
    Full,
    /// Half of it: anything from half the pause to the whole.
    Equal,
}

impl Backoff {
    /// Pauses that are all the same.
    #[must_use]
    pub const fn fixed(pause: Span) -> Self {
        Self { first: pause, factor: Factor::new(1), cap: Span::MAX, jitter: Jitter::None }
    }

    /// The pause after the `nth` failure, counted from 0. `bits` is called for chance, where there is any. Never longer
    /// than the cap, whatever `nth` is.
    #[must_use]
    #[inline]
    pub fn pause(&self, nth: u32, bits: impl FnOnce() -> u64) -> Span {
        if self.factor.get() == 1 && self.jitter == Jitter::None {
            return self.first.min(self.cap);
        }
        let grown = u64::from(self.factor.get()).checked_pow(nth).and_then(|by| self.first.as_ms().checked_mul(by));
        let whole = grown.map_or(self.cap, |ms| Span::ms(ms).min(self.cap));
        match self.jitter {
            Jitter::None => whole,
            Jitter::Full => draw::uniform(bits(), whole),
            Jitter::Equal => {
                let fixed = Span::ms(whole.as_ms() / 2);
                fixed + draw::uniform(bits(), Span::ms(whole.as_ms() - fixed.as_ms()))
            }
        }
    }

    /// The pauses in plain words: `1 s`, or `1 s, then ×2 up to 60 s`.
    #[must_use]
    pub fn human(&self) -> String {
        let first = self.first.min(self.cap).human();
        let mut words = match self.factor.get() {
            1 => first,
            factor if self.cap == Span::MAX => format!("{first}, then ×{factor}"),
            factor => format!("{first}, then ×{factor} up to {}", self.cap.human()),
        };
        match self.jitter {
            Jitter::None => {}
            Jitter::Full => words.push_str(", any part of it"),
            Jitter::Equal => words.push_str(", from half of it on"),
        }
        words
    }
}

impl From<Span> for Backoff {
    fn from(pause: Span) -> Self {
        Self::fixed(pause)
    }
}

impl fmt::Display for Backoff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.human())
    }
}

/// The object form.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Fields {
    /// The first pause.
    first: Span,
    /// By how much each pause is longer than the one before.
    #[serde(default = "same")]
    factor: Factor,
    /// The longest pause.
    #[serde(default = "longest", skip_serializing_if = "is_longest")]
    cap: Span,
    /// How much of it is left to chance.
    #[serde(default, skip_serializing_if = "is_usual")]
    jitter: Jitter,
}

const fn same() -> Factor {
    Factor::new(1)
}

const fn longest() -> Span {
    Span::MAX
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_longest(span: &Span) -> bool {
    *span == Span::MAX
}

impl Serialize for Backoff {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { first, factor, cap, jitter } = *self;
        if *self == Self::fixed(first) {
            return first.serialize(serializer);
        }
        Fields { first, factor, cap, jitter }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Backoff {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl<'de> de::Visitor<'de> for Visitor {
            type Value = Backoff;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, r#"{}, or {{"first": "1s", "factor": 2, "cap": "60s"}}"#, Span::FORM)
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<Backoff, E> {
                text.parse().map(Backoff::fixed).map_err(E::custom)
            }
            fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<Backoff, A::Error> {
                let Fields { first, factor, cap, jitter } =
                    Fields::deserialize(de::value::MapAccessDeserializer::new(map))?;
                Ok(Backoff { first, factor, cap, jitter })
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

impl JsonSchema for Backoff {
    fn schema_name() -> Cow<'static, str> {
        "Backoff".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let (span, fields) = (generator.subschema_for::<Span>(), generator.subschema_for::<Fields>());
        json_schema!({ "anyOf": [span, fields] })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_to_the_cap_and_never_overflow() {
        let backoff =
            Backoff { first: Span::secs(1), factor: Factor::new(2), cap: Span::secs(60), jitter: Jitter::None };
        let pauses: Vec<u64> = (0..8).map(|n| backoff.pause(n, || 0).as_ms() / 1_000).collect();
        assert_eq!(pauses, [1, 2, 4, 8, 16, 32, 60, 60]);
        let hostile = Backoff { first: Span::MAX, factor: Factor::new(10), cap: Span::MAX, jitter: Jitter::Equal };
        for n in [0, 1, 63, 64, 1_000, u32::MAX] {
            assert!(hostile.pause(n, || u64::MAX) <= Span::MAX);
        }
    }

    #[test]
    fn jitter_stays_within_its_part() {
        let full = Backoff { jitter: Jitter::Full, ..Backoff::fixed(Span::secs(10)) };
        let equal = Backoff { jitter: Jitter::Equal, ..full };
        assert_eq!((full.pause(0, || 0), full.pause(0, || u64::MAX)), (Span::ZERO, Span::secs(10)));
        assert_eq!((equal.pause(0, || 0), equal.pause(0, || u64::MAX)), (Span::secs(5), Span::secs(10)));
    }
}
