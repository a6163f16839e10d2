//! All the numbers of a run in words: for the foot of the run screen.

use super::lines::cut;
use crate::model::contract::{Keys, ReadPath, Retention};
use crate::model::strategy::{Crash, Drift, Memo, Transport};
use crate::model::text::width;
use crate::model::{Contract, Scenario, Span, Strategy};
use crate::tui::theme::{Glyph, Look};

/// All the numbers of the run on as few lines as `columns` allow: the usual ones first, then the fault, then whatever
/// differs from what it is by default.
pub(super) fn lines(look: Look, scenario: &Scenario, columns: usize) -> Vec<String> {
    let strategy = &scenario.strategy;
    let attempts = match strategy.max_attempts.get() {
        1 => "1 attempt".to_owned(),
        n => format!("{n} attempts"),
    };
    let each_way = if columns < 70 { "" } else { " each way" };
    let mut parts = vec![
        attempts,
        format!("timeout {}", strategy.timeout.human()),
        format!("backoff {}", strategy.backoff.human()),
        format!("latency {}{each_way}", scenario.network.latency.human()),
        format!("contract {}", scenario.contract.name),
        scenario.fault.describe(),
    ];
    parts.extend(of_contract(&scenario.contract));
    parts.extend(of_strategy(strategy));
    parts.extend(of_world(scenario));
    let parts = parts.iter().map(|part| ascii(look, part));
    let dot = format!(" {} ", look.glyph(Glyph::Dot));
    let mut lines = vec![String::new()];
    for part in parts.map(|part| cut(look, &part, columns)) {
        let last = lines.last_mut().expect("there is always a line");
        if last.is_empty() {
            *last = part;
        } else if width(last) + width(&dot) + width(&part) <= columns {
            last.push_str(&dot);
            last.push_str(&part);
        } else {
            lines.push(part);
        }
    }
    lines
}

/// The sign for growth in the words of a backoff has a twin.
fn ascii(look: Look, text: &str) -> String {
    text.replace('\u{d7}', look.glyph(Glyph::Times))
}

fn of_contract(contract: &Contract) -> Vec<String> {
    let mut parts = Vec::new();
    match contract.keys {
        Keys::Stored => {}
        Keys::Required => parts.push("keys required".to_owned()),
        Keys::Ignored => parts.push("keys ignored".to_owned()),
        Keys::Refused => parts.push("keys refused".to_owned()),
    }
    if let Retention::For(kept) = contract.retention {
        parts.push(format!("keys kept {}", kept.human()));
    }
    if contract.processing > Span::ZERO {
        parts.push(format!("a charge takes {}", contract.processing.human()));
    }
    match (contract.reads.path, contract.reads.lag) {
        (ReadPath::Works, Span::ZERO) => {}
        (ReadPath::Works, lag) => parts.push(format!("reads lag {}", lag.human())),
        (ReadPath::Fails, _) => parts.push("reads fail".to_owned()),
        (ReadPath::None, _) => parts.push("nothing to read".to_owned()),
    }
    match contract.ledger.len() {
        0 => {}
        1 => parts.push("1 charge from before".to_owned()),
        n => parts.push(format!("{n} charges from before")),
    }
    parts
}

fn of_strategy(strategy: &Strategy) -> Vec<String> {
    let mut parts = Vec::new();
    if strategy.verify_after > Span::ZERO {
        parts.push(format!("verify after {}", strategy.verify_after.human()));
    }
    if strategy.verify_knows_lag {
        parts.push("waits out the lag".to_owned());
    }
    if strategy.memo != Memo::None {
        parts.push("remembers successes".to_owned());
    }
    if let Some(Transport { retries, timeout, backoff, repeats_key }) = &strategy.transport {
        let key = if *repeats_key { "same key" } else { "no key" };
        parts.push(format!("transport: {retries} retries, {}, backoff {}, {key}", timeout.human(), backoff.human()));
    }
    if let Some(Drift { from_attempt, .. }) = &strategy.drift {
        parts.push(format!("other arguments from attempt {from_attempt}"));
    }
    if let Some(Crash { at, resume_after, .. }) = &strategy.crash {
        parts.push(format!("crash at {}, down {}", at.human(), resume_after.human()));
    }
    parts
}

fn of_world(scenario: &Scenario) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    for (other, n) in scenario.others.iter().zip(2..) {
        parts.push(format!("agent {n} at {}", other.starts_at.human()));
    }
    if scenario.horizon != Scenario::HORIZON {
        parts.push(format!("horizon {}", scenario.horizon.human()));
    }
    if scenario.seed != 0 {
        parts.push(format!("seed {}", scenario.seed));
    }
    parts
}
