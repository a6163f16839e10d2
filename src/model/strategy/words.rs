//! What a strategy does, in sentences.

use super::{Crash, KeyPolicy, Memo, OnExhausted, Reaction, Strategy, Survival, Transport, Verify};
use crate::model::time::Span;

impl Strategy {
    /// What the harness does, in sentences.
    #[must_use]
    pub fn describe(&self) -> String {
        let attempts = match self.max_attempts.get() {
            1 => "1 attempt".to_owned(),
            n => format!("At most {n} attempts"),
        };
        let (timeout, backoff) = (self.timeout.human(), self.backoff.human());
        let key = match self.key {
            KeyPolicy::None => "No idempotency key.",
            KeyPolicy::PerAttempt => "A new idempotency key for each attempt.",
            KeyPolicy::PerIntent => "The same idempotency key for every attempt.",
            KeyPolicy::PerRun => "An idempotency key made anew by each run of the harness.",
            KeyPolicy::AfterFirst => "No idempotency key on the first attempt, the same one on every later attempt.",
        };
        let verify = match self.verify {
            Verify::None => "",
            Verify::LookAlike => {
                " After the pause it looks in the ledger for a charge of the same customer and amount."
            }
            Verify::LookAlikeSince => {
                " After the pause it looks in the ledger for a charge of the same customer and amount made since it \
                 began."
            }
            Verify::ByKey => " After the pause it looks in the ledger for the charge made under its key.",
        };
        let refused = match self.on_refused {
            Reaction::Retry => "A refusal is tried again.",
            Reaction::Fail => "A refusal ends the task as failed.",
            Reaction::Escalate => "A refusal ends the task as unknown.",
            Reaction::Completed => "A refusal ends the task as completed.",
        };
        let exhausted = match self.on_exhausted {
            OnExhausted::Failed => "failed",
            OnExhausted::Escalate => "unknown: escalate",
            OnExhausted::Completed => "completed",
        };
        format!(
            "{attempts}; each waits {timeout} for an answer, and a pause of {backoff} follows. {key}{verify} {refused} \
             Out of attempts, it reports: {exhausted}.{}",
            self.describe_more()
        )
    }

    /// What a strategy does beyond attempts, key, verify and refusals, in sentences, each after a blank; empty where
    /// there is nothing to say.
    fn describe_more(&self) -> String {
        let reactions = [
            ("A timeout", self.on_timeout),
            ("A server error", self.on_server_error),
            ("A conflict", self.on_conflict),
            ("A refusal for now", self.on_unavailable),
            ("A verify that tells nothing", self.on_unverified),
        ];
        let reactions = reactions.into_iter().filter_map(|(what, reaction)| {
            let end = match reaction {
                Reaction::Retry => return None,
                Reaction::Fail => "failed",
                Reaction::Escalate => "unknown",
                Reaction::Completed => "completed",
            };
            Some(format!("{what} ends the task as {end}."))
        });
        let mut more: Vec<String> = reactions.collect();
        if self.verify_after > Span::ZERO {
            more.push(format!("It verifies {} after an attempt at the soonest.", self.verify_after.human()));
        }
        if self.verify_knows_lag {
            more.push("Before it verifies, it waits out the lag of reads.".to_owned());
        }
        match self.memo {
            Memo::None => {}
            Memo::ByTask => more.push("The client remembers which tasks are done.".to_owned()),
            Memo::ByArguments => more.push("The client remembers which arguments are done.".to_owned()),
        }
        if let Some(Transport { retries, timeout, backoff, repeats_key }) = &self.transport {
            let key = if *repeats_key { "the same key" } else { "no key" };
            more.push(format!(
                "Beneath it, the transport waits {} and sends again up to {retries} times, with {key}, after {}.",
                timeout.human(),
                backoff.human()
            ));
        }
        if let Some(drift) = &self.drift {
            let key = if drift.key_follows { "the key follows" } else { "the key stays" };
            more.push(format!("From attempt {} on the arguments are other; {key}.", drift.from_attempt));
        }
        if let Some(Crash { at, resume_after, key, progress }) = &self.crash {
            let word = |survival| if survival == Survival::Kept { "kept" } else { "lost" };
            more.push(format!(
                "The harness crashes {} into the run and resumes {} later, its key {}, its progress {}.",
                at.human(),
                resume_after.human(),
                word(*key),
                word(*progress)
            ));
        }
        more.insert(0, String::new());
        more.join(" ")
    }
}
