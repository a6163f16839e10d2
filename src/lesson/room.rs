//! How much room each text of a lesson has, so that it can be read at 80×24 and still at 60×18.
//!
//! The player's layout and the check use the same numbers: a text that passes is shown whole.

use crate::model::text::{fit, width, wrap};

/// Room for a text: so many rows of so many terminal columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    /// How many lines.
    pub rows: usize,
    /// How wide each is.
    pub columns: usize,
}

/// The title of the lesson.
pub const TITLE: Room = Room { rows: 1, columns: 40 };
/// What the lesson teaches.
pub const ABOUT: Room = Room { rows: 3, columns: 58 };
/// The title of a chapter.
pub const CHAPTER: Room = Room { rows: 1, columns: 34 };
/// The sentences of a beat, or of a reveal, together.
pub const SAY: Room = Room { rows: 3, columns: 58 };
/// The presenter's note.
pub const NOTE: Room = Room { rows: 3, columns: 58 };
/// A question.
pub const ASK: Room = Room { rows: 2, columns: 56 };
/// An option of a question.
pub const OPTION: Room = Room { rows: 1, columns: 50 };
/// Why an option is right or tempting.
pub const WHY: Room = Room { rows: 2, columns: 56 };

impl Room {
    /// What is wrong with `text` in this room, if anything: that it says nothing, or takes more room.
    #[must_use]
    pub fn refuses(self, text: &str) -> Option<String> {
        let Self { rows, columns } = self;
        let lines = wrap(text, columns);
        if text.trim().is_empty() {
            return Some("found no words, allowed: text".to_owned());
        }
        if rows == 1 && width(text) > columns {
            return Some(format!("found {} columns, allowed: at most {columns} columns", width(text)));
        }
        if let Some(wide) = lines.iter().find(|line| width(line) > columns) {
            let word = fit(wide, 20, "...");
            return Some(format!("found a word too wide for a line, \"{word}\", allowed: at most {columns} columns"));
        }
        let found = lines.len();
        (found > rows).then(|| format!("found {found} lines of {columns} columns, allowed: at most {rows}"))
    }
}
