//! What goes wrong, as data: on the wire and in the service, call by call.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::by_name::{Preset, is_usual};
use super::number::WholeNumber;
use super::text::Text;
use super::time::{Span, Time};

mod fates;
mod file;

pub use fates::{Copies, LookupFate, RequestFate, ResponseFate, ServiceFate};

/// A fault plan with a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What it is called.
    pub name: Text,
    /// What goes wrong.
    pub plan: FaultPlan,
}

/// What becomes of certain calls and lookups, and when the service is down. What it does not name goes well.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FaultPlan {
    /// Charge requests; at most one entry a call.
    pub calls: Vec<CallFault>,
    /// Lookups; at most one entry a lookup.
    pub lookups: Vec<LookupFault>,
    /// When the service is down.
    pub outages: Vec<Outage>,
}

/// What becomes of one call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CallFault {
    /// Which charge request, counted from 1 in sending order, whatever attempt or agent it belongs to.
    pub call: Call,
    /// What becomes of the request.
    #[serde(default, skip_serializing_if = "is_usual")]
    pub request: RequestFate,
    /// What the service does with it, each time that it arrives.
    #[serde(default, skip_serializing_if = "is_usual")]
    pub service: ServiceFate,
    /// What becomes of each answer to it.
    #[serde(default, skip_serializing_if = "is_usual")]
    pub response: ResponseFate,
}

/// What becomes of one lookup.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LookupFault {
    /// Which lookup, counted from 1 in sending order, whatever agent it belongs to.
    pub lookup: Call,
    /// What becomes of the lookup on the wire.
    #[serde(default, skip_serializing_if = "is_usual")]
    pub request: ResponseFate,
    /// What the service does with it.
    #[serde(default, skip_serializing_if = "is_usual")]
    pub service: LookupFate,
    /// What becomes of its answer.
    #[serde(default, skip_serializing_if = "is_usual")]
    pub response: ResponseFate,
}

/// A time in which the service is down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Outage {
    /// From this instant on, counted from the start of the run.
    pub from: Span,
    /// Up to this instant, at which it is up again.
    pub until: Span,
    /// What a client sees of it.
    #[serde(default, skip_serializing_if = "is_usual")]
    pub sees: OutageAnswer,
}

/// What a client sees of a service that is down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum OutageAnswer {
    /// That it is unavailable (HTTP 503): a definite refusal.
    #[default]
    Unavailable,
    /// Nothing at all.
    Nothing,
}

/// The number of a charge request, or of a lookup.
pub type Call = WholeNumber<1, 10_000>;

impl CallFault {
    /// A call that nothing happens to, to set one fate of.
    #[must_use]
    pub const fn none(call: Call) -> Self {
        Self { call, request: RequestFate::Delivered, service: ServiceFate::Works, response: ResponseFate::Delivered }
    }
}

impl FaultPlan {
    /// What becomes of the `call`-th charge request; none where nothing does.
    #[must_use]
    #[inline]
    pub fn call(&self, call: u32) -> Option<&CallFault> {
        self.calls.iter().find(|fault| fault.call.get() == call)
    }

    /// Where the entry for the `call`-th charge request stands; beyond the end of the plan where there is none.
    #[inline]
    pub(crate) fn place_of_call(&self, call: u32) -> u32 {
        let place = self.calls.iter().position(|fault| fault.call.get() == call);
        place.and_then(|place| u32::try_from(place).ok()).unwrap_or(u32::MAX)
    }

    /// The entry at that place.
    #[inline]
    pub(crate) fn at_place(&self, place: u32) -> Option<&CallFault> {
        self.calls.get(place as usize)
    }

    /// What becomes of the `lookup`-th lookup; none where nothing does.
    #[must_use]
    #[inline]
    pub fn lookup(&self, lookup: u32) -> Option<&LookupFault> {
        self.lookups.iter().find(|fault| fault.lookup.get() == lookup)
    }

    /// Whether the service is down then, and what a client sees of it.
    #[must_use]
    #[inline]
    pub fn outage(&self, at: Time) -> Option<OutageAnswer> {
        let ms = at.as_ms();
        let down = |outage: &&Outage| (outage.from.as_ms()..outage.until.as_ms()).contains(&ms);
        self.outages.iter().find(down).map(|outage| outage.sees)
    }

    /// How many entries it has.
    #[must_use]
    pub fn len(&self) -> usize {
        self.calls.len() + self.lookups.len() + self.outages.len()
    }

    /// Whether nothing goes wrong.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The plan in plain words, one clause an entry: `call 1: the response is lost`.
    #[must_use]
    pub fn describe(&self) -> String {
        if self.is_empty() {
            return "nothing goes wrong".to_owned();
        }
        let calls = self.calls.iter().map(CallFault::describe);
        let lookups = self.lookups.iter().map(LookupFault::describe);
        let outages = self.outages.iter().map(Outage::describe);
        calls.chain(lookups).chain(outages).collect::<Vec<_>>().join("; ")
    }
}

impl From<Vec<CallFault>> for FaultPlan {
    fn from(calls: Vec<CallFault>) -> Self {
        Self { calls, ..Self::default() }
    }
}

impl Fault {
    /// The names of the presets, in the order of every list and key.
    pub const PRESETS: [&'static str; 4] = ["none", "lost-ack", "late-commit", "redelivery"];
    /// The most entries that a plan may have.
    pub const LONGEST_PLAN: usize = 100;
    /// The names of all presets: first the four of the grid.
    pub const NAMED: [&'static str; 12] = [
        "none",
        "lost-ack",
        "late-commit",
        "redelivery",
        "lost-request",
        "heavy-tail",
        "error-before",
        "error-after",
        "unavailable",
        "rate-limited",
        "service-crash",
        "outage",
    ];

    /// The four presets of the grid: none, lost-ack, late-commit, redelivery. Each strikes call 1.
    #[must_use]
    pub fn presets() -> [Self; 4] {
        let strike = CallFault::none(Call::new(1));
        let lost_ack = CallFault { response: ResponseFate::Lost, ..strike };
        let late = CallFault { request: RequestFate::Delayed(Span::secs(90)), ..strike };
        let twice = RequestFate::Copied { copies: Copies::new(2), apart: Span::secs(1) };
        let redelivery = CallFault { request: twice, ..strike };
        let preset = |n: usize, plan: Vec<CallFault>| Self { name: Text::new(Self::PRESETS[n]), plan: plan.into() };
        [preset(0, vec![]), preset(1, vec![lost_ack]), preset(2, vec![late]), preset(3, vec![redelivery])]
    }

    /// All presets, those of the grid first. The delays are those of LIMBO (arXiv 2609.29095).
    #[must_use]
    pub fn named_presets() -> Vec<Self> {
        let strike = CallFault::none(Call::new(1));
        let served = |service| FaultPlan::from(vec![CallFault { service, ..strike }]);
        let tail = RequestFate::Drawn { from: Span::secs(40), to: Span::secs(7_200) };
        let down = Outage { from: Span::ZERO, until: Span::secs(60), sees: OutageAnswer::Unavailable };
        let beyond = [
            vec![CallFault { request: RequestFate::Lost, ..strike }].into(),
            vec![CallFault { request: tail, ..strike }].into(),
            served(ServiceFate::ErrorBefore),
            served(ServiceFate::ErrorAfter),
            served(ServiceFate::Unavailable),
            served(ServiceFate::RateLimited { retry_after: Span::secs(20) }),
            served(ServiceFate::Crash),
            FaultPlan { outages: vec![down], ..FaultPlan::default() },
        ];
        let names = Self::NAMED[Self::PRESETS.len()..].iter();
        let beyond = names.zip(beyond).map(|(name, plan)| Self { name: Text::new(name), plan });
        Self::presets().into_iter().chain(beyond).collect()
    }

    /// The preset of that name, of the grid or beyond it.
    #[must_use]
    pub fn preset(name: &str) -> Option<Self> {
        Self::named(name)
    }

    /// The name of the preset that this is; none where it is another fault, whatever its name.
    #[must_use]
    pub fn preset_name(&self) -> Option<&'static str> {
        self.known_as()
    }

    /// What becomes of the `call`-th charge request and its answers, on the wire.
    #[must_use]
    pub fn of_call(&self, call: u32) -> (RequestFate, ResponseFate) {
        self.plan.call(call).map_or_else(Default::default, |fault| (fault.request, fault.response))
    }

    /// The plan in plain words, one clause an entry: `call 1: the response is lost`.
    #[must_use]
    pub fn describe(&self) -> String {
        self.plan.describe()
    }
}

impl Preset for Fault {
    const NAMES: &'static [&'static str] = &Self::NAMED;
    const OTHERWISE: &'static str = file::PLAN_FORMS;

    fn all() -> Vec<Self> {
        Self::named_presets()
    }
}

impl CallFault {
    fn describe(&self) -> String {
        let clauses = [self.request.words("request"), self.service.words(), self.response.words("response")];
        in_words(format!("call {}", self.call), clauses)
    }
}

impl LookupFault {
    fn describe(&self) -> String {
        let clauses = [self.request.words("lookup"), self.service.words(), self.response.words("finding")];
        in_words(format!("lookup {}", self.lookup), clauses)
    }
}

impl Outage {
    fn describe(&self) -> String {
        let sees = match self.sees {
            OutageAnswer::Unavailable => "says so",
            OutageAnswer::Nothing => "says nothing",
        };
        format!("the service is down from {} to {} and {sees}", self.from.human(), self.until.human())
    }
}

fn in_words(what: String, clauses: [Option<String>; 3]) -> String {
    let clauses: Vec<String> = clauses.into_iter().flatten().collect();
    if clauses.is_empty() { what + ": nothing goes wrong" } else { what + ": " + &clauses.join(", ") }
}
