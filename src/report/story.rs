//! One run as a story in plain lines, from what was asked for to what came of it: `retryscope run`.
//!
//! This is what a screen reader reads out, so nothing in it depends on how lines stand below each other.

use std::fmt::{self, Write};

use super::{Run, shown, written};
use crate::model::task::money;
use crate::trace::snapshot::Charge;
use crate::trace::story::{key_words, sentence, who};
use crate::trace::{Kind, Verdict};

/// What was asked for, all that happened in order, and what came of it.
#[must_use]
pub fn text(run: &Run) -> String {
    written(|out| {
        parameters(out, run)?;
        events(out, run)?;
        ending(out, run)
    })
}

fn parameters(out: &mut impl Write, run: &Run) -> fmt::Result {
    let scenario = run.scenario();
    let (task, strategy, fault) = (&scenario.task, &scenario.strategy, &scenario.fault);
    if !scenario.name.is_empty() {
        writeln!(out, "Scenario: {}.", shown(&scenario.name))?;
    }
    let (customer, amount) = (shown(&task.args.customer()), money(task.args.amount_cents()));
    writeln!(out, "Task: charge {customer} {amount}, exactly once ({}, tool {}).", shown(&task.id), shown(&task.tool))?;
    writeln!(out, "Strategy: {}. {}", shown(&strategy.title()), strategy.describe())?;
    writeln!(out, "Fault: {}. Plan: {}.", shown(&fault.name), fault.describe())?;
    writeln!(out, "Service: {}. Promise: {}.", scenario.contract.name, scenario.contract.describe())?;
    let (latency, horizon) = (scenario.network.latency.human(), scenario.horizon.human());
    writeln!(out, "Network: {latency} each way. The world goes on for {horizon} after the agent's report.")?;
    for warning in scenario.warnings() {
        writeln!(out, "Mind: {warning}")?;
    }
    writeln!(out)
}

fn events(out: &mut impl Write, run: &Run) -> fmt::Result {
    for event in run.trace.events() {
        writeln!(out, "{} {}: {}", event.at, who(&run.trace, event).word(), sentence(&run.trace, event))?;
    }
    writeln!(out)
}

fn ending(out: &mut impl Write, run: &Run) -> fmt::Result {
    let outcome = run.outcome();
    writeln!(out, "Ledger: {}.", counted(outcome.charges))?;
    for charge in run.ledger() {
        writeln!(out, "{}", entry(run, charge))?;
    }
    match outcome.report {
        Some((at, report)) => writeln!(out, "The agent reported at {at}: {report}.")?,
        None => writeln!(out, "The agent reported nothing.")?,
    }
    let meaning = match outcome.verdict() {
        Verdict::ExactlyOnce => "the task took effect once, as it should".to_owned(),
        Verdict::Duplicate => {
            format!("the task should have taken effect once, and took effect {} times", outcome.charges)
        }
        Verdict::Missing => "the task should have taken effect once, and did not".to_owned(),
    };
    writeln!(out, "Verdict: {}: {meaning}.", outcome.verdict().name())?;
    let kind = outcome.kind();
    if kind != Kind::Right && kind != Kind::QuietDuplicate {
        writeln!(out, "Outcome: {kind}. {}", kind.meaning())?;
    }
    for (agent, kind) in run.trace.agents().zip(run.trace.kinds()).skip(1) {
        let report = run.end.report_of(agent).map_or_else(|| "nothing".to_owned(), |(_, report)| report.to_string());
        let task = shown(&run.trace.task_of(agent).id);
        writeln!(out, "Agent {} on {task} reported: {report}. Its outcome: {kind}.", agent.index() + 1)?;
    }
    if outcome.is_quiet() {
        writeln!(
            out,
            "Outcome: quiet duplicate. The agent reports success, so nobody is told that it charged too often."
        )?;
    }
    Ok(())
}

fn counted(charges: u32) -> String {
    match charges {
        0 => "no charge".to_owned(),
        1 => "1 charge".to_owned(),
        n => format!("{n} charges"),
    }
}

/// A charge that stood before the run.
fn prior(run: &Run, charge: &Charge) -> String {
    let prior = run.scenario().contract.ledger.get(charge.id.index());
    let whom = prior.map_or_else(String::new, |p| format!("{}, {}", shown(&p.customer), money(p.amount_cents.get())));
    format!("{} from before: {whom}.", charge.id)
}

fn entry(run: &Run, charge: &Charge) -> String {
    let args = match charge.task {
        Some(_) => run.trace.args(charge.args),
        None => return prior(run, charge),
    };
    let (customer, amount) = (shown(&args.customer()), money(args.amount_cents()));
    let key = match charge.key {
        None => key_words(&run.trace, None),
        key => format!("key {}", key_words(&run.trace, key)),
    };
    format!("{} at {}: {customer}, {amount}, {key}.", charge.id, charge.at)
}
