//! How what a run came to is shown: a sign, a word, a role for each kind.

use crate::trace::snapshot::Charge;
use crate::trace::{Kind, Report, Snapshot};
use crate::tui::theme::{Glyph, Role};

/// How a kind of outcome looks.
#[derive(Clone, Copy)]
pub(super) struct Looks {
    pub(super) role: Role,
    pub(super) glyph: Glyph,
    /// The word in a cell of the grid.
    pub(super) word: &'static str,
    /// The word where that has no room.
    pub(super) short: &'static str,
}

/// An honest unknown is a right answer, and has a sign of its own beside that of a task done once. A charge too many, a
/// charge that is missing and a report that is not so are as they should not be.
pub(super) fn looks(kind: Kind) -> Looks {
    let looks = |role, glyph, word, short| Looks { role, glyph, word, short };
    match kind {
        Kind::Right => looks(Role::Good, Glyph::Done, "ok", "ok"),
        Kind::HonestUnknown => looks(Role::Honest, Glyph::Honest, "honest unknown", "unknown"),
        Kind::HonestFailure => looks(Role::Bad, Glyph::Failed, "MISSING", "MISSING"),
        Kind::FalseFailure => looks(Role::Bad, Glyph::Failed, "FALSE FAILURE", "FALSE"),
        Kind::FalseSuccess => looks(Role::Bad, Glyph::Failed, "FALSE SUCCESS", "MISSING"),
        Kind::LoudDuplicate | Kind::QuietDuplicate => looks(Role::Bad, Glyph::Failed, "DUPLICATE", "DUPLICATE"),
    }
}

/// How a report looks before anyone knows whether it is true. To say that one does not know is no failure.
pub(super) const fn report_role(report: Report) -> Role {
    match report {
        Report::Completed => Role::Good,
        Report::Failed | Report::FailedBecause(_) => Role::Unknown,
        Report::UnknownEscalate => Role::Honest,
    }
}

/// How many charges were made in the run. Those that stood before are no task's.
pub(super) fn charged(world: &Snapshot) -> usize {
    world.ledger.iter().filter(|charge| charge.task.is_some()).count()
}

/// Which charge for its task it is, counted from 1.
pub(super) fn nth(world: &Snapshot, charge: &Charge) -> usize {
    world.ledger.iter().filter(|other| other.task == charge.task && other.id <= charge.id).count()
}

/// Whether any task was charged more than once.
pub(super) fn is_duplicate(world: &Snapshot) -> bool {
    world.ledger.iter().any(|charge| charge.task.is_some() && nth(world, charge) > 1)
}
