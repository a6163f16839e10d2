//! What a search found: `retryscope explore`.

use std::fmt::Write as _;

use serde::Serialize;

use super::json::pretty;
use super::{shown, thousands, written};
use crate::model::Scenario;
use crate::search::explore::{Counterexample, Exploration};
use crate::search::{Bounds, Delays, Forbid};
use crate::trace::Kind;

/// What there is to say.
pub struct Said<'a> {
    /// Whose policy.
    pub scenario: &'a Scenario,
    /// The search, done or not.
    pub search: &'a Exploration<'a>,
    /// What must not happen.
    pub forbid: &'a [Forbid],
    /// Whether it was ended before it was done.
    pub partial: bool,
}

/// A few lines for people: the bounds, the counts, and a certificate or the smallest counterexample.
#[must_use]
pub fn text(said: &Said<'_>) -> String {
    let (scenario, found) = (said.scenario, said.search.findings());
    written(|out| {
        writeln!(out, "{} under {}", shown(&scenario.strategy.name), shown(&scenario.contract.name))?;
        writeln!(out, "Bounds: {}.", said.search.bounds().describe())?;
        let (done, pieces) = said.search.progress();
        if said.partial {
            writeln!(out, "PARTIAL: interrupted when {done} of {pieces} pieces of the work were done.")?;
        }
        let left_out = thousands(found.idle);
        writeln!(out, "Left out: {left_out} plans that come to the same run without one of their faults.")?;
        if found.too_long > 0 {
            writeln!(out, "NOT SEARCHED: {} plans whose runs have too many events.", thousands(found.too_long))?;
        }
        writeln!(out)?;
        for kind in Kind::ALL {
            writeln!(out, "  {:<16}{:>12}", kind.words(), thousands(found.counts.of(kind)))?;
        }
        writeln!(out)?;
        let forbidden: Vec<&str> = said.forbid.iter().map(|forbid| forbid.name()).collect();
        let forbidden = forbidden.join(" or ");
        match &found.smallest {
            None if said.partial => writeln!(out, "{}\nSo far none is {forbidden}. This is no certificate.", sum(said)),
            None if found.too_long > 0 => {
                writeln!(out, "{}\nNone of these is {forbidden}. This is no certificate.", sum(said))
            }
            None => writeln!(out, "Certificate: {}\nWithin these bounds none is {forbidden}.", sum(said)),
            Some(smallest) => counterexample(out, said, smallest),
        }
    })
}

/// The counts in a line: `1,296 of 1,296 plans, at most 4 calls and 3 faults: 0 duplicates, 0 missing, 12 honest unknown.`
fn sum(said: &Said<'_>) -> String {
    let (found, bounds) = (said.search.findings(), said.search.bounds());
    let plans = thousands(found.plans());
    let of = match (said.partial, found.too_long) {
        (true, _) => format!("{plans} plans so far"),
        (false, too_long) => format!("{plans} of {} plans", thousands(found.plans() + too_long)),
    };
    let (calls, faults) = (bounds.calls, bounds.faults);
    let (duplicates, missing) = (thousands(found.counts.duplicates()), thousands(found.missing));
    let unknown = thousands(found.counts.of(Kind::HonestUnknown));
    format!(
        "{of}, at most {calls} calls and {faults} faults: {duplicates} duplicates, {missing} missing, {unknown} honest \
         unknown."
    )
}

fn counterexample(out: &mut String, said: &Said<'_>, smallest: &Counterexample) -> std::fmt::Result {
    let found = said.search.findings();
    let (forbidden, plans) = (thousands(found.forbidden), thousands(found.plans()));
    writeln!(out, "{}", sum(said))?;
    writeln!(
        out,
        "Forbidden: {forbidden} of {plans} plans. The smallest{} has {}, settled at {}:",
        if said.partial { " so far" } else { "" },
        match smallest.faults {
            0 => "no fault".to_owned(),
            1 => "1 fault".to_owned(),
            n => format!("{n} faults"),
        },
        smallest.at
    )?;
    writeln!(out, "  {}", smallest.plan.describe())?;
    writeln!(out, "  {}: {}", smallest.kind, smallest.kind.meaning())
}

/// A scenario in the file form.
#[must_use]
pub fn file(scenario: &Scenario) -> String {
    pretty(scenario)
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Form<'a> {
    strategy: &'a str,
    contract: &'a str,
    bounds: BoundsForm<'a>,
    forbid: Vec<&'static str>,
    /// Whether all plans within the bounds were searched.
    complete: bool,
    plans: u64,
    plans_by_faults: &'a [u64],
    left_out: u64,
    too_long: u64,
    outcomes: serde_json::Map<String, serde_json::Value>,
    duplicates: u64,
    missing: u64,
    forbidden: u64,
    certificate: bool,
    counterexample: Option<CounterexampleForm>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct BoundsForm<'a> {
    calls: u32,
    faults: u32,
    outcomes: Vec<&'static str>,
    delays: DelaysForm<'a>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum DelaysForm<'a> {
    Critical(&'static str),
    Listed(&'a [crate::model::Span]),
}

impl<'a> BoundsForm<'a> {
    fn of(bounds: &'a Bounds) -> Self {
        let delays = match &bounds.delays {
            Delays::Critical => DelaysForm::Critical("critical"),
            Delays::Listed(delays) => DelaysForm::Listed(delays),
        };
        let outcomes = bounds.mishaps.iter().map(|mishap| mishap.name()).collect();
        Self { calls: bounds.calls, faults: bounds.faults, outcomes, delays }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CounterexampleForm {
    faults: u32,
    settled_at_ms: crate::model::Time,
    forbidden: &'static str,
    outcome: &'static str,
    plan: String,
    scenario: Scenario,
}

/// The same for programs.
#[must_use]
pub fn json(said: &Said<'_>) -> String {
    let (scenario, found) = (said.scenario, said.search.findings());
    let counterexample = found.smallest.as_ref().map(|smallest| CounterexampleForm {
        faults: smallest.faults,
        settled_at_ms: smallest.at,
        forbidden: smallest.forbidden.name(),
        outcome: smallest.kind.name(),
        plan: smallest.plan.describe(),
        scenario: smallest.scenario(scenario),
    });
    let most = found.by_faults.iter().rposition(|plans| *plans > 0).map_or(0, |last| last + 1);
    pretty(&Form {
        strategy: &scenario.strategy.name,
        contract: &scenario.contract.name,
        bounds: BoundsForm::of(said.search.bounds()),
        forbid: said.forbid.iter().map(|forbid| forbid.name()).collect(),
        complete: !said.partial,
        plans: found.plans(),
        plans_by_faults: &found.by_faults[..most],
        left_out: found.idle,
        too_long: found.too_long,
        outcomes: Kind::ALL.iter().map(|kind| (kind.name().to_owned(), found.counts.of(*kind).into())).collect(),
        duplicates: found.counts.duplicates(),
        missing: found.missing,
        forbidden: found.forbidden,
        certificate: !said.partial && found.too_long == 0 && found.smallest.is_none(),
        counterexample,
    })
}
