//! One run in a line: `retryscope check`.

use super::Run;
use crate::model::Text;

/// The file's name, the verdict, the charges and what the agent said.
#[must_use]
pub fn text(file: &Text, run: &Run) -> String {
    let outcome = run.outcome();
    let (verdict, charges, said) = (outcome.verdict().name(), outcome.charges, run.said());
    let quiet = if outcome.is_quiet() { " (a quiet duplicate)" } else { "" };
    format!("{file}: {verdict}, charges={charges}, agent said: {said}{quiet}\n")
}
