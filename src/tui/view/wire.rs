//! The pane of the wire: what is in flight, since when, how far along, and whether anyone waits for it.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::ladder::message_role;
use super::lines::{Words, bar, cut, newest};
use super::{Scene, write};
use crate::trace::Payload;
use crate::trace::snapshot::OnWire;
use crate::tui::theme::{Glyph, Role};

/// Two rows a message: its way, and who waits.
pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, scene: &Scene<'_>) {
    if scene.world.wire.is_empty() {
        let row = Rect { height: 1, ..area };
        return write(frame, row, &Words::new(scene.look).say(Role::Dim, " nothing is in flight").line());
    }
    let lines: Vec<Line<'static>> =
        scene.world.wire.iter().flat_map(|on_wire| message(scene, on_wire, usize::from(area.width))).collect();
    newest(frame, area, scene.look, &lines);
}

fn message(scene: &Scene<'_>, on_wire: &OnWire, columns: usize) -> [Line<'static>; 2] {
    let message = &on_wire.message;
    let lost = message.arrives_at().is_none();
    let kind = match message.payload {
        Payload::Request { copy_of: Some(_), .. } => "copy",
        Payload::Request { .. } => "request",
        Payload::Response { .. } | Payload::Finding { .. } | Payload::LookupFailed { .. } => "response",
        Payload::Lookup { .. } => "lookup",
    };
    let role = message_role(scene.trace, message);
    let words = Words::new(scene.look);
    let words = if message.sent_at == scene.world.at {
        words.glyph(Role::Title, Glyph::Fresh)
    } else {
        words.say(Role::Text, " ")
    };
    let head = words.say(Role::Title, format!("{} ", message.id)).say(role, format!("{kind} "));
    let way = if lost {
        head.glyph(Role::Lost, Glyph::Lost).say(Role::Lost, " lost").line()
    } else {
        let room = columns.saturating_sub(head.width()).min(16);
        let done = if message.is_outbound() { Glyph::TravelDone } else { Glyph::BackDone };
        let (done, left) = bar(scene.look, room, on_wire.progress(scene.world.at), done, Glyph::TravelLeft);
        // Answers travel from the ledger on the right to the agent on the left.
        if message.is_outbound() {
            head.say(role, done).say(Role::Dim, left).line()
        } else {
            head.say(Role::Dim, left).say(role, done).line()
        }
    };
    let several = scene.trace.agents().len() > 1;
    let (wait_role, wait) = match on_wire.awaited {
        true if several => (Role::Dim, format!("agent {} waits", message.agent.index() + 1)),
        true => (Role::Dim, "agent waits".to_owned()),
        false => (Role::Late, "nobody waits".to_owned()),
    };
    let since = format!("  {} ", message.sent_at);
    let wait = cut(scene.look, &wait, columns.saturating_sub(since.len()));
    [way, Words::new(scene.look).say(Role::Dim, since).say(wait_role, wait).line()]
}
