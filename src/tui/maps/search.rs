//! The sheet that searches every fault plan: its bounds, what is forbidden, how far it is, what it found.

use super::work::{Task, Telling, UnderWay};
use crate::model::Scenario;
use crate::search::explore::{Exploration, Findings, estimate};
use crate::search::{Bounds, Forbid};
use crate::sim::simulate;
use crate::trace::{Kind, Trace};

/// How many pieces of a search are done between two looks at the flag.
const PIECES: usize = 4;

/// The most calls that the key goes to. The command line goes further.
const CALLS_MAX: u32 = 9;
/// The most faults that the key goes to.
const FAULTS_MAX: u32 = 5;

/// What can be forbidden with a key, in turn.
pub const FORBIDDEN: [(&str, &[Forbid]); 5] = [
    ("a duplicate, or a false success", &Forbid::USUAL),
    ("a duplicate", &[Forbid::Duplicate]),
    ("a missing charge", &[Forbid::Missing]),
    ("a report that is not true", UNTRUE),
    ("anything but right", OTHERWISE),
];

const UNTRUE: &[Forbid] =
    &[Forbid::Kind(Kind::FalseFailure), Forbid::Kind(Kind::FalseSuccess), Forbid::Kind(Kind::QuietDuplicate)];

const OTHERWISE: &[Forbid] = &[
    Forbid::Kind(Kind::HonestUnknown),
    Forbid::Kind(Kind::HonestFailure),
    Forbid::Kind(Kind::FalseFailure),
    Forbid::Kind(Kind::LoudDuplicate),
    Forbid::Kind(Kind::FalseSuccess),
    Forbid::Kind(Kind::QuietDuplicate),
];

/// How far a search is.
#[derive(Clone, Debug)]
pub struct Progress {
    /// How many pieces are done.
    pub done: usize,
    /// And of how many.
    pub of: usize,
    /// What was found so far.
    pub findings: Findings,
    /// The run of the smallest counterexample, once the search is done.
    pub smallest: Option<Box<Trace>>,
}

impl Progress {
    /// Whether every plan was looked at.
    #[must_use]
    pub const fn is_whole(&self) -> bool {
        self.done == self.of
    }
}

/// What the thread tells.
#[derive(Clone, Debug)]
pub enum News {
    /// It would take so many plans, which is more than a screen should wait for.
    TooMany(u64),
    /// It is under way, or done.
    Progress(Box<Progress>),
}

/// The state of the sheet.
#[derive(Debug, Default)]
pub struct Search {
    /// How far it goes.
    pub bounds: Bounds,
    /// Which of [`FORBIDDEN`] must not happen.
    pub forbidden: usize,
    /// How far it is.
    pub task: Task<News>,
    /// What is searched, without its own fault plan.
    about: Option<Scenario>,
}

impl Search {
    /// What is forbidden, in words.
    #[must_use]
    pub fn forbids(&self) -> &'static str {
        FORBIDDEN[self.forbidden].0
    }

    /// Searches for a scenario, unless that was done already.
    pub fn open(&mut self, scenario: &Scenario) {
        if self.about.as_ref() != Some(scenario) {
            self.about = Some(scenario.clone());
            self.start();
        } else if self.task.is_idle() && !self.is_done() {
            self.start();
        }
    }

    /// Starts from the beginning.
    pub fn start(&mut self) {
        let Some(scenario) = self.about.clone() else { return };
        let (bounds, forbid) = (self.bounds.clone(), FORBIDDEN[self.forbidden].1.to_vec());
        self.task.start(None, move |telling| search(&scenario, bounds, forbid, telling));
    }

    /// Starts again, or stops what is under way.
    pub fn start_or_stop(&mut self) {
        if !self.task.stop() {
            self.start();
        }
    }

    /// How many pieces are done, and of how many.
    #[must_use]
    pub fn progress(&self) -> (usize, usize) {
        match &self.task.told {
            Some(News::Progress(progress)) => (progress.done, progress.of),
            Some(News::TooMany(_)) => (1, 1),
            None => (0, 0),
        }
    }

    /// Whether nothing is left to search.
    fn is_done(&self) -> bool {
        match &self.task.told {
            None => false,
            Some(News::TooMany(_)) => true,
            Some(News::Progress(progress)) => progress.is_whole(),
        }
    }

    /// The smallest counterexample, as a scenario and as a run, once all is searched.
    #[must_use]
    pub fn counterexample(&self) -> Option<&Trace> {
        match &self.task.told {
            Some(News::Progress(progress)) => progress.smallest.as_deref(),
            _ => None,
        }
    }

    /// One call more or less.
    pub fn turn_calls(&mut self, up: bool) {
        let calls = self.bounds.calls;
        self.turn(Bounds {
            calls: if up { (calls + 1).min(CALLS_MAX) } else { (calls - 1).max(1) },
            ..self.bounds.clone()
        });
    }

    /// One fault more or less.
    pub fn turn_faults(&mut self, up: bool) {
        let faults = self.bounds.faults;
        let faults = if up { (faults + 1).min(FAULTS_MAX) } else { faults.saturating_sub(1) };
        self.turn(Bounds { faults, ..self.bounds.clone() });
    }

    fn turn(&mut self, bounds: Bounds) {
        if bounds != self.bounds {
            self.bounds = bounds;
            self.start();
        }
    }

    /// Something else is forbidden.
    pub fn turn_forbidden(&mut self, up: bool) {
        let step = if up { 1 } else { FORBIDDEN.len() - 1 };
        self.forbidden = (self.forbidden + step) % FORBIDDEN.len();
        self.start();
    }
}

/// Searches, and tells after every few pieces.
fn search(scenario: &Scenario, bounds: Bounds, forbid: Vec<Forbid>, telling: &Telling<News>) {
    let plans = estimate(scenario, &bounds);
    if plans > Bounds::PLANS_MAX {
        telling.tell(News::TooMany(plans));
        return;
    }
    let mut exploration = Exploration::new(scenario, bounds, forbid);
    loop {
        let more = exploration.advance(PIECES, telling.flag());
        // A piece that was cut short is not a piece.
        if telling.is_stopped() {
            return;
        }
        let (done, of) = exploration.progress();
        let findings = exploration.findings().clone();
        let smallest = findings.smallest.as_ref().filter(|_| !more);
        let smallest = smallest.and_then(|found| simulate(&found.scenario(scenario)).ok()).map(Box::new);
        if !telling.tell(News::Progress(Box::new(Progress { done, of, findings, smallest }))) || !more {
            return;
        }
    }
}
