//! The sentence that says what just happened.

use super::Scene;
use super::contract::capital;
use super::lines::{cut, left, wrap};
use super::outcome::looks;
use crate::model::{AgentId, Time, task::money};
use crate::trace::snapshot::{Doing, Gap};
use crate::trace::{Belief, Payload, Snapshot, Trace, story};
use crate::tui::theme::Role;

/// What a newcomer reads first.
pub(super) const WELCOME: &str = "Right arrow steps, ] next event, space plays, ? help";

/// What one who has left the lesson may look for.
pub(super) const BACK_TO_LESSON: &str = "l: back to the lesson, to the page that you left";

/// What a newcomer to the lesson reads first.
pub(super) const WELCOME_TO_LESSON: &str = "Right arrow: next page. Esc: explore. ?: all keys";

/// The caption of an instant: the role that it is written in, what happened, and what is wrong with it or what it came
/// to.
pub(super) fn of(scene: &Scene<'_>) -> (Role, String, Option<String>) {
    let (trace, world) = (scene.trace, &scene.world);
    let fresh = trace.events().iter().any(|event| event.at == world.at);
    let text = if fresh { story::headline(trace, world.at) } else { meanwhile(scene) };
    if world.ended && fresh {
        (looks(trace.worst()).role, text, Some(outcome(trace)))
    } else if let Some(agent) = turned_wrong(scene) {
        (Role::Bad, text, Some(wrong(scene, agent)))
    } else if fresh {
        (Role::Title, text, None)
    } else {
        (Role::Text, text, hidden(scene))
    }
}

/// What it came to.
fn outcome(trace: &Trace) -> String {
    match trace.kinds().as_slice() {
        [kind] => format!("{}: {}", capital(kind.words()), uncapital(kind.meaning())),
        kinds => {
            let each: Vec<String> = kinds.iter().zip(1..).map(|(kind, n)| format!("Agent {n}: {kind}.")).collect();
            each.join(" ")
        }
    }
}

fn uncapital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}

/// The agent whose belief and the ledger part at this very instant, or are apart when the run ends.
fn turned_wrong(scene: &Scene<'_>) -> Option<AgentId> {
    let world = &scene.world;
    let before = world.at.as_ms().checked_sub(1).map(|ms| Snapshot::at(scene.trace, Time::from_ms(ms)));
    let turned = |agent: &AgentId| {
        let was = before.as_ref().map(|before| before.gap_of(*agent));
        world.gap_of(*agent) == Gap::Wrong && (was != Some(Gap::Wrong) || world.ended)
    };
    scene.trace.agents().find(turned)
}

/// How an agent is called: by its number where there are several.
fn name(trace: &Trace, agent: AgentId) -> String {
    if trace.agents().len() > 1 { format!("Agent {}", agent.index() + 1) } else { "The agent".to_owned() }
}

/// How many charges the ledger holds for an agent's task.
fn charges(scene: &Scene<'_>, agent: AgentId) -> usize {
    let task = Some(scene.trace.task_id_of(agent));
    scene.world.ledger.iter().filter(|charge| charge.task == task).count()
}

fn wrong(scene: &Scene<'_>, agent: AgentId) -> String {
    let truth = match charges(scene, agent) {
        0 => "the ledger holds none".to_owned(),
        1 => "the ledger holds 1 charge".to_owned(),
        n => format!("the ledger holds {n} charges"),
    };
    let name = name(scene.trace, agent);
    match scene.world.belief_of(agent) {
        Belief::Done => format!("{name} believes in one charge; {truth}."),
        _ => format!("{name} believes in no charge; {truth}."),
    }
}

/// What goes on at an instant at which nothing happens: of the first agent that still does something.
fn meanwhile(scene: &Scene<'_>) -> String {
    let (trace, world) = (scene.trace, &scene.world);
    let idle = |agent: &AgentId| matches!(world.doing_of(*agent), Doing::Reported | Doing::Nothing);
    let agent = trace.agents().find(|agent| !idle(agent)).unwrap_or_default();
    let name = name(trace, agent);
    let harness = if trace.agents().len() > 1 { name.clone() } else { "The harness".to_owned() };
    match world.doing_of(agent) {
        Doing::Attempting(number) => {
            let attempt = world.attempts.iter().rfind(|attempt| attempt.agent == agent);
            let more = attempt.map_or_else(String::new, |a| left(a.times_out_at.since(world.at)));
            format!("{name} waits for the answer to attempt {number}, for {more} more.")
        }
        Doing::Pausing { until } => format!("{harness} pauses until {until}."),
        Doing::LookingUp(_) => format!("{name} waits to learn what is in the ledger."),
        Doing::Reported => match world.report_of(agent) {
            Some((at, report)) => format!("{name} reported at {at}: {report}."),
            None => String::new(),
        },
        Doing::Down { until } => format!("{harness} has crashed, and resumes at {until}."),
        Doing::Nothing => String::new(),
    }
}

/// What the ledger holds and an agent has not learned of.
fn hidden(scene: &Scene<'_>) -> Option<String> {
    let trace = scene.trace;
    let unseen = |agent: &AgentId| scene.world.gap_of(*agent) == Gap::Unseen && charges(scene, *agent) == 1;
    let agent = trace.agents().find(unseen)?;
    let amount = money(trace.task_of(agent).args.amount_cents());
    let who = if trace.agents().len() > 1 { format!("agent {}", agent.index() + 1) } else { "the agent".to_owned() };
    Some(format!("The ledger already holds a charge of {amount}, which {who} cannot see."))
}

/// What is still on its way though nobody waits for it.
fn late(world: &Snapshot) -> Option<String> {
    let on_wire = world.wire.iter().find(|on_wire| !on_wire.awaited)?;
    let id = on_wire.message.id;
    Some(match on_wire.message.payload {
        Payload::Request { .. } => format!("Request {id} is still on its way, and nobody waits for it."),
        _ => format!("Answer {id} is still on its way, and nobody waits for it."),
    })
}

/// The caption in lines of at most `columns`. Where `rows` are too few, whole sentences are left out: first
/// what is late, then what else happened; what is wrong comes before it.
pub(super) fn lines(scene: &Scene<'_>, columns: usize, rows: usize) -> (Role, Vec<String>) {
    let (role, text, more) = of(scene);
    let more = more.unwrap_or_default();
    let late = late(&scene.world).unwrap_or_default();
    let first = text.split_inclusive(". ").next().unwrap_or_default();
    let tries = [format!("{text} {more} {late}"), format!("{text} {more}"), format!("{first} {more}")];
    let fitting = tries.iter().map(|text| wrap(text, columns)).find(|lines| lines.len() <= rows);
    let lines = fitting.unwrap_or_else(|| {
        let mut lines = wrap(if more.is_empty() { &text } else { &more }, columns);
        if lines.len() > rows {
            let rest = lines.split_off(rows.saturating_sub(1)).join(" ");
            lines.push(cut(scene.look, &rest, columns));
        }
        lines
    });
    (role, lines)
}
