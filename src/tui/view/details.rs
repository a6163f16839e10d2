//! All there is to know of the open run: every number and every promise, a paragraph each.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::Clear;

use super::contract::{capital, key_reuse, sources};
use super::lines::{Words, wrap_address};
use super::{chrome, write};
use crate::model::Scenario;
use crate::model::task::money;
use crate::model::text::fit;
use crate::trace::{Kind, Trace};
use crate::tui::app::App;
use crate::tui::theme::{Glyph, Look, Role};

/// The columns that the headings take.
const HEADINGS: usize = 11;
/// The columns of a name in a paragraph.
const NAME: usize = 60;

/// How many paragraphs there are.
pub(crate) fn paragraphs(app: &App) -> usize {
    all(app).len()
}

pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, app: &App) {
    let look = app.look;
    frame.render_widget(Clear, area);
    frame.buffer_mut().set_style(area, look.ground());
    chrome::bar(frame, Rect { height: 1, ..area }, look, "retryscope: all of this run", "Esc closes");
    let body = Rect { x: area.x + 1, y: area.y + 1, width: area.width - 2, height: area.height.saturating_sub(2) };
    let columns = usize::from(body.width);
    let paragraphs = all(app);
    let lines: Vec<Vec<Line<'static>>> =
        paragraphs.into_iter().map(|(heading, text)| paragraph(look, heading, &text, columns)).collect();
    // No further than to where the last paragraph ends at the foot.
    let first = app.atlas.paragraph.min(lines.len().saturating_sub(1));
    let rest: Vec<&Line<'static>> = lines.iter().skip(first).flatten().collect();
    let room = usize::from(body.height);
    for (row, line) in body.rows().zip(&rest) {
        write(frame, row, line);
    }
    if rest.len() > room {
        let row = Rect { y: body.bottom() - 1, height: 1, ..body };
        frame.render_widget(Clear, row);
        frame.buffer_mut().set_style(row, look.ground());
        let more = format!("{} {} more lines", look.glyph(Glyph::MoreDown), rest.len() - room + 1);
        write(frame, row, &Words::new(look).say(Role::Key, more).line());
    }
    chrome::footer(frame, Rect { y: area.bottom() - 1, height: 1, ..area }, look, app.place());
}

fn paragraph(look: Look, heading: &str, text: &str, columns: usize) -> Vec<Line<'static>> {
    let role = if heading == "Mind" { Role::Late } else { Role::Text };
    let lines = wrap_address(text, columns.saturating_sub(HEADINGS + 1));
    let line = |(n, line): (usize, String)| {
        let heading = if n == 0 { heading } else { "" };
        Words::new(look).say(Role::Title, format!("{heading:<HEADINGS$}")).say(role, line).line()
    };
    lines.into_iter().enumerate().map(line).collect()
}

/// Every paragraph with its heading.
fn all(app: &App) -> Vec<(&'static str, String)> {
    let trace = app.trace();
    let scenario = trace.scenario();
    let mut all = Vec::new();
    let name = |name: &str| fit(name, NAME, "...");
    if !scenario.name.is_empty() {
        all.push(("Scenario", name(&scenario.name)));
    }
    if let Some(about) = &scenario.about {
        all.push(("About", about.what.to_string()));
        all.extend(about.sources.iter().map(|source| ("Source", source.to_string())));
    }
    // Where the future is hidden, so is what it comes to.
    if app.shows_future() {
        all.push(("Outcome", outcome(trace)));
    }
    all.extend(scenario.warnings().into_iter().map(|warning| ("Mind", warning)));
    all.extend(scenario.check().err().map(|refused| ("Mind", format!("A file that says so is refused: {refused}."))));
    all.extend(agents(trace));
    let fault = &scenario.fault;
    all.push(("Fault", format!("{}: {}.", name(&fault.name), fault.describe())));
    let contract = &scenario.contract;
    all.push(("Service", format!("{}: {}.", name(&contract.name), contract.describe())));
    let (source, unsaid) = sources(contract);
    all.extend(source.map(|source| ("", source)));
    all.extend(unsaid.map(|unsaid| ("", unsaid)));
    all.push(("", key_reuse(contract)));
    for prior in &contract.ledger {
        let amount = money(prior.amount_cents.get());
        all.push(("Before", format!("{}, {amount}, stands in the ledger from the start.", name(&prior.customer))));
    }
    all.push(("Network", network(scenario)));
    all
}

fn outcome(trace: &Trace) -> String {
    let of_one = |kind: Kind| format!("{}. {}", capital(kind.words()), kind.meaning());
    match trace.kinds().as_slice() {
        [kind] => of_one(*kind),
        kinds => {
            let each = kinds.iter().zip(1..).map(|(kind, n)| format!("Agent {n}: {}", of_one(*kind)));
            each.collect::<Vec<_>>().join(" ")
        }
    }
}

/// Each agent's task and strategy.
fn agents(trace: &Trace) -> Vec<(&'static str, String)> {
    let scenario = trace.scenario();
    let mut all = Vec::new();
    let task = |agent| {
        let task = trace.task_of(agent);
        let (customer, amount) = (fit(&task.args.customer(), NAME, "..."), money(task.args.amount_cents()));
        format!("{} {customer} {amount}, exactly once ({})", fit(&task.tool, NAME, "..."), fit(&task.id, NAME, "..."))
    };
    for agent in trace.agents() {
        let other = agent.index().checked_sub(1).map(|n| &scenario.others[n]);
        let starts = other.map_or_else(String::new, |other| {
            format!("Agent {} starts at {}: ", agent.index() + 1, other.starts_at.human())
        });
        all.push(("Task", format!("{starts}{}.", task(agent))));
        let strategy = other.map_or(Some(&scenario.strategy), |other| other.strategy.as_ref());
        if let Some(strategy) = strategy {
            all.push((
                "Strategy",
                format!("{}. {}", capital(&fit(&strategy.title(), NAME, "...")), strategy.describe()),
            ));
        }
    }
    all
}

fn network(scenario: &Scenario) -> String {
    let (latency, horizon) = (scenario.network.latency.human(), scenario.horizon.human());
    let seed = match scenario.seed {
        0 => String::new(),
        seed => format!(" Chance is drawn from the seed {seed}."),
    };
    format!("{latency} each way. The world goes on for {horizon} after the last report.{seed}")
}
