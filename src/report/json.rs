//! Runs as JSON, for programs. Times are in milliseconds since the start of the run, amounts in cents.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Serialize;

use super::{Run, duplicates};
use crate::model::text::is_hidden;
use crate::model::{AgentId, Scenario, Time};
use crate::sim::KeyReuse;
use crate::trace::snapshot::{Charge, LookupState};
use crate::trace::story::{sentence, who};
use crate::trace::{Answer, Event, Fate, Key, MessageId, Payload, Trace, What};

/// One run, with all its events: `retryscope run --format json`.
#[must_use]
pub fn run(run: &Run) -> String {
    let events = run.trace.events().iter().map(|event| EventForm::of(&run.trace, event)).collect();
    pretty(&RunForm { events: Some(events), ..RunForm::of(run) })
}

/// One run in one line, with the file that it was read from: `retryscope check --format json`.
#[must_use]
pub fn check(file: &str, run: &Run) -> String {
    let form = RunForm { file: Some(file), ..RunForm::of(run) };
    line(&serde_json::to_string(&form))
}

/// Many runs and how many of them are duplicates: `retryscope summary --format json`.
#[must_use]
pub fn summary(runs: &[Run], key_reuse: &KeyReuse) -> String {
    let (duplicates, quiet_duplicates) = duplicates(runs);
    let mut outcomes = BTreeMap::new();
    for run in runs {
        *outcomes.entry(run.trace.worst().name()).or_default() += 1;
    }
    let runs = runs.iter().map(RunForm::of).collect();
    pretty(&SummaryForm { runs, duplicates, quiet_duplicates, outcomes, key_reuse: KeyReuseForm::of(key_reuse) })
}

pub(super) fn pretty(form: &impl Serialize) -> String {
    line(&serde_json::to_string_pretty(form))
}

/// The JSON and a newline. Characters that would drive or confuse a terminal stand in it as escapes, which change
/// nothing for a program that reads it: a name or an argument may hold anything.
fn line(json: &serde_json::Result<String>) -> String {
    let json = json.as_deref().expect("all names in an object are strings");
    let mut safe = String::with_capacity(json.len() + 1);
    for c in json.chars() {
        if c != '\n' && is_hidden(c) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(safe, "\\u{unit:04x}").expect("a string takes all that is written to it");
            }
        } else {
            safe.push(c);
        }
    }
    safe.push('\n');
    safe
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SummaryForm<'a> {
    runs: Vec<RunForm<'a>>,
    duplicates: usize,
    quiet_duplicates: usize,
    /// How many runs come to what, by the outcome's name.
    outcomes: BTreeMap<&'static str, usize>,
    key_reuse: KeyReuseForm,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct KeyReuseForm {
    amounts_cents: [u64; 2],
    charges: u32,
    refusal: Option<String>,
}

impl KeyReuseForm {
    fn of(key_reuse: &KeyReuse) -> Self {
        let refusal = match key_reuse.second {
            Answer::Refused(refusal) => Some(refusal.to_string()),
            Answer::Success { .. } | Answer::Error { .. } => None,
        };
        Self { amounts_cents: key_reuse.amounts_cents, charges: key_reuse.charges, refusal }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RunForm<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    /// In the file form, so that it can be fed back.
    scenario: &'a Scenario,
    strategy: &'a str,
    fault: &'a str,
    charges: u32,
    verdict: &'static str,
    quiet: bool,
    /// What verdict and report come to together.
    outcome: &'static str,
    report: Option<String>,
    reported_at_ms: Option<Time>,
    ledger: Vec<ChargeForm>,
    attempts: Vec<AttemptForm>,
    timeouts_at_ms: Vec<Time>,
    lookups: Vec<LookupForm>,
    replays: u32,
    answers_to_nobody: u32,
    ended_at_ms: Time,
    /// The agents beside the first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    others: Vec<OtherForm>,
    #[serde(skip_serializing_if = "Option::is_none")]
    events: Option<Vec<EventForm>>,
}

impl<'a> RunForm<'a> {
    fn of(run: &'a Run) -> Self {
        let (outcome, trace) = (run.outcome(), &run.trace);
        let attempts = run.end.attempts.iter().map(|attempt| AttemptForm {
            number: attempt.number,
            at_ms: attempt.started_at,
            key: key_text(trace, attempt.key),
        });
        let timeouts = trace.events().iter().filter(|event| matches!(event.what, What::TimedOut { .. }));
        Self {
            file: None,
            scenario: run.scenario(),
            strategy: &run.scenario().strategy.name,
            fault: &run.scenario().fault.name,
            charges: outcome.charges,
            verdict: outcome.verdict().name(),
            quiet: outcome.is_quiet(),
            outcome: outcome.kind().name(),
            report: outcome.report.map(|(_, report)| report.to_string()),
            reported_at_ms: outcome.report.map(|(at, _)| at),
            ledger: run.ledger().iter().map(|charge| ChargeForm::of(trace, charge)).collect(),
            attempts: attempts.collect(),
            timeouts_at_ms: timeouts.map(|event| event.at).collect(),
            lookups: run.end.lookups.iter().filter_map(|lookup| LookupForm::of(lookup.state)).collect(),
            replays: run.tally.replays,
            answers_to_nobody: run.tally.answers_to_nobody,
            ended_at_ms: trace.end(),
            others: trace.agents().skip(1).map(|agent| OtherForm::of(run, agent)).collect(),
            events: None,
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ChargeForm {
    id: String,
    customer: String,
    amount_cents: u64,
    at_ms: Time,
    key: Option<String>,
    /// The task that it was made for, where there are several agents.
    #[serde(skip_serializing_if = "Option::is_none")]
    task: Option<String>,
}

/// What it came to for an agent beside the first.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct OtherForm {
    task: String,
    outcome: &'static str,
    report: Option<String>,
    reported_at_ms: Option<Time>,
}

impl OtherForm {
    fn of(run: &Run, agent: AgentId) -> Self {
        let report = run.end.report_of(agent);
        Self {
            task: run.trace.task_of(agent).id.to_string(),
            outcome: run.tally.kind_of(agent, run.trace.task_id_of(agent)).name(),
            report: report.map(|(_, report)| report.to_string()),
            reported_at_ms: report.map(|(at, _)| at),
        }
    }
}

impl ChargeForm {
    fn of(trace: &Trace, charge: &Charge) -> Self {
        let prior = trace.scenario().contract.ledger.get(charge.id.index()).filter(|_| charge.task.is_none());
        let (customer, amount_cents) = match prior {
            Some(prior) => (prior.customer.clone(), prior.amount_cents.get()),
            None => (trace.args(charge.args).customer(), trace.args(charge.args).amount_cents()),
        };
        Self {
            id: charge.id.to_string(),
            customer: customer.to_string(),
            amount_cents,
            task: charge
                .task
                .and(trace.agents().len().checked_sub(2))
                .map(|_| trace.task_of(charge.agent).id.to_string()),
            at_ms: charge.at,
            key: key_text(trace, charge.key),
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct AttemptForm {
    number: u32,
    at_ms: Time,
    key: Option<String>,
}

/// A lookup that ended; `found` is null where its answer never came.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct LookupForm {
    at_ms: Time,
    found: Option<bool>,
}

impl LookupForm {
    fn of(state: LookupState) -> Option<Self> {
        match state {
            LookupState::Waiting => None,
            LookupState::TimedOut(at_ms) | LookupState::Failed(at_ms) | LookupState::Abandoned(at_ms) => {
                Some(Self { at_ms, found: None })
            }
            LookupState::Found(at_ms, _) => Some(Self { at_ms, found: Some(true) }),
            LookupState::NotFound(at_ms) => Some(Self { at_ms, found: Some(false) }),
        }
    }
}

/// One event: `message` is the number that a message has wherever it is spoken of, `text` the sentence of the story.
#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct EventForm {
    at_ms: Time,
    who: &'static str,
    kind: &'static str,
    text: String,
    #[serde(flatten)]
    ids: Ids,
}

/// What an event is about, as far as its kind has it.
#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct Ids {
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message_kind: Option<&'static str>,
    /// The message that is copied, or answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    of_message: Option<usize>,
    /// When the message arrives if the run lasts so long; not there where it is lost.
    #[serde(skip_serializing_if = "Option::is_none")]
    arrives_at_ms: Option<Time>,
    #[serde(skip_serializing_if = "Option::is_none")]
    attempt: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    charge: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<String>,
    /// When a timer runs out, or a pause is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    until_ms: Option<Time>,
    #[serde(skip_serializing_if = "Option::is_none")]
    report: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    refusal: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    never_landed: Option<u32>,
}

impl EventForm {
    fn of(trace: &Trace, event: &Event) -> Self {
        let (kind, ids) = kind_and_ids(trace, event.what);
        Self { at_ms: event.at, who: who(trace, event).word(), kind, text: sentence(trace, event), ids }
    }
}

fn kind_and_ids(trace: &Trace, what: What) -> (&'static str, Ids) {
    let none = Ids::default();
    match what {
        What::AttemptStarted { attempt, key, times_out_at } => {
            let key = key_text(trace, key);
            ("attemptStarted", Ids { attempt: Some(attempt), key, until_ms: Some(times_out_at), ..none })
        }
        What::Sent(message) => {
            let kind = if message.fate == Fate::Lost { "lost" } else { "sent" };
            (kind, Ids { arrives_at_ms: message.arrives_at(), ..Ids::of_message(trace, message.id) })
        }
        What::Arrived(id) => ("arrived", Ids::of_message(trace, id)),
        What::ArrivedToNobody(id) => ("arrivedToNobody", Ids::of_message(trace, id)),
        What::Committed { charge, request, key, .. } => {
            let charge = Some(charge.to_string());
            ("committed", Ids { charge, key: key_text(trace, key), ..Ids::of_message(trace, request) })
        }
        What::Replayed { charge, request } => {
            ("replayed", Ids { charge: Some(charge.to_string()), ..Ids::of_message(trace, request) })
        }
        What::Refused { refusal, request } => {
            ("refused", Ids { refusal: Some(refusal.to_string()), ..Ids::of_message(trace, request) })
        }
        What::Read { lookup, found } => {
            ("read", Ids { charge: found.map(|charge| charge.to_string()), ..Ids::of_message(trace, lookup) })
        }
        What::TimedOut { attempt } => ("timedOut", Ids { attempt: Some(attempt), ..none }),
        What::LookupTimedOut { lookup } => ("lookupTimedOut", Ids::of_message(trace, lookup)),
        What::Paused { until } => ("paused", Ids { until_ms: Some(until), ..none }),
        What::Reported(report) => ("reported", Ids { report: Some(report.to_string()), ..none }),
        What::Stood { charge } => ("stood", Ids { charge: Some(charge.to_string()), ..none }),
        What::Began { request, until } => ("began", Ids { until_ms: Some(until), ..Ids::of_message(trace, request) }),
        What::Held { request, until } => ("held", Ids { until_ms: until, ..Ids::of_message(trace, request) }),
        What::Failed { request, .. } => ("failed", Ids::of_message(trace, request)),
        What::ServiceCrashed { request, .. } => ("serviceCrashed", Ids::of_message(trace, request)),
        What::Unheard { message } => ("unheard", Ids::of_message(trace, message)),
        What::ReadFailed { lookup } => ("readFailed", Ids::of_message(trace, lookup)),
        What::NothingToRead { attempt } => ("nothingToRead", Ids { attempt: Some(attempt), ..none }),
        What::Remembered => ("remembered", none),
        What::Resending { attempt, until } => {
            ("resending", Ids { attempt: Some(attempt), until_ms: Some(until), ..none })
        }
        What::HarnessCrashed { until } => ("harnessCrashed", Ids { until_ms: Some(until), ..none }),
        What::HarnessResumed { .. } => ("harnessResumed", none),
        What::Ended { never_landed } => ("ended", Ids { never_landed: Some(never_landed), ..none }),
    }
}

impl Ids {
    fn of_message(trace: &Trace, id: MessageId) -> Self {
        let ids = Self { message: Some(number(id)), ..Self::default() };
        match trace.message(id).payload {
            Payload::Request { attempt, copy_of: Some(original), .. } => {
                let of_message = Some(number(original));
                Self { message_kind: Some("copy"), attempt: Some(attempt), of_message, ..ids }
            }
            Payload::Request { attempt, .. } => Self { message_kind: Some("request"), attempt: Some(attempt), ..ids },
            Payload::Response { to, attempt, .. } => {
                Self { message_kind: Some("response"), attempt: Some(attempt), of_message: Some(number(to)), ..ids }
            }
            Payload::Lookup { attempt, .. } => Self { message_kind: Some("lookup"), attempt: Some(attempt), ..ids },
            Payload::LookupFailed { to } => {
                Self { message_kind: Some("lookupFailed"), of_message: Some(number(to)), ..ids }
            }
            Payload::Finding { to, .. } => Self { message_kind: Some("finding"), of_message: Some(number(to)), ..ids },
        }
    }
}

/// Messages count from 1, as they are shown.
fn number(id: MessageId) -> usize {
    id.index() + 1
}

fn key_text(trace: &Trace, key: Option<Key>) -> Option<String> {
    key.map(|key| trace.key_text(key))
}
