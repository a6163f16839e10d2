//! How likely each outcome is, strategies side by side: `retryscope odds`.

use std::fmt::Write as _;

use serde::Serialize;

use super::json::pretty;
use super::{percent, shown, thousands, written};
use crate::model::Text;
use crate::search::Chances;
use crate::search::odds::Odds;
use crate::search::sample::{Interval, Sample, Z_99, wilson};
use crate::trace::Kind;

/// What there is to say.
pub struct Said<'a> {
    /// Under which contract.
    pub contract: &'a Text,
    /// How likely each fault is.
    pub chances: &'a Chances,
    /// A row a strategy.
    pub rows: &'a [Row],
    /// Whether it was ended before it was done.
    pub partial: bool,
}

/// The odds of a strategy.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Which strategy.
    pub strategy: Text,
    /// For each outcome name its probability, in the order of [`Kind::ALL`]; where it was sampled, with 99 % confidence.
    pub kinds: [Interval; Kind::ALL.len()],
    /// The mean time to the report, in milliseconds.
    pub reported_after_ms: f64,
    /// The mean number of calls; none where it was not counted.
    pub calls: Option<f64>,
    /// The mean number of lookups; none where it was not counted.
    pub lookups: Option<f64>,
    /// The probability that the agent escalates.
    pub escalations: f64,
    /// How many runs it took.
    pub runs: u64,
    /// How far a probability can be off; none where it was sampled.
    pub error: Option<f64>,
}

impl Row {
    /// By enumeration.
    #[must_use]
    pub fn exact(strategy: Text, odds: Odds) -> Self {
        Self {
            strategy,
            kinds: odds.kinds.map(|share| Interval {
                share,
                low: (share - odds.error).max(0.0),
                high: (share + odds.error).min(1.0),
            }),
            reported_after_ms: odds.reported_after_ms,
            calls: Some(odds.calls),
            lookups: Some(odds.lookups),
            escalations: odds.escalations,
            runs: odds.runs,
            error: Some(odds.error),
        }
    }

    /// By sampling.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "sums of times are below 2^53 for as many runs as can be asked for")]
    pub fn sampled(strategy: Text, sample: Sample) -> Self {
        let runs = sample.counts.all();
        Self {
            strategy,
            kinds: Kind::ALL.map(|kind| sample.of(kind)),
            reported_after_ms: sample.reported_after_ms as f64 / runs.max(1) as f64,
            calls: None,
            lookups: None,
            escalations: wilson(sample.escalations, runs, Z_99).share,
            runs,
            error: None,
        }
    }
}

/// A table for people.
#[must_use]
pub fn text(said: &Said<'_>) -> String {
    written(|out| {
        writeln!(out, "Under {}, where these befall", shown(said.contract))?;
        for line in said.chances.describe().lines() {
            writeln!(out, "  {line}")?;
        }
        if said.partial {
            writeln!(out, "PARTIAL: interrupted.")?;
        }
        for row in said.rows {
            writeln!(out)?;
            let how = match row.error {
                Some(0.0) => format!("exact, {} runs", thousands(row.runs)),
                Some(error) => format!("exact to ± {}, {} runs", percent(error), thousands(row.runs)),
                None => format!("SAMPLED, {} runs, intervals of 99 % confidence", thousands(row.runs)),
            };
            writeln!(out, "{} ({how})", shown(&row.strategy))?;
            for (kind, interval) in Kind::ALL.iter().zip(&row.kinds) {
                let Interval { share, low, high } = interval;
                match row.error {
                    Some(_) if *share == 0.0 => {}
                    Some(_) => writeln!(out, "  {:<16}{:>14}", kind.words(), percent(*share))?,
                    None => writeln!(
                        out,
                        "  {:<16}{:>14}   {} to {}",
                        kind.words(),
                        percent(*share),
                        percent(*low),
                        percent(*high)
                    )?,
                }
            }
            let messages = match (row.calls, row.lookups) {
                (Some(calls), Some(lookups)) => format!("; calls {calls:.4}, lookups {lookups:.4}"),
                _ => String::new(),
            };
            let seconds = row.reported_after_ms / 1_000.0;
            let escalations = percent(row.escalations);
            writeln!(out, "  on average: report after {seconds:.2} s{messages}; escalates {escalations}")?;
        }
        Ok(())
    })
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Form<'a> {
    contract: &'a str,
    chances: ChancesForm,
    complete: bool,
    strategies: Vec<RowForm<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ChancesForm {
    calls: serde_json::Map<String, serde_json::Value>,
    lookups: serde_json::Map<String, serde_json::Value>,
    lateness: String,
    copies_apart: crate::model::Span,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RowForm<'a> {
    strategy: &'a str,
    method: &'static str,
    runs: u64,
    error: Option<f64>,
    outcomes: serde_json::Map<String, serde_json::Value>,
    reported_after_ms: f64,
    calls: Option<f64>,
    lookups: Option<f64>,
    escalations: f64,
}

/// The same for programs. Each outcome has its probability and the least and the most that it can be.
#[must_use]
pub fn json(said: &Said<'_>) -> String {
    let list =
        |of_lookup| said.chances.likely(of_lookup).map(|(mishap, p)| (mishap.name().to_owned(), p.into())).collect();
    let strategies = said.rows.iter().map(|row| RowForm {
        strategy: &row.strategy,
        method: if row.error.is_some() { "enumeration" } else { "sampling" },
        runs: row.runs,
        error: row.error,
        outcomes: Kind::ALL
            .iter()
            .zip(&row.kinds)
            .map(|(kind, Interval { share, low, high })| {
                let form = serde_json::json!({ "probability": share, "low": low, "high": high });
                (kind.name().to_owned(), form)
            })
            .collect(),
        reported_after_ms: row.reported_after_ms,
        calls: row.calls,
        lookups: row.lookups,
        escalations: row.escalations,
    });
    pretty(&Form {
        contract: said.contract,
        chances: ChancesForm {
            calls: list(false),
            lookups: list(true),
            lateness: said.chances.lateness.describe(),
            copies_apart: said.chances.copies_apart,
        },
        complete: !said.partial,
        strategies: strategies.collect(),
    })
}
