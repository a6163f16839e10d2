//! What happened: the events of a run in time order, the world at an instant, and the outcome.
//!
//! A trace is finished before anything looks at it; whatever is shown, told or counted is a function of
//! the trace and a time.

pub mod cause;
pub mod event;
pub mod outcome;
pub mod parting;
pub mod snapshot;
pub mod story;

pub use cause::Link;
pub use event::{Answer, ChargeId, Event, Fate, Key, Message, MessageId, Payload, Refusal, Report, What};
pub use outcome::{Kind, Outcome, Tally, Verdict};
pub use parting::{Parting, first_parting, parting};
pub use snapshot::{Belief, Snapshot};

use crate::model::cast::{self, Cast};
use crate::model::task::Args;
use crate::model::{AgentId, ArgsId, Scenario, Task, TaskId, Time};

/// Where the simulator writes down what happens, in time order.
///
/// It is a trait so that a sweep can count outcomes without allocating a trace.
pub trait Recorder {
    /// Takes note of one event.
    fn record(&mut self, event: Event);
}

/// A finished run: what was asked for, and all that happened, in time order.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    scenario: Scenario,
    args: Vec<(TaskId, Args, String)>,
    tasks: Vec<TaskId>,
    events: Vec<Event>,
    messages: Vec<Message>,
}

impl Trace {
    /// A trace in which nothing has happened yet.
    #[must_use]
    pub fn new(scenario: Scenario) -> Self {
        let args = cast::arguments(&scenario);
        let tasks = Cast::new(&scenario).roles().map(|role| role.task).collect();
        Self { scenario, args, tasks, events: Vec::new(), messages: Vec::new() }
    }

    /// What was simulated.
    #[must_use]
    pub fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    /// All that happened, in time order.
    #[must_use]
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// All that was put on the wire, in sending order.
    #[must_use]
    pub fn messages(&self) -> &[Message] {
        &self.messages
    }

    /// The message of that id.
    ///
    /// # Panics
    ///
    /// Where this trace has no such message.
    #[must_use]
    pub fn message(&self, id: MessageId) -> &Message {
        &self.messages[id.index()]
    }

    /// When the last event happened; the start where there is none.
    #[must_use]
    pub fn end(&self) -> Time {
        self.events.last().map_or(Time::ZERO, |event| event.at)
    }

    /// The events that happened after `after`, up to and including `until`.
    #[must_use]
    pub fn between(&self, after: Option<Time>, until: Time) -> &[Event] {
        let first = after.map_or(0, |after| self.events.partition_point(|event| event.at <= after));
        let end = self.events.partition_point(|event| event.at <= until);
        &self.events[first.min(end)..end]
    }

    /// The key as the service gets it.
    #[must_use]
    pub fn key_text(&self, key: Key) -> String {
        match key {
            Key::Intent(args) => self.args[args.index()].2.clone(),
            Key::Attempt(agent, n) => format!("{}-retry{n}", self.made_up_by(agent)),
            Key::Run(agent, n) => format!("{}-run{n}", self.made_up_by(agent)),
        }
    }

    /// What keys begin with that an agent makes up: its task's id, and which agent it is beside the first.
    fn made_up_by(&self, agent: AgentId) -> String {
        let id = &self.task_of(agent).id;
        match agent.index() {
            0 => id.to_string(),
            n => format!("{id}-agent{}", n + 1),
        }
    }

    /// How many agents there are.
    #[must_use]
    pub fn agents(&self) -> impl ExactSizeIterator<Item = AgentId> {
        (0..u8::try_from(self.tasks.len()).unwrap_or(u8::MAX)).map(AgentId)
    }

    /// The number of an agent's task.
    ///
    /// # Panics
    ///
    /// Where there is no such agent.
    #[must_use]
    pub fn task_id_of(&self, agent: AgentId) -> TaskId {
        self.tasks[agent.index()]
    }

    /// An agent's task.
    ///
    /// # Panics
    ///
    /// Where there is no such agent.
    #[must_use]
    pub fn task_of(&self, agent: AgentId) -> &Task {
        match agent.index() {
            0 => &self.scenario.task,
            n => self.scenario.others[n - 1].task.as_ref().unwrap_or(&self.scenario.task),
        }
    }

    /// The arguments of that number.
    ///
    /// # Panics
    ///
    /// Where this trace has no such arguments.
    #[must_use]
    pub fn args(&self, args: ArgsId) -> &Args {
        &self.args[args.index()].1
    }

    /// What it came to for each agent and its task.
    #[must_use]
    pub fn kinds(&self) -> Vec<Kind> {
        let tally = Tally::of(self);
        self.agents().map(|agent| tally.kind_of(agent, self.task_id_of(agent))).collect()
    }

    /// The worst that it came to for any agent.
    #[must_use]
    pub fn worst(&self) -> Kind {
        self.kinds().into_iter().max().unwrap_or(Kind::HonestUnknown)
    }
}

impl Recorder for Trace {
    fn record(&mut self, event: Event) {
        if let What::Sent(message) = event.what {
            debug_assert_eq!(message.id.index(), self.messages.len(), "ids count up in sending order");
            self.messages.push(message);
        }
        self.events.push(event);
    }
}
