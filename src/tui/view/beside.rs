//! What the screens with several runs share: a run's state in a line, its outcome in words, and where runs part.

use ratatui::Frame;
use ratatui::layout::Rect;

use super::lines::{Words, cut, wrap};
use super::{Scene, caption, write};
use crate::model::text::width;
use crate::model::{AgentId, Time};
use crate::trace::snapshot::Gap;
use crate::trace::{Belief, Outcome, Report, Trace, Verdict, parting, story};
use crate::tui::theme::{Glyph, Look, Role};

/// A piece of a line: a dim label, and what it is with its sign.
struct Piece {
    label: &'static str,
    role: Role,
    glyph: Option<Glyph>,
    text: String,
}

/// The ledger's count, the belief and the report of the first agent at the clock, as many of them as `columns` have room for.
pub(super) fn state(scene: &Scene<'_>, columns: usize) -> Words {
    let world = &scene.world;
    let belief = world.belief();
    let believed = match (belief, world.gap()) {
        (_, Gap::Wrong) => (Role::Bad, Some(Glyph::Failed), "wrong".to_owned()),
        (Belief::Unknown, _) => (Role::Unknown, Some(Glyph::Unsure), belief.word().to_owned()),
        (Belief::Done, _) => (Role::Good, Some(Glyph::Done), belief.word().to_owned()),
        (Belief::Refused, _) => (Role::Bad, None, belief.word().to_owned()),
        (Belief::Waiting, _) => (Role::Dim, None, belief.word().to_owned()),
    };
    // Those of the first agent's task, as its belief and its report are.
    let task = Some(scene.trace.task_id_of(AgentId::default()));
    let charges = world.ledger.iter().filter(|charge| charge.task == task).count();
    let charges = u32::try_from(charges).unwrap_or(u32::MAX);
    let report = world.report.map(|(_, report)| report);
    let pieces = |(loud, labels): (bool, bool)| {
        let (role, glyph, text) = believed.clone();
        let mut pieces = [count(charges, false, loud), Piece { label: "belief ", role, glyph, text }, reported(report)];
        if !labels {
            for piece in &mut pieces {
                piece.label = "";
            }
        }
        pieces
    };
    // Where it is narrow, first the word for a duplicate goes, then the labels, then what comes last.
    let fits = |form: &(bool, bool)| join(scene.look, &pieces(*form), usize::MAX).width() <= columns;
    let form = [(true, true), (false, true), (false, false)].into_iter().find(fits).unwrap_or((false, true));
    join(scene.look, &pieces(form), columns)
}

/// What a run comes to in the end.
pub(super) fn outcome(look: Look, outcome: &Outcome, columns: usize) -> Words {
    let report = reported(outcome.report.map(|(_, report)| report));
    join(look, &[count(outcome.charges, true, true), report], columns)
}

/// How many charges a run has in the end; `loud` with the word for it.
pub(super) fn charges(look: Look, charges: u32, loud: bool) -> Words {
    join(look, &[count(charges, true, loud)], usize::MAX)
}

fn count(charges: u32, ended: bool, loud: bool) -> Piece {
    let (role, glyph, mut text) = match charges {
        0 if ended => (Role::Unknown, Some(Glyph::Unsure), "no charge".to_owned()),
        0 => (Role::Dim, None, "no charge".to_owned()),
        1 => (Role::Good, Some(Glyph::Done), "1 charge".to_owned()),
        n => (Role::Bad, Some(Glyph::Failed), format!("{n} charges")),
    };
    let verdict = match charges {
        0 if ended => Some(Verdict::Missing),
        0 | 1 => None,
        _ => Some(Verdict::Duplicate),
    };
    if let Some(verdict) = verdict.filter(|_| loud) {
        text = format!("{text} {}", verdict.word());
    }
    Piece { label: "", role, glyph, text }
}

fn reported(report: Option<Report>) -> Piece {
    let Some(report) = report else {
        return Piece { label: "", role: Role::Dim, glyph: None, text: "no report yet".to_owned() };
    };
    Piece { label: "report ", role: report_role(report), glyph: None, text: short(report) }
}

pub(super) fn report_role(report: Report) -> Role {
    match report {
        Report::Completed => Role::Good,
        Report::UnknownEscalate => Role::Unknown,
        _ => Role::Bad,
    }
}

/// The report without its reason.
pub(super) fn short(report: Report) -> String {
    match report {
        Report::FailedBecause(_) => "failed".to_owned(),
        report => report.to_string(),
    }
}

fn join(look: Look, pieces: &[Piece], columns: usize) -> Words {
    let mut words = Words::new(look);
    for (n, piece) in pieces.iter().enumerate() {
        let apart = if n > 0 { 2 } else { 0 };
        let sign = if piece.glyph.is_some() { 2 } else { 0 };
        if words.width() + apart + sign + width(piece.label) + width(&piece.text) > columns {
            break;
        }
        words = words.say(Role::Text, " ".repeat(apart)).say(Role::Dim, piece.label);
        if let Some(glyph) = piece.glyph {
            words = words.glyph(piece.role, glyph).say(piece.role, " ");
        }
        words = words.say(piece.role, piece.text.clone());
    }
    words
}

/// Where runs part, in a sentence; and where there is room, what just happened in one of them.
pub(super) fn draw_caption(
    frame: &mut Frame<'_>,
    area: Rect,
    runs: &[(String, &Trace)],
    parts_at: Option<Time>,
    (name, scene): (&str, &Scene<'_>),
) {
    let columns = usize::from(area.width.saturating_sub(2));
    let rows = usize::from(area.height);
    let mut lines: Vec<(Role, String)> = Vec::new();
    lines.extend(wrap(&parting_words(runs, parts_at, scene), columns).into_iter().map(|line| (Role::Parting, line)));
    let (role, text, more) = caption::of(scene);
    let told = wrap(&format!("{name}: {text} {}", more.unwrap_or_default()), columns);
    if lines.len() + told.len() <= rows {
        lines.extend(told.into_iter().map(|line| (role, line)));
    }
    if lines.len() > rows
        && let Some((_, last)) = rows.checked_sub(1).and_then(|last| lines.get_mut(last))
    {
        // The rest of the sentence has no room.
        *last = format!("{}{}", cut(scene.look, last, columns.saturating_sub(1)), scene.look.glyph(Glyph::Ellipsis));
    }
    for (row, (role, line)) in area.rows().zip(lines) {
        write(frame, row, &Words::new(scene.look).say(role, format!(" {line}")).line());
    }
}

/// Where runs part. What is still to come is told only where it is shown.
fn parting_words(runs: &[(String, &Trace)], parts_at: Option<Time>, scene: &Scene<'_>) -> String {
    let Some(at) = parts_at.filter(|at| scene.future || *at <= scene.world.at) else {
        return if scene.future { "Alike, step by step, to the end." } else { "Alike so far." }.to_owned();
    };
    let parted = runs.split_first().and_then(|((first_name, first), others)| {
        let (name, other, parting) = others.iter().find_map(|(name, other)| {
            let parting = parting(first, other).filter(|parting| parting.at == at)?;
            Some((name, *other, parting))
        })?;
        let said = |trace: &Trace, event: Option<_>| {
            event.map_or_else(|| "does not".to_owned(), |event| story::in_short(trace, &event))
        };
        // What happens is told before what does not.
        let one = (parting.one.is_none(), format!("{first_name} {}", said(first, parting.one)));
        let two = (parting.other.is_none(), format!("{name} {}", said(other, parting.other)));
        let (before, after) = if one.0 { (two, one) } else { (one, two) };
        Some(format!(": {}, {}.", before.1, after.1))
    });
    format!("Alike until {at}{}", parted.unwrap_or_else(|| ".".to_owned()))
}
