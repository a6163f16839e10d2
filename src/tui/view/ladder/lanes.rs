//! The lanes of the ladder beside the wire: what the agent did, what the ledger held, what was believed.

use super::axis::Axis;
use crate::model::{AgentId, Time};
use crate::trace::snapshot::{AttemptState, Gap, LookupState};
use crate::trace::{Answer, Belief, ChargeId, Event, Report, Snapshot, Trace, What};
use crate::tui::theme::{Glyph, Role};
use crate::tui::view::outcome::{is_duplicate, nth};
use crate::tui::view::service::expiries;

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

/// What the first agent did.
#[must_use]
pub fn agent(trace: &Trace, axis: &Axis, until: Time) -> Lane {
    agent_of(trace, AgentId::default(), axis, until)
}

/// What an agent did: attempts and how long it waited, pauses, lookups, crashes, the report.
#[must_use]
pub fn agent_of(trace: &Trace, agent: AgentId, axis: &Axis, until: Time) -> Lane {
    let world = Snapshot::at(trace, until);
    let mut lane = Lane::default();
    let mut marks: Vec<(Time, Sign, Role)> = Vec::new();
    let role = if agent.index() == 0 { Role::Request } else { Role::Other };
    for event in trace.between(None, until).iter().filter(|event| event.agent == agent) {
        let mut mark = |glyph, role| marks.push((event.at, Sign::Glyph(glyph), role));
        match event.what {
            What::Paused { until: over } => lane.stretch(event.at, over.min(until), Glyph::Pausing, Role::Dim),
            What::HarnessCrashed { until: over } => {
                mark(Glyph::Crashed, Role::Bad);
                lane.stretch(event.at, over.min(until), Glyph::Down, Role::Lost);
            }
            What::HarnessResumed { .. } => mark(Glyph::Resumed, Role::Title),
            What::Resending { .. } => mark(Glyph::More, Role::Late),
            What::NothingToRead { .. } => mark(Glyph::Unsure, Role::Lost),
            What::Remembered => mark(Glyph::Fresh, Role::Good),
            _ => {}
        }
    }
    for attempt in world.attempts.iter().filter(|attempt| attempt.agent == agent) {
        let end = match attempt.state {
            AttemptState::Waiting => until.min(attempt.times_out_at),
            AttemptState::TimedOut(at) | AttemptState::Answered(at, _) | AttemptState::Abandoned(at) => at,
        };
        lane.stretch(attempt.started_at, end, Glyph::Waiting, role);
        marks.push((attempt.started_at, Sign::Word(attempt.number.to_string()), Role::Title));
        match attempt.state {
            AttemptState::TimedOut(at) => marks.push((at, Sign::Glyph(Glyph::TimedOut), Role::Lost)),
            AttemptState::Answered(at, Answer::Refused(_)) => {
                marks.push((at, Sign::Glyph(Glyph::Trouble), Role::Bad));
            }
            AttemptState::Answered(at, Answer::Error { .. }) => {
                marks.push((at, Sign::Glyph(Glyph::Trouble), Role::Lost));
            }
            AttemptState::Waiting | AttemptState::Answered(..) | AttemptState::Abandoned(_) => {}
        }
    }
    for lookup in world.lookups.iter().filter(|lookup| lookup.agent == agent) {
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
        if let LookupState::TimedOut(at) | LookupState::Failed(at) = lookup.state {
            marks.push((at, Sign::Glyph(Glyph::Trouble), Role::Lost));
        }
    }
    if let Some((at, report)) = world.report_of(agent) {
        let (glyph, role) = match report {
            Report::Completed => (Glyph::Done, Role::Good),
            Report::Failed | Report::FailedBecause(_) => (Glyph::Failed, Role::Bad),
            Report::UnknownEscalate => (Glyph::Honest, Role::Honest),
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

/// What the ledger held: each charge when it was committed, repeats that were recognised, refusals, errors, reads;
/// shaded by how far it was from what the clients believed. Over it, when the service worked on a request, and when it
/// was down.
#[must_use]
pub fn ledger(trace: &Trace, axis: &Axis, until: Time) -> Lane {
    let mut lane = Lane::default();
    let mut world = Snapshot::before();
    let mut since: Option<(Time, Glyph, Role)> = None;
    let mut above: Vec<(Time, Time, Glyph, Role)> = Vec::new();
    for group in trace.between(None, until).chunk_by(|a, b| a.at == b.at) {
        for event in group {
            world.apply(trace, event);
            if let Some((sign, role)) = entry(&world, event) {
                lane.mark(axis, event.at, sign, role);
            }
            match event.what {
                What::Began { until: over, .. } => above.push((event.at, over, Glyph::Working, Role::Response)),
                What::Held { until: over, .. } => {
                    above.push((event.at, over.unwrap_or(until), Glyph::Working, Role::Late));
                }
                _ => {}
            }
        }
        let fill = match (world.gap(), world.ledger.len()) {
            (Gap::None, 0) => None,
            (Gap::None, _) => Some((Glyph::Holding, Role::Good)),
            (Gap::Unseen, _) => Some((Glyph::Unseen, if is_duplicate(&world) { Role::Bad } else { Role::Unseen })),
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
    above.extend(outages(trace));
    for (from, over, glyph, role) in above.into_iter().filter(|(from, ..)| *from <= until) {
        lane.stretch(from, over.min(until), glyph, role);
    }
    for (at, _) in expiries(trace).into_iter().filter(|(at, _)| *at <= until) {
        let place = lane.marks.partition_point(|mark| mark.at <= at);
        let sign = Sign::Glyph(Glyph::Expired);
        lane.marks.insert(place, Mark { at, column: axis.column(at), text: sign, role: Role::Late });
    }
    lane
}

/// When the service was down.
fn outages(trace: &Trace) -> impl Iterator<Item = (Time, Time, Glyph, Role)> {
    let outages = trace.scenario().fault.plan.outages.iter();
    outages.map(|outage| (Time::ZERO + outage.from, Time::ZERO + outage.until, Glyph::Down, Role::Lost))
}

/// What an event writes on the ledger's lane, in the world that it has led to.
fn entry(world: &Snapshot, event: &Event) -> Option<(Sign, Role)> {
    let number = |before: &str, charge: ChargeId| Sign::Word(format!("{before}${}", charge.index() + 1));
    match event.what {
        What::Stood { charge } => Some((number("", charge), Role::Dim)),
        What::Committed { charge, .. } => {
            let is_first = world.ledger.get(charge.index()).is_none_or(|entry| nth(world, entry) == 1);
            Some((number("", charge), if is_first { Role::Good } else { Role::Bad }))
        }
        What::Replayed { charge, .. } => Some((number("=", charge), Role::Response)),
        What::Refused { .. } => Some((Sign::Glyph(Glyph::Trouble), Role::Bad)),
        What::Failed { .. } | What::ReadFailed { .. } => Some((Sign::Glyph(Glyph::Trouble), Role::Lost)),
        What::ServiceCrashed { .. } => Some((Sign::Glyph(Glyph::Crashed), Role::Bad)),
        What::Unheard { .. } => Some((Sign::Glyph(Glyph::Lost), Role::Lost)),
        What::Read { .. } => Some((Sign::Glyph(Glyph::Unsure), Role::Lookup)),
        _ => None,
    }
}

/// What the first agent believed.
#[must_use]
pub fn belief(trace: &Trace, until: Time) -> Lane {
    belief_of(trace, AgentId::default(), until)
}

/// What an agent believed.
#[must_use]
pub fn belief_of(trace: &Trace, agent: AgentId, until: Time) -> Lane {
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
        let now = (world.belief_of(agent), world.gap_of(agent) == Gap::Wrong);
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
