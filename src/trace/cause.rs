//! Why a charge stands in the ledger: the chain that led to it, link by link, back to the fault.
//!
//! Only what had happened by a given instant is told, so that an explanation never gives away what is
//! still to come.

use super::snapshot::{Attempt, AttemptState, Charge, Lookup, LookupState, Snapshot};
use super::story::key_words;
use super::{Answer, ChargeId, Key, Message, MessageId, Payload, Trace, What};
use crate::model::task::money;
use crate::model::{Span, Time};

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
    let mut chain = Chain { trace, world: &world, links: Vec::new() };
    chain.charge(&entry);
    chain.request(trace.message(entry.request), entry.at);
    chain.links
}

struct Chain<'a> {
    trace: &'a Trace,
    world: &'a Snapshot,
    links: Vec<Link>,
}

impl Chain<'_> {
    fn link(&mut self, at: Time, kind: Kind, title: impl Into<String>, sentence: impl Into<String>) {
        self.links.push(Link { at, kind, title: title.into(), sentence: sentence.into() });
    }

    // ── The charge, and why it was not recognised ────────────────────────────────────────────────

    fn charge(&mut self, entry: &Charge) {
        let args = &self.trace.scenario().task.args;
        let (customer, amount) = (args.customer(), money(args.amount_cents()));
        let before = self.world.ledger.iter().rev().find(|other| other.id < entry.id);
        let sentence = format!(
            "The service charges {customer} {amount} for request {}. {}",
            entry.request,
            self.not_recognised(entry.key, before)
        );
        self.link(entry.at, Kind::Charge, format!("Charge {}", entry.id), sentence);
    }

    fn not_recognised(&self, key: Option<Key>, before: Option<&Charge>) -> String {
        let Some(before) = before else {
            return match key {
                None => "It is the first charge, and carries no key to be recognised by.".to_owned(),
                Some(key) => format!("It is the first with the key {}.", self.trace.key_text(key)),
            };
        };
        let (id, at) = (before.id, before.at);
        match key {
            None => format!("It carries no key, so the service cannot tell that {id} of {at} was for the same task."),
            Some(key) if before.key == Some(key) => {
                format!("It carries the key of {id}, and the service charges again all the same.")
            }
            Some(key) => {
                let (key, other) = (self.trace.key_text(key), key_words(self.trace, before.key));
                format!("Its key {key} is new to the service, which made {id} of {at} under {other}.")
            }
        }
    }

    // ── The request, there and back to its attempt ───────────────────────────────────────────────

    fn request(&mut self, message: &Message, arrived_at: Time) {
        let Payload::Request { attempt: number, copy_of, .. } = message.payload else { return };
        let took = (arrived_at - message.sent_at).human();
        let attempt = self.attempt(number);
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
        if let Some(next) = given_up.and_then(|_| self.attempt(number + 1)).filter(|next| next.started_at < arrived_at)
        {
            self.tried_again_meanwhile(&next);
        }
        let sentence = format!("Request {id} belongs to attempt {number} and left at {}.", message.sent_at);
        self.link(message.sent_at, Kind::Message, format!("Request {id}"), sentence);
        if let Some(attempt) = attempt {
            self.started(&attempt);
        }
        self.struck(message);
    }

    fn attempt(&self, number: u32) -> Option<Attempt> {
        self.world.attempts.iter().find(|attempt| attempt.number == number).copied()
    }

    /// An attempt and the decision for it; before the first, there is only the task.
    fn started(&mut self, attempt: &Attempt) {
        let (number, at) = (attempt.number, attempt.started_at);
        let key = key_words(self.trace, attempt.key);
        let key = if attempt.key.is_some() { format!("the key {key}") } else { key };
        let sentence = format!("Attempt {number} starts with {key}.");
        self.link(at, Kind::Attempt, format!("Attempt {number}"), sentence);
        if number == 1 {
            let task = &self.trace.scenario().task;
            let sentence = format!("It is the first attempt: {} asks for {} once.", task.id, task.tool);
            return self.link(at, Kind::Decision, "The task", sentence);
        }
        self.decided_to_repeat(number - 1, true);
    }

    fn tried_again_meanwhile(&mut self, next: &Attempt) {
        let at = next.started_at;
        let sentence =
            format!("While it was on its way, the agent tried again: attempt {} started at {at}.", next.number);
        self.link(at, Kind::Attempt, format!("Attempt {}", next.number), sentence);
        self.decided_to_repeat(next.number - 1, false);
    }

    // ── The decision to try again ────────────────────────────────────────────────────────────────

    /// Why the harness tried again after attempt `number`.
    fn decided_to_repeat(&mut self, number: u32, tell_fault: bool) {
        let lookup = self.world.lookups.iter().find(|lookup| lookup.after_attempt == number).copied();
        if let Some(lookup) = lookup {
            self.looked(&lookup);
        }
        let Some(attempt) = self.attempt(number) else { return };
        let before = self.repeats_before(number);
        match attempt.state {
            AttemptState::TimedOut(at) => {
                let waited = (at - attempt.started_at).human();
                let why = self.why_no_answer(&attempt, at);
                let blind = if lookup.is_none() { " The strategy does not look before it tries again." } else { "" };
                let sentence = format!("Attempt {number} has no answer after {waited}{why}.{blind}{before}");
                self.link(at, Kind::Decision, "Timed out", sentence);
            }
            AttemptState::Answered(at, Answer::Refused(refusal)) => {
                let sentence = format!("Attempt {number} is refused, {refusal}, and the strategy retries.{before}");
                self.link(at, Kind::Decision, "Refused", sentence);
            }
            _ => {}
        }
        if tell_fault {
            self.kept_from_answer(&attempt);
        }
    }

    /// What is told of the attempts before the one that is told in full.
    fn repeats_before(&self, number: u32) -> String {
        match self.attempt(1).and_then(ended_at) {
            Some(at) if number == 2 => format!(" Attempt 1 had ended no better at {at}."),
            Some(at) if number > 2 => format!(" The {} before it had ended no better, the first at {at}.", number - 1),
            _ => String::new(),
        }
    }

    /// A lookup that did not stop the agent.
    fn looked(&mut self, lookup: &Lookup) {
        let read_at = self.trace.events().iter().find_map(|event| match event.what {
            What::Read { lookup: id, .. } if id == lookup.message && event.at <= self.world.at => Some(event.at),
            _ => None,
        });
        match (lookup.state, read_at) {
            (LookupState::NotFound(_), Some(at)) => {
                let (title, why) = match self.under_way(at) {
                    Some(message) => ("Looked too early", self.came_before(message, at)),
                    None => ("Looked", "No request was on its way either.".to_owned()),
                };
                let sentence = format!("The service looked in the ledger at {at} and nothing was there. {why}");
                self.link(at, Kind::Decision, title, sentence);
            }
            (LookupState::TimedOut(at), _) => {
                let sentence = "The agent looked for the charge and had no answer, so it learned nothing.";
                self.link(at, Kind::Decision, "Looked in vain", sentence);
            }
            _ => {}
        }
    }

    /// The read-back came before the commit: the charge was made later, or may still be.
    fn came_before(&self, message: &Message, read_at: Time) -> String {
        let id = message.id;
        let committed = self.world.ledger.iter().find(|charge| charge.request == id);
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
                && message.sent_at < at
                && message.arrives_at().is_some_and(|arrives| arrives > at)
        })
    }

    // ── The fault ────────────────────────────────────────────────────────────────────────────────

    /// Why no answer to an attempt came in time, as a clause.
    fn why_no_answer(&self, attempt: &Attempt, at: Time) -> String {
        let Some(request) = self.request_of(attempt.number) else { return String::new() };
        match (request.arrives_at(), self.answer_to(request.id)) {
            (None, _) => format!(": request {} was lost", request.id),
            (Some(arrives), _) if arrives > at => format!(": request {} was still on its way", request.id),
            (_, Some(answer)) if answer.arrives_at().is_none() => {
                let charged = self.world.ledger.iter().find(|charge| charge.request == request.id);
                let charged = charged.map_or_else(String::new, |charge| format!(", though {} was made", charge.id));
                format!(": the answer {} was lost{charged}", answer.id)
            }
            (_, Some(answer)) => format!(": the answer {} was still on its way", answer.id),
            _ => String::new(),
        }
    }

    /// What the wire did to keep an attempt from its answer.
    fn kept_from_answer(&mut self, attempt: &Attempt) {
        let Some(request) = self.request_of(attempt.number).copied() else { return };
        let answer = self.answer_to(request.id).copied();
        let struck = |message: &Message| self.strike(message).is_some();
        match answer {
            Some(answer) if !struck(&request) && struck(&answer) => self.struck(&answer),
            _ if struck(&request) => self.struck(&request),
            _ => {
                let latency = self.trace.scenario().network.latency.human();
                let waits = attempt.times_out_at.since(attempt.started_at).human();
                let sentence =
                    format!("The wire did nothing wrong: it takes {latency} each way, and the agent waits {waits}.");
                self.link(attempt.started_at, Kind::Fault, "No fault", sentence);
            }
        }
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
    fn request_of(&self, number: u32) -> Option<&Message> {
        self.trace
            .messages()
            .iter()
            .find(|message| matches!(message.payload, Payload::Request { attempt, .. } if attempt == number))
    }

    /// The answer to a request, if it was sent by now.
    fn answer_to(&self, request: MessageId) -> Option<&Message> {
        self.trace.messages().iter().find(|message| {
            matches!(message.payload, Payload::Response { to, .. } if to == request) && message.sent_at <= self.world.at
        })
    }
}

fn ended_at(attempt: Attempt) -> Option<Time> {
    match attempt.state {
        AttemptState::TimedOut(at) | AttemptState::Answered(at, _) => Some(at),
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
