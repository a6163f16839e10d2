//! The smallest change to a strategy that would have kept a run right, found by trying.
//!
//! Every change of one field is simulated under the same fault and contract, then, where none works, every
//! change of two. *Smallest* is, in this order: the fewest fields; the task is finished, and not only
//! honestly given up; it also holds under the most other faults; the report comes soonest; the order of
//! the fields in a strategy.

use super::{Prepared, Simulator, TooManyEvents, simulate};
use crate::model::strategy::{Attempts, Backoff, KeyPolicy, Memo, OnExhausted, Reaction, Strategy, Survival, Verify};
use crate::model::{Fault, Scenario, Span, Time};
use crate::trace::{Kind, Outcome, Tally, Trace, What};

/// A change to one field of a strategy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// Which key an attempt carries.
    Key(KeyPolicy),
    /// Whether the harness looks before it goes on.
    Verify(Verify),
    /// How many attempts at most.
    MaxAttempts(Attempts),
    /// How long an attempt waits.
    Timeout(Span),
    /// How long the harness pauses, always the same.
    Backoff(Span),
    /// How long after an attempt was started it is verified, at the soonest.
    VerifyAfter(Span),
    /// What a refusal leads to.
    OnRefused(Reaction),
    /// What a timeout leads to.
    OnTimeout(Reaction),
    /// What a server error leads to.
    OnServerError(Reaction),
    /// What a verify that fails leads to.
    OnUnverified(Reaction),
    /// What is reported when no attempt is left.
    OnExhausted(OnExhausted),
    /// Which successes the client remembers.
    Memo(Memo),
    /// Whether the layer beneath repeats the key, where there is such a layer.
    TransportRepeatsKey(bool),
    /// What becomes of the key in a crash, where there is one.
    CrashKey(Survival),
    /// What becomes of the harness's progress in a crash, where there is one.
    CrashProgress(Survival),
}

/// A set of changes that keeps the run right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remedy {
    /// Each of another field.
    pub changes: Vec<Change>,
    /// What the run then comes to, at worst, for any agent.
    pub kind: Kind,
    /// What it then comes to for the first agent and its task.
    pub outcome: Outcome,
    /// Under how many of the given faults the changed strategy finishes the task exactly once.
    pub holds_under: usize,
}

/// What a search came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Search {
    /// How many changes were tried.
    pub tried: usize,
    /// How many fields the last of them changed: 1, or 2 where no change of one worked.
    pub fields: usize,
    /// Under how many faults those that worked were then tried.
    pub faults: usize,
    /// Those that worked, the smallest first.
    pub remedies: Vec<Remedy>,
}

/// The most values that are tried for a length of time.
const SPANS_MAX: usize = 16;

/// Looks for the smallest change to the strategy of a run. Those that work are tried under `faults` as well.
///
/// # Errors
///
/// Where the run itself has too many events; a change that leads to too many does not work.
pub fn search(scenario: &Scenario, faults: &[Fault]) -> Result<Search, TooManyEvents> {
    let trace = simulate(scenario)?;
    let changes = candidates(&trace);
    let mut trial = Trial { simulator: Simulator::default(), scenario, faults };
    let singles: Vec<Vec<Change>> = changes.iter().map(|change| vec![*change]).collect();
    let remedies = trial.all(&singles);
    if !remedies.is_empty() {
        return Ok(Search { tried: singles.len(), fields: 1, faults: faults.len(), remedies });
    }
    let pairs: Vec<Vec<Change>> = changes
        .iter()
        .enumerate()
        .flat_map(|(n, first)| changes[n + 1..].iter().map(move |second| vec![*first, *second]))
        .filter(|pair| pair[0].field() != pair[1].field())
        .collect();
    let remedies = trial.all(&pairs);
    Ok(Search { tried: singles.len() + pairs.len(), fields: 2, faults: faults.len(), remedies })
}

struct Trial<'a> {
    simulator: Simulator,
    scenario: &'a Scenario,
    faults: &'a [Fault],
}

impl Trial<'_> {
    /// Those that work, the smallest first.
    fn all(&mut self, sets: &[Vec<Change>]) -> Vec<Remedy> {
        let mut remedies: Vec<Remedy> = sets.iter().filter_map(|changes| self.one(changes)).collect();
        // The sort is stable, so that what is equal stays in the order of the fields.
        remedies.sort_by_key(|remedy| {
            let reported_at = remedy.outcome.report.map(|(at, _)| at);
            (remedy.kind, std::cmp::Reverse(remedy.holds_under), reported_at)
        });
        remedies
    }

    fn one(&mut self, changes: &[Change]) -> Option<Remedy> {
        let mut other = self.scenario.clone();
        for change in changes {
            change.apply(&mut other.strategy);
        }
        // What makes no sense is no remedy.
        other.check().ok()?;
        let prepared = Prepared::new(&other);
        let tally = self.simulator.count(&other).ok()?;
        let kind = tally.worst(prepared.cast());
        // Right, or an honest "unknown": no harm is done though the task is not seen to be finished.
        if kind > Kind::HonestUnknown {
            return None;
        }
        let mut holds_under = 0;
        for fault in self.faults {
            let mut tally = Tally::default();
            let ended = self.simulator.run_under(&prepared, &fault.plan, other.seed, &mut tally);
            holds_under += usize::from(ended.is_ok() && tally.worst(prepared.cast()) == Kind::Right);
        }
        Some(Remedy { changes: changes.to_vec(), kind, outcome: tally.outcome(), holds_under })
    }
}

impl Change {
    /// The field that it changes, as a scenario file names it.
    #[must_use]
    pub const fn field(self) -> &'static str {
        match self {
            Self::Key(_) => "key",
            Self::Verify(_) => "verify",
            Self::MaxAttempts(_) => "maxAttempts",
            Self::Timeout(_) => "timeout",
            Self::Backoff(_) => "backoff",
            Self::VerifyAfter(_) => "verifyAfter",
            Self::OnTimeout(_) => "onTimeout",
            Self::OnServerError(_) => "onServerError",
            Self::OnUnverified(_) => "onUnverified",
            Self::OnRefused(_) => "onRefused",
            Self::OnExhausted(_) => "onExhausted",
            Self::Memo(_) => "memo",
            Self::TransportRepeatsKey(_) => "transport.repeatsKey",
            Self::CrashKey(_) => "crash.key",
            Self::CrashProgress(_) => "crash.progress",
        }
    }

    /// Makes the change.
    pub fn apply(self, strategy: &mut Strategy) {
        match self {
            Self::Key(key) => strategy.key = key,
            Self::Verify(verify) => strategy.verify = verify,
            Self::MaxAttempts(attempts) => strategy.max_attempts = attempts,
            Self::Timeout(timeout) => strategy.timeout = timeout,
            Self::Backoff(pause) => strategy.backoff = Backoff::fixed(pause),
            Self::VerifyAfter(span) => strategy.verify_after = span,
            Self::OnTimeout(reaction) => strategy.on_timeout = reaction,
            Self::OnServerError(reaction) => strategy.on_server_error = reaction,
            Self::OnUnverified(reaction) => strategy.on_unverified = reaction,
            Self::OnRefused(reaction) => strategy.on_refused = reaction,
            Self::OnExhausted(report) => strategy.on_exhausted = report,
            Self::Memo(memo) => strategy.memo = memo,
            Self::TransportRepeatsKey(repeats) => {
                strategy.transport.iter_mut().for_each(|transport| transport.repeats_key = repeats);
            }
            Self::CrashKey(kept) => strategy.crash.iter_mut().for_each(|crash| crash.key = kept),
            Self::CrashProgress(kept) => strategy.crash.iter_mut().for_each(|crash| crash.progress = kept),
        }
    }

    fn value(self) -> serde_json::Value {
        match self {
            Self::Key(key) => serde_json::json!(key),
            Self::Verify(verify) => serde_json::json!(verify),
            Self::MaxAttempts(attempts) => serde_json::json!(attempts),
            Self::Timeout(span) | Self::Backoff(span) | Self::VerifyAfter(span) => serde_json::json!(span),
            Self::OnRefused(reaction)
            | Self::OnTimeout(reaction)
            | Self::OnServerError(reaction)
            | Self::OnUnverified(reaction) => serde_json::json!(reaction),
            Self::OnExhausted(report) => serde_json::json!(report),
            Self::Memo(memo) => serde_json::json!(memo),
            Self::TransportRepeatsKey(repeats) => serde_json::json!(repeats),
            Self::CrashKey(kept) | Self::CrashProgress(kept) => serde_json::json!(kept),
        }
    }
}

/// As a scenario file has it: `key: per-intent`.
impl std::fmt::Display for Change {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let value = self.value();
        match value.as_str() {
            Some(word) => write!(f, "{}: {word}", self.field()),
            None => write!(f, "{}: {value}", self.field()),
        }
    }
}

/// Every change of one field that is tried: all the policies, and lengths of time that matter in this run.
fn candidates(trace: &Trace) -> Vec<Change> {
    let strategy = &trace.scenario().strategy;
    let attempts = strategy.max_attempts.get();
    let attempts = [1, 2, attempts.saturating_sub(1), attempts + 1, attempts.saturating_mul(2)];
    let mut changes: Vec<Change> = Vec::new();
    // Of keys that work alike, the one that outlives more comes first.
    let keys = [KeyPolicy::PerIntent, KeyPolicy::PerRun, KeyPolicy::AfterFirst, KeyPolicy::PerAttempt, KeyPolicy::None];
    let reactions = [Reaction::Retry, Reaction::Fail, Reaction::Escalate];
    changes.extend(keys.map(Change::Key));
    let verify = [Verify::ByKey, Verify::LookAlikeSince, Verify::LookAlike, Verify::None];
    changes.extend(verify.map(Change::Verify));
    changes.extend(attempts.iter().filter_map(|n| Attempts::try_from(u64::from(*n)).ok()).map(Change::MaxAttempts));
    changes.extend(timeouts(trace).into_iter().map(Change::Timeout));
    changes.extend(backoffs(trace).into_iter().map(Change::Backoff));
    changes.extend(verify_afters(trace).into_iter().map(Change::VerifyAfter));
    changes.extend(reactions.map(Change::OnRefused));
    changes.extend([OnExhausted::Failed, OnExhausted::Escalate].map(Change::OnExhausted));
    changes.extend(reactions.map(Change::OnTimeout));
    changes.extend(reactions.map(Change::OnServerError));
    changes.extend(reactions.map(Change::OnUnverified));
    changes.extend([Memo::ByTask, Memo::ByArguments].map(Change::Memo));
    changes.extend([true, false].map(Change::TransportRepeatsKey));
    changes.extend([Survival::Kept, Survival::Lost].map(Change::CrashKey));
    changes.extend([Survival::Kept, Survival::Lost].map(Change::CrashProgress));
    // What changes nothing is no change, and none is tried twice.
    let mut tried: Vec<Change> = Vec::new();
    for change in changes {
        let mut other = strategy.clone();
        change.apply(&mut other);
        if other != *strategy && !tried.contains(&change) {
            tried.push(change);
        }
    }
    tried
}

/// Half and twice the timeout, and for each answer that reached the agent, however late: just so long
/// that it would have been waited for.
fn timeouts(trace: &Trace) -> Vec<Span> {
    let timeout = trace.scenario().strategy.timeout.as_ms();
    let starts: Vec<Time> = instants(trace, |what| matches!(what, What::AttemptStarted { .. })).collect();
    let answers = instants(trace, |what| matches!(what, What::Arrived(_) | What::ArrivedToNobody(_)));
    let waits = answers.flat_map(|at| starts.iter().filter(move |start| **start < at).map(move |start| at - *start));
    sensible([Span::ms(timeout / 2), Span::ms(timeout.saturating_mul(2))].into_iter().chain(waits))
        .into_iter()
        .filter(|span| *span > Span::ZERO)
        .collect()
}

/// No pause, twice, and for each charge that came after a timer had run out: so long that what then leaves
/// arrives when the charge is made, or leaves when it is.
fn backoffs(trace: &Trace) -> Vec<Span> {
    let scenario = trace.scenario();
    let backoff = scenario.strategy.backoff.first.as_ms();
    let timeouts: Vec<Time> = instants(trace, |what| matches!(what, What::TimedOut { .. })).collect();
    let charges = instants(trace, |what| matches!(what, What::Committed { .. }));
    let pauses = charges.flat_map(|at| {
        let latency = scenario.network.latency;
        let after = timeouts.iter().filter(move |out| **out < at);
        after.flat_map(move |out| [at.back(latency).since(*out), at - *out])
    });
    sensible([Span::ZERO, Span::ms(backoff.saturating_mul(2))].into_iter().chain(pauses))
}

/// For each charge: so long after an attempt started that a lookup then arrives when the charge is made.
fn verify_afters(trace: &Trace) -> Vec<Span> {
    let latency = trace.scenario().network.latency;
    let starts: Vec<Time> = instants(trace, |what| matches!(what, What::AttemptStarted { .. })).collect();
    let charges = instants(trace, |what| matches!(what, What::Committed { .. }));
    let waits = charges.flat_map(|at| {
        starts.iter().filter(move |start| **start < at).map(move |start| at.back(latency).since(*start))
    });
    sensible(waits)
}

fn instants(trace: &Trace, is: impl Fn(What) -> bool) -> impl Iterator<Item = Time> {
    trace.events().iter().filter(move |event| is(event.what)).map(|event| event.at)
}

/// Each once, the shortest first, none longer than a scenario may ask for, and not too many.
fn sensible(spans: impl Iterator<Item = Span>) -> Vec<Span> {
    let mut spans: Vec<Span> = spans.filter(|span| *span <= Span::MAX).collect();
    spans.sort_unstable();
    spans.dedup();
    // Of too many, those spread evenly from the shortest to the longest.
    let last = spans.len().saturating_sub(1);
    if spans.len() > SPANS_MAX {
        spans = (0..SPANS_MAX).map(|n| spans[n * last / (SPANS_MAX - 1)]).collect();
    }
    spans
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::FaultPlan;
    use crate::model::fault::{Call, CallFault, Copies, RequestFate, ResponseFate};

    fn found(strategy: usize, fault: usize) -> Search {
        let scenario = Scenario::new(Strategy::presets()[strategy].clone(), Fault::presets()[fault].clone());
        search(&scenario, &Fault::presets()).unwrap()
    }

    #[test]
    fn the_pinned_key_is_the_smallest_change_for_each_of_the_seven_duplicates() {
        let duplicates = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 1), (2, 2)];
        for (strategy, fault) in duplicates {
            let search = found(strategy, fault);
            let best = &search.remedies[0];
            assert_eq!(best.changes, [Change::Key(KeyPolicy::PerIntent)], "{strategy} {fault}");
            assert_eq!(best.changes[0].to_string(), "key: per-intent");
            assert_eq!((best.holds_under, search.faults, search.fields), (4, 4, 1));
        }
    }

    #[test]
    fn other_changes_work_for_the_late_commit_alone() {
        let search = found(1, 2);
        let told: Vec<_> =
            search.remedies.iter().map(|remedy| (remedy.changes[0].to_string(), remedy.holds_under)).collect();
        // One key for all attempts holds under every fault, whatever it is made of; nothing else does.
        assert!(told.iter().all(|(change, holds)| (*holds == 4) == change.starts_with("key: per-")), "{told:?}");
        // Waiting until the late answer is there, or looking only when the late charge is made.
        for waiting in ["timeout: 92s", "backoff: 58s"] {
            assert!(told.iter().any(|(change, _)| change == waiting), "{told:?}");
        }
        assert!(search.tried > search.remedies.len());
    }

    #[test]
    fn every_remedy_is_what_it_says() {
        for scenario in Scenario::presets() {
            let search = search(&scenario, &Fault::presets()).unwrap();
            for remedy in &search.remedies {
                let mut other = scenario.clone();
                for change in &remedy.changes {
                    change.apply(&mut other.strategy);
                }
                let trace = simulate(&other).unwrap();
                assert_eq!((Tally::of(&trace).outcome(), trace.worst()), (remedy.outcome, remedy.kind));
                assert!(remedy.kind <= Kind::HonestUnknown);
            }
        }
    }

    #[test]
    fn where_no_change_of_one_field_works_two_are_changed() {
        // The first request is copied and its answers are lost, the other two requests are lost: without a key
        // there are two charges, and with one the report is still `failed`.
        let strike = |call, request, response| CallFault { request, response, ..CallFault::none(Call::new(call)) };
        let twice = RequestFate::Copied { copies: Copies::new(2), apart: Span::secs(1) };
        let calls = vec![
            strike(1, twice, ResponseFate::Lost),
            strike(2, RequestFate::Lost, ResponseFate::Delivered),
            strike(3, RequestFate::Lost, ResponseFate::Delivered),
        ];
        let fault = Fault { plan: FaultPlan { calls, ..FaultPlan::default() }, ..Fault::presets()[0].clone() };
        let search = search(&Scenario::new(Strategy::presets()[0].clone(), fault), &Fault::presets()).unwrap();
        assert_eq!(search.fields, 2);
        let told: Vec<String> = search.remedies[0].changes.iter().map(ToString::to_string).collect();
        assert_eq!(told, ["key: per-intent", "verify: look-alike-since"]);
        assert_eq!(search.remedies[0].kind, Kind::Right);
        assert!(search.remedies.iter().any(|remedy| remedy.kind == Kind::HonestUnknown), "honest ones come after");
    }
}
