//! The pane of the agent: what the client has seen, what it may conclude, what it reports. Where there are several, one
//! above the other.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::lines::{self, Words, bar, cut, cut_key, newest};
use super::outcome::{looks, report_role};
use super::{Scene, write};
use crate::model::{AgentId, Time};
use crate::trace::snapshot::{Attempt, AttemptState, Doing, Lookup, LookupState};
use crate::trace::{Answer, Belief, Event, Payload, What};
use crate::tui::theme::{Glyph, Role};

/// Attempts and lookups in order; belief and report at the foot, always in sight.
pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, scene: &Scene<'_>) {
    if scene.trace.agents().len() > 1 {
        return several(frame, area, scene);
    }
    let columns = usize::from(area.width);
    let agent = AgentId::default();
    let mut feet = vec![belief(scene, columns), report(scene, columns)];
    let mut seen = seen(scene, agent, columns, true);
    // What is said elsewhere as well pushes nothing out of sight.
    let has_room = seen.len() + feet.len() < usize::from(area.height);
    if has_room && scene.world.ended {
        feet.push(outcome(scene, columns));
    } else if has_room {
        seen.extend(pause(scene, agent));
    }
    let foot = area.height.saturating_sub(u16::try_from(feet.len()).unwrap_or(2));
    newest(frame, Rect { height: foot, ..area }, scene.look, &seen);
    let rows = Rect { y: area.y + foot, height: area.height - foot, ..area }.rows();
    for (row, line) in rows.zip(feet) {
        write(frame, row, &line);
    }
}

/// Each agent under a line of its own that tells how it stands. They share the height.
fn several(frame: &mut Frame<'_>, area: Rect, scene: &Scene<'_>) {
    let columns = usize::from(area.width);
    let agents = u16::try_from(scene.trace.agents().len()).unwrap_or(u16::MAX);
    let (share, mut over) = (area.height / agents, area.height % agents);
    let mut y = area.y;
    // One row is kept to say how many have no room.
    let fitting = if share == 0 { area.height.saturating_sub(1) } else { agents };
    for agent in scene.trace.agents().take(usize::from(fitting)) {
        let extra = u16::from(over > 0 && share > 0);
        over -= extra;
        let height = share.max(1) + extra;
        let rows = Rect { y, height, ..area };
        write(frame, Rect { height: 1, ..rows }, &heading(scene, agent, columns));
        let rest = Rect { y: y + 1, height: height - 1, ..area };
        // Keys have room only where attempts do.
        let mut seen = seen(scene, agent, columns, rest.height > 2 || columns > 60);
        if seen.len() < usize::from(rest.height) {
            seen.extend(pause(scene, agent));
        }
        newest(frame, rest, scene.look, &seen);
        y += height;
    }
    if fitting < agents {
        let text = format!(" {} more agents", agents - fitting);
        write(frame, Rect { y, height: 1, ..area }, &Words::new(scene.look).say(Role::Dim, text).line());
    }
}

/// `agent 2 unknown`, `agent 2 done, completed`, and in the end what it came to.
fn heading(scene: &Scene<'_>, agent: AgentId, columns: usize) -> Line<'static> {
    let role = if agent.index() == 0 { Role::Request } else { Role::Other };
    // Where it is narrow, the number alone names the agent.
    let number = agent.index() + 1;
    let name = if columns < 26 { format!(" {number} ") } else { format!(" agent {number} ") };
    let words = Words::new(scene.look).say(role, name);
    if scene.world.ended
        && let Some(kind) = scene.trace.kinds().get(agent.index())
    {
        let marks = looks(*kind);
        let kind = cut(scene.look, &format!(" {kind}"), columns.saturating_sub(words.width() + 1));
        return words.glyph(marks.role, marks.glyph).say(marks.role, kind).line();
    }
    let belief = scene.world.belief_of(agent);
    let words = words.say(belief_role(belief), belief.word());
    let Some((_, report)) = scene.world.report_of(agent) else { return words.line() };
    let said = cut(scene.look, &format!(", {report}"), columns.saturating_sub(words.width()));
    words.say(report_role(report), said).line()
}

/// What an agent has seen and done, in order; `keys` says whether the keys are told.
fn seen(scene: &Scene<'_>, agent: AgentId, columns: usize, keys: bool) -> Vec<Line<'static>> {
    let world = &scene.world;
    let mut attempts = world.attempts.iter().filter(|attempt| attempt.agent == agent);
    let mut lookups = world.lookups.iter().filter(|lookup| lookup.agent == agent);
    let mut lines = Vec::new();
    for event in scene.trace.between(None, world.at).iter().filter(|event| event.agent == agent) {
        match event.what {
            What::AttemptStarted { .. } => {
                let Some(attempt) = attempts.next() else { continue };
                lines.push(self::attempt(scene, attempt, columns));
                if let Some(key) = attempt.key.filter(|_| keys) {
                    let key = cut_key(scene.look, &scene.trace.key_text(key), columns.saturating_sub(8));
                    let fresh = attempt.started_at == world.at;
                    lines.push(margin(scene, fresh).say(Role::Dim, format!("  key {key}")).line());
                }
            }
            What::Sent(message) if matches!(message.payload, Payload::Lookup { .. }) => {
                lines.extend(lookups.next().map(|lookup| self::lookup(scene, lookup, columns)));
            }
            _ => lines.extend(besides(scene, event, columns)),
        }
    }
    lines
}

/// What happens to an agent besides its attempts and lookups.
fn besides(scene: &Scene<'_>, event: &Event, columns: usize) -> Option<Line<'static>> {
    let fresh = event.at == scene.world.at;
    let say = |glyph, role, text: String| {
        let words = margin(scene, fresh).glyph(role, glyph).say(role, format!(" {text}"));
        Some(words.at(event.at, columns).line())
    };
    match event.what {
        What::Resending { until, .. } if until > scene.world.at => {
            let words = margin(scene, fresh).say(Role::Text, "  ").glyph(Role::Late, Glyph::More);
            Some(words.say(Role::Late, " again at").at(until, columns).line())
        }
        What::Resending { until, .. } => {
            let words = margin(scene, fresh).say(Role::Text, "  ").glyph(Role::Late, Glyph::More);
            Some(words.say(Role::Late, " sent again").at(until, columns).line())
        }
        What::NothingToRead { .. } => say(Glyph::Unsure, Role::Lost, "nothing to read".to_owned()),
        What::Remembered => say(Glyph::Done, Role::Good, "remembers it: done".to_owned()),
        What::HarnessCrashed { .. } => say(Glyph::Crashed, Role::Bad, "crashes".to_owned()),
        What::HarnessResumed { key_kept, .. } => {
            let key = if key_kept { "with its key" } else { "without its key" };
            say(Glyph::Resumed, Role::Title, format!("resumes {key}"))
        }
        _ => None,
    }
}

/// What the agent waits for, where that is only the clock.
fn pause(scene: &Scene<'_>, agent: AgentId) -> Option<Line<'static>> {
    let (text, until) = match scene.world.doing_of(agent) {
        Doing::Pausing { until } => ("pauses until", until),
        Doing::Down { until } => ("down until", until),
        _ => return None,
    };
    Some(margin(scene, false).say(Role::Text, format!("  {text}")).say(Role::Dim, format!(" {until}")).line())
}

fn margin(scene: &Scene<'_>, fresh: bool) -> Words {
    let words = Words::new(scene.look);
    if fresh { words.glyph(Role::Title, Glyph::Fresh) } else { words.say(Role::Text, " ") }
}

fn attempt(scene: &Scene<'_>, attempt: &Attempt, columns: usize) -> Line<'static> {
    let now = scene.world.at;
    let number = format!("{} ", attempt.number);
    let ended = |at: Time, role, glyph, text: String| {
        let fresh = at == now || attempt.started_at == now;
        let words = margin(scene, fresh).say(Role::Title, number.clone()).glyph(role, glyph);
        words.say(role, format!(" {text}")).at(at, columns).line()
    };
    match attempt.state {
        AttemptState::Waiting => {
            let (left, whole) = (attempt.times_out_at.since(now), attempt.times_out_at.since(attempt.started_at));
            let fresh = attempt.started_at == now;
            let words = margin(scene, fresh).say(Role::Title, number).say(Role::Request, "waiting ");
            let left_words = format!("{} left", lines::left(left));
            let room = columns.saturating_sub(words.width() + left_words.len() + 1).min(12);
            if room < 3 {
                return words.say(Role::Text, left_words).line();
            }
            let part = (left.as_ms() * 1_000).checked_div(whole.as_ms()).unwrap_or(0);
            let (full, rest) = bar(scene.look, room, part, Glyph::TimerFull, Glyph::TimerEmpty);
            words.say(Role::Request, full).say(Role::Dim, rest).say(Role::Text, format!(" {left_words}")).line()
        }
        AttemptState::TimedOut(at) => ended(at, Role::Lost, Glyph::TimedOut, "timed out".to_owned()),
        AttemptState::Answered(at, Answer::Success { charge, .. }) => {
            ended(at, Role::Good, Glyph::Done, format!("ok: {charge}"))
        }
        AttemptState::Answered(at, Answer::Refused(refusal)) => {
            ended(at, Role::Bad, Glyph::Failed, refused(refusal).to_owned())
        }
        AttemptState::Answered(at, Answer::Error { .. }) => {
            ended(at, Role::Lost, Glyph::Failed, "server error".to_owned())
        }
        AttemptState::Abandoned(at) => ended(at, Role::Lost, Glyph::Lost, "crashed".to_owned()),
    }
}

/// A refusal in a word or two. A conflict and a refusal for now are not about the request itself.
pub(super) const fn refused(refusal: crate::trace::Refusal) -> &'static str {
    use crate::trace::Refusal::{
        AlreadyUsed, InProgress, KeyMissing, KeyNotTaken, KeyReused, RateLimited, Unavailable,
    };
    match refusal {
        InProgress => "conflict: runs",
        AlreadyUsed => "conflict: used",
        Unavailable => "unavailable",
        RateLimited { .. } => "too many calls",
        KeyMissing | KeyNotTaken | KeyReused => "refused",
    }
}

fn lookup(scene: &Scene<'_>, lookup: &Lookup, columns: usize) -> Line<'static> {
    let (ended_at, role, said) = match lookup.state {
        LookupState::Waiting => (None, Role::Lookup, "looks it up".to_owned()),
        LookupState::TimedOut(at) => (Some(at), Role::Lost, "no answer".to_owned()),
        LookupState::Failed(at) => (Some(at), Role::Lost, "could not look".to_owned()),
        LookupState::Abandoned(at) => (Some(at), Role::Lost, "crashed".to_owned()),
        LookupState::Found(at, charge) => (Some(at), Role::Good, format!("found {charge}")),
        LookupState::NotFound(at) => (Some(at), Role::Lookup, "looked: not there".to_owned()),
    };
    let fresh = ended_at.unwrap_or(lookup.asked_at) == scene.world.at;
    let words = margin(scene, fresh).say(Role::Text, "  ").say(role, said);
    match ended_at {
        Some(at) => words.at(at, columns).line(),
        None => words.line(),
    }
}

const fn belief_role(belief: Belief) -> Role {
    match belief {
        Belief::Waiting => Role::Text,
        Belief::Unknown => Role::Unknown,
        Belief::Done => Role::Good,
        Belief::Refused => Role::Bad,
    }
}

fn belief(scene: &Scene<'_>, columns: usize) -> Line<'static> {
    let belief = scene.world.belief();
    let role = belief_role(belief);
    let more = match belief {
        Belief::Waiting => "",
        Belief::Unknown => ": it did, did not, or still will",
        Belief::Done => ": one charge",
        Belief::Refused => ": no charge",
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
            let said = cut(scene.look, &report.to_string(), columns.saturating_sub(words.width()));
            words.say(report_role(report), said).at(at, columns).line()
        }
    }
}

/// What it came to; where it is narrow, without the heading.
fn outcome(scene: &Scene<'_>, columns: usize) -> Line<'static> {
    let kind = scene.trace.worst();
    let marks = looks(kind);
    let words = Words::new(scene.look).say(Role::Text, " ");
    let heading = "outcome ";
    let fits = 3 + heading.len() + kind.words().len() <= columns;
    let words = if fits { words.say(Role::Dim, heading) } else { words };
    words.glyph(marks.role, marks.glyph).say(marks.role, format!(" {kind}")).line()
}
