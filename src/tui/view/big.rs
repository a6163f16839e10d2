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

use super::lines::wrap;
use super::{Scene, chrome, ladder, run, write};
use crate::trace::Belief;
use crate::tui::app::App;
use crate::tui::theme::{Look, Role};

pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, app: &App, scene: &Scene<'_>) {
    let look = app.look;
    let columns = usize::from(area.width.saturating_sub(2));
    let (role, caption) = run::caption(app, scene, columns, 3);
    let high = if area.height < 22 { 4 } else { 8 };
    let rows = [1, 1, high, 1, 2, 3].map(Constraint::Length);
    let tail = [Constraint::Fill(1), Constraint::Length(1)];
    let [bar, _, figures, _, belief, words, picture, footer] =
        Layout::vertical(rows.into_iter().chain(tail)).areas(area);
    chrome::bar(frame, bar, look, &run::title(app), &chrome::clock(app));
    self::figures(frame, figures, scene);
    let (belief_role, said) = beliefs(scene);
    write(frame, belief, &Line::styled(format!(" {said}"), look.style(belief_role)));
    for (row, line) in words.rows().zip(wrap(&caption.join(" "), columns)) {
        write(frame, row, &Line::styled(format!(" {line}"), look.style(role)));
    }
    if picture.height > ladder::ROWS_BESIDES_WIRE + 1 {
        ladder::draw(frame, picture, scene);
    }
    chrome::footer(frame, footer, look, app.place());
}

/// The clock on the left, the charges on the right.
fn figures(frame: &mut Frame<'_>, area: Rect, scene: &Scene<'_>) {
    let charges = scene.world.ledger.len();
    let role = match charges {
        0 => Role::Dim,
        1 => Role::Good,
        _ => Role::Bad,
    };
    // A letter is 8 dots wide; half-height letters are 4 rows, quadrant ones 4 rows and 4 columns.
    let wide = area.width >= 96;
    let size = match (area.height >= 8, wide) {
        (true, true) => PixelSize::Full,
        (true, false) => PixelSize::HalfWidth,
        (false, true) => PixelSize::HalfHeight,
        (false, false) => PixelSize::Quadrant,
    };
    let [clock, ledger] = Layout::horizontal([Constraint::Percentage(55), Constraint::Fill(1)]).areas(area);
    let clock_text = scene.world.at.to_string();
    let clock_text = clock_text.split('.').next().unwrap_or_default().to_owned();
    large(frame, clock, scene.look, size, clock_text, Role::Title);
    large(frame, ledger, scene.look, size, format!("${}", charges.min(99)), role);
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
    let truth = match world.ledger.len() {
        0 => "no charge in the ledger".to_owned(),
        1 => "1 charge in the ledger".to_owned(),
        n => format!("{n} charges in the ledger"),
    };
    let role = match world.belief() {
        Belief::Done if world.ledger.len() > 1 => Role::Bad,
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
