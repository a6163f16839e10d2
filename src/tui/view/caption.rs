//! The sentence that says what just happened.

use super::Scene;
use super::lines::wrap;
use crate::model::{Time, task::money};
use crate::trace::snapshot::{Doing, Gap};
use crate::trace::{Belief, Payload, Snapshot, story};
use crate::tui::theme::Role;

/// What a newcomer reads first.
pub(super) const WELCOME: &str = "Right arrow steps, ] next event, space plays, ? help";

/// The caption of an instant, with the role that it is written in.
fn of(scene: &Scene<'_>) -> (Role, String) {
    let (trace, world) = (scene.trace, &scene.world);
    let fresh = trace.events().iter().any(|event| event.at == world.at);
    let mut text = if fresh { story::headline(trace, world.at) } else { meanwhile(scene) };
    let mut role = if fresh { Role::Title } else { Role::Text };
    if turned_wrong(scene) {
        role = Role::Bad;
        text.push(' ');
        text.push_str(&wrong(world));
    }
    (role, text)
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
    let agent = match world.doing {
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
    };
    let hidden = match (world.gap(), world.ledger.len()) {
        (Gap::Unseen, 1) => {
            let cents = scene.trace.scenario().task.args.amount_cents();
            format!(" The ledger already holds a charge of {}, which the agent cannot see.", money(cents))
        }
        _ => String::new(),
    };
    format!("{agent}{hidden}")
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

/// The caption in lines of at most `columns`; what is late is told where `rows` have room for it.
pub(super) fn lines(scene: &Scene<'_>, columns: usize, rows: usize) -> (Role, Vec<String>) {
    let (role, text) = of(scene);
    let with_late = late(&scene.world).map(|late| wrap(&format!("{text} {late}"), columns));
    let lines = with_late.filter(|lines| lines.len() <= rows).unwrap_or_else(|| wrap(&text, columns));
    (role, lines)
}
