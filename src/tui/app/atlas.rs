//! The state of what lies around the one run: contracts, the whole matrix, the shipped cases, the page of details.

use super::{App, Over, Screen};
use crate::model::{Contract, Time};
use crate::sim::simulate;
use crate::tui::cases::Cases;
use crate::tui::grid::{Cell, Grid, Sets};
use crate::tui::keys::{Action, Direction};
use crate::tui::view;

/// What the screens around the run show.
#[derive(Debug, Default)]
pub struct Atlas {
    /// The shipped cases, once they have been opened.
    pub cases: Option<Cases>,
    /// Whether the open run was opened from the cases, so that Esc goes back to them.
    pub from_cases: bool,
    /// Which paragraph of the details is shown first, counted from 0.
    pub paragraph: usize,
    /// Which page of the help is shown, counted from 0; after the last comes the first.
    pub help_page: usize,
    /// What a contract promises that has just been chosen: told once, in place of what happened.
    pub told: Option<String>,
}

/// How many cases or paragraphs a page moves.
const PAGE: usize = 5;

impl App {
    /// Does what belongs here; whether it did.
    pub(super) fn act_atlas(&mut self, action: Action) -> bool {
        match action {
            Action::ContractNext => self.turn_contract(1),
            Action::ContractBack => self.turn_contract(self.grid.contracts().len() - 1),
            Action::ContractOwn => self.show_under(self.grid.own_contract().clone()),
            Action::EveryStrategy => {
                let sets = self.grid.sets();
                self.show_sets(Sets { every_strategy: !sets.every_strategy, ..sets.clone() });
            }
            Action::EveryFault => {
                let sets = self.grid.sets();
                self.show_sets(Sets { every_fault: !sets.every_fault, ..sets.clone() });
            }
            Action::Cases => self.toggle_cases(),
            Action::Details => self.toggle_details(),
            Action::Close if self.goes_back_to_cases() => {
                self.player.pause();
                self.screen = Screen::Cases;
            }
            // Closed once more, the cases are left for good: Esc does not go round.
            Action::Close if self.screen == Screen::Cases => {
                self.atlas.from_cases = false;
                self.screen = Screen::Run;
            }
            _ if self.screen == Screen::Cases => return self.act_in_cases(action),
            _ => return false,
        }
        true
    }

    fn goes_back_to_cases(&self) -> bool {
        self.atlas.from_cases && self.screen == Screen::Run && !self.big && self.lesson().is_none()
    }

    // ── Contracts and the matrix ─────────────────────────────────────────────────────────────────

    /// Opens the grid on the summary, made of these strategies and faults.
    pub fn show_matrix(&mut self, sets: Sets) {
        self.leave();
        self.show_sets(sets);
        self.choice = self.chosen;
        self.screen = Screen::Summary;
    }

    /// The grid as the lesson speaks of it: four by four.
    pub(super) fn show_the_few(&mut self) {
        if *self.grid.sets() != Sets::default() {
            self.show_sets(Sets::default());
        }
    }

    fn turn_contract(&mut self, by: usize) {
        let contracts = self.grid.contracts();
        let place = (self.grid.contract_place() + by) % contracts.len();
        self.show_under(contracts[place].clone());
    }

    /// All runs under another contract; the clock stays.
    fn show_under(&mut self, contract: Contract) {
        let (grid, chosen) = self.grid.under(self.chosen, contract);
        match simulate(&grid.scenario(chosen)) {
            Ok(trace) => {
                self.player.pause();
                self.trace = trace;
                self.set_clock(self.at);
                self.replace_grid(grid, chosen);
                let (place, all) = (self.grid.contract_place() + 1, self.grid.contracts().len());
                let contract = self.grid.contract();
                let promise = contract.brief();
                self.atlas.told = Some(format!("Contract {place} of {all}, {}: {promise}", contract.name));
            }
            Err(error) => self.notice = Some(format!("This contract cannot be shown: {error}.")),
        }
    }

    /// The same run among other strategies and faults.
    fn show_sets(&mut self, sets: Sets) {
        let (strategy, fault) =
            (self.grid.strategies[self.choice.strategy].clone(), self.grid.faults[self.choice.fault].clone());
        let (grid, chosen) = self.grid.made_of(self.chosen, sets);
        let choice = Cell {
            strategy: grid.strategies.iter().position(|other| *other == strategy).unwrap_or(chosen.strategy),
            fault: grid.faults.iter().position(|other| *other == fault).unwrap_or(chosen.fault),
        };
        self.replace_grid(grid, chosen);
        self.choice = choice;
    }

    /// Another grid around the open run. Where the clock was left in its runs is forgotten.
    fn replace_grid(&mut self, grid: Grid, chosen: Cell) {
        self.left_at = vec![Time::ZERO; grid.cells().count()];
        (self.grid, self.chosen) = (grid, chosen);
        // A grid without a strategy or a fault of its own is smaller.
        if self.choice.strategy >= self.grid.strategies.len() || self.choice.fault >= self.grid.faults.len() {
            self.choice = self.chosen;
        }
    }

    // ── Cases ────────────────────────────────────────────────────────────────────────────────────

    fn toggle_cases(&mut self) {
        self.leave();
        self.close_aside();
        if self.screen == Screen::Cases {
            self.screen = Screen::Run;
        } else {
            self.atlas.cases.get_or_insert_default();
            self.screen = Screen::Cases;
        }
    }

    fn act_in_cases(&mut self, action: Action) -> bool {
        let cases = self.atlas.cases.get_or_insert_default();
        match action {
            Action::Move(Direction::Up) => cases.up(1),
            Action::Move(Direction::Down) => cases.down(1),
            Action::Move(Direction::Left) => cases.up(PAGE),
            Action::Move(Direction::Right) => cases.down(PAGE),
            Action::Start => cases.up(usize::MAX),
            Action::End => cases.down(usize::MAX),
            Action::KindNext => cases.turn_kind(false),
            Action::KindBack => cases.turn_kind(true),
            Action::Open => {
                if let Some(scenario) = cases.chosen().map(|case| case.scenario.clone()) {
                    self.open_scenario(&scenario);
                    self.step(Time::ZERO);
                    self.screen = Screen::Run;
                    self.atlas.from_cases = true;
                }
            }
            _ => return false,
        }
        true
    }

    // ── Details ──────────────────────────────────────────────────────────────────────────────────

    fn toggle_details(&mut self) {
        self.atlas.paragraph = 0;
        self.open_over(Over::Details);
    }

    /// A key on the page of details. What means nothing there closes it and counts as usual.
    pub(super) fn act_in_details(&mut self, action: Action) {
        let last = view::paragraphs(self).saturating_sub(1);
        let first = &mut self.atlas.paragraph;
        match action {
            Action::Move(Direction::Up) => *first = first.saturating_sub(1),
            Action::Move(Direction::Down) => *first = (*first + 1).min(last),
            Action::Move(Direction::Left) => *first = first.saturating_sub(PAGE),
            Action::Move(Direction::Right) => *first = (*first + PAGE).min(last),
            Action::Start => *first = 0,
            Action::Close | Action::Details => self.over = None,
            Action::Theme => self.act(action),
            other => {
                self.over = None;
                self.act(other);
            }
        }
    }

    // ── Help ─────────────────────────────────────────────────────────────────────────────────────

    /// A key on the help: whatever goes on elsewhere turns its pages.
    pub(super) const fn act_in_help(&mut self, action: Action) {
        use Direction::{Down, Left, Right, Up};
        match action {
            Action::TickForward
            | Action::EventForward
            | Action::PageForward
            | Action::SheetNext
            | Action::AnswerDown
            | Action::Move(Down | Right) => self.atlas.help_page = self.atlas.help_page.saturating_add(1),
            Action::TickBack
            | Action::EventBack
            | Action::PageBack
            | Action::SheetBack
            | Action::AnswerUp
            | Action::Move(Up | Left) => {
                self.atlas.help_page = self.atlas.help_page.saturating_sub(1);
            }
            _ => {}
        }
    }
}
