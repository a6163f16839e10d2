//! Where the clock of a beat stands, and the instant that this is in a run.

use serde::{Deserialize, Deserializer};

use crate::model::number::WholeNumber;
use crate::model::{Time, json};
use crate::sim::EVENTS_MAX;
use crate::trace::{Event, Fate, Message, Payload, Trace, What};

/// Where a clock stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum When {
    /// The start of the run.
    #[default]
    Start,
    /// The end of the run.
    End,
    /// A time.
    Time(Time),
    /// When something happens.
    Event {
        /// What kind of thing.
        kind: EventKind,
        /// The how-manieth of its kind, counted from 1.
        nth: Nth,
    },
}

/// The how-manieth event of a kind, counted from 1.
pub type Nth = WholeNumber<1, EVENTS_MAX>;

/// A kind of event, for the file of a lesson; written as `attempt-started`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EventKind {
    /// The agent starts an attempt.
    AttemptStarted,
    /// The request of an attempt leaves.
    RequestSent,
    /// The network makes an extra copy of a request.
    RequestCopied,
    /// A request, or a copy of one, reaches the service.
    RequestArrived,
    /// The service commits a new charge.
    Committed,
    /// The service recognises a key and answers with the charge that it made before.
    Replayed,
    /// The service refuses a request.
    Refused,
    /// The service answers a request.
    AnswerSent,
    /// The answer to a request reaches the agent, which waits for it.
    AnswerArrived,
    /// A message leaves that will never arrive.
    MessageLost,
    /// An answer reaches the agent, which no longer waits for it.
    AnswerToNobody,
    /// The timer of an attempt runs out.
    TimedOut,
    /// The harness pauses.
    Paused,
    /// The agent asks what is in the ledger.
    LookupSent,
    /// The service reads the ledger for a lookup.
    LedgerRead,
    /// The agent learns what was in the ledger.
    LookupAnswered,
    /// The timer of a lookup runs out.
    LookupTimedOut,
    /// The agent reports.
    Reported,
    /// The run is over.
    Ended,
}

impl EventKind {
    /// All kinds, with their names in a file.
    pub const ALL: [(Self, &'static str); 19] = [
        (Self::AttemptStarted, "attempt-started"),
        (Self::RequestSent, "request-sent"),
        (Self::RequestCopied, "request-copied"),
        (Self::RequestArrived, "request-arrived"),
        (Self::Committed, "committed"),
        (Self::Replayed, "replayed"),
        (Self::Refused, "refused"),
        (Self::AnswerSent, "answer-sent"),
        (Self::AnswerArrived, "answer-arrived"),
        (Self::MessageLost, "message-lost"),
        (Self::AnswerToNobody, "answer-to-nobody"),
        (Self::TimedOut, "timed-out"),
        (Self::Paused, "paused"),
        (Self::LookupSent, "lookup-sent"),
        (Self::LedgerRead, "ledger-read"),
        (Self::LookupAnswered, "lookup-answered"),
        (Self::LookupTimedOut, "lookup-timed-out"),
        (Self::Reported, "reported"),
        (Self::Ended, "ended"),
    ];

    /// Its name in a file.
    ///
    /// # Panics
    ///
    /// Never: [`Self::ALL`] has every kind.
    #[must_use]
    pub fn name(self) -> &'static str {
        let named = Self::ALL.iter().find(|(kind, _)| *kind == self);
        named.map(|(_, name)| *name).expect("every kind is in the list")
    }

    /// Whether `event` is of this kind. A message that is lost is two things at once: sent, and lost.
    #[must_use]
    pub fn is(self, trace: &Trace, event: &Event) -> bool {
        if let What::Sent(Message { fate: Fate::Lost, .. }) = event.what
            && self == Self::MessageLost
        {
            return true;
        }
        Self::of(trace, event) == Some(self)
    }

    /// The kind of an event; none where a lookup, or what it found, does no more than move.
    fn of(trace: &Trace, event: &Event) -> Option<Self> {
        Some(match event.what {
            What::AttemptStarted { .. } => Self::AttemptStarted,
            What::Sent(message) => match message.payload {
                Payload::Request { copy_of: None, .. } => Self::RequestSent,
                Payload::Request { copy_of: Some(_), .. } => Self::RequestCopied,
                Payload::Response { .. } => Self::AnswerSent,
                Payload::Lookup { .. } => Self::LookupSent,
                Payload::Finding { .. } | Payload::LookupFailed { .. } => return None,
            },
            What::Arrived(id) => match trace.message(id).payload {
                Payload::Request { .. } => Self::RequestArrived,
                Payload::Response { .. } => Self::AnswerArrived,
                Payload::Lookup { .. } => return None,
                Payload::Finding { .. } | Payload::LookupFailed { .. } => Self::LookupAnswered,
            },
            What::ArrivedToNobody(_) => Self::AnswerToNobody,
            What::Committed { .. } => Self::Committed,
            What::Replayed { .. } => Self::Replayed,
            What::Refused { .. } => Self::Refused,
            What::Read { .. } => Self::LedgerRead,
            What::TimedOut { .. } => Self::TimedOut,
            What::LookupTimedOut { .. } => Self::LookupTimedOut,
            What::Paused { .. } => Self::Paused,
            What::Reported(_) => Self::Reported,
            What::Ended { .. } => Self::Ended,
            What::Stood { .. }
            | What::Began { .. }
            | What::Held { .. }
            | What::Failed { .. }
            | What::ServiceCrashed { .. }
            | What::Unheard { .. }
            | What::ReadFailed { .. }
            | What::NothingToRead { .. }
            | What::Remembered
            | What::Resending { .. }
            | What::HarnessCrashed { .. }
            | What::HarnessResumed { .. } => return None,
        })
    }
}

impl When {
    /// The instant that this is in a run.
    ///
    /// # Errors
    ///
    /// What was found and what is allowed, where the run ends before, or where no such event happens in it.
    pub fn instant(self, trace: &Trace) -> Result<Time, String> {
        match self {
            Self::Start => Ok(Time::ZERO),
            Self::End => Ok(trace.end()),
            Self::Time(at) if at <= trace.end() => Ok(at),
            Self::Time(at) => {
                Err(format!("found {at}, allowed: from {} to {}, where the run ends", Time::ZERO, trace.end()))
            }
            Self::Event { kind, nth } => {
                let mut events = trace.events().iter().filter(|event| kind.is(trace, event));
                let event = events.nth(nth.get() as usize - 1);
                event.map(|event| event.at).ok_or_else(|| no_such_event(trace, kind, nth))
            }
        }
    }
}

fn no_such_event(trace: &Trace, kind: EventKind, nth: Nth) -> String {
    let name = kind.name();
    let count = |kind: EventKind| trace.events().iter().filter(|event| kind.is(trace, event)).count();
    if let there @ 1.. = count(kind) {
        return format!("found \"{name}\" number {nth}, allowed: 1 to {there}, as often as it happens in the run");
    }
    let happen: Vec<&str> = EventKind::ALL.iter().filter(|(kind, _)| count(*kind) > 0).map(|(_, name)| *name).collect();
    format!("found \"{name}\", which never happens in the run, allowed: {}", happen.join(", "))
}

/// The form that an event has in a file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EventForm {
    event: EventKind,
    #[serde(default = "first")]
    nth: Nth,
}

const fn first() -> Nth {
    Nth::new(1)
}

impl From<EventForm> for When {
    fn from(form: EventForm) -> Self {
        Self::Event { kind: form.event, nth: form.nth }
    }
}

impl<'de> Deserialize<'de> for When {
    /// `start`, `end`, a time, or `{"event": .., "nth": ..}`.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        const OTHERWISE: &str = r#"a time such as 37s or 00:37, or an event such as {"event": "committed", "nth": 2}"#;
        let word = |word: &str| match word {
            "start" => Some(Self::Start),
            "end" => Some(Self::End),
            time => time.parse().ok().map(Self::Time),
        };
        json::preset_or::<D, Self, EventForm>(deserializer, &["start", "end"], OTHERWISE, word)
    }
}
