//! The same 1,296 plans for every named strategy under every named contract: `retryscope explore --table`.

use std::fmt::Write as _;

use serde::Serialize;

use super::json::pretty;
use super::written;
use crate::search::table::{PLANS, Row};
use crate::trace::Kind;

const PREFACE: &str = "\
# 1,296 fault plans for every named strategy under every named contract

Made by `retryscope explore --table`, and checked by a test.

Each of the first four calls has one of six outcomes: it goes well; its request is lost; its request takes 90 s; its
request arrives twice, 1 s apart; the service fails after the commit; its answer is lost. That is 6⁴ = 1,296 plans, and
every one is run. A strategy that makes fewer calls cannot tell many of them apart, so *distinct* says how many are
plans each fault of which changes the run. The counts are of all 1,296, and so weigh a plan that ends early as often as it
can be continued. The two delays are fixed: this is a comparison of policies, not a proof. For every delay that matters
there is `retryscope explore` without `--table`.

A dash stands where the two make no sense together: a verify by key where the service keeps none.
";

/// A table a strategy, in Markdown.
#[must_use]
pub fn markdown(rows: &[Row]) -> String {
    written(|out| {
        write!(out, "{PREFACE}")?;
        let mut strategy = None;
        for row in rows {
            if strategy != Some(&row.strategy) {
                strategy = Some(&row.strategy);
                writeln!(out, "\n## {}\n", row.strategy)?;
                write!(out, "| contract | distinct |")?;
                Kind::ALL.iter().try_for_each(|kind| write!(out, " {kind} |"))?;
                write!(out, "\n|---|--:|")?;
                Kind::ALL.iter().try_for_each(|_| write!(out, "--:|"))?;
                writeln!(out)?;
            }
            write!(out, "| {} |", row.contract)?;
            match row.counts {
                None => write!(out, " – |{}", " – |".repeat(Kind::ALL.len()))?,
                Some(counts) => {
                    write!(out, " {} |", row.distinct)?;
                    Kind::ALL.iter().try_for_each(|kind| write!(out, " {} |", counts.of(*kind)))?;
                }
            }
            writeln!(out)?;
        }
        Ok(())
    })
}

#[derive(Serialize)]
struct RowForm<'a> {
    strategy: &'a str,
    contract: &'a str,
    plans: u32,
    distinct: u32,
    outcomes: Option<serde_json::Map<String, serde_json::Value>>,
}

/// The same for programs.
#[must_use]
pub fn json(rows: &[Row]) -> String {
    let form = |row: &Row| {
        let outcomes = row
            .counts
            .map(|counts| Kind::ALL.iter().map(|kind| (kind.name().to_owned(), counts.of(*kind).into())).collect());
        serde_json::to_value(RowForm {
            strategy: &row.strategy,
            contract: &row.contract,
            plans: PLANS,
            distinct: row.distinct,
            outcomes,
        })
        .unwrap_or_default()
    };
    pretty(&rows.iter().map(form).collect::<Vec<_>>())
}
