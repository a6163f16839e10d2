//! What each headless command does: read, run, and hand to [`report`].

use std::path::{Path, PathBuf};

use super::output::Failure;
use super::{Format, SetOptions, SummaryFormat, Which, input};
use crate::lesson;
use crate::model::task::Name;
use crate::model::{Contract, Scenario, gallery, key};
use crate::report::{self, Run};
use crate::sim::key_reuse_under;

/// `summary`: every strategy that is asked for under every fault, 16 runs where nothing is.
///
/// # Errors
///
/// Never: what has a name has few events.
pub fn summary(sets: &SetOptions, contract: &Contract, format: SummaryFormat) -> Result<String, Failure> {
    let (strategies, mut runs) = (sets.strategies(), Vec::new());
    for fault in sets.faults() {
        for strategy in &strategies {
            let scenario = Scenario::new(strategy.clone(), fault.clone());
            let scenario = Scenario { contract: contract.clone(), ..scenario };
            runs.push(Run::of(&scenario).map_err(|error| format!("{} under {}: {error}", strategy.name, fault.name))?);
        }
    }
    let key_reuse = key_reuse_under(contract);
    Ok(match format {
        SummaryFormat::Text => report::summary::text(&runs, &key_reuse),
        SummaryFormat::Json => report::json::summary(&runs, &key_reuse),
        SummaryFormat::Markdown => report::markdown::summary(&runs, &key_reuse),
    })
}

/// `run`: one run.
///
/// # Errors
///
/// Why the scenario cannot be used.
pub fn run(which: &Which, format: Format) -> Result<String, Failure> {
    let scenario = which.scenario()?;
    let run = Run::of(&scenario).map_err(|error| which.said(&error))?;
    Ok(match format {
        Format::Text => report::story::text(&run),
        Format::Json => report::json::run(&run),
    })
}

/// `check`: a line a file, and whether every run is as its file expects or, where it expects nothing, `exactly-once`.
///
/// # Errors
///
/// Why files cannot be used, all of them; there are no verdicts then.
pub fn check(files: &[PathBuf], format: Format) -> Result<(String, bool), Failure> {
    let (mut lines, mut holds, mut problems) = (String::new(), true, Vec::new());
    for file in files {
        match judged(file) {
            Ok(run) => {
                holds &= run.holds();
                lines.push_str(&match format {
                    Format::Text => report::check::text(&input::shown(file), &run),
                    Format::Json => report::json::check(&file.to_string_lossy(), &run),
                });
            }
            Err(problem) => problems.push(problem),
        }
    }
    if problems.is_empty() { Ok((lines, holds)) } else { Err(Failure::Input(problems)) }
}

fn judged(file: &Path) -> Result<Run, String> {
    let scenario: Scenario = input::scenario(file)?;
    Run::of(&scenario).map_err(|error| format!("{}: {error}", input::shown(file)))
}

/// `lesson check`: what is wrong with a lesson, and whether nothing is.
///
/// # Errors
///
/// Why the file cannot be read.
pub fn lesson_check(file: &Path) -> Result<(String, bool), Failure> {
    let text = input::text(file)?;
    let lesson = lesson::from_str(&text);
    Ok((report::lesson::text(&input::shown(file), lesson.as_ref()), lesson.is_ok()))
}

/// `schema`: the JSON Schema of a scenario file.
///
/// # Panics
///
/// Never: a schema is plain JSON.
#[must_use]
pub fn schema() -> String {
    let schema = serde_json::to_string_pretty(&schemars::schema_for!(Scenario)).expect("a schema is plain JSON");
    schema + "\n"
}

/// `scenario new`: a file to start from.
#[must_use]
pub fn scenario_new() -> String {
    include_str!("../../assets/scenario-starter.json").to_owned()
}

/// `cases`: the shipped cases, and what each comes to.
///
/// # Errors
///
/// Never: no case has many events.
pub fn cases(format: Format) -> Result<String, Failure> {
    let mut cases = Vec::new();
    for (name, scenario) in gallery::cases() {
        cases.push((name, Run::of(&scenario).map_err(|error| format!("{name}: {error}"))?));
    }
    Ok(match format {
        Format::Text => report::cases::text(&cases),
        Format::Json => report::cases::json(&cases),
    })
}

/// `key`: the intent key of a tool call.
///
/// # Errors
///
/// Why `args` is no object in I-JSON.
pub fn key(task: &Name, tool: &Name, args: &str) -> Result<String, Failure> {
    let args = key::args_from_str(args).map_err(|error| format!("--args: {error}"))?;
    Ok(format!("{}\n", key::intent_key(task, tool, &args)))
}
