//! The pane of the ledger: what is true, and what the service does.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::agent::refused;
use super::lines::{Words, cut, cut_key, newest};
use super::outcome::{charged, is_duplicate, nth};
use super::{Scene, service, write};
use crate::model::Time;
use crate::model::task::money;
use crate::model::text::width;
use crate::trace::snapshot::Charge;
use crate::trace::{ChargeId, Event, Verdict, What};
use crate::tui::theme::{Glyph, Role};

/// Charges in order, each with its time, and whatever else the service did; the count at the foot.
pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, scene: &Scene<'_>) {
    let columns = usize::from(area.width);
    let world = &scene.world;
    let mut lines: Vec<Line<'static>> = Vec::new();
    // A repeat that follows its charge needs no name.
    let mut last: Option<ChargeId> = None;
    for event in scene.trace.between(None, world.at) {
        match event.what {
            What::Stood { charge: id } | What::Committed { charge: id, .. } => {
                let Some(entry) = world.ledger.get(id.index()) else { continue };
                lines.extend(charge(scene, entry, columns));
                last = Some(id);
            }
            What::Replayed { charge, .. } => {
                let name = if last == Some(charge) { String::new() } else { format!("{charge} ") };
                let words = margin(scene, event.at == world.at).say(Role::Response, format!("  {name}repeat known"));
                lines.push(words.at(event.at, columns).line());
            }
            _ => lines.extend(besides(scene, event, columns)),
        }
    }
    for (at, _) in service::expiries(scene.trace).into_iter().filter(|(at, _)| *at <= world.at) {
        let words = margin(scene, at == world.at).glyph(Role::Late, Glyph::Expired);
        lines.push(words.say(Role::Late, " key expired").at(at, columns).line());
    }
    if scene.trace.scenario().fault.plan.outage(world.at).is_some() {
        let words = margin(scene, false).glyph(Role::Lost, Glyph::Down);
        lines.push(words.say(Role::Lost, " the service is down").line());
    }
    let foot = area.height.saturating_sub(1);
    newest(frame, Rect { height: foot, ..area }, scene.look, &lines);
    let row = Rect { y: area.y + foot, height: area.height - foot, ..area };
    write(frame, row, &count(scene, columns));
}

fn margin(scene: &Scene<'_>, fresh: bool) -> Words {
    let words = Words::new(scene.look);
    if fresh { words.glyph(Role::Title, Glyph::Fresh) } else { words.say(Role::Text, " ") }
}

/// What the service does besides charges and repeats.
fn besides(scene: &Scene<'_>, event: &Event, columns: usize) -> Option<Line<'static>> {
    let now = scene.world.at;
    let say = |glyph, role, text: String, at| {
        let words = margin(scene, event.at == now).glyph(role, glyph).say(role, format!(" {text}"));
        Some(words.at(at, columns).line())
    };
    // Until when, where that has room.
    let until = |role, text: String, until: Time| {
        let words = margin(scene, event.at == now).glyph(role, Glyph::Working).say(role, format!(" {text}"));
        let end = format!(" to {until}");
        let room = columns.saturating_sub(words.width());
        Some(if width(&end) <= room { words.say(Role::Dim, end).line() } else { words.line() })
    };
    let at = event.at;
    match event.what {
        What::Refused { refusal, request } => {
            say(Glyph::Failed, Role::Bad, format!("{request} {}", refused(refusal)), at)
        }
        What::Failed { request, replayed: false } => say(Glyph::Trouble, Role::Lost, format!("{request} error"), at),
        What::Failed { request, replayed: true } => {
            say(Glyph::Trouble, Role::Lost, format!("{request} same error"), at)
        }
        What::ServiceCrashed { request, .. } => say(Glyph::Crashed, Role::Bad, format!("crashed on {request}"), at),
        What::Unheard { message } => say(Glyph::Down, Role::Lost, format!("{message} unheard"), at),
        What::ReadFailed { lookup } => say(Glyph::Trouble, Role::Lost, format!("{lookup} read failed"), at),
        What::Began { request, until: end } if now < end => until(Role::Response, format!("works on {request}"), end),
        What::Held { request, until: Some(end) } if now < end => until(Role::Late, format!("{request} held"), end),
        What::Held { request, until: None } => say(Glyph::Working, Role::Late, format!("{request} held for ever"), at),
        _ => None,
    }
}

fn charge(scene: &Scene<'_>, charge: &Charge, columns: usize) -> Vec<Line<'static>> {
    let fresh = charge.at == scene.world.at && charge.task.is_some();
    let prior = scene.trace.scenario().contract.ledger.get(charge.id.index()).filter(|_| charge.task.is_none());
    let (customer, amount) = prior.map_or_else(
        || {
            let args = scene.trace.args(charge.args);
            (args.customer().to_string(), money(args.amount_cents()))
        },
        |prior| (prior.customer.to_string(), money(prior.amount_cents.get())),
    );
    let role = match (charge.task, nth(&scene.world, charge)) {
        (None, _) => Role::Dim,
        (Some(_), 1) => Role::Ledger,
        (Some(_), _) => Role::Bad,
    };
    let words = margin(scene, fresh).say(role, format!("{} ", charge.id));
    let room = columns.saturating_sub(words.width() + width(&amount) + 1);
    let customer = cut(scene.look, &customer, room.min(40));
    let customer = if customer.is_empty() { "(no name)".to_owned() } else { customer };
    let words = words.say(Role::Text, format!("{customer} ")).say(role, amount);
    let spelt = |room| match charge.key {
        Some(key) => format!("key {}", cut_key(scene.look, &scene.trace.key_text(key), room)),
        None => "no key".to_owned(),
    };
    let head = match charge.task {
        None => "   from before".to_owned(),
        Some(_) if scene.trace.agents().len() > 1 => format!("   {} agent {} ", charge.at, charge.agent.index() + 1),
        Some(_) => format!("   {} ", charge.at),
    };
    let key = charge.task.map(|_| spelt(columns.saturating_sub(width(&head) + "key ".len()))).unwrap_or_default();
    let note = cut(scene.look, &format!("{head}{key}"), columns);
    vec![words.line(), Words::new(scene.look).say(Role::Dim, note).line()]
}

fn count(scene: &Scene<'_>, columns: usize) -> Line<'static> {
    let words = Words::new(scene.look);
    let world = &scene.world;
    let charges = charged(world);
    let before = world.ledger.len() - charges;
    // Of several tasks, those that nothing was charged for in the end, where no agent says so.
    let tasks = scene.trace.agents().map(|agent| scene.trace.task_id_of(agent));
    let charged_for = |task| world.ledger.iter().any(|charge| charge.task == Some(task));
    let mut uncharged: Vec<_> = tasks.filter(|task| !charged_for(*task)).collect();
    uncharged.dedup();
    let missing = if world.ended && !scene.trace.worst().is_honest() { uncharged.len() } else { 0 };
    let (role, text) = match charges {
        0 if world.ended && scene.trace.worst().is_honest() => (Role::Text, "no charge".to_owned()),
        0 if world.ended => (Role::Bad, format!("no charge: {}", Verdict::Missing.word())),
        0 => (Role::Dim, "no charge yet".to_owned()),
        n if missing > 0 => (Role::Bad, format!("{n} charged, {missing} {}", Verdict::Missing.word())),
        1 => (Role::Good, "1 charge".to_owned()),
        n if is_duplicate(world) => {
            let long = format!("{n} charges: DUPLICATE");
            (Role::Bad, if width(&long) < columns { long } else { format!("{n}: DUPLICATE") })
        }
        n => (Role::Good, format!("{n} charges, {n} tasks")),
    };
    let words = words.say(role, format!(" {text}"));
    let before = if before == 0 { String::new() } else { format!(", {before} from before") };
    let room = columns.saturating_sub(words.width());
    if width(&before) <= room { words.say(Role::Dim, before).line() } else { words.line() }
}
