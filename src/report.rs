//! What a run came to, for people and for programs: a file an output.
//!
//! Every report is a function from finished runs to text. Nothing here reads, writes or knows a terminal; all text that
//! came from outside was made safe before, and what has to stay as it was (the arguments of the task) is only ever
//! written as JSON, which [`json`] escapes.

pub mod cases;
pub mod check;
pub mod explore;
pub mod json;
pub mod lesson;
pub mod markdown;
pub mod odds;
pub mod story;
pub mod study;
pub mod summary;
pub mod table;

use std::fmt;

use crate::model::Scenario;
use crate::model::scenario::Expect;
use crate::model::text::fit;
use crate::sim::{TooManyEvents, simulate};
use crate::trace::snapshot::Charge;
use crate::trace::{Kind, Outcome, Report, Snapshot, Tally, Trace, Verdict};

/// How much of a name a report for people shows, in columns.
const NAME_COLUMNS: usize = 60;

/// A finished run and what it came to: what all reports are made from.
#[derive(Clone, Debug)]
pub struct Run {
    /// All that happened.
    pub trace: Trace,
    /// The world when nothing could happen any more.
    pub end: Snapshot,
    /// The counts.
    pub tally: Tally,
}

impl Run {
    /// Runs a scenario and judges it.
    ///
    /// # Errors
    ///
    /// Where the run has too many events.
    pub fn of(scenario: &Scenario) -> Result<Self, TooManyEvents> {
        let trace = simulate(scenario)?;
        let end = Snapshot::at(&trace, trace.end());
        let tally = Tally::of(&trace);
        Ok(Self { trace, end, tally })
    }

    /// The 16 runs: each fault in turn, and under it each strategy.
    ///
    /// # Panics
    ///
    /// Never: none of them has many events.
    #[must_use]
    pub fn sixteen() -> Vec<Self> {
        Scenario::presets().map(|scenario| Self::of(&scenario).expect("a preset has few events")).collect()
    }

    /// Whether it came to what the scenario expects; where it expects nothing, whether every task took effect once.
    #[must_use]
    pub fn holds(&self) -> bool {
        match self.scenario().expect {
            Some(Expect { outcome, charges }) => {
                self.trace.worst() == outcome && charges.is_none_or(|charges| charges == self.tally.charges)
            }
            None => self.trace.agents().all(|agent| {
                let charges = self.tally.by_task[self.trace.task_id_of(agent).index()];
                Verdict::of(u32::from(charges)) == Verdict::ExactlyOnce
            }),
        }
    }

    /// What was simulated.
    #[must_use]
    pub fn scenario(&self) -> &Scenario {
        self.trace.scenario()
    }

    /// What it came to.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        self.tally.outcome()
    }

    /// What the ledger says.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        self.outcome().verdict()
    }

    /// What the agent said, as reports print it.
    #[must_use]
    pub fn said(&self) -> String {
        self.outcome().report.map_or_else(|| "nothing".to_owned(), |(_, report)| Report::to_string(&report))
    }

    /// The charges in the ledger at the end.
    #[must_use]
    pub fn ledger(&self) -> &[Charge] {
        &self.end.ledger
    }
}

/// How many runs are duplicates, and how many of these the agent reported as completed.
#[must_use]
pub fn duplicates(runs: &[Run]) -> (usize, usize) {
    let count = |holds: fn(&Outcome) -> bool| runs.iter().filter(|run| holds(&run.outcome())).count();
    (count(|outcome| outcome.verdict() == Verdict::Duplicate), count(Outcome::is_quiet))
}

/// A whole number as people read it: `1,296`.
#[must_use]
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut shown = String::new();
    for (n, digit) in digits.chars().enumerate() {
        if n > 0 && (digits.len() - n).is_multiple_of(3) {
            shown.push(',');
        }
        shown.push(digit);
    }
    shown
}

/// A probability in percent, with as many digits as tell it from nothing and from all.
#[must_use]
pub fn percent(share: f64) -> String {
    let percent = share * 100.0;
    match percent {
        p if p <= 0.0 || p >= 100.0 => format!("{p:.0} %"),
        p if p < 0.000_1 => format!("{p:.0e} %"),
        p if p < 0.1 => format!("{p:.4} %"),
        // Nearly all must not look like all.
        p if p > 99.99 => format!("{:.6} %", (p * 1e6).floor() / 1e6),
        p if p > 99.9 => format!("{p:.3} %"),
        p => format!("{p:.2} %"),
    }
}

/// How many runs come to what besides the two that are always counted, the worst first; nothing that none comes to.
fn other_outcomes(runs: &[Run]) -> Vec<(Kind, usize)> {
    let others = Kind::ALL.into_iter().rev().filter(|kind| *kind != Kind::Right && *kind != Kind::QuietDuplicate);
    let counted = others.map(|kind| (kind, runs.iter().filter(|run| run.trace.worst() == kind).count()));
    counted.filter(|(_, count)| *count > 0).collect()
}

/// The total of a kind in words: `Honest unknowns, which are right answers`.
const fn total(kind: Kind) -> &'static str {
    match kind {
        Kind::Right => "Right",
        Kind::HonestUnknown => "Honest unknowns, which are right answers",
        Kind::HonestFailure => "Honest failures: no charge, and the agent says so",
        Kind::FalseFailure => "False failures: a charge, and the agent says that it failed",
        Kind::FalseSuccess => "False successes: no charge, and the agent says that it completed",
        Kind::LoudDuplicate => "Loud duplicates: the agent does not claim success",
        Kind::QuietDuplicate => "Quiet duplicates",
    }
}

/// The name of an outcome, where verdict and report alone don't say it at a glance.
fn named(run: &Run) -> Option<Kind> {
    Some(run.trace.worst()).filter(|kind| *kind != Kind::Right && *kind != Kind::QuietDuplicate)
}

/// What an engineer should know of the runs, each once: a plain sentence and the strategy that it is about.
fn minds(runs: &[Run]) -> Vec<String> {
    let mut minds: Vec<String> = Vec::new();
    for run in runs {
        for warning in run.scenario().warnings() {
            let mind = format!("{}: {warning}", shown(&run.scenario().strategy.title()));
            if !minds.contains(&mind) {
                minds.push(mind);
            }
        }
    }
    minds
}

/// What `write` writes, as one text.
fn written(write: impl FnOnce(&mut String) -> fmt::Result) -> String {
    let mut out = String::new();
    write(&mut out).expect("a string takes all that is written to it");
    out
}

/// A name in a report for people: cut to a length that can be read.
fn shown(name: &str) -> String {
    fit(name, NAME_COLUMNS, "...")
}
