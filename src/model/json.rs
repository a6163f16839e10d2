//! Strict reading of JSON, with errors that say where, what was found and what is allowed.
//!
//! [`parse`] makes a tree of [`Node`]s out of a text and refuses what I-JSON ([RFC 7493]) does not allow: doubled names,
//! lone surrogates and noncharacters, numbers that double precision does not hold. A [`Node`] is a serde
//! [`Deserializer`](serde::Deserializer), stricter than most: unknown fields are refused whether or not the type asks for
//! it, and an array never stands for a struct. So a type needs no more than `#[derive(Deserialize)]`:
//!
//! ```
//! use retryscope::model::json;
//!
//! #[derive(Debug, serde::Deserialize)]
//! #[serde(rename_all = "camelCase")]
//! struct Policy {
//!     max_attempts: u8,
//! }
//!
//! let error = json::from_str::<Policy>(r#"{ "maxAttemps": 3 }"#).unwrap_err();
//! assert_eq!(
//!     error.to_string(),
//!     r#"maxAttemps: unknown field; allowed: maxAttempts (did you mean "maxAttempts"?) (line 1, column 3)"#,
//! );
//! ```
//!
//! What does not hold for a value is said with `serde::de::Error::invalid_value(Unexpected::Str(text), &"what is allowed")`,
//! which quotes the text safely, with `serde::de::Error::custom`, or with the helpers [`whole`] and [`preset_or`]; the path
//! and the place are added on the way up. Only `#[serde(flatten)]` hides from serde
//! which fields a struct has, and so goes without the check for unknown ones.
//!
//! [RFC 7493]: https://www.rfc-editor.org/rfc/rfc7493

mod de;
mod error;
mod forms;
mod node;

pub use error::{Error, quote};
pub use forms::{preset_or, whole};
pub use node::{BYTES_MAX, DEPTH_MAX, Kind, Member, Node, Number, WHOLE_MAX, parse};

use serde::de::DeserializeOwned;

/// Reads a `T` from a JSON text.
///
/// # Errors
/// What is wrong with the text as JSON (see [`parse`]), or with the values in it as a `T`.
pub fn from_str<T: DeserializeOwned>(text: &str) -> Result<T, Error> {
    T::deserialize(&parse(text)?)
}

#[cfg(test)]
mod tests;
