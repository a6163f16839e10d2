//! The pane of the agent: what the client has seen, what it may conclude, what it reports.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::lines::{Words, bar, cut_key, newest};
use super::{Scene, write};
use crate::model::Time;
use crate::trace::snapshot::{Attempt, AttemptState, Lookup, LookupState};
use crate::trace::{Answer, Belief, Report};
use crate::tui::theme::{Glyph, Role};

/// Attempts and lookups in order; belief and report at the foot, always in sight.
pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, scene: &Scene<'_>) {
    let columns = usize::from(area.width);
    let world = &scene.world;
    let mut lines = Vec::new();
    for attempt in &world.attempts {
        lines.push(self::attempt(scene, attempt, columns));
        if let Some(key) = attempt.key {
            let key = cut_key(scene.look, &scene.trace.key_text(key), columns.saturating_sub(8));
            let fresh = attempt.started_at == world.at;
            lines.push(margin(scene, fresh).say(Role::Dim, format!("  key {key}")).line());
        }
        for lookup in world.lookups.iter().filter(|lookup| lookup.after_attempt == attempt.number) {
            lines.push(self::lookup(scene, lookup));
        }
    }
    let foot = area.height.saturating_sub(2);
    newest(frame, Rect { height: foot, ..area }, scene.look, &lines);
    let rows = Rect { y: area.y + foot, height: area.height - foot, ..area }.rows();
    for (row, line) in rows.zip([belief(scene, columns), report(scene, columns)]) {
        write(frame, row, &line);
    }
}

fn margin(scene: &Scene<'_>, fresh: bool) -> Words {
    let words = Words::new(scene.look);
    if fresh { words.glyph(Role::Title, Glyph::Fresh) } else { words.say(Role::Text, " ") }
}

fn attempt(scene: &Scene<'_>, attempt: &Attempt, columns: usize) -> Line<'static> {
    let now = scene.world.at;
    let fresh = |at: Time| at == now || attempt.started_at == now;
    let number = format!("{} ", attempt.number);
    match attempt.state {
        AttemptState::Waiting => {
            let (left, whole) = (attempt.times_out_at.since(now), attempt.times_out_at.since(attempt.started_at));
            let words =
                margin(scene, fresh(attempt.started_at)).say(Role::Title, number).say(Role::Request, "waiting ");
            let left_words = format!("{} left", left.human());
            let room = columns.saturating_sub(words.width() + left_words.len() + 1).min(12);
            if room < 3 {
                return words.say(Role::Text, left_words).line();
            }
            let part = (left.as_ms() * 1_000).checked_div(whole.as_ms()).unwrap_or(0);
            let (full, rest) = bar(scene.look, room, part, Glyph::TimerFull, Glyph::TimerEmpty);
            words.say(Role::Request, full).say(Role::Dim, rest).say(Role::Text, format!(" {left_words}")).line()
        }
        AttemptState::TimedOut(at) => margin(scene, fresh(at))
            .say(Role::Title, number)
            .glyph(Role::Lost, Glyph::TimedOut)
            .say(Role::Lost, " timed out")
            .say(Role::Dim, format!(" {at}"))
            .line(),
        AttemptState::Answered(at, Answer::Success { charge, .. }) => margin(scene, fresh(at))
            .say(Role::Title, number)
            .glyph(Role::Good, Glyph::Done)
            .say(Role::Good, format!(" ok: {charge}"))
            .say(Role::Dim, format!(" {at}"))
            .line(),
        AttemptState::Answered(at, Answer::Refused(_)) => margin(scene, fresh(at))
            .say(Role::Title, number)
            .glyph(Role::Bad, Glyph::Failed)
            .say(Role::Bad, " refused")
            .say(Role::Dim, format!(" {at}"))
            .line(),
        AttemptState::Answered(at, Answer::Error { .. }) => margin(scene, fresh(at))
            .say(Role::Title, number)
            .glyph(Role::Lost, Glyph::Failed)
            .say(Role::Lost, " server error")
            .say(Role::Dim, format!(" {at}"))
            .line(),
        AttemptState::Abandoned(at) => margin(scene, fresh(at))
            .say(Role::Title, number)
            .glyph(Role::Lost, Glyph::Lost)
            .say(Role::Lost, " crashed")
            .say(Role::Dim, format!(" {at}"))
            .line(),
    }
}

fn lookup(scene: &Scene<'_>, lookup: &Lookup) -> Line<'static> {
    let (ended_at, role, said) = match lookup.state {
        LookupState::Waiting => (None, Role::Lookup, "looks it up".to_owned()),
        LookupState::TimedOut(at) => (Some(at), Role::Lost, "no answer".to_owned()),
        LookupState::Failed(at) => (Some(at), Role::Lost, "could not look".to_owned()),
        LookupState::Abandoned(at) => (Some(at), Role::Lost, "crashed".to_owned()),
        LookupState::Found(at, charge) => (Some(at), Role::Good, format!("found {charge}")),
        LookupState::NotFound(at) => (Some(at), Role::Lookup, "looked: not there".to_owned()),
    };
    let fresh = ended_at.unwrap_or(lookup.asked_at) == scene.world.at;
    let at = ended_at.map_or_else(String::new, |at| format!(" {at}"));
    margin(scene, fresh).say(Role::Text, "  ").say(role, said).say(Role::Dim, at).line()
}

fn belief(scene: &Scene<'_>, columns: usize) -> Line<'static> {
    let belief = scene.world.belief();
    let (role, more) = match belief {
        Belief::Waiting => (Role::Text, ""),
        Belief::Unknown => (Role::Unknown, ": it did, did not, or still will"),
        Belief::Done => (Role::Good, ": one charge"),
        Belief::Refused => (Role::Bad, ": no charge"),
    };
    let words = Words::new(scene.look).say(Role::Dim, " belief ").say(role, belief.word());
    let room = columns.saturating_sub(words.width());
    if more.len() <= room { words.say(role, more).line() } else { words.line() }
}

fn report(scene: &Scene<'_>, columns: usize) -> Line<'static> {
    let words = Words::new(scene.look).say(Role::Dim, " report ");
    match scene.world.report {
        None => words.say(Role::Dim, "none yet").line(),
        Some((at, report)) => {
            let role = if report == Report::Completed { Role::Good } else { Role::Unknown };
            let (words, at) = (words.say(role, report.to_string()), format!(" {at}"));
            if words.width() + at.len() > columns { words.line() } else { words.say(Role::Dim, at).line() }
        }
    }
}
