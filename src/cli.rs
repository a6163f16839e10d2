//! The command line as types. What the commands print is made by [`report`](crate::report); this only says what can be
//! asked for.

pub mod commands;
pub mod evidence;
pub mod input;
pub mod interrupt;
pub mod output;
pub mod pages;
pub mod screen;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::error::{ContextValue, Error};
use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::model::by_name::Preset;
use crate::model::task::Name;
use crate::model::text::{Text, fit, is_hidden};
use crate::model::{Contract, Fault, Scenario, Strategy, Time};
use crate::sim::TooManyEvents;
use crate::tui::theme::Theme;

/// How much of an argument an error quotes, in columns.
const QUOTE_COLUMNS: usize = 60;

const EXAMPLES: &str = "\
Examples:
  retryscope                            the lesson, about ten minutes
  retryscope --fault lost-ack           step through a lost answer
  retryscope run --fault redelivery     read a run as a story
  retryscope check mine.json            fail when a policy charges twice

Exit status: 0 when all is well, 1 when a check did not hold or output could not be
written, 2 when arguments or a file are wrong, 128+n when signal n ended the program.";

const RUN_EXAMPLES: &str = "\
Examples:
  retryscope run
  retryscope run --strategy pinned-intent-key --fault lost-ack
  retryscope run --scenario mine.json --format json";

const CHECK_EXAMPLES: &str = "\
Examples:
  retryscope check mine.json
  retryscope check --format json scenarios/*.json
  generate-scenario | retryscope check -

Exit status: 0 when every run is as its file expects or, where it expects nothing, exactly-once; 1 when one is not;
2 when a file cannot be used.
When a file cannot be used, no verdict is printed.";

const KEY_EXAMPLES: &str = r#"Examples:
  retryscope key --task task-42 --tool create_charge --args '{"customer": "acme", "amountCents": 4900}'"#;

const LESSON_EXAMPLES: &str = "\
Examples:
  retryscope lesson new > mine.json
  retryscope lesson check mine.json

Exit status: 0 when nothing is wrong, 1 when something is, 2 when the file cannot be read.";

const EXPLORE_EXAMPLES: &str = "\
Examples:
  retryscope explore --strategy pinned-intent-key --contract stripe-v1
  retryscope explore --scenario mine.json --forbid duplicate,false-success,false-failure
  retryscope explore --scenario mine.json --out worst.json && echo safe within these bounds

Exit status: 0 when nothing forbidden happens within the bounds, 1 when it does, 2 when the bounds or a
file cannot be used, 130 when Ctrl-C ended the search; what it found by then is printed.";

const ODDS_EXAMPLES: &str = "\
Examples:
  retryscope odds
  retryscope odds --strategy naive-retry,guard --contract paypal
  retryscope odds --scenario mine.json --odds chances.json --format json

A file of chances: { \"calls\": { \"request-lost\": 0.01, \"request-late\": 0.002 },
  \"lookups\": { \"read-error\": 0.01 }, \"lateness\": { \"from\": \"40s\", \"to\": \"2h\" }, \"copiesApart\": \"1s\" }";

const SUMMARY_EXAMPLES: &str = "\
Examples:
  retryscope summary
  retryscope summary --format markdown > runs.md
  retryscope summary --contract github-create-issue
  retryscope summary --strategies guard,pinned-intent-key --faults all --contract stripe-v1";

/// Watch a retry from both ends of the wire.
///
/// An agent calls a tool, the call times out, the agent tries again, and a card is charged twice while the agent reports
/// success. retryscope shows on a simulated clock what the client saw beside what the service did. Without a command it
/// opens in the terminal; where there is no terminal, it prints the summary.
#[derive(Debug, Parser)]
#[command(name = "retryscope", version, after_help = EXAMPLES, args_conflicts_with_subcommands = true)]
#[command(max_term_width = 110, disable_help_subcommand = true)]
pub struct Cli {
    /// What the terminal program opens with.
    #[command(flatten)]
    pub screen: Screen,
    /// What to do instead of opening in the terminal.
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// What the terminal program opens with.
#[derive(Debug, Args)]
pub struct Screen {
    /// Which run.
    #[command(flatten)]
    pub which: Which,
    /// Open on the summary: every strategy under every fault
    #[arg(long, conflicts_with_all = ["lesson", "booth"])]
    pub matrix: bool,
    /// Of which runs the summary is made.
    #[command(flatten)]
    pub sets: SetOptions,
    /// Open a run at this time of it, such as 00:37 or 37s
    #[arg(long, value_name = "TIME")]
    pub at: Option<Time>,
    /// Give this lesson instead of the built-in one
    #[arg(long, value_name = "FILE")]
    pub lesson: Option<PathBuf>,
    /// Play the lesson by itself, in a loop, until a key is pressed
    #[arg(long = "loop", conflicts_with_all = ["strategy", "fault", "contract", "scenario", "at"])]
    pub booth: bool,
    /// Colours and signs.
    #[command(flatten)]
    pub look: LookOptions,
}

/// Colours and signs.
#[derive(Debug, Args)]
pub struct LookOptions {
    /// Colours.
    #[arg(long, value_name = "THEME", help = "Colours [default: default, or mono where NO_COLOR is set]")]
    pub theme: Option<Theme>,
    /// Draw with ASCII characters only
    #[arg(long)]
    pub ascii: bool,
}

/// Of which runs a summary is made.
#[derive(Clone, Debug, Default, Args)]
pub struct SetOptions {
    /// These strategies, in this order; all is every one that has a name [default: the four]
    #[arg(long, value_name = "STRATEGY,...", value_delimiter = ',', value_parser = sets_of::<Strategy>())]
    pub strategies: Vec<Set<Strategy>>,
    /// These faults, in this order; all is every one that has a name [default: the four]
    #[arg(long, value_name = "FAULT,...", value_delimiter = ',', value_parser = sets_of::<Fault>())]
    pub faults: Vec<Set<Fault>>,
}

/// One that has a name, or all of them.
#[derive(Clone, Debug)]
pub struct Set<T>(Vec<T>);

/// Which run.
#[derive(Debug, Args)]
pub struct Which {
    /// How the agent retries [default: verify-then-retry]
    #[arg(long, value_name = "STRATEGY", value_parser = strategies())]
    pub strategy: Option<Strategy>,
    /// What goes wrong on the wire [default: late-commit]
    #[arg(long, value_name = "FAULT", value_parser = faults())]
    pub fault: Option<Fault>,
    /// What the service promises [default: keyed]
    #[arg(long, value_name = "CONTRACT", value_parser = contracts())]
    pub contract: Option<Contract>,
    /// Read strategy, fault and all the rest from a file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["strategy", "fault", "contract"])]
    pub scenario: Option<PathBuf>,
}

/// What to do instead of opening in the terminal.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Print what every strategy comes to under every fault: 16 runs, or as many as are asked for
    #[command(after_help = SUMMARY_EXAMPLES)]
    Summary {
        /// Which runs.
        #[command(flatten)]
        sets: SetOptions,
        /// What the service promises [default: keyed]
        #[arg(long, value_name = "CONTRACT", value_parser = contracts())]
        contract: Option<Contract>,
        /// How to print it
        #[arg(long, value_name = "FORMAT", default_value = "text")]
        format: SummaryFormat,
    },
    /// Print one run as a story, line by line, or as JSON
    #[command(after_help = RUN_EXAMPLES)]
    Run {
        /// Which run.
        #[command(flatten)]
        which: Box<Which>,
        /// How to print it
        #[arg(long, value_name = "FORMAT", default_value = "text")]
        format: Format,
    },
    /// Run scenario files and fail when one is not as it expects or, where it expects nothing, not exactly-once
    #[command(after_help = CHECK_EXAMPLES)]
    Check {
        /// Scenario files; - is standard input
        #[arg(value_name = "FILE", required = true)]
        files: Vec<PathBuf>,
        /// How to print the verdicts: a line a file, or a JSON object a line
        #[arg(long, value_name = "FORMAT", default_value = "text")]
        format: Format,
    },
    /// Print the JSON Schema of a scenario file
    Schema,
    /// Make a scenario file
    Scenario {
        /// What to do
        #[command(subcommand)]
        command: ScenarioCommand,
    },
    /// Print the shipped cases, and what each comes to
    Cases {
        /// How to print them
        #[arg(long, value_name = "FORMAT", default_value = "text")]
        format: Format,
    },
    /// Print the intent key of a tool call
    #[command(after_help = KEY_EXAMPLES)]
    Key {
        /// The task's id, the same for every attempt at it
        #[arg(long, value_name = "ID", value_parser = Name::new)]
        task: Name,
        /// The tool's name
        #[arg(long, value_name = "NAME", value_parser = Name::new)]
        tool: Name,
        /// The tool's arguments, a JSON object
        #[arg(long, value_name = "JSON")]
        args: String,
    },
    /// Write lessons: chapters of beats that the terminal program plays
    #[command(subcommand, after_help = LESSON_EXAMPLES)]
    Lesson(LessonCommand),
    /// Show the presenter's notes and the next page of a lesson that is given in another terminal
    Notes {
        /// Colours and signs.
        #[command(flatten)]
        look: LookOptions,
    },
    /// Search every fault plan within bounds: a certificate, or the smallest counterexample
    #[command(after_help = EXPLORE_EXAMPLES)]
    Explore(Box<evidence::Explore>),
    /// Print how likely each outcome is, strategies side by side
    #[command(after_help = ODDS_EXAMPLES)]
    Odds(Box<evidence::OddsOf>),
    /// Print the paper's findings beside what this model gives
    Study {
        /// How to print it
        #[arg(long, value_name = "FORMAT", default_value = "text")]
        format: Format,
    },
    /// Print a completion script for a shell
    Completions {
        /// The shell
        #[arg(value_name = "SHELL")]
        shell: clap_complete::Shell,
    },
    /// Print the manual page (read it with: retryscope man | man -l -)
    Man,
}

/// What to do about a lesson.
#[derive(Debug, Subcommand)]
pub enum LessonCommand {
    /// Print everything that is wrong with a lesson file, and where
    #[command(after_help = LESSON_EXAMPLES)]
    Check {
        /// The lesson file; - is standard input
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
    /// Print a small lesson to start from
    New,
}

/// What to do about a scenario file.
#[derive(Clone, Copy, Debug, Subcommand)]
pub enum ScenarioCommand {
    /// Print a file to start from, with everything in it that is often changed
    New,
}

/// For people or for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Plain text
    Text,
    /// JSON
    Json,
}

/// For people, for programs, or for a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SummaryFormat {
    /// Plain text
    Text,
    /// JSON
    Json,
    /// Markdown tables
    Markdown,
}

impl Cli {
    /// Reads the command line.
    ///
    /// # Errors
    ///
    /// What is wrong with it, or the help that it asks for. Safe to print, whatever the arguments hold.
    pub fn read(args: impl IntoIterator<Item = OsString>) -> Result<Self, Error> {
        Self::try_parse_from(args).map_err(safe)
    }
}

impl Screen {
    /// Whether a run is asked for, and not the lesson.
    #[must_use]
    pub const fn asks_for_a_run(&self) -> bool {
        let which = &self.which;
        let run = which.strategy.is_some() || which.fault.is_some() || which.scenario.is_some() || self.at.is_some();
        run || which.contract.is_some() || self.asks_for_the_matrix()
    }

    /// Whether the summary is asked for.
    #[must_use]
    pub const fn asks_for_the_matrix(&self) -> bool {
        self.matrix || !self.sets.strategies.is_empty() || !self.sets.faults.is_empty()
    }
}

impl Which {
    /// The scenario that is asked for; verify-then-retry and late-commit where nothing else is.
    ///
    /// # Errors
    ///
    /// Why the file cannot be used.
    ///
    /// # Panics
    ///
    /// Never: the defaults are presets.
    pub fn scenario(&self) -> Result<Scenario, String> {
        if let Some(file) = &self.scenario {
            return input::scenario(file);
        }
        let strategy = self.strategy.clone().or_else(|| Strategy::preset("verify-then-retry"));
        let fault = self.fault.clone().or_else(|| Fault::preset("late-commit"));
        let mut scenario = Scenario::new(strategy.expect("a preset"), fault.expect("a preset"));
        scenario.contract = self.contract.clone().unwrap_or_default();
        scenario.check()?;
        Ok(scenario)
    }

    /// What is wrong with the run, and the file that asked for it.
    #[must_use]
    pub fn said(&self, error: &TooManyEvents) -> String {
        match &self.scenario {
            Some(file) => format!("{}: {error}", input::shown(file)),
            None => error.to_string(),
        }
    }
}

impl SetOptions {
    /// The strategies that are asked for, each once; the four where none is.
    #[must_use]
    pub fn strategies(&self) -> Vec<Strategy> {
        if self.strategies.is_empty() { Strategy::presets().to_vec() } else { each_once(&self.strategies) }
    }

    /// The faults that are asked for, each once; the four where none is.
    #[must_use]
    pub fn faults(&self) -> Vec<Fault> {
        if self.faults.is_empty() { Fault::presets().to_vec() } else { each_once(&self.faults) }
    }
}

fn each_once<T: Clone + PartialEq>(sets: &[Set<T>]) -> Vec<T> {
    let mut found: Vec<T> = Vec::new();
    for one in sets.iter().flat_map(|Set(set)| set) {
        if !found.contains(one) {
            found.push(one.clone());
        }
    }
    found
}

/// The word for every one that has a name.
const ALL: &str = "all";

fn sets_of<T: Preset + Clone + Send + Sync>() -> impl TypedValueParser<Value = Set<T>> {
    let names = T::NAMES.iter().copied().chain([ALL]);
    PossibleValuesParser::new(names.collect::<Vec<_>>()).map(|name| {
        let one = || T::named(&name).into_iter().collect();
        Set(if name == ALL { T::all() } else { one() })
    })
}

fn strategies() -> impl TypedValueParser<Value = Strategy> {
    PossibleValuesParser::new(Strategy::NAMES).map(|name| Strategy::preset(&name).expect("only presets get here"))
}

fn faults() -> impl TypedValueParser<Value = Fault> {
    PossibleValuesParser::new(Fault::NAMED).map(|name| Fault::preset(&name).expect("only presets get here"))
}

fn contracts() -> impl TypedValueParser<Value = Contract> {
    PossibleValuesParser::new(Contract::PRESETS).map(|name| Contract::preset(&name).expect("only presets get here"))
}

/// clap quotes arguments as they are, and lays the quotes out only when it prints them: until then they can be made safe.
fn safe(mut error: Error) -> Error {
    let quote = |raw: &str| fit(&Text::new(raw), QUOTE_COLUMNS, "...");
    let quotes: Vec<_> = error.context().map(|(kind, value)| (kind, value.clone())).collect();
    for (kind, value) in quotes {
        let value = match value {
            ContextValue::String(raw) => ContextValue::String(quote(&raw)),
            ContextValue::Strings(raw) => ContextValue::Strings(raw.iter().map(|raw| quote(raw)).collect()),
            // Advice that repeats an argument; it can be spared.
            ContextValue::StyledStrs(tips) if tips.iter().any(|tip| tip.to_string().contains(is_hidden)) => {
                ContextValue::None
            }
            other => other,
        };
        error.insert(kind, value);
    }
    error
}
