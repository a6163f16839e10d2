//! How likely each mishap is, and how late what is late: what odds are worked out from.

use serde::{Deserialize, Serialize};

use super::bounds::Mishap;
use crate::model::json;
use crate::model::{Span, Time};

/// How likely it is that each mishap befalls a call, or a lookup; independently of every other.
#[derive(Clone, Debug, PartialEq)]
pub struct Chances {
    /// For each mishap its probability, 0 to 1, in the order of [`Mishap::ALL`]. Those of calls add up to at most 1, and
    /// those of lookups; the rest goes well.
    of: [f64; Mishap::ALL.len()],
    /// How late a late message is.
    pub lateness: Lateness,
    /// How far behind its original a copy is.
    pub copies_apart: Span,
    /// Mishaps befall only the first so many calls, and the first so many lookups.
    pub calls: u32,
}

/// How late a late message is, from when it was sent.
#[derive(Clone, Debug, PartialEq)]
pub enum Lateness {
    /// One of these, each with its probability; they add up to 1.
    Listed(Vec<(Span, f64)>),
    /// Log-uniform between two spans, rounded down to a millisecond: P(delay ≤ d) = ln(d / from) / ln(to / from).
    Tail {
        /// The shortest delay; at least 1 ms.
        from: Span,
        /// The longest delay; not shorter.
        to: Span,
    },
}

/// How far a sum of probabilities may be off by rounding.
const ROUNDING: f64 = 1e-9;

impl Default for Chances {
    /// What a team might expect of a busy week, and nobody's measurement: 2 in 1,000 calls each lose their request, land
    /// late, lose their answer, or fail before the commit; 1 in 1,000 each fails after it or arrives twice; 5 in 1,000 are
    /// refused for now. The lateness is the heavy tail of LIMBO (arXiv 2609.29095): log-uniform from 40 s to 2 h.
    fn default() -> Self {
        let mut chances = Self::none();
        for (mishap, probability) in [
            (Mishap::RequestLost, 0.002),
            (Mishap::RequestLate, 0.002),
            (Mishap::Copied, 0.001),
            (Mishap::ErrorBefore, 0.002),
            (Mishap::ErrorAfter, 0.001),
            (Mishap::Unavailable, 0.005),
            (Mishap::ResponseLost, 0.002),
            (Mishap::LookupLost, 0.002),
            (Mishap::ReadError, 0.002),
        ] {
            chances.of[mishap as usize] = probability;
        }
        chances
    }
}

impl Chances {
    /// Nothing ever goes wrong; the rest is as by default.
    #[must_use]
    pub const fn none() -> Self {
        Self {
            of: [0.0; Mishap::ALL.len()],
            lateness: Lateness::Tail { from: Span::secs(40), to: Span::secs(7_200) },
            copies_apart: Span::secs(1),
            calls: super::Bounds::CALLS_MAX,
        }
    }

    /// Each of these mishaps, and that all goes well, is as likely as any other, for calls and for lookups apart.
    ///
    /// # Errors
    ///
    /// Never, for mishaps that are each named once.
    pub fn equal(mishaps: &[Mishap]) -> Result<Self, String> {
        let mut chances = Self::none();
        for &mishap in mishaps {
            let of_its_kind = mishaps.iter().filter(|other| other.is_of_lookup() == mishap.is_of_lookup()).count();
            #[expect(clippy::cast_precision_loss, reason = "there are 14")]
            let share = 1.0 / (of_its_kind + 1) as f64;
            chances.set(mishap, share)?;
        }
        Ok(chances)
    }

    /// The same with another lateness, befalling only the first so many calls and lookups.
    #[must_use]
    pub fn with(mut self, lateness: Lateness, calls: u32) -> Self {
        self.lateness = lateness;
        self.calls = calls;
        self
    }

    /// How likely a mishap is.
    #[must_use]
    pub const fn of(&self, mishap: Mishap) -> f64 {
        self.of[mishap as usize]
    }

    /// Says how likely a mishap is.
    ///
    /// # Errors
    ///
    /// What was found and what is allowed, where it is not within 0 to 1, or more than all of them.
    pub fn set(&mut self, mishap: Mishap, probability: f64) -> Result<(), String> {
        if !(0.0..=1.0).contains(&probability) {
            return Err(format!("{mishap}: found {probability}, allowed: a probability from 0 to 1"));
        }
        self.of[mishap as usize] = probability;
        let sum = self.sum(mishap.is_of_lookup());
        if sum > 1.0 + ROUNDING {
            let whose = if mishap.is_of_lookup() { "a lookup" } else { "a call" };
            return Err(format!("{mishap}: found a sum of {sum} for {whose}, allowed: at most 1"));
        }
        Ok(())
    }

    /// The probabilities of all mishaps of calls, or of lookups, together.
    #[must_use]
    pub fn sum(&self, of_lookup: bool) -> f64 {
        self.likely(of_lookup).map(|(_, probability)| probability).sum()
    }

    /// The mishaps of calls, or of lookups, that can happen, in the order of [`Mishap::ALL`].
    pub fn likely(&self, of_lookup: bool) -> impl Iterator<Item = (Mishap, f64)> {
        let all = Mishap::ALL.into_iter().filter(move |mishap| mishap.is_of_lookup() == of_lookup);
        all.map(|mishap| (mishap, self.of(mishap))).filter(|(_, probability)| *probability > 0.0)
    }

    /// Reads chances in the file form:
    /// `{"calls": {"request-lost": 0.01}, "lookups": {"read-error": 0.01}, "lateness": "90s", "copiesApart": "1s"}`.
    /// What is left out of `calls` or `lookups` never happens; `lateness` is a span, `{"from": "40s", "to": "2h"}`, or a
    /// list of `{"delay": "60s", "probability": 0.5}`. `"delivered"`, where it is given, is the rest.
    ///
    /// # Errors
    ///
    /// The place, what was found and what is allowed.
    pub fn from_json(text: &str) -> Result<Self, json::Error> {
        let file: File = json::from_str(text)?;
        file.try_into().map_err(<json::Error as serde::de::Error>::custom)
    }

    /// The chances in words, a line each.
    #[must_use]
    pub fn describe(&self) -> String {
        let list = |of_lookup| {
            let each: Vec<String> =
                self.likely(of_lookup).map(|(mishap, probability)| format!("{mishap} {probability}")).collect();
            if each.is_empty() { "nothing".to_owned() } else { each.join(", ") }
        };
        format!(
            "a call: {}\na lookup: {}\nlateness: {}; a copy is {} behind",
            list(false),
            list(true),
            self.lateness.describe(),
            self.copies_apart.human()
        )
    }
}

impl Lateness {
    /// It is always the same.
    #[must_use]
    pub fn fixed(delay: Span) -> Self {
        Self::Listed(vec![(delay, 1.0)])
    }

    /// The distribution in words.
    #[must_use]
    pub fn describe(&self) -> String {
        match self {
            Self::Listed(delays) => {
                let each = delays.iter().map(|(delay, probability)| match delays.len() {
                    1 => format!("always {}", delay.human()),
                    _ => format!("{} with {probability}", delay.human()),
                });
                each.collect::<Vec<_>>().join(", ")
            }
            Self::Tail { from, to } => format!("log-uniform from {} to {}", from.human(), to.human()),
        }
    }

    /// The probability that a delay from the tail is within `first` to `last` milliseconds, both included.
    #[must_use]
    pub(super) fn tail_within((from, to): (Span, Span), first: Time, last: Time) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "spans are below 2^53 ms")]
        let below = |ms: u64| {
            // A draw of `ms` is anything from it to the next millisecond, rounded down; the longest stands for itself.
            let (low, high) = (from.as_ms().max(1), to.as_ms().max(1));
            match ms {
                ms if ms <= low => 0.0,
                ms if ms >= high => 1.0,
                ms => libm::log(ms as f64 / low as f64) / libm::log(high as f64 / low as f64),
            }
        };
        let upper = if last.as_ms() >= to.as_ms() { 1.0 } else { below(last.as_ms() + 1) };
        let lower = if first.as_ms() <= from.as_ms() { 0.0 } else { below(first.as_ms()) };
        (upper - lower).max(0.0)
    }
}

/// A probability in a file.
#[derive(Clone, Copy, Debug, Default, Serialize)]
struct Probability(f64);

impl<'de> Deserialize<'de> for Probability {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = f64::deserialize(deserializer)?;
        if (0.0..=1.0).contains(&number) {
            return Ok(Self(number));
        }
        Err(serde::de::Error::custom(format!("found {number}, allowed: a probability from 0 to 1")))
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct File {
    #[serde(default)]
    calls: Calls,
    #[serde(default)]
    lookups: Lookups,
    #[serde(default)]
    lateness: Option<LatenessForm>,
    #[serde(default)]
    copies_apart: Option<Span>,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default, try_from = "CallsForm")]
struct Calls(CallsForm);

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
struct CallsForm {
    delivered: Option<Probability>,
    request_lost: Probability,
    request_late: Probability,
    copied: Probability,
    error_before: Probability,
    error_after: Probability,
    unavailable: Probability,
    rate_limited: Probability,
    crash: Probability,
    response_lost: Probability,
    response_late: Probability,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default, try_from = "LookupsForm")]
struct Lookups(LookupsForm);

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
struct LookupsForm {
    delivered: Option<Probability>,
    lookup_lost: Probability,
    lookup_late: Probability,
    finding_late: Probability,
    read_error: Probability,
}

impl CallsForm {
    const fn each(&self) -> [(Mishap, Probability); 10] {
        [
            (Mishap::RequestLost, self.request_lost),
            (Mishap::RequestLate, self.request_late),
            (Mishap::Copied, self.copied),
            (Mishap::ErrorBefore, self.error_before),
            (Mishap::ErrorAfter, self.error_after),
            (Mishap::Unavailable, self.unavailable),
            (Mishap::RateLimited, self.rate_limited),
            (Mishap::Crash, self.crash),
            (Mishap::ResponseLost, self.response_lost),
            (Mishap::ResponseLate, self.response_late),
        ]
    }
}

impl LookupsForm {
    const fn each(&self) -> [(Mishap, Probability); 4] {
        [
            (Mishap::LookupLost, self.lookup_lost),
            (Mishap::LookupLate, self.lookup_late),
            (Mishap::FindingLate, self.finding_late),
            (Mishap::ReadError, self.read_error),
        ]
    }
}

impl TryFrom<CallsForm> for Calls {
    type Error = String;

    fn try_from(form: CallsForm) -> Result<Self, String> {
        sums_up(form.delivered, &form.each()).map(|()| Self(form))
    }
}

impl TryFrom<LookupsForm> for Lookups {
    type Error = String;

    fn try_from(form: LookupsForm) -> Result<Self, String> {
        sums_up(form.delivered, &form.each()).map(|()| Self(form))
    }
}

fn sums_up(delivered: Option<Probability>, each: &[(Mishap, Probability)]) -> Result<(), String> {
    let sum: f64 = each.iter().map(|(_, probability)| probability.0).sum();
    match delivered {
        None if sum > 1.0 + ROUNDING => Err(format!("found a sum of {sum}, allowed: at most 1")),
        Some(Probability(rest)) if (sum + rest - 1.0).abs() > ROUNDING => {
            Err(format!("found a sum of {} with \"delivered\", allowed: 1", sum + rest))
        }
        _ => Ok(()),
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct TailForm {
    from: Span,
    to: Span,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct ListedForm {
    delay: Span,
    probability: Probability,
}

struct LatenessForm(Lateness);

impl<'de> Deserialize<'de> for LatenessForm {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl<'de> serde::de::Visitor<'de> for Visitor {
            type Value = Lateness;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(r#"a span such as 90s, {"from": "40s", "to": "2h"}, or a list of delays"#)
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Lateness, E> {
                text.parse().map(Lateness::fixed).map_err(E::custom)
            }

            fn visit_map<A: serde::de::MapAccess<'de>>(self, map: A) -> Result<Lateness, A::Error> {
                let TailForm { from, to } = TailForm::deserialize(serde::de::value::MapAccessDeserializer::new(map))?;
                if from == Span::ZERO || from > to {
                    let problem =
                        format!("found from {from} to {to}, allowed: at least 1ms, and not longer than \"to\"");
                    return Err(serde::de::Error::custom(problem));
                }
                Ok(Lateness::Tail { from, to })
            }

            fn visit_seq<A: serde::de::SeqAccess<'de>>(self, seq: A) -> Result<Lateness, A::Error> {
                let list = Vec::<ListedForm>::deserialize(serde::de::value::SeqAccessDeserializer::new(seq))?;
                let sum: f64 = list.iter().map(|listed| listed.probability.0).sum();
                if (sum - 1.0).abs() > ROUNDING {
                    let problem = format!("found probabilities with a sum of {sum}, allowed: 1");
                    return Err(serde::de::Error::custom(problem));
                }
                Ok(Lateness::Listed(list.into_iter().map(|listed| (listed.delay, listed.probability.0)).collect()))
            }
        }
        deserializer.deserialize_any(Visitor).map(Self)
    }
}

impl TryFrom<File> for Chances {
    type Error = String;

    fn try_from(file: File) -> Result<Self, String> {
        let mut chances = Self::none();
        for (mishap, probability) in file.calls.0.each().into_iter().chain(file.lookups.0.each()) {
            chances.of[mishap as usize] = probability.0;
        }
        if let Some(LatenessForm(lateness)) = file.lateness {
            chances.lateness = lateness;
        }
        if let Some(apart) = file.copies_apart {
            chances.copies_apart = apart;
        }
        Ok(chances)
    }
}
