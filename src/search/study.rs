//! The paper's findings, in shape, beside what this model gives.
//!
//! "Where Does Exactly-Once Live? Model, Harness, and Tool Contract" (arXiv 2609.29095) measured language models on a
//! benchmark; this model has a strategy that always does as it says. So the levels differ, and what can be compared is the
//! direction: what helps, what harms, and what does neither.

use super::bounds::Mishap;
use super::chances::{Chances, Lateness};
use super::odds::{Odds, USUAL_CUT, odds};
use crate::model::number::WholeNumber;
use crate::model::strategy::{Backoff, KeyPolicy, OnExhausted, Transport, Verify};
use crate::model::{Contract, Fault, Scenario, Span, Strategy, Text};
use crate::trace::Verdict;

/// A figure of the paper, in percent: of its version 1, and of its later recount.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    /// Version 1.
    pub first: f64,
    /// The recount.
    pub recount: f64,
}

/// One condition: what the model gives, and what was measured where the paper has it.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The condition.
    pub what: String,
    /// Exactly one charge, by the model; a probability.
    pub exactly_once: f64,
    /// More than one, by the model.
    pub duplicate: f64,
    /// None, by the model.
    pub missing: f64,
    /// How far these can be off.
    pub error: f64,
    /// What the paper measured.
    pub measured: Option<Measured>,
    /// What a formula gives for the paper's tail: P(delay ≤ wait).
    pub closed_form: Option<f64>,
}

/// One finding: a few conditions side by side.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// What it shows.
    pub title: &'static str,
    /// Why, in this model.
    pub why: &'static str,
    /// What the paper's column measures.
    pub measured: &'static str,
    /// The conditions.
    pub lines: Vec<Line>,
}

/// The waits before the verify, in seconds from when the attempt was sent.
pub const WAITS: [u64; 6] = [0, 60, 120, 300, 900, 3_600];

/// LIMBO's tail: log-uniform from 40 s to 7,200 s.
pub const TAIL: (Span, Span) = (Span::secs(40), Span::secs(7_200));

/// The whole study.
///
/// # Panics
///
/// Never: its scenarios are fixed and have few events.
#[must_use]
pub fn study() -> Vec<Part> {
    vec![retries(), waits(&Lateness::fixed(Span::secs(90))), waits(&tail()), keys()]
}

const fn tail() -> Lateness {
    Lateness::Tail { from: TAIL.0, to: TAIL.1 }
}

/// One fault strikes the first call, each of LIMBO's eight kinds for a single call as likely as any other.
fn one_of_eight() -> Chances {
    let eight = [
        Mishap::RequestLost,
        Mishap::RequestLate,
        Mishap::Copied,
        Mishap::ErrorBefore,
        Mishap::ErrorAfter,
        Mishap::Unavailable,
        Mishap::RateLimited,
        Mishap::ResponseLost,
    ];
    let mut chances = Chances::none().with(Lateness::fixed(Span::secs(90)), 1);
    for mishap in eight {
        chances.set(mishap, 0.125).expect("eight eighths");
    }
    chances
}

fn strategy(name: &str) -> Strategy {
    Strategy::preset(name).expect("a preset")
}

fn scenario(strategy: Strategy) -> Scenario {
    Scenario::new(strategy, Fault { name: Text::new("none"), plan: crate::model::FaultPlan::default() })
}

fn line(what: &str, scenario: &Scenario, chances: &Chances, measured: Option<(f64, f64)>) -> Line {
    let Odds { verdicts, error, .. } = odds(scenario, chances, USUAL_CUT).expect("few events");
    Line {
        what: what.to_owned(),
        exactly_once: verdicts[Verdict::ExactlyOnce as usize],
        duplicate: verdicts[Verdict::Duplicate as usize],
        missing: verdicts[Verdict::Missing as usize],
        error,
        measured: measured.map(|(first, recount)| Measured { first, recount }),
        closed_form: None,
    }
}

/// Three retries beneath the agent, backoff 1, 2 and 4 s, as in the paper.
fn sdk(strategy: Strategy, repeats_key: bool) -> Strategy {
    let backoff = Backoff { factor: WholeNumber::new(2), ..Backoff::fixed(Span::secs(1)) };
    let transport = Transport { retries: WholeNumber::new(3), timeout: Span::secs(30), backoff, repeats_key };
    Strategy { timeout: Span::secs(150), transport: Some(transport), ..strategy }
}

fn retries() -> Part {
    let careful = strategy("verify-then-retry");
    let keyed = Strategy { key: KeyPolicy::PerIntent, ..careful.clone() };
    let chances = one_of_eight();
    let line = |what, strategy, measured| line(what, &scenario(strategy), &chances, measured);
    Part {
        title: "Transparent retries lower exactly-once",
        why: "The agent would look before it tries again. The layer beneath it does not: it sends again what may have taken \
              effect, and tells nobody.",
        measured: "exactly-once, in percent",
        lines: vec![
            line("looks before it retries", careful.clone(), Some((72.0, 77.0))),
            line("the same over retries that nobody sees", sdk(careful, false), Some((50.0, 51.0))),
            line("the same, and every request repeats one key", sdk(keyed, true), None),
        ],
    }
}

fn waits(lateness: &Lateness) -> Part {
    let mut chances = Chances::none().with(lateness.clone(), 1);
    chances.set(Mishap::RequestLate, 1.0).expect("one");
    let is_tail = matches!(lateness, Lateness::Tail { .. });
    let lines = WAITS.into_iter().map(|secs| {
        let waiting = Strategy {
            verify: Verify::LookAlikeSince,
            verify_after: Span::secs(secs),
            on_exhausted: OnExhausted::Escalate,
            ..strategy("naive-retry")
        };
        // Long enough for what is late to land.
        let scenario = Scenario { horizon: Span::hours(4), ..scenario(waiting) };
        let measured = match (is_tail, secs) {
            (false, 60) => Some((43.0, 47.0)),
            (false, 120) => Some((99.0, 100.0)),
            (true, 300) => Some((67.0, 69.0)),
            (true, 3_600) => Some((84.0, 84.0)),
            _ => None,
        };
        let line = line(&format!("waits {}", Span::secs(secs).human()), &scenario, &chances, measured);
        #[expect(clippy::cast_precision_loss, reason = "seconds")]
        let within = |secs: u64| (libm::log(secs.max(40) as f64 / 40.0) / libm::log(180.0)).min(1.0);
        Line { closed_form: is_tail.then(|| within(secs)), ..line }
    });
    let lines = lines.collect();
    if is_tail {
        Part {
            title: "Under a heavy tail, waiting helps little and never enough",
            why: "The lateness has no bound that anyone waits for: 40 s to 2 h, log-uniform. After any wait some requests \
                  are still under way, and the verify that finds nothing lets a second charge through.",
            measured: "exactly-once, in percent",
            lines,
        }
    } else {
        Part {
            title: "Under a fixed lateness of 90 s, waiting long enough helps",
            why: "A bound on lateness is all that a look needs: what has not landed by then never will.",
            measured: "exactly-once, in percent",
            lines,
        }
    }
}

fn keys() -> Part {
    let chances = one_of_eight();
    let ignoring = Contract::preset("github-create-issue").expect("a preset");
    let pinned = strategy("pinned-intent-key");
    let line = |what, scenario: &Scenario, measured| line(what, scenario, &chances, measured);
    Part {
        title: "A key helps when it is there from the first attempt on, and the service keeps it",
        why: "The service knows a repeat only by a key that the first request carried. Without one on the first, that \
              request is a charge of its own, whenever it lands.",
        measured: "duplicates, in percent: before and after keys were offered",
        lines: vec![
            line("no key", &scenario(strategy("naive-retry")), Some((28.0, 23.0))),
            line("a new key for each attempt", &scenario(strategy("new-key-per-attempt")), None),
            line("no key on the first attempt only", &scenario(strategy("keyless-first-attempt")), None),
            line("one key from the first attempt on", &scenario(pinned.clone()), Some((4.0, 0.3))),
            line("one key, and the service ignores it", &Scenario { contract: ignoring, ..scenario(pinned) }, None),
        ],
    }
}
