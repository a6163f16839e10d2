//! Why a charge stands in the ledger: the chain that led to it, link by link, back to the fault.
//!
//! Only what had happened by a given instant is told, so that an explanation never gives away what is
//! still to come.

use super::snapshot::{Attempt, AttemptState, Charge, Lookup, LookupState, Snapshot};
use super::story::key_words;
use super::{Answer, ChargeId, Message, MessageId, Payload, Trace, What};
use crate::model::contract::{InProgress, Keys, Retention};
use crate::model::task::money;
use crate::model::{AgentId, Span, Time};

/// A link of the chain: something that happened, and why it matters to the charge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// When it happened.
    pub at: Time,
    /// What kind of thing it is.
    pub kind: Kind,
    /// What it is, in two or three words.
    pub title: String,
    /// What happened, in one to three plain sentences.
    pub sentence: String,
}

/// What a link is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// The service made the charge.
    Charge,
    /// The request reached the service.
    Arrival,
    /// The request was sent.
    Message,
    /// An attempt started.
    Attempt,
    /// Why the harness started the attempt: what it saw, and what it could not see.
    Decision,
    /// What the wire did.
    Fault,
}

/// The chain that led to a charge, from the charge back to its first cause, as far as it is known at `known`.
/// Empty where no such charge stands in the ledger by then.
#[must_use]
pub fn chain(trace: &Trace, charge: ChargeId, known: Time) -> Vec<Link> {
    let world = Snapshot::at(trace, known);
    let Some(entry) = world.ledger.iter().find(|entry| entry.id == charge).copied() else { return Vec::new() };
    let mut chain = Chain { trace, world: &world, agent: entry.agent, made_at: entry.at, links: Vec::new() };
    let Some(request) = entry.request else {
        chain.link(entry.at, Kind::Charge, format!("Charge {charge}"), "It stood in the ledger before the run began.");
        return chain.links;
    };
    chain.charge(&entry, request);
    chain.request(trace.message(request), entry.at);
    // Each is told after what it led to; at one instant the order stays.
    chain.links.sort_by_key(|link| std::cmp::Reverse(link.at));
    chain.links
}

struct Chain<'a> {
    trace: &'a Trace,
    world: &'a Snapshot,
    /// Who asked for the charge.
    agent: AgentId,
    /// When it was made: no cause is later.
    made_at: Time,
    links: Vec<Link>,
}

impl Chain<'_> {
    fn link(&mut self, at: Time, kind: Kind, title: impl Into<String>, sentence: impl Into<String>) {
        self.links.push(Link { at, kind, title: title.into(), sentence: sentence.into() });
    }

    // ── The charge, and why it was not recognised ────────────────────────────────────────────────

    fn charge(&mut self, entry: &Charge, request: MessageId) {
        let args = self.trace.args(entry.args);
        let (customer, amount) = (args.customer(), money(args.amount_cents()));
        let same_task = |other: &&Charge| other.id < entry.id && other.task == entry.task;
        let before = self.world.ledger.iter().rev().find(same_task);
        let sentence = format!(
            "The service charges {customer} {amount} for request {request}. {}",
            self.not_recognised(entry, before)
        );
        self.link(entry.at, Kind::Charge, format!("Charge {}", entry.id), sentence);
    }

    fn not_recognised(&self, entry: &Charge, before: Option<&Charge>) -> String {
        let key = entry.key;
        let Some(before) = before else {
            return match key {
                None => "It is the first charge, and carries no key to be recognised by.".to_owned(),
                Some(key) => format!("It is the first with the key {}.", self.trace.key_text(key)),
            };
        };
        let whose = match before.agent {
            agent if agent == self.agent => String::new(),
            agent => format!(", which agent {} asked for,", agent.index() + 1),
        };
        let (id, at) = (before.id, before.at);
        match key {
            None => {
                format!("It carries no key, so the service cannot tell that {id} of {at}{whose} was for the same task.")
            }
            Some(key) if before.key == Some(key) => {
                format!(
                    "It carries the key of {id}{whose} and is charged again: {}.",
                    self.why_forgotten(entry, before)
                )
            }
            Some(key) => {
                let (key, other) = (self.trace.key_text(key), key_words(self.trace, before.key));
                format!("Its key {key} is new to the service, which made {id} of {at} under {other}.")
            }
        }
    }

    /// Why the service charges again for a key that it has seen.
    fn why_forgotten(&self, entry: &Charge, before: &Charge) -> String {
        let contract = &self.trace.scenario().contract;
        match contract.retention {
            _ if contract.keys == Keys::Ignored => "the service takes no notice of keys".to_owned(),
            Retention::For(kept) if entry.at.since(before.at) >= kept => {
                format!("the service keeps a key for {}, and that was over", kept.human())
            }
            _ if contract.in_progress == InProgress::BothRun => {
                "the service looked for the key before the first request with it was done".to_owned()
            }
            _ => "the service did not find the key".to_owned(),
        }
    }

    // ── The request, there and back to its attempt ───────────────────────────────────────────────

    fn request(&mut self, message: &Message, committed_at: Time) {
        let Payload::Request { attempt: number, copy_of, .. } = message.payload else { return };
        // Where the service works on a request for a while, it arrives before it is committed.
        let arrived_at = message.arrives_at().unwrap_or(committed_at).min(committed_at);
        let took = (arrived_at - message.sent_at).human();
        let attempt = self.attempt(number, message.sent_at);
        let given_up = attempt.and_then(ended_at).filter(|at| *at < arrived_at);
        let id = message.id;
        let waited = match (given_up, attempt.map(|attempt| attempt.state)) {
            (Some(at), Some(AttemptState::TimedOut(_))) => format!(" Since {at} nobody has waited for its answer."),
            (Some(at), _) => format!(" The agent had its answer at {at} already."),
            (None, _) => String::new(),
        };
        let what = copy_of.map_or_else(|| format!("Request {id}"), |first| format!("The copy {id} of request {first}"));
        let sentence = format!("{what} reaches the service, {took} after it left.{waited}");
        self.link(arrived_at, Kind::Arrival, "Arrival", sentence);
        if let (Some(_), Some(attempt)) = (given_up, attempt)
            && let Some(next) = self.after(&attempt).filter(|next| next.started_at < arrived_at)
        {
            self.tried_again_meanwhile(&next);
        }
        let sentence = format!("Request {id} belongs to attempt {number} and left at {}.", message.sent_at);
        self.link(message.sent_at, Kind::Message, format!("Request {id}"), sentence);
        if let Some(attempt) = attempt {
            self.sent_again_below(&attempt, message.sent_at);
            self.started(&attempt);
        }
        self.struck(message);
    }

    /// The agent's attempts, in order.
    fn attempts(&self) -> impl DoubleEndedIterator<Item = &Attempt> {
        self.world.attempts.iter().filter(|attempt| attempt.agent == self.agent)
    }

    /// The attempt of that number; after a crash numbers may be counted again, and the last by `at` is meant.
    fn attempt(&self, number: u32, at: Time) -> Option<Attempt> {
        self.attempts().rfind(|attempt| attempt.number == number && attempt.started_at <= at).copied()
    }

    fn before(&self, attempt: &Attempt) -> Option<Attempt> {
        self.attempts().take_while(|other| *other != attempt).last().copied()
    }

    fn after(&self, attempt: &Attempt) -> Option<Attempt> {
        self.attempts().skip_while(|other| *other != attempt).nth(1).copied()
    }

    /// Where the transport beneath the harness sent the request, and not the harness itself.
    fn sent_again_below(&mut self, attempt: &Attempt, sent_at: Time) {
        let again = self.trace.events().iter().rfind(|event| {
            event.agent == self.agent
                && (attempt.started_at..=sent_at).contains(&event.at)
                && matches!(event.what, What::Resending { .. })
        });
        if let Some(event) = again {
            self.link(event.at, Kind::Decision, "Sent again", super::story::sentence(self.trace, event));
        }
    }

    /// An attempt and the decision for it; before the first, there is only the task.
    fn started(&mut self, attempt: &Attempt) {
        let (number, at) = (attempt.number, attempt.started_at);
        let key = key_words(self.trace, attempt.key);
        let key = if attempt.key.is_some() { format!("the key {key}") } else { key };
        let sentence = format!("Attempt {number} starts with {key}.");
        self.link(at, Kind::Attempt, format!("Attempt {number}"), sentence);
        let Some(before) = self.before(attempt) else {
            let task = self.trace.task_of(self.agent);
            let whose = match self.agent.index() {
                0 => String::new(),
                n => format!(" of agent {}", n + 1),
            };
            let sentence = format!("It is the first attempt{whose}: {} asks for {} once.", task.id, task.tool);
            return self.link(at, Kind::Decision, "The task", sentence);
        };
        self.decided_to_repeat(&before, true);
    }

    fn tried_again_meanwhile(&mut self, next: &Attempt) {
        let at = next.started_at;
        let sentence =
            format!("While it was on its way, the agent tried again: attempt {} started at {at}.", next.number);
        self.link(at, Kind::Attempt, format!("Attempt {}", next.number), sentence);
        if let Some(before) = self.before(next) {
            self.decided_to_repeat(&before, false);
        }
    }

    // ── The decision to try again ────────────────────────────────────────────────────────────────

    /// Why the harness tried again after an attempt.
    fn decided_to_repeat(&mut self, attempt: &Attempt, tell_fault: bool) {
        let number = attempt.number;
        let of_attempt = |lookup: &&Lookup| {
            lookup.agent == self.agent && lookup.after_attempt == number && lookup.asked_at >= attempt.started_at
        };
        let lookup = self.world.lookups.iter().find(of_attempt).copied();
        if let Some(lookup) = lookup {
            self.looked(&lookup, attempt);
        }
        let before = self.repeats_before(attempt);
        match attempt.state {
            AttemptState::TimedOut(at) => {
                let waited = (at - attempt.started_at).human();
                let why = self.why_no_answer(attempt, at);
                let blind = if lookup.is_none() { " The strategy does not look before it tries again." } else { "" };
                let sentence = format!("Attempt {number} has no answer after {waited}{why}.{blind}{before}");
                self.link(at, Kind::Decision, "Timed out", sentence);
            }
            AttemptState::Answered(at, Answer::Refused(refusal)) => {
                let sentence = format!("Attempt {number} is refused, {refusal}, and the strategy retries.{before}");
                self.link(at, Kind::Decision, "Refused", sentence);
            }
            AttemptState::Answered(at, Answer::Error { .. }) => {
                let sentence = format!(
                    "Attempt {number} gets a server error, which does not say whether the charge was made.{before}"
                );
                self.link(at, Kind::Decision, "Server error", sentence);
            }
            AttemptState::Abandoned(at) => {
                let sentence = format!("The harness crashes during attempt {number}, and begins again.{before}");
                self.link(at, Kind::Decision, "Crashed", sentence);
            }
            AttemptState::Answered(_, Answer::Success { .. }) | AttemptState::Waiting => self.crashed_after(attempt),
        }
        if tell_fault {
            self.kept_from_answer(attempt);
        }
    }

    /// A crash after an attempt that was done, for which the harness begins again.
    fn crashed_after(&mut self, attempt: &Attempt) {
        let crash = self.trace.events().iter().find(|event| {
            event.agent == self.agent
                && event.at >= attempt.started_at
                && event.at <= self.made_at
                && matches!(event.what, What::HarnessCrashed { .. })
        });
        if let Some(event) = crash {
            let sentence =
                format!("{} It had finished, and no longer knows it.", super::story::sentence(self.trace, event));
            self.link(event.at, Kind::Decision, "Crashed", sentence);
        }
    }

    /// What is told of the attempts before the one that is told in full.
    fn repeats_before(&self, attempt: &Attempt) -> String {
        let count = self.attempts().take_while(|other| *other != attempt).count();
        match (count, self.attempts().next().copied().and_then(ended_at)) {
            (1, Some(at)) => format!(" Attempt 1 had ended no better at {at}."),
            (2.., Some(at)) => format!(" The {count} before it had ended no better, the first at {at}."),
            _ => String::new(),
        }
    }

    /// A lookup that did not stop the agent.
    fn looked(&mut self, lookup: &Lookup, attempt: &Attempt) {
        let read_at = self.trace.events().iter().find_map(|event| match event.what {
            What::Read { lookup: id, .. } if id == lookup.message && event.at <= self.world.at => Some(event.at),
            _ => None,
        });
        match (lookup.state, read_at) {
            (LookupState::NotFound(_), Some(at)) => {
                let task = self.trace.task_id_of(self.agent);
                let made = self.world.ledger.iter().find(|charge| charge.task == Some(task) && charge.at <= at);
                let (title, why) = match (made, self.under_way(at)) {
                    (Some(made), _) => (
                        "Looked in vain",
                        format!("{} of {} was made by then, and the read did not show it.", made.id, made.at),
                    ),
                    (None, Some(message)) => ("Looked too early", self.came_before(message, at)),
                    (None, None) => ("Looked", "No request was on its way either.".to_owned()),
                };
                let sentence = format!("The service looked in the ledger at {at} and nothing was there. {why}");
                self.link(at, Kind::Decision, title, sentence);
            }
            (LookupState::TimedOut(at), _) => {
                let sentence = "The agent looked for the charge and had no answer, so it learned nothing.";
                self.link(at, Kind::Decision, "Looked in vain", sentence);
            }
            (LookupState::Failed(at), _) => {
                let sentence = format!(
                    "After attempt {} the service could not look, so the agent learned nothing.",
                    attempt.number
                );
                self.link(at, Kind::Decision, "Looked in vain", sentence);
            }
            _ => {}
        }
    }

    /// The read-back came before the commit: the charge was made later, or may still be.
    fn came_before(&self, message: &Message, read_at: Time) -> String {
        let id = message.id;
        let committed = self.world.ledger.iter().find(|charge| charge.request == Some(id));
        match committed {
            Some(charge) => {
                let early = (charge.at - read_at).human();
                let at = charge.at;
                format!(
                    "Request {id} was still on its way and committed at {at}: the read-back came {early} before the commit."
                )
            }
            None => format!("Request {id} was still on its way: the read-back came before the commit."),
        }
    }

    /// A request that was sent before `at` and had not arrived by then, but was not lost.
    fn under_way(&self, at: Time) -> Option<&Message> {
        self.trace.messages().iter().find(|message| {
            matches!(message.payload, Payload::Request { .. })
                && message.agent == self.agent
                && message.sent_at < at
                && message.arrives_at().is_some_and(|arrives| arrives > at)
        })
    }

    // ── The fault ────────────────────────────────────────────────────────────────────────────────

    /// Why no answer to an attempt came in time, as a clause.
    fn why_no_answer(&self, attempt: &Attempt, at: Time) -> String {
        let Some(request) = self.request_of(attempt) else { return String::new() };
        match (request.arrives_at(), self.answer_to(request.id)) {
            (None, _) => format!(": request {} was lost", request.id),
            (Some(arrives), _) if arrives > at => format!(": request {} was still on its way", request.id),
            (_, Some(answer)) if answer.arrives_at().is_none() => {
                let charged = self.world.ledger.iter().find(|charge| charge.request == Some(request.id));
                let charged = charged.map_or_else(String::new, |charge| format!(", though {} was made", charge.id));
                format!(": the answer {} was lost{charged}", answer.id)
            }
            (_, Some(answer)) => format!(": the answer {} was still on its way", answer.id),
            _ => String::new(),
        }
    }

    /// What the wire did to keep an attempt from its answer.
    fn kept_from_answer(&mut self, attempt: &Attempt) {
        let Some(request) = self.request_of(attempt).copied() else { return };
        let answer = self.answer_to(request.id).copied();
        let struck = |message: &Message| self.strike(message).is_some();
        match answer {
            Some(answer) if !struck(&request) && struck(&answer) => self.struck(&answer),
            _ if struck(&request) => self.struck(&request),
            _ if self.service_struck(request.id) => {}
            _ if !matches!(attempt.state, AttemptState::TimedOut(_)) => {}
            _ => {
                let latency = self.trace.scenario().network.latency.human();
                let waits = attempt.times_out_at.since(attempt.started_at).human();
                let sentence =
                    format!("The wire did nothing wrong: it takes {latency} each way, and the agent waits {waits}.");
                self.link(attempt.started_at, Kind::Fault, "No fault", sentence);
            }
        }
    }

    /// The link of what the service did to a request instead of what it promises, where it did. Whether it did.
    fn service_struck(&mut self, id: MessageId) -> bool {
        let struck = self.trace.events().iter().find(|event| match event.what {
            What::Failed { request, .. } | What::ServiceCrashed { request, .. } => request == id,
            What::Unheard { message } => message == id,
            _ => false,
        });
        let Some(event) = struck.filter(|event| event.at <= self.made_at) else { return false };
        self.link(event.at, Kind::Fault, "The fault", super::story::sentence(self.trace, event));
        true
    }

    /// The link of what the wire did to a message, where it did anything.
    fn struck(&mut self, message: &Message) {
        if let Some(strike) = self.strike(message) {
            let name = &self.trace.scenario().fault.name;
            let sentence = format!("The wire {strike}. That is the fault {name}.");
            self.link(message.sent_at, Kind::Fault, "The fault", sentence);
        }
    }

    fn strike(&self, message: &Message) -> Option<String> {
        let latency = self.trace.scenario().network.latency;
        let (id, name) = (message.id, if message.is_outbound() { "request" } else { "answer" });
        if let Payload::Request { copy_of: Some(first), .. } = message.payload {
            let behind: Span = match (self.trace.message(first).arrives_at(), message.arrives_at()) {
                (Some(first), Some(copy)) => copy.since(first),
                _ => Span::ZERO,
            };
            return Some(format!("delivers request {first} again, {} behind the first", behind.human()));
        }
        match message.arrives_at() {
            None => Some(format!("loses {name} {id}")),
            Some(at) if at - message.sent_at > latency => {
                let (took, usual) = ((at - message.sent_at).human(), latency.human());
                Some(format!("takes {took} for {name} {id}, instead of {usual}"))
            }
            Some(_) => None,
        }
    }

    /// The first request of an attempt.
    fn request_of(&self, of: &Attempt) -> Option<&Message> {
        self.trace.messages().iter().find(|message| {
            message.agent == of.agent
                && message.sent_at >= of.started_at
                && matches!(message.payload, Payload::Request { attempt, .. } if attempt == of.number)
        })
    }

    /// The answer to a request, if it was sent before the charge was made.
    fn answer_to(&self, request: MessageId) -> Option<&Message> {
        self.trace.messages().iter().find(|message| {
            matches!(message.payload, Payload::Response { to, .. } if to == request) && message.sent_at <= self.made_at
        })
    }
}

fn ended_at(attempt: Attempt) -> Option<Time> {
    match attempt.state {
        AttemptState::TimedOut(at) | AttemptState::Answered(at, _) | AttemptState::Abandoned(at) => Some(at),
        AttemptState::Waiting => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Fault, Scenario, Strategy};
    use crate::sim::simulate;

    fn told(strategy: usize, fault: usize, charge: u32, known: Option<u64>) -> String {
        let scenario = Scenario::new(Strategy::presets()[strategy].clone(), Fault::presets()[fault].clone());
        let trace = simulate(&scenario).unwrap();
        let known = known.map_or(trace.end(), |secs| Time::from_ms(secs * 1_000));
        let links = chain(&trace, ChargeId::from_index(charge), known);
        let told = links.iter().map(|link| format!("{} {:?} {}: {}", link.at, link.kind, link.title, link.sentence));
        told.collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn the_late_charge_names_the_read_back_before_the_commit() {
        insta::assert_snapshot!(told(1, 2, 1, None));
    }

    #[test]
    fn the_first_charge_names_it_as_well() {
        insta::assert_snapshot!(told(1, 2, 0, None));
    }

    #[test]
    fn what_is_still_to_come_is_not_told() {
        let early = told(1, 2, 0, Some(37));
        assert!(early.contains("the read-back came before the commit"), "{early}");
        assert!(!early.contains("01:30"), "{early}");
        assert_eq!(told(1, 2, 1, Some(37)), "", "the second charge has not been made yet");
    }

    #[test]
    fn a_lost_answer_a_new_key_and_a_copy_are_each_told_for_what_they_are() {
        insta::assert_snapshot!([told(2, 1, 1, None), told(0, 3, 1, None)].join("\n\n"));
    }

    #[test]
    fn every_chain_begins_with_its_charge_and_never_runs_forward() {
        for scenario in Scenario::presets() {
            let trace = simulate(&scenario).unwrap();
            let world = Snapshot::at(&trace, trace.end());
            for charge in &world.ledger {
                let links = chain(&trace, charge.id, trace.end());
                assert_eq!((links[0].kind, links[0].at), (Kind::Charge, charge.at));
                assert!(links.windows(2).all(|pair| pair[1].at <= pair[0].at), "{links:#?}");
                let fault = links.iter().any(|link| link.kind == Kind::Fault);
                assert!(fault || charge.id.index() == 0, "a duplicate has a fault behind it: {links:#?}");
            }
        }
    }
}
