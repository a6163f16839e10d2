//! The harness that drives an agent: attempts, pauses, lookups, the report; and beneath it the transport.

use super::queue::{Looked, Order, Search};
use super::{Run, Step};
use crate::model::cast::Role;
use crate::model::contract::ReadPath;
use crate::model::draw::{self, Stream};
use crate::model::strategy::{KeyPolicy, Memo, OnExhausted, Reaction, Strategy, Survival, Verify};
use crate::model::{AgentId, ArgsId, Span, Time};
use crate::trace::{Answer, Key, MessageId, Recorder, Refusal, Report, What};

/// An agent under way.
#[derive(Clone, Debug)]
pub(super) struct Agent {
    doing: Doing,
    /// When it acts by itself: its timer, or its crash.
    pub(super) wakes_at: Time,
    /// When it will crash; [`Agent::NEVER`] where it won't.
    crashes_at: Time,
    /// The number of the present attempt, counted from 1; 0 before the first.
    attempt: u32,
    /// How many attempts it has forgotten.
    forgotten: u32,
    /// The call whose answer it waits for.
    awaited: Option<u32>,
    /// What the present attempt asks for.
    key: Option<Key>,
    args: ArgsId,
    /// How often the transport has sent again in this attempt.
    resent: u32,
    attempt_started_at: Time,
    attempt_ends_at: Time,
    /// When its first attempt that it remembers started.
    began_at: Time,
    /// Which run of the harness this is, counted from 1.
    run: u8,
    /// Whether the intent key was lost, and a new one made up.
    key_lost: bool,
}

/// What an agent is doing. Whatever it waits for has one timer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Doing {
    /// It has not begun.
    Starting,
    /// It waits for the answer to the present attempt.
    Attempting,
    /// The transport pauses before it sends again.
    Resending,
    /// It pauses after an attempt.
    Pausing,
    /// It waits for what a lookup found.
    LookingUp(MessageId),
    /// It has crashed.
    Down,
    /// It has reported.
    Reported,
}

impl Agent {
    /// The timer of what has none.
    pub(super) const NEVER: Time = Time::from_ms(u64::MAX);

    pub(super) fn new(role: &Role<'_>) -> Self {
        let crashes_at = role.strategy.crash.as_ref().map_or(Self::NEVER, |crash| Time::ZERO + crash.at);
        Self {
            doing: Doing::Starting,
            wakes_at: role.starts_at.min(crashes_at),
            crashes_at,
            attempt: 0,
            forgotten: 0,
            awaited: None,
            key: None,
            args: role.args,
            resent: 0,
            attempt_started_at: Time::ZERO,
            attempt_ends_at: Time::ZERO,
            began_at: Time::ZERO,
            run: 1,
            key_lost: false,
        }
    }

    /// Waits for something until then.
    #[inline]
    fn wait(&mut self, doing: Doing, until: Time) {
        self.doing = doing;
        self.wakes_at = until.min(self.crashes_at);
    }

    /// The how-manieth attempt this is of those that it remembers, counted from 1.
    #[inline]
    const fn nth(&self) -> u32 {
        self.attempt - self.forgotten
    }
}

impl<R: Recorder> Run<'_, R> {
    #[inline]
    fn strategy(&self, agent: AgentId) -> &Strategy {
        self.cast.role(agent).strategy
    }

    /// The timer of whatever an agent is doing runs out, or it crashes.
    #[inline]
    pub(super) fn wake(&mut self, id: AgentId) -> Step {
        let (now, agent) = (self.now, self.agent(id));
        if agent.crashes_at <= now {
            return self.crash_harness(id);
        }
        let (doing, attempt_ends_at) = (agent.doing, agent.attempt_ends_at);
        match doing {
            Doing::Starting => self.start_attempt(id),
            Doing::Attempting | Doing::Resending if now >= attempt_ends_at => self.time_out(id),
            Doing::Attempting if self.may_resend(id) => self.resend(id, Span::ZERO),
            Doing::Attempting => self.time_out(id),
            Doing::Resending => self.send_again(id),
            Doing::Pausing => self.verify_or_go_on(id),
            Doing::LookingUp(lookup) => {
                self.record(id, What::LookupTimedOut { lookup })?;
                self.go_on_unverified(id)
            }
            Doing::Down => self.resume(id),
            Doing::Reported => Ok(()),
        }
    }

    // ── Attempts ─────────────────────────────────────────────────────────────────────────────────

    #[inline]
    fn start_attempt(&mut self, id: AgentId) -> Step {
        let role = self.role(id);
        let strategy = role.strategy;
        if strategy.memo != Memo::None && self.remembers(id) {
            self.record(id, What::Remembered)?;
            return self.report(id, Report::Completed);
        }
        let now = self.now;
        let agent = self.agent(id);
        agent.attempt += 1;
        let (attempt, nth) = (agent.attempt, agent.nth());
        if nth == 1 {
            agent.began_at = now;
        }
        agent.args = match &strategy.drift {
            Some(drift) if nth >= drift.from_attempt.get() => role.drifted,
            _ => role.args,
        };
        let intent = |agent: &Agent| match &strategy.drift {
            _ if agent.key_lost => Key::Run(id, agent.run),
            Some(drift) if drift.key_follows => Key::Intent(agent.args),
            _ => Key::Intent(role.args),
        };
        agent.key = match strategy.key {
            KeyPolicy::None => None,
            KeyPolicy::PerAttempt => Some(Key::Attempt(id, attempt)),
            KeyPolicy::PerIntent => Some(intent(agent)),
            KeyPolicy::PerRun => Some(Key::Run(id, agent.run)),
            KeyPolicy::AfterFirst => (nth > 1).then(|| intent(agent)),
        };
        let (key, times_out_at) = (agent.key, now + strategy.timeout);
        agent.resent = 0;
        agent.attempt_started_at = now;
        agent.attempt_ends_at = times_out_at;
        self.record(id, What::AttemptStarted { attempt, key, times_out_at })?;
        self.call(id, key)
    }

    /// Sends a request, and waits for its answer.
    #[expect(clippy::inline_always, reason = "on the path of every run, and called from one or two places")]
    #[inline(always)]
    fn call(&mut self, id: AgentId, key: Option<Key>) -> Step {
        let call = u32::try_from(self.orders.len() + 1).unwrap_or(u32::MAX);
        let now = self.now;
        let fault = self.faults.place_of_call(call);
        let patience = self.strategy(id).transport.as_ref().map(|transport| now + transport.timeout);
        let agent = self.agent(id);
        agent.awaited = Some(call);
        let until = patience.map_or(agent.attempt_ends_at, |until| until.min(agent.attempt_ends_at));
        agent.wait(Doing::Attempting, until);
        let order = Order { attempt: agent.attempt, call, key, args: agent.args, fault };
        self.orders.push(order);
        self.send_request(id, order)
    }

    fn time_out(&mut self, id: AgentId) -> Step {
        let agent = self.agent(id);
        agent.awaited = None;
        let attempt = agent.attempt;
        self.record(id, What::TimedOut { attempt })?;
        let reaction = self.strategy(id).on_timeout;
        self.react(id, reaction, None)
    }

    /// An answer reaches an agent.
    #[inline]
    pub(super) fn hear(&mut self, id: AgentId, message: MessageId, call: u32, answer: Answer) -> Step {
        if self.agent(id).awaited != Some(call) {
            return self.record(id, What::ArrivedToNobody(message));
        }
        self.record(id, What::Arrived(message))?;
        let strategy = self.role(id).strategy;
        let (reaction, refusal) = match answer {
            Answer::Success { .. } => return self.succeed(id),
            Answer::Error { .. } => (strategy.on_server_error, None),
            Answer::Refused(refusal) => {
                let reaction = match refusal {
                    Refusal::KeyReused | Refusal::KeyMissing | Refusal::KeyNotTaken => strategy.on_refused,
                    Refusal::InProgress | Refusal::AlreadyUsed => strategy.on_conflict,
                    Refusal::Unavailable | Refusal::RateLimited { .. } => strategy.on_unavailable,
                };
                (reaction, Some(refusal))
            }
        };
        let for_now =
            matches!(refusal, None | Some(Refusal::InProgress | Refusal::Unavailable | Refusal::RateLimited { .. }));
        if for_now && self.may_resend(id) {
            return self.resend(id, asked_to_wait(refusal));
        }
        self.agent(id).awaited = None;
        self.react(id, reaction, refusal)
    }

    // ── The transport beneath the harness ────────────────────────────────────────────────────────

    #[inline]
    fn may_resend(&self, id: AgentId) -> bool {
        let retries = self.strategy(id).transport.as_ref().map_or(0, |transport| transport.retries.get());
        self.agents[id.index()].resent < retries
    }

    #[cold]
    fn resend(&mut self, id: AgentId, at_least: Span) -> Step {
        let Some(transport) = self.role(id).strategy.transport.as_ref() else { return Ok(()) };
        let (now, seed) = (self.now, self.seed);
        let agent = self.agent(id);
        let bits = || draw::bits(seed, Stream::Resend, u64::from(agent.awaited.unwrap_or_default()));
        let until = now + transport.backoff.pause(agent.resent, bits).max(at_least);
        agent.resent += 1;
        agent.awaited = None;
        let (attempt, ends_at) = (agent.attempt, agent.attempt_ends_at);
        agent.wait(Doing::Resending, until.min(ends_at));
        self.record(id, What::Resending { attempt, until })
    }

    #[cold]
    fn send_again(&mut self, id: AgentId) -> Step {
        let repeats_key = self.strategy(id).transport.as_ref().is_some_and(|transport| transport.repeats_key);
        let key = self.agent(id).key.filter(|_| repeats_key);
        self.call(id, key)
    }

    // ── What comes after an attempt ──────────────────────────────────────────────────────────────

    fn react(&mut self, id: AgentId, reaction: Reaction, refusal: Option<Refusal>) -> Step {
        match reaction {
            Reaction::Retry => self.pause(id, asked_to_wait(refusal)),
            Reaction::Fail => self.report(id, refusal.map_or(Report::Failed, Report::FailedBecause)),
            Reaction::Escalate => self.report(id, Report::UnknownEscalate),
            Reaction::Completed => self.report(id, Report::Completed),
        }
    }

    #[inline]
    fn pause(&mut self, id: AgentId, at_least: Span) -> Step {
        let (now, seed, strategy) = (self.now, self.seed, self.role(id).strategy);
        let lag = self.scenario.contract.reads.lag;
        let agent = self.agent(id);
        let number = u64::from(id.0) << 32 | u64::from(agent.attempt);
        let bits = || draw::bits(seed, Stream::Pause, number);
        let mut until = now + strategy.backoff.pause(agent.nth() - 1, bits).max(at_least);
        if strategy.verify != Verify::None {
            until = until.max(agent.attempt_started_at + strategy.verify_after);
            if strategy.verify_knows_lag {
                until = until + lag;
            }
        }
        agent.wait(Doing::Pausing, until);
        self.record(id, What::Paused { until })
    }

    #[inline]
    fn verify_or_go_on(&mut self, id: AgentId) -> Step {
        let strategy = self.role(id).strategy;
        let agent = self.agent(id);
        let (attempt, args) = (agent.attempt, agent.args);
        let search = match strategy.verify {
            Verify::None => return self.go_on(id),
            Verify::LookAlike => Some(Search::LookAlike(args)),
            Verify::LookAlikeSince => Some(Search::Since(args, agent.began_at)),
            Verify::ByKey => agent.key.map(Search::Key),
        };
        let Some(search) = search.filter(|_| self.scenario.contract.reads.path != ReadPath::None) else {
            self.record(id, What::NothingToRead { attempt })?;
            return self.go_on_unverified(id);
        };
        let lookup = self.send_lookup(id, attempt, search)?;
        let until = self.now + strategy.timeout;
        self.agent(id).wait(Doing::LookingUp(lookup), until);
        Ok(())
    }

    /// What a lookup found reaches an agent, or that it failed.
    pub(super) fn learn(&mut self, id: AgentId, message: MessageId, to: MessageId, looked: Looked) -> Step {
        if self.agent(id).doing != Doing::LookingUp(to) {
            return self.record(id, What::ArrivedToNobody(message));
        }
        self.record(id, What::Arrived(message))?;
        match looked {
            Looked::Saw(Some(_)) => self.succeed(id),
            Looked::Saw(None) => self.go_on(id),
            Looked::Failed => self.go_on_unverified(id),
        }
    }

    /// The next attempt or, out of attempts, the report.
    fn go_on(&mut self, id: AgentId) -> Step {
        let strategy = self.role(id).strategy;
        if self.agent(id).nth() < strategy.max_attempts.get() {
            return self.start_attempt(id);
        }
        self.report(
            id,
            match strategy.on_exhausted {
                OnExhausted::Failed => Report::Failed,
                OnExhausted::Escalate => Report::UnknownEscalate,
                OnExhausted::Completed => Report::Completed,
            },
        )
    }

    /// As the strategy says for when it could not verify; to retry is to go on without.
    fn go_on_unverified(&mut self, id: AgentId) -> Step {
        match self.strategy(id).on_unverified {
            Reaction::Retry => self.go_on(id),
            reaction => self.react(id, reaction, None),
        }
    }

    // ── The end ──────────────────────────────────────────────────────────────────────────────────

    #[inline]
    fn succeed(&mut self, id: AgentId) -> Step {
        if self.strategy(id).memo != Memo::None {
            let done = (self.role(id).task, self.agent(id).args);
            self.memo.push(done);
        }
        self.report(id, Report::Completed)
    }

    /// Whether the client remembers that this was done.
    #[cold]
    fn remembers(&self, id: AgentId) -> bool {
        let role = self.role(id);
        let print = self.cast.kind(role.args).print;
        self.memo.iter().any(|(task, args)| match role.strategy.memo {
            Memo::None => false,
            Memo::ByTask => *task == role.task,
            Memo::ByArguments => self.cast.kind(*args).print == print,
        })
    }

    #[inline]
    fn report(&mut self, id: AgentId, report: Report) -> Step {
        let begins_again = self.strategy(id).crash.as_ref().is_some_and(|crash| crash.progress == Survival::Lost);
        let agent = self.agent(id);
        agent.awaited = None;
        if !begins_again {
            agent.crashes_at = Agent::NEVER;
        }
        agent.wait(Doing::Reported, Agent::NEVER);
        if agent.wakes_at == Agent::NEVER {
            self.at_work -= 1;
        }
        self.reported_at = self.now;
        self.record(id, What::Reported(report))
    }

    #[cold]
    fn crash_harness(&mut self, id: AgentId) -> Step {
        let Some(crash) = self.role(id).strategy.crash.as_ref() else { return Ok(()) };
        let until = self.now + crash.resume_after;
        let agent = self.agent(id);
        agent.crashes_at = Agent::NEVER;
        agent.awaited = None;
        agent.wait(Doing::Down, until);
        self.record(id, What::HarnessCrashed { until })
    }

    #[cold]
    fn resume(&mut self, id: AgentId) -> Step {
        let Some(crash) = self.role(id).strategy.crash.as_ref() else { return Ok(()) };
        let (key_kept, progress_kept) = (crash.key == Survival::Kept, crash.progress == Survival::Kept);
        let agent = self.agent(id);
        if !key_kept {
            agent.run += 1;
            agent.key_lost = true;
        }
        if !progress_kept {
            agent.forgotten = agent.attempt;
        }
        let begun = agent.nth() > 0;
        self.record(id, What::HarnessResumed { key_kept, progress_kept })?;
        if begun { self.verify_or_go_on(id) } else { self.start_attempt(id) }
    }
}

/// How long the service asks to be left alone.
fn asked_to_wait(refusal: Option<Refusal>) -> Span {
    match refusal {
        Some(Refusal::RateLimited { retry_after_s }) => Span::secs(u64::from(retry_after_s)),
        _ => Span::ZERO,
    }
}
