//! The state of the terminal program, and how an action changes it. Nothing here paints.

use std::time::Duration;

use crossterm::event::KeyEvent;
use ratatui::Frame;

use super::clock::{self, Player};
use super::keys::{self, Action, Direction, Place};
use super::theme::Look;
use super::{Program, Wish, view};
use crate::model::{Fault, Scenario, Strategy, Time};
use crate::sim::{Simulator, TooManyEvents, simulate};
use crate::trace::{Tally, Trace};

/// The exit status of a program that Ctrl-C ended.
const INTERRUPTED: u8 = 130;

/// All that is on screen depends on this.
#[derive(Debug)]
pub struct App {
    grid: Grid,
    chosen: Cell,
    trace: Trace,
    at: Time,
    /// Where the clock was left in each run of the grid, so that a wrong key loses nothing.
    left_at: Vec<Time>,
    /// How the run plays by itself, if it does.
    pub player: Player,
    /// Which screen is shown.
    pub screen: Screen,
    /// What lies over the screen.
    pub over: Option<Over>,
    /// The cell that the summary's choice is on.
    pub choice: Cell,
    /// Theme and signs.
    pub look: Look,
    /// Whether what is still to come is shown, dimmed.
    pub future: bool,
    /// Something to tell once, in place of what happened.
    pub notice: Option<String>,
    wish: Wish,
}

/// A screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Screen {
    /// One run, stepped through.
    Run,
    /// All runs of the grid.
    Summary,
}

/// What lies over a screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Over {
    /// The keys.
    Help,
    /// Nothing at all.
    Blank,
}

/// A cell of the grid, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Which strategy.
    pub strategy: usize,
    /// Which fault.
    pub fault: usize,
}

/// The runs that one can choose from: strategies by faults, all else as in one scenario.
#[derive(Debug)]
pub struct Grid {
    base: Scenario,
    /// The presets, and the scenario's own strategy where it is none of them.
    pub strategies: Vec<Strategy>,
    /// The presets, and the scenario's own fault where it is none of them.
    pub faults: Vec<Fault>,
    tallies: Vec<Result<Tally, TooManyEvents>>,
}

impl Grid {
    fn new(base: Scenario) -> (Self, Cell) {
        let mut strategies = Strategy::presets().to_vec();
        let mut faults = Fault::presets().to_vec();
        let chosen = Cell { strategy: place(&mut strategies, &base.strategy), fault: place(&mut faults, &base.fault) };
        let mut grid = Self { base, strategies, faults, tallies: Vec::new() };
        let mut simulator = Simulator::default();
        grid.tallies = grid.cells().map(|cell| simulator.count(&grid.scenario(cell))).collect();
        (grid, chosen)
    }

    /// Every cell: each fault in turn, and under it each strategy.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let (strategies, faults) = (self.strategies.len(), self.faults.len());
        (0..faults).flat_map(move |fault| (0..strategies).map(move |strategy| Cell { strategy, fault }))
    }

    /// What the run of a cell comes to.
    ///
    /// # Errors
    ///
    /// Where it has too many events.
    pub fn tally(&self, cell: Cell) -> Result<Tally, TooManyEvents> {
        self.tallies[self.index(cell)]
    }

    const fn index(&self, cell: Cell) -> usize {
        cell.fault * self.strategies.len() + cell.strategy
    }

    /// The scenario of a cell.
    #[must_use]
    pub fn scenario(&self, cell: Cell) -> Scenario {
        Scenario {
            strategy: self.strategies[cell.strategy].clone(),
            fault: self.faults[cell.fault].clone(),
            ..self.base.clone()
        }
    }
}

impl Program for App {
    fn draw(&self, frame: &mut Frame<'_>) {
        view::draw(frame, self);
    }

    fn key(&mut self, key: KeyEvent) {
        self.update(keys::action(self.place(), &key));
    }

    fn advance(&mut self, elapsed: Duration) {
        for _ in 0..self.player.pass(elapsed) {
            self.at = clock::next_stop(&self.trace, self.at);
        }
        if self.at >= self.trace.end() {
            self.player.pause();
        }
    }

    fn wake(&self) -> Option<Duration> {
        self.player.wait()
    }

    fn wish(&mut self) -> Wish {
        std::mem::replace(&mut self.wish, Wish::Continue)
    }
}

/// Where `own` stands in `presets`, at their end if it is none of them.
fn place<T: Clone + PartialEq>(presets: &mut Vec<T>, own: &T) -> usize {
    presets.iter().position(|preset| preset == own).unwrap_or_else(|| {
        presets.push(own.clone());
        presets.len() - 1
    })
}

impl App {
    /// Opens on a scenario, at its start, paused.
    ///
    /// # Errors
    ///
    /// Where its run has too many events.
    pub fn new(scenario: Scenario, look: Look) -> Result<Self, TooManyEvents> {
        let trace = simulate(&scenario)?;
        let (grid, chosen) = Grid::new(scenario);
        Ok(Self {
            left_at: vec![Time::ZERO; grid.cells().count()],
            grid,
            chosen,
            trace,
            at: Time::ZERO,
            player: Player::default(),
            screen: Screen::Run,
            over: None,
            choice: chosen,
            look,
            future: true,
            notice: None,
            wish: Wish::Continue,
        })
    }

    /// The run that is open.
    #[must_use]
    pub const fn trace(&self) -> &Trace {
        &self.trace
    }

    /// Where the clock stands.
    #[must_use]
    pub const fn at(&self) -> Time {
        self.at
    }

    /// The runs that one can choose from.
    #[must_use]
    pub const fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The cell of the run that is open.
    #[must_use]
    pub const fn chosen(&self) -> Cell {
        self.chosen
    }

    /// Sets the clock, at the end of the run at the latest.
    pub fn set_clock(&mut self, at: Time) {
        self.at = at.min(self.trace.end());
    }

    /// Where a key press counts.
    #[must_use]
    pub const fn place(&self) -> Place {
        match self.screen {
            Screen::Run => Place::Run,
            Screen::Summary => Place::Summary,
        }
    }

    /// Does what a key asks for; `None` is a key that means nothing.
    pub fn update(&mut self, action: Option<Action>) {
        self.notice = None;
        match (self.over, action) {
            (_, Some(Action::Quit)) => self.wish = Wish::Quit(0),
            (_, Some(Action::Interrupt)) => self.wish = Wish::Quit(INTERRUPTED),
            (_, Some(Action::Suspend)) => self.wish = Wish::Suspend,
            // Whatever wakes a blank screen does nothing else.
            (Some(Over::Blank), _) | (Some(Over::Help), Some(Action::Close | Action::Help)) => self.over = None,
            (None, Some(action)) => self.act(action),
            (Some(Over::Help), _) | (None, None) => {}
        }
    }

    fn act(&mut self, action: Action) {
        match action {
            Action::TickForward => self.step(clock::next_stop(&self.trace, self.at)),
            Action::TickBack => self.step(clock::stop_before(&self.trace, self.at)),
            Action::EventForward => self.step(clock::next_event(&self.trace, self.at).unwrap_or(self.at)),
            Action::EventBack => self.step(clock::event_before(&self.trace, self.at).unwrap_or(self.at)),
            Action::Start => self.step(Time::ZERO),
            Action::End => self.step(self.trace.end()),
            Action::Play => self.play(),
            Action::Faster => self.player.faster(),
            Action::Slower => self.player.slower(),
            Action::Strategy(strategy) => self.choose(Cell { strategy, ..self.chosen }),
            Action::StrategyNext => {
                self.choose(Cell { strategy: (self.chosen.strategy + 1) % self.grid.strategies.len(), ..self.chosen });
            }
            Action::FaultNext => self.turn_fault(1),
            Action::FaultBack => self.turn_fault(self.grid.faults.len() - 1),
            Action::Future => self.future = !self.future,
            Action::Summary => self.toggle_summary(),
            Action::Theme => self.look.theme = self.look.theme.next(),
            Action::Blank => self.open_over(Over::Blank),
            Action::Help => self.open_over(Over::Help),
            Action::Close => self.screen = Screen::Run,
            Action::Move(direction) => self.move_choice(direction),
            Action::Open => {
                self.screen = Screen::Run;
                self.choose(self.choice);
            }
            Action::Quit | Action::Interrupt | Action::Suspend => {}
        }
    }

    fn step(&mut self, at: Time) {
        self.player.pause();
        self.at = at;
    }

    fn play(&mut self) {
        if !self.player.playing && self.at >= self.trace.end() {
            self.at = Time::ZERO;
        }
        self.player.toggle();
    }

    fn open_over(&mut self, over: Over) {
        self.player.pause();
        self.over = Some(over);
    }

    fn toggle_summary(&mut self) {
        self.player.pause();
        self.choice = self.chosen;
        self.screen = match self.screen {
            Screen::Run => Screen::Summary,
            Screen::Summary => Screen::Run,
        };
    }

    fn turn_fault(&mut self, by: usize) {
        let fault = (self.chosen.fault + by) % self.grid.faults.len();
        self.choose(Cell { fault, ..self.chosen });
    }

    /// Opens the run of a cell, where the clock was left in it; at first at its start.
    fn choose(&mut self, cell: Cell) {
        self.player.pause();
        if cell == self.chosen || cell.strategy >= self.grid.strategies.len() {
            return;
        }
        match simulate(&self.grid.scenario(cell)) {
            Ok(trace) => {
                let left = self.grid.index(self.chosen);
                self.left_at[left] = self.at;
                self.trace = trace;
                self.chosen = cell;
                self.at = self.left_at[self.grid.index(cell)];
            }
            Err(error) => self.notice = Some(format!("This run cannot be shown: {error}.")),
        }
    }

    fn move_choice(&mut self, direction: Direction) {
        let Cell { strategy, fault } = &mut self.choice;
        match direction {
            Direction::Left => *strategy = strategy.saturating_sub(1),
            Direction::Right => *strategy = (*strategy + 1).min(self.grid.strategies.len() - 1),
            Direction::Up => *fault = fault.saturating_sub(1),
            Direction::Down => *fault = (*fault + 1).min(self.grid.faults.len() - 1),
        }
    }
}
