//! The pane of the ledger: what is true.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::lines::{Words, cut, cut_key, newest};
use super::{Scene, write};
use crate::model::task::money;
use crate::model::text::width;
use crate::trace::snapshot::Charge;
use crate::tui::theme::{Glyph, Role};

/// Charges in order, each with its time, and repeats that were recognised; the count at the foot.
pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, scene: &Scene<'_>) {
    let columns = usize::from(area.width);
    let world = &scene.world;
    let mut lines: Vec<Line<'static>> = Vec::new();
    for entry in &world.ledger {
        lines.extend(charge(scene, entry, columns));
        let repeats = world.replays.iter().filter(|(_, charge)| *charge == entry.id);
        lines.extend(repeats.map(|(at, _)| {
            let fresh = *at == world.at;
            margin(scene, fresh).say(Role::Response, "  repeat known").say(Role::Dim, format!(" {at}")).line()
        }));
    }
    let foot = area.height.saturating_sub(1);
    newest(frame, Rect { height: foot, ..area }, scene.look, &lines);
    let row = Rect { y: area.y + foot, height: area.height - foot, ..area };
    write(frame, row, &count(scene, columns));
}

fn margin(scene: &Scene<'_>, fresh: bool) -> Words {
    let words = Words::new(scene.look);
    if fresh { words.glyph(Role::Title, Glyph::Fresh) } else { words.say(Role::Text, " ") }
}

fn charge(scene: &Scene<'_>, charge: &Charge, columns: usize) -> Vec<Line<'static>> {
    let fresh = charge.at == scene.world.at;
    let args = &scene.trace.scenario().task.args;
    let amount = money(args.amount_cents());
    let role = if charge.id.index() > 0 { Role::Bad } else { Role::Ledger };
    let words = margin(scene, fresh).say(role, format!("{} ", charge.id));
    let room = columns.saturating_sub(words.width() + width(&amount) + 1);
    let customer = cut(scene.look, &args.customer(), room.min(40));
    let customer = if customer.is_empty() { "(no name)".to_owned() } else { customer };
    let words = words.say(Role::Text, format!("{customer} ")).say(role, amount);
    let at = format!("   {} ", charge.at);
    let room = columns.saturating_sub(at.len() + "key ".len());
    let spelt = charge.key.map(|key| cut_key(scene.look, &scene.trace.key_text(key), room));
    let key = spelt.map_or_else(|| "no key".to_owned(), |key| format!("key {key}"));
    let note = cut(scene.look, &format!("{at}{key}"), columns);
    vec![words.line(), Words::new(scene.look).say(Role::Dim, note).line()]
}

fn count(scene: &Scene<'_>, columns: usize) -> Line<'static> {
    let words = Words::new(scene.look);
    match scene.world.ledger.len() {
        0 => words.say(Role::Dim, " no charge yet").line(),
        1 => words.say(Role::Good, " 1 charge").line(),
        n => {
            let long = format!(" {n} charges: DUPLICATE");
            let text = if width(&long) <= columns { long } else { format!(" {n}: DUPLICATE") };
            words.say(Role::Bad, text).line()
        }
    }
}
