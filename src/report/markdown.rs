//! Many runs as Markdown tables: `retryscope summary --format markdown`.

use std::fmt::{self, Write};

use super::summary::answered;
use super::{Run, duplicates, minds, named, other_outcomes, shown, total, written};
use crate::model::task::money;
use crate::sim::KeyReuse;
use crate::trace::Verdict;

/// The same as [`summary::text`](super::summary::text), as one table of runs and one of the key-reuse check.
#[must_use]
pub fn summary(runs: &[Run], key_reuse: &KeyReuse) -> String {
    written(|out| write(out, runs, key_reuse))
}

fn write(out: &mut impl Write, runs: &[Run], key_reuse: &KeyReuse) -> fmt::Result {
    writeln!(out, "| Fault | Strategy | Charges | Verdict | Agent said |")?;
    writeln!(out, "|---|---|--:|---|---|")?;
    for run in runs {
        let scenario = run.scenario();
        let (fault, strategy) = (cell(&shown(&scenario.fault.name)), cell(&shown(&scenario.strategy.title())));
        let verdict = match run.verdict() {
            Verdict::ExactlyOnce => Verdict::ExactlyOnce.word().to_owned(),
            wrong => format!("**{}**", wrong.word()),
        };
        let verdict = named(run).map_or_else(|| verdict.clone(), |kind| format!("{verdict} ({kind})"));
        writeln!(out, "| {fault} | {strategy} | {} | {verdict} | {} |", run.outcome().charges, cell(&run.said()))?;
    }
    let (all, quiet) = duplicates(runs);
    writeln!(out)?;
    writeln!(out, "- Duplicates: {all} of {} runs", runs.len())?;
    writeln!(out, "- Duplicates the agent reported as completed: {quiet}")?;
    for (kind, count) in other_outcomes(runs) {
        writeln!(out, "- {}: {count}", total(kind))?;
    }
    for mind in minds(runs) {
        writeln!(out, "- Mind, {}", cell(&mind))?;
    }
    writeln!(out)?;
    writeln!(out, "| One idempotency key, used for | Service |")?;
    writeln!(out, "|--:|---|")?;
    for (cents, answer) in key_reuse.amounts_cents.into_iter().zip([key_reuse.first, key_reuse.second]) {
        writeln!(out, "| {} | {} |", money(cents), cell(&answered(answer)))?;
    }
    Ok(())
}

/// Text as it stands in a cell: nothing in it is taken for markup, ends the cell or ends the line.
#[must_use]
pub fn cell(text: &str) -> String {
    let mut cell = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\r' => cell.push(' '),
            // A backslash takes the meaning of any ASCII punctuation (CommonMark 0.31, section 2.4).
            '\\' | '`' | '*' | '_' | '{' | '}' | '[' | ']' | '<' | '>' | '#' | '~' | '&' | '!' | '|' | '@' => {
                cell.push('\\');
                cell.push(c);
            }
            _ => cell.push(c),
        }
    }
    cell
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Fault, Scenario, Strategy, Text};
    use crate::sim::key_reuse;

    #[test]
    fn a_name_stays_in_its_cell() {
        for (name, shown) in [
            ("a|b", r"a\|b"),
            (r"a\|b", r"a\\\|b"),
            ("`a", r"\`a"),
            ("a\nb", "a b"),
            ("<b>*_[x](y)", r"\<b\>\*\_\[x\](y)"),
            ("plain-name 7", "plain-name 7"),
        ] {
            assert_eq!(cell(name), shown);
        }
    }

    #[test]
    fn every_row_has_as_many_cells_as_the_head() {
        for name in ["a|b|c", "``|", "line\nline\r\n|", r"\", "", &"|\n`".repeat(3_000)] {
            let name = Text::new(name);
            let [naive, ..] = Strategy::presets();
            let fault = Fault { name: name.clone(), plan: crate::model::FaultPlan::default() };
            let run = Run::of(&Scenario::new(Strategy { name, ..naive }, fault)).unwrap();
            let table = summary(&[run], &key_reuse());
            let bars = |row: &str| row.replace(r"\\", "").replace(r"\|", "").matches('|').count();
            assert!(table.lines().take(3).all(|row| bars(row) == 6), "{table}");
            assert_eq!(table.lines().count(), 11, "{table}");
        }
    }
}
