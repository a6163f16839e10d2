//! The keys of the evidence: what they do to its sheets.

use super::{App, Screen};
use crate::model::Scenario;
use crate::tui::keys::{Action, Direction, Knob, Place};
use crate::tui::maps::Sheet;
use crate::tui::maps::work::UnderWay;

impl App {
    /// Where a key counts on the open sheet.
    pub(super) const fn sheet_place(&self) -> Place {
        match self.evidence.sheet {
            Sheet::Search => Place::Search,
            Sheet::Map => Place::Map,
            Sheet::Policies => Place::Policies,
            Sheet::Odds => Place::Odds,
        }
    }

    /// Does what a key asks of the evidence. Whether it was for it.
    pub(super) fn act_evidence(&mut self, action: Action) -> bool {
        match action {
            Action::Evidence => self.toggle_evidence(),
            Action::Odds => self.evidence.turning.shown = !self.evidence.turning.shown,
            _ if self.screen != Screen::Evidence || self.lesson().is_some() => return false,
            Action::Sheet(n) => self.turn_to(Sheet::ALL[n.min(Sheet::ALL.len() - 1)]),
            Action::SheetNext => self.turn_to(self.evidence.sheet.turn(true)),
            Action::SheetBack => self.turn_to(self.evidence.sheet.turn(false)),
            Action::Again => self.evidence.search.start_or_stop(),
            Action::Raise(knob) => self.turn_knob(knob, true),
            Action::Lower(knob) => self.turn_knob(knob, false),
            Action::Start => self.home(),
            Action::Move(direction) => self.move_on_sheet(direction),
            Action::Open => self.open_chosen(),
            // What is under way is stopped first, and the screen stays.
            Action::Close => {
                if !self.evidence.stop() {
                    self.screen = Screen::Run;
                }
            }
            _ => return false,
        }
        true
    }

    /// After anything that may have changed what is open: the work that belongs to it goes on, all other stops.
    pub(super) fn attend_to_evidence(&mut self) {
        let free = self.lesson().is_none();
        if self.screen == Screen::Evidence && free {
            self.evidence.open(self.trace.scenario(), self.look);
        } else {
            self.evidence.leave();
        }
        if self.screen == Screen::Run && free {
            self.evidence.turning.open(self.trace.scenario());
        } else {
            self.evidence.turning.task.leave();
        }
    }

    /// Waits until all that the screen shows is worked out. For those who have no screen to keep alive.
    pub fn settle(&mut self) {
        self.evidence.finish();
    }

    fn toggle_evidence(&mut self) {
        self.leave();
        self.screen = match self.screen {
            Screen::Evidence => Screen::Run,
            _ => Screen::Evidence,
        };
        // Another run may have been on the screen, and a longer one.
        self.set_clock(self.at);
    }

    fn turn_to(&mut self, sheet: Sheet) {
        if sheet != self.evidence.sheet {
            self.evidence.leave();
            self.evidence.sheet = sheet;
        }
    }

    fn turn_knob(&mut self, knob: Knob, up: bool) {
        let evidence = &mut self.evidence;
        match (knob, evidence.sheet) {
            (Knob::Calls, _) => evidence.search.turn_calls(up),
            (Knob::Faults, _) => evidence.search.turn_faults(up),
            (Knob::Forbidden, _) => evidence.search.turn_forbidden(up),
            (Knob::Across, _) => evidence.heat.turn_across(up),
            (Knob::Upward, _) => evidence.heat.turn_upward(up),
            (Knob::Grain, _) => evidence.heat.fine = !evidence.heat.fine,
            (Knob::Contract, Sheet::Odds) => evidence.chance.turn_contract(up),
            (Knob::Contract, _) => evidence.policy.turn_page(up),
        }
    }

    fn home(&mut self) {
        match self.evidence.sheet {
            Sheet::Map => self.evidence.heat.home(),
            Sheet::Policies => self.evidence.policy.home(),
            Sheet::Search | Sheet::Odds => {}
        }
    }

    fn move_on_sheet(&mut self, direction: Direction) {
        let (right, down) = match direction {
            Direction::Left => (-1, 0),
            Direction::Right => (1, 0),
            Direction::Up => (0, -1),
            Direction::Down => (0, 1),
        };
        match self.evidence.sheet {
            Sheet::Map => self.evidence.heat.step(right, down),
            Sheet::Policies => self.evidence.policy.step(right, down),
            Sheet::Odds => self.evidence.chance.step(down),
            Sheet::Search => {}
        }
    }

    /// Opens, at its start, the run that the open sheet has chosen.
    fn open_chosen(&mut self) {
        let own = self.trace().scenario();
        let chosen: Option<Scenario> = match self.evidence.sheet {
            Sheet::Search => self.evidence.search.counterexample().map(|trace| trace.scenario().clone()),
            Sheet::Map => self.evidence.heat.chosen(),
            Sheet::Policies => self.evidence.policy.opens(own),
            Sheet::Odds => self.evidence.chance.chosen(own),
        };
        let Some(scenario) = chosen else { return };
        self.open_scenario(&scenario);
        self.step(crate::model::Time::ZERO);
        self.screen = Screen::Run;
        self.big = false;
    }
}
