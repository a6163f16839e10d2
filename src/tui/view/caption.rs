//! The sentence that says what just happened.

use super::Scene;
use super::lines::{cut, wrap};
use crate::model::{Time, task::money};
use crate::trace::snapshot::{Doing, Gap};
use crate::trace::{Belief, Payload, Snapshot, story};
use crate::tui::theme::Role;

/// What a newcomer reads first.
pub(super) const WELCOME: &str = "Right arrow steps, ] next event, space plays, ? help";

/// What one who has left the lesson may look for.
pub(super) const BACK_TO_LESSON: &str = "l: back to the lesson, to the page that you left";

/// What a newcomer to the lesson reads first.
pub(super) const WELCOME_TO_LESSON: &str = "Right arrow: next page. Esc: explore. ?: all keys";

/// The caption of an instant: the role that it is written in, what happened, and what is wrong with it.
pub(super) fn of(scene: &Scene<'_>) -> (Role, String, Option<String>) {
    let (trace, world) = (scene.trace, &scene.world);
    let fresh = trace.events().iter().any(|event| event.at == world.at);
    let text = if fresh { story::headline(trace, world.at) } else { meanwhile(scene) };
    if turned_wrong(scene) {
        (Role::Bad, text, Some(wrong(world)))
    } else if fresh {
        (Role::Title, text, None)
    } else {
        (Role::Text, text, hidden(scene))
    }
}

/// Whether belief and ledger part at this very instant, or are apart when the run ends.
fn turned_wrong(scene: &Scene<'_>) -> bool {
    let world = &scene.world;
    let before = world.at.as_ms().checked_sub(1).map(|ms| Snapshot::at(scene.trace, Time::from_ms(ms)).gap());
    world.gap() == Gap::Wrong && (before != Some(Gap::Wrong) || world.ended)
}

fn wrong(world: &Snapshot) -> String {
    let truth = match world.ledger.len() {
        1 => "the ledger holds 1 charge".to_owned(),
        n => format!("the ledger holds {n} charges"),
    };
    match world.belief() {
        Belief::Done => format!("The agent believes in one charge; {truth}."),
        _ => format!("The agent believes in no charge; {truth}."),
    }
}

/// What goes on at an instant at which nothing happens.
fn meanwhile(scene: &Scene<'_>) -> String {
    let world = &scene.world;
    match world.doing {
        Doing::Attempting(number) => {
            let left = world.attempts.last().map_or_else(String::new, |a| a.times_out_at.since(world.at).human());
            format!("The agent waits for the answer to attempt {number}, for {left} more.")
        }
        Doing::Pausing { until } => format!("The harness pauses until {until}."),
        Doing::LookingUp(_) => "The agent waits to learn what is in the ledger.".to_owned(),
        Doing::Reported => match world.report {
            Some((at, report)) => format!("The agent reported at {at}: {report}."),
            None => String::new(),
        },
        Doing::Down { until } => format!("The harness has crashed, and resumes at {until}."),
        Doing::Nothing => String::new(),
    }
}

/// What the ledger holds and the agent has not learned of.
fn hidden(scene: &Scene<'_>) -> Option<String> {
    let world = &scene.world;
    let amount = money(scene.trace.scenario().task.args.amount_cents());
    (world.gap() == Gap::Unseen && world.ledger.len() == 1)
        .then(|| format!("The ledger already holds a charge of {amount}, which the agent cannot see."))
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
