//! The sheet of the odds: a row a strategy, what goes wrong in so many tasks as a bar, and what it costs.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::text::Line;

use super::{kinds, paragraph};
use crate::model::text::width;
use crate::search::odds::Odds;
use crate::trace::Kind;
use crate::tui::app::App;
use crate::tui::maps::chance::Row;
use crate::tui::theme::{Glyph, Look, Role};
use crate::tui::view::lines::{Words, cut, wrap};
use crate::tui::view::{chrome, write};

/// Chances are told as so many of this many tasks.
const TASKS: f64 = 10_000.0;

pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, app: &App) {
    let (look, chance) = (app.look, &app.evidence.chance);
    let columns = usize::from(area.width.saturating_sub(2));
    let rows = chance.rows();
    let foot = foot(look, app, columns, area.height);
    let foot_height = u16::try_from(foot.len()).unwrap_or(6).min(area.height.saturating_sub(3));
    let layout = Columns::of(area.width, rows);
    let head = Rect { height: 1.min(area.height), ..area };
    write(frame, head, &layout.head(look));
    let list = Rect { y: area.y + 1, height: area.height.saturating_sub(2 + foot_height), ..area }.intersection(area);
    let room = usize::from(list.height);
    let first = (chance.choice + 1).saturating_sub(room);
    for ((n, row), place) in rows.iter().enumerate().skip(first).zip(list.rows()) {
        write(frame, place, &layout.row(look, row));
        if n == chance.choice {
            frame.buffer_mut().set_style(place, ratatui::style::Style::new().add_modifier(Modifier::REVERSED));
        }
    }
    let rule = Rect { y: area.bottom().saturating_sub(foot_height + 1), height: 1, ..area };
    let title = rows.get(chance.choice).map_or_else(String::new, |row| row.strategy.title());
    chrome::rule(frame, rule.intersection(area), look, &[(0, &title)], Glyph::TeeDown);
    let below = Rect { y: rule.bottom(), height: foot_height, ..area };
    paragraph(frame, below.intersection(area), &foot);
}

/// Where fewer tasks go wrong than this, the bars are to scale.
const USUAL: f64 = 0.05;

/// How likely it is that a task does not end right.
fn wrong(odds: &Odds) -> f64 {
    Kind::ALL.into_iter().filter(|kind| *kind != Kind::Right).map(|kind| odds.of(kind)).sum()
}

/// How wide what is.
struct Columns {
    name: usize,
    bar: usize,
    /// Whether calls and escalations have room.
    costs: bool,
    /// What the whole bar stands for.
    most: f64,
}

impl Columns {
    fn of(width: u16, rows: &[Row]) -> Self {
        let width = usize::from(width).saturating_sub(2);
        let name = if width < 76 { 19 } else { 23 };
        let costs = width >= 70;
        let figures = 10 + 9 + if costs { 7 + 10 } else { 0 };
        let known = rows.iter().filter_map(|row| row.odds.flatten());
        let shares: Vec<f64> = known.map(|odds| wrong(&odds)).collect();
        // One that nearly always fails must not hide how the others differ; its bar runs on beyond the edge.
        let usual = shares.iter().copied().filter(|share| *share <= USUAL).fold(0.0, f64::max);
        let most = if usual > 0.0 { usual } else { shares.into_iter().fold(0.0, f64::max) };
        Self { name, bar: width.saturating_sub(name + figures + 1), costs, most }
    }

    fn head(&self, look: Look) -> Line<'static> {
        let costs = if self.costs { format!("{:>7}{:>10}", "calls", "escalates") } else { String::new() };
        let what = format!("not right (0-{:.0})", (self.most * TASKS).ceil());
        let what = cut(look, &what, self.bar);
        let (name, bar) = (self.name, self.bar + 1);
        let text = format!(" {:<name$}{what:<bar$}{:>10}{:>9}{costs}", "of 10,000 tasks", "duplicate", "answer");
        Line::styled(text, look.style(Role::Dim))
    }

    fn row(&self, look: Look, row: &Row) -> Line<'static> {
        let columns = self.name;
        let name = cut(look, &row.strategy.title(), columns - 1);
        let words = Words::new(look).say(Role::Title, format!(" {name:<columns$}"));
        match row.odds {
            None => words.say(Role::Dim, look.glyph(Glyph::Ellipsis)).line(),
            Some(None) => words.say(Role::Dim, "makes no sense under this contract").line(),
            Some(Some(odds)) => self.figures(self.stack(words, &odds), &odds).line(),
        }
    }

    /// What is not right, one piece for each outcome, the worst first.
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a few cells"
    )]
    fn stack(&self, mut words: Words, odds: &Odds) -> Words {
        let look = words.look();
        let start = words.width();
        for kind in Kind::ALL.into_iter().rev().filter(|kind| *kind != Kind::Right) {
            let share = if self.most > 0.0 { odds.of(kind) / self.most } else { 0.0 };
            let cells = (share * self.bar as f64).round() as usize;
            // What matters at all is seen.
            let cells = cells.max(usize::from(odds.of(kind) * TASKS >= 0.01));
            let cells = cells.min((start + self.bar).saturating_sub(words.width()));
            let (glyph, role) = kinds::sign(kind);
            for _ in 0..cells {
                words = words.swatch(look.glyph(glyph), kinds::filled(look, role));
            }
        }
        if wrong(odds) > self.most {
            words = words.glyph(Role::Bad, Glyph::Fresh);
        }
        let rest = (start + self.bar + 1).saturating_sub(words.width());
        words.say(Role::Text, " ".repeat(rest))
    }

    fn figures(&self, words: Words, odds: &Odds) -> Words {
        let duplicate = odds.of(Kind::QuietDuplicate) + odds.of(Kind::LoudDuplicate);
        let role = if duplicate * TASKS >= 0.005 { Role::Bad } else { Role::Good };
        let words = words
            .say(role, format!("{:>10}", tasks(duplicate)))
            .say(Role::Text, format!("{:>9}", seconds(odds.reported_after_ms)));
        if !self.costs {
            return words;
        }
        words
            .say(Role::Text, format!("{:>7.3}", odds.calls))
            .say(Role::Text, format!("{:>10}", tasks(odds.escalations)))
    }
}

/// So many of 10,000 tasks.
fn tasks(chance: f64) -> String {
    let tasks = chance * TASKS;
    match tasks {
        tasks if chance > 0.0 && tasks < 0.01 => "<0.01".to_owned(),
        tasks if tasks < 100.0 => format!("{tasks:.2}"),
        tasks => format!("{tasks:.0}"),
    }
}

fn seconds(ms: f64) -> String {
    match ms / 1_000.0 {
        secs if secs < 100.0 => format!("{secs:.2} s"),
        secs => format!("{secs:.0} s"),
    }
}

/// The chosen strategy in figures, and what is assumed.
fn foot(look: Look, app: &App, columns: usize, height: u16) -> Vec<Line<'static>> {
    let chance = &app.evidence.chance;
    let mut lines = Vec::new();
    match chance.rows().get(chance.choice).and_then(|row| row.odds) {
        Some(Some(odds)) => lines.extend(outcomes(look, &odds, columns)),
        Some(None) => lines.push(Line::styled("It makes no sense under this contract.", look.style(Role::Dim))),
        None => lines.push(Line::styled("Not worked out yet.", look.style(Role::Dim))),
    }
    let assumed = format!("Assumed, and nobody's measurement. {}.", chance.chances.describe().replace('\n', "; "));
    let room = if height < 18 { 3 } else { 5 };
    lines.extend(wrap(&assumed, columns).into_iter().take(room).map(|line| Line::styled(line, look.style(Role::Dim))));
    lines
}

fn outcomes(look: Look, odds: &Odds, columns: usize) -> Vec<Line<'static>> {
    let mut lines: Vec<Line<'static>> = Vec::new();
    let mut words = Words::new(look).say(Role::Text, "Of 10,000 tasks: ");
    let mut first = true;
    for kind in Kind::ALL.into_iter().filter(|kind| odds.of(*kind) > 0.0) {
        let (glyph, role) = kinds::sign(kind);
        let piece = format!(" {} {}", tasks(odds.of(kind)), kind.words());
        let gap = if first { "" } else { "  " };
        if words.width() + width(&piece) + 1 + gap.len() > columns {
            lines.push(std::mem::replace(&mut words, Words::new(look)).line());
            first = true;
        }
        let gap = if first { "" } else { "  " };
        words = words.say(Role::Text, gap).glyph(role, glyph).say(role, piece);
        first = false;
    }
    lines.push(words.line());
    let costs = format!(
        "It takes {} to answer on average, {:.3} calls and {:.3} lookups, and asks a person in {} of 10,000 tasks. Each \
         figure is exact but for {:.1e} at most.",
        seconds(odds.reported_after_ms),
        odds.calls,
        odds.lookups,
        tasks(odds.escalations),
        odds.error
    );
    lines.extend(wrap(&costs, columns).into_iter().map(|line| Line::styled(line, look.style(Role::Text))));
    lines
}
