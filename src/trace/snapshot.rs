//! The world at an instant: what the client has seen, what is on the wire, and what is true.

use super::{Answer, ChargeId, Event, Key, Message, MessageId, Payload, Report, Trace, What};
use crate::model::{AgentId, ArgsId, TaskId, Time};

/// The world at an instant of a run: the fold of all events up to and including it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// The instant.
    pub at: Time,
    /// What the client has seen: its attempts, in order.
    pub attempts: Vec<Attempt>,
    /// What the client has seen: its lookups, in order.
    pub lookups: Vec<Lookup>,
    /// What the first agent's harness is doing.
    pub doing: Doing,
    /// What the first agent said, and when.
    pub report: Option<(Time, Report)>,
    /// The agents beside the first, in the order of the scenario.
    pub others: Vec<Other>,
    /// What is on the wire, in sending order. A message that was lost stays as long as anyone waits for it.
    pub wire: Vec<OnWire>,
    /// What is true: the charges, in order.
    pub ledger: Vec<Charge>,
    /// How often the service recognised a repeat.
    pub replays: Vec<(Time, ChargeId)>,
    /// The agents that know of a success from a memo of the client's, and so tried nothing.
    pub remember: Vec<AgentId>,
    /// Whether nothing can happen any more.
    pub ended: bool,
}

/// An agent beside the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Other {
    /// What its harness is doing.
    pub doing: Doing,
    /// What it said, and when.
    pub report: Option<(Time, Report)>,
}

/// An attempt as the client sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// Whose it is.
    pub agent: AgentId,
    /// The task.
    pub task: TaskId,
    /// Counted from 1, for each agent.
    pub number: u32,
    /// What its requests carry.
    pub key: Option<Key>,
    /// When it started.
    pub started_at: Time,
    /// When its timer runs out, or would have.
    pub times_out_at: Time,
    /// How it stands.
    pub state: AttemptState,
    /// The request whose answer it waits for, by its number; none while the transport pauses.
    pub awaited: Option<u32>,
    /// Whether the harness has forgotten it in a crash.
    pub forgotten: bool,
}

/// How an attempt stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttemptState {
    /// The client waits for its answer.
    Waiting,
    /// Its timer ran out.
    TimedOut(Time),
    /// It was answered in time.
    Answered(Time, Answer),
    /// The harness crashed while it waited.
    Abandoned(Time),
}

/// A lookup as the client sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lookup {
    /// Who asks.
    pub agent: AgentId,
    /// The message that asks.
    pub message: MessageId,
    /// The attempt after which the client looks.
    pub after_attempt: u32,
    /// When it asked.
    pub asked_at: Time,
    /// How it stands.
    pub state: LookupState,
}

/// How a lookup stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LookupState {
    /// The client waits for what it found.
    Waiting,
    /// Its timer ran out.
    TimedOut(Time),
    /// The charge was there when the service looked.
    Found(Time, ChargeId),
    /// No such charge was there when the service looked.
    NotFound(Time),
    /// The service said that it could not look.
    Failed(Time),
    /// The harness crashed while it waited.
    Abandoned(Time),
}

/// What the harness is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doing {
    /// It has not begun, or decides what comes next.
    Nothing,
    /// It waits for the answer to an attempt.
    Attempting(u32),
    /// It pauses.
    Pausing {
        /// When it goes on.
        until: Time,
    },
    /// It waits for what a lookup found.
    LookingUp(MessageId),
    /// It has crashed.
    Down {
        /// When it resumes.
        until: Time,
    },
    /// It has reported.
    Reported,
}

/// A message on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OnWire {
    /// The message.
    pub message: Message,
    /// Whether anyone still waits for the answer that it is, or leads to.
    pub awaited: bool,
}

/// A charge that stands in the ledger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Charge {
    /// Its number.
    pub id: ChargeId,
    /// When it was committed; the start, where it stood before the run.
    pub at: Time,
    /// The request that asked for it; none where it stood before the run.
    pub request: Option<MessageId>,
    /// The key that the request carried.
    pub key: Option<Key>,
    /// The task that it was made for; none where it stood before the run.
    pub task: Option<TaskId>,
    /// The agent that asked for it.
    pub agent: AgentId,
    /// The arguments that it was asked for with.
    pub args: ArgsId,
}

/// What the client may conclude from what it has seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Belief {
    /// Nothing yet: no answer, and no timeout either.
    Waiting,
    /// It did happen, or it did not, or it still will.
    Unknown,
    /// It happened.
    Done,
    /// It was refused, and nothing else was tried that could have had an effect.
    Refused,
}

/// How far the client's belief is from the ledger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Gap {
    /// They agree, or there is nothing to know yet.
    None,
    /// The ledger holds what the client has not learned of.
    Unseen,
    /// The client is sure of something that is not so.
    Wrong,
}

impl Snapshot {
    /// The world at `at`: after every event up to and including that instant.
    #[must_use]
    pub fn at(trace: &Trace, at: Time) -> Self {
        let mut world = Self::before();
        for event in trace.between(None, at) {
            world.apply(trace, event);
        }
        world.at = at;
        world
    }

    /// The world before the first event.
    #[must_use]
    pub fn before() -> Self {
        Self {
            at: Time::ZERO,
            attempts: Vec::new(),
            lookups: Vec::new(),
            doing: Doing::Nothing,
            report: None,
            others: Vec::new(),
            wire: Vec::new(),
            ledger: Vec::new(),
            replays: Vec::new(),
            remember: Vec::new(),
            ended: false,
        }
    }

    /// Takes the world one event further.
    pub fn apply(&mut self, trace: &Trace, event: &Event) {
        self.at = event.at;
        let agent = event.agent;
        match event.what {
            What::Stood { charge } => self.ledger.push(Charge {
                id: charge,
                at: event.at,
                request: None,
                key: None,
                task: None,
                agent,
                args: ArgsId::default(),
            }),
            What::Committed { charge, request, key, task } => {
                let Payload::Request { args, .. } = trace.message(request).payload else { return };
                let request = Some(request);
                self.ledger.push(Charge { id: charge, at: event.at, request, key, task: Some(task), agent, args });
            }
            What::AttemptStarted { attempt, key, times_out_at } => {
                self.attempts.push(Attempt {
                    agent,
                    task: trace.task_id_of(agent),
                    number: attempt,
                    key,
                    started_at: event.at,
                    times_out_at,
                    state: AttemptState::Waiting,
                    awaited: None,
                    forgotten: false,
                });
                self.do_now(agent, Doing::Attempting(attempt));
            }
            What::Sent(message) => self.send(message, event.at),
            What::Arrived(id) => {
                self.wire.retain(|on_wire| on_wire.message.id != id);
                self.hear(agent, trace.message(id).payload, event.at);
            }
            What::ArrivedToNobody(id) => self.wire.retain(|on_wire| on_wire.message.id != id),
            What::Replayed { charge, .. } => self.replays.push((event.at, charge)),
            What::Refused { .. }
            | What::Began { .. }
            | What::Held { .. }
            | What::Failed { .. }
            | What::ServiceCrashed { .. }
            | What::Unheard { .. }
            | What::Read { .. }
            | What::ReadFailed { .. }
            | What::NothingToRead { .. } => {}
            What::Remembered => self.remember.push(agent),
            What::Resending { attempt, .. } => {
                if let Some(attempt) = self.attempt_mut(agent, attempt) {
                    attempt.awaited = None;
                }
            }
            What::HarnessCrashed { until } => self.crash(agent, event.at, until),
            What::HarnessResumed { progress_kept, .. } => {
                if !progress_kept {
                    self.attempts.iter_mut().filter(|a| a.agent == agent).for_each(|a| a.forgotten = true);
                    self.report_now(agent, None);
                }
                self.do_now(agent, Doing::Nothing);
            }
            What::TimedOut { attempt } => self.end_attempt(agent, attempt, AttemptState::TimedOut(event.at)),
            What::LookupTimedOut { lookup } => self.end_lookup(agent, lookup, LookupState::TimedOut(event.at)),
            What::Paused { until } => self.do_now(agent, Doing::Pausing { until }),
            What::Reported(report) => {
                self.report_now(agent, Some((event.at, report)));
                self.do_now(agent, Doing::Reported);
            }
            What::Ended { .. } => self.ended = true,
        }
        self.forget_what_nobody_awaits();
    }

    fn send(&mut self, message: Message, at: Time) {
        match message.payload {
            Payload::Lookup { attempt, .. } => {
                self.lookups.push(Lookup {
                    agent: message.agent,
                    message: message.id,
                    after_attempt: attempt,
                    asked_at: at,
                    state: LookupState::Waiting,
                });
                self.do_now(message.agent, Doing::LookingUp(message.id));
            }
            Payload::Request { attempt, call, .. } => {
                if let Some(attempt) = self.attempt_mut(message.agent, attempt) {
                    attempt.awaited = Some(call);
                }
            }
            Payload::Response { .. } | Payload::Finding { .. } | Payload::LookupFailed { .. } => {}
        }
        self.wire.push(OnWire { message, awaited: true });
    }

    /// The client hears an answer that it waited for.
    fn hear(&mut self, agent: AgentId, payload: Payload, at: Time) {
        match payload {
            Payload::Response { attempt, answer, .. } => {
                self.end_attempt(agent, attempt, AttemptState::Answered(at, answer));
            }
            Payload::Finding { to, found } => {
                let state = found.map_or(LookupState::NotFound(at), |charge| LookupState::Found(at, charge));
                self.end_lookup(agent, to, state);
            }
            Payload::LookupFailed { to } => self.end_lookup(agent, to, LookupState::Failed(at)),
            Payload::Request { .. } | Payload::Lookup { .. } => {}
        }
    }

    fn attempt_mut(&mut self, agent: AgentId, number: u32) -> Option<&mut Attempt> {
        self.attempts.iter_mut().rfind(|attempt| attempt.agent == agent && attempt.number == number)
    }

    fn end_attempt(&mut self, agent: AgentId, number: u32, state: AttemptState) {
        if let Some(attempt) = self.attempt_mut(agent, number) {
            attempt.state = state;
        }
        self.do_now(agent, Doing::Nothing);
    }

    fn end_lookup(&mut self, agent: AgentId, message: MessageId, state: LookupState) {
        if let Some(lookup) = self.lookups.iter_mut().rfind(|lookup| lookup.message == message) {
            lookup.state = state;
        }
        self.do_now(agent, Doing::Nothing);
    }

    fn crash(&mut self, agent: AgentId, at: Time, until: Time) {
        for attempt in self.attempts.iter_mut().filter(|attempt| attempt.agent == agent) {
            if attempt.state == AttemptState::Waiting {
                attempt.state = AttemptState::Abandoned(at);
            }
        }
        for lookup in self.lookups.iter_mut().filter(|lookup| lookup.agent == agent) {
            if lookup.state == LookupState::Waiting {
                lookup.state = LookupState::Abandoned(at);
            }
        }
        self.do_now(agent, Doing::Down { until });
    }

    fn other_mut(&mut self, agent: AgentId) -> Option<&mut Other> {
        let n = agent.index().checked_sub(1)?;
        while self.others.len() <= n {
            self.others.push(Other { doing: Doing::Nothing, report: None });
        }
        self.others.get_mut(n)
    }

    fn do_now(&mut self, agent: AgentId, doing: Doing) {
        match self.other_mut(agent) {
            None => self.doing = doing,
            Some(other) => other.doing = doing,
        }
    }

    fn report_now(&mut self, agent: AgentId, report: Option<(Time, Report)>) {
        match self.other_mut(agent) {
            None => self.report = report,
            Some(other) => other.report = report,
        }
    }

    /// What an agent's harness is doing.
    #[must_use]
    pub fn doing_of(&self, agent: AgentId) -> Doing {
        match agent.index().checked_sub(1) {
            None => self.doing,
            Some(n) => self.others.get(n).map_or(Doing::Nothing, |other| other.doing),
        }
    }

    /// What an agent said, and when.
    #[must_use]
    pub fn report_of(&self, agent: AgentId) -> Option<(Time, Report)> {
        match agent.index().checked_sub(1) {
            None => self.report,
            Some(n) => self.others.get(n).and_then(|other| other.report),
        }
    }

    /// Marks who is still waited for, and drops what is lost and waited for by nobody.
    fn forget_what_nobody_awaits(&mut self) {
        let mut wire = std::mem::take(&mut self.wire);
        for on_wire in &mut wire {
            let message = &on_wire.message;
            on_wire.awaited = match (message.payload, self.doing_of(message.agent)) {
                (
                    Payload::Request { attempt, call, .. } | Payload::Response { attempt, call, .. },
                    Doing::Attempting(now),
                ) => {
                    let same = |a: &&Attempt| a.agent == message.agent && a.number == attempt;
                    attempt == now && self.attempts.iter().rev().find(same).is_some_and(|a| a.awaited == Some(call))
                }
                (Payload::Lookup { .. }, Doing::LookingUp(lookup)) => message.id == lookup,
                (Payload::Finding { to, .. } | Payload::LookupFailed { to }, Doing::LookingUp(lookup)) => to == lookup,
                _ => false,
            };
        }
        wire.retain(|on_wire| on_wire.awaited || on_wire.message.arrives_at().is_some());
        self.wire = wire;
    }

    /// What the first agent may conclude from what it has seen.
    #[must_use]
    pub fn belief(&self) -> Belief {
        self.belief_of(AgentId::default())
    }

    /// What an agent may conclude from what it has seen, and not forgotten.
    #[must_use]
    pub fn belief_of(&self, agent: AgentId) -> Belief {
        let attempts = || self.attempts.iter().filter(|attempt| attempt.agent == agent && !attempt.forgotten);
        let first = attempts().map(|attempt| attempt.started_at).next();
        let mut lookups = self.lookups.iter().filter(|l| l.agent == agent && first.is_some_and(|at| l.asked_at >= at));
        let seen_done =
            attempts().any(|attempt| matches!(attempt.state, AttemptState::Answered(_, Answer::Success { .. })));
        let seen_found = lookups.any(|lookup| matches!(lookup.state, LookupState::Found(..)));
        let indefinite = |state| {
            use AttemptState::{Abandoned, Answered, TimedOut};
            matches!(state, TimedOut(_) | Abandoned(_) | Answered(_, Answer::Error { .. }))
        };
        if seen_done || seen_found || self.remember.contains(&agent) {
            Belief::Done
        } else if attempts().any(|attempt| indefinite(attempt.state)) {
            Belief::Unknown
        } else if attempts().any(|attempt| matches!(attempt.state, AttemptState::Answered(..))) {
            Belief::Refused
        } else {
            Belief::Waiting
        }
    }

    /// How far the beliefs are from the ledger: the farthest of any agent.
    #[must_use]
    pub fn gap(&self) -> Gap {
        self.attempts.iter().map(|attempt| self.gap_of(attempt.agent)).max().unwrap_or(Gap::None)
    }

    /// How far an agent's belief is from the ledger; no gap where it has tried nothing.
    #[must_use]
    pub fn gap_of(&self, agent: AgentId) -> Gap {
        let Some(attempt) = self.attempts.iter().find(|attempt| attempt.agent == agent) else { return Gap::None };
        let task = Some(attempt.task);
        let charges = self.ledger.iter().filter(|charge| charge.task == task).count();
        match (self.belief_of(agent), charges) {
            (Belief::Waiting | Belief::Unknown | Belief::Refused, 0) | (Belief::Done, 1) => Gap::None,
            (Belief::Waiting | Belief::Unknown, _) => Gap::Unseen,
            (Belief::Done | Belief::Refused, _) => Gap::Wrong,
        }
    }
}

impl OnWire {
    /// How far along it is at `at`, in parts of a thousand; a lost message gets half way.
    #[must_use]
    pub fn progress(&self, at: Time) -> u64 {
        let Some(arrives_at) = self.message.arrives_at() else { return 500 };
        let (gone, whole) = (at.since(self.message.sent_at).as_ms(), arrives_at.since(self.message.sent_at).as_ms());
        (gone * 1_000).checked_div(whole).unwrap_or(1_000).min(1_000)
    }
}

impl Belief {
    /// The belief in a word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Unknown => "unknown",
            Self::Done => "done",
            Self::Refused => "refused",
        }
    }
}

impl Gap {
    /// The spans of time in which the gap stays the same, from the start to `trace.end()`, in order.
    #[must_use]
    pub fn stretches(trace: &Trace) -> Vec<(Time, Time, Self)> {
        let mut stretches: Vec<(Time, Time, Self)> = Vec::new();
        let mut world = Snapshot::before();
        let mut open = (Time::ZERO, Self::None);
        for group in trace.events().chunk_by(|a, b| a.at == b.at) {
            for event in group {
                world.apply(trace, event);
            }
            let gap = world.gap();
            if gap != open.1 {
                stretches.push((open.0, world.at, open.1));
                open = (world.at, gap);
            }
        }
        stretches.push((open.0, trace.end(), open.1));
        stretches.retain(|(_, _, gap)| *gap != Self::None);
        stretches
    }
}
