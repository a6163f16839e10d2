//! Text from outside, made safe once, where it enters.
//!
//! A name in a scenario file can hold anything that Unicode has: escape sequences that drive the terminal, marks that
//! turn the line around, characters that take no room, hundreds of accents on one letter. [`Text`] shows what cannot be
//! seen as a visible escape such as `\u{1b}`, so that nothing later has to think of it.

use std::fmt;
use std::ops::Deref;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// How many marks may stand on one base character. Written languages need three or four.
const MARKS_MAX: usize = 4;

/// Text that is safe to show: every character is visible or a plain space, and no line can be turned around or torn.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Text(Box<str>);

impl Text {
    /// Makes `raw` safe. Characters that [`is_hidden`] finds become `\u{..}`; so does a mark that has no base to stand
    /// on. Of more than four marks on one base the rest is dropped. Safe text stays as it is.
    #[must_use]
    pub fn new(raw: &str) -> Self {
        let mut safe = String::with_capacity(raw.len());
        let mut marks = 0;
        for c in raw.chars() {
            let is_mark = c.width() == Some(0);
            if is_hidden(c) || (is_mark && safe.is_empty()) {
                safe.extend(c.escape_unicode());
                marks = 0;
            } else if is_mark {
                marks += 1;
                if marks <= MARKS_MAX {
                    safe.push(c);
                }
            } else {
                safe.push(c);
                marks = 0;
            }
        }
        Self(safe.into())
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Whether `c` would be unseen, or would change how its neighbours are shown: control characters, bidi controls,
/// zero-width and other default-ignorable characters (variation selectors and tags among them), line and paragraph
/// separators, noncharacters and private use. Follows `Default_Ignorable_Code_Point` in Unicode's
/// `DerivedCoreProperties.txt`, and the categories Cc, Co, Zl and Zp.
#[must_use]
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || is_noncharacter(c)
        || matches!(c,
            '\u{AD}' | '\u{34F}' | '\u{61C}'
            | '\u{115F}'..='\u{1160}' | '\u{17B4}'..='\u{17B5}' | '\u{180B}'..='\u{180F}'
            | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}'
            | '\u{3164}' | '\u{E000}'..='\u{F8FF}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}'
            | '\u{FFA0}' | '\u{FFF0}'..='\u{FFFB}'
            | '\u{1BCA0}'..='\u{1BCA3}' | '\u{1D173}'..='\u{1D17A}'
            | '\u{E0000}'..='\u{E0FFF}' | '\u{F0000}'..='\u{10FFFF}')
}

/// Whether `c` is one of the 66 code points that Unicode keeps free of any character, for ever.
#[must_use]
pub fn is_noncharacter(c: char) -> bool {
    matches!(c, '\u{FDD0}'..='\u{FDEF}') || u32::from(c) & 0xFFFE == 0xFFFE
}

/// How many terminal columns `text` takes, counted grapheme by grapheme as ratatui does when it paints.
#[must_use]
pub fn width(text: &str) -> usize {
    text.graphemes(true).map(UnicodeWidthStr::width).sum()
}

/// `text` in at most `columns` terminal columns. What does not fit is cut between graphemes and `ellipsis` says so; an
/// ellipsis that is itself too wide is left away.
#[must_use]
pub fn fit(text: &str, columns: usize, ellipsis: &str) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let ellipsis = if width(ellipsis) <= columns { ellipsis } else { "" };
    let room = columns - width(ellipsis);
    let mut used = 0;
    let kept = text.graphemes(true).take_while(|grapheme| {
        used += grapheme.width();
        used <= room
    });
    kept.chain([ellipsis]).collect()
}

/// Breaks `text` into lines of at most `columns` terminal columns, between words; a word that is wider has a line to
/// itself. Text without words is one empty line.
#[must_use]
pub fn wrap(text: &str, columns: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    let mut used = 0;
    for word in text.split_whitespace() {
        let more = width(word);
        if used > 0 && used + 1 + more > columns {
            lines.push(std::mem::take(&mut line));
            used = 0;
        }
        if used > 0 {
            line.push(' ');
            used += 1;
        }
        line.push_str(word);
        used += more;
    }
    lines.push(line);
    lines
}

impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl From<&str> for Text {
    fn from(raw: &str) -> Self {
        Self::new(raw)
    }
}

impl Serialize for Text {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self)
    }
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(|raw| Self::new(&raw))
    }
}

impl schemars::JsonSchema for Text {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Text".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string" })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_cannot_be_seen_becomes_an_escape() {
        for (raw, safe) in [
            ("acme", "acme"),
            ("", ""),
            ("Zoë, Łódź, 東京, नमस्ते, שלום", "Zoë, Łódź, 東京, नमस्ते, שלום"),
            ("\u{1b}[31mred", r"\u{1b}[31mred"),
            ("a\nb\tc\u{7f}\u{9b}", r"a\u{a}b\u{9}c\u{7f}\u{9b}"),
            ("a\u{202e}b\u{2066}\u{200f}\u{61c}", r"a\u{202e}b\u{2066}\u{200f}\u{61c}"),
            ("a\u{200b}\u{feff}\u{ad}\u{2060}b", r"a\u{200b}\u{feff}\u{ad}\u{2060}b"),
            ("\u{115f}\u{1160}\u{3164}\u{ffa0}\u{180e}", r"\u{115f}\u{1160}\u{3164}\u{ffa0}\u{180e}"),
            ("x\u{fe0f}\u{e0041}\u{e0100}", r"x\u{fe0f}\u{e0041}\u{e0100}"),
            ("\u{2028}\u{2029}", r"\u{2028}\u{2029}"),
            ("\u{e000}\u{fdd0}\u{ffff}\u{10fffe}", r"\u{e000}\u{fdd0}\u{ffff}\u{10fffe}"),
            ("e\u{301}", "e\u{301}"),
            ("\u{301}e", r"\u{301}e"),
        ] {
            assert_eq!(Text::new(raw).as_str(), safe);
            assert_eq!(Text::new(safe).as_str(), safe, "safe text stays as it is");
        }
    }

    #[test]
    fn a_tower_of_accents_is_cut() {
        let zalgo = format!("Z{}a", "\u{300}\u{316}".repeat(50));
        assert_eq!(Text::new(&zalgo).as_str(), "Z\u{300}\u{316}\u{300}\u{316}a");
    }

    #[test]
    fn text_is_cut_to_columns_between_graphemes() {
        for (text, columns, ellipsis, fitted) in [
            ("acme", 4, "…", "acme"),
            ("acme", 3, "…", "ac…"),
            ("acme", 1, "…", "…"),
            ("acme", 0, "…", ""),
            ("acme corporation", 7, "...", "acme..."),
            ("acme", 2, "...", "ac"),
            ("東京都", 6, "…", "東京都"),
            ("東京都", 5, "…", "東京…"),
            ("東京都", 4, "…", "東…"),
            ("e\u{301}e\u{301}e\u{301}", 2, "…", "e\u{301}…"),
            ("", 0, "…", ""),
        ] {
            assert_eq!(fit(text, columns, ellipsis), fitted, "{text} in {columns}");
        }
    }

    #[test]
    fn text_is_broken_into_lines_between_words() {
        for (text, columns, lines) in [
            ("", 4, vec![""]),
            ("a timeout is not", 9, vec!["a timeout", "is not"]),
            ("a timeout is not", 8, vec!["a", "timeout", "is not"]),
            ("timeout", 3, vec!["timeout"]),
            ("  a  b ", 9, vec!["a b"]),
            ("東京 都", 6, vec!["東京", "都"]),
        ] {
            assert_eq!(wrap(text, columns), lines, "{text} in {columns}");
        }
    }

    #[test]
    fn it_is_written_and_read_as_a_string() {
        let text: Text = serde_json::from_str(r#""a\u001bb""#).unwrap();
        assert_eq!(serde_json::to_string(&text).unwrap(), r#""a\\u{1b}b""#);
        assert_eq!(format!("[{text:>9}]"), r"[ a\u{1b}b]");
    }

    /// Characters as they come, and the troublesome ones much more often than that.
    fn any_text() -> impl Strategy<Value = String> {
        let trouble = prop_oneof![
            Just('\u{1b}'),
            Just('\u{202e}'),
            Just('\u{200d}'),
            Just('\u{fe0f}'),
            Just('\u{300}'),
            Just('\u{e0061}'),
            Just('\u{85}'),
            Just('\u{2029}'),
            Just('\u{ffff}'),
            Just('👩'),
            Just('\u{1160}'),
            Just('ก'),
            Just('\u{e33}'),
        ];
        proptest::collection::vec(prop_oneof![any::<char>(), trouble], 0..40).prop_map(String::from_iter)
    }

    proptest! {
        #[test]
        fn safe_text_shows_everything_it_holds(raw in any_text()) {
            let text = Text::new(&raw);
            prop_assert!(!text.contains(is_hidden));
            prop_assert_eq!(&Text::new(&text), &text);
            let mut marks = 0;
            for c in text.chars() {
                marks = if c.width() == Some(0) { marks + 1 } else { 0 };
                prop_assert!(marks <= MARKS_MAX);
            }
        }

        #[test]
        fn fitted_text_fits(raw in any_text(), columns in 0_usize..30) {
            let text = Text::new(&raw);
            for ellipsis in ["…", "...", ""] {
                prop_assert!(width(&fit(&text, columns, ellipsis)) <= columns);
            }
        }
    }
}
