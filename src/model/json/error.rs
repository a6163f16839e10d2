//! What is wrong, where, and what is allowed instead.

use std::fmt::{self, Display};

use serde::de::{self, Expected, Unexpected};

use crate::model::text::{Text, fit};

/// How much of a text from the file is quoted, in columns.
const QUOTE_COLUMNS: usize = 60;
/// How much of a path is shown at either end of it, in columns.
const PATH_COLUMNS: usize = 100;

/// Why a JSON text was refused. Everything in it is safe to print.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The place inside the document, such as `fault[0].request.delay`; empty for the document itself.
    pub path: String,
    /// Line and column in the text, each counted from 1, the column in characters.
    pub at: Option<(usize, usize)>,
    /// What was found and what is allowed.
    pub message: String,
}

impl Error {
    /// An error about the value at hand. Its path and place are added on the way up.
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self { path: String::new(), at: None, message: message.into() }
    }

    /// "found .., allowed: ..".
    pub(super) fn found(found: impl Display, allowed: impl Display) -> Self {
        Self::new(format!("found {found}, allowed: {allowed}"))
    }

    /// "found "x", allowed: a, b or c (did you mean "b"?)"; `or` is one more thing that is allowed.
    pub(super) fn unknown_name(name: &str, allowed: &[&str], or: Option<&str>) -> Self {
        let choice: Vec<&str> = allowed.iter().copied().chain(or).collect();
        Self::new(format!("found {}, allowed: {}{}", quote(name), one_of(&choice), did_you_mean(name, allowed)))
    }

    /// The same error, seen from the object that holds the value under `name`.
    #[must_use]
    pub(super) fn under_name(self, name: &str) -> Self {
        let plain = !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
        let step = if plain { fit(name, QUOTE_COLUMNS, "…") } else { format!("[{}]", quote(name)) };
        self.under(step)
    }

    /// The same error, seen from the array that holds the value at `index`.
    #[must_use]
    pub(super) fn under_index(self, index: usize) -> Self {
        self.under(format!("[{index}]"))
    }

    fn under(mut self, mut step: String) -> Self {
        if !self.path.is_empty() && !self.path.starts_with('[') {
            step.push('.');
        }
        self.path.insert_str(0, &step);
        self
    }

    /// Adds the place, unless a closer one is known.
    #[must_use]
    pub(super) fn or_at(mut self, place: impl FnOnce() -> (usize, usize)) -> Self {
        self.at = self.at.or_else(|| Some(place()));
        self
    }
}

impl Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let length = self.path.chars().count();
        if length > 2 * PATH_COLUMNS {
            let head: String = self.path.chars().take(PATH_COLUMNS).collect();
            let tail: String = self.path.chars().skip(length - PATH_COLUMNS).collect();
            write!(f, "{head}…{tail}: ")?;
        } else if length > 0 {
            write!(f, "{}: ", self.path)?;
        }
        f.write_str(&self.message)?;
        match self.at {
            Some((line, column)) => write!(f, " (line {line}, column {column})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Error {}

impl de::Error for Error {
    fn custom<T: Display>(message: T) -> Self {
        Self::new(Text::new(&message.to_string()).as_str())
    }

    fn invalid_type(found: Unexpected<'_>, allowed: &dyn Expected) -> Self {
        Self::found(describe(&found), allowed)
    }

    fn invalid_value(found: Unexpected<'_>, allowed: &dyn Expected) -> Self {
        Self::found(describe(&found), allowed)
    }

    fn invalid_length(length: usize, allowed: &dyn Expected) -> Self {
        Self::found(format_args!("{length} of them"), allowed)
    }

    fn unknown_variant(variant: &str, allowed: &'static [&'static str]) -> Self {
        Self::unknown_name(variant, allowed, None)
    }

    fn unknown_field(field: &str, allowed: &'static [&'static str]) -> Self {
        let list = if allowed.is_empty() { "none".to_owned() } else { allowed.join(", ") };
        Self::new(format!("unknown field; allowed: {list}{}", did_you_mean(field, allowed))).under_name(field)
    }

    fn missing_field(field: &'static str) -> Self {
        Self::new("missing field").under_name(field)
    }

    fn duplicate_field(field: &'static str) -> Self {
        Self::new("the name stands here twice, allowed: once").under_name(field)
    }
}

/// A text from the file as errors show it: in double quotes, made safe and cut to 60 columns.
#[must_use]
pub fn quote(raw: &str) -> String {
    // A name of a megabyte need not be escaped as a whole to show 60 columns of it.
    let head: String = raw.chars().take(4 * QUOTE_COLUMNS).collect();
    let safe = Text::new(&head).replace('"', "\\\"");
    format!("\"{}\"", fit(&safe, QUOTE_COLUMNS, "…"))
}

/// `a`, `a or b`, `a, b or c`.
pub(super) fn one_of(choice: &[&str]) -> String {
    match choice {
        [] => "nothing".to_owned(),
        [only] => (*only).to_owned(),
        [most @ .., last] => format!("{} or {last}", most.join(", ")),
    }
}

/// The hint for a name that is nearly one of the allowed ones, or nothing.
fn did_you_mean(name: &str, allowed: &[&str]) -> String {
    let length = name.chars().count();
    // The distance is quadratic in the length, and no allowed name is anywhere near as long.
    if length > QUOTE_COLUMNS {
        return String::new();
    }
    let lower = name.to_lowercase();
    let near = allowed
        .iter()
        .map(|candidate| (strsim::damerau_levenshtein(&lower, &candidate.to_lowercase()), candidate))
        .filter(|(distance, candidate)| *distance <= (length.min(candidate.len()) / 3).max(1) && length > 1)
        .min_by_key(|(distance, _)| *distance);
    near.map(|(_, candidate)| format!(" (did you mean \"{candidate}\"?)")).unwrap_or_default()
}

fn describe(found: &Unexpected<'_>) -> String {
    match found {
        Unexpected::Str(text) => quote(text),
        Unexpected::Bool(value) => value.to_string(),
        Unexpected::Unsigned(number) => number.to_string(),
        Unexpected::Signed(number) => number.to_string(),
        Unexpected::Float(number) => format!("{number:?}"),
        Unexpected::Unit | Unexpected::Option => "null".to_owned(),
        Unexpected::Seq => "an array".to_owned(),
        Unexpected::Map => "an object".to_owned(),
        other => Text::new(&other.to_string()).to_string(),
    }
}
