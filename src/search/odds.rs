//! The probability of each outcome, by weighted enumeration.
//!
//! Messages are decided in the order in which they are sent. With all decided that the run sends, its outcome counts with
//! the product of their probabilities. A delay from a continuous tail is split into the stretches over which the run keeps
//! its shape ([`instants`](super::instants)), each with its probability in closed form, and split again as the run goes on:
//! so that one tail costs no accuracy. What is not exact is stated: [`Odds::error`] bounds, for every probability, what was
//! too unlikely to follow, and what has two delays from the tail at once, of which the second is exact only for one instant
//! of the first.

use super::bounds::Mishap;
use super::chances::{Chances, Lateness};
use super::instants::{Stretch, Sweep};
use super::walk::{Log, Place, set};
use crate::model::fault::FaultPlan;
use crate::model::{Scenario, Span, Time};
use crate::sim::{Prepared, Simulator, TooManyEvents};
use crate::trace::{Event, Kind, Payload, Report, Tally, Verdict, What};

/// How likely each outcome is, and what it costs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Odds {
    /// The probability of each outcome name, in the order of [`Kind::ALL`]. With more than one agent, of the worst.
    pub kinds: [f64; Kind::ALL.len()],
    /// The probability of one charge, of more, and of none for the first agent's task: exactly-once, duplicate, missing.
    pub verdicts: [f64; 3],
    /// How far each probability, [`Odds::escalations`] too, can be off: the probability of all that was not followed
    /// exactly. Rounding comes on top, below 10⁻¹².
    pub error: f64,
    /// The mean time until the first agent reports, in milliseconds.
    pub reported_after_ms: f64,
    /// The mean number of calls.
    pub calls: f64,
    /// The mean number of lookups.
    pub lookups: f64,
    /// The probability that the first agent escalates.
    pub escalations: f64,
    /// How many runs it took.
    pub runs: u64,
}

impl Odds {
    /// How likely this outcome is.
    #[must_use]
    pub const fn of(&self, kind: Kind) -> f64 {
        self.kinds[kind as usize]
    }

    /// How likely this verdict is on the first agent's task.
    #[must_use]
    pub const fn verdict(&self, verdict: Verdict) -> f64 {
        self.verdicts[verdict as usize]
    }
}

/// What is less likely than this is not followed further, unless something else is asked for.
pub const USUAL_CUT: f64 = 1e-12;

/// The odds of a scenario, whatever its own fault plan is.
///
/// `cut`: what is less likely than this is not followed further; its probability is in the error.
///
/// # Errors
///
/// Where a run has too many events.
pub fn odds(scenario: &Scenario, chances: &Chances, cut: f64) -> Result<Odds, TooManyEvents> {
    let prepared = Prepared::new(scenario);
    let mut tree = Tree {
        prepared: &prepared,
        chances,
        cut,
        simulator: Simulator::default(),
        sweep: Sweep::default(),
        sums: Sums::default(),
        problem: None,
    };
    let mut events = Vec::new();
    tree.follow(&mut FaultPlan::default(), Decided::default(), None, (1.0, true), &mut events);
    match tree.problem {
        Some(problem) => Err(problem),
        None => Ok(tree.sums.odds()),
    }
}

/// How many calls and lookups are decided.
#[derive(Clone, Copy, Default)]
struct Decided {
    calls: u32,
    lookups: u32,
}

/// A delay from the tail that is known only to be within a stretch.
#[derive(Clone, Copy)]
struct Tailed {
    place: Place,
    mishap: Mishap,
    within: Stretch,
}

struct Tree<'a> {
    prepared: &'a Prepared<'a>,
    chances: &'a Chances,
    cut: f64,
    simulator: Simulator,
    sweep: Sweep,
    sums: Sums,
    problem: Option<TooManyEvents>,
}

impl Tree<'_> {
    /// Follows what is decided so far; `weight` is its probability, but for that of the tail, and whether it is exact.
    fn follow(
        &mut self,
        plan: &mut FaultPlan,
        decided: Decided,
        tailed: Option<Tailed>,
        weight: (f64, bool),
        events: &mut Vec<Event>,
    ) {
        if self.problem.is_some() {
            return;
        }
        let Some(tailed) = tailed else { return self.go_on(plan, decided, None, weight, events) };
        for part in self.parts(plan, tailed) {
            set(plan, tailed.place, tailed.mishap, Span::ms(part.first.as_ms()));
            self.go_on(plan, decided, Some(Tailed { within: part, ..tailed }), weight, events);
        }
    }

    /// The stretches of a delay over which the run keeps its shape.
    fn parts(&mut self, plan: &FaultPlan, tailed: Tailed) -> Vec<Stretch> {
        let (simulator, prepared, seed) = (&mut self.simulator, self.prepared, self.prepared.scenario().seed);
        let mut under = plan.clone();
        let run = |delay: Time, events: &mut Vec<Event>| {
            set(&mut under, tailed.place, tailed.mishap, Span::ms(delay.as_ms()));
            simulator.run_under(prepared, &under, seed, events).ok();
        };
        let mut parts = Vec::new();
        let within = (tailed.within.first, tailed.within.last);
        if !self.sweep.stretches(prepared.scenario(), prepared.cast(), plan, within, run, &mut parts) {
            self.problem = Some(TooManyEvents);
        }
        parts
    }

    /// The probability that a delay is within its stretch.
    fn within(&self, tailed: Option<Tailed>) -> f64 {
        match (tailed, &self.chances.lateness) {
            (Some(Tailed { within, .. }), Lateness::Tail { from, to }) => {
                Lateness::tail_within((*from, *to), within.first, within.last)
            }
            _ => 1.0,
        }
    }

    fn go_on(
        &mut self,
        plan: &mut FaultPlan,
        decided: Decided,
        tailed: Option<Tailed>,
        (weight, exact): (f64, bool),
        events: &mut Vec<Event>,
    ) {
        events.clear();
        let mut log = Log { events, tally: Tally::default() };
        if let Err(problem) = self.simulator.run_under(self.prepared, plan, self.prepared.scenario().seed, &mut log) {
            self.problem = Some(problem);
            return;
        }
        let tally = log.tally;
        let all = weight * self.within(tailed);
        let next = next(events, decided, self.chances);
        let (Some(place), true) = (next, all >= self.cut) else {
            let exact = exact && next.is_none();
            return self.sums.add(&tally, events, tally.worst(self.prepared.cast()), (all, exact));
        };
        let of_lookup = matches!(place, Place::Lookup(_));
        let decided = match place {
            Place::Call(number) => Decided { calls: number, ..decided },
            Place::Lookup(number) => Decided { lookups: number, ..decided },
        };
        let well = (1.0 - self.chances.sum(of_lookup)).max(0.0);
        let mark = (plan.calls.len(), plan.lookups.len());
        if well > 0.0 {
            self.follow(plan, decided, tailed, (weight * well, exact), events);
        }
        let chances = self.chances;
        for (mishap, probability) in chances.likely(of_lookup) {
            let weight = weight * probability;
            // What was decided of the tail may have been moved further down.
            if let Some(tailed) = tailed {
                set(plan, tailed.place, tailed.mishap, Span::ms(tailed.within.first.as_ms()));
            }
            match (&chances.lateness, mishap) {
                (_, Mishap::Copied) => {
                    set(plan, place, mishap, chances.copies_apart);
                    self.follow(plan, decided, tailed, (weight, exact), events);
                }
                (Lateness::Listed(delays), mishap) if mishap.is_late() => {
                    for (delay, share) in delays {
                        set(plan, place, mishap, *delay);
                        self.follow(plan, decided, tailed, (weight * share, exact), events);
                    }
                }
                (Lateness::Tail { from, to }, mishap) if mishap.is_late() => {
                    let (first, last) = (Time::from_ms(from.as_ms()), Time::from_ms(to.as_ms()));
                    let late = Tailed { place, mishap, within: Stretch { first, last } };
                    // A second one: the first is held at the start of its stretch, and that is not exact.
                    let (weight, exact) = (weight * self.within(tailed), exact && tailed.is_none());
                    self.follow(plan, decided, Some(late), (weight, exact), events);
                }
                (_, mishap) => {
                    set(plan, place, mishap, Span::ZERO);
                    self.follow(plan, decided, tailed, (weight, exact), events);
                }
            }
            plan.calls.truncate(mark.0);
            plan.lookups.truncate(mark.1);
        }
    }
}

/// The first message that a mishap can befall and that is not decided.
fn next(events: &[Event], decided: Decided, chances: &Chances) -> Option<Place> {
    let can = |of_lookup, number| number <= chances.calls && chances.likely(of_lookup).next().is_some();
    events.iter().find_map(|event| match event.what {
        What::Sent(message) => match message.payload {
            Payload::Request { call, copy_of: None, .. } if call > decided.calls && can(false, call) => {
                Some(Place::Call(call))
            }
            Payload::Lookup { number, .. } if number > decided.lookups && can(true, number) => {
                Some(Place::Lookup(number))
            }
            _ => None,
        },
        _ => None,
    })
}

/// A sum that loses nothing to the order of what is small and what is large (Neumaier 1974).
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sum {
    sum: f64,
    lost: f64,
}

impl Sum {
    pub(super) fn add(&mut self, more: f64) {
        let sum = self.sum + more;
        self.lost += if self.sum.abs() >= more.abs() { (self.sum - sum) + more } else { (more - sum) + self.sum };
        self.sum = sum;
    }

    pub(super) fn value(self) -> f64 {
        self.sum + self.lost
    }
}

#[derive(Default)]
struct Sums {
    kinds: [Sum; Kind::ALL.len()],
    verdicts: [Sum; 3],
    error: Sum,
    reported_after_ms: Sum,
    calls: Sum,
    lookups: Sum,
    escalations: Sum,
    runs: u64,
}

impl Sums {
    #[expect(clippy::cast_precision_loss, reason = "times are below 2^53 ms")]
    fn add(&mut self, tally: &Tally, events: &[Event], kind: Kind, (weight, exact): (f64, bool)) {
        self.runs += 1;
        self.kinds[kind as usize].add(weight);
        self.verdicts[tally.outcome().verdict() as usize].add(weight);
        if !exact {
            self.error.add(weight);
        }
        if let Some((at, report)) = tally.report {
            self.reported_after_ms.add(weight * at.as_ms() as f64);
            if report == Report::UnknownEscalate {
                self.escalations.add(weight);
            }
        }
        let sent = |event: &&Event| match event.what {
            What::Sent(message) => matches!(message.payload, Payload::Request { copy_of: None, .. }),
            _ => false,
        };
        let looked = |event: &&Event| match event.what {
            What::Sent(message) => matches!(message.payload, Payload::Lookup { .. }),
            _ => false,
        };
        self.calls.add(weight * events.iter().filter(sent).count() as f64);
        self.lookups.add(weight * events.iter().filter(looked).count() as f64);
    }

    fn odds(&self) -> Odds {
        Odds {
            kinds: self.kinds.map(Sum::value),
            verdicts: self.verdicts.map(Sum::value),
            error: self.error.value(),
            reported_after_ms: self.reported_after_ms.value(),
            calls: self.calls.value(),
            lookups: self.lookups.value(),
            escalations: self.escalations.value(),
            runs: self.runs,
        }
    }
}
