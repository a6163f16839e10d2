//! From scenario to trace: the queue, the harness, the network and the service, on a simulated clock.
//!
//! Everything here is a function of the scenario: no clock, no randomness but what is drawn from its seed, no I/O.

pub mod alternatives;
mod harness;
mod network;
mod queue;
pub mod remedy;
mod service;
mod store;

pub use store::{KeyReuse, key_reuse, key_reuse_under};

use crate::model::cast::{Cast, Role};
use crate::model::{AgentId, ArgsId, FaultPlan, Scenario, TaskId, Time};
use crate::trace::{Event, Recorder, Tally, Trace, What};
use harness::Agent;
use queue::{Order, Queue, Search};
use store::Store;

/// The most events that a run may have. Messages, charges and stored keys are fewer; and as no span is longer than
/// [`Span::MAX`](crate::model::Span::MAX), no instant comes near the end of the clock.
pub const EVENTS_MAX: u32 = 10_000;

/// A run had more than [`EVENTS_MAX`] events, and was stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyEvents;

impl std::fmt::Display for TooManyEvents {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the run has more than {EVENTS_MAX} events; allowed: fewer attempts or fewer copies")
    }
}

impl std::error::Error for TooManyEvents {}

/// Whether a run may go on.
type Step = Result<(), TooManyEvents>;

/// Runs a scenario to its end.
///
/// # Errors
///
/// Where the run has more than [`EVENTS_MAX`] events.
pub fn simulate(scenario: &Scenario) -> Result<Trace, TooManyEvents> {
    let mut trace = Trace::new(scenario.clone());
    Simulator::default().run(scenario, &mut trace)?;
    Ok(trace)
}

/// A scenario made ready to be run under many fault plans and seeds.
#[derive(Clone, Debug)]
pub struct Prepared<'a> {
    scenario: &'a Scenario,
    cast: Cast<'a>,
}

impl<'a> Prepared<'a> {
    /// Works out what does not depend on the fault plan or the seed.
    #[must_use]
    pub fn new(scenario: &'a Scenario) -> Self {
        Self { scenario, cast: Cast::new(scenario) }
    }

    /// The scenario.
    #[must_use]
    pub const fn scenario(&self) -> &'a Scenario {
        self.scenario
    }

    /// Who plays in it.
    #[must_use]
    pub const fn cast(&self) -> &Cast<'a> {
        &self.cast
    }
}

/// The room that runs take place in. Kept from one run to the next, it allocates nothing for the later ones.
#[derive(Debug, Default)]
pub struct Simulator {
    queue: Queue,
    orders: Vec<Order>,
    searches: Vec<Search>,
    store: Store,
    agents: Vec<Agent>,
    memo: Vec<(TaskId, ArgsId)>,
}

impl Simulator {
    /// Runs a scenario to its end and tells `recorder` what happens, in time order.
    ///
    /// # Errors
    ///
    /// Where the run has more than [`EVENTS_MAX`] events; the recorder has had the first of them.
    pub fn run(&mut self, scenario: &Scenario, recorder: &mut impl Recorder) -> Result<(), TooManyEvents> {
        self.run_under(&Prepared::new(scenario), &scenario.fault.plan, scenario.seed, recorder)
    }

    /// Runs a scenario under another fault plan and seed than its own.
    ///
    /// # Errors
    ///
    /// As [`Simulator::run`].
    pub fn run_under(
        &mut self,
        prepared: &Prepared<'_>,
        faults: &FaultPlan,
        seed: u32,
        recorder: &mut impl Recorder,
    ) -> Result<(), TooManyEvents> {
        self.queue.clear();
        self.orders.clear();
        self.searches.clear();
        self.store.clear();
        self.agents.clear();
        self.memo.clear();
        let run = Run {
            scenario: prepared.scenario,
            cast: &prepared.cast,
            faults,
            seed: u64::from(seed),
            queue: &mut self.queue,
            orders: &mut self.orders,
            searches: &mut self.searches,
            store: &mut self.store,
            agents: &mut self.agents,
            memo: &mut self.memo,
            recorder,
            now: Time::ZERO,
            events: 0,
            messages: 0,
            at_work: 0,
            reported_at: Time::ZERO,
        };
        run.finish()
    }

    /// Runs a scenario and keeps only the counts. Allocates nothing once the room is large enough.
    ///
    /// # Errors
    ///
    /// As [`Simulator::run`].
    pub fn count(&mut self, scenario: &Scenario) -> Result<Tally, TooManyEvents> {
        let mut tally = Tally::default();
        self.run(scenario, &mut tally)?;
        Ok(tally)
    }

    /// Runs a scenario under another fault plan and seed than its own, and keeps only the counts. Allocates nothing
    /// once the room is large enough.
    ///
    /// # Errors
    ///
    /// As [`Simulator::run`].
    pub fn count_under(
        &mut self,
        prepared: &Prepared<'_>,
        faults: &FaultPlan,
        seed: u32,
    ) -> Result<Tally, TooManyEvents> {
        let mut tally = Tally::default();
        self.run_under(prepared, faults, seed, &mut tally)?;
        Ok(tally)
    }
}

/// One run under way.
struct Run<'a, R> {
    scenario: &'a Scenario,
    cast: &'a Cast<'a>,
    faults: &'a FaultPlan,
    seed: u64,
    queue: &'a mut Queue,
    /// The calls so far, in sending order.
    orders: &'a mut Vec<Order>,
    /// The lookups so far, in sending order.
    searches: &'a mut Vec<Search>,
    store: &'a mut Store,
    agents: &'a mut Vec<Agent>,
    memo: &'a mut Vec<(TaskId, ArgsId)>,
    recorder: &'a mut R,
    now: Time,
    events: u32,
    messages: u32,
    /// How many agents will still act by themselves.
    at_work: usize,
    /// When the last report so far was.
    reported_at: Time,
}

impl<'a, R: Recorder> Run<'a, R> {
    fn finish(mut self) -> Step {
        self.open_the_books()?;
        for role in self.cast.roles() {
            self.agents.push(Agent::new(role));
        }
        self.at_work = self.agents.len();
        loop {
            let (timer, agent) = self.next_timer();
            match self.queue.soonest().map(|due| due.at) {
                // At one instant, messages are delivered before timers fire.
                Some(at) if at <= timer => {
                    if self.at_work == 0 && at > self.reported_at + self.scenario.horizon {
                        break;
                    }
                    self.now = at;
                    self.bring_about()?;
                }
                _ if timer == Agent::NEVER => break,
                _ => {
                    self.now = timer;
                    self.wake(agent)?;
                }
            }
        }
        let never_landed = self.queue.messages();
        if never_landed > 0 {
            self.now = self.reported_at + self.scenario.horizon;
        }
        self.record(AgentId(0), What::Ended { never_landed })
    }

    /// The soonest timer of all agents, and whose it is; among equals the first agent's.
    #[inline]
    fn next_timer(&self) -> (Time, AgentId) {
        if let [alone] = self.agents.as_slice() {
            return (alone.wakes_at, AgentId(0));
        }
        let mut soonest = (Agent::NEVER, AgentId(0));
        for (agent, n) in self.agents.iter().zip(0..) {
            if agent.wakes_at < soonest.0 {
                soonest = (agent.wakes_at, AgentId(n));
            }
        }
        soonest
    }

    #[expect(clippy::inline_always, reason = "what a recorder leaves out is then never built: twice as fast")]
    #[inline(always)]
    fn record(&mut self, agent: AgentId, what: What) -> Step {
        self.events += 1;
        if self.events > EVENTS_MAX {
            return Err(TooManyEvents);
        }
        self.recorder.record(Event { at: self.now, agent, what });
        Ok(())
    }

    #[inline]
    fn agent(&mut self, agent: AgentId) -> &mut Agent {
        &mut self.agents[agent.index()]
    }

    #[inline]
    fn role(&self, agent: AgentId) -> &'a Role<'a> {
        self.cast.role(agent)
    }
}
