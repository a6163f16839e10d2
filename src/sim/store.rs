//! What the service keeps: the ledger, and what it remembers of keys.

use super::queue::Search;
use crate::model::cast::Cast;
use crate::model::contract::{Contract, InProgress, Keys, Mismatch, Repeat};
use crate::model::{Span, Time};
use crate::trace::{Answer, ChargeId, Key, MessageId, Refusal};

/// The ledger and the keys.
#[derive(Debug, Default)]
pub(super) struct Store {
    charges: Vec<Row>,
    keys: Vec<Entry>,
}

/// A charge in the ledger, as far as lookups tell charges apart.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    /// What it looks like; none where it looks like no task's.
    pub(super) like: Option<u8>,
    /// When it was committed; none where that was before the run.
    pub(super) at: Option<Time>,
    pub(super) key: Option<Key>,
}

/// A key that the service knows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) key: Key,
    /// Its first request.
    pub(super) request: MessageId,
    /// The fingerprint of that request's arguments.
    pub(super) print: u8,
    /// When it came.
    pub(super) at: Time,
    pub(super) state: State,
}

/// What the service knows of a request.
#[derive(Clone, Copy, Debug)]
pub(super) enum State {
    /// It is worked on.
    Running { until: Time },
    /// The key is recorded, and the service crashed before the effect.
    Stuck,
    /// It was charged.
    Charged(ChargeId),
    /// It failed, and that is stored.
    Failed,
}

/// What to do with a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ruling {
    /// Work on it.
    Run,
    /// Answer with the charge made before.
    Replay(ChargeId),
    /// Answer with the error made before.
    ReplayError,
    Refuse(Refusal),
    /// Look at it again then; never, where the first came to no end.
    Hold(Option<Time>),
}

impl Store {
    pub(super) fn clear(&mut self) {
        self.charges.clear();
        self.keys.clear();
    }

    /// What the contract has the service do with a request.
    #[expect(clippy::inline_always, reason = "on the path of every run, and called from one or two places")]
    #[inline(always)]
    pub(super) fn rule(&self, contract: &Contract, now: Time, key: Option<Key>, print: u8) -> Ruling {
        let known = match (contract.keys, key) {
            (Keys::Required, None) => return Ruling::Refuse(Refusal::KeyMissing),
            (Keys::Refused, Some(_)) => return Ruling::Refuse(Refusal::KeyNotTaken),
            (Keys::Stored | Keys::Required, Some(key)) => self.known(contract, now, key),
            (Keys::Ignored, _) | (Keys::Stored | Keys::Refused, None) => None,
        };
        let Some(known) = known else { return Ruling::Run };
        if known.print != print && contract.mismatch == Mismatch::Refuse {
            return Ruling::Refuse(Refusal::KeyReused);
        }
        match (known.state, contract.in_progress, contract.repeat) {
            (State::Running { .. } | State::Stuck, InProgress::Conflict, _) => Ruling::Refuse(Refusal::InProgress),
            (State::Running { until }, InProgress::Wait, _) => Ruling::Hold(Some(until)),
            (State::Stuck, InProgress::Wait, _) => Ruling::Hold(None),
            (State::Running { .. } | State::Stuck, InProgress::BothRun, _) => Ruling::Run,
            (State::Charged(charge), _, Repeat::Replay) => Ruling::Replay(charge),
            (State::Failed, _, Repeat::Replay) => Ruling::ReplayError,
            (State::Charged(_) | State::Failed, _, Repeat::Conflict) => Ruling::Refuse(Refusal::AlreadyUsed),
        }
    }

    #[inline]
    fn known(&self, contract: &Contract, now: Time, key: Key) -> Option<&Entry> {
        self.keys.iter().find(|entry| entry.key == key && contract.retention.holds(now.since(entry.at)))
    }

    /// Puts a charge in the ledger.
    #[inline]
    pub(super) fn commit(&mut self, row: Row) -> ChargeId {
        let charge = ChargeId::from_index(u32::try_from(self.charges.len()).unwrap_or(u32::MAX - 1));
        self.charges.push(row);
        charge
    }

    /// Takes down a key with a new request, in place of one that a crash left behind.
    pub(super) fn take_down(&mut self, entry: Entry) {
        self.keys.retain(|left| left.key != entry.key || !matches!(left.state, State::Stuck));
        self.keys.push(entry);
    }

    /// Settles what became of a request: in its own entry, or else in a new one.
    #[expect(clippy::inline_always, reason = "on the path of every run, and called from one or two places")]
    #[inline(always)]
    pub(super) fn settle(&mut self, settled: Entry) {
        if self.keys.is_empty() {
            return self.keys.push(settled);
        }
        let own = |entry: &&mut Entry| entry.key == settled.key && entry.request == settled.request;
        match self.keys.iter_mut().find(own) {
            Some(entry) => entry.state = settled.state,
            None => self.take_down(settled),
        }
    }

    /// Forgets the key that a request brought.
    pub(super) fn forget(&mut self, request: MessageId) {
        self.keys.retain(|entry| entry.request != request);
    }

    /// The first charge that a lookup finds that sees what was there `lag` ago.
    pub(super) fn search(&self, cast: &Cast<'_>, now: Time, lag: Span, search: Search) -> Option<ChargeId> {
        let seen = |row: &Row| row.at.is_none_or(|at| at + lag <= now);
        let sought = |row: &Row| match search {
            Search::LookAlike(args) => row.like == Some(cast.kind(args).like),
            Search::Since(args, since) => {
                row.like == Some(cast.kind(args).like) && row.at.is_some_and(|at| at >= since)
            }
            Search::Key(key) => row.key == Some(key),
        };
        let place = self.charges.iter().position(|row| sought(row) && seen(row))?;
        u32::try_from(place).ok().map(ChargeId::from_index)
    }
}

/// What the service says to one key used for two different amounts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyReuse {
    /// The two amounts in cents, in the order in which they are asked for.
    pub amounts_cents: [u64; 2],
    /// The answer to the first request.
    pub first: Answer,
    /// The answer to the second, with the same key and another amount.
    pub second: Answer,
    /// How many charges the ledger then holds.
    pub charges: u32,
}

/// Asks the service under the contract `keyed` for a charge, then for another amount under the same key.
#[must_use]
pub fn key_reuse() -> KeyReuse {
    key_reuse_under(&Contract::default())
}

/// Asks the service for a charge, then for another amount under the same key once the first is done.
#[must_use]
pub fn key_reuse_under(contract: &Contract) -> KeyReuse {
    let mut store = Store::default();
    let key = Key::Intent(crate::model::ArgsId::default());
    let mut ask = |print| match store.rule(contract, Time::ZERO, Some(key), print) {
        Ruling::Run => {
            let charge = store.commit(Row { like: Some(print), at: Some(Time::ZERO), key: Some(key) });
            if contract.stores_keys() {
                let request = MessageId::from_index(0);
                store.take_down(Entry { key, request, print, at: Time::ZERO, state: State::Charged(charge) });
            }
            Answer::Success { charge, replayed: false }
        }
        Ruling::Replay(charge) => Answer::Success { charge, replayed: true },
        Ruling::Refuse(refusal) => Answer::Refused(refusal),
        Ruling::ReplayError | Ruling::Hold(_) => Answer::Error { replayed: true },
    };
    let (first, second) = (ask(0), ask(1));
    let charges = u32::try_from(store.charges.len()).unwrap_or(u32::MAX);
    KeyReuse { amounts_cents: [4_900, 9_900], first, second, charges }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ArgsId;
    use crate::model::contract::{Recorded, Retention};

    #[test]
    fn a_key_left_behind_by_a_crash_does_not_age_what_takes_its_place() {
        let retention = Retention::For(Span::secs(29));
        let contract = Contract { retention, recorded: Recorded::Before, ..Contract::default() };
        let key = Key::Intent(ArgsId::default());
        let entry = |request, secs, state| Entry {
            key,
            request: MessageId::from_index(request),
            print: 0,
            at: Time::ZERO + Span::secs(secs),
            state,
        };
        let mut store = Store::default();
        store.settle(entry(0, 0, State::Stuck));
        let at = |secs| Time::ZERO + Span::secs(secs);
        assert_eq!(store.rule(&contract, at(60), Some(key), 0), Ruling::Run, "it has expired");
        let charge = ChargeId::from_index(0);
        store.settle(entry(1, 60, State::Charged(charge)));
        assert_eq!(store.rule(&contract, at(61), Some(key), 0), Ruling::Replay(charge), "it is young");
    }
}
