//! Small pieces that the panes share: words on a line, bars, lists that show how much they leave out.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span as Styled};

use super::write;
pub(in crate::tui) use crate::model::text::wrap;
use crate::model::text::{fit, width};
use crate::model::{Span, Time};
use crate::tui::theme::{Glyph, Look, Role};

/// Builds a line word by word.
pub(in crate::tui) struct Words {
    look: Look,
    spans: Vec<Styled<'static>>,
}

impl Words {
    pub(in crate::tui) const fn new(look: Look) -> Self {
        Self { look, spans: Vec::new() }
    }

    pub(in crate::tui) const fn look(&self) -> Look {
        self.look
    }

    pub(in crate::tui) fn say(mut self, role: Role, text: impl Into<String>) -> Self {
        self.spans.push(Styled::styled(text.into(), self.look.style(role)));
        self
    }

    pub(in crate::tui) fn glyph(self, role: Role, glyph: Glyph) -> Self {
        let sign = self.look.glyph(glyph);
        self.say(role, sign)
    }

    /// A sign in a style of its own.
    pub(in crate::tui) fn swatch(mut self, sign: &'static str, style: Style) -> Self {
        self.spans.push(Styled::styled(sign, style));
        self
    }

    /// More words after these.
    pub(super) fn and(mut self, more: Self) -> Self {
        self.spans.extend(more.spans);
        self
    }

    /// How many columns are taken.
    pub(in crate::tui) fn width(&self) -> usize {
        self.spans.iter().map(|span| width(&span.content)).sum()
    }

    /// An instant, dimmed, where it has room in so many columns.
    pub(in crate::tui) fn at(self, at: Time, columns: usize) -> Self {
        let text = format!(" {at}");
        if self.width() + width(&text) <= columns { self.say(Role::Dim, text) } else { self }
    }

    pub(in crate::tui) fn line(self) -> Line<'static> {
        Line::from(self.spans)
    }
}

/// A span that is left, as a number of seconds where it is short and as a clock where it is not.
pub(in crate::tui) fn left(span: Span) -> String {
    if span < CLOCK_FROM { span.human() } else { (Time::ZERO + span).to_string() }
}

/// From when on a span is shown as a clock.
const CLOCK_FROM: Span = Span::secs(600);

/// A bar of `columns` cells, `part` thousandths of it full.
pub(in crate::tui) fn bar(look: Look, columns: usize, part: u64, full: Glyph, rest: Glyph) -> (String, String) {
    let filled = usize::try_from(part.min(1_000) * columns as u64 / 1_000).unwrap_or(columns);
    (look.glyph(full).repeat(filled), look.glyph(rest).repeat(columns - filled))
}

/// A text cut to `columns`, with an ellipsis where something is missing.
pub(in crate::tui) fn cut(look: Look, text: &str, columns: usize) -> String {
    fit(text, columns, look.glyph(Glyph::Ellipsis))
}

/// A key cut to `columns` in its middle: what tells one key from another stands at the end.
pub(in crate::tui) fn cut_key(look: Look, key: &str, columns: usize) -> String {
    const TAIL: usize = 12;
    if width(key) <= columns {
        return key.to_owned();
    }
    let tail: String = {
        let mut last: Vec<char> = key.chars().rev().take(TAIL.min(columns * 2 / 3)).collect();
        last.reverse();
        last.into_iter().collect()
    };
    let head = cut(look, key, columns.saturating_sub(width(&tail)));
    cut(look, &format!("{head}{tail}"), columns)
}

/// A text wrapped to `columns`, at most `rows` high; what is missing is told by an ellipsis.
pub(in crate::tui) fn first(look: Look, text: &str, columns: usize, rows: usize) -> Vec<String> {
    let mut lines = wrap(text, columns);
    if lines.len() > rows {
        let rest = lines.split_off(rows.saturating_sub(1)).join(" ");
        if rows > 0 {
            lines.push(cut(look, &rest, columns));
        }
    }
    lines
}

/// A text wrapped to `columns` in which an address that is longer than that is broken, and not cut.
pub(in crate::tui) fn wrap_address(text: &str, columns: usize) -> Vec<String> {
    let mut broken = String::with_capacity(text.len());
    for word in text.split(' ') {
        let mut column = 0;
        for part in word.split_inclusive('/') {
            if column > 0 && column + width(part) > columns {
                broken.push(' ');
                column = 0;
            }
            column += width(part);
            broken.push_str(part);
        }
        broken.push(' ');
    }
    wrap(broken.trim_end(), columns)
}

/// Writes lines from the top of an area. Where they do not fit, the newest are kept and the first row
/// says how many are missing.
pub(in crate::tui) fn newest(frame: &mut Frame<'_>, area: Rect, look: Look, lines: &[Line<'static>]) {
    let room = usize::from(area.height);
    let (skip, note) = match lines.len().checked_sub(room) {
        None | Some(0) => (0, false),
        // A note alone would tell nothing.
        Some(over) if room < 2 => (over, false),
        Some(over) => (over + 1, true),
    };
    let mut rows = area.rows();
    if note && let Some(row) = rows.next() {
        let earlier = format!("  {skip} earlier lines");
        write(frame, row, &Words::new(look).say(Role::Dim, earlier).line());
    }
    for (row, line) in rows.zip(lines.iter().skip(skip)) {
        write(frame, row, line);
    }
}
