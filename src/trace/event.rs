//! The events that a run is made of. All are small and plain, so that recording one costs nothing.

use crate::model::{AgentId, ArgsId, TaskId, Time};

/// One thing that happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// When.
    pub at: Time,
    /// Whose: the agent that acts, or that the message or the charge belongs to. The first, where it is nobody's.
    pub agent: AgentId,
    /// What.
    pub what: What,
}

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// A charge stands in the ledger before the run begins. It is no task's.
    Stood {
        /// The charge; its place is that in the contract's ledger.
        charge: ChargeId,
    },
    /// The agent starts its `attempt`-th try at the task; its timer starts.
    AttemptStarted {
        /// Counted from 1.
        attempt: u32,
        /// What its requests carry.
        key: Option<Key>,
        /// When its timer runs out.
        times_out_at: Time,
    },
    /// A message leaves. Whether and when it arrives is settled by then, though nobody can know it yet.
    Sent(Message),
    /// A message reaches the service, or the agent that waits for it.
    Arrived(MessageId),
    /// An answer reaches the agent, which no longer waits for it.
    ArrivedToNobody(MessageId),
    /// The service commits a new charge.
    Committed {
        /// The new charge.
        charge: ChargeId,
        /// The request that asked for it.
        request: MessageId,
        /// The key that the request carried.
        key: Option<Key>,
        /// The task that it was made for.
        task: TaskId,
    },
    /// The service recognises the key and answers with the charge that it made before.
    Replayed {
        /// The charge made before.
        charge: ChargeId,
        /// The request that repeated it.
        request: MessageId,
    },
    /// The service refuses a request.
    Refused {
        /// Why.
        refusal: Refusal,
        /// The request that was refused.
        request: MessageId,
    },
    /// The service begins to work on a request; the charge is made at the end.
    Began {
        /// The request.
        request: MessageId,
        /// When it is done.
        until: Time,
    },
    /// The service makes a request wait, since the first with its key still runs.
    Held {
        /// The request.
        request: MessageId,
        /// When it is looked at again; never, where the first came to no end.
        until: Option<Time>,
    },
    /// The service fails, and answers with a server error.
    Failed {
        /// The request.
        request: MessageId,
        /// Whether it answers with an error that it stored for an earlier request.
        replayed: bool,
    },
    /// The service crashes at the commit. No answer is sent.
    ServiceCrashed {
        /// The request.
        request: MessageId,
        /// Whether its key was recorded by then.
        key_recorded: bool,
    },
    /// The service is down, and the message comes to nothing.
    Unheard {
        /// The message.
        message: MessageId,
    },
    /// The service reads the ledger for a lookup.
    Read {
        /// The lookup.
        lookup: MessageId,
        /// The charge that matched, if one did.
        found: Option<ChargeId>,
    },
    /// The service fails to read the ledger for a lookup, and says so.
    ReadFailed {
        /// The lookup.
        lookup: MessageId,
    },
    /// The agent would look the charge up, and there is nothing to read.
    NothingToRead {
        /// The attempt after which it would look.
        attempt: u32,
    },
    /// The agent remembers that this was done, and sends nothing.
    Remembered,
    /// Beneath the agent, the transport gives up a request, and will send it again.
    Resending {
        /// The attempt; for the agent it goes on.
        attempt: u32,
        /// When.
        until: Time,
    },
    /// The harness crashes. Whatever it waited for arrives to nobody.
    HarnessCrashed {
        /// When it resumes.
        until: Time,
    },
    /// The harness resumes.
    HarnessResumed {
        /// Whether its key is still known to it.
        key_kept: bool,
        /// Whether it knows what it had tried and reported.
        progress_kept: bool,
    },
    /// The timer of an attempt runs out before an answer came.
    TimedOut {
        /// The attempt.
        attempt: u32,
    },
    /// The timer of a lookup runs out before an answer came.
    LookupTimedOut {
        /// The lookup.
        lookup: MessageId,
    },
    /// The harness pauses before it goes on.
    Paused {
        /// When it goes on.
        until: Time,
    },
    /// The agent reports. The task is over for it.
    Reported(Report),
    /// Nothing can happen any more: all is still, or the horizon is reached.
    Ended {
        /// How many messages were still on their way at the horizon, and never land.
        never_landed: u32,
    },
}

/// The number of a message, counted from 1 in sending order; the same where it is sent and where it arrives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MessageId(u32);

/// The number of a charge, counted from 1 in the order of the ledger. Shown as `ch_1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ChargeId(u32);

/// One thing crossing the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Message {
    /// Its number.
    pub id: MessageId,
    /// The agent that sent it, or that it goes to.
    pub agent: AgentId,
    /// When it left.
    pub sent_at: Time,
    /// What becomes of it.
    pub fate: Fate,
    /// What it is.
    pub payload: Payload,
}

/// What becomes of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It arrives then, if the run lasts so long.
    Arrives(Time),
    /// It is lost on the way.
    Lost,
}

/// What a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Payload {
    /// The agent asks for a charge.
    Request {
        /// The attempt that it belongs to.
        attempt: u32,
        /// The number of the charge request, counted from 1 in sending order; a copy has its original's.
        call: u32,
        /// Of which message it is the extra copy.
        copy_of: Option<MessageId>,
        /// The key that it carries.
        key: Option<Key>,
        /// The arguments that it carries.
        args: ArgsId,
    },
    /// The service answers a request.
    Response {
        /// The request.
        to: MessageId,
        /// The attempt that the request belongs to.
        attempt: u32,
        /// The number of that request.
        call: u32,
        /// What it says.
        answer: Answer,
    },
    /// The agent asks whether the charge is in the ledger.
    Lookup {
        /// The attempt after which it asks.
        attempt: u32,
        /// The number of the lookup, counted from 1 in sending order.
        number: u32,
    },
    /// The service says that it could not look.
    LookupFailed {
        /// The lookup.
        to: MessageId,
    },
    /// The service says what it found.
    Finding {
        /// The lookup.
        to: MessageId,
        /// The charge that matched, if one did.
        found: Option<ChargeId>,
    },
}

/// What the service answers to a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It is done.
    Success {
        /// The charge.
        charge: ChargeId,
        /// Whether the charge was made for an earlier request with the same key.
        replayed: bool,
    },
    /// It is not done.
    Refused(Refusal),
    /// A server error: it may be done, or not, or only in part.
    Error {
        /// Whether the error was made for an earlier request with the same key.
        replayed: bool,
    },
}

/// Why the service refuses a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The key was used before with other arguments.
    KeyReused,
    /// A key is required, and there is none.
    KeyMissing,
    /// There is a key, and the service takes none.
    KeyNotTaken,
    /// The first request with the key still runs.
    InProgress,
    /// The key was used before; the service does not answer it again.
    AlreadyUsed,
    /// The service is unavailable.
    Unavailable,
    /// The service wants to be asked later.
    RateLimited {
        /// In how many seconds (RFC 9110, `Retry-After`).
        retry_after_s: u16,
    },
}

/// The idempotency key that a request carries, as a rule; [`super::Trace::key_text`] spells it out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Key {
    /// The intent key of a task with these arguments.
    Intent(ArgsId),
    /// The key of an agent's n-th attempt alone.
    Attempt(AgentId, u32),
    /// The key that an agent made up in its n-th run, counted from 1.
    Run(AgentId, u8),
}

/// What the agent says in the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Report {
    /// `completed`.
    Completed,
    /// `failed`.
    Failed,
    /// `failed: <reason>`.
    FailedBecause(Refusal),
    /// `unknown: escalate`.
    UnknownEscalate,
}

impl MessageId {
    /// The `n`-th message, counted from 0.
    #[must_use]
    pub const fn from_index(n: u32) -> Self {
        Self(n + 1)
    }

    /// The number, counted from 1.
    #[must_use]
    pub const fn number(self) -> u32 {
        self.0
    }

    /// Its place in the list of messages, counted from 0.
    #[must_use]
    pub const fn index(self) -> usize {
        (self.0 - 1) as usize
    }
}

impl ChargeId {
    /// The `n`-th charge, counted from 0.
    #[must_use]
    pub const fn from_index(n: u32) -> Self {
        Self(n + 1)
    }

    /// Its place in the ledger, counted from 0.
    #[must_use]
    pub const fn index(self) -> usize {
        (self.0 - 1) as usize
    }
}

impl Message {
    /// When it arrives, unless it is lost.
    #[must_use]
    pub const fn arrives_at(&self) -> Option<Time> {
        match self.fate {
            Fate::Arrives(at) => Some(at),
            Fate::Lost => None,
        }
    }

    /// Whether it goes from the agent to the service, and not back.
    #[must_use]
    pub const fn is_outbound(&self) -> bool {
        matches!(self.payload, Payload::Request { .. } | Payload::Lookup { .. })
    }
}

impl std::fmt::Display for MessageId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(&format!("#{}", self.0))
    }
}

impl std::fmt::Display for ChargeId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(&format!("ch_{}", self.0))
    }
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Self::KeyReused => "idempotency key reused with different parameters",
            Self::KeyMissing => "an idempotency key is required",
            Self::KeyNotTaken => "idempotency keys are not accepted",
            Self::InProgress => "a request with this idempotency key is in progress",
            Self::AlreadyUsed => "this idempotency key was used already",
            Self::Unavailable => "the service is unavailable",
            Self::RateLimited { retry_after_s } => {
                return f.pad(&format!("too many requests, retry after {retry_after_s} s"));
            }
        })
    }
}

impl std::fmt::Display for Report {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Completed => f.pad("completed"),
            Self::Failed => f.pad("failed"),
            Self::FailedBecause(refusal) => f.pad(&format!("failed: {refusal}")),
            Self::UnknownEscalate => f.pad("unknown: escalate"),
        }
    }
}
