//! Why a charge is there: its chain of causes, the smallest change that would have prevented a duplicate, and the
//! ladder that the clock moves on.
//!
//! ```text
//! │ why?  verify then retry × late-commit                       01:32  ■ end │ bar
//! │  ch_1 of 00:37  [ch_2 of 01:30]                                          │ charges
//! │ ▸01:30   Charge ch_2      The service charges acme $49.00 for …          │
//! │  00:33 ◂ Looked too early The service looked in the ledger at 00:33 …    │ chain
//! │  …                                                                       │
//! │ Smallest change that keeps it right: key: per-intent                     │ advice
//! ├─ Space and time ─────────────────────────────────────────────────────────┤
//! │                                                                          │ ladder
//! │ ↓ link   Enter go there   …                                              │ footer
//! ```

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::Line;

use super::lines::{Words, cut, wrap};
use super::{Scene, beside, chrome, ladder, write};
use crate::model::text::width;
use crate::sim::remedy::{Remedy, Search};
use crate::trace::Link;
use crate::trace::cause::Kind;
use crate::tui::app::App;
use crate::tui::theme::{Glyph, Look, Role};
use crate::tui::why::{Advice, Why};

/// The columns of the longest title of a link.
const TITLES: usize = 17;
/// From this width on the advice stands beside the chain.
const WIDE: u16 = 110;

pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, app: &App) {
    let Some(why) = &app.aside.why else { return };
    let scene = Scene::of(app, app.trace());
    let wide = area.width >= WIDE;
    let shares = [Constraint::Percentage(62), Constraint::Length(1), Constraint::Fill(1)];
    // The words take what they need, and the ladder the rest; where there is little room, the ladder is low.
    let third = area.height / 3;
    let ladder_min = (third - u16::from(third > 7)).max(6);
    let words_max = area.height.saturating_sub(3 + ladder_min);
    let words = if wide {
        let [left, _, _] = Layout::horizontal(shares).areas(area);
        needed(app.look, why, usize::from(left.width)).max(12).min(words_max)
    } else {
        words_max
    };
    let heights = [
        Constraint::Length(1),
        Constraint::Length(words),
        Constraint::Length(1),
        Constraint::Fill(1),
        Constraint::Length(1),
    ];
    let [bar, panel, rule, ladder, footer] = Layout::vertical(heights).areas(area);
    chrome::bar(frame, bar, app.look, &format!("why?  {}", super::run::name_of_run(app)), &chrome::clock(app));
    let mut between = None;
    if why.charges.is_empty() {
        let text = format!(
            "The ledger is empty at {}: there is no charge to explain yet. Esc goes back to the run.",
            why.opened_at
        );
        for (row, line) in panel.rows().skip(1).zip(wrap(&text, usize::from(panel.width).saturating_sub(2))) {
            write(frame, row, &Words::new(app.look).say(Role::Title, format!(" {line}")).line());
        }
    } else if wide {
        let [left, line, right] = Layout::horizontal(shares).areas(panel);
        draw_chain(frame, left, app.look, why, true);
        chrome::divide(frame, panel, line.x, app.look);
        between = Some(line.x);
        let lines = advice(app.look, why, usize::from(right.width).saturating_sub(2), usize::from(right.height));
        put(frame, right, &lines);
    } else {
        let rows = if area.height < 20 { 2 } else { 4 };
        let lines = advice(app.look, why, usize::from(panel.width).saturating_sub(2), rows);
        let foot = u16::try_from(lines.len()).unwrap_or(0);
        let [chain, foot] = Layout::vertical([Constraint::Fill(1), Constraint::Length(foot)]).areas(panel);
        draw_chain(frame, chain, app.look, why, false);
        put(frame, foot, &lines);
    }
    let joint = between.map_or(0, |x| x - area.x + 1);
    let titles = [(0, "Space and time"), (joint, "")];
    chrome::rule(frame, rule, app.look, &titles[..=usize::from(joint > 0)], Glyph::TeeUp);
    ladder::draw(frame, ladder, &scene);
    chrome::footer(frame, footer, app.look, app.place());
}

/// The rows that the longest chain takes with all its sentences, and the charges above it.
fn needed(look: Look, why: &Why, columns: usize) -> u16 {
    let how = Told { chosen: false, open: true, beside: true };
    let rows = |links: &[Link]| links.iter().map(|link| told(look, link, 0, how, columns).len()).sum::<usize>();
    let longest = why.charges.iter().map(|one| rows(&one.links)).max().unwrap_or(0);
    u16::try_from(longest + 2).unwrap_or(u16::MAX)
}

fn put(frame: &mut Frame<'_>, area: Rect, lines: &[Line<'static>]) {
    for (row, line) in area.rows().zip(lines) {
        write(frame, row, line);
    }
}

// ── The chain ────────────────────────────────────────────────────────────────────────────────────

/// The chain; `beside` with each sentence beside its title, else below it.
fn draw_chain(frame: &mut Frame<'_>, area: Rect, look: Look, why: &Why, beside: bool) {
    let Some(explained) = why.charges.get(why.charge) else { return };
    let [tabs, body] = Layout::vertical([Constraint::Length(1), Constraint::Fill(1)]).areas(area);
    write(frame, tabs, &charges(look, why, usize::from(area.width)));
    let (columns, rows) = (usize::from(area.width), usize::from(body.height));
    let list = |open: &dyn Fn(usize) -> bool| -> Vec<Vec<Line<'static>>> {
        let links = explained.links.iter().enumerate();
        links
            .map(|(n, link)| told(look, link, n, Told { chosen: n == why.link, open: open(n), beside }, columns))
            .collect()
    };
    // All in full where there is room, else only the chosen one.
    let mut blocks = list(&|_| true);
    if blocks.iter().map(Vec::len).sum::<usize>() > rows {
        blocks = list(&|n| n == why.link);
    }
    let before: usize = blocks[..why.link].iter().map(Vec::len).sum();
    let chosen_end = before + blocks[why.link].len();
    let lines: Vec<Line<'static>> = blocks.into_iter().flatten().collect();
    // The chosen link stays in sight, and so does the first row of what lies below it, where that is possible.
    let skip = (chosen_end + 1).min(lines.len()).saturating_sub(rows).min(before);
    let more = lines.len().saturating_sub(skip + rows);
    put(frame, body, &lines[skip..]);
    let note = match (skip, more) {
        (0, 0) => return,
        (0, more) => format!("{more} more below "),
        (above, 0) => format!("{above} more above "),
        (above, more) => format!("{above} more above, {more} below "),
    };
    let taken = charges(look, why, columns).width();
    if taken + note.len() < columns {
        let start = area.width.saturating_sub(u16::try_from(note.len()).unwrap_or(0));
        let corner = Rect { x: tabs.x + start, width: area.width - start, ..tabs };
        write(frame, corner, &Words::new(look).say(Role::Dim, note).line());
    }
}

/// The charges, as many as have room; the chosen one marked.
fn charges(look: Look, why: &Why, columns: usize) -> Line<'static> {
    let mut words = Words::new(look).say(Role::Text, " ");
    // With many charges the chosen one is the first that is shown.
    let names: Vec<String> =
        why.charges.iter().map(|one| format!(" {} of {} ", one.charge.id, one.charge.at)).collect();
    let first = if names.iter().map(String::len).sum::<usize>() + 1 > columns { why.charge } else { 0 };
    for (n, name) in names.into_iter().enumerate().skip(first) {
        if words.width() + width(&name) > columns {
            break;
        }
        let role = match n {
            n if n == why.charge => Role::Cursor,
            0 => Role::Ledger,
            _ => Role::Bad,
        };
        words = words.say(role, name);
    }
    words.line()
}

/// How a link is told.
#[derive(Clone, Copy)]
struct Told {
    chosen: bool,
    /// With its sentence in full.
    open: bool,
    /// With the sentence beside the title, else below it.
    beside: bool,
}

/// A link: its instant and title, and its sentence in full or as much of it as the line holds.
fn told(look: Look, link: &Link, n: usize, how: Told, columns: usize) -> Vec<Line<'static>> {
    let Told { chosen, open, beside } = how;
    let words = Words::new(look);
    let words = if chosen { words.glyph(Role::Key, Glyph::Chosen) } else { words.say(Role::Text, " ") };
    let words = words.say(if chosen { Role::Title } else { Role::Dim }, format!("{} ", link.at));
    let words =
        if n == 0 { words.say(Role::Text, "  ") } else { words.glyph(Role::Rule, Glyph::Because).say(Role::Text, " ") };
    let words = words.say(role(link.kind), link.title.clone());
    let indent = 9 + TITLES;
    if beside || !open {
        let pad = indent.saturating_sub(words.width()).max(1);
        let room = columns.saturating_sub(words.width() + pad + 1);
        if !open {
            return vec![words.say(Role::Text, " ".repeat(pad)).say(Role::Dim, cut(look, &link.sentence, room)).line()];
        }
        let text_role = if chosen { Role::Text } else { Role::Dim };
        let mut text = wrap(&link.sentence, room).into_iter();
        let first = text.next().unwrap_or_default();
        let head = words.say(Role::Text, " ".repeat(pad)).say(text_role, first).line();
        let rest = text.map(|line| Words::new(look).say(text_role, format!("{:indent$}{line}", "")).line());
        return std::iter::once(head).chain(rest).collect();
    }
    let text = wrap(&link.sentence, columns.saturating_sub(10));
    let rest = text.into_iter().map(|line| Words::new(look).say(Role::Text, format!("{:9}{line}", "")).line());
    std::iter::once(words.line()).chain(rest).collect()
}

const fn role(kind: Kind) -> Role {
    match kind {
        Kind::Charge => Role::Ledger,
        Kind::Arrival | Kind::Message | Kind::Attempt => Role::Request,
        Kind::Decision => Role::Lookup,
        Kind::Fault => Role::Late,
    }
}

// ── The advice ───────────────────────────────────────────────────────────────────────────────────

fn advice(look: Look, why: &Why, columns: usize, rows: usize) -> Vec<Line<'static>> {
    let search = match &why.advice {
        Advice::NothingWrong => {
            let text = "Nothing is wrong with the ledger so far.";
            return vec![Words::new(look).say(Role::Good, cut(look, &format!(" {text}"), columns)).line()];
        }
        Advice::Search(search) => search,
    };
    let Some(best) = search.remedies.first() else {
        let text =
            format!("No change of {} to the strategy keeps it right: {} were tried.", fields(search), search.tried);
        return wrap(&text, columns)
            .into_iter()
            .map(|line| Words::new(look).say(Role::Bad, format!(" {line}")).line())
            .collect();
    };
    let long = "The smallest change that would have prevented it: ";
    let change = changes(best);
    let lead = if long.len() + width(&change) <= columns { long } else { "Smallest change: " };
    let head = Words::new(look).say(Role::Title, format!(" {lead}"));
    let mut lines = if head.width() + width(&change) <= columns {
        vec![head.say(Role::Good, change).line()]
    } else {
        vec![head.line(), Words::new(look).say(Role::Good, cut(look, &format!("   {change}"), columns)).line()]
    };
    if rows >= 6 {
        let outcome = beside::outcome(look, &best.outcome, columns.saturating_sub(6));
        lines.push(Words::new(look).say(Role::Text, " Then: ").and(outcome).line());
    }
    let holds = format!("It keeps the task right under {}.", faults(best, search));
    let tried = format!(
        "Found by trying {} changes of {}: {}.",
        search.tried,
        fields(search),
        match search.remedies.len() {
            1 => "no other worked".to_owned(),
            n => format!("{n} worked"),
        }
    );
    let text = if rows <= 2 {
        format!(
            "Right under {}; {} changes tried, {} worked.",
            faults(best, search),
            search.tried,
            search.remedies.len()
        )
    } else {
        format!("{holds} {tried}")
    };
    lines.extend(
        wrap(&text, columns).into_iter().map(|line| Words::new(look).say(Role::Text, format!(" {line}")).line()),
    );
    if rows >= 6 && search.remedies.len() > 1 {
        lines.push(Line::default());
        lines.push(Words::new(look).say(Role::Dim, " What else worked under this fault:").line());
        for remedy in search.remedies.iter().skip(1) {
            let text = format!("   {}, right under {}", changes(remedy), faults(remedy, search));
            lines.push(Words::new(look).say(Role::Dim, cut(look, &text, columns)).line());
        }
    }
    lines.truncate(rows);
    lines
}

fn changes(remedy: &Remedy) -> String {
    let changes: Vec<String> = remedy.changes.iter().map(ToString::to_string).collect();
    changes.join(", ")
}

fn fields(search: &Search) -> &'static str {
    if search.fields == 1 { "one field" } else { "one or two fields" }
}

fn faults(remedy: &Remedy, search: &Search) -> String {
    match remedy.holds_under {
        n if n == search.faults => format!("all {n} faults"),
        n => format!("{n} of {} faults", search.faults),
    }
}
