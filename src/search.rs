//! Evidence: what a strategy comes to under every fault plan, how likely each outcome is, and maps of both.
//!
//! Everything here is a function of scenarios and numbers, built on counting runs of the [simulator](crate::sim): no
//! clock, no I/O, no chance but what is drawn from a seed. Work is spread over threads where the caller has set up more
//! than one, and results are put together in the order of the work, so that one thread or many give the same bytes.
//!
//! - [`explore`] walks every fault plan within [`Bounds`] and ends with a certificate or the smallest counterexample;
//! - [`instants`] finds the delays at which the order of events changes, so that no grid has to be guessed;
//! - [`odds`] gives the probability of each outcome, and [`sample`] estimates it where the space is too large;
//! - [`table`] runs the same 1,296 plans for every named strategy under every named contract;
//! - [`map`] runs a grid over any two numbers of a scenario, and over the space of policies;
//! - [`turn`] says, along a run, which share of what may still happen ends in a duplicate;
//! - [`study`] puts the paper's findings beside what this model gives.

pub mod bounds;
pub mod chances;
pub mod explore;
pub mod instants;
pub mod map;
pub mod odds;
pub mod sample;
pub mod study;
pub mod table;
pub mod turn;
mod walk;

pub use bounds::{Bounds, Delays, Forbid, Mishap};
pub use chances::{Chances, Lateness};
pub use explore::{Counts, Exploration, Findings};
