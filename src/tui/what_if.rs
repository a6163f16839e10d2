//! The state of the screens "What if?": the messages in flight, and what could become of each instead.

use crate::model::Time;
use crate::sim::alternatives::{Alternative, Fixed, alternatives};
use crate::trace::{Message, Snapshot, Trace};

/// What is in flight, and what is chosen of it.
#[derive(Clone, Debug)]
pub struct WhatIf {
    /// The instant at which it is in flight.
    pub opened_at: Time,
    /// The messages in flight, in sending order.
    pub messages: Vec<InFlight>,
    /// The chosen message, counted from 0.
    pub message: usize,
    /// The chosen alternative, counted from 0.
    pub turn: usize,
}

/// A message in flight.
#[derive(Clone, Debug)]
pub struct InFlight {
    /// The message.
    pub message: Message,
    /// What could become of it, or why nothing else can.
    pub alternatives: Result<Vec<Alternative>, Fixed>,
}

impl WhatIf {
    /// What is in flight in a run at an instant.
    #[must_use]
    pub fn new(trace: &Trace, at: Time) -> Self {
        let wire = Snapshot::at(trace, at).wire;
        let in_flight = |message: Message| InFlight { message, alternatives: alternatives(trace, message.id) };
        let messages: Vec<InFlight> = wire.into_iter().map(|on_wire| in_flight(on_wire.message)).collect();
        let mut what_if = Self { opened_at: at, messages, message: 0, turn: 0 };
        what_if.choose_first_change();
        what_if
    }

    /// The chosen message.
    #[must_use]
    pub fn in_flight(&self) -> Option<&InFlight> {
        self.messages.get(self.message)
    }

    /// The chosen alternative.
    #[must_use]
    pub fn chosen(&self) -> Option<&Alternative> {
        self.in_flight()?.alternatives.as_ref().ok()?.get(self.turn)
    }

    /// To the next message, or the one before, round and round.
    pub fn turn_message(&mut self, forward: bool) {
        let count = self.messages.len();
        let by = if forward { 1 } else { count.saturating_sub(1) };
        self.message = (self.message + by).checked_rem(count).unwrap_or(0);
        self.choose_first_change();
    }

    /// To the next alternative, or the one before.
    pub fn move_turn(&mut self, forward: bool) {
        let count = self.in_flight().and_then(|m| m.alternatives.as_ref().ok()).map_or(0, Vec::len);
        self.turn = if forward { (self.turn + 1).min(count.saturating_sub(1)) } else { self.turn.saturating_sub(1) };
    }

    /// What becomes of the message as it is is the least interesting alternative.
    fn choose_first_change(&mut self) {
        let list = self.in_flight().and_then(|message| message.alternatives.as_ref().ok());
        self.turn = list.and_then(|list| list.iter().position(|turn| !turn.is_present)).unwrap_or(0);
    }
}
