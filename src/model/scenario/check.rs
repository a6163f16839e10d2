//! What makes no sense together, and what a real system would do all the same.

use super::Scenario;
use crate::model::contract::{Contract, Keys, ReadPath};
use crate::model::fault::ServiceFate;
use crate::model::strategy::{KeyPolicy, Reaction, Strategy, Verify};
use crate::model::{Span, Task};

impl Scenario {
    /// Refuses what makes no sense together.
    ///
    /// # Errors
    ///
    /// The path of the field, what was found and what is allowed.
    pub fn check(&self) -> Result<(), String> {
        if self.others.len() >= Self::AGENTS_MAX {
            let found = self.others.len();
            return Err(format!("others: found {found}, allowed: at most {}", Self::AGENTS_MAX - 1));
        }
        if self.contract.ledger.len() > Contract::LEDGER_MAX {
            let found = self.contract.ledger.len();
            return Err(format!("contract.ledger: found {found} charges, allowed: at most {}", Contract::LEDGER_MAX));
        }
        self.check_agent("", &self.strategy, &self.task, Span::ZERO)?;
        for (n, other) in self.others.iter().enumerate() {
            let strategy = other.strategy.as_ref().unwrap_or(&self.strategy);
            let task = other.task.as_ref().unwrap_or(&self.task);
            self.check_agent(&format!("others[{n}]."), strategy, task, other.starts_at)?;
            let known = self.others[..n].iter().filter_map(|earlier| earlier.task.as_ref()).chain([&self.task]);
            for known in known {
                if known.id == task.id && known != task {
                    return Err(format!(
                        "others[{n}].task: found the id {} with another tool or other arguments, allowed: the same \
                         task, or another id",
                        task.id
                    ));
                }
            }
        }
        for (n, call) in self.fault.plan.calls.iter().enumerate() {
            if let ServiceFate::RateLimited { retry_after } = call.service
                && retry_after > Self::RETRY_AFTER_MAX
            {
                return Err(format!(
                    "fault[{n}].service: found retryAfter {retry_after}, allowed: at most {}",
                    Self::RETRY_AFTER_MAX
                ));
            }
        }
        Ok(())
    }

    /// The longest time to wait that a service can ask for.
    pub const RETRY_AFTER_MAX: Span = Span::hours(18);

    fn check_agent(&self, place: &str, strategy: &Strategy, task: &Task, starts_at: Span) -> Result<(), String> {
        if strategy.verify == Verify::ByKey {
            if !self.contract.stores_keys() {
                return Err(format!(
                    "{place}strategy.verify: found by-key, but the service keeps no keys; allowed: none, look-alike, \
                     look-alike-since"
                ));
            }
            if strategy.key == KeyPolicy::None {
                return Err(format!(
                    "{place}strategy.verify: found by-key, but the strategy sends no key; allowed: a key, or look-alike"
                ));
            }
        }
        if let Some(crash) = &strategy.crash
            && crash.at < starts_at
        {
            let at = crash.at;
            return Err(format!(
                "{place}strategy.crash.at: found {at}, before the start; allowed: at least {starts_at}"
            ));
        }
        if let Some(drift) = &strategy.drift {
            task.args.patched(&drift.args).map_err(|error| format!("{place}strategy.drift.args.{error}"))?;
        }
        Ok(())
    }

    /// What a real system would run all the same, and an engineer should know: a plain sentence each.
    #[must_use]
    pub fn warnings(&self) -> Vec<String> {
        let others = self.others.iter().filter_map(|other| other.strategy.as_ref());
        let mut warnings: Vec<String> =
            std::iter::once(&self.strategy).chain(others).flat_map(|strategy| self.warnings_about(strategy)).collect();
        warnings.dedup();
        warnings
    }

    fn warnings_about(&self, strategy: &Strategy) -> Vec<String> {
        let mut warnings = Vec::new();
        let mut warn = |holds: bool, text: &str| {
            if holds {
                warnings.push(text.to_owned());
            }
        };
        let keyless = strategy.key == KeyPolicy::None;
        let verifies = strategy.verify != Verify::None;
        let reads = &self.contract.reads;
        warn(!keyless && self.contract.keys == Keys::Ignored, "The strategy sends a key, and the service ignores it.");
        warn(!keyless && self.contract.keys == Keys::Refused, "The service refuses every request that has a key.");
        warn(keyless && self.contract.keys == Keys::Required, "The service refuses every request without a key.");
        warn(verifies && reads.path == ReadPath::None, "The strategy verifies, and the service has nothing to read.");
        warn(verifies && reads.path == ReadPath::Fails, "The strategy verifies, and every read fails.");
        warn(
            strategy.verify == Verify::ByKey && !reads.by_key,
            "The strategy verifies by key, and the service says nothing of finding a charge by its key: each lookup fails.",
        );
        warn(
            strategy.verify == Verify::LookAlike && self.contract.ledger.iter().any(|c| c.looks_like(&self.task.args)),
            "A charge that stood in the ledger before looks like this task's, and the verify takes it for its own.",
        );
        warn(
            strategy.on_timeout == Reaction::Completed,
            "The strategy reports a timeout as completed, which no timeout can tell.",
        );
        warn(
            strategy.max_attempts.get() == 1 && strategy.drift.is_some(),
            "The arguments change on a later attempt, and there is none.",
        );
        warnings
    }
}
