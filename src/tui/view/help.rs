//! The help: the table of keys, and what the signs mean.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::Clear;

use super::chrome;
use super::lines::{Words, cut};
use super::outcome::looks;
use super::write;
use crate::trace::Kind;
use crate::tui::app::App;
use crate::tui::keys::{self, Binding};
use crate::tui::theme::{Glyph, Look, Role};

/// The columns that the keys and signs take.
const LABELS: usize = 8;

pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, app: &App) {
    let look = app.look;
    let body = Rect { height: area.height.saturating_sub(1), ..area };
    frame.render_widget(Clear, body);
    frame.buffer_mut().set_style(body, look.ground());
    let inner = Rect { x: area.x + 1, y: area.y + 1, width: area.width - 2, height: area.height.saturating_sub(2) };
    let rows = usize::from(inner.height).max(1);
    let mut entries: Vec<Entry> =
        keys::at(app.place()).filter(|binding| !binding.help.is_empty()).map(|binding| key(look, binding)).collect();
    entries.extend(signs(look));
    let halves = if entries.len() > rows { 2 } else { 1 };
    let pages: Vec<&[Entry]> = entries.chunks(rows * usize::from(halves)).collect();
    let page = app.atlas.help_page % pages.len().max(1);
    let closes = match pages.len() {
        0 | 1 => "Esc closes".to_owned(),
        all => format!("{} page {} of {all}, Esc closes", look.glyph(Glyph::MoreRight), page + 1),
    };
    chrome::bar(frame, Rect { height: 1, ..area }, look, "retryscope: keys", &closes);
    let width = inner.width / halves;
    for (n, column) in pages.get(page).into_iter().flat_map(|page| page.chunks(rows)).enumerate() {
        let x = inner.x + width * u16::try_from(n).unwrap_or(0);
        for (row, entry) in (Rect { x, width, ..inner }).rows().zip(column) {
            write(frame, row, &entry.line(look, usize::from(width)));
        }
    }
}

/// A key or a sign, and what it means. Without a label it is a heading.
struct Entry {
    role: Role,
    label: String,
    means: &'static str,
}

impl Entry {
    fn line(&self, look: Look, columns: usize) -> Line<'static> {
        if self.label.is_empty() {
            return Words::new(look).say(self.role, self.means).line();
        }
        // One blank is kept before the column beside this one.
        let means = cut(look, self.means, columns.saturating_sub(LABELS + 3));
        Words::new(look).say(self.role, format!("{:>LABELS$}", self.label)).say(Role::Text, format!("  {means}")).line()
    }
}

fn key(look: Look, binding: &Binding) -> Entry {
    let labels: Vec<String> = binding
        .keys
        .iter()
        .filter(|key| !key.is_for_other_layouts())
        .take(3)
        .map(|key| key.label(look.ascii))
        .collect();
    Entry { role: Role::Key, label: labels.join(" "), means: binding.help }
}

/// What the signs of the ladder mean, and how outcomes are called.
fn signs(look: Look) -> Vec<Entry> {
    let sign = |role, label: &str, means| Entry { role, label: label.to_owned(), means };
    let glyph = |role, glyph, means| sign(role, look.glyph(glyph), means);
    let mut signs = vec![
        sign(Role::Text, "", ""),
        sign(Role::Title, "", "Signs of the ladder"),
        sign(Role::Title, "1 2 3", "an attempt starts"),
        glyph(Role::Lost, Glyph::TimedOut, "timed out, or lost"),
        glyph(Role::Lookup, Glyph::Unsure, "looks for the charge"),
        sign(Role::Good, "$1", "first charge committed"),
        sign(Role::Response, "=$1", "a repeat, nothing charged"),
        glyph(Role::Unseen, Glyph::Unseen, "charged, not seen by agent"),
        glyph(Role::Bad, Glyph::Wrong, "the agent believes wrongly"),
        glyph(Role::Response, Glyph::Working, "the service is at work"),
        glyph(Role::Lost, Glyph::Down, "the service or agent is down"),
        glyph(Role::Bad, Glyph::Trouble, "refused, or an error"),
        glyph(Role::Bad, Glyph::Crashed, "a crash"),
        glyph(Role::Title, Glyph::Resumed, "resumed after a crash"),
        glyph(Role::Late, Glyph::More, "sent again beneath the agent"),
        glyph(Role::Late, Glyph::Expired, "a key expires"),
        sign(Role::Text, "", ""),
        sign(Role::Title, "", "Outcomes"),
    ];
    signs.extend(Kind::ALL.into_iter().map(|kind| {
        let marks = looks(kind);
        glyph(marks.role, marks.glyph, kind.words())
    }));
    signs
}
