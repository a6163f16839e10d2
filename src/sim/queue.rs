//! What is on the wire, in the order in which it arrives.

use crate::model::Time;
use crate::trace::{MessageId, Payload};

/// A message that will arrive.
#[derive(Clone, Copy, Debug)]
pub(super) struct Delivery {
    pub(super) at: Time,
    pub(super) message: MessageId,
    pub(super) payload: Payload,
}

/// Deliveries by time and, at one instant, in the order in which they were sent.
///
/// Few messages are under way at once, so a sorted list beats a heap; the soonest is last.
#[derive(Debug, Default)]
pub(super) struct Queue {
    latest_first: Vec<Delivery>,
}

impl Queue {
    pub(super) fn clear(&mut self) {
        self.latest_first.clear();
    }

    pub(super) fn len(&self) -> u32 {
        u32::try_from(self.latest_first.len()).unwrap_or(u32::MAX)
    }

    /// Takes up a delivery that was sent after all that are here.
    pub(super) fn push(&mut self, delivery: Delivery) {
        let sooner = self.latest_first.iter().rev().take_while(|other| other.at <= delivery.at).count();
        self.latest_first.insert(self.latest_first.len() - sooner, delivery);
    }

    pub(super) fn next_at(&self) -> Option<Time> {
        self.latest_first.last().map(|delivery| delivery.at)
    }

    pub(super) fn pop(&mut self) -> Option<Delivery> {
        self.latest_first.pop()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sooner_first_and_among_equals_the_earlier_sent() {
        let mut queue = Queue::default();
        for (n, at) in [5, 3, 5, 9, 3].into_iter().enumerate() {
            let message = MessageId::from_index(u32::try_from(n).unwrap());
            queue.push(Delivery { at: Time::from_ms(at), message, payload: Payload::Lookup { attempt: 1 } });
        }
        let order: Vec<_> = std::iter::from_fn(|| queue.pop()).map(|d| (d.at.as_ms(), d.message.index())).collect();
        assert_eq!(order, [(3, 1), (3, 4), (5, 0), (5, 2), (9, 3)]);
    }
}
