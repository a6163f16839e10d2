//! Painting: the state in, the screen out. Nothing here changes state.

mod agent;
mod beside;
mod big;
mod caption;
mod cases;
pub(super) mod chrome;
mod compare;
mod contract;
mod details;
mod fork;
mod help;
pub mod ladder;
mod ledger;
mod lesson;
pub(super) mod lines;
mod maps;
mod numbers;
mod outcome;
mod run;
mod service;
mod summary;
mod what_if;
mod why;
mod wire;

pub(crate) use details::paragraphs;
pub(crate) use lesson::title as lesson_title;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Line;

use super::app::{App, Over, Screen};
use super::theme::{Look, Role};
use crate::trace::{Snapshot, Trace};

/// The smallest screen that a run is drawn on.
pub const SIZE_MIN: (u16, u16) = (44, 16);

/// What the panes of a run are painted from.
pub(crate) struct Scene<'a> {
    pub(crate) trace: &'a Trace,
    pub(crate) world: Snapshot,
    pub(crate) look: Look,
    pub(crate) future: bool,
}

impl<'a> Scene<'a> {
    /// A run at the clock.
    pub(crate) fn of(app: &App, trace: &'a Trace) -> Self {
        Self { trace, world: Snapshot::at(trace, app.at()), look: app.look, future: app.shows_future() }
    }
}

/// Paints the whole screen.
pub fn draw(frame: &mut Frame<'_>, app: &App) {
    let area = frame.area();
    let look = app.look;
    frame.buffer_mut().set_style(area, look.ground());
    if app.over == Some(Over::Blank) {
        return;
    }
    if area.width < SIZE_MIN.0 || area.height < SIZE_MIN.1 {
        return too_small(frame, area, look);
    }
    match app.screen {
        Screen::Run => run::draw(frame, area, app),
        Screen::Summary => summary::draw(frame, area, app),
        Screen::Cases => cases::draw(frame, area, app),
        Screen::Why => why::draw(frame, area, app),
        Screen::WhatIf => what_if::draw(frame, area, app),
        Screen::Fork => fork::draw(frame, area, app),
        Screen::Compare => compare::draw(frame, area, app),
        Screen::Evidence => maps::draw(frame, area, app),
    }
    match app.over {
        Some(Over::Help) => help::draw(frame, area, app),
        Some(Over::Details) => details::draw(frame, area, app),
        Some(Over::Blank) | None => {}
    }
}

fn too_small(frame: &mut Frame<'_>, area: Rect, look: Look) {
    let words = [
        format!("Too small: {}x{}.", area.width, area.height),
        format!("Needs {}x{}.", SIZE_MIN.0, SIZE_MIN.1),
        "q quits.".to_owned(),
    ];
    for (y, line) in (area.top()..area.bottom()).zip(words) {
        let row = Rect { y, height: 1, ..area };
        frame.render_widget(Line::styled(line, look.style(Role::Text)), row);
    }
}

/// Writes a line of styled words into one row, cut at the row's end.
pub(super) fn write(frame: &mut Frame<'_>, row: Rect, line: &Line<'_>) {
    frame.render_widget(line, row.intersection(frame.area()));
}

/// Fills a row with one glyph.
pub(super) fn fill(frame: &mut Frame<'_>, row: Rect, glyph: &str, style: Style) {
    let row = row.intersection(frame.area());
    if row.is_empty() {
        return;
    }
    for x in row.left()..row.right() {
        frame.buffer_mut()[(x, row.y)].set_symbol(glyph).set_style(style);
    }
}
