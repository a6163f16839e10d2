//! The bar at the top, the rules between panes, and the footer made from the table of keys.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::lines::{Words, cut};
use super::{Scene, fill, write};
use crate::model::text::width;
use crate::tui::app::App;
use crate::tui::keys::{self, Action, Place};
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
    let state = match (app.player.playing, app.at() >= app.trace().end()) {
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

/// The footer: the keys that the table marks for it, as many as have room; help and how to quit always.
pub(in crate::tui) fn footer(frame: &mut Frame<'_>, row: Rect, look: Look, place: Place) {
    let entries: Vec<(String, &str, bool)> = keys::at(place)
        .filter_map(|binding| {
            let always = matches!(binding.action, Action::Help | Action::Quit);
            binding.footer.map(|word| (binding.keys[0].label(look.ascii), word, always))
        })
        .collect();
    let columns = |key: &str, word: &str| width(key) + usize::from(!word.starts_with('-')) + width(word) + GAP.len();
    let always: usize = entries.iter().filter(|entry| entry.2).map(|(key, word, _)| columns(key, word)).sum();
    // There is a margin before the first entry, and no gap after the last.
    let mut room = (usize::from(row.width) + GAP.len()).saturating_sub(always + 1);
    let mut words = Words::new(look).say(Role::Text, " ");
    for (key, word, always) in entries {
        let taken = columns(&key, word);
        if !always && taken > room {
            continue;
        }
        room = if always { room } else { room - taken };
        // `1-4 strategy`: the rest of a range of keys stands at the head of the word.
        let (range, word) = word.strip_prefix('-').and_then(|rest| rest.split_once(' ')).unwrap_or(("", word));
        let key = if range.is_empty() { key } else { format!("{key}-{range}") };
        words = words.say(Role::Key, key).say(Role::Dim, format!(" {word}")).say(Role::Text, GAP);
    }
    write(frame, row, &words.line());
}

/// All the numbers of the run, in words, on as few lines as `columns` allow.
pub(in crate::tui) fn parameters(scene: &Scene<'_>, columns: usize) -> Vec<String> {
    let scenario = scene.trace.scenario();
    let strategy = &scenario.strategy;
    let attempts = match strategy.max_attempts.get() {
        1 => "1 attempt".to_owned(),
        n => format!("{n} attempts"),
    };
    let each_way = if columns < 70 { "" } else { " each way" };
    let parts = [
        attempts,
        format!("timeout {}", strategy.timeout.human()),
        format!("backoff {}", strategy.backoff.human()),
        format!("latency {}{each_way}", scenario.network.latency.human()),
        format!("contract {}", scenario.contract.name),
        scenario.fault.describe(),
    ];
    let dot = format!(" {} ", scene.look.glyph(Glyph::Dot));
    let mut lines = vec![String::new()];
    for part in parts.iter().map(|part| cut(scene.look, part, columns)) {
        let last = lines.last_mut().expect("there is always a line");
        if last.is_empty() {
            *last = part;
        } else if width(last) + width(&dot) + width(&part) <= columns {
            last.push_str(&dot);
            last.push_str(&part);
        } else {
            lines.push(part);
        }
    }
    lines
}
