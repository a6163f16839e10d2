//! Ctrl-C in a command that takes a while: it ends with what it has.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use signal_hook::consts::SIGINT;
use signal_hook::flag::{register, register_conditional_default};

/// A flag that is raised when the program is interrupted, instead of its being ended. A second time ends it.
///
/// # Errors
///
/// Where the system does not let signals be caught.
pub fn flag() -> Result<Arc<AtomicBool>, String> {
    let raised = Arc::new(AtomicBool::new(false));
    let said = |error: std::io::Error| format!("signals cannot be caught ({})", error.kind());
    // In this order: the first time it is not yet raised.
    register_conditional_default(SIGINT, Arc::clone(&raised)).map_err(said)?;
    register(SIGINT, Arc::clone(&raised)).map_err(said)?;
    Ok(raised)
}
