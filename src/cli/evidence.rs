//! The commands that search and reckon: what can be asked for, and doing it. A raised signal ends them with what they have.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::atomic::Ordering;

use clap::Args;

use super::output::Failure;
use super::{Format, contracts, input, interrupt, strategies};
use crate::model::{Contract, Fault, Scenario, Span, Strategy};
use crate::report;
use crate::search::explore::{Exploration, estimate};
use crate::search::odds::{USUAL_CUT, odds};
use crate::search::sample::sample;
use crate::search::table::{Row, table};
use crate::search::{Bounds, Chances, Delays, Forbid, Mishap};

/// The exit status of what a person ended from the keyboard: 128 and the signal's number.
const INTERRUPTED: u8 = 130;

/// How many pieces of a search are done between two looks at the signal.
const PIECES: usize = 32;

/// Which policy.
#[derive(Debug, Args)]
pub struct Policy {
    /// How the agent retries [default: verify-then-retry]
    #[arg(long, value_name = "STRATEGY", value_parser = strategies())]
    pub strategy: Option<Strategy>,
    /// What the service promises [default: keyed]
    #[arg(long, value_name = "CONTRACT", value_parser = contracts())]
    pub contract: Option<Contract>,
    /// Read the policy and all the rest from a file; its own fault is left aside
    #[arg(long, value_name = "FILE", conflicts_with_all = ["strategy", "contract"])]
    pub scenario: Option<PathBuf>,
}

impl Policy {
    fn scenario(&self, otherwise: &Strategy) -> Result<Scenario, String> {
        if let Some(file) = &self.scenario {
            return input::scenario(file);
        }
        let strategy = self.strategy.clone().unwrap_or_else(|| otherwise.clone());
        let nothing = Fault::preset("none").unwrap_or_else(|| unreachable!("a preset"));
        let mut scenario = Scenario::new(strategy, nothing);
        scenario.contract = self.contract.clone().unwrap_or_default();
        scenario.check()?;
        Ok(scenario)
    }
}

/// `explore`: every fault plan within bounds.
#[derive(Debug, Args)]
pub struct Explore {
    /// Which policy.
    #[command(flatten)]
    pub policy: Policy,
    /// Faults strike among the first so many calls, and the first so many lookups
    #[arg(long, value_name = "N", default_value_t = 4,
          value_parser = clap::value_parser!(u32).range(1..=i64::from(Bounds::CALLS_MAX)))]
    pub calls: u32,
    /// At most so many faults in a plan
    #[arg(long, value_name = "N", default_value_t = 3,
          value_parser = clap::value_parser!(u32).range(0..=i64::from(Bounds::FAULTS_MAX)))]
    pub faults: u32,
    /// What may befall a call or a lookup: names with commas between them, or all
    #[arg(long, value_name = "NAMES", value_delimiter = ',', help = outcomes_help())]
    pub outcomes: Vec<Asked>,
    /// How late, where something is late [default: wherever the order of events changes]
    #[arg(long, value_name = "SPANS", value_delimiter = ',')]
    pub delays: Vec<Span>,
    /// What must not happen: duplicate, missing, or the name of an outcome [default: duplicate,false-success]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub forbid: Vec<Forbid>,
    /// How to print what was found
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
    /// Write the counterexample to a new file, as a scenario
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Search even where it may take long, and write over the file of --out
    #[arg(long)]
    pub force: bool,
    /// How many threads work on it [default: one a core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1_024))]
    pub jobs: Option<u16>,
    /// Print the 1,296 plans of the table for every named strategy under every named contract, and nothing else
    #[arg(long, conflicts_with_all = ["strategy", "contract", "scenario", "calls", "faults", "outcomes", "delays", "forbid", "out"])]
    pub table: bool,
}

/// A mishap that is asked for, or all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// All of them.
    All,
    /// This one.
    One(Mishap),
}

impl FromStr for Asked {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        if name == "all" { Ok(Self::All) } else { name.parse().map(Self::One).map_err(|error| error + ", all") }
    }
}

fn outcomes_help() -> String {
    let usual: Vec<&str> = Mishap::USUAL.iter().map(|mishap| mishap.name()).collect();
    format!("What may befall a call or a lookup, with commas between, or all [default: {}]", usual.join(","))
}

impl Explore {
    fn bounds(&self) -> Bounds {
        let mishaps: Vec<Mishap> = if self.outcomes.is_empty() {
            Mishap::USUAL.to_vec()
        } else {
            let asked = |mishap: &Mishap| self.outcomes.iter().any(|a| *a == Asked::All || *a == Asked::One(*mishap));
            Mishap::ALL.into_iter().filter(asked).collect()
        };
        let delays = if self.delays.is_empty() {
            Delays::Critical
        } else {
            let mut delays = self.delays.clone();
            delays.sort_unstable();
            delays.dedup();
            Delays::Listed(delays)
        };
        Bounds { calls: self.calls, faults: self.faults, mishaps, delays }
    }
}

/// `explore`: what is to be printed, and the exit status.
///
/// # Errors
///
/// Why the scenario cannot be used, the search is refused, or the file cannot be written.
pub fn explore(asked: &Explore) -> Result<(String, u8), Failure> {
    if asked.table {
        let rows = in_pool(asked.jobs, table)?;
        return Ok((table_text(&rows, asked.format), 0));
    }
    let default = Strategy::preset("verify-then-retry").unwrap_or_else(|| unreachable!("a preset"));
    let scenario = asked.policy.scenario(&default)?;
    let bounds = asked.bounds();
    if !asked.force {
        affordable(&scenario, &bounds)?;
    }
    let forbid = if asked.forbid.is_empty() { Forbid::USUAL.to_vec() } else { asked.forbid.clone() };
    let stop = interrupt::flag()?;
    let search = in_pool(asked.jobs, || {
        let mut search = Exploration::new(&scenario, bounds, forbid.clone());
        while !stop.load(Ordering::Relaxed) && search.advance(PIECES, &stop) {}
        search
    })?;
    let partial = stop.load(Ordering::Relaxed) && !search.is_done();
    let said = report::explore::Said { scenario: &scenario, search: &search, forbid: &forbid, partial };
    let mut text = match asked.format {
        Format::Text => report::explore::text(&said),
        Format::Json => report::explore::json(&said),
    };
    if let (Some(file), Some(smallest)) = (&asked.out, &search.findings().smallest) {
        let scenario = report::explore::file(&smallest.scenario(&scenario));
        let opened =
            OpenOptions::new().write(true).create(true).create_new(!asked.force).truncate(asked.force).open(file);
        opened.and_then(|mut file| file.write_all(scenario.as_bytes())).map_err(|error| {
            let reason = match error.kind() {
                std::io::ErrorKind::AlreadyExists => "it is there already; --force writes over it".to_owned(),
                kind => format!("it cannot be written ({kind})"),
            };
            format!("{}: {reason}", input::shown(file))
        })?;
        if asked.format == Format::Text {
            let shown = input::shown(file);
            text = format!("{text}Written to {shown}. Open it with: retryscope --scenario {shown}\n");
        }
    }
    // What could not be searched is no certificate, and a build must not take it for one.
    let status = match search.findings() {
        _ if partial => INTERRUPTED,
        findings if findings.forbidden > 0 => 1,
        findings if findings.too_long > 0 => 2,
        _ => 0,
    };
    Ok((text, status))
}

/// Refuses what would take long.
fn affordable(scenario: &Scenario, bounds: &Bounds) -> Result<(), String> {
    let plans = estimate(scenario, bounds);
    if plans <= Bounds::PLANS_MAX {
        return Ok(());
    }
    let fewer = (0..bounds.faults).rev().map(|faults| {
        let fewer = Bounds { faults, ..bounds.clone() };
        (faults, estimate(scenario, &fewer))
    });
    let lower = fewer.into_iter().find(|(_, plans)| *plans <= Bounds::PLANS_MAX).map_or_else(
        || "fewer --calls or --outcomes need less".to_owned(),
        |(faults, plans)| format!("--faults {faults} needs at most {}", report::thousands(plans)),
    );
    Err(format!(
        "found bounds that need up to {} plans, allowed: {}; {lower}, and --delays 90s or fewer --outcomes less; --force \
         searches all the same",
        report::thousands(plans),
        report::thousands(Bounds::PLANS_MAX),
    ))
}

fn table_text(rows: &[Row], format: Format) -> String {
    match format {
        Format::Text => report::table::markdown(rows),
        Format::Json => report::table::json(rows),
    }
}

/// `odds`: the probability of each outcome.
#[derive(Debug, Args)]
pub struct OddsOf {
    /// How the agent retries; more than one stand side by side [default: the four of the grid]
    #[arg(long, value_name = "STRATEGY", value_delimiter = ',', value_parser = strategies())]
    pub strategy: Vec<Strategy>,
    /// What the service promises [default: keyed]
    #[arg(long, value_name = "CONTRACT", value_parser = contracts())]
    pub contract: Option<Contract>,
    /// Read the policy and all the rest from a file; its own fault is left aside
    #[arg(long, value_name = "FILE", conflicts_with_all = ["strategy", "contract"])]
    pub scenario: Option<PathBuf>,
    /// Read how likely each fault is from a file [default: stated with the odds]
    #[arg(long, value_name = "FILE")]
    pub odds: Option<PathBuf>,
    /// Sample so many runs instead of enumerating them
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub samples: Option<u64>,
    /// What samples are drawn from
    #[arg(long, value_name = "N", default_value_t = 0, requires = "samples")]
    pub seed: u32,
    /// How to print them
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
    /// How many threads work on it [default: one a core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1_024))]
    pub jobs: Option<u16>,
}

/// `odds`: what is to be printed, and the exit status.
///
/// # Errors
///
/// Why the scenario or the chances cannot be used.
pub fn odds_of(asked: &OddsOf) -> Result<(String, u8), Failure> {
    let scenarios = asked.scenarios()?;
    let chances = match &asked.odds {
        None => Chances::default(),
        Some(file) => {
            let text = input::text(file)?;
            Chances::from_json(&text).map_err(|error| format!("{}: {error}", input::shown(file)))?
        }
    };
    let stop = interrupt::flag()?;
    let rows = in_pool(asked.jobs, || {
        let one = |scenario: &Scenario| {
            let name = scenario.strategy.name.clone();
            match asked.samples {
                Some(runs) => Ok(report::odds::Row::sampled(name, sample(scenario, &chances, runs, asked.seed, &stop))),
                None => odds(scenario, &chances, USUAL_CUT)
                    .map(|odds| report::odds::Row::exact(name, odds))
                    .map_err(|error| error.to_string()),
            }
        };
        let mut rows = Vec::new();
        for scenario in &scenarios {
            if !stop.load(Ordering::Relaxed) {
                rows.push(one(scenario)?);
            }
        }
        Ok::<_, String>(rows)
    })??;
    let partial = stop.load(Ordering::Relaxed);
    let contract =
        scenarios.first().map_or_else(|| Contract::default().name, |scenario| scenario.contract.name.clone());
    let said = report::odds::Said { contract: &contract, chances: &chances, rows: &rows, partial };
    let text = match asked.format {
        Format::Text => report::odds::text(&said),
        Format::Json => report::odds::json(&said),
    };
    Ok((text, if partial { INTERRUPTED } else { 0 }))
}

impl OddsOf {
    fn scenarios(&self) -> Result<Vec<Scenario>, String> {
        if let Some(file) = &self.scenario {
            return Ok(vec![input::scenario(file)?]);
        }
        let strategies = if self.strategy.is_empty() { Strategy::presets().to_vec() } else { self.strategy.clone() };
        let contract = self.contract.clone();
        strategies
            .into_iter()
            .map(|strategy| {
                let policy = Policy { strategy: Some(strategy.clone()), contract: contract.clone(), scenario: None };
                policy.scenario(&strategy)
            })
            .collect()
    }
}

/// `study`: the paper's findings beside what the model gives.
#[must_use]
pub fn study(format: Format) -> String {
    let parts = crate::search::study::study();
    match format {
        Format::Text => report::study::text(&parts),
        Format::Json => report::study::json(&parts),
    }
}

/// Does something on as many threads as are asked for.
fn in_pool<T: Send>(jobs: Option<u16>, work: impl FnOnce() -> T + Send) -> Result<T, String> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs.map_or(0, usize::from)).build();
    let pool = pool.map_err(|error| format!("the threads cannot be started: {error}"))?;
    Ok(pool.install(work))
}
