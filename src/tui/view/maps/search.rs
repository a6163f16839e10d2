//! The sheet that searches: the bounds, how far it is, what was found, and the smallest counterexample with its ladder.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::{counted, flow, grouped, kinds, paragraph, percent};
use crate::model::text::width;
use crate::search::explore::{Counterexample, Findings};
use crate::trace::{Kind, Snapshot, Trace};
use crate::tui::app::App;
use crate::tui::maps::search::{News, Progress, Search};
use crate::tui::maps::work::UnderWay;
use crate::tui::theme::{Glyph, Look, Role};
use crate::tui::view::lines::{Words, bar, wrap};
use crate::tui::view::{Scene, chrome, ladder};

/// The columns of an outcome's sign and name.
const NAMES: usize = 18;

pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, app: &App) {
    let (look, search) = (app.look, &app.evidence.search);
    let columns = usize::from(area.width.saturating_sub(2));
    let low = area.height < 18;
    let mut lines = head(look, search, columns, low);
    lines.extend(verdict(look, search, columns));
    if let Some(News::Progress(progress)) = &search.task.told {
        let left = usize::from(area.height).saturating_sub(lines.len());
        let counts = &progress.findings;
        lines.extend(if low { in_a_line(look, counts, columns) } else { shares(look, counts, columns, left >= 19) });
    }
    paragraph(frame, area, &lines);
    let taken = u16::try_from(lines.len()).unwrap_or(area.height).min(area.height);
    let rest = Rect { y: area.y + taken, height: area.height - taken, ..area };
    if let Some(News::Progress(progress)) = &search.task.told
        && progress.is_whole()
    {
        draw_end(frame, rest, app, progress);
    }
}

/// What is asked, and within which bounds.
fn head(look: Look, search: &Search, columns: usize, low: bool) -> Vec<Line<'static>> {
    let ask = if low {
        format!("Forbidden: {}.", search.forbids())
    } else {
        format!("Is there a fault plan that ends in {}?", search.forbids())
    };
    let mut lines: Vec<Line<'static>> =
        wrap(&ask, columns).into_iter().map(|line| Line::styled(line, look.style(Role::Title))).collect();
    let bounds = format!("Bounds: {}.", search.bounds.describe());
    lines.extend(wrap(&bounds, columns).into_iter().map(|line| Line::styled(line, look.style(Role::Dim))));
    lines
}

/// How far it is, and once it is done what that says.
fn verdict(look: Look, search: &Search, columns: usize) -> Vec<Line<'static>> {
    let say = |role: Role, text: &str| -> Vec<Line<'static>> {
        wrap(text, columns).into_iter().map(|line| Line::styled(line, look.style(role))).collect()
    };
    match &search.task.told {
        None if search.task.is_under_way() => progress_bar(look, (0, 1), "starts", columns),
        None => say(Role::Late, "Stopped before anything was found. Space searches again."),
        Some(News::TooMany(plans)) => {
            let text = format!(
                "This would take up to {} plans, more than a screen should wait for. Fewer calls ([) or faults (-) \
                 make it less; the command line can be told to do it all the same.",
                grouped(*plans)
            );
            say(Role::Late, &text)
        }
        Some(News::Progress(progress)) if !progress.is_whole() => {
            let plans = counted(progress.findings.plans(), "plan");
            if search.task.is_under_way() {
                return progress_bar(look, (progress.done, progress.of), &format!("{plans} so far"), columns);
            }
            let text = format!(
                "Stopped after {plans}: {} in them. This is a part, and certifies nothing. Space searches again.",
                counted(progress.findings.forbidden, "forbidden outcome")
            );
            say(Role::Late, &text)
        }
        Some(News::Progress(progress)) => {
            let findings = &progress.findings;
            let (role, glyph) = match findings.forbidden {
                0 => (Role::Good, Glyph::Done),
                _ => (Role::Bad, Glyph::Failed),
            };
            let text = format!("{} {}", look.glyph(glyph), certificate(findings, search));
            say(role, &text)
        }
    }
}

/// The certificate, never without its bounds.
fn certificate(findings: &Findings, search: &Search) -> String {
    let (plans, bounds) = (grouped(findings.plans()), &search.bounds);
    let within = format!(
        "{plans} of {plans} plans, at most {} and {}",
        counted(u64::from(bounds.calls), "call"),
        counted(u64::from(bounds.faults), "fault")
    );
    let unknown = grouped(findings.counts.of(Kind::HonestUnknown));
    let counts = format!(
        "{}, {} missing, {unknown} honest unknown",
        counted(findings.counts.duplicates(), "duplicate"),
        grouped(findings.missing)
    );
    let left_out = match findings.too_long {
        0 => String::new(),
        n => format!(" {} left out: too many events.", counted(n, "run")),
    };
    format!("{within}: {counts}.{left_out}")
}

fn progress_bar(look: Look, (done, of): (usize, usize), said: &str, columns: usize) -> Vec<Line<'static>> {
    let room = columns.saturating_sub(width(said) + 8).min(60);
    let part = (done * 1_000).checked_div(of).unwrap_or(0) as u64;
    let (full, rest) = bar(look, room, part, Glyph::TimerFull, Glyph::TimerEmpty);
    let words = Words::new(look).say(Role::Request, full).say(Role::Dim, rest);
    vec![words.say(Role::Text, format!(" {:>3} % {said}", part / 10)).line()]
}

/// How many plans came to what, as bars.
fn shares(look: Look, findings: &Findings, columns: usize, all: bool) -> Vec<Line<'static>> {
    let plans = findings.plans();
    let figures = 9 + 8;
    let room = columns.saturating_sub(NAMES + figures + 1);
    let kinds = Kind::ALL.into_iter().filter(|kind| all || findings.counts.of(*kind) > 0);
    let line = |kind: Kind| {
        let count = findings.counts.of(kind);
        let (glyph, role) = kinds::sign(kind);
        let role = if count == 0 { Role::Dim } else { role };
        // What is there at all is seen.
        let cells = usize::try_from(count * room as u64 / plans.max(1)).unwrap_or(room).max(usize::from(count > 0));
        let fill = look.glyph(if look.ascii { glyph } else { Glyph::Bar }).repeat(cells);
        Words::new(look)
            .glyph(role, glyph)
            .say(role, format!(" {:<1$}", kind.words(), NAMES - 2))
            .say(role, format!("{:>9}", grouped(count)))
            .say(Role::Dim, format!("{:>8}", percent(count, plans)))
            .say(role, format!(" {fill}"))
            .line()
    };
    kinds.map(line).collect()
}

/// How many plans came to what, on as few lines as they need.
fn in_a_line(look: Look, findings: &Findings, columns: usize) -> Vec<Line<'static>> {
    let kinds = Kind::ALL.into_iter().filter(|kind| findings.counts.of(*kind) > 0);
    let pieces = kinds.map(|kind| {
        let (glyph, role) = kinds::sign(kind);
        Words::new(look).glyph(role, glyph).say(role, format!(" {} {kind}", grouped(findings.counts.of(kind))))
    });
    flow(look, pieces.collect(), columns)
}

/// What a finished search ends in: the counterexample, or what its absence says.
fn draw_end(frame: &mut Frame<'_>, area: Rect, app: &App, progress: &Progress) {
    if area.height < 2 {
        return;
    }
    let look = app.look;
    let columns = usize::from(area.width.saturating_sub(2));
    // On a low screen the ladder needs the row more.
    let line = u16::from(area.height > 9);
    let rule = Rect { height: line, ..area };
    let body = Rect { y: area.y + line, height: area.height - line, ..area };
    let style = |role: Role, text: &str| -> Vec<Line<'static>> {
        wrap(text, columns).into_iter().map(|line| Line::styled(line, look.style(role))).collect()
    };
    let Some((found, trace)) = progress.findings.smallest.as_ref().zip(progress.smallest.as_ref()) else {
        chrome::rule(frame, rule, look, &[(0, "What this says")], Glyph::TeeDown);
        let says = format!(
            "Every fault plan within the bounds was run, but for {} that come to the same run as a smaller one. None \
             ends in {}. Beyond the bounds it says nothing: more calls, more faults, or what else may befall a call.",
            counted(progress.findings.idle, "plan"),
            app.evidence.search.forbids()
        );
        return paragraph(frame, body, &style(Role::Text, &says));
    };
    let title = format!("The smallest of {}: Enter opens it", grouped(progress.findings.forbidden));
    chrome::rule(frame, rule, look, &[(0, &title)], Glyph::TeeDown);
    let mut words = style(Role::Bad, &counterexample(found, trace));
    words.truncate(usize::from(body.height));
    paragraph(frame, body, &words);
    let taken = u16::try_from(words.len()).unwrap_or(body.height);
    let chart = Rect { y: body.y + taken, height: (body.height - taken).min(20), ..body };
    let world = Snapshot::at(trace, trace.end());
    ladder::draw(frame, chart, &Scene { trace, world, look, future: true });
}

/// A counterexample in plain words.
fn counterexample(found: &Counterexample, trace: &Trace) -> String {
    let faults = match found.faults {
        0 => "With no fault at all".to_owned(),
        1 => format!("One fault is enough: {}", trace.scenario().fault.describe()),
        n => format!("{n} faults are enough: {}", trace.scenario().fault.describe()),
    };
    format!("{faults}. {} Settled at {}.", found.kind.meaning(), found.at)
}
