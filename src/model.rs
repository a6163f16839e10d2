//! What is simulated, and how it is read from a file.

pub mod json;
pub mod key;
pub mod text;
