//! Watch a retry from both ends of the wire.
//!
//! The one idea: a [`model::Scenario`] is plain data; [`sim::simulate`] runs it to its end and gives a
//! [`trace::Trace`]; everything else only reads that finished trace.

pub mod cli;
pub mod lesson;
pub mod model;
pub mod report;
pub mod search;
pub mod sim;
pub mod trace;
pub mod tui;
