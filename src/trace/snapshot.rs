//! The world at an instant: what the client has seen, what is on the wire, and what is true.

use super::{Answer, ChargeId, Event, Key, Message, MessageId, Payload, Report, Trace, What};
use crate::model::Time;

/// The world at an instant of a run: the fold of all events up to and including it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// The instant.
    pub at: Time,
    /// What the client has seen: its attempts, in order.
    pub attempts: Vec<Attempt>,
    /// What the client has seen: its lookups, in order.
    pub lookups: Vec<Lookup>,
    /// What the harness is doing.
    pub doing: Doing,
    /// What the agent said, and when.
    pub report: Option<(Time, Report)>,
    /// What is on the wire, in sending order. A message that was lost stays as long as anyone waits for it.
    pub wire: Vec<OnWire>,
    /// What is true: the charges, in order.
    pub ledger: Vec<Charge>,
    /// How often the service recognised a repeat.
    pub replays: Vec<(Time, ChargeId)>,
    /// Whether nothing can happen any more.
    pub ended: bool,
}

/// An attempt as the client sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// Counted from 1.
    pub number: u32,
    /// What its requests carry.
    pub key: Option<Key>,
    /// When it started.
    pub started_at: Time,
    /// When its timer runs out, or would have.
    pub times_out_at: Time,
    /// How it stands.
    pub state: AttemptState,
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
}

/// A lookup as the client sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lookup {
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
}

/// What the harness is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doing {
    /// It has not begun.
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
    /// When it was committed.
    pub at: Time,
    /// The request that asked for it.
    pub request: MessageId,
    /// The key under which it is stored.
    pub key: Option<Key>,
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
            wire: Vec::new(),
            ledger: Vec::new(),
            replays: Vec::new(),
            ended: false,
        }
    }

    /// Takes the world one event further.
    pub fn apply(&mut self, trace: &Trace, event: &Event) {
        self.at = event.at;
        match event.what {
            What::AttemptStarted { attempt, key, times_out_at } => {
                self.attempts.push(Attempt {
                    number: attempt,
                    key,
                    started_at: event.at,
                    times_out_at,
                    state: AttemptState::Waiting,
                });
                self.doing = Doing::Attempting(attempt);
            }
            What::Sent(message) => {
                if let Payload::Lookup { attempt } = message.payload {
                    self.lookups.push(Lookup {
                        message: message.id,
                        after_attempt: attempt,
                        asked_at: event.at,
                        state: LookupState::Waiting,
                    });
                    self.doing = Doing::LookingUp(message.id);
                }
                self.wire.push(OnWire { message, awaited: true });
            }
            What::Arrived(id) => {
                self.wire.retain(|on_wire| on_wire.message.id != id);
                self.hear(trace.message(id).payload, event.at);
            }
            What::ArrivedToNobody(id) => self.wire.retain(|on_wire| on_wire.message.id != id),
            What::Committed { charge, request, key } => {
                self.ledger.push(Charge { id: charge, at: event.at, request, key });
            }
            What::Replayed { charge, .. } => self.replays.push((event.at, charge)),
            What::Refused { .. } | What::Read { .. } => {}
            What::TimedOut { attempt } => {
                self.end_attempt(attempt, AttemptState::TimedOut(event.at));
                self.doing = Doing::Nothing;
            }
            What::LookupTimedOut { lookup } => {
                self.end_lookup(lookup, LookupState::TimedOut(event.at));
                self.doing = Doing::Nothing;
            }
            What::Paused { until } => self.doing = Doing::Pausing { until },
            What::Reported(report) => {
                self.report = Some((event.at, report));
                self.doing = Doing::Reported;
            }
            What::Ended { .. } => self.ended = true,
        }
        self.forget_what_nobody_awaits();
    }

    /// The client hears an answer that it waited for.
    fn hear(&mut self, payload: Payload, at: Time) {
        match payload {
            Payload::Response { attempt, answer, .. } => {
                self.end_attempt(attempt, AttemptState::Answered(at, answer));
                self.doing = Doing::Nothing;
            }
            Payload::Finding { to, found } => {
                let state = found.map_or(LookupState::NotFound(at), |charge| LookupState::Found(at, charge));
                self.end_lookup(to, state);
                self.doing = Doing::Nothing;
            }
            Payload::Request { .. } | Payload::Lookup { .. } => {}
        }
    }

    fn end_attempt(&mut self, number: u32, state: AttemptState) {
        if let Some(attempt) = self.attempts.iter_mut().rfind(|attempt| attempt.number == number) {
            attempt.state = state;
        }
    }

    fn end_lookup(&mut self, message: MessageId, state: LookupState) {
        if let Some(lookup) = self.lookups.iter_mut().rfind(|lookup| lookup.message == message) {
            lookup.state = state;
        }
    }

    /// Marks who is still waited for, and drops what is lost and waited for by nobody.
    fn forget_what_nobody_awaits(&mut self) {
        let doing = self.doing;
        for on_wire in &mut self.wire {
            on_wire.awaited = match (on_wire.message.payload, doing) {
                (Payload::Request { attempt, .. } | Payload::Response { attempt, .. }, Doing::Attempting(now)) => {
                    attempt == now
                }
                (Payload::Lookup { .. }, Doing::LookingUp(lookup)) => on_wire.message.id == lookup,
                (Payload::Finding { to, .. }, Doing::LookingUp(lookup)) => to == lookup,
                _ => false,
            };
        }
        self.wire.retain(|on_wire| on_wire.awaited || on_wire.message.arrives_at().is_some());
    }

    /// What the client may conclude from what it has seen.
    #[must_use]
    pub fn belief(&self) -> Belief {
        let answers = || {
            self.attempts.iter().filter_map(|attempt| match attempt.state {
                AttemptState::Answered(_, answer) => Some(answer),
                _ => None,
            })
        };
        let seen_done = answers().any(|answer| matches!(answer, Answer::Success { .. }));
        let seen_found = self.lookups.iter().any(|lookup| matches!(lookup.state, LookupState::Found(..)));
        if seen_done || seen_found {
            Belief::Done
        } else if self.attempts.iter().any(|attempt| matches!(attempt.state, AttemptState::TimedOut(_))) {
            Belief::Unknown
        } else if answers().next().is_some() {
            Belief::Refused
        } else {
            Belief::Waiting
        }
    }

    /// How far the belief is from the ledger.
    #[must_use]
    pub fn gap(&self) -> Gap {
        match (self.belief(), self.ledger.len()) {
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
