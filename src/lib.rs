//! Watch a retry from both ends of the wire.
//!
//! An agent calls a tool, the call times out, the agent tries again, and a card is charged twice while the agent reports
//! "completed". This crate simulates that, shows it in a terminal and checks retry policies against it.
//!
//! The one idea: a [`Scenario`](model::Scenario) is plain data, [`simulate`](sim::simulate) runs it to its end at once,
//! and everything else only reads the finished [`Trace`](trace::Trace), as a pure function of the trace and a time.
//!
//! ```
//! use retryscope::model::{Fault, Scenario, Strategy, Time};
//! use retryscope::sim::simulate;
//! use retryscope::trace::{Belief, Snapshot, Tally, Verdict};
//!
//! let strategy = Strategy::preset("verify-then-retry").unwrap();
//! let fault = Fault::preset("late-commit").unwrap();
//! let trace = simulate(&Scenario::new(strategy, fault)).unwrap();
//!
//! // After 40 s the agent is sure of one charge, and there is one.
//! let world = Snapshot::at(&trace, Time::from_ms(40_000));
//! assert_eq!((world.belief(), world.ledger.len()), (Belief::Done, 1));
//!
//! // After 90 s the request that timed out lands after all. The agent has reported, and does not know.
//! let world = Snapshot::at(&trace, Time::from_ms(90_000));
//! assert_eq!((world.belief(), world.ledger.len()), (Belief::Done, 2));
//!
//! let outcome = Tally::of(&trace).outcome();
//! assert_eq!((outcome.verdict(), outcome.is_quiet()), (Verdict::Duplicate, true));
//! ```
//!
//! # The modules, as data flows through them
//!
//! ```text
//! cli ──▶ model ──▶ sim ──▶ trace ──▶ report
//!                    │           └──▶ tui
//!                    └──▶ search ──▶ both
//! ```
//!
//! - [`cli`]: the command line as types, and what each command does.
//! - [`model`]: what is simulated, as data: task and intent key, strategy, fault, contract, the scenario and its file
//!   form, time.
//! - [`sim`]: a scenario in, a trace out. A queue, a harness that reads the strategy, a network that reads the fault, a
//!   service that reads the contract. What chance is asked for comes from the scenario's seed, and no clock of the machine is read.
//! - [`trace`]: what happened: events in time order, the world at an instant, the outcome, and all of it in plain
//!   sentences.
//! - [`lesson`]: a walkthrough as data: chapters of beats, each a run and where its clock stands; and its check.
//! - [`search`]: every fault plan within bounds, the odds, maps, and the paper's study: what many runs come to.
//! - [`report`]: traces and outcomes as text, JSON and Markdown, a file an output.
//! - [`tui`]: the terminal program: a loop that borrows the terminal, the state and its keys, themes, and a small file a
//!   pane.
//!
//! Imports run one way: `report` and `tui` read `trace`, `sim` writes it, and all rest on `model`. Only `tui` knows that
//! there is a terminal. `tests/architecture.rs` keeps it so.

pub mod cli;
pub mod lesson;
pub mod model;
pub mod report;
pub mod search;
pub mod sim;
pub mod trace;
pub mod tui;
