//! A JSON text as a tree that knows where in the text each value stands.

use std::collections::BTreeSet;
use std::fmt;

use serde::de::{Deserializer as _, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::error::{Error, quote};
use crate::model::text::is_noncharacter;

/// How deep arrays and objects may be nested.
pub const DEPTH_MAX: usize = 64;
/// How long a text may be, in bytes.
pub const BYTES_MAX: usize = 1 << 20;
/// The greatest whole number up to which double precision holds every one: 2^53 - 1 (RFC 7493, section 2.2).
pub const WHOLE_MAX: u64 = (1 << 53) - 1;

/// Names by which `serde_json` passes notes to itself. As a name in a file one would make it read a string as JSON.
const RESERVED: &str = "$serde_json::private::";

/// One value of a JSON text.
#[derive(Clone, Debug)]
pub struct Node<'a> {
    /// What the value is.
    pub kind: Kind<'a>,
    text: &'a str,
    offset: usize,
}

/// What a value is.
#[derive(Clone, Debug)]
pub enum Kind<'a> {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number, and how it is written.
    Number(Number, &'a str),
    /// A string, its escapes resolved.
    String(String),
    /// An array.
    Array(Vec<Node<'a>>),
    /// An object: its names, none of them twice, in the order of the text.
    Object(Vec<Member<'a>>),
}

/// A number, as it is written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// Written without a fraction or an exponent, and no further from 0 than [`WHOLE_MAX`].
    Whole(i64),
    /// Any other number.
    Float(f64),
}

/// A name in an object and the value under it.
#[derive(Clone, Debug)]
pub struct Member<'a> {
    /// The name, its escapes resolved.
    pub name: String,
    /// The value.
    pub value: Node<'a>,
    pub(super) name_offset: usize,
}

/// Reads a JSON text (RFC 8259) as I-JSON (RFC 7493).
///
/// # Errors
/// Besides what is not JSON at all: a text longer than [`BYTES_MAX`]; nesting deeper than [`DEPTH_MAX`]; a name that an
/// object holds twice (RFC 7493, section 2.3); lone surrogates and noncharacters (2.1); numbers that double precision
/// does not hold as they are written, in size or in digits (2.2).
pub fn parse(text: &str) -> Result<Node<'_>, Error> {
    if text.len() > BYTES_MAX {
        return Err(Error::found(format_args!("{} bytes", text.len()), format_args!("at most {BYTES_MAX} bytes")));
    }
    // One pass over the whole text finds every fault in the syntax, with its true place, before any value is looked at.
    let raw: &RawValue = serde_json::from_str(text).map_err(|error| syntax(text, &error))?;
    Source(text).node(raw, 0)
}

impl Node<'_> {
    /// Line and column, each counted from 1, the column in characters.
    #[must_use]
    pub fn place(&self) -> (usize, usize) {
        place(self.text, self.offset)
    }

    /// The error "found .., allowed: `allowed`" about this value, with its place.
    #[must_use]
    pub fn refused(&self, allowed: impl fmt::Display) -> Error {
        Error::found(self.describe(), allowed).or_at(|| self.place())
    }

    pub(super) fn place_of_name(&self, member: &Member<'_>) -> (usize, usize) {
        place(self.text, member.name_offset)
    }

    /// The value as an error says it: short ones as they are written, the others by their kind.
    pub(super) fn describe(&self) -> String {
        match &self.kind {
            Kind::Null => "null".to_owned(),
            Kind::Bool(value) => value.to_string(),
            Kind::Number(_, written) => cut(written),
            Kind::String(text) => quote(text),
            Kind::Array(_) => "an array".to_owned(),
            Kind::Object(_) => "an object".to_owned(),
        }
    }
}

/// The whole text. Each step takes one value of it apart into the values that it holds; each of those is a slice of the
/// text and so knows where it stands.
#[derive(Clone, Copy)]
struct Source<'a>(&'a str);

impl<'a> Source<'a> {
    fn node(self, raw: &'a RawValue, depth: usize) -> Result<Node<'a>, Error> {
        let offset = self.offset(raw);
        self.kind(raw, depth)
            .map(|kind| Node { kind, text: self.0, offset })
            .map_err(|error| error.or_at(|| place(self.0, offset)))
    }

    /// Where a slice of the text starts in it.
    fn offset(self, raw: &RawValue) -> usize {
        raw.get().as_ptr().addr() - self.0.as_ptr().addr()
    }

    fn kind(self, raw: &'a RawValue, depth: usize) -> Result<Kind<'a>, Error> {
        let written = raw.get();
        match written.as_bytes()[0] {
            b'{' | b'[' if depth == DEPTH_MAX => {
                Err(Error::new(format!("nested too deep, allowed: {DEPTH_MAX} levels")))
            }
            b'{' => self.object(written, depth + 1).map(Kind::Object),
            b'[' => self.array(written, depth + 1).map(Kind::Array),
            b'"' => string(raw).map(Kind::String),
            b'n' => Ok(Kind::Null),
            b't' => Ok(Kind::Bool(true)),
            b'f' => Ok(Kind::Bool(false)),
            _ => number(written).map(|number| Kind::Number(number, written)),
        }
    }

    fn array(self, written: &'a str, depth: usize) -> Result<Vec<Node<'a>>, Error> {
        let items: Vec<&RawValue> = serde_json::from_str(written).map_err(|error| checked_before(&error))?;
        let nodes = items.into_iter().enumerate();
        nodes.map(|(index, raw)| self.node(raw, depth).map_err(|error| error.under_index(index))).collect()
    }

    fn object(self, written: &'a str, depth: usize) -> Result<Vec<Member<'a>>, Error> {
        let pairs = serde_json::Deserializer::from_str(written)
            .deserialize_map(Pairs)
            .map_err(|error| checked_before(&error))?;
        let mut seen = BTreeSet::new();
        let mut members = Vec::with_capacity(pairs.len());
        for (raw_name, raw_value) in pairs {
            let name_offset = self.offset(raw_name);
            let at_name = |error: Error| error.or_at(|| place(self.0, name_offset));
            let name = string(raw_name).map_err(at_name)?;
            if name.starts_with(RESERVED) {
                return Err(at_name(Error::new("the name is reserved, allowed: any other").under_name(&name)));
            }
            if !seen.insert(name.clone()) {
                return Err(at_name(Error::new("the name stands here twice, allowed: once").under_name(&name)));
            }
            let value = self.node(raw_value, depth).map_err(|error| error.under_name(&name))?;
            members.push(Member { name, value, name_offset });
        }
        Ok(members)
    }
}

/// The names and values of one object as they are written, doubled names and all.
struct Pairs;

impl<'de> Visitor<'de> for Pairs {
    type Value = Vec<(&'de RawValue, &'de RawValue)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut pairs = Vec::new();
        while let Some(pair) = map.next_entry()? {
            pairs.push(pair);
        }
        Ok(pairs)
    }
}

fn string(raw: &RawValue) -> Result<String, Error> {
    let text: String = serde_json::from_str(raw.get())
        .map_err(|_| Error::found("half of a surrogate pair in a \\u escape", "whole characters"))?;
    match text.chars().find(|c| is_noncharacter(*c)) {
        None => Ok(text),
        Some(c) => Err(Error::found(format_args!("the noncharacter U+{:04X}", u32::from(c)), "characters")),
    }
}

/// A number is good when double precision holds it with all the digits it is written with. 17 digits and fewer always
/// have one double nearest to them, and RFC 8785's own sample has such numbers; but from 2^53 upwards doubles skip whole
/// numbers, and next to 0 they lose digits, so there the double, written out to as many digits, must give the same ones.
/// `0.1`, `1e30` and 17 digits of pi are good; 2^53 + 1, `1e-400` and 30 digits of pi are not.
fn number(written: &str) -> Result<Number, Error> {
    let is_whole = written.bytes().all(|b| b == b'-' || b.is_ascii_digit());
    match written.parse::<i64>() {
        Ok(number) if is_whole && number.unsigned_abs() <= WHOLE_MAX => return Ok(Number::Whole(number)),
        _ => {}
    }
    let refused = |allowed: &str| Err(Error::found(cut(written), allowed));
    match written.parse::<f64>() {
        Ok(number) if number.is_finite() && holds(number, &significant_digits(written)) => Ok(Number::Float(number)),
        Ok(number) if number.is_finite() => {
            refused("a number that double precision holds with all its digits; a longer one can be a string")
        }
        _ => refused("a number up to 1.7976931348623157e308"),
    }
}

/// Whether `number`, the double nearest to some number with these digits, holds all of them.
fn holds(number: f64, digits: &str) -> bool {
    /// So many significant digits tell any two doubles apart.
    const TELLING_DIGITS: usize = 17;
    /// No double has more significant digits than that when it is written out in full.
    const DIGITS_MAX: usize = 767;
    const TWO_TO_53: f64 = 9_007_199_254_740_992.0;

    let common = (f64::MIN_POSITIVE..TWO_TO_53).contains(&number.abs());
    (common && digits.len() <= TELLING_DIGITS)
        || (digits.len() <= DIGITS_MAX
            && significant_digits(&format!("{number:.*e}", digits.len().saturating_sub(1))) == digits)
}

/// The digits of a number without sign, point, exponent, and zeros at either end.
fn significant_digits(written: &str) -> String {
    let mantissa = written.split(['e', 'E']).next().unwrap_or_default();
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    digits.trim_matches('0').to_owned()
}

fn cut(written: &str) -> String {
    crate::model::text::fit(written, 60, "…")
}

/// The pass over the whole text has seen to the syntax, so what is left to refuse here should be nothing.
fn checked_before(error: &serde_json::Error) -> Error {
    Error::new(without_place(error))
}

/// Line and column of a byte in a text, the column in characters.
fn place(text: &str, offset: usize) -> (usize, usize) {
    let before = &text[..char_start(text, offset)];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}

/// The start of the character that holds the byte at `offset`, or the end of the text.
fn char_start(text: &str, offset: usize) -> usize {
    let inside = (0..=offset.min(text.len())).rev();
    inside.into_iter().find(|at| text.is_char_boundary(*at)).unwrap_or_default()
}

/// What `serde_json` says about a text that is no JSON, in words for whoever wrote the file.
fn syntax(text: &str, error: &serde_json::Error) -> Error {
    let line_start: usize = text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
    let mut offset = char_start(text, line_start + error.column().saturating_sub(1));
    let said = without_place(error);
    // The place given is the character before the one that is wrong.
    if said.starts_with("control character") {
        offset += text[offset..].chars().next().map_or(0, char::len_utf8);
    }
    // `-Infinity` is noticed at its second character.
    if text[..offset].ends_with('-') {
        offset -= 1;
    }
    let rest = &text[offset..];
    let hint = [
        ("NaN", "found NaN, allowed: a number (JSON has no NaN)"),
        ("Infinity", "found Infinity, allowed: a number (JSON has no Infinity)"),
        ("-Infinity", "found -Infinity, allowed: a number (JSON has no Infinity)"),
        ("//", "found a comment, allowed: a value or a name (JSON has no comments)"),
        ("/*", "found a comment, allowed: a value or a name (JSON has no comments)"),
        ("#", "found a comment, allowed: a value or a name (JSON has no comments)"),
        ("'", "found a single quote, allowed: text in double quotes"),
        ("\u{feff}", "found a byte order mark, allowed: the text without it"),
    ]
    .into_iter()
    .find_map(|(start, hint)| rest.starts_with(start).then(|| hint.to_owned()));
    let comma = rest.starts_with(['}', ']']) && text[..offset].trim_end().ends_with(',');
    let hint =
        hint.or_else(|| comma.then(|| "found a comma after the last one, allowed: commas between values".to_owned()));

    let message = hint.unwrap_or_else(|| match said.as_str() {
        "trailing characters" => "found text after the end, allowed: one JSON value".to_owned(),
        "EOF while parsing a value" if text.trim().is_empty() => "found nothing, allowed: a JSON value".to_owned(),
        control if control.starts_with("control character") => {
            "found a control character in a string, allowed: its escape, such as \\n or \\t".to_owned()
        }
        eof if error.is_eof() => format!("the text ends too early ({eof})"),
        other => format!("this is no JSON: {other}"),
    });
    Error::new(message).or_at(|| place(text, offset))
}

fn without_place(error: &serde_json::Error) -> String {
    let said = error.to_string();
    said.rsplit_once(" at line ").map_or(said.clone(), |(message, _)| message.to_owned())
}
