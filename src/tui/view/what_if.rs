//! What could become of a message in flight instead: the list, with what each would come to.
//!
//! ```text
//! │ what if?  verify then retry × late-commit              00:10  ▮▮ paused │ bar
//! │ [request #1 of 00:00]                                                   │ messages
//! │ What if request #1 …                                                    │
//! │ ▸ arrives on time               ✓ 1 charge  says completed   from 00:02 │ alternatives
//! │   is lost                       ✓ 1 charge  says completed   from 01:30 │
//! ├─ Space and time ────────────────────────────────────────────────────────┤
//! │                                                                         │ ladder of the chosen one
//! ```

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::Line;

use super::lines::{Words, cut, wrap};
use super::{Scene, beside, chrome, ladder, write};
use crate::model::text::width;
use crate::sim::alternatives::Alternative;
use crate::trace::{Message, Payload};
use crate::tui::app::App;
use crate::tui::theme::{Glyph, Look, Role};
use crate::tui::what_if::WhatIf;

/// The columns of what becomes of a message, with the mark of the chosen one.
const WORDS: usize = 28;

pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, app: &App) {
    let Some(what_if) = &app.aside.what_if else { return };
    let heights = [
        Constraint::Length(1),
        Constraint::Length(7),
        Constraint::Length(1),
        Constraint::Fill(1),
        Constraint::Length(1),
    ];
    let [bar, panel, rule, ladder, footer] = Layout::vertical(heights).areas(area);
    chrome::bar(frame, bar, app.look, &format!("what if?  {}", super::run::name_of_run(app)), &chrome::clock(app));
    for (row, line) in panel.rows().zip(lines(app.look, what_if, usize::from(panel.width))) {
        write(frame, row, &line);
    }
    chrome::rule(frame, rule, app.look, &[(0, "As it is")], Glyph::TeeUp);
    ladder::draw(frame, ladder, &Scene::of(app, app.trace()));
    chrome::footer(frame, footer, app.look, app.place());
}

fn lines(look: Look, what_if: &WhatIf, columns: usize) -> Vec<Line<'static>> {
    let say = |role, text: &str| -> Vec<Line<'static>> {
        let text = wrap(text, columns.saturating_sub(2)).into_iter();
        text.map(|line| Words::new(look).say(role, format!(" {line}")).line()).collect()
    };
    let Some(in_flight) = what_if.in_flight() else {
        let text = format!(
            "Nothing is in flight at {}. Esc goes back to the run; choose an instant with something on the wire.",
            what_if.opened_at
        );
        return std::iter::once(Line::default()).chain(say(Role::Title, &text)).collect();
    };
    let mut lines = vec![messages(look, what_if, columns)];
    match &in_flight.alternatives {
        Err(fixed) => lines.extend(say(Role::Title, &fixed.to_string())),
        Ok(list) => {
            let name = name(&in_flight.message);
            let table = Table::of(columns);
            let head =
                Words::new(look).say(Role::Title, format!(" What if {name}")).glyph(Role::Title, Glyph::Ellipsis);
            let said = |text: &str| (Role::Dim, text.to_owned());
            let ledger = Words::new(look).say(Role::Dim, "ledger");
            lines.push(table.row(look, head, ledger, &said("report"), said("parts at")));
            let rows = list.iter().enumerate().map(|(n, one)| alternative(look, table, one, n == what_if.turn));
            lines.extend(rows);
        }
    }
    lines
}

/// The messages in flight, as many as have room; the chosen one marked.
fn messages(look: Look, what_if: &WhatIf, columns: usize) -> Line<'static> {
    let names: Vec<String> =
        what_if.messages.iter().map(|one| format!(" {} of {} ", name(&one.message), one.message.sent_at)).collect();
    let first = if names.iter().map(String::len).sum::<usize>() + 1 > columns { what_if.message } else { 0 };
    let mut words = Words::new(look).say(Role::Text, " ");
    for (n, name) in names.into_iter().enumerate().skip(first) {
        if words.width() + width(&name) > columns {
            break;
        }
        words = words.say(if n == what_if.message { Role::Cursor } else { Role::Request }, name);
    }
    words.line()
}

/// A message by its kind and number: `request #1`.
pub(super) fn name(message: &Message) -> String {
    let kind = match message.payload {
        Payload::Request { copy_of: Some(_), .. } => "copy",
        Payload::Request { .. } => "request",
        Payload::Response { .. } => "answer",
        Payload::Lookup { .. } => "lookup",
        Payload::Finding { .. } | Payload::LookupFailed { .. } => "finding",
    };
    format!("{kind} {}", message.id)
}

/// The columns that the table of alternatives has room for.
#[derive(Clone, Copy)]
struct Table {
    /// Whether the count is written with its word.
    loud: bool,
    report: bool,
    parts: bool,
}

impl Table {
    const LEDGER: usize = 12;
    const LEDGER_LOUD: usize = 23;
    const REPORT: usize = 18;
    const PARTS: usize = 8;

    fn of(columns: usize) -> Self {
        let room = columns.saturating_sub(WORDS);
        let (report, parts) = (room >= Self::LEDGER + Self::REPORT, room >= Self::LEDGER + Self::REPORT + Self::PARTS);
        Self { loud: room >= Self::LEDGER_LOUD + Self::REPORT + Self::PARTS, report, parts }
    }

    fn row(
        self,
        look: Look,
        head: Words,
        ledger: Words,
        report: &(Role, String),
        parts: (Role, String),
    ) -> Line<'static> {
        let mut words = head;
        let mut column = WORDS;
        let pad = |words: Words, column: usize| {
            let blanks = column.saturating_sub(words.width());
            words.say(Role::Text, " ".repeat(blanks))
        };
        words = pad(words, column).and(ledger);
        column += if self.loud { Self::LEDGER_LOUD } else { Self::LEDGER };
        if self.report {
            words = pad(words, column).say(report.0, cut(look, &report.1, Self::REPORT - 1));
            column += Self::REPORT;
        }
        if self.parts {
            words = pad(words, column).say(parts.0, parts.1);
        }
        words.line()
    }
}

fn alternative(look: Look, table: Table, one: &Alternative, chosen: bool) -> Line<'static> {
    let words = Words::new(look);
    let words =
        if chosen { words.say(Role::Text, " ").glyph(Role::Key, Glyph::Chosen) } else { words.say(Role::Text, "  ") };
    let role = if chosen { Role::Cursor } else { Role::Text };
    let head = words.say(Role::Text, " ").say(role, cut(look, &one.words, WORDS - 4));
    let report = one
        .outcome
        .report
        .map_or((Role::Dim, "none".to_owned()), |(_, report)| (beside::report_role(report), beside::short(report)));
    let parts = match one.parts_at {
        _ if one.is_present => (Role::Dim, "as it is".to_owned()),
        Some(at) => (Role::Parting, at.to_string()),
        None => (Role::Dim, "never".to_owned()),
    };
    table.row(look, head, beside::charges(look, one.outcome.charges, table.loud), &report, parts)
}
