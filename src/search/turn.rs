//! The point of no return: along a run, which share of what may still happen ends in a duplicate.
//!
//! The continuations from an instant are the fault plans within bounds whose runs, up to and including it, look the same to
//! whoever can see both ends of the wire: what is still under way may yet land, be lost or be doubled. Each plan counts
//! once; how likely it is, is another question ([`odds`](super::odds)).

use super::bounds::Bounds;
use super::explore::Counts;
use super::walk::{Found, Node, Visitor, Walk};
use crate::model::{Scenario, Time};
use crate::sim::{Prepared, Simulator, TooManyEvents};
use crate::trace::{Event, Fate, Message, MessageId, Payload, Recorder, Tally, What};

/// What may still happen at an instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// When something happened in the run.
    pub at: Time,
    /// How many continuations come to what; at least the run itself.
    pub ends: Counts,
}

/// The moments of a run under way.
#[derive(Debug)]
pub struct Turn {
    scenario: Scenario,
    bounds: Bounds,
    seen: Vec<Event>,
    moments: Vec<Moment>,
    to_do: Vec<Node>,
    walked: u64,
}

impl Turn {
    /// The run of a scenario, under its own plan, and nothing yet of what else may happen.
    ///
    /// # Errors
    ///
    /// Where the run has too many events.
    pub fn new(scenario: Scenario, bounds: Bounds) -> Result<Self, TooManyEvents> {
        let mut events = Vec::new();
        Simulator::default().run(&scenario, &mut events)?;
        let mut tally = Tally::default();
        for event in &events {
            tally.record(*event);
        }
        let mut ends = Counts::default();
        ends.add(tally.worst(Prepared::new(&scenario).cast()));
        let happens = events.iter().filter(|event| !matches!(event.what, What::Ended { .. }));
        let mut moments: Vec<Moment> = happens.map(|event| Moment { at: event.at, ends }).collect();
        moments.dedup_by_key(|moment| moment.at);
        let mut seen = Vec::new();
        see(&events, &mut seen);
        Ok(Self { scenario, bounds, seen, moments, to_do: vec![Node::root()], walked: 0 })
    }

    /// Looks at so many more steps of the walk over all plans. Whether there are more.
    pub fn advance(&mut self, steps: u64) -> bool {
        let prepared = Prepared::new(&self.scenario);
        let mut walk = Walk::new(&prepared, &self.bounds);
        let mut counter =
            Counter { prepared: &prepared, seen: &self.seen, moments: &mut self.moments, other: Vec::new() };
        let mut children = Vec::new();
        for _ in 0..steps {
            let Some(node) = self.to_do.pop() else { return false };
            walk.step(&node, &mut counter, &mut children);
            self.to_do.extend(children.drain(..).rev());
            self.walked += 1;
        }
        !self.to_do.is_empty()
    }

    /// Looks at all that is left.
    #[must_use]
    pub fn finish(mut self) -> Vec<Moment> {
        self.advance(u64::MAX);
        self.moments
    }

    /// How many steps were taken.
    #[must_use]
    pub const fn walked(&self) -> u64 {
        self.walked
    }

    /// Whether all was looked at.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.to_do.is_empty()
    }

    /// One moment for each instant at which something happened, in time order; as far as is known.
    #[must_use]
    pub fn moments(&self) -> &[Moment] {
        &self.moments
    }
}

impl Moment {
    /// The share of continuations that end in a duplicate, 0 to 1.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "plans are far below 2^53")]
    pub fn duplicates(&self) -> f64 {
        self.ends.duplicates() as f64 / self.ends.all().max(1) as f64
    }
}

struct Counter<'a> {
    prepared: &'a Prepared<'a>,
    seen: &'a [Event],
    moments: &'a mut [Moment],
    other: Vec<Event>,
}

impl Visitor for Counter<'_> {
    fn distinct(&mut self, found: &Found<'_>) {
        see(found.events, &mut self.other);
        let same = self.seen.iter().zip(&self.other).take_while(|(one, other)| one == other).count();
        let parts = match (self.seen.get(same), self.other.get(same)) {
            (Some(one), Some(other)) => one.at.min(other.at),
            (Some(only), None) | (None, Some(only)) => only.at,
            // The very run, which is counted already.
            (None, None) => return,
        };
        let kind = found.tally.worst(self.prepared.cast());
        self.moments.iter_mut().take_while(|moment| moment.at < parts).for_each(|moment| moment.ends.add(kind));
    }

    fn idle(&mut self) {}

    fn too_long(&mut self) {}

    fn stop(&self) -> bool {
        false
    }
}

/// The events as they can be seen when they happen: not what will become of a message, nor that a copy is under way.
/// Messages go by what they are, since a copy that nobody sees yet moves the numbers of those after it.
fn see(events: &[Event], seen: &mut Vec<Event>) {
    seen.clear();
    let mut known: Vec<MessageId> = Vec::new();
    for event in events {
        let name = |id: MessageId| known.get(id.index()).copied().unwrap_or(id);
        let what = match event.what {
            What::Sent(message) => {
                let hidden = matches!(message.payload, Payload::Request { copy_of: Some(_), .. });
                let (named, payload) = named(message.payload, name);
                known.push(named);
                if hidden {
                    continue;
                }
                What::Sent(Message { id: named, fate: Fate::Lost, payload, ..message })
            }
            What::Arrived(id) => What::Arrived(name(id)),
            What::ArrivedToNobody(id) => What::ArrivedToNobody(name(id)),
            What::Committed { charge, request, key, task } => {
                What::Committed { charge, request: name(request), key, task }
            }
            What::Replayed { charge, request } => What::Replayed { charge, request: name(request) },
            What::Refused { refusal, request } => What::Refused { refusal, request: name(request) },
            What::Began { request, until } => What::Began { request: name(request), until },
            What::Held { request, until } => What::Held { request: name(request), until },
            What::Failed { request, replayed } => What::Failed { request: name(request), replayed },
            What::ServiceCrashed { request, key_recorded } => {
                What::ServiceCrashed { request: name(request), key_recorded }
            }
            What::Unheard { message } => What::Unheard { message: name(message) },
            What::Read { lookup, found } => What::Read { lookup: name(lookup), found },
            What::ReadFailed { lookup } => What::ReadFailed { lookup: name(lookup) },
            What::LookupTimedOut { lookup } => What::LookupTimedOut { lookup: name(lookup) },
            // That nothing more comes is not to be seen when it is so.
            What::Ended { .. } => continue,
            what => what,
        };
        seen.push(Event { what, ..*event });
    }
}

/// A message by what it is: a request by its call, a lookup by its number, an answer by what it answers.
fn named(payload: Payload, name: impl Fn(MessageId) -> MessageId) -> (MessageId, Payload) {
    let id = |kind: u32, number: u32| MessageId::from_index(number * 4 + kind);
    match payload {
        Payload::Request { call, attempt, key, args, .. } => {
            (id(0, call), Payload::Request { attempt, call, copy_of: None, key, args })
        }
        Payload::Lookup { number, .. } => (id(1, number), payload),
        Payload::Response { to, attempt, call, answer } => {
            (id(2, call), Payload::Response { to: name(to), attempt, call, answer })
        }
        Payload::Finding { to, found } => {
            let to = name(to);
            (id(3, to.number()), Payload::Finding { to, found })
        }
        Payload::LookupFailed { to } => {
            let to = name(to);
            (id(3, to.number()), Payload::LookupFailed { to })
        }
    }
}
