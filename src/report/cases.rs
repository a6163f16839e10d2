//! The shipped cases: `retryscope cases`.

use serde::Serialize;

use super::Run;
use crate::model::Text;

/// A paragraph a case.
#[must_use]
pub fn text(cases: &[(&str, Run)]) -> String {
    let paragraph = |(name, run): &(&str, Run)| {
        let scenario = run.scenario();
        let about = scenario.about.as_ref();
        let (what, sources, kinds) = about.map_or((String::new(), String::new(), String::new()), |about| {
            (about.what.to_string(), join(&about.sources, "\n  "), join(&about.kinds, ", "))
        });
        let (outcome, charges) = (run.trace.worst(), run.tally.charges);
        format!("{name}: {} ({kinds})\n  {what}\n  {outcome}, charges={charges}\n  {sources}\n", scenario.name)
    };
    cases.iter().map(paragraph).collect::<Vec<_>>().join("\n")
}

fn join(texts: &[Text], between: &str) -> String {
    texts.iter().map(Text::as_str).collect::<Vec<_>>().join(between)
}

/// An array of objects: name, what it comes to, and the scenario.
///
/// # Panics
///
/// Never: all names in an object are strings.
#[must_use]
pub fn json(cases: &[(&str, Run)]) -> String {
    #[derive(Serialize)]
    struct Entry<'a> {
        case: &'a str,
        outcome: &'static str,
        charges: u32,
        scenario: &'a crate::model::Scenario,
    }
    let cases: Vec<Entry<'_>> = cases
        .iter()
        .map(|(case, run)| Entry {
            case,
            outcome: run.trace.worst().name(),
            charges: run.tally.charges,
            scenario: run.scenario(),
        })
        .collect();
    serde_json::to_string_pretty(&cases).expect("all names in an object are strings") + "\n"
}
