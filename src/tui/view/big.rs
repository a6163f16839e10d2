//! The large view: few words and large figures, for the back row.
//!
//! ```text
//! │  00:37              1 charge                             │
//! │  (large)            (large)                              │
//! │  the agent believes: unknown                             │
//! ```

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::Line;
use tui_big_text::{BigText, PixelSize};

use super::contract::capital;
use super::lines::wrap;
use super::outcome::{charged, is_duplicate, looks};
use super::{Scene, chrome, ladder, run, write};
use crate::trace::Belief;
use crate::tui::app::App;
use crate::tui::theme::{Look, Role};

pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, app: &App, scene: &Scene<'_>) {
    let look = app.look;
    let columns = usize::from(area.width.saturating_sub(2));
    let (role, caption) = run::caption(app, scene, columns, 3);
    let apart = u16::from(area.height >= 20);
    // The back row reads what the agent believes as well, where there is room to write it large.
    let believed = if area.height >= 40 && area.width > 8 * LETTER { LETTER } else { 0 };
    let rows = [1, apart, LETTER, apart, believed, 2, 3].map(Constraint::Length);
    let tail = [Constraint::Fill(1), Constraint::Length(1)];
    let [bar, _, figures, _, large_belief, belief, words, picture, footer] =
        Layout::vertical(rows.into_iter().chain(tail)).areas(area);
    chrome::bar(frame, bar, look, &run::title(app), &chrome::clock(app));
    self::figures(frame, figures, scene);
    let (belief_role, said) = beliefs(scene);
    large(frame, large_belief, look, PixelSize::Full, scene.world.belief().word().to_owned(), belief_role);
    for (row, line) in belief.rows().zip(wrap(&said, columns)) {
        write(frame, row, &Line::styled(format!(" {line}"), look.style(belief_role)));
    }
    for (row, line) in words.rows().zip(wrap(&caption.join(" "), columns)) {
        write(frame, row, &Line::styled(format!(" {line}"), look.style(role)));
    }
    if picture.height > ladder::ROWS_BESIDES_WIRE + 1 {
        ladder::draw(frame, picture, scene);
    }
    chrome::footer(frame, footer, look, app.place());
}

/// The columns of a letter in full size.
const LETTER: u16 = 8;

/// The clock on the left, the charges on the right.
fn figures(frame: &mut Frame<'_>, area: Rect, scene: &Scene<'_>) {
    let charges = charged(&scene.world);
    let role = match charges {
        0 => Role::Dim,
        _ if is_duplicate(&scene.world) => Role::Bad,
        _ => Role::Good,
    };
    let clock = scene.world.at.to_string();
    let clock = clock.split('.').next().unwrap_or_default().to_owned();
    let figure = format!("${}", charges.min(99));
    let columns = |text: &str| LETTER * u16::try_from(text.len()).unwrap_or(0) + 1;
    let full = columns(&clock) + columns(&figure) <= area.width;
    let size = if full { PixelSize::Full } else { PixelSize::Quadrant };
    let left = if full { columns(&clock) } else { columns(&clock) / 2 + 1 };
    // Wide screens set the two apart.
    let left = left.max(area.width.saturating_sub(columns(&figure) + 1).min(area.width / 2 + LETTER));
    let [left, right] = Layout::horizontal([Constraint::Length(left), Constraint::Fill(1)]).areas(area);
    large(frame, left, scene.look, size, clock, Role::Title);
    large(frame, right, scene.look, size, figure, role);
}

fn large(frame: &mut Frame<'_>, area: Rect, look: Look, size: PixelSize, text: String, role: Role) {
    let area = Rect { x: area.x + 1, width: area.width.saturating_sub(1), ..area };
    let text = BigText::builder().pixel_size(size).style(look.style(role)).lines([Line::from(text)]).build();
    frame.render_widget(text, area);
    if look.ascii {
        for position in area.positions() {
            let cell = &mut frame.buffer_mut()[position];
            if cell.symbol() != " " {
                cell.set_symbol("#");
            }
        }
    }
}

/// What the agent believes beside what is true.
fn beliefs(scene: &Scene<'_>) -> (Role, String) {
    let world = &scene.world;
    let charges = charged(world);
    let truth = match charges {
        0 if !world.ledger.is_empty() => "no charge but those from before".to_owned(),
        0 => "no charge in the ledger".to_owned(),
        1 => "1 charge in the ledger".to_owned(),
        n => format!("{n} charges in the ledger"),
    };
    if world.ended {
        let kind = scene.trace.worst();
        let meaning = kind.meaning();
        return (looks(kind).role, format!("{}. {meaning} The truth: {truth}.", capital(kind.words())));
    }
    let role = match world.belief() {
        Belief::Done if is_duplicate(world) => Role::Bad,
        Belief::Done => Role::Good,
        Belief::Unknown => Role::Unknown,
        Belief::Waiting | Belief::Refused => Role::Text,
    };
    let agent = match world.report {
        Some((_, report)) => format!("The agent says: {report}."),
        None => format!("The agent's belief: {}.", world.belief().word()),
    };
    (role, format!("{agent} The truth: {truth}."))
}
