//! Simulated time: an integer count of milliseconds. No clock of this machine is read here.

use std::borrow::Cow;
use std::fmt;
use std::ops::{Add, Sub};
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::text::{Text, fit};

/// An instant of a run: milliseconds since its start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Time(u64);

/// A length of time in milliseconds, from 0 to [`Span::MAX`]. Written as a whole number and a unit:
/// `250ms`, `90s`, `15m`, `24h`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span(u64);

/// One step of the clock on screen.
pub const TICK: Span = Span::secs(1);

impl Time {
    /// The start of every run.
    pub const ZERO: Self = Self(0);

    /// The instant `ms` milliseconds after the start.
    #[must_use]
    pub const fn from_ms(ms: u64) -> Self {
        Self(ms)
    }

    /// Milliseconds since the start.
    #[must_use]
    pub const fn as_ms(self) -> u64 {
        self.0
    }

    /// How long ago `earlier` was; nothing where it is not earlier.
    #[must_use]
    pub const fn since(self, earlier: Self) -> Span {
        Span(self.0.saturating_sub(earlier.0))
    }

    /// The instant `span` before, or the start where that would lie before it.
    #[must_use]
    pub const fn back(self, span: Span) -> Self {
        Self(self.0.saturating_sub(span.0))
    }
}

impl Span {
    /// No time at all.
    pub const ZERO: Self = Self(0);
    /// The longest span that a scenario can ask for: 366 days. Sums of as many spans as a run can
    /// have events stay far below the range of the integer.
    pub const MAX: Self = Self::hours(366 * 24);
    /// How a span is written, for error messages.
    pub const FORM: &'static str = "a whole number and a unit, such as 250ms, 90s, 15m, 24h";

    /// `n` milliseconds.
    #[must_use]
    pub const fn ms(n: u64) -> Self {
        Self(n)
    }

    /// `n` seconds.
    #[must_use]
    pub const fn secs(n: u64) -> Self {
        Self(n * 1_000)
    }

    /// `n` hours.
    #[must_use]
    pub const fn hours(n: u64) -> Self {
        Self(n * 3_600_000)
    }

    /// In milliseconds.
    #[must_use]
    pub const fn as_ms(self) -> u64 {
        self.0
    }

    /// The span as people read it: `30 s`, `250 ms`, `2 min`, `24 h`. The largest unit that leaves no rest.
    #[must_use]
    pub fn human(self) -> String {
        let (number, unit) = self.in_largest_unit(120);
        let unit = if unit == "m" { "min" } else { unit };
        format!("{number} {unit}")
    }

    /// A span of at least 1 ms, for serde's `deserialize_with`.
    ///
    /// # Errors
    ///
    /// As for any span, and where it is no time at all.
    pub fn deserialize_nonzero<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Self::deserialize(deserializer)? {
            Self::ZERO => Err(de::Error::custom("found no time at all, allowed: at least 1ms")),
            span => Ok(span),
        }
    }

    /// The largest unit that leaves no rest; seconds are kept below `keep_secs_below`.
    const fn in_largest_unit(self, keep_secs_below: u64) -> (u64, &'static str) {
        match self.0 {
            0 => (0, "s"),
            ms if ms % 1_000 != 0 => (ms, "ms"),
            ms if ms % 60_000 != 0 || ms / 1_000 < keep_secs_below => (ms / 1_000, "s"),
            ms if ms % 3_600_000 != 0 => (ms / 60_000, "m"),
            ms => (ms / 3_600_000, "h"),
        }
    }
}

impl Add<Span> for Time {
    type Output = Self;
    fn add(self, span: Span) -> Self {
        Self(self.0 + span.0)
    }
}

impl Add for Span {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Sub for Time {
    type Output = Span;
    fn sub(self, earlier: Self) -> Span {
        Span(self.0 - earlier.0)
    }
}

impl fmt::Display for Time {
    /// As a clock: `00:37`, `01:30`, `1:00:35`; with milliseconds where there are any: `00:37.250`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (ms, secs) = (self.0 % 1_000, self.0 / 1_000);
        let clock = if secs < 3_600 {
            format!("{:02}:{:02}", secs / 60, secs % 60)
        } else {
            format!("{}:{:02}:{:02}", secs / 3_600, secs / 60 % 60, secs % 60)
        };
        if ms == 0 { f.pad(&clock) } else { f.pad(&format!("{clock}.{ms:03}")) }
    }
}

impl fmt::Display for Span {
    /// As in a scenario file: `90s`, `250ms`, `1h`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (number, unit) = self.in_largest_unit(60);
        f.pad(&format!("{number}{unit}"))
    }
}

impl FromStr for Span {
    type Err = String;

    /// # Errors
    ///
    /// What was found and what is allowed, where `text` is not [`Span::FORM`] or longer than [`Span::MAX`].
    fn from_str(text: &str) -> Result<Self, String> {
        let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let unit = match &text[digits..] {
            "ms" => 1,
            "s" => 1_000,
            "m" => 60_000,
            "h" => 3_600_000,
            _ => 0,
        };
        if digits == 0 || unit == 0 {
            return Err(format!("found {}, allowed: {}", quote(text), Self::FORM));
        }
        text[..digits]
            .parse()
            .ok()
            .and_then(|n: u64| n.checked_mul(unit))
            .map(Self)
            .filter(|span| *span <= Self::MAX)
            .ok_or_else(|| format!("found {}, allowed: at most {}", quote(text), Self::MAX))
    }
}

impl FromStr for Time {
    type Err = String;

    /// # Errors
    ///
    /// What was found and what is allowed, where `text` is neither a clock such as `00:37`, `1:00:35` or `00:37.250`,
    /// nor a span since the start such as `37s`; and where it is later than [`Span::MAX`].
    fn from_str(text: &str) -> Result<Self, String> {
        let span = if text.contains(':') { read_clock(text) } else { text.parse().ok() };
        span.filter(|span| *span <= Span::MAX).map(|span| Self(span.0)).ok_or_else(|| {
            let found = quote(text);
            format!(
                "found {found}, allowed: a clock such as 00:37 or 1:00:35, or a time such as 37s, up to {}",
                Span::MAX
            )
        })
    }
}

/// Hours if any, minutes and seconds, each but the first below 60, and thousandths if any.
fn read_clock(text: &str) -> Option<Span> {
    let number = |digits: &str| -> Option<u64> {
        let plain = (1..=4).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit());
        if plain { digits.parse().ok() } else { None }
    };
    let (clock, ms) = match text.split_once('.') {
        Some((clock, ms)) if ms.len() == 3 => (clock, number(ms)?),
        Some(_) => return None,
        None => (text, 0),
    };
    let parts: Vec<u64> = clock.split(':').map(number).collect::<Option<_>>()?;
    let sixties = parts.iter().skip(1).all(|part| *part < 60);
    let secs = parts.iter().fold(0, |sum, part| sum * 60 + part);
    ((2..=3).contains(&parts.len()) && sixties).then(|| Span::ms(secs * 1_000 + ms))
}

/// What was written, safe to print and cut.
fn quote(text: &str) -> String {
    let head: String = text.chars().take(100).collect();
    format!("\"{}\"", fit(&Text::new(&head), 40, "..."))
}

impl Serialize for Span {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Span {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl de::Visitor<'_> for Visitor {
            type Value = Span;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(Span::FORM)
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<Span, E> {
                text.parse().map_err(E::custom)
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

impl JsonSchema for Span {
    fn schema_name() -> Cow<'static, str> {
        "Span".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "description": format!("{}; at most {}", Self::FORM, Self::MAX),
            "pattern": "^[0-9]+(ms|s|m|h)$",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_a_whole_number_and_a_unit() {
        for (text, ms) in [("250ms", 250), ("90s", 90_000), ("15m", 900_000), ("24h", 86_400_000), ("0s", 0)] {
            assert_eq!(text.parse::<Span>().map(Span::as_ms), Ok(ms), "{text}");
        }
        for text in ["", "s", "30", "30 s", "-1s", "1.5s", "30sec", "1d", "٣s", "99999999999999999999h", "8785h"] {
            assert!(text.parse::<Span>().is_err(), "{text}");
        }
        assert_eq!("8784h".parse(), Ok(Span::MAX));
    }

    #[test]
    fn spans_print_as_they_are_written_and_as_people_read_them() {
        for (span, written, human) in [
            (Span::ZERO, "0s", "0 s"),
            (Span::ms(1_250), "1250ms", "1250 ms"),
            (Span::secs(60), "1m", "60 s"),
            (Span::secs(90), "90s", "90 s"),
            (Span::secs(120), "2m", "2 min"),
            (Span::hours(24), "24h", "24 h"),
        ] {
            assert_eq!((span.to_string().as_str(), span.human().as_str()), (written, human));
            assert_eq!(written.parse(), Ok(span));
        }
    }

    #[test]
    fn the_clock_shows_minutes_hours_and_parts_of_a_second() {
        for (ms, shown) in [(0, "00:00"), (37_000, "00:37"), (37_250, "00:37.250"), (3_635_000, "1:00:35")] {
            assert_eq!(Time::from_ms(ms).to_string(), shown);
            assert_eq!(shown.parse(), Ok(Time::from_ms(ms)));
        }
        assert_eq!("90s".parse(), Ok(Time::from_ms(90_000)));
        for text in ["", ":", "1", "0:60", "1:2:3:4", "-1:00", "00:37.2", "00:37.", "9999:00:00", "9999h", "+1:00"] {
            assert!(text.parse::<Time>().is_err(), "{text}");
        }
    }
}
