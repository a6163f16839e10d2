//! The terminal program.

use crate::cli::Theme;
use crate::model::{Scenario, Time};

/// Opens the terminal program on a scenario, and gives the exit status.
///
/// # Errors
///
/// Why it cannot run, in a sentence.
pub fn open(_scenario: &Scenario, _at: Time, _theme: Theme, _ascii: bool) -> Result<u8, String> {
    Err("the terminal program is not built yet".to_owned())
}
