//! The delays at which the order of events changes.
//!
//! **Why these are enough.** Let everything in a run be settled but the instant `x` at which one message lands. Until
//! `x` the run is the one in which the message is still under way. From `x` on, every instant of the run is a sum of
//! spans of the scenario, over the start or over `x`: so as `x` moves by a millisecond, each instant either stays or
//! moves with it, and what happens, and in what order, stays the same until one that moves meets one that stays.
//! [`Sweep`] goes exactly from meeting to meeting: it runs the scenario for `x` and for `x` + 1 ms; where both have the
//! same events in the same order, it sees which instants moved, and steps to the first meeting. Instants count that are
//! no events but that the rules compare with: timers that were never to run out, the end of a key's retention, the time
//! from which a lagging read sees a charge, the edges of an outage, the crash of a harness, the horizon.
//!
//! So between two meetings nothing is missed, for one message and all else settled. Where several messages of a plan are
//! late, each is settled in the order in which they land, at the first and at the last millisecond of every stretch, given
//! those before it. That covers each order of landings among the run's events; it is not every combination of
//! milliseconds, and no certificate says so.

use crate::model::cast::Cast;
use crate::model::contract::Retention;
use crate::model::fault::{FaultPlan, LookupFate};
use crate::model::strategy::Backoff;
use crate::model::{Scenario, Time};
use crate::trace::{Event, Fate, Message, Payload, What};

/// The most meetings that one sweep goes through; a scenario that comes near it has thousands of events.
pub const MEETINGS_MAX: u32 = 20_000;

/// A stretch of instants, both ends included, over which the run has the same events in the same order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// The first, in milliseconds since the start.
    pub first: Time,
    /// The last.
    pub last: Time,
}

/// The room that sweeps take place in.
#[derive(Debug, Default)]
pub struct Sweep {
    here: Vec<Event>,
    next: Vec<Event>,
    before: Vec<Event>,
    stay: Vec<u64>,
    instants: Vec<u64>,
    later: Vec<u64>,
}

impl Sweep {
    /// The stretches from `from` to `until`. `run` runs the scenario with the message landing then and writes its events
    /// to the list, which is empty. `plan` is the fault plan but for that message. False where it was given up after
    /// [`MEETINGS_MAX`]; the stretches found are then not all.
    pub fn stretches(
        &mut self,
        scenario: &Scenario,
        cast: &Cast<'_>,
        plan: &FaultPlan,
        (from, until): (Time, Time),
        mut run: impl FnMut(Time, &mut Vec<Event>),
        found: &mut Vec<Stretch>,
    ) -> bool {
        found.clear();
        self.before.clear();
        let mut at = from;
        for _ in 0..MEETINGS_MAX {
            if at > until {
                return true;
            }
            self.here.clear();
            run(at, &mut self.here);
            let mut last = at;
            if at < until {
                self.next.clear();
                run(Time::from_ms(at.as_ms() + 1), &mut self.next);
                if same_shape(&self.here, &self.next) {
                    let ahead = self.next_meeting(scenario, cast, plan);
                    let end = ahead.map_or(until.as_ms(), |ahead| (at.as_ms() + ahead - 1).min(until.as_ms()));
                    last = Time::from_ms(end);
                }
            }
            match found.last_mut() {
                Some(stretch) if same_shape(&self.before, &self.here) => stretch.last = last,
                _ => found.push(Stretch { first: at, last }),
            }
            std::mem::swap(&mut self.before, &mut self.here);
            at = Time::from_ms(last.as_ms() + 1);
        }
        at > until
    }

    /// How far the message can move on until an instant that moves with it meets one that stays.
    fn next_meeting(&mut self, scenario: &Scenario, cast: &Cast<'_>, plan: &FaultPlan) -> Option<u64> {
        self.instants.clear();
        self.later.clear();
        note(scenario, cast, plan, &self.here, &mut self.instants);
        note(scenario, cast, plan, &self.next, &mut self.later);
        self.stay.clear();
        let moved = |n: &usize| self.later[*n] != self.instants[*n];
        self.stay.extend((0..self.instants.len()).filter(|n| !moved(n)).map(|n| self.instants[n]));
        self.stay.sort_unstable();
        let moving = (0..self.instants.len()).filter(moved).map(|n| self.instants[n]);
        let ahead = moving.filter_map(|instant| {
            let next = self.stay.partition_point(|stays| *stays <= instant);
            self.stay.get(next).map(|stays| stays - instant)
        });
        ahead.min()
    }
}

/// Whether two runs have the same events in the same order, whenever they are.
#[must_use]
pub fn same_shape(one: &[Event], other: &[Event]) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(one, other)| timeless(*one) == timeless(*other))
}

/// An event without its times.
fn timeless(event: Event) -> Event {
    let (at, until) = (Time::ZERO, Time::ZERO);
    let what = match event.what {
        What::AttemptStarted { attempt, key, .. } => What::AttemptStarted { attempt, key, times_out_at: at },
        What::Sent(message) => {
            let fate = if message.fate == Fate::Lost { Fate::Lost } else { Fate::Arrives(at) };
            What::Sent(Message { sent_at: at, fate, ..message })
        }
        What::Began { request, .. } => What::Began { request, until },
        What::Held { request, until } => What::Held { request, until: until.map(|_| at) },
        What::Resending { attempt, .. } => What::Resending { attempt, until },
        What::HarnessCrashed { .. } => What::HarnessCrashed { until },
        What::Paused { .. } => What::Paused { until },
        what => what,
    };
    Event { at, what, ..event }
}

/// How many of its pauses are looked at: one where all are the same. (Pauses that are left to chance count by their least.)
fn longer(backoff: Backoff) -> u32 {
    if backoff.factor.get() == 1 { 1 } else { 10 }
}

/// Every instant of a run that its rules compare with another. Runs of the same shape note as many, in the same order.
fn note(scenario: &Scenario, cast: &Cast<'_>, plan: &FaultPlan, events: &[Event], instants: &mut Vec<u64>) {
    let contract = &scenario.contract;
    let kept = match contract.retention {
        Retention::Forever => None,
        Retention::For(kept) => Some(kept),
    };
    for event in events {
        let strategy = cast.role(event.agent).strategy;
        let at = event.at;
        let mut note = |instant: Time| instants.push(instant.as_ms());
        note(at);
        match event.what {
            What::AttemptStarted { times_out_at, .. } => {
                note(times_out_at);
                note(at + strategy.verify_after);
                note(at + strategy.verify_after + contract.reads.lag);
            }
            What::Sent(message) => {
                if let Fate::Arrives(at) = message.fate {
                    note(at);
                }
                match (message.payload, &strategy.transport) {
                    (Payload::Request { .. }, Some(transport)) => note(at + transport.timeout),
                    (Payload::Lookup { .. }, _) => note(at + strategy.timeout),
                    _ => {}
                }
            }
            What::Began { until, .. } => {
                note(until);
                if let Some(kept) = kept {
                    note(at + kept);
                }
            }
            What::Committed { .. } | What::Failed { .. } | What::ServiceCrashed { .. } => {
                if let Some(kept) = kept {
                    note(at + kept);
                }
                note(at + contract.reads.lag);
                for fault in &plan.lookups {
                    if let LookupFate::Lag(lag) = fault.service {
                        note(at + lag);
                    }
                }
            }
            What::Held { until, .. } => until.into_iter().for_each(note),
            What::Paused { until } => {
                note(until);
                // What the pause would be by the backoff alone, where the verify waits longer.
                (0..longer(strategy.backoff)).for_each(|n| note(at + strategy.backoff.pause(n, || 0)));
            }
            What::Resending { until, .. } => {
                note(until);
                if let Some(transport) = &strategy.transport {
                    (0..longer(transport.backoff)).for_each(|n| note(at + transport.backoff.pause(n, || 0)));
                }
            }
            What::HarnessCrashed { until } => note(until),
            What::Reported(_) => note(at + scenario.horizon),
            _ => {}
        }
    }
    for role in cast.roles() {
        instants.push(role.starts_at.as_ms());
        instants.extend(role.strategy.crash.as_ref().map(|crash| crash.at.as_ms()));
    }
    instants.extend(plan.outages.iter().flat_map(|outage| [outage.from.as_ms(), outage.until.as_ms()]));
}
