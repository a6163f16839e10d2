//! Many runs in a table of plain text: `retryscope summary`.

use std::fmt::{self, Write};

use super::{Run, duplicates, shown, written};
use crate::model::task::money;
use crate::sim::KeyReuse;
use crate::trace::Answer;

/// The runs, a heading a fault; then how many are duplicates; then what becomes of a key that is used for two amounts.
#[must_use]
pub fn text(runs: &[Run], key_reuse: &KeyReuse) -> String {
    written(|out| write(out, runs, key_reuse))
}

fn write(out: &mut impl Write, runs: &[Run], key_reuse: &KeyReuse) -> fmt::Result {
    for group in runs.chunk_by(|a, b| a.scenario().fault == b.scenario().fault) {
        let fault = &group[0].scenario().fault;
        writeln!(out, "{}: {}", shown(&fault.name), fault.describe())?;
        for run in group {
            let (title, verdict) = (shown(&run.scenario().strategy.title()), run.verdict().word());
            let (charges, said) = (run.outcome().charges, run.said());
            writeln!(out, "  {title:<20} charges={charges}  {verdict:<9}  agent said: {said}")?;
        }
        writeln!(out)?;
    }
    let (all, quiet) = duplicates(runs);
    writeln!(out, "Duplicates: {all} of {} runs", runs.len())?;
    writeln!(out, "Duplicates the agent reported as completed: {quiet}")?;
    writeln!(out)?;
    writeln!(out, "One idempotency key, used for two amounts:")?;
    for (cents, answer) in key_reuse.amounts_cents.into_iter().zip([key_reuse.first, key_reuse.second]) {
        writeln!(out, "  {:<20} {}", money(cents), answered(answer))?;
    }
    writeln!(out, "  {:<20} {}", "charges in the end", key_reuse.charges)
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
