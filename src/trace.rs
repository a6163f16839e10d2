//! What happened: the events of a run in time order, the world at an instant, and the outcome.
//!
//! A trace is finished before anything looks at it; whatever is shown, told or counted is a function of
//! the trace and a time.

pub mod cause;
pub mod event;
pub mod outcome;
pub mod parting;
pub mod snapshot;
pub mod story;

pub use cause::Link;
pub use event::{Answer, ChargeId, Event, Fate, Key, Message, MessageId, Payload, Refusal, Report, What};
pub use outcome::{Outcome, Tally, Verdict};
pub use parting::{Parting, first_parting, parting};
pub use snapshot::{Belief, Snapshot};

use crate::model::{Scenario, Time, key};

/// Where the simulator writes down what happens, in time order.
///
/// It is a trait so that a sweep can count outcomes without allocating a trace.
pub trait Recorder {
    /// Takes note of one event.
    fn record(&mut self, event: Event);
}

/// A finished run: what was asked for, and all that happened, in time order.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    scenario: Scenario,
    intent_key: String,
    events: Vec<Event>,
    messages: Vec<Message>,
}

impl Trace {
    /// A trace in which nothing has happened yet.
    #[must_use]
    pub fn new(scenario: Scenario) -> Self {
        let task = &scenario.task;
        let intent_key = key::intent_key(&task.id, &task.tool, &task.args.to_value());
        Self { scenario, intent_key, events: Vec::new(), messages: Vec::new() }
    }

    /// What was simulated.
    #[must_use]
    pub fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    /// All that happened, in time order.
    #[must_use]
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// All that was put on the wire, in sending order.
    #[must_use]
    pub fn messages(&self) -> &[Message] {
        &self.messages
    }

    /// The message of that id.
    ///
    /// # Panics
    ///
    /// Where this trace has no such message.
    #[must_use]
    pub fn message(&self, id: MessageId) -> &Message {
        &self.messages[id.index()]
    }

    /// When the last event happened; the start where there is none.
    #[must_use]
    pub fn end(&self) -> Time {
        self.events.last().map_or(Time::ZERO, |event| event.at)
    }

    /// The events that happened after `after`, up to and including `until`.
    #[must_use]
    pub fn between(&self, after: Option<Time>, until: Time) -> &[Event] {
        let first = after.map_or(0, |after| self.events.partition_point(|event| event.at <= after));
        let end = self.events.partition_point(|event| event.at <= until);
        &self.events[first.min(end)..end]
    }

    /// The key as the service gets it.
    #[must_use]
    pub fn key_text(&self, key: Key) -> String {
        match key {
            Key::Intent => self.intent_key.clone(),
            Key::Attempt(n) => format!("{}-retry{n}", self.scenario.task.id),
        }
    }
}

impl Recorder for Trace {
    fn record(&mut self, event: Event) {
        if let What::Sent(message) = event.what {
            debug_assert_eq!(message.id.index(), self.messages.len(), "ids count up in sending order");
            self.messages.push(message);
        }
        self.events.push(event);
    }
}
