//! What will happen by itself, in the order in which it does: messages that arrive, and work that is done.

use crate::model::{AgentId, ArgsId, Time};
use crate::trace::{Answer, ChargeId, Key, MessageId};

/// Something that will happen.
#[derive(Clone, Copy, Debug)]
pub(super) struct Due {
    pub(super) at: Time,
    pub(super) agent: AgentId,
    /// The message that arrives, or that is worked on.
    pub(super) message: MessageId,
    pub(super) what: Happening,
}

/// What will happen. Calls and lookups stand here by their numbers.
#[derive(Clone, Copy, Debug)]
pub(super) enum Happening {
    /// A request reaches the service.
    Request(u32),
    /// A lookup reaches the service.
    Lookup(u32),
    /// An answer reaches the agent.
    Response { call: u32, answer: Answer },
    /// What a lookup found reaches the agent.
    Finding { to: MessageId, found: Option<ChargeId> },
    /// That a lookup failed reaches the agent.
    LookupFailed { to: MessageId },
    /// The service looks again at a request that it made wait.
    Again(u32),
    /// The service has done its work on a request.
    Done(u32),
}

/// What a call asks for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Order {
    pub(super) attempt: u32,
    pub(super) call: u32,
    pub(super) key: Option<Key>,
    pub(super) args: ArgsId,
    /// The place of its entry in the fault plan; beyond its end where it has none.
    pub(super) fault: u32,
}

/// What came of a lookup.
#[derive(Clone, Copy, Debug)]
pub(super) enum Looked {
    /// The charge that matched, if one did.
    Saw(Option<ChargeId>),
    /// The service could not look.
    Failed,
}

/// What a lookup looks for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Search {
    /// A charge that looks like this.
    LookAlike(ArgsId),
    /// A charge that looks like this, made at that instant or later.
    Since(ArgsId, Time),
    /// The charge made under this key.
    Key(Key),
}

/// What is due, by time and, at one instant, in the order in which it was settled.
///
/// Few things are under way at once, so a sorted list beats a heap; the soonest is last.
#[derive(Debug, Default)]
pub(super) struct Queue {
    latest_first: Vec<Due>,
}

impl Queue {
    pub(super) fn clear(&mut self) {
        self.latest_first.clear();
    }

    /// How many messages are on their way.
    pub(super) fn messages(&self) -> u32 {
        let is_message = |due: &&Due| !matches!(due.what, Happening::Again(_) | Happening::Done(_));
        u32::try_from(self.latest_first.iter().filter(is_message).count()).unwrap_or(u32::MAX)
    }

    /// Takes up what was settled after all that is here.
    #[inline]
    pub(super) fn push(&mut self, due: Due) {
        if self.latest_first.last().is_none_or(|soonest| due.at < soonest.at) {
            return self.latest_first.push(due);
        }
        let sooner = self.latest_first.iter().rev().take_while(|other| other.at <= due.at).count();
        self.latest_first.insert(self.latest_first.len() - sooner, due);
    }

    #[inline]
    pub(super) fn soonest(&self) -> Option<&Due> {
        self.latest_first.last()
    }

    #[inline]
    pub(super) fn drop_soonest(&mut self) {
        self.latest_first.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sooner_first_and_among_equals_the_earlier_settled() {
        let mut queue = Queue::default();
        for (n, at) in [5, 3, 5, 9, 3].into_iter().enumerate() {
            let message = MessageId::from_index(u32::try_from(n).unwrap());
            let what = Happening::LookupFailed { to: message };
            queue.push(Due { at: Time::from_ms(at), agent: AgentId(0), message, what });
        }
        let order: Vec<_> = std::iter::from_fn(|| {
            let soonest = queue.soonest().map(|due| (due.at.as_ms(), due.message.index()));
            queue.drop_soonest();
            soonest
        })
        .collect();
        assert_eq!(order, [(3, 1), (3, 4), (5, 0), (5, 2), (9, 3)]);
    }
}
