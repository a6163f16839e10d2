//! Every fault plan within bounds: a certificate, or the smallest counterexample.

use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use super::bounds::{Bounds, Delays, Forbid, looks_up};
use super::walk::{Found, Node, Visitor, Walk};
use crate::model::fault::{Fault, FaultPlan};
use crate::model::{AgentId, Scenario, Text, Time};
use crate::sim::Prepared;
use crate::trace::{Event, Kind, Tally, Verdict, What};

/// How many plans came to what: for each outcome name, in the order of [`Kind::ALL`]. With more than one agent a plan
/// counts by the worst.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts(pub [u64; Kind::ALL.len()]);

impl Counts {
    /// Counts one more.
    pub fn add(&mut self, kind: Kind) {
        self.0[kind as usize] += 1;
    }

    /// How many came to this.
    #[must_use]
    pub const fn of(&self, kind: Kind) -> u64 {
        self.0[kind as usize]
    }

    /// How many there are.
    #[must_use]
    pub fn all(&self) -> u64 {
        self.0.iter().sum()
    }

    /// How many are duplicates, quiet or loud.
    #[must_use]
    pub const fn duplicates(&self) -> u64 {
        self.of(Kind::QuietDuplicate) + self.of(Kind::LoudDuplicate)
    }

    /// Adds those of another.
    pub fn merge(&mut self, other: &Self) {
        self.0.iter_mut().zip(other.0).for_each(|(mine, more)| *mine += more);
    }
}

/// A plan under which something forbidden happens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counterexample {
    /// What goes wrong.
    pub plan: FaultPlan,
    /// How many faults that are.
    pub faults: u32,
    /// When it was settled: the last charge or the last report.
    pub at: Time,
    /// What was forbidden.
    pub forbidden: Forbid,
    /// What it came to.
    pub kind: Kind,
}

impl Counterexample {
    /// As a scenario, which can be written to a file and opened as a run.
    #[must_use]
    pub fn scenario(&self, of: &Scenario) -> Scenario {
        let name = format!("counterexample: {} under {}", of.strategy.name, of.contract.name);
        let fault = Fault { name: Text::new("found by search"), plan: self.plan.clone() };
        Scenario { name: Text::new(&name), fault, about: None, expect: None, ..of.clone() }
    }
}

/// What a search found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    /// How many plans of each outcome: only those each fault of which changes the run.
    pub counts: Counts,
    /// How many plans have no charge for some agent's task, whatever the agent says.
    pub missing: u64,
    /// How many plans were left out, since they come to the same run without one of their faults.
    pub idle: u64,
    /// How many plans were left out, since their run has too many events.
    pub too_long: u64,
    /// How many plans have so many faults; the index is the number.
    pub by_faults: [u64; Bounds::FAULTS_MAX as usize + 1],
    /// How many plans come to something forbidden.
    pub forbidden: u64,
    /// The smallest of them: fewest faults, then settled earliest.
    pub smallest: Option<Counterexample>,
}

impl Findings {
    /// How many plans were counted.
    #[must_use]
    pub fn plans(&self) -> u64 {
        self.counts.all()
    }

    fn merge(&mut self, other: Self) {
        self.counts.merge(&other.counts);
        self.missing += other.missing;
        self.idle += other.idle;
        self.too_long += other.too_long;
        self.by_faults.iter_mut().zip(other.by_faults).for_each(|(mine, more)| *mine += more);
        self.forbidden += other.forbidden;
        if let Some(theirs) = other.smallest
            && self.smallest.as_ref().is_none_or(|mine| (theirs.faults, theirs.at) < (mine.faults, mine.at))
        {
            self.smallest = Some(theirs);
        }
    }
}

/// A search under way, in pieces: [`Exploration::advance`] does some, so that a screen can show how far it is, and stop.
#[derive(Debug)]
pub struct Exploration<'a> {
    prepared: Prepared<'a>,
    bounds: Bounds,
    forbid: Vec<Forbid>,
    tasks: Vec<Node>,
    next: usize,
    findings: Findings,
}

/// How many pieces a search is cut into, at least, where it has as many.
const PIECES: usize = 512;

impl<'a> Exploration<'a> {
    /// A search of every plan for the scenario, whatever its own plan is, within bounds. Does the first small part.
    #[must_use]
    pub fn new(scenario: &'a Scenario, bounds: Bounds, forbid: Vec<Forbid>) -> Self {
        let prepared = Prepared::new(scenario);
        let mut collector = Collector::new(&prepared, &forbid, None);
        let mut walk = Walk::new(&prepared, &bounds);
        let mut tasks = std::collections::VecDeque::from([Node::root()]);
        let mut children = Vec::new();
        for _ in 0..PIECES {
            if tasks.len() >= PIECES {
                break;
            }
            let Some(node) = tasks.pop_front() else { break };
            walk.step(&node, &mut collector, &mut children);
            tasks.extend(children.drain(..));
        }
        drop(walk);
        let findings = collector.findings;
        Self { prepared, bounds, forbid, tasks: tasks.into(), next: 0, findings }
    }

    /// Does as many more pieces as that, on the threads of the caller's pool; a raised flag ends them early. Whether
    /// there is more to do.
    pub fn advance(&mut self, pieces: usize, stop: &AtomicBool) -> bool {
        let end = self.tasks.len().min(self.next + pieces);
        let (prepared, bounds, forbid) = (&self.prepared, &self.bounds, &self.forbid);
        let found: Vec<Findings> = self.tasks[self.next..end]
            .par_iter()
            .map_init(
                || Walk::new(prepared, bounds),
                |walk, node| {
                    let mut collector = Collector::new(prepared, forbid, Some(stop));
                    walk.run(node.clone(), &mut collector);
                    collector.findings
                },
            )
            .collect();
        for found in found {
            self.findings.merge(found);
        }
        self.next = end;
        !self.is_done()
    }

    /// Does all that is left.
    #[must_use]
    pub fn finish(mut self) -> Findings {
        let never = AtomicBool::new(false);
        while self.advance(PIECES, &never) {}
        self.findings
    }

    /// Whether all is done.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.next == self.tasks.len()
    }

    /// How many pieces are done, and of how many.
    #[must_use]
    pub fn progress(&self) -> (usize, usize) {
        (self.next, self.tasks.len())
    }

    /// What was found so far.
    #[must_use]
    pub const fn findings(&self) -> &Findings {
        &self.findings
    }

    /// The bounds.
    #[must_use]
    pub const fn bounds(&self) -> &Bounds {
        &self.bounds
    }
}

/// How many plans there can be within bounds, at most, counted from how many delays matter for one late message of the
/// first call: what it would take.
#[must_use]
pub fn estimate(scenario: &Scenario, bounds: &Bounds) -> u64 {
    let instants = match &bounds.delays {
        Delays::Critical => instants_of_first_call(scenario, bounds),
        Delays::Listed(_) => 0,
    };
    let calls = calls_at_most(scenario);
    let lookups = if looks_up(scenario) { calls } else { 0 };
    bounds.at_most(bounds.calls.min(calls), bounds.calls.min(lookups), instants)
}

/// How many calls a scenario can make, at most.
pub(super) fn calls_at_most(scenario: &Scenario) -> u32 {
    let others = scenario.others.iter().map(|other| other.strategy.as_ref().unwrap_or(&scenario.strategy));
    let calls = std::iter::once(&scenario.strategy).chain(others).map(|strategy| {
        let per_attempt = strategy.transport.as_ref().map_or(0, |transport| transport.retries.get()) + 1;
        let runs = if strategy.crash.is_some() { 2 } else { 1 };
        strategy.max_attempts.get() * per_attempt * runs
    });
    calls.fold(0, u32::saturating_add)
}

fn instants_of_first_call(scenario: &Scenario, bounds: &Bounds) -> u64 {
    let late: Vec<_> = bounds.mishaps.iter().copied().filter(|mishap| mishap.is_late()).collect();
    let each = late.iter().map(|mishap| {
        let alone = Bounds { calls: 1, faults: 1, mishaps: vec![*mishap], delays: Delays::Critical };
        Exploration::new(scenario, alone, Vec::new()).finish().by_faults[1]
    });
    each.max().unwrap_or(0).max(1)
}

/// Every plan that a search counts, in the order of the walk, with its counts and its events.
pub fn every_plan(scenario: &Scenario, bounds: &Bounds, visit: impl FnMut(&FaultPlan, &Tally, &[Event])) {
    struct Each<F>(F);
    impl<F: FnMut(&FaultPlan, &Tally, &[Event])> Visitor for Each<F> {
        fn distinct(&mut self, found: &Found<'_>) {
            (self.0)(found.plan, found.tally, found.events);
        }

        fn idle(&mut self) {}

        fn too_long(&mut self) {}

        fn stop(&self) -> bool {
            false
        }
    }
    let prepared = Prepared::new(scenario);
    Walk::new(&prepared, bounds).run(Node::root(), &mut Each(visit));
}

/// Puts together what a walk tells of.
struct Collector<'a> {
    prepared: &'a Prepared<'a>,
    forbid: &'a [Forbid],
    stop: Option<&'a AtomicBool>,
    findings: Findings,
}

impl<'a> Collector<'a> {
    fn new(prepared: &'a Prepared<'a>, forbid: &'a [Forbid], stop: Option<&'a AtomicBool>) -> Self {
        Self { prepared, forbid, stop, findings: Findings::default() }
    }

    /// The first thing forbidden that an agent comes to.
    fn forbidden(&self, tally: &Tally) -> Option<(Forbid, Kind)> {
        let agents = self.prepared.cast().roles().zip(0..).map(|(role, n)| {
            let verdict = Verdict::of(u32::from(tally.by_task[role.task.index()]));
            (verdict, tally.kind_of(AgentId(n), role.task))
        });
        let mut broken = agents.filter_map(|(verdict, kind)| {
            let forbid = self.forbid.iter().copied().find(|forbid| forbid.is(verdict, kind))?;
            Some((forbid, kind))
        });
        broken.next()
    }
}

impl Visitor for Collector<'_> {
    fn distinct(&mut self, found: &Found<'_>) {
        let cast = self.prepared.cast();
        self.findings.counts.add(found.tally.worst(cast));
        self.findings.by_faults[found.faults] += 1;
        self.findings.missing += u64::from(cast.roles().any(|role| found.tally.by_task[role.task.index()] == 0));
        let Some((forbidden, kind)) = self.forbidden(found.tally) else { return };
        self.findings.forbidden += 1;
        let faults = u32::try_from(found.faults).unwrap_or(u32::MAX);
        let at = settled(found.events);
        if self.findings.smallest.as_ref().is_none_or(|smallest| (faults, at) < (smallest.faults, smallest.at)) {
            self.findings.smallest = Some(Counterexample { plan: found.plan.clone(), faults, at, forbidden, kind });
        }
    }

    fn idle(&mut self) {
        self.findings.idle += 1;
    }

    fn too_long(&mut self) {
        self.findings.too_long += 1;
    }

    fn stop(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }
}

/// When a run was settled: its last charge or report.
fn settled(events: &[Event]) -> Time {
    let last = events.iter().rev().find(|event| matches!(event.what, What::Committed { .. } | What::Reported(_)));
    last.map_or(Time::ZERO, |event| event.at)
}
