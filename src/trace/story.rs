//! What happened, in plain sentences: one an event, and one for an instant.

use super::{Answer, Event, Fate, Key, Message, MessageId, Payload, Trace, What};
use crate::model::Time;
use crate::model::task::money;
use crate::model::text::fit;

/// How much of a customer's name a sentence holds, in columns.
const CUSTOMER_COLUMNS: usize = 60;

/// Who acts in an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Who {
    /// The agent, by its harness.
    Agent,
    /// The network.
    Wire,
    /// The billing service.
    Service,
    /// The world as a whole.
    World,
}

impl Who {
    /// The actor in a word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Agent => "agent",
            Self::Wire => "wire",
            Self::Service => "service",
            Self::World => "world",
        }
    }
}

/// Who acts in the event.
#[must_use]
pub fn who(trace: &Trace, event: &Event) -> Who {
    match event.what {
        What::AttemptStarted { .. }
        | What::TimedOut { .. }
        | What::LookupTimedOut { .. }
        | What::Paused { .. }
        | What::Reported(_)
        | What::NothingToRead { .. }
        | What::Remembered
        | What::Resending { .. }
        | What::HarnessCrashed { .. }
        | What::HarnessResumed { .. }
        | What::ArrivedToNobody(_) => Who::Agent,
        What::Sent(
            Message { fate: Fate::Lost, .. } | Message { payload: Payload::Request { copy_of: Some(_), .. }, .. },
        ) => Who::Wire,
        What::Sent(message) if message.is_outbound() => Who::Agent,
        What::Arrived(id) if !trace.message(id).is_outbound() => Who::Agent,
        What::Sent(_)
        | What::Arrived(_)
        | What::Committed { .. }
        | What::Replayed { .. }
        | What::Refused { .. }
        | What::Stood { .. }
        | What::Began { .. }
        | What::Held { .. }
        | What::Failed { .. }
        | What::ServiceCrashed { .. }
        | What::Unheard { .. }
        | What::ReadFailed { .. }
        | What::Read { .. } => Who::Service,
        What::Ended { .. } => Who::World,
    }
}

/// The event as a plain sentence.
#[must_use]
pub fn sentence(trace: &Trace, event: &Event) -> String {
    let text = plain(trace, event);
    let speaks_of_agent = !matches!(event.what, What::Stood { .. } | What::Ended { .. });
    match event.agent.index() {
        n if trace.agents().len() > 1 && speaks_of_agent => format!("[agent {}] {text}", n + 1),
        _ => text,
    }
}

/// Whom an event charges or looks for, and how much.
fn whom(trace: &Trace, event: &Event) -> (String, String) {
    let args = match event.what {
        What::Committed { request, .. } => match trace.message(request).payload {
            Payload::Request { args, .. } => trace.args(args),
            _ => &trace.task_of(event.agent).args,
        },
        What::Stood { charge } => {
            let prior = trace.scenario().contract.ledger.get(charge.index());
            return prior.map_or_else(
                || ("nobody".to_owned(), money(0)),
                |prior| (fit(&prior.customer, CUSTOMER_COLUMNS, "..."), money(prior.amount_cents.get())),
            );
        }
        _ => &trace.task_of(event.agent).args,
    };
    (fit(&args.customer(), CUSTOMER_COLUMNS, "..."), money(args.amount_cents()))
}

fn plain(trace: &Trace, event: &Event) -> String {
    let (customer, amount) = whom(trace, event);
    match event.what {
        What::AttemptStarted { attempt, key, times_out_at } => {
            let patience = times_out_at.since(event.at).human();
            let key = key.map_or_else(|| "no key".to_owned(), |key| format!("the key {}", trace.key_text(key)));
            format!("Attempt {attempt} starts with {key} and waits {patience} at most.")
        }
        What::Sent(message) => sent(trace, &message, event.at),
        What::Arrived(id) => arrived(trace, id),
        What::ArrivedToNobody(id) => {
            format!("The answer {id} reaches the agent, but nobody is waiting for it any more.")
        }
        What::Committed { charge, request, task, .. } => {
            let earlier = trace.between(None, event.at).iter().filter(|other| {
                matches!(other.what, What::Committed { charge: other, task: of, .. } if of == task && other < charge)
            });
            let nth = match earlier.count() {
                0 => String::new(),
                n => format!(" This is charge number {}.", n + 1),
            };
            format!("The service charges {customer} {amount} for request {request}: {charge}.{nth}")
        }
        What::Stood { charge } => {
            format!("Before it all begins, {charge} stands in the ledger: {customer}, {amount}.")
        }
        What::Began { request, until } => {
            format!("The service sets to work on request {request}; it will be done at {until}.")
        }
        What::Held { request, until: Some(until) } => format!(
            "The service makes request {request} wait until {until}: the first request with its key still runs."
        ),
        What::Held { request, until: None } => {
            format!("The service makes request {request} wait for the first with its key, which will never end.")
        }
        What::Failed { request, replayed: false } => {
            format!("The service fails on request {request}: a server error.")
        }
        What::Failed { request, replayed: true } => {
            format!("The service knows the key of request {request}: it answers with the stored error again.")
        }
        What::ServiceCrashed { request, key_recorded } => {
            let left =
                if key_recorded { "The key is recorded, and the charge is not made." } else { "No key is recorded." };
            format!("The service crashes on request {request}. {left} No answer is sent.")
        }
        What::Unheard { message } => format!("The service is down: nobody hears {message}."),
        What::ReadFailed { .. } => "The service cannot read the ledger, and says so.".to_owned(),
        What::NothingToRead { attempt } => {
            format!("The agent would look for the charge of attempt {attempt}, but there is nothing it could ask.")
        }
        What::Remembered => "The agent remembers that this was done, and sends nothing.".to_owned(),
        What::Resending { attempt, until } => format!(
            "Beneath the agent, the transport gives up the request of attempt {attempt}; it will send again at {until}."
        ),
        What::HarnessCrashed { until } => {
            format!("The harness crashes. Whatever it waited for will arrive to nobody. It resumes at {until}.")
        }
        What::HarnessResumed { key_kept, progress_kept } => {
            let key = if key_kept { "still has its key" } else { "has lost its key" };
            let progress = if progress_kept { "knows what it had tried" } else { "begins again" };
            format!("The harness resumes: it {key}, and {progress}.")
        }
        What::Replayed { charge, request } => format!(
            "The service knows the key of request {request}: it answers with {charge} again and charges nothing."
        ),
        What::Refused { refusal, request } => format!("The service refuses request {request}: {refusal}."),
        What::Read { found: Some(charge), .. } => {
            format!("The service looks in the ledger: {charge} is there, for {customer} and {amount}.")
        }
        What::Read { found: None, .. } => {
            format!("The service looks in the ledger: no charge for {customer} and {amount} is there now.")
        }
        What::TimedOut { attempt } => format!(
            "Attempt {attempt} times out. The agent has seen no answer; it cannot know whether the charge was made."
        ),
        What::LookupTimedOut { lookup } => format!("The lookup {lookup} times out. The agent has learned nothing."),
        What::Paused { until } => format!("The harness pauses until {until}."),
        What::Reported(report) => format!("The agent reports: {report}."),
        What::Ended { never_landed: 0 } => "Nothing is on its way any more. The run is over.".to_owned(),
        What::Ended { never_landed } => {
            format!("The horizon is reached. Messages that never landed: {never_landed}. The run is over.")
        }
    }
}

fn sent(trace: &Trace, message: &Message, at: Time) -> String {
    let id = message.id;
    let late = late(trace, message);
    match (message.payload, message.fate) {
        (Payload::Request { copy_of: Some(original), .. }, Fate::Arrives(arrives)) => {
            let behind = trace.message(original).arrives_at().map_or(arrives - at, |first| arrives.since(first));
            format!("The wire carries request {original} twice: the copy {id} is {} behind.", behind.human())
        }
        (Payload::Request { attempt, .. }, Fate::Arrives(_)) => {
            format!("Request {id} of attempt {attempt} leaves{late}.")
        }
        (Payload::Request { attempt, .. }, Fate::Lost) => {
            format!("Request {id} of attempt {attempt} leaves and is lost on the way.")
        }
        (Payload::Response { to, .. }, Fate::Arrives(_)) => {
            format!("The service answers request {to} with {id}{late}.")
        }
        (Payload::Response { to, .. }, Fate::Lost) => {
            format!("The answer {id} to request {to} is lost on the way. The agent will never see it.")
        }
        (Payload::Lookup { attempt, .. }, Fate::Arrives(_)) => {
            format!("Before it goes on, the agent looks for the charge of attempt {attempt}: lookup {id} leaves{late}.")
        }
        (Payload::Lookup { attempt, .. }, Fate::Lost) => format!(
            "Before it goes on, the agent looks for the charge of attempt {attempt}: lookup {id} is lost on the way."
        ),
        (Payload::Finding { to, .. } | Payload::LookupFailed { to }, Fate::Arrives(_)) => {
            format!("The service answers lookup {to} with {id}{late}.")
        }
        (Payload::Finding { to, .. } | Payload::LookupFailed { to }, Fate::Lost) => {
            format!("The answer {id} to lookup {to} is lost on the way.")
        }
    }
}

/// How a message's journey is out of the ordinary: `, and will take 90 s to arrive`.
fn late(trace: &Trace, message: &Message) -> String {
    match message.arrives_at() {
        Some(at) if at - message.sent_at != trace.scenario().network.latency => {
            format!(", and will take {} to arrive", (at - message.sent_at).human())
        }
        _ => String::new(),
    }
}

fn arrived(trace: &Trace, id: MessageId) -> String {
    match trace.message(id).payload {
        Payload::Request { copy_of: Some(original), .. } => {
            format!("The copy {id} of request {original} reaches the service.")
        }
        Payload::Request { attempt, .. } => format!("Request {id} of attempt {attempt} reaches the service."),
        Payload::Lookup { .. } => format!("Lookup {id} reaches the service."),
        Payload::Response { attempt, answer: Answer::Success { charge, .. }, .. } => {
            format!("The answer {id} reaches the agent: attempt {attempt} succeeded, with {charge}.")
        }
        Payload::Response { attempt, answer: Answer::Refused(refusal), .. } => {
            format!("The answer {id} reaches the agent: attempt {attempt} was refused, {refusal}.")
        }
        Payload::Response { attempt, answer: Answer::Error { .. }, .. } => {
            format!(
                "The answer {id} reaches the agent: attempt {attempt} met a server error. It cannot know what is done."
            )
        }
        Payload::LookupFailed { .. } => "The agent learns that the service could not look.".to_owned(),
        Payload::Finding { found: Some(charge), .. } => {
            format!("The agent learns that {charge} is in the ledger.")
        }
        Payload::Finding { found: None, .. } => "The agent learns that no such charge was in the ledger.".to_owned(),
    }
}

/// The event in two or three words, after the name of its run: `naive retry tries again`.
#[must_use]
pub fn in_short(trace: &Trace, event: &Event) -> String {
    match event.what {
        What::AttemptStarted { attempt: 1, .. } => "starts".to_owned(),
        What::AttemptStarted { .. } => "tries again".to_owned(),
        What::Sent(Message { payload: Payload::Lookup { .. }, .. }) => "looks first".to_owned(),
        What::Arrived(id) | What::ArrivedToNobody(id) => match trace.message(id).payload {
            Payload::Request { copy_of: Some(_), .. } => "has a copy arrive".to_owned(),
            Payload::Request { .. } => "has its request arrive".to_owned(),
            Payload::Lookup { .. } => "has its lookup arrive".to_owned(),
            _ => "has its answer".to_owned(),
        },
        What::Committed { charge, .. } => format!("charges {charge}"),
        What::Replayed { .. } => "has its key known".to_owned(),
        What::Refused { .. } => "is refused".to_owned(),
        What::Read { found: Some(charge), .. } => format!("finds {charge}"),
        What::Read { found: None, .. } => "finds nothing".to_owned(),
        What::TimedOut { .. } | What::LookupTimedOut { .. } => "times out".to_owned(),
        What::Paused { .. } => "pauses".to_owned(),
        What::Began { .. } => "is worked on".to_owned(),
        What::Held { .. } => "is made to wait".to_owned(),
        What::Failed { .. } => "gets a server error".to_owned(),
        What::ServiceCrashed { .. } => "has the service crash".to_owned(),
        What::Unheard { .. } => "is not heard".to_owned(),
        What::ReadFailed { .. } => "cannot read".to_owned(),
        What::Resending { .. } => "sends again below".to_owned(),
        What::HarnessCrashed { .. } => "crashes".to_owned(),
        What::HarnessResumed { .. } => "resumes".to_owned(),
        What::Reported(report) => format!("reports {report}"),
        _ => "goes on".to_owned(),
    }
}

/// How much an event tells about an instant at which several happened; the highest speaks for it.
const fn weight(event: &Event) -> u8 {
    match event.what {
        What::Ended { .. } => 0,
        What::Paused { .. } | What::Stood { .. } => 1,
        What::Arrived(_) => 2,
        What::Sent(_) => 3,
        What::AttemptStarted { .. } => 4,
        What::ArrivedToNobody(_) => 5,
        What::TimedOut { .. }
        | What::LookupTimedOut { .. }
        | What::Began { .. }
        | What::Resending { .. }
        | What::NothingToRead { .. } => 6,
        What::Read { .. } | What::ReadFailed { .. } | What::Held { .. } | What::Unheard { .. } => 7,
        What::Replayed { .. } | What::Refused { .. } | What::Failed { .. } | What::Remembered => 8,
        What::HarnessCrashed { .. } | What::HarnessResumed { .. } | What::ServiceCrashed { .. } | What::Reported(_) => {
            9
        }
        What::Committed { .. } => 10,
    }
}

/// What the screen says of an instant: what happened at it, or that nothing did.
#[must_use]
pub fn headline(trace: &Trace, at: Time) -> String {
    let fresh = trace.between(at.as_ms().checked_sub(1).map(Time::from_ms), at);
    let Some(teller) = fresh.iter().max_by_key(|event| weight(event)) else {
        return "Nothing new happens.".to_owned();
    };
    let mut text = sentence(trace, teller);
    // A charge and the loss of its answer are one story.
    let lost = fresh.iter().find(|event| matches!(event.what, What::Sent(Message { fate: Fate::Lost, .. })));
    if let Some(lost) = lost.filter(|lost| *lost != teller) {
        text.push(' ');
        text.push_str(&sentence(trace, lost));
    }
    text
}

/// The key of an attempt in a few words: `no key`, or the key itself.
#[must_use]
pub fn key_words(trace: &Trace, key: Option<Key>) -> String {
    key.map_or_else(|| "no key".to_owned(), |key| trace.key_text(key))
}
