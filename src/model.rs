//! What is simulated, as plain data: the task and its intent key, the strategy, the fault, the contract,
//! and the scenario that puts them together with the network and the horizon.
//!
//! The presets are values of the same types that a user writes in a scenario file; nothing here or
//! further on asks which preset it has been given.

pub mod by_name;
pub mod cast;
pub mod contract;
pub mod draw;
pub mod fault;
pub mod gallery;
pub mod json;
pub mod key;
pub mod kind;
pub mod number;
pub mod scenario;
pub mod strategy;
pub mod task;
pub mod text;
pub mod time;

pub use cast::{AgentId, ArgsId, TaskId};
pub use contract::Contract;
pub use fault::{Fault, FaultPlan};
pub use scenario::Scenario;
pub use strategy::Strategy;
pub use task::Task;
pub use text::Text;
pub use time::{Span, TICK, Time};
