//! The point of no return: a lane below the ladder, with the share of what may still happen that ends in a duplicate.
//!
//! ```text
//!  risk    ▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▃▅▅▅▅▅▅▅██████████████████████
//!  41 of 96 continuations end in a duplicate: 43 %. At most 4 calls, 2 faults.
//! ```

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::text::Line;

use super::{grouped, percent};
use crate::model::Time;
use crate::search::turn::Moment;
use crate::tui::app::App;
use crate::tui::maps::turning::{Known, Turning};
use crate::tui::maps::work::UnderWay;
use crate::tui::theme::{Glyph, Look, Role};
use crate::tui::view::ladder::axis::Axis;
use crate::tui::view::lines::{Words, cut};
use crate::tui::view::{Scene, ladder, write};

/// The rows that it takes, out of so many for the ladder and it.
pub(in crate::tui::view) const fn rows(app: &App, of: u16) -> u16 {
    match (app.evidence.turning.shown, of) {
        (false, _) | (true, 0..7) => 0,
        (true, 7) => 1,
        (true, _) => 2,
    }
}

pub(in crate::tui::view) fn draw(frame: &mut Frame<'_>, area: Rect, app: &App, scene: &Scene<'_>) {
    let (look, turning) = (scene.look, &app.evidence.turning);
    let (Some(known), Some(row)) = (&turning.task.told, area.rows().next()) else { return };
    let room = area.width.saturating_sub(ladder::NAMES + 1);
    let mut instants: Vec<Time> = scene.trace.events().iter().map(|event| event.at).collect();
    instants.dedup();
    let axis = Axis::new(&instants, room);
    frame.buffer_mut().set_stringn(row.x + 1, row.y, "risk", usize::from(row.width), look.style(Role::Dim));
    for column in 0..room {
        let upto = known.moments.partition_point(|moment| axis.column(moment.at) <= column);
        let Some(moment) = upto.checked_sub(1).map(|n| known.moments[n]) else { continue };
        let (glyph, role) = level(&moment);
        let cell = &mut frame.buffer_mut()[(row.x + ladder::NAMES + column, row.y)];
        let ahead = axis.time(u64::from(column) * 2) > scene.world.at;
        // What is to come is not told where the future is hidden.
        if ahead && !scene.future {
            break;
        }
        let style = look.style(role);
        cell.set_symbol(look.glyph(glyph)).set_style(if ahead { style.remove_modifier(Modifier::BOLD) } else { style });
        if column == axis.column(scene.world.at) {
            cell.set_style(ratatui::style::Style::new().add_modifier(Modifier::REVERSED));
        }
    }
    let said = words(look, turning, known, scene, usize::from(area.width.saturating_sub(2)));
    if let Some(row) = area.rows().nth(1) {
        write(frame, Rect { x: row.x + 1, width: row.width.saturating_sub(1), ..row }, &said);
    }
}

/// How high the bar is at a moment. Where nothing but a duplicate is left, it is full.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of seven")]
fn level(moment: &Moment) -> (Glyph, Role) {
    const LEVELS: [Glyph; 7] =
        [Glyph::Level1, Glyph::Level2, Glyph::Level3, Glyph::Level4, Glyph::Level5, Glyph::Level6, Glyph::Level7];
    let duplicates = moment.ends.duplicates();
    if duplicates == 0 {
        return (Glyph::Dot, Role::Good);
    }
    if duplicates == moment.ends.all() {
        return (Glyph::Level8, Role::Bad);
    }
    let share = moment.duplicates();
    let role = if share < 0.5 { Role::Late } else { Role::Bad };
    (LEVELS[((share * 7.0) as usize).min(6)], role)
}

/// The share at the cursor in words, and when there is no return.
fn words(look: Look, turning: &Turning, known: &Known, scene: &Scene<'_>, columns: usize) -> Line<'static> {
    if turning.task.is_under_way() {
        let text = format!("Looks at all that may still happen: {} steps so far.", grouped(known.walked));
        return Line::styled(cut(look, &text, columns), look.style(Role::Dim));
    }
    let Some(moment) = turning.at(scene.world.at) else { return Line::default() };
    let (duplicates, all) = (moment.ends.duplicates(), moment.ends.all());
    let (_, role) = level(moment);
    let bounds = format!(" At most {} calls, {} faults.", turning.bounds.calls, turning.bounds.faults);
    let mut said = match (duplicates, all) {
        (0, 1) => "Nothing else can happen any more: no duplicate.".to_owned(),
        (1, 1) => "Nothing else can happen any more: a duplicate.".to_owned(),
        (duplicates, all) if duplicates == all => {
            format!("No return: all {} continuations end in a duplicate.", grouped(all))
        }
        (0, all) => format!("None of {} continuations ends in a duplicate.", grouped(all)),
        (duplicates, all) => format!(
            "{} of {} continuations end in a duplicate: {}.",
            grouped(duplicates),
            grouped(all),
            percent(duplicates, all)
        ),
    };
    if all > 1 && said.len() + bounds.len() <= columns {
        said += &bounds;
    }
    Words::new(look).say(role, cut(look, &said, columns)).line()
}
