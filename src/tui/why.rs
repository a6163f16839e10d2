//! The state of the screen "Why?": for each charge in the ledger the chain that led to it, and the smallest
//! change that would have kept the run right.

use crate::model::{Fault, Time};
use crate::sim::remedy::{self, Search};
use crate::trace::snapshot::Charge;
use crate::trace::{Kind, Link, Snapshot, Trace, cause};

/// What is explained, and which part of it is chosen.
#[derive(Clone, Debug)]
pub struct Why {
    /// The instant that the ledger is read at. The clock may be moved from it, the explanation stays.
    pub opened_at: Time,
    /// The charges that stood in the ledger then.
    pub charges: Vec<Explained>,
    /// The chosen charge, counted from 0.
    pub charge: usize,
    /// The chosen link of its chain, counted from 0.
    pub link: usize,
    /// What would have kept the run right.
    pub advice: Advice,
}

/// A charge and what led to it.
#[derive(Clone, Debug)]
pub struct Explained {
    /// The charge.
    pub charge: Charge,
    /// The chain, from the charge back to its first cause.
    pub links: Vec<Link>,
}

/// What would have kept the run right.
#[derive(Clone, Debug)]
pub enum Advice {
    /// Nothing is wrong so far.
    NothingWrong,
    /// It is wrong, and this is what changes come to.
    Search(Search),
}

impl Why {
    /// Reads the ledger of a run at an instant; the last charge is chosen, since it is the one that asks for a reason.
    #[must_use]
    pub fn new(trace: &Trace, at: Time, faults: &[Fault]) -> Self {
        let ledger = Snapshot::at(trace, at).ledger;
        // More than one charge for one task; what stood before the run is no task's.
        let twice = ledger
            .iter()
            .enumerate()
            .any(|(n, charge)| charge.task.is_some() && ledger[..n].iter().any(|before| before.task == charge.task));
        let explain = |charge: Charge| Explained { charge, links: cause::chain(trace, charge.id, at) };
        let charges: Vec<Explained> = ledger.into_iter().map(explain).collect();
        let wrong = twice || (at >= trace.end() && trace.worst() > Kind::HonestUnknown);
        // A run that is shown is a run that can be simulated.
        let search = wrong.then(|| remedy::search(trace.scenario(), faults).ok()).flatten();
        Self {
            opened_at: at,
            charge: charges.len().saturating_sub(1),
            charges,
            link: 0,
            advice: search.map_or(Advice::NothingWrong, Advice::Search),
        }
    }

    /// The chosen link.
    #[must_use]
    pub fn chosen(&self) -> Option<&Link> {
        self.charges.get(self.charge)?.links.get(self.link)
    }

    /// To the next link, after the last of a charge to the first of the next charge.
    pub fn down(&mut self) {
        let Some(charge) = self.charges.get(self.charge) else { return };
        if self.link + 1 < charge.links.len() {
            self.link += 1;
        } else if self.charge + 1 < self.charges.len() {
            self.charge += 1;
            self.link = 0;
        }
    }

    /// To the link before.
    pub fn up(&mut self) {
        if self.link > 0 {
            self.link -= 1;
        } else if self.charge > 0 {
            self.charge -= 1;
            self.link = self.charges[self.charge].links.len().saturating_sub(1);
        }
    }

    /// To the next charge, the first after the last.
    pub fn turn(&mut self) {
        self.charge = (self.charge + 1).checked_rem(self.charges.len()).unwrap_or(0);
        self.link = 0;
    }
}
