//! The help: the table of keys, and what the signs mean.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::Clear;

use super::chrome;
use super::lines::Words;
use super::write;
use crate::tui::app::App;
use crate::tui::keys::{self, Binding};
use crate::tui::theme::{Glyph, Look, Role};

pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, app: &App) {
    let look = app.look;
    let body = Rect { height: area.height.saturating_sub(1), ..area };
    frame.render_widget(Clear, body);
    frame.buffer_mut().set_style(body, look.ground());
    chrome::bar(frame, Rect { height: 1, ..area }, look, "retryscope: keys", "Esc closes");
    let lines: Vec<Line<'static>> =
        keys::at(app.place()).map(|binding| key(look, binding)).chain(signs(look)).collect();
    let body = Rect { x: area.x + 1, y: area.y + 1, width: area.width - 2, height: area.height.saturating_sub(2) };
    let halves = if lines.len() > usize::from(body.height) { 2 } else { 1 };
    let width = body.width / halves;
    for (n, column) in lines.chunks(usize::from(body.height).max(1)).take(usize::from(halves)).enumerate() {
        let x = body.x + width * u16::try_from(n).unwrap_or(0);
        for (row, line) in (Rect { x, width, ..body }).rows().zip(column) {
            write(frame, row, line);
        }
    }
}

fn key(look: Look, binding: &Binding) -> Line<'static> {
    let labels: Vec<String> = binding
        .keys
        .iter()
        .filter(|key| !key.is_for_other_layouts())
        .take(3)
        .map(|key| key.label(look.ascii))
        .collect();
    let labels = labels.join(" ");
    Words::new(look).say(Role::Key, format!("{labels:>9}")).say(Role::Text, format!("  {}", binding.help)).line()
}

/// What the signs of the ladder mean.
fn signs(look: Look) -> Vec<Line<'static>> {
    let sign = |role, sign: String, means: &str| {
        Words::new(look).say(role, format!("{sign:>9}")).say(Role::Text, format!("  {means}")).line()
    };
    let glyph = |role, glyph, means| sign(role, look.glyph(glyph).to_owned(), means);
    vec![
        Line::default(),
        Line::styled("Signs of the ladder", look.style(Role::Title)),
        sign(Role::Title, "1 2 3".to_owned(), "an attempt starts"),
        glyph(Role::Lost, Glyph::TimedOut, "timed out, or lost on the way"),
        glyph(Role::Lookup, Glyph::Unsure, "looks for the charge"),
        sign(Role::Good, "$1".to_owned(), "first charge committed"),
        sign(Role::Response, "=$1".to_owned(), "repeat known, nothing charged"),
        glyph(Role::Unseen, Glyph::Unseen, "the ledger holds what the client has not seen"),
        glyph(Role::Bad, Glyph::Wrong, "the client is sure of what is not so"),
    ]
}
