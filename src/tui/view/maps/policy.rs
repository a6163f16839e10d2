//! The sheet that maps policies: keys down, verifies across, a page a contract; on a wide screen all pages small beside.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::text::Line;

use super::{counted, kinds, paragraph};
use crate::search::explore::Findings;
use crate::search::map::{KEYS, VERIFIES};
use crate::trace::Kind;
use crate::tui::app::App;
use crate::tui::maps::policy::{Grade, Page, Policies, grade, key_words, verify_words};
use crate::tui::theme::{Glyph, Look, Role};
use crate::tui::view::lines::{Words, cut, wrap};
use crate::tui::view::write;

/// The columns of the keys' names.
const NAMES: u16 = 20;
/// The widest that a policy's cell is.
const CELL_MAX: u16 = 15;
/// The columns and rows of a small page beside.
const SMALL: (u16, u16) = (18, 7);

pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, app: &App) {
    let (look, policy) = (app.look, &app.evidence.policy);
    let columns = usize::from(area.width.saturating_sub(2));
    let head = [
        Words::new(look)
            .say(Role::Title, format!("Contract {} of {}: ", policy.page + 1, policy.contracts.len()))
            .say(Role::Title, cut(look, policy.contracts.get(policy.page).map_or("", |c| c.name.as_str()), 30))
            .line(),
        Words::new(look).say(Role::Dim, "Keys down, verifies across; all else as in the open run.").line(),
    ];
    paragraph(frame, Rect { height: 2.min(area.height), ..area }, &head);
    let foot = foot(look, policy, columns);
    let foot_height = u16::try_from(foot.len()).unwrap_or(5);
    let middle = Rect { y: area.y + 2, height: area.height.saturating_sub(2 + foot_height), ..area }.intersection(area);
    let high = (middle.height.saturating_sub(1) / 5).clamp(1, 3);
    let names = if area.width < 76 { NAMES - 4 } else { NAMES };
    let wide = (area.width.saturating_sub(names + 1) / 4).min(CELL_MAX);
    let table = Rect { width: (names + 1 + 4 * wide).min(area.width), ..middle };
    draw_page(frame, table, look, policy, (names, wide, high));
    let beside = Rect { x: table.right() + 3, width: area.right().saturating_sub(table.right() + 3), ..middle };
    draw_small(frame, beside.intersection(area), look, policy);
    let pages = (beside.width / SMALL.0).max(1);
    let small = if beside.width < SMALL.0 {
        0
    } else {
        u16::try_from(policy.contracts.len()).unwrap_or(0).div_ceil(pages) * SMALL.1
    };
    // The words stand close to what they are about.
    let taken = (5 * high + 2).max(small).min(middle.height);
    let below = Rect { y: middle.y + taken, height: foot_height, ..area };
    paragraph(frame, below.intersection(area), &foot);
}

/// The sign, the role and the word of a grade, and a short word.
const fn sign(grade: Grade) -> (Glyph, Role, &'static str, &'static str) {
    match grade {
        Grade::Safe => (Glyph::Done, Role::Good, "safe", "safe"),
        Grade::Unknown => (Glyph::Honest, Role::Honest, "unknown", "unsure"),
        Grade::Unsafe => (Glyph::Failed, Role::Bad, "unsafe", "unsafe"),
        Grade::Useless => (Glyph::IsFalseSuccess, Role::Late, "never works", "never"),
        Grade::Senseless => (Glyph::IsHonestFailure, Role::Dim, "no sense", "n/a"),
    }
}

fn draw_page(frame: &mut Frame<'_>, area: Rect, look: Look, policy: &Policies, (names, wide, high): (u16, u16, u16)) {
    let at = |key: u16, verify: u16| {
        let place =
            Rect { x: area.x + 1 + names + verify * wide, y: area.y + 1 + key * high, width: wide, height: high };
        place.intersection(area)
    };
    for (verify, n) in VERIFIES.into_iter().zip(0..) {
        let head = Rect { y: area.y, height: 1, ..at(0, n) };
        let room = usize::from(wide.saturating_sub(1));
        let words = verify_words(verify);
        let text = cut(
            look,
            if words.len() > room { words.split_once('-').map_or(words, |(_, word)| word) } else { words },
            room,
        );
        write(frame, head, &Line::styled(text, look.style(Role::Title)));
    }
    for (key, n) in KEYS.into_iter().zip(0..) {
        let name = Rect { x: area.x + 1, width: names.saturating_sub(1), height: 1, ..at(n, 0) };
        let text = cut(look, key_words(key), usize::from(names.saturating_sub(1)));
        write(frame, name.intersection(area), &Line::styled(text, look.style(Role::Title)));
        for m in 0..4 {
            let (key, verify) = (usize::from(n), usize::from(m));
            let found = policy.shown().get(key * VERIFIES.len() + verify);
            draw_cell(frame, at(n, m), look, policy, (key, verify), found);
        }
    }
}

fn draw_cell(
    frame: &mut Frame<'_>,
    area: Rect,
    look: Look,
    policy: &Policies,
    (key, verify): (usize, usize),
    found: Option<&Option<Findings>>,
) {
    let room = usize::from(area.width.saturating_sub(1));
    let lines = match found {
        None => vec![Words::new(look).say(Role::Dim, look.glyph(Glyph::Ellipsis)).line()],
        Some(found) => {
            let found = found.as_ref();
            let (glyph, role, word, short) = sign(grade(found));
            let own = if policy.is_own(key, verify) { look.glyph(Glyph::Own) } else { " " };
            let head = Words::new(look).glyph(role, glyph).say(Role::Title, own);
            let word = if word.len() + 2 > room { short } else { word };
            let head = head.say(role, cut(look, word, room.saturating_sub(2)));
            vec![head.line(), Words::new(look).say(Role::Dim, cut(look, &detail(found), room)).line()]
        }
    };
    for (row, line) in area.rows().zip(lines) {
        write(frame, row, &line);
    }
    if policy.cursor == (key, verify) {
        let chosen = Rect { width: area.width.saturating_sub(1), height: area.height.min(2), ..area };
        frame.buffer_mut().set_style(chosen, ratatui::style::Style::new().add_modifier(Modifier::REVERSED));
    }
}

/// The second line of a cell.
fn detail(found: Option<&Findings>) -> String {
    let Some(found) = found else { return String::new() };
    match &found.smallest {
        Some(smallest) => format!("by {}", counted(u64::from(smallest.faults), "fault")),
        None => counted(found.plans(), "plan"),
    }
}

/// All pages small, as many as have room.
fn draw_small(frame: &mut Frame<'_>, area: Rect, look: Look, policy: &Policies) {
    let (across, down) = (area.width / SMALL.0, (area.height + 1) / SMALL.1);
    let pages = policy.pages().iter().enumerate().take(usize::from(across) * usize::from(down));
    for (n, page) in pages {
        let (Ok(column), Ok(row)) = (u16::try_from(n), u16::try_from(n)) else { return };
        let (column, row) = (column % across, row / across);
        let place = Rect { x: area.x + column * SMALL.0, y: area.y + row * SMALL.1, width: SMALL.0, height: SMALL.1 };
        let name = cut(look, &policy.contracts[n].name, usize::from(SMALL.0) - 2);
        let role = if n == policy.page { Role::Cursor } else { Role::Dim };
        write(frame, Rect { height: 1, ..place }, &Line::styled(name, look.style(role)));
        for (key, y) in (0..KEYS.len()).zip(place.y + 1..) {
            let words = small_row(look, policy, page, key, n == policy.page);
            write(frame, Rect { y, height: 1, ..place }.intersection(area), &words.line());
        }
    }
}

fn small_row(look: Look, policy: &Policies, page: &Page, key: usize, open: bool) -> Words {
    let mut words = Words::new(look);
    for verify in 0..VERIFIES.len() {
        let n = key * VERIFIES.len() + verify;
        let (glyph, role) = page.get(n).map_or((Glyph::Ellipsis, Role::Dim), |found| {
            let (glyph, role, ..) = sign(grade(found.as_ref()));
            (glyph, role)
        });
        let style =
            if open && policy.cursor == (key, verify) { look.style(Role::Cursor) } else { kinds::filled(look, role) };
        words = words.swatch(" ", style).swatch(look.glyph(glyph), style).swatch(" ", style).say(Role::Text, " ");
    }
    words
}

/// The policy under the cursor in words, what it comes to under the other contracts, and the bounds.
fn foot(look: Look, policy: &Policies, columns: usize) -> Vec<Line<'static>> {
    let (key, verify) = (KEYS[policy.cursor.0], VERIFIES[policy.cursor.1]);
    let name = format!("{}, {}: ", key_words(key), verify_words(verify).replace("by key", "verify by key"));
    let (role, said) = match policy.found() {
        None => (Role::Dim, "not searched yet.".to_owned()),
        Some(found) => (sign(grade(found)).1, in_words(found)),
    };
    let mut lines: Vec<Line<'static>> =
        wrap(&(name + &said), columns).into_iter().take(2).map(|line| Line::styled(line, look.style(role))).collect();
    lines.push(Line::styled(cut(look, &elsewhere(policy), columns), look.style(Role::Text)));
    let bounds = format!("Bounds: {}.", policy.bounds.describe());
    lines.extend(wrap(&bounds, columns).into_iter().map(|line| Line::styled(line, look.style(Role::Dim))));
    lines
}

fn in_words(found: Option<&Findings>) -> String {
    let Some(found) = found else { return "makes no sense under this contract.".to_owned() };
    if let Some(smallest) = &found.smallest {
        return format!("{} by {}. Enter opens it.", smallest.kind.words(), smallest.plan.describe());
    }
    let kinds = Kind::ALL.into_iter().filter(|kind| found.counts.of(*kind) > 0 && *kind != Kind::Right);
    let others = kinds.map(|kind| format!("{} {}", super::grouped(found.counts.of(kind)), kind.words()));
    let told: Vec<String> = std::iter::once(counted(found.plans(), "plan")).chain(others).collect();
    format!("no duplicate and no false success in {}.", told.join(", "))
}

/// How the policy under the cursor stands under all contracts.
fn elsewhere(policy: &Policies) -> String {
    let n = policy.cursor.0 * VERIFIES.len() + policy.cursor.1;
    let grades: Vec<Grade> =
        policy.pages().iter().filter_map(|page| page.get(n)).map(|found| grade(found.as_ref())).collect();
    let of = |grade| grades.iter().filter(|known| **known == grade).count();
    let each = [Grade::Safe, Grade::Unknown, Grade::Unsafe, Grade::Useless, Grade::Senseless];
    let each = each.into_iter().map(|grade| (of(grade), sign(grade).2)).filter(|(count, _)| *count > 0);
    let each: Vec<String> = each.map(|(count, word)| format!("{word} in {count}")).collect();
    format!("Under all {} contracts: {}.", grades.len(), each.join(", "))
}
