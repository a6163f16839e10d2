//! The billing service: a ledger, and what it remembers of keys.

use crate::trace::{Answer, ChargeId, Key, Refusal};

/// What a request asks for, as far as the service tells requests apart.
#[derive(Clone, Copy, Debug)]
pub(super) struct Order {
    pub(super) key: Option<Key>,
    /// Which arguments, as a number that differs where the arguments do.
    pub(super) fingerprint: u32,
}

/// The service's memory.
#[derive(Debug, Default)]
pub(super) struct Service {
    charges: u32,
    stored: Vec<Stored>,
}

#[derive(Clone, Copy, Debug)]
struct Stored {
    key: Key,
    fingerprint: u32,
    charge: ChargeId,
}

impl Service {
    pub(super) fn clear(&mut self) {
        self.charges = 0;
        self.stored.clear();
    }

    /// Handles a request for a charge under the contract `keyed`.
    pub(super) fn charge(&mut self, order: &Order) -> Answer {
        let stored = order.key.and_then(|key| self.stored.iter().find(|stored| stored.key == key));
        if let Some(stored) = stored {
            return if stored.fingerprint == order.fingerprint {
                Answer::Success { charge: stored.charge, replayed: true }
            } else {
                Answer::Refused(Refusal::KeyReused)
            };
        }
        let charge = ChargeId::from_index(self.charges);
        self.charges += 1;
        if let Some(key) = order.key {
            self.stored.push(Stored { key, fingerprint: order.fingerprint, charge });
        }
        Answer::Success { charge, replayed: false }
    }

    /// The first charge in the ledger with the task's customer and amount.
    pub(super) fn look_alike(&self) -> Option<ChargeId> {
        (self.charges > 0).then(|| ChargeId::from_index(0))
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

/// Asks the service for a charge, then for another amount under the same key.
#[must_use]
pub fn key_reuse() -> KeyReuse {
    let amounts_cents = [4_900, 9_900];
    let mut service = Service::default();
    let [first, second] = amounts_cents.map(|cents| {
        let fingerprint = u32::from(cents != amounts_cents[0]);
        service.charge(&Order { key: Some(Key::Intent), fingerprint })
    });
    KeyReuse { amounts_cents, first, second, charges: service.charges }
}
