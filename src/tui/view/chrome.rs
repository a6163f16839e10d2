//! The bar at the top, the rules between panes, and the footer made from the table of keys.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::lines::{Words, cut};
use super::{fill, write};
use crate::model::text::width;
use crate::tui::app::App;
use crate::tui::keys::{self, Action, Binding, Place};
use crate::tui::theme::{Glyph, Look, Role};

/// What stands between two entries of the footer.
const GAP: &str = "  ";

/// The bar: what is shown on the left, the clock on the right.
pub(in crate::tui) fn bar(frame: &mut Frame<'_>, row: Rect, look: Look, left: &str, right: &str) {
    fill(frame, row, " ", look.style(Role::Bar));
    let room = usize::from(row.width).saturating_sub(width(right) + 2);
    let left = cut(look, &format!(" {left}"), room);
    write(frame, row, &Line::styled(left, look.style(Role::Bar)));
    let right = format!("{right} ");
    let start = row.width.saturating_sub(u16::try_from(width(&right)).unwrap_or(row.width));
    let corner = Rect { x: row.x + start, width: row.width - start, ..row };
    write(frame, corner, &Line::styled(right, look.style(Role::Bar)));
}

/// The clock and how the run plays: `00:37 ▮▮`.
pub(in crate::tui) fn clock(app: &App) -> String {
    let state = match (app.player.playing, app.at() >= app.end_on_screen()) {
        (true, _) => format!("{}{}/s", app.look.glyph(Glyph::Playing), app.player.speed()),
        (false, true) => format!("{}end", app.look.glyph(Glyph::AtEnd)),
        (false, false) => format!("{} paused", app.look.glyph(Glyph::Paused)),
    };
    format!("{}  {state}", app.at())
}

/// A horizontal rule with titles at given columns; where a title begins after the first, a joint.
pub(in crate::tui) fn rule(frame: &mut Frame<'_>, row: Rect, look: Look, titles: &[(u16, &str)], joint: Glyph) {
    fill(frame, row, look.glyph(Glyph::Horizontal), look.style(Role::Rule));
    for (n, (x, title)) in titles.iter().enumerate() {
        if *x >= row.width {
            continue;
        }
        if n > 0 {
            let cell = Rect { x: row.x + x - 1, width: 1, ..row };
            fill(frame, cell, look.glyph(joint), look.style(Role::Rule));
        }
        if !title.is_empty() {
            let until = titles.get(n + 1).map_or(row.width, |(next, _)| next.saturating_sub(2)).min(row.width);
            let room = usize::from(until.saturating_sub(*x + 1));
            let title = cut(look, &format!(" {title} "), room);
            let place = Rect { x: row.x + x + 1, width: row.width.saturating_sub(x + 1), ..row };
            write(frame, place, &Line::styled(title, look.style(Role::Title)));
        }
    }
}

/// A vertical line between panes.
pub(in crate::tui) fn divide(frame: &mut Frame<'_>, area: Rect, x: u16, look: Look) {
    for y in area.top()..area.bottom() {
        fill(frame, Rect { x, y, width: 1, height: 1 }, look.glyph(Glyph::Vertical), look.style(Role::Rule));
    }
}

/// The footer: the keys that the table marks for it, as many as have room; help and how to quit always, and how to
/// go back from where no other key does.
pub(in crate::tui) fn footer(frame: &mut Frame<'_>, row: Rect, look: Look, place: Place) {
    let mut entries: Vec<Entry> = keys::at(place)
        .filter_map(|binding| {
            binding.footer.map(|word| Entry::of(binding.keys[0].label(look.ascii), word, binding, place))
        })
        .collect();
    // There is a margin before the first entry, and no gap after the last.
    let mut room = (usize::from(row.width) + GAP.len()).saturating_sub(1);
    for rank in [Rank::Always, Rank::First, Rank::Later] {
        for entry in entries.iter_mut().filter(|entry| entry.rank == rank) {
            entry.shown = rank == Rank::Always || entry.columns() <= room;
            room = room.saturating_sub(if entry.shown { entry.columns() } else { 0 });
        }
    }
    let mut words = Words::new(look).say(Role::Text, " ");
    for Entry { key, word, .. } in entries.into_iter().filter(|entry| entry.shown) {
        // `1-4 strategy`: the rest of a range of keys stands at the head of the word.
        let (range, word) = word.strip_prefix('-').and_then(|rest| rest.split_once(' ')).unwrap_or(("", word));
        let key = if range.is_empty() { key } else { format!("{key}-{range}") };
        words = words.say(Role::Key, key).say(Role::Dim, format!(" {word}")).say(Role::Text, GAP);
    }
    write(frame, row, &words.line());
}

/// A key and its word in the footer.
struct Entry {
    key: String,
    word: &'static str,
    rank: Rank,
    shown: bool,
}

/// Who gets the room in the footer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rank {
    /// How to be helped and to quit; how to go back, where no other key does.
    Always,
    /// Most keys.
    First,
    /// Those that open a screen beside the run, which the help tells as well.
    Later,
}

impl Entry {
    fn of(key: String, word: &'static str, binding: &Binding, place: Place) -> Self {
        let rank = match (binding.action, place) {
            (Action::Help | Action::Quit, _) | (Action::Close, Place::Fork | Place::Compare) => Rank::Always,
            (Action::Why | Action::WhatIf | Action::Compare, Place::Run) | (Action::Evidence, _) => Rank::Later,
            _ => Rank::First,
        };
        Self { key, word, rank, shown: false }
    }

    fn columns(&self) -> usize {
        width(&self.key) + usize::from(!self.word.starts_with('-')) + width(self.word) + GAP.len()
    }
}
