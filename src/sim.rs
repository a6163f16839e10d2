//! From scenario to trace: the queue, the harness, the network and the service, on a simulated clock.
//!
//! Everything here is a function of the scenario: no clock, no randomness, no I/O.

pub mod alternatives;
mod queue;
pub mod remedy;
mod service;

pub use service::{KeyReuse, key_reuse};

use crate::model::fault::{RequestFate, ResponseFate};
use crate::model::strategy::{KeyPolicy, OnExhausted, OnRefused, Verify};
use crate::model::{Scenario, Span, Time};
use crate::trace::{
    Answer, ChargeId, Event, Fate, Key, Message, MessageId, Payload, Recorder, Report, Tally, Trace, What,
};
use queue::{Delivery, Queue};
use service::{Order, Service};

/// The most events that a run may have.
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

/// The room that runs take place in. Kept from one run to the next, it allocates nothing for the later ones.
#[derive(Debug, Default)]
pub struct Simulator {
    queue: Queue,
    service: Service,
}

impl Simulator {
    /// Runs a scenario to its end and tells `recorder` what happens, in time order.
    ///
    /// # Errors
    ///
    /// Where the run has more than [`EVENTS_MAX`] events; the recorder has had the first of them.
    pub fn run(&mut self, scenario: &Scenario, recorder: &mut impl Recorder) -> Result<(), TooManyEvents> {
        self.queue.clear();
        self.service.clear();
        let run = Run {
            scenario,
            queue: &mut self.queue,
            service: &mut self.service,
            recorder,
            now: Time::ZERO,
            events: 0,
            messages: 0,
            calls: 0,
            harness: Harness { attempt: 0, doing: Doing::Reported, reported_at: None },
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
}

/// One run under way.
struct Run<'a, R> {
    scenario: &'a Scenario,
    queue: &'a mut Queue,
    service: &'a mut Service,
    recorder: &'a mut R,
    now: Time,
    events: u32,
    messages: u32,
    calls: u32,
    harness: Harness,
}

/// The harness that drives the agent: which attempt it is at, and what it is doing.
struct Harness {
    attempt: u32,
    doing: Doing,
    reported_at: Option<Time>,
}

/// What the harness is doing. Whatever it waits for has one timer.
#[derive(Clone, Copy)]
enum Doing {
    /// It waits for the answer to the present attempt.
    Attempting { times_out_at: Time },
    /// It pauses after an attempt.
    Pausing { until: Time },
    /// It waits for what a lookup found.
    LookingUp { lookup: MessageId, times_out_at: Time },
    /// It has reported.
    Reported,
}

impl Doing {
    /// When its timer fires.
    const fn timer(self) -> Option<Time> {
        match self {
            Self::Attempting { times_out_at: at }
            | Self::LookingUp { times_out_at: at, .. }
            | Self::Pausing { until: at } => Some(at),
            Self::Reported => None,
        }
    }
}

impl<R: Recorder> Run<'_, R> {
    fn finish(mut self) -> Result<(), TooManyEvents> {
        self.start_attempt()?;
        loop {
            let delivery = self.queue.next_at();
            match (delivery, self.harness.doing.timer()) {
                // At one instant, messages are delivered before timers fire.
                (Some(at), timer) if timer.is_none_or(|timer| at <= timer) => {
                    if self.beyond_horizon(at) {
                        break;
                    }
                    self.now = at;
                    if let Some(delivery) = self.queue.pop() {
                        self.deliver(delivery)?;
                    }
                }
                (_, Some(timer)) => {
                    self.now = timer;
                    self.fire()?;
                }
                (_, None) => break,
            }
        }
        let never_landed = self.queue.len();
        if never_landed > 0 {
            self.now = self.harness.reported_at.unwrap_or(self.now) + self.scenario.horizon;
        }
        self.record(What::Ended { never_landed })
    }

    fn beyond_horizon(&self, at: Time) -> bool {
        self.harness.reported_at.is_some_and(|reported| at > reported + self.scenario.horizon)
    }

    #[inline]
    fn record(&mut self, what: What) -> Result<(), TooManyEvents> {
        self.events += 1;
        if self.events > EVENTS_MAX {
            return Err(TooManyEvents);
        }
        self.recorder.record(Event { at: self.now, what });
        Ok(())
    }

    // ── The harness ──────────────────────────────────────────────────────────────────────────────

    fn start_attempt(&mut self) -> Result<(), TooManyEvents> {
        let strategy = &self.scenario.strategy;
        self.harness.attempt += 1;
        let attempt = self.harness.attempt;
        let key = match strategy.key {
            KeyPolicy::None => None,
            KeyPolicy::PerAttempt => Some(Key::Attempt(attempt)),
            KeyPolicy::PerIntent => Some(Key::Intent),
        };
        let times_out_at = self.now + strategy.timeout;
        self.harness.doing = Doing::Attempting { times_out_at };
        self.record(What::AttemptStarted { attempt, key, times_out_at })?;
        self.send_request(attempt, key)
    }

    /// The timer of whatever the harness is doing runs out.
    fn fire(&mut self) -> Result<(), TooManyEvents> {
        match self.harness.doing {
            Doing::Attempting { .. } => {
                self.record(What::TimedOut { attempt: self.harness.attempt })?;
                self.pause()
            }
            Doing::Pausing { .. } => match self.scenario.strategy.verify {
                Verify::None => self.go_on(),
                Verify::LookAlike => self.look_up(),
            },
            Doing::LookingUp { lookup, .. } => {
                self.record(What::LookupTimedOut { lookup })?;
                self.go_on()
            }
            Doing::Reported => Ok(()),
        }
    }

    fn pause(&mut self) -> Result<(), TooManyEvents> {
        let until = self.now + self.scenario.strategy.backoff;
        self.harness.doing = Doing::Pausing { until };
        self.record(What::Paused { until })
    }

    fn look_up(&mut self) -> Result<(), TooManyEvents> {
        let payload = Payload::Lookup { attempt: self.harness.attempt };
        let lookup = self.send(payload, Fate::Arrives(self.now + self.scenario.network.latency))?;
        self.harness.doing = Doing::LookingUp { lookup, times_out_at: self.now + self.scenario.strategy.timeout };
        Ok(())
    }

    /// The next attempt or, out of attempts, the report.
    fn go_on(&mut self) -> Result<(), TooManyEvents> {
        let strategy = &self.scenario.strategy;
        if self.harness.attempt < strategy.max_attempts.get() {
            return self.start_attempt();
        }
        self.report(match strategy.on_exhausted {
            OnExhausted::Failed => Report::Failed,
            OnExhausted::Escalate => Report::UnknownEscalate,
        })
    }

    fn report(&mut self, report: Report) -> Result<(), TooManyEvents> {
        self.harness.doing = Doing::Reported;
        self.harness.reported_at = Some(self.now);
        self.record(What::Reported(report))
    }

    /// An answer reaches the agent.
    fn hear(&mut self, id: MessageId, attempt: u32, answer: Answer) -> Result<(), TooManyEvents> {
        let awaited = matches!(self.harness.doing, Doing::Attempting { .. }) && self.harness.attempt == attempt;
        if !awaited {
            return self.record(What::ArrivedToNobody(id));
        }
        self.record(What::Arrived(id))?;
        match (answer, self.scenario.strategy.on_refused) {
            (Answer::Success { .. }, _) => self.report(Report::Completed),
            (Answer::Refused(refusal), OnRefused::Fail) => self.report(Report::FailedBecause(refusal)),
            (Answer::Refused(_), OnRefused::Retry) => self.pause(),
        }
    }

    /// What a lookup found reaches the agent.
    fn learn(&mut self, id: MessageId, to: MessageId, found: Option<ChargeId>) -> Result<(), TooManyEvents> {
        if !matches!(self.harness.doing, Doing::LookingUp { lookup, .. } if lookup == to) {
            return self.record(What::ArrivedToNobody(id));
        }
        self.record(What::Arrived(id))?;
        if found.is_some() { self.report(Report::Completed) } else { self.go_on() }
    }

    // ── The network ──────────────────────────────────────────────────────────────────────────────

    fn send(&mut self, payload: Payload, fate: Fate) -> Result<MessageId, TooManyEvents> {
        let id = MessageId::from_index(self.messages);
        self.messages += 1;
        if let Fate::Arrives(at) = fate {
            self.queue.push(Delivery { at, message: id, payload });
        }
        self.record(What::Sent(Message { id, sent_at: self.now, fate, payload }))?;
        Ok(id)
    }

    fn send_request(&mut self, attempt: u32, key: Option<Key>) -> Result<(), TooManyEvents> {
        self.calls += 1;
        let call = self.calls;
        let (fate, _) = self.scenario.fault.of_call(call);
        let on_time = self.now + self.scenario.network.latency;
        let request = |copy_of| Payload::Request { attempt, call, copy_of, key };
        let fate_of_first = match fate {
            RequestFate::Delivered | RequestFate::Copied { .. } => Fate::Arrives(on_time),
            RequestFate::Delayed(delay) => Fate::Arrives(self.now + delay),
            RequestFate::Lost => Fate::Lost,
        };
        let original = self.send(request(None), fate_of_first)?;
        if let RequestFate::Copied { copies, apart } = fate {
            let mut behind = Span::ZERO;
            for _ in 1..copies.get() {
                behind = behind + apart;
                self.send(request(Some(original)), Fate::Arrives(on_time + behind))?;
            }
        }
        Ok(())
    }

    fn deliver(&mut self, delivery: Delivery) -> Result<(), TooManyEvents> {
        let id = delivery.message;
        match delivery.payload {
            Payload::Request { attempt, call, key, .. } => self.serve_request(id, attempt, call, key),
            Payload::Lookup { .. } => self.serve_lookup(id),
            Payload::Response { attempt, answer, .. } => self.hear(id, attempt, answer),
            Payload::Finding { to, found } => self.learn(id, to, found),
        }
    }

    // ── The service ──────────────────────────────────────────────────────────────────────────────

    fn serve_request(&mut self, id: MessageId, attempt: u32, call: u32, key: Option<Key>) -> Result<(), TooManyEvents> {
        self.record(What::Arrived(id))?;
        let answer = self.service.charge(&Order { key, fingerprint: 0 });
        self.record(match answer {
            Answer::Success { charge, replayed: false } => What::Committed { charge, request: id, key },
            Answer::Success { charge, replayed: true } => What::Replayed { charge, request: id },
            Answer::Refused(refusal) => What::Refused { refusal, request: id },
        })?;
        let (_, fate) = self.scenario.fault.of_call(call);
        let fate = match fate {
            ResponseFate::Delivered => Fate::Arrives(self.now + self.scenario.network.latency),
            ResponseFate::Delayed(delay) => Fate::Arrives(self.now + delay),
            ResponseFate::Lost => Fate::Lost,
        };
        self.send(Payload::Response { to: id, attempt, answer }, fate)?;
        Ok(())
    }

    fn serve_lookup(&mut self, id: MessageId) -> Result<(), TooManyEvents> {
        self.record(What::Arrived(id))?;
        let found = self.service.look_alike();
        self.record(What::Read { lookup: id, found })?;
        let fate = Fate::Arrives(self.now + self.scenario.network.latency);
        self.send(Payload::Finding { to: id, found }, fate)?;
        Ok(())
    }
}
