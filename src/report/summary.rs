//! Many runs in a table of plain text: `retryscope summary`.

use std::fmt::{self, Write};

use super::{Run, duplicates, minds, named, other_outcomes, shown, total, written};
use crate::model::Contract;
use crate::model::task::money;
use crate::model::text::width;
use crate::sim::KeyReuse;
use crate::trace::Answer;

/// The columns of a strategy's name; more where one is longer.
const TITLE_MIN: usize = 20;

/// The runs, a heading a fault; then how many are duplicates; then what becomes of a key that is used for two amounts.
#[must_use]
pub fn text(runs: &[Run], key_reuse: &KeyReuse) -> String {
    written(|out| write(out, runs, key_reuse))
}

fn write(out: &mut impl Write, runs: &[Run], key_reuse: &KeyReuse) -> fmt::Result {
    let title = |run: &Run| shown(&run.scenario().strategy.title());
    let columns = runs.iter().map(|run| width(&title(run))).max().unwrap_or(0).max(TITLE_MIN);
    if let Some(run) = runs.first() {
        promise(out, &run.scenario().contract)?;
    }
    for group in runs.chunk_by(|a, b| a.scenario().fault == b.scenario().fault) {
        let fault = &group[0].scenario().fault;
        writeln!(out, "{}: {}", shown(&fault.name), fault.describe())?;
        for run in group {
            let (title, verdict) = (title(run), run.verdict().word());
            let (charges, said) = (run.outcome().charges, run.said());
            let name = named(run).map_or_else(String::new, |kind| format!("  ({kind})"));
            writeln!(out, "  {title:<columns$} charges={charges}  {verdict:<9}  agent said: {said}{name}")?;
        }
        writeln!(out)?;
    }
    let (all, quiet) = duplicates(runs);
    writeln!(out, "Duplicates: {all} of {} runs", runs.len())?;
    writeln!(out, "Duplicates the agent reported as completed: {quiet}")?;
    for (kind, count) in other_outcomes(runs) {
        writeln!(out, "{}: {count}", total(kind))?;
    }
    for mind in minds(runs) {
        writeln!(out, "Mind, {mind}")?;
    }
    writeln!(out)?;
    writeln!(out, "One idempotency key, used for two amounts:")?;
    for (cents, answer) in key_reuse.amounts_cents.into_iter().zip([key_reuse.first, key_reuse.second]) {
        writeln!(out, "  {:<20} {}", money(cents), answered(answer))?;
    }
    writeln!(out, "  {:<20} {}", "charges in the end", key_reuse.charges)
}

/// What the service promises, where that is out of the ordinary.
fn promise(out: &mut impl Write, contract: &Contract) -> fmt::Result {
    if *contract == Contract::default() {
        return Ok(());
    }
    writeln!(out, "Contract {}: {}.", contract.name, contract.describe())?;
    if let Some(source) = &contract.source {
        writeln!(out, "Read {} at {}", source.read, source.address)?;
        for unsaid in &source.unsaid {
            writeln!(out, "Not said there: {unsaid}.")?;
        }
    }
    writeln!(out)
}

/// What the service answered, in a few words.
#[must_use]
pub fn answered(answer: Answer) -> String {
    match answer {
        Answer::Success { charge, replayed: false } => format!("charged: {charge}"),
        Answer::Success { charge, replayed: true } => format!("answered with {charge} again, not charged"),
        Answer::Refused(refusal) => format!("refused: {refusal}"),
        Answer::Error { .. } => "a server error".to_owned(),
    }
}
