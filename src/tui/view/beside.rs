//! What the screens with several runs share: a run's state in a line, its outcome in words, and where runs part.

use super::Scene;
use super::lines::Words;
use crate::model::Time;
use crate::model::text::width;
use crate::trace::{Belief, Outcome, Report, Trace, Verdict, story};
use crate::tui::theme::{Glyph, Look, Role};

/// A piece of a line, with the sign and the role that it is written in.
type Piece = (Role, Option<Glyph>, String);

/// The ledger's count, the belief and the report at the clock, as many of them as `columns` have room for.
pub(super) fn state(scene: &Scene<'_>, columns: usize) -> Words {
    let world = &scene.world;
    let count = count(u32::try_from(world.ledger.len()).unwrap_or(u32::MAX));
    let belief = world.belief();
    let belief_role = match belief {
        Belief::Waiting => Role::Dim,
        Belief::Unknown => Role::Unknown,
        Belief::Done => Role::Good,
        Belief::Refused => Role::Bad,
    };
    let mut pieces = vec![count, (belief_role, None, format!("believes {}", belief.word()))];
    match world.report {
        Some((_, report)) => pieces.push((report_role(report), None, format!("says {}", short(report)))),
        None => pieces.push((Role::Dim, None, "says nothing yet".to_owned())),
    }
    join(scene.look, &pieces, columns)
}

/// What a run comes to in the end.
pub(super) fn outcome(look: Look, outcome: &Outcome, columns: usize) -> Words {
    let mut pieces = vec![count(outcome.charges)];
    if outcome.charges == 0 {
        pieces[0] = (Role::Unknown, Some(Glyph::Unsure), "no charge MISSING".to_owned());
    }
    if let Some((_, report)) = outcome.report {
        pieces.push((report_role(report), None, format!("says {}", short(report))));
    }
    join(look, &pieces, columns)
}

fn count(charges: u32) -> Piece {
    match charges {
        0 => (Role::Dim, None, "no charge".to_owned()),
        1 => (Role::Good, Some(Glyph::Done), "1 charge".to_owned()),
        n => (Role::Bad, Some(Glyph::Failed), format!("{n} charges {}", Verdict::Duplicate.word())),
    }
}

fn report_role(report: Report) -> Role {
    match report {
        Report::Completed => Role::Good,
        Report::UnknownEscalate => Role::Unknown,
        _ => Role::Bad,
    }
}

/// The report without its reason.
fn short(report: Report) -> String {
    match report {
        Report::FailedBecause(_) => "failed".to_owned(),
        report => report.to_string(),
    }
}

fn join(look: Look, pieces: &[Piece], columns: usize) -> Words {
    let mut words = Words::new(look);
    for (n, (role, glyph, text)) in pieces.iter().enumerate() {
        let apart = if n > 0 { 2 } else { 0 };
        let sign = if glyph.is_some() { 2 } else { 0 };
        if words.width() + apart + sign + width(text) > columns {
            break;
        }
        words = words.say(Role::Text, " ".repeat(apart));
        if let Some(glyph) = glyph {
            words = words.glyph(*role, *glyph).say(*role, " ");
        }
        words = words.say(*role, text.clone());
    }
    words
}

/// Where runs part, in a sentence or two. What is still to come is told only where it is shown.
pub(super) fn parting(runs: &[(String, &Trace)], parts_at: Option<Time>, at: Time, future: bool) -> String {
    let how_many = match runs.len() {
        2 => "Both runs".to_owned(),
        n => format!("All {n} runs"),
    };
    match parts_at {
        None if future => format!("{how_many} go the same way, step by step, to the end."),
        Some(parts_at) if at >= parts_at => {
            let told = |(name, trace): &(String, &Trace)| (name.clone(), story::headline(trace, parts_at));
            let first = runs.first().map(told);
            let other = runs.iter().map(told).find(|(_, told)| first.as_ref().is_some_and(|first| *told != first.1));
            let clauses = first.into_iter().chain(other).map(|(name, told)| format!("{name}: {told}"));
            format!("They part at {parts_at}. {}", clauses.collect::<Vec<_>>().join(" "))
        }
        Some(parts_at) if future => format!("{how_many} go the same way until {parts_at}."),
        _ => format!("{how_many} have gone the same way so far."),
    }
}
