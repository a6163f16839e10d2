//! What a run came to: what the ledger says, and what the agent said.

use super::event::{Event, Report, What};
use super::{Recorder, Trace};
use crate::model::Time;

/// What the ledger says in the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// One charge.
    ExactlyOnce,
    /// More than one.
    Duplicate,
    /// None.
    Missing,
}

/// What a run came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// How many charges the ledger holds.
    pub charges: u32,
    /// What the agent said, and when.
    pub report: Option<(Time, Report)>,
}

/// Counts what a run comes to, and keeps nothing else.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// How many charges were committed.
    pub charges: u32,
    /// How many attempts timed out.
    pub timeouts: u32,
    /// How many repeats the service recognised.
    pub replays: u32,
    /// How many answers arrived to nobody.
    pub answers_to_nobody: u32,
    /// What the agent said, and when.
    pub report: Option<(Time, Report)>,
}

impl Recorder for Tally {
    #[inline]
    fn record(&mut self, event: Event) {
        match event.what {
            What::Committed { .. } => self.charges += 1,
            What::TimedOut { .. } => self.timeouts += 1,
            What::Replayed { .. } => self.replays += 1,
            What::ArrivedToNobody(_) => self.answers_to_nobody += 1,
            What::Reported(report) => self.report = Some((event.at, report)),
            _ => {}
        }
    }
}

impl Tally {
    /// The counts of a finished trace.
    #[must_use]
    pub fn of(trace: &Trace) -> Self {
        let mut tally = Self::default();
        trace.events().iter().for_each(|event| tally.record(*event));
        tally
    }

    /// What it came to.
    #[must_use]
    pub const fn outcome(&self) -> Outcome {
        Outcome { charges: self.charges, report: self.report }
    }
}

impl Outcome {
    /// What the ledger says.
    #[must_use]
    pub const fn verdict(&self) -> Verdict {
        match self.charges {
            0 => Verdict::Missing,
            1 => Verdict::ExactlyOnce,
            _ => Verdict::Duplicate,
        }
    }

    /// Whether it is a quiet duplicate: more than one charge, and the report was `completed`.
    #[must_use]
    pub const fn is_quiet(&self) -> bool {
        matches!(self.verdict(), Verdict::Duplicate) && matches!(self.report, Some((_, Report::Completed)))
    }
}

impl Verdict {
    /// The verdict as JSON has it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::ExactlyOnce => "exactly-once",
            Self::Duplicate => "duplicate",
            Self::Missing => "missing",
        }
    }

    /// The verdict as one loud word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::ExactlyOnce => "ok",
            Self::Duplicate => "DUPLICATE",
            Self::Missing => "MISSING",
        }
    }
}
