//! How outcomes look on the sheets: each kind has a sign of its own, besides its colour.

use ratatui::style::{Modifier, Style};

use crate::trace::Kind;
use crate::tui::theme::{Glyph, Look, Role, Theme};

/// The sign and the role of an outcome.
pub(super) const fn sign(kind: Kind) -> (Glyph, Role) {
    match kind {
        Kind::Right => (Glyph::IsRight, Role::Good),
        Kind::HonestUnknown => (Glyph::Honest, Role::Honest),
        Kind::HonestFailure => (Glyph::IsHonestFailure, Role::Request),
        Kind::FalseFailure => (Glyph::IsFalseFailure, Role::Late),
        Kind::LoudDuplicate => (Glyph::IsLoudDuplicate, Role::Bad),
        Kind::FalseSuccess => (Glyph::IsFalseSuccess, Role::Bad),
        Kind::QuietDuplicate => (Glyph::IsQuietDuplicate, Role::Bad),
    }
}

/// The style of a cell that is filled with an outcome. Without colours, what is as it should be stays plain.
pub(super) fn filled(look: Look, role: Role) -> Style {
    let style = look.style(role);
    if role == Role::Dim {
        return style;
    }
    if look.theme == Theme::Mono && matches!(role, Role::Good | Role::Honest | Role::Request) {
        return style.remove_modifier(Modifier::BOLD);
    }
    style.add_modifier(Modifier::REVERSED)
}
