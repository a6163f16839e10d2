//! What a run came to: what the ledger says, and what the agent said.

use super::event::{Event, Report, What};
use super::{Recorder, Trace};
use crate::model::cast::Cast;
pub use crate::model::kind::Kind;
use crate::model::{AgentId, Scenario, TaskId, Time};

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

/// What a run came to for an agent and its task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// How many charges the ledger holds that were made for the task.
    pub charges: u32,
    /// What the agent said, and when.
    pub report: Option<(Time, Report)>,
}

/// Counts what a run comes to, and keeps nothing else.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// How many charges were committed in the run, for all tasks.
    pub charges: u32,
    /// How many attempts timed out.
    pub timeouts: u32,
    /// How many repeats the service recognised.
    pub replays: u32,
    /// How many answers arrived to nobody.
    pub answers_to_nobody: u32,
    /// What the first agent said, and when.
    pub report: Option<(Time, Report)>,
    /// How many charges were committed for each task.
    pub by_task: [u16; Scenario::AGENTS_MAX],
    /// What the agents beside the first said.
    pub others: [Option<Report>; Scenario::AGENTS_MAX - 1],
}

impl Recorder for Tally {
    #[expect(clippy::inline_always, reason = "what a recorder leaves out is then never built: twice as fast")]
    #[inline(always)]
    fn record(&mut self, event: Event) {
        match event.what {
            What::Committed { task, .. } => {
                self.charges += 1;
                self.by_task[task.index()] += 1;
            }
            What::TimedOut { .. } => self.timeouts += 1,
            What::Replayed { .. } | What::Failed { replayed: true, .. } => self.replays += 1,
            What::ArrivedToNobody(_) => self.answers_to_nobody += 1,
            What::Reported(report) => match event.agent.index() {
                0 => self.report = Some((event.at, report)),
                n => self.others[n - 1] = Some(report),
            },
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

    /// What it came to for the first agent and its task.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        Outcome { charges: u32::from(self.by_task[0]), report: self.report }
    }

    /// What it came to for an agent whose task is known.
    #[must_use]
    pub fn kind_of(&self, agent: AgentId, task: TaskId) -> Kind {
        let report = match agent.index() {
            0 => self.report.map(|(_, report)| report),
            n => self.others[n - 1],
        };
        Kind::of(Verdict::of(u32::from(self.by_task[task.index()])), report)
    }

    /// What it came to for each agent, in the order of the scenario.
    pub fn kinds(&self, cast: &Cast<'_>) -> impl Iterator<Item = Kind> {
        cast.roles().zip(0..).map(|(role, n)| self.kind_of(AgentId(n), role.task))
    }

    /// The worst that it came to for any agent.
    #[must_use]
    pub fn worst(&self, cast: &Cast<'_>) -> Kind {
        self.kinds(cast).max().unwrap_or(Kind::HonestUnknown)
    }
}

impl Outcome {
    /// What the ledger says.
    #[must_use]
    pub const fn verdict(&self) -> Verdict {
        Verdict::of(self.charges)
    }

    /// What verdict and report come to together.
    #[must_use]
    pub fn kind(&self) -> Kind {
        Kind::of(self.verdict(), self.report.map(|(_, report)| report))
    }

    /// Whether it is a quiet duplicate: more than one charge, and the report was `completed`.
    #[must_use]
    pub fn is_quiet(&self) -> bool {
        self.kind() == Kind::QuietDuplicate
    }
}

impl Kind {
    /// What verdict and report come to together. No report counts as not knowing.
    #[must_use]
    pub const fn of(verdict: Verdict, report: Option<Report>) -> Self {
        match (verdict, report) {
            (Verdict::ExactlyOnce, Some(Report::Completed)) => Self::Right,
            (Verdict::ExactlyOnce, Some(Report::Failed | Report::FailedBecause(_))) => Self::FalseFailure,
            (Verdict::Missing, Some(Report::Failed | Report::FailedBecause(_))) => Self::HonestFailure,
            (Verdict::Missing, Some(Report::Completed)) => Self::FalseSuccess,
            (Verdict::Duplicate, Some(Report::Completed)) => Self::QuietDuplicate,
            (Verdict::Duplicate, _) => Self::LoudDuplicate,
            (Verdict::ExactlyOnce | Verdict::Missing, Some(Report::UnknownEscalate) | None) => Self::HonestUnknown,
        }
    }
}

impl Verdict {
    /// What so many charges for one task come to.
    #[must_use]
    pub const fn of(charges: u32) -> Self {
        match charges {
            0 => Self::Missing,
            1 => Self::ExactlyOnce,
            _ => Self::Duplicate,
        }
    }

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
