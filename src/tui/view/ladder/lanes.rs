//! The lanes of the ladder beside the wire: what the agent did, what the ledger held, what was believed.

use super::axis::Axis;
use crate::model::Time;
use crate::trace::snapshot::{AttemptState, Gap, LookupState};
use crate::trace::{Belief, Event, Report, Snapshot, Trace, What};
use crate::tui::theme::{Glyph, Role};

/// A stretch of a lane, painted before its marks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// From when.
    pub from: Time,
    /// Until when; none where it holds for ever.
    pub until: Option<Time>,
    /// What fills it.
    pub glyph: Glyph,
    /// In which role.
    pub role: Role,
    /// A word to write at its start, as much of it as has room.
    pub word: &'static str,
}

/// A sign at an instant of a lane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// When.
    pub at: Time,
    /// Which column: that of the instant, or the next free one.
    pub column: u16,
    /// What is written.
    pub text: Sign,
    /// In which role.
    pub role: Role,
}

/// What a mark says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sign {
    /// A glyph.
    Glyph(Glyph),
    /// A word or a number.
    Word(String),
    /// A glyph and a word.
    Labelled(Glyph, String),
}

/// A lane.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lane {
    /// What fills it, in order.
    pub stretches: Vec<Stretch>,
    /// What stands on it, in order.
    pub marks: Vec<Mark>,
}

impl Lane {
    fn stretch(&mut self, from: Time, until: Time, glyph: Glyph, role: Role) {
        self.stretches.push(Stretch { from, until: Some(until), glyph, role, word: "" });
    }

    /// Puts a mark at its instant, or one column further where the last one stands there.
    fn mark(&mut self, axis: &Axis, at: Time, text: Sign, role: Role) {
        let free = self.marks.last().map_or(0, |last| last.column + last.text.columns());
        let column = axis.column(at);
        let column = if column < free && free <= column + 2 { free } else { column };
        self.marks.push(Mark { at, column, text, role });
    }
}

impl Sign {
    fn columns(&self) -> u16 {
        let word = |word: &str| u16::try_from(word.len()).unwrap_or(u16::MAX);
        match self {
            Self::Glyph(_) => 1,
            Self::Word(text) => word(text),
            Self::Labelled(_, text) => word(text).saturating_add(2),
        }
    }
}

/// What the agent did: attempts and how long it waited, pauses, lookups, the report.
#[must_use]
pub fn agent(trace: &Trace, axis: &Axis, until: Time) -> Lane {
    let world = Snapshot::at(trace, until);
    let mut lane = Lane::default();
    let mut marks: Vec<(Time, Sign, Role)> = Vec::new();
    for attempt in &world.attempts {
        let end = match attempt.state {
            AttemptState::Waiting => until.min(attempt.times_out_at),
            AttemptState::TimedOut(at) | AttemptState::Answered(at, _) | AttemptState::Abandoned(at) => at,
        };
        lane.stretch(attempt.started_at, end, Glyph::Waiting, Role::Request);
        marks.push((attempt.started_at, Sign::Word(attempt.number.to_string()), Role::Title));
        if let AttemptState::TimedOut(at) = attempt.state {
            marks.push((at, Sign::Glyph(Glyph::TimedOut), Role::Lost));
        }
    }
    for lookup in &world.lookups {
        let end = match lookup.state {
            LookupState::Waiting => until,
            LookupState::TimedOut(at)
            | LookupState::Found(at, _)
            | LookupState::NotFound(at)
            | LookupState::Failed(at)
            | LookupState::Abandoned(at) => at,
        };
        lane.stretch(lookup.asked_at, end, Glyph::LookingUp, Role::Lookup);
        marks.push((lookup.asked_at, Sign::Glyph(Glyph::Unsure), Role::Lookup));
    }
    for event in trace.between(None, until) {
        if let What::Paused { until: over } = event.what {
            lane.stretch(event.at, over.min(until), Glyph::Pausing, Role::Dim);
        }
    }
    if let Some((at, report)) = world.report {
        let (glyph, role) = match report {
            Report::Completed => (Glyph::Done, Role::Good),
            Report::Failed | Report::FailedBecause(_) => (Glyph::Failed, Role::Bad),
            Report::UnknownEscalate => (Glyph::Unsure, Role::Unknown),
        };
        let said = match report {
            Report::FailedBecause(_) => "failed".to_owned(),
            other => other.to_string(),
        };
        marks.push((at, Sign::Labelled(glyph, said), role));
    }
    marks.sort_by_key(|(at, ..)| *at);
    for (at, sign, role) in marks {
        lane.mark(axis, at, sign, role);
    }
    lane
}

/// What the ledger held: each charge when it was committed, repeats that were recognised, refusals, reads;
/// shaded by how far it was from what the client believed.
#[must_use]
pub fn ledger(trace: &Trace, axis: &Axis, until: Time) -> Lane {
    let mut lane = Lane::default();
    let mut world = Snapshot::before();
    let mut since: Option<(Time, Glyph, Role)> = None;
    for group in trace.between(None, until).chunk_by(|a, b| a.at == b.at) {
        for event in group {
            world.apply(trace, event);
            if let Some((text, role)) = entry(event) {
                lane.mark(axis, event.at, Sign::Word(text), role);
            }
        }
        let fill = match (world.gap(), world.ledger.len()) {
            (Gap::None, 0) => None,
            (Gap::None, _) => Some((Glyph::Holding, Role::Good)),
            (Gap::Unseen, charges) => Some((Glyph::Unseen, if charges > 1 { Role::Bad } else { Role::Unseen })),
            (Gap::Wrong, _) => Some((Glyph::Wrong, Role::Bad)),
        };
        if since.map(|(_, glyph, role)| (glyph, role)) != fill {
            if let Some((from, glyph, role)) = since {
                lane.stretch(from, world.at, glyph, role);
            }
            since = fill.map(|(glyph, role)| (world.at, glyph, role));
        }
    }
    let last = since.map(|(from, glyph, role)| Stretch { from, until: held(trace, until), glyph, role, word: "" });
    lane.stretches.extend(last);
    lane
}

/// What an event writes on the ledger's lane.
fn entry(event: &Event) -> Option<(String, Role)> {
    match event.what {
        What::Committed { charge, .. } => {
            let role = if charge.index() > 0 { Role::Bad } else { Role::Good };
            Some((format!("${}", charge.index() + 1), role))
        }
        What::Replayed { charge, .. } => Some((format!("=${}", charge.index() + 1), Role::Response)),
        What::Refused { .. } => Some(("!".to_owned(), Role::Bad)),
        What::Read { .. } => Some(("?".to_owned(), Role::Lookup)),
        _ => None,
    }
}

/// What the client believed.
#[must_use]
pub fn belief(trace: &Trace, until: Time) -> Lane {
    let mut lane = Lane::default();
    let mut world = Snapshot::before();
    let mut open: Option<(Time, Belief, bool)> = None;
    let stretch = |(from, belief, wrong), until| {
        let said = believed(belief, wrong);
        Stretch { from, until, glyph: Glyph::Agree, role: said.1, word: said.0 }
    };
    for group in trace.between(None, until).chunk_by(|a, b| a.at == b.at) {
        for event in group {
            world.apply(trace, event);
        }
        let now = (world.belief(), world.gap() == Gap::Wrong);
        match open {
            Some((_, belief, wrong)) if (belief, wrong) == now => {}
            before => {
                lane.stretches.extend(before.map(|before| stretch(before, Some(world.at))));
                open = Some((world.at, now.0, now.1));
            }
        }
    }
    lane.stretches.extend(open.map(|open| stretch(open, held(trace, until))));
    lane
}

/// Until when what holds at `until` holds: once the run is over, for ever.
fn held(trace: &Trace, until: Time) -> Option<Time> {
    Some(until).filter(|until| *until < trace.end())
}

/// The belief in words, and whether it is so.
const fn believed(belief: Belief, wrong: bool) -> (&'static str, Role) {
    match (belief, wrong) {
        (Belief::Done, true) => ("still: one", Role::Bad),
        (Belief::Refused, true) => ("still: none", Role::Bad),
        (Belief::Done, false) => ("done: one charge", Role::Good),
        (Belief::Refused, false) => ("refused", Role::Bad),
        (Belief::Unknown, _) => ("unknown", Role::Unknown),
        (Belief::Waiting, _) => ("waiting", Role::Dim),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Fault, Scenario, Strategy};
    use crate::sim::simulate;

    fn run(strategy: usize, fault: usize) -> Trace {
        let scenario = Scenario::new(Strategy::presets()[strategy].clone(), Fault::presets()[fault].clone());
        simulate(&scenario).unwrap()
    }

    #[test]
    fn the_belief_is_wrong_from_the_second_charge_on() {
        let trace = run(1, 2);
        let lane = belief(&trace, trace.end());
        let words: Vec<_> = lane.stretches.iter().map(|s| (s.from.as_ms() / 1_000, s.word)).collect();
        assert_eq!(words, [(0, "waiting"), (30, "unknown"), (39, "done: one charge"), (90, "still: one")]);
    }

    #[test]
    fn the_ledger_is_shaded_where_the_client_does_not_see_it_or_is_wrong() {
        let trace = run(1, 2);
        let lane = ledger(&trace, &Axis::new(&[Time::ZERO, trace.end()], 70), trace.end());
        let fills: Vec<_> = lane.stretches.iter().map(|s| (s.from.as_ms() / 1_000, s.glyph)).collect();
        assert_eq!(fills, [(37, Glyph::Unseen), (39, Glyph::Holding), (90, Glyph::Wrong)]);
    }

    #[test]
    fn marks_do_not_cover_each_other() {
        for strategy in 0..4 {
            for fault in 0..4 {
                let trace = run(strategy, fault);
                for columns in [20, 32, 52, 72, 192] {
                    let axis = Axis::new(&[Time::ZERO, trace.end()], columns);
                    let lane = agent(&trace, &axis, trace.end());
                    let apart =
                        lane.marks.windows(2).all(|pair| pair[0].column + pair[0].text.columns() <= pair[1].column + 1);
                    assert!(apart, "{strategy} {fault} {columns} {:?}", lane.marks);
                }
            }
        }
    }
}
