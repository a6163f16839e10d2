//! The state of the terminal program, and how an action changes it. Nothing here paints.

mod aside;
mod atlas;
mod evidence;
mod lesson;

use std::time::Duration;

use crossterm::event::KeyEvent;
use ratatui::Frame;
use ratatui::layout::Size;

use super::clock::{self, Player};
use super::grid::{Cell, Grid};
use super::guide::{Guide, Side};
use super::keys::{self, Action, Direction, Place};
use super::maps::{self, Evidence};
use super::prompter::Prompt;
use super::theme::Look;
use super::{INTERRUPTED, Program, Wish, view};
use crate::model::{Scenario, Text, Time};
use crate::sim::{TooManyEvents, simulate};
use crate::trace::Trace;

pub use aside::Aside;
pub use atlas::Atlas;

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
    /// What the screens around the run show.
    pub atlas: Atlas,
    /// What the screens beside the run show.
    pub aside: Aside,
    /// What the evidence shows.
    pub evidence: Evidence,
    /// Theme and signs.
    pub look: Look,
    /// Whether what is still to come is shown, dimmed, where no lesson decides.
    pub future: bool,
    /// The lesson, and where it is.
    guide: Guide,
    mode: Mode,
    /// Whether the presenter's notes are shown.
    pub notes: bool,
    /// Whether few words and large figures are shown.
    pub big: bool,
    /// While the lesson plays by itself: how long the page has been open.
    booth: Option<Duration>,
    /// Something to tell once, in place of what happened.
    pub notice: Option<String>,
    wish: Wish,
}

/// Who decides what is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// The lesson, page by page.
    Lesson,
    /// Whoever is at the keys.
    Free,
    /// A look at the summary from the lesson, which goes on when it is closed.
    Glance,
}

/// A screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Screen {
    /// One run, stepped through.
    Run,
    /// All runs of the grid.
    Summary,
    /// The shipped cases.
    Cases,
    /// The chain that led to each charge.
    Why,
    /// What could become of the messages in flight.
    WhatIf,
    /// A changed run beside the present one.
    Fork,
    /// Several runs beside each other.
    Compare,
    /// The evidence about the run's strategy.
    Evidence,
}

/// What lies over a screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Over {
    /// The keys.
    Help,
    /// All there is to know of the open run.
    Details,
    /// Nothing at all.
    Blank,
}

impl App {
    /// Opens on a scenario, at its start, paused; the lesson waits for its key.
    ///
    /// # Errors
    ///
    /// Where its run has too many events.
    pub fn new(scenario: Scenario, guide: Guide, look: Look) -> Result<Self, TooManyEvents> {
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
            atlas: Atlas::default(),
            aside: Aside::default(),
            evidence: Evidence::default(),
            look,
            future: true,
            guide,
            mode: Mode::Free,
            notes: false,
            big: false,
            booth: None,
            notice: None,
            wish: Wish::Continue,
        })
    }

    /// Opens on the first page of a lesson.
    ///
    /// # Errors
    ///
    /// Where its first run has too many events.
    pub fn teach(guide: Guide, look: Look) -> Result<Self, TooManyEvents> {
        let mut app = Self::new(guide.stop().scenario.clone(), guide, look)?;
        app.resume();
        Ok(app)
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

    /// The lesson, while it decides what is shown.
    #[must_use]
    pub fn lesson(&self) -> Option<&Guide> {
        (self.mode == Mode::Lesson).then_some(&self.guide)
    }

    /// The lesson, given or left.
    #[must_use]
    pub const fn guide(&self) -> &Guide {
        &self.guide
    }

    /// Whether an answer is being played out, so that its reveal waits.
    #[must_use]
    pub fn plays_out(&self) -> bool {
        self.lesson().is_some_and(|guide| guide.page().side == Side::Reveal) && self.player.playing
    }

    /// Whether the lesson plays by itself.
    #[must_use]
    pub const fn is_booth(&self) -> bool {
        self.booth.is_some()
    }

    /// Whether what is still to come is shown.
    #[must_use]
    pub fn shows_future(&self) -> bool {
        match self.lesson() {
            None => self.future,
            Some(guide) => match guide.page().side {
                Side::Ask => false,
                Side::Tell | Side::Reveal => !self.player.playing && !guide.stop().hidden,
            },
        }
    }

    /// What a second terminal is told.
    #[must_use]
    pub fn prompt(&self) -> Prompt {
        let stop = self.guide.stop();
        let (page, pages) = self.guide.progress();
        let answers = stop.question.as_ref().map_or_else(Vec::new, |question| {
            question.options.iter().map(|option| (option.right, option.text.clone())).collect()
        });
        Prompt {
            title: Text::new(&view::lesson_title(&self.guide)),
            page,
            pages,
            say: self.guide.words().to_vec(),
            note: stop.note.clone(),
            answers,
            next: self.guide.next_words().to_vec(),
        }
    }

    /// Opens a scenario in place of the open one, which stays where the new one is wrong. The clock stays.
    pub fn reload(&mut self, scenario: Result<Scenario, String>) {
        let at = self.at;
        match scenario {
            Ok(scenario) => {
                self.notice = None;
                self.leave();
                self.close_aside();
                self.open_scenario(&scenario);
                self.step(at.min(self.trace.end()));
            }
            Err(error) => self.notice = Some(format!("The saved file is not shown: {error}")),
        }
        self.attend_to_evidence();
    }

    /// Sets the clock, at the end of the run at the latest.
    pub fn set_clock(&mut self, at: Time) {
        self.at = at.min(self.trace.end());
    }

    /// Where a key press counts.
    #[must_use]
    pub fn place(&self) -> Place {
        match (self.lesson(), self.screen) {
            _ if self.over == Some(Over::Details) => Place::Details,
            (Some(guide), _) if guide.page().side == Side::Ask => Place::Ask,
            (Some(_), _) => Place::Lesson,
            (None, Screen::Run) => Place::Run,
            (None, Screen::Summary) => Place::Summary,
            (None, Screen::Cases) => Place::Cases,
            (None, Screen::Why) => Place::Why,
            (None, Screen::WhatIf) => Place::WhatIf,
            (None, Screen::Fork) => Place::Fork,
            (None, Screen::Compare) => Place::Compare,
            (None, Screen::Evidence) => self.sheet_place(),
        }
    }

    /// Gives the lesson by itself, in a loop, until a key is pressed.
    pub fn play_in_a_loop(&mut self) {
        self.resume();
        self.booth = Some(Duration::ZERO);
    }

    /// Does what a key asks for; `None` is a key that means nothing.
    pub fn update(&mut self, action: Option<Action>) {
        self.notice = None;
        self.atlas.told = None;
        let booth = self.booth.take().is_some();
        match (self.over, action) {
            (_, Some(Action::Quit)) => self.wish = Wish::Quit(0),
            (_, Some(Action::Interrupt)) => self.wish = Wish::Quit(INTERRUPTED),
            (_, Some(Action::Suspend)) => self.wish = Wish::Suspend,
            // Whatever stops the loop, or wakes a blank screen, does nothing else.
            _ if booth => {}
            (Some(Over::Blank), _) | (Some(Over::Help), Some(Action::Close | Action::Help)) => self.over = None,
            (Some(Over::Help), Some(action)) => self.act_in_help(action),
            (Some(Over::Details), Some(action)) => self.act_in_details(action),
            (None, Some(action)) => self.act(action),
            (Some(Over::Help | Over::Details) | None, None) => {}
        }
        self.attend_to_evidence();
    }

    fn act(&mut self, action: Action) {
        if self.act_atlas(action) || self.act_aside(action) || self.act_evidence(action) {
            return;
        }
        let at = self.at;
        match action {
            Action::TickForward => self.step(clock::next_stop(&*self.on_screen(), at)),
            Action::TickBack => self.step(clock::stop_before(&*self.on_screen(), at)),
            Action::EventForward => self.step(clock::next_event(&*self.on_screen(), at).unwrap_or(at)),
            Action::EventBack => self.step(clock::event_before(&*self.on_screen(), at).unwrap_or(at)),
            Action::Start => self.step(Time::ZERO),
            Action::End => self.step(self.end_on_screen()),
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
            Action::Help => {
                self.atlas.help_page = 0;
                self.open_over(Over::Help);
            }
            Action::Close => self.close(),
            Action::Move(direction) => self.move_choice(direction),
            Action::Open => {
                self.mode = Mode::Free;
                self.screen = Screen::Run;
                self.choose(self.choice);
            }
            Action::Lesson if self.mode == Mode::Lesson => self.leave(),
            Action::Lesson => self.resume(),
            Action::Notes => self.notes = !self.notes,
            Action::Big => self.big = !self.big,
            _ => self.turn_page(action),
        }
    }

    // ── The clock ────────────────────────────────────────────────────────────────────────────────

    fn step(&mut self, at: Time) {
        self.player.pause();
        self.at = at;
    }

    fn play(&mut self) {
        if !self.player.playing && self.at >= self.end_on_screen() {
            self.at = Time::ZERO;
        }
        self.player.toggle();
    }

    // ── What is open ─────────────────────────────────────────────────────────────────────────────

    fn open_over(&mut self, over: Over) {
        self.player.pause();
        self.over = Some(over);
    }

    /// Closes what is open: the lesson, else the summary, else the large view.
    fn close(&mut self) {
        if self.mode == Mode::Lesson {
            self.leave();
        } else if self.mode == Mode::Glance {
            self.resume();
        } else if self.screen == Screen::Run {
            self.big = false;
        } else {
            self.screen = Screen::Run;
        }
    }

    fn toggle_summary(&mut self) {
        self.player.pause();
        match (self.mode, self.screen) {
            (Mode::Glance, Screen::Summary) => return self.resume(),
            (Mode::Lesson, _) => {
                self.mode = Mode::Glance;
                self.screen = Screen::Summary;
            }
            (_, Screen::Summary) => self.screen = Screen::Run,
            _ => self.screen = Screen::Summary,
        }
        self.choice = self.chosen;
        self.set_clock(self.at);
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
                // Beside longer runs the clock may stand beyond this one's end.
                self.left_at[left] = self.at.min(self.trace.end());
                self.trace = trace;
                self.chosen = cell;
                self.at = self.left_at[self.grid.index(cell)];
            }
            Err(error) => self.notice = Some(format!("This run cannot be shown: {error}.")),
        }
    }

    /// Opens any scenario: a cell of the grid where it is one, else a grid of its own.
    fn open_scenario(&mut self, scenario: &Scenario) {
        let cell = self.grid.cells().find(|cell| self.grid.scenario(*cell) == *scenario);
        if let Some(cell) = cell.filter(|_| self.grid.is_under_own()) {
            return self.choose(cell);
        }
        match simulate(scenario) {
            Ok(trace) => {
                self.atlas.from_cases = false;
                (self.grid, self.chosen) = Grid::new(scenario.clone());
                self.left_at = vec![Time::ZERO; self.grid.cells().count()];
                self.choice = self.chosen;
                self.trace = trace;
                self.at = Time::ZERO;
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

impl Program for App {
    fn draw(&self, frame: &mut Frame<'_>) {
        view::draw(frame, self);
    }

    fn key(&mut self, key: KeyEvent) {
        self.update(keys::action(self.place(), &key));
    }

    fn resized(&mut self, size: Size) {
        self.evidence.size = Some(size);
        self.attend_to_evidence();
    }

    fn advance(&mut self, elapsed: Duration) {
        self.evidence.look();
        let end = self.end_on_screen();
        let until = self.player.until().unwrap_or(end).min(end);
        for _ in 0..self.player.pass(elapsed) {
            self.at = clock::next_stop(&*self.on_screen(), self.at).min(until);
        }
        if self.at >= until {
            self.player.pause();
        }
        if let Some(open) = self.booth.filter(|_| !self.player.playing) {
            let open = open + elapsed;
            if open < self.reading_time() {
                self.booth = Some(open);
            } else {
                self.booth = Some(Duration::ZERO);
                if self.guide.is_at_end() {
                    self.guide.restart();
                    self.show_page();
                } else {
                    self.page_forward();
                }
            }
        }
    }

    fn wake(&self) -> Option<Duration> {
        let page = self.booth.map(|open| self.reading_time().saturating_sub(open));
        let look = self.evidence.is_under_way().then_some(maps::work::LOOK_EVERY);
        [self.player.wait(), page, look].into_iter().flatten().min()
    }

    fn wish(&mut self) -> Wish {
        std::mem::replace(&mut self.wish, Wish::Continue)
    }
}
