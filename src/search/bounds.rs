//! How far a search goes: what may befall a call, how many calls and faults, and over which delays.

use std::fmt;
use std::str::FromStr;

use crate::model::fault::{Copies, LookupFate, RequestFate, ResponseFate, ServiceFate};
use crate::model::{Scenario, Span};
use crate::trace::{Kind, Verdict};

/// One thing that may befall a call or a lookup, in place of going well. The name is that of the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mishap {
    /// The request never arrives.
    RequestLost,
    /// The request arrives later than the latency.
    RequestLate,
    /// The request arrives twice; the copy so much later.
    Copied,
    /// The service fails before the commit, and says so.
    ErrorBefore,
    /// The service fails after the commit, and says so.
    ErrorAfter,
    /// The service refuses for now (HTTP 503).
    Unavailable,
    /// The service refuses for now and asks to come again after 20 s (HTTP 429; LIMBO's figure).
    RateLimited,
    /// The service crashes at the commit.
    Crash,
    /// The answer never arrives.
    ResponseLost,
    /// The answer arrives later than the latency.
    ResponseLate,
    /// A lookup never arrives. For the client it is the same when what it found is lost.
    LookupLost,
    /// A lookup arrives later than the latency, and reads then.
    LookupLate,
    /// A lookup reads in time, and what it found arrives later than the latency.
    FindingLate,
    /// A lookup gets an error.
    ReadError,
}

impl Mishap {
    /// All of them, in the order of every list.
    pub const ALL: [Self; 14] = [
        Self::RequestLost,
        Self::RequestLate,
        Self::Copied,
        Self::ErrorBefore,
        Self::ErrorAfter,
        Self::Unavailable,
        Self::RateLimited,
        Self::Crash,
        Self::ResponseLost,
        Self::ResponseLate,
        Self::LookupLost,
        Self::LookupLate,
        Self::FindingLate,
        Self::ReadError,
    ];
    /// Five that, with going well, make six outcomes of a call: what networks and services do every day.
    pub const USUAL: [Self; 5] =
        [Self::RequestLost, Self::RequestLate, Self::Copied, Self::ErrorAfter, Self::ResponseLost];
    /// How long a rate limit asks to wait.
    pub const RETRY_AFTER: Span = Span::secs(20);

    /// The name on the command line and in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::RequestLost => "request-lost",
            Self::RequestLate => "request-late",
            Self::Copied => "copied",
            Self::ErrorBefore => "error-before",
            Self::ErrorAfter => "error-after",
            Self::Unavailable => "unavailable",
            Self::RateLimited => "rate-limited",
            Self::Crash => "crash",
            Self::ResponseLost => "response-lost",
            Self::ResponseLate => "response-late",
            Self::LookupLost => "lookup-lost",
            Self::LookupLate => "lookup-late",
            Self::FindingLate => "finding-late",
            Self::ReadError => "read-error",
        }
    }

    /// Whether it befalls a lookup, and not a call.
    #[must_use]
    pub const fn is_of_lookup(self) -> bool {
        matches!(self, Self::LookupLost | Self::LookupLate | Self::FindingLate | Self::ReadError)
    }

    /// Whether it needs a delay.
    #[must_use]
    pub const fn is_late(self) -> bool {
        matches!(self, Self::RequestLate | Self::Copied | Self::ResponseLate | Self::LookupLate | Self::FindingLate)
    }

    /// What becomes of a call: its request, its service, its answer. A mishap of a lookup leaves a call alone.
    #[must_use]
    pub const fn of_call(self, delay: Span) -> (RequestFate, ServiceFate, ResponseFate) {
        let (request, service, response) = (RequestFate::Delivered, ServiceFate::Works, ResponseFate::Delivered);
        match self {
            Self::RequestLost => (RequestFate::Lost, service, response),
            Self::RequestLate => (RequestFate::Delayed(delay), service, response),
            Self::Copied => (RequestFate::Copied { copies: Copies::new(2), apart: delay }, service, response),
            Self::ErrorBefore => (request, ServiceFate::ErrorBefore, response),
            Self::ErrorAfter => (request, ServiceFate::ErrorAfter, response),
            Self::Unavailable => (request, ServiceFate::Unavailable, response),
            Self::RateLimited => (request, ServiceFate::RateLimited { retry_after: Self::RETRY_AFTER }, response),
            Self::Crash => (request, ServiceFate::Crash, response),
            Self::ResponseLost => (request, service, ResponseFate::Lost),
            Self::ResponseLate => (request, service, ResponseFate::Delayed(delay)),
            Self::LookupLost | Self::LookupLate | Self::FindingLate | Self::ReadError => (request, service, response),
        }
    }

    /// What becomes of a lookup: on its way, in the service, on the way back. A mishap of a call leaves it alone.
    #[must_use]
    pub const fn of_lookup(self, delay: Span) -> (ResponseFate, LookupFate, ResponseFate) {
        let (there, service, back) = (ResponseFate::Delivered, LookupFate::Works, ResponseFate::Delivered);
        match self {
            Self::LookupLost => (ResponseFate::Lost, service, back),
            Self::LookupLate => (ResponseFate::Delayed(delay), service, back),
            Self::FindingLate => (there, service, ResponseFate::Delayed(delay)),
            Self::ReadError => (there, LookupFate::Error, back),
            _ => (there, service, back),
        }
    }
}

impl fmt::Display for Mishap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Mishap {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|mishap| mishap.name() == name).ok_or_else(|| {
            let names: Vec<&str> = Self::ALL.iter().map(|mishap| mishap.name()).collect();
            format!("allowed: {}", names.join(", "))
        })
    }
}

/// Over which delays a search goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Delays {
    /// Those at which the order of events changes, found for each plan: [`instants`](super::instants).
    Critical,
    /// These and no others.
    Listed(Vec<Span>),
}

/// How far a search goes. It is always stated with what was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Faults strike among the first so many calls, and the first so many lookups; 1 to [`Bounds::CALLS_MAX`].
    pub calls: u32,
    /// At most so many faults in a plan; 0 to [`Bounds::FAULTS_MAX`].
    pub faults: u32,
    /// What may befall a call or a lookup.
    pub mishaps: Vec<Mishap>,
    /// How late, where something is late.
    pub delays: Delays,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { calls: 4, faults: 3, mishaps: Mishap::USUAL.to_vec(), delays: Delays::Critical }
    }
}

impl Bounds {
    /// The most calls that can be asked for.
    pub const CALLS_MAX: u32 = 100;
    /// The most faults that can be asked for.
    pub const FAULTS_MAX: u32 = 8;
    /// The most plans that are searched unless it is forced: less than a minute's work.
    pub const PLANS_MAX: u64 = 5_000_000;

    /// The most plans that there can be, where one late mishap is counted with `instants` delays. Stays at the largest
    /// number where it would be larger.
    #[must_use]
    pub fn at_most(&self, calls: u32, lookups: u32, instants: u64) -> u64 {
        let delays = match &self.delays {
            Delays::Critical => instants,
            Delays::Listed(delays) => delays.len() as u64,
        };
        let ways = |of_lookup: bool| -> u64 {
            let mishaps = self.mishaps.iter().filter(|mishap| mishap.is_of_lookup() == of_lookup);
            mishaps.map(|mishap| if mishap.is_late() { delays } else { 1 }).sum()
        };
        let (of_call, of_lookup) = (ways(false), ways(true));
        let mut sum = 0_u64;
        for faults in 0..=self.faults {
            for among_calls in 0..=faults {
                let among_lookups = faults - among_calls;
                let plans = choose(calls, among_calls)
                    .saturating_mul(choose(lookups, among_lookups))
                    .saturating_mul(of_call.saturating_pow(among_calls))
                    .saturating_mul(of_lookup.saturating_pow(among_lookups));
                sum = sum.saturating_add(plans);
            }
        }
        sum
    }

    /// The bounds in words, without the contract and the strategy.
    #[must_use]
    pub fn describe(&self) -> String {
        let names: Vec<&str> = self.mishaps.iter().map(|mishap| mishap.name()).collect();
        let delays = match &self.delays {
            Delays::Critical => "delays at every instant where the order of events changes".to_owned(),
            Delays::Listed(delays) => {
                format!("delays {}", delays.iter().map(Span::to_string).collect::<Vec<_>>().join(", "))
            }
        };
        let counted = |n: u32, noun: &str| if n == 1 { format!("1 {noun}") } else { format!("{n} {noun}s") };
        let (calls, faults) = (counted(self.calls, "call"), counted(self.faults, "fault"));
        format!("at most {calls} and {faults}; each one of {}; {delays}", names.join(", "))
    }
}

fn choose(n: u32, k: u32) -> u64 {
    if k > n {
        return 0;
    }
    (0..u64::from(k)).fold(1_u64, |chosen, i| chosen.saturating_mul(u64::from(n) - i) / (i + 1))
}

/// Something that must not happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forbid {
    /// More than one charge for a task, whatever the agent says.
    Duplicate,
    /// No charge for a task, whatever the agent says.
    Missing,
    /// Verdict and report together.
    Kind(Kind),
}

impl Forbid {
    /// What is forbidden unless something else is asked for: what no report makes good. A false failure and a missing
    /// charge that is owned up to are left to whoever asks.
    pub const USUAL: [Self; 2] = [Self::Duplicate, Self::Kind(Kind::FalseSuccess)];

    /// Whether an agent's outcome is what is forbidden.
    #[must_use]
    pub fn is(self, verdict: Verdict, kind: Kind) -> bool {
        match self {
            Self::Duplicate => verdict == Verdict::Duplicate,
            Self::Missing => verdict == Verdict::Missing,
            Self::Kind(forbidden) => kind == forbidden,
        }
    }

    /// The name on the command line and in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Duplicate => "duplicate",
            Self::Missing => "missing",
            Self::Kind(kind) => kind.name(),
        }
    }

    /// All of them.
    pub fn all() -> impl Iterator<Item = Self> {
        [Self::Duplicate, Self::Missing].into_iter().chain(Kind::ALL.into_iter().map(Self::Kind))
    }
}

impl FromStr for Forbid {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Self::all().find(|forbid| forbid.name() == name).ok_or_else(|| {
            let names: Vec<&str> = Self::all().map(Self::name).collect();
            format!("allowed: {}", names.join(", "))
        })
    }
}

/// Whether faults can strike a scenario's lookups at all.
#[must_use]
pub fn looks_up(scenario: &Scenario) -> bool {
    use crate::model::strategy::Verify;
    let others = scenario.others.iter().filter_map(|other| other.strategy.as_ref());
    std::iter::once(&scenario.strategy).chain(others).any(|strategy| strategy.verify != Verify::None)
}
