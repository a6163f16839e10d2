//! One run in a line: `retryscope check`.

use super::Run;
use crate::model::Text;
use crate::trace::Kind;

/// The file's name, the verdict, the charges and what the agent said.
#[must_use]
pub fn text(file: &Text, run: &Run) -> String {
    let outcome = run.outcome();
    let (verdict, charges, said) = (outcome.verdict().name(), outcome.charges, run.said());
    let quiet = if outcome.is_quiet() { " (a quiet duplicate)" } else { "" };
    let others: Vec<&str> = run.trace.kinds().into_iter().skip(1).map(Kind::words).collect();
    let others = if others.is_empty() { String::new() } else { format!(", other agents: {}", others.join(", ")) };
    let expected = match run.scenario().expect {
        Some(_) if run.holds() => ", as expected".to_owned(),
        Some(expect) => {
            let charges = expect.charges.map_or_else(String::new, |charges| format!(" with charges={charges}"));
            format!(", but {}{charges} was expected", expect.outcome)
        }
        None => String::new(),
    };
    format!("{file}: {verdict}, charges={charges}, agent said: {said}{quiet}{others}{expected}\n")
}
