//! Maps: what a scenario comes to over any two of its numbers, and over the space of policies.
//!
//! A map is worked out in pieces ([`Map::advance`], [`Policies::advance`]), so that a screen can show how far it is, stop,
//! and never block a key.

use std::sync::atomic::AtomicBool;

use super::bounds::{Bounds, Forbid};
use super::explore::{Exploration, Findings};
use crate::model::contract::Retention;
use crate::model::fault::{Call, CallFault, Copies, RequestFate, ResponseFate};
use crate::model::number::WholeNumber;
use crate::model::strategy::{Attempts, Backoff, KeyPolicy, Verify};
use crate::model::{Contract, Scenario, Span, Text};
use crate::sim::{Prepared, Simulator};
use crate::trace::Kind;

/// A number of a scenario that can be turned.
#[derive(Clone, Copy, Debug)]
pub struct Dial {
    /// The name on the command line and in JSON.
    pub name: &'static str,
    /// The name as people read it.
    pub title: &'static str,
    /// What it can be, both ends included; spans are in milliseconds.
    pub range: (u64, u64),
    /// Whether it is a span in milliseconds, and not a count.
    pub is_span: bool,
    get: fn(&Scenario) -> u64,
    set: fn(&mut Scenario, u64),
}

impl PartialEq for Dial {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Dial {}

/// The longest span on a dial.
const LONGEST: u64 = Span::MAX.as_ms();

/// All dials: the client's, the network's, the service's, the run's.
pub const DIALS: [Dial; 14] = [
    Dial::span(
        "timeout",
        "client timeout",
        (1, LONGEST),
        |s| s.strategy.timeout.as_ms(),
        |s, ms| {
            s.strategy.timeout = Span::ms(ms);
        },
    ),
    Dial::span("lateness", "commit lateness", (0, LONGEST), lateness, |s, ms| {
        first_call(s).request = RequestFate::Delayed(Span::ms(ms));
    }),
    Dial::span("answer-lateness", "answer lateness", (0, LONGEST), answer_lateness, |s, ms| {
        first_call(s).response = ResponseFate::Delayed(Span::ms(ms));
    }),
    Dial::span("copy-apart", "copy behind by", (0, LONGEST), copy_apart, |s, ms| {
        first_call(s).request = RequestFate::Copied { copies: Copies::new(2), apart: Span::ms(ms) };
    }),
    Dial::span(
        "latency",
        "latency",
        (0, LONGEST),
        |s| s.network.latency.as_ms(),
        |s, ms| {
            s.network.latency = Span::ms(ms);
        },
    ),
    Dial::count(
        "attempts",
        "attempts",
        (1, 1_000),
        |s| u64::from(s.strategy.max_attempts.get()),
        |s, n| {
            s.strategy.max_attempts = Attempts::try_from(n).unwrap_or(s.strategy.max_attempts);
        },
    ),
    Dial::span(
        "backoff",
        "backoff",
        (0, LONGEST),
        |s| s.strategy.backoff.first.as_ms(),
        |s, ms| {
            let cap = s.strategy.backoff.cap.max(Span::ms(ms));
            s.strategy.backoff = Backoff { first: Span::ms(ms), cap, ..s.strategy.backoff };
        },
    ),
    Dial::span(
        "verify-after",
        "wait before the verify",
        (0, LONGEST),
        |s| s.strategy.verify_after.as_ms(),
        |s, ms| {
            s.strategy.verify_after = Span::ms(ms);
        },
    ),
    Dial::count("resends", "transport retries", (0, 100), resends, |s, n| {
        if let (Some(transport), Ok(n)) = (&mut s.strategy.transport, WholeNumber::try_from(n)) {
            transport.retries = n;
        }
    }),
    Dial::span("retention", "keys kept for", (0, LONGEST), retention, |s, ms| {
        s.contract.retention = Retention::For(Span::ms(ms));
    }),
    Dial::span(
        "processing",
        "processing time",
        (0, LONGEST),
        |s| s.contract.processing.as_ms(),
        |s, ms| {
            s.contract.processing = Span::ms(ms);
        },
    ),
    Dial::span(
        "read-lag",
        "read lag",
        (0, LONGEST),
        |s| s.contract.reads.lag.as_ms(),
        |s, ms| {
            s.contract.reads.lag = Span::ms(ms);
        },
    ),
    Dial::span("horizon", "horizon", (0, LONGEST), |s| s.horizon.as_ms(), |s, ms| s.horizon = Span::ms(ms)),
    Dial::count(
        "seed",
        "seed",
        (0, u32::MAX as u64),
        |s| u64::from(s.seed),
        |s, n| {
            s.seed = u32::try_from(n).unwrap_or(s.seed);
        },
    ),
];

impl Dial {
    const fn span(
        name: &'static str,
        title: &'static str,
        range: (u64, u64),
        get: fn(&Scenario) -> u64,
        set: fn(&mut Scenario, u64),
    ) -> Self {
        Self { name, title, range, is_span: true, get, set }
    }

    const fn count(
        name: &'static str,
        title: &'static str,
        range: (u64, u64),
        get: fn(&Scenario) -> u64,
        set: fn(&mut Scenario, u64),
    ) -> Self {
        Self { name, title, range, is_span: false, get, set }
    }

    /// The dial of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        DIALS.into_iter().find(|dial| dial.name == name)
    }

    /// What it stands at; spans in milliseconds. A dial of a fault that the first call does not have stands at what
    /// happens instead: the latency, or 0.
    #[must_use]
    pub fn get(&self, scenario: &Scenario) -> u64 {
        (self.get)(scenario)
    }

    /// Turns it, as far as its range allows.
    pub fn set(&self, scenario: &mut Scenario, to: u64) {
        (self.set)(scenario, to.clamp(self.range.0, self.range.1));
    }

    /// A value of it in words.
    #[must_use]
    pub fn human(&self, value: u64) -> String {
        if self.is_span { Span::ms(value).human() } else { value.to_string() }
    }

    /// `count` values from `from` to `to`, evenly spaced, both ends included.
    #[must_use]
    pub fn values(&self, from: u64, to: u64, count: usize) -> Vec<u64> {
        let (low, high) = (from.clamp(self.range.0, self.range.1), to.clamp(self.range.0, self.range.1));
        let steps = (count.max(2) - 1) as u64;
        let wide = |n: u64| u128::from(high.abs_diff(low)) * u128::from(n) / u128::from(steps);
        let at = |n: u64| u64::try_from(wide(n)).map_or(high, |by| if high >= low { low + by } else { low - by });
        (0..count as u64).map(at).collect()
    }
}

fn first_call(scenario: &mut Scenario) -> &mut CallFault {
    let calls = &mut scenario.fault.plan.calls;
    let place = calls.iter().position(|fault| fault.call.get() == 1).unwrap_or_else(|| {
        calls.push(CallFault::none(Call::new(1)));
        calls.len() - 1
    });
    &mut calls[place]
}

fn lateness(scenario: &Scenario) -> u64 {
    match scenario.fault.of_call(1).0 {
        RequestFate::Delayed(delay) => delay.as_ms(),
        _ => scenario.network.latency.as_ms(),
    }
}

fn answer_lateness(scenario: &Scenario) -> u64 {
    match scenario.fault.of_call(1).1 {
        ResponseFate::Delayed(delay) => delay.as_ms(),
        _ => scenario.network.latency.as_ms(),
    }
}

fn copy_apart(scenario: &Scenario) -> u64 {
    match scenario.fault.of_call(1).0 {
        RequestFate::Copied { apart, .. } => apart.as_ms(),
        _ => 0,
    }
}

fn resends(scenario: &Scenario) -> u64 {
    scenario.strategy.transport.as_ref().map_or(0, |transport| u64::from(transport.retries.get()))
}

fn retention(scenario: &Scenario) -> u64 {
    match scenario.contract.retention {
        Retention::Forever => LONGEST,
        Retention::For(kept) => kept.as_ms(),
    }
}

/// One axis of a map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axis {
    /// What is turned.
    pub dial: Dial,
    /// To which values, in the order in which they stand.
    pub values: Vec<u64>,
}

/// What one cell of a map comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The worst outcome of any agent.
    pub kind: Kind,
    /// How many charges are committed in the run.
    pub charges: u32,
}

/// A map under way: a row for each value of `y`, in it a cell for each value of `x`.
#[derive(Debug)]
pub struct Map {
    scenario: Scenario,
    x: Axis,
    y: Axis,
    simulator: Simulator,
    cells: Vec<Option<Cell>>,
}

impl Map {
    /// A map with nothing worked out yet.
    #[must_use]
    pub fn new(scenario: Scenario, x: Axis, y: Axis) -> Self {
        let cells = Vec::with_capacity(x.values.len() * y.values.len());
        Self { scenario, x, y, simulator: Simulator::default(), cells }
    }

    /// Works out so many more cells. Whether there are more.
    pub fn advance(&mut self, cells: usize) -> bool {
        let columns = self.x.values.len();
        let end = (self.cells.len() + cells).min(columns * self.y.values.len());
        let first = self.cells.len();
        while self.cells.len() < end {
            let n = self.cells.len();
            if n == first || n.is_multiple_of(columns) {
                self.y.dial.set(&mut self.scenario, self.y.values[n / columns]);
            }
            self.x.dial.set(&mut self.scenario, self.x.values[n % columns]);
            let prepared = Prepared::new(&self.scenario);
            let counted = self.simulator.count_under(&prepared, &self.scenario.fault.plan, self.scenario.seed);
            let cell = counted.ok().map(|tally| Cell { kind: tally.worst(prepared.cast()), charges: tally.charges });
            self.cells.push(cell);
        }
        !self.is_done()
    }

    /// Works out all that is left.
    #[must_use]
    pub fn finish(mut self) -> Self {
        self.advance(usize::MAX / 2);
        self
    }

    /// Whether all is worked out.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.cells.len() == self.x.values.len() * self.y.values.len()
    }

    /// How many cells are worked out, and of how many.
    #[must_use]
    pub fn progress(&self) -> (usize, usize) {
        (self.cells.len(), self.x.values.len() * self.y.values.len())
    }

    /// The two axes, x first.
    #[must_use]
    pub const fn axes(&self) -> (&Axis, &Axis) {
        (&self.x, &self.y)
    }

    /// A cell; none where it is not worked out, or its run has too many events.
    #[must_use]
    pub fn cell(&self, column: usize, row: usize) -> Option<Cell> {
        if column >= self.x.values.len() {
            return None;
        }
        self.cells.get(row * self.x.values.len() + column).copied().flatten()
    }

    /// The run that a cell stands for.
    ///
    /// # Panics
    ///
    /// Where there is no such cell.
    #[must_use]
    pub fn scenario(&self, column: usize, row: usize) -> Scenario {
        let mut scenario = self.scenario.clone();
        self.y.dial.set(&mut scenario, self.y.values[row]);
        self.x.dial.set(&mut scenario, self.x.values[column]);
        scenario.expect = None;
        scenario
    }
}

/// A point of the space of policies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    /// The key.
    pub key: KeyPolicy,
    /// The verify.
    pub verify: Verify,
    /// The contract's name.
    pub contract: Text,
    /// What a search finds; none where the three make no sense together.
    pub findings: Option<Findings>,
}

/// The space of policies under way: every key, verify and named contract, with all else as in a scenario.
#[derive(Debug)]
pub struct Policies {
    scenario: Scenario,
    bounds: Bounds,
    forbid: Vec<Forbid>,
    contracts: Vec<Contract>,
    done: Vec<Policy>,
}

/// Every key, in the order of the map.
pub const KEYS: [KeyPolicy; 5] =
    [KeyPolicy::None, KeyPolicy::PerAttempt, KeyPolicy::AfterFirst, KeyPolicy::PerRun, KeyPolicy::PerIntent];

/// Every verify, in the order of the map.
pub const VERIFIES: [Verify; 4] = [Verify::None, Verify::LookAlike, Verify::LookAlikeSince, Verify::ByKey];

impl Policies {
    /// The space with nothing worked out yet.
    #[must_use]
    pub fn new(scenario: Scenario, bounds: Bounds, forbid: Vec<Forbid>) -> Self {
        Self { scenario, bounds, forbid, contracts: Contract::presets(), done: Vec::new() }
    }

    /// Works out one more. Whether there are more.
    pub fn advance(&mut self, stop: &AtomicBool) -> bool {
        let (done, all) = self.progress();
        if done == all {
            return false;
        }
        let (contract, point) = (done / (KEYS.len() * VERIFIES.len()), done % (KEYS.len() * VERIFIES.len()));
        let (key, verify) = (KEYS[point / VERIFIES.len()], VERIFIES[point % VERIFIES.len()]);
        let scenario = self.at(key, verify, &self.contracts[contract]);
        let findings = scenario.check().is_ok().then(|| {
            let mut search = Exploration::new(&scenario, self.bounds.clone(), self.forbid.clone());
            while search.advance(usize::MAX / 2, stop) {}
            search.findings().clone()
        });
        self.done.push(Policy { key, verify, contract: self.contracts[contract].name.clone(), findings });
        done + 1 < all
    }

    /// The scenario with another policy.
    #[must_use]
    pub fn at(&self, key: KeyPolicy, verify: Verify, contract: &Contract) -> Scenario {
        let mut scenario = Scenario { contract: contract.clone(), expect: None, ..self.scenario.clone() };
        scenario.strategy.key = key;
        scenario.strategy.verify = verify;
        scenario
    }

    /// How many are worked out, and of how many.
    #[must_use]
    pub fn progress(&self) -> (usize, usize) {
        (self.done.len(), KEYS.len() * VERIFIES.len() * self.contracts.len())
    }

    /// Those worked out: contract by contract, in it key by key, in it verify by verify.
    #[must_use]
    pub fn done(&self) -> &[Policy] {
        &self.done
    }
}
