//! The built-in lesson against its check and against the traces that it talks about; the check against broken lessons.

use super::*;

mod built_in;
mod findings;
