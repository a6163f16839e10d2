//! The screens beside the run: why, what if, and compare. What each of their keys does.

use super::{App, Screen};
use crate::model::Time;
use crate::trace::Trace;
use crate::tui::compare::{By, Compare};
use crate::tui::keys::{Action, Direction};
use crate::tui::what_if::WhatIf;
use crate::tui::why::Why;

/// What is worked out when a screen beside the run is opened, so that no frame has to.
#[derive(Debug, Default)]
pub struct Aside {
    /// What "Why?" explains.
    pub why: Option<Why>,
    /// What "What if?" lists, and the changed run that is open.
    pub what_if: Option<WhatIf>,
    /// The runs that are compared.
    pub compare: Option<Compare>,
}

impl App {
    /// The runs on the screen, all at the same clock; the run that is open comes first where it is one of them.
    #[must_use]
    pub fn on_screen(&self) -> Vec<&Trace> {
        match (self.screen, &self.aside) {
            (Screen::Fork, Aside { what_if: Some(what_if), .. }) => {
                std::iter::once(&self.trace).chain(what_if.chosen().map(|chosen| &chosen.trace)).collect()
            }
            (Screen::Compare, Aside { compare: Some(compare), .. }) => compare.traces().collect(),
            _ => vec![&self.trace],
        }
    }

    /// Does what a key asks for on a screen beside the run, or opens one. Whether it did.
    pub(super) fn act_aside(&mut self, action: Action) -> bool {
        match (self.screen, action) {
            (Screen::Why, Action::Why)
            | (Screen::WhatIf, Action::WhatIf)
            | (Screen::Why | Screen::WhatIf | Screen::Fork | Screen::Compare, Action::Close) => self.close_aside(),
            (_, Action::Why) => self.open_why(),
            (_, Action::WhatIf) => self.open_what_if(),
            (Screen::Compare, Action::Compare | Action::Turn) => {
                if let Some(compare) = &self.aside.compare {
                    self.aside.compare = Some(Compare::new(&self.grid, compare.cell(), compare.by.other()));
                    // The other runs may all be over sooner.
                    self.at = self.at.min(self.end_on_screen());
                }
            }
            (_, Action::Compare) => self.open_compare(),
            (Screen::Why, action) => return self.act_why(action),
            (Screen::WhatIf | Screen::Fork, action) => return self.act_what_if(action),
            (Screen::Compare, action) => return self.act_compare(action),
            _ => return false,
        }
        true
    }

    /// Back from a screen beside the run to the run, at the same clock as far as it lasts.
    pub(super) fn close_aside(&mut self) {
        self.player.pause();
        if matches!(self.screen, Screen::Why | Screen::WhatIf | Screen::Fork | Screen::Compare) {
            self.screen = Screen::Run;
            self.set_clock(self.at);
        }
    }

    fn open_why(&mut self) {
        self.close_aside();
        self.aside.why = Some(Why::new(&self.trace, self.at, &self.grid.faults));
        self.screen = Screen::Why;
    }

    fn open_what_if(&mut self) {
        self.close_aside();
        self.aside.what_if = Some(WhatIf::new(&self.trace, self.at));
        self.screen = Screen::WhatIf;
    }

    fn open_compare(&mut self) {
        self.player.pause();
        self.compare(By::Strategies);
    }

    /// Opens the screen that compares the runs beside the open one.
    pub(super) fn compare(&mut self, by: By) {
        self.aside.compare = Some(Compare::new(&self.grid, self.chosen, by));
        self.screen = Screen::Compare;
    }

    fn act_why(&mut self, action: Action) -> bool {
        let Some(why) = &mut self.aside.why else { return false };
        match action {
            Action::Move(Direction::Down) => why.down(),
            Action::Move(Direction::Up) => why.up(),
            Action::Turn => why.turn(),
            Action::Open => {
                if let Some(at) = why.chosen().map(|link| link.at) {
                    self.set_clock(at);
                }
            }
            _ => return false,
        }
        true
    }

    fn act_what_if(&mut self, action: Action) -> bool {
        let Some(what_if) = &mut self.aside.what_if else { return false };
        match action {
            Action::Move(Direction::Down) => what_if.move_turn(true),
            Action::Move(Direction::Up) => what_if.move_turn(false),
            Action::Move(Direction::Right) | Action::Turn => what_if.turn_message(true),
            Action::Move(Direction::Left) => what_if.turn_message(false),
            Action::Open => {
                if what_if.chosen().is_some() {
                    self.screen = Screen::Fork;
                }
            }
            _ => return false,
        }
        if self.screen == Screen::Fork {
            // Another alternative may be over sooner.
            self.at = self.at.min(self.end_on_screen());
        }
        true
    }

    fn act_compare(&mut self, action: Action) -> bool {
        let Some(compare) = &mut self.aside.compare else { return false };
        let last = compare.rows.len().saturating_sub(1);
        match action {
            Action::Move(Direction::Down) => compare.row = (compare.row + 1).min(last),
            Action::Move(Direction::Up) => compare.row = compare.row.saturating_sub(1),
            Action::Row(row) => compare.row = row.min(last),
            Action::FaultNext | Action::FaultBack => {
                let cell = compare.turned(&self.grid, action == Action::FaultNext);
                self.aside.compare = Some(Compare::new(&self.grid, cell, compare.by));
                self.at = self.at.min(self.end_on_screen());
            }
            Action::Open => {
                let (cell, at) = (compare.cell(), self.at);
                self.screen = Screen::Run;
                self.choose(cell);
                self.set_clock(at);
            }
            _ => return false,
        }
        true
    }

    /// When the last of the runs on the screen ends.
    pub(crate) fn end_on_screen(&self) -> Time {
        self.on_screen().iter().map(|trace| trace.end()).max().unwrap_or_default()
    }
}
