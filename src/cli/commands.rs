//! What each headless command does: read, run, and hand to [`report`].

use std::path::{Path, PathBuf};

use super::output::Failure;
use super::{Format, SummaryFormat, Which, input};
use crate::model::task::Name;
use crate::model::{Scenario, key};
use crate::report::{self, Run};
use crate::sim::key_reuse;
use crate::trace::Verdict;

/// `summary`: the 16 runs.
#[must_use]
pub fn summary(format: SummaryFormat) -> String {
    let (runs, key_reuse) = (Run::sixteen(), key_reuse());
    match format {
        SummaryFormat::Text => report::summary::text(&runs, &key_reuse),
        SummaryFormat::Json => report::json::summary(&runs, &key_reuse),
        SummaryFormat::Markdown => report::markdown::summary(&runs, &key_reuse),
    }
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

/// `check`: a line a file, and whether every verdict is `exactly-once`.
///
/// # Errors
///
/// Why files cannot be used, all of them; there are no verdicts then.
pub fn check(files: &[PathBuf], format: Format) -> Result<(String, bool), Failure> {
    let (mut lines, mut holds, mut problems) = (String::new(), true, Vec::new());
    for file in files {
        match judged(file) {
            Ok(run) => {
                holds &= run.verdict() == Verdict::ExactlyOnce;
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

/// `key`: the intent key of a tool call.
///
/// # Errors
///
/// Why `args` is no object in I-JSON.
pub fn key(task: &Name, tool: &Name, args: &str) -> Result<String, Failure> {
    let args = key::args_from_str(args).map_err(|error| format!("--args: {error}"))?;
    Ok(format!("{}\n", key::intent_key(task, tool, &args)))
}
