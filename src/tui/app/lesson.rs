//! What the lesson's keys do: pages, answers, hands, leaving and coming back.

use std::time::Duration;

use super::{App, Mode, Screen};
use crate::lesson::View;
use crate::tui::compare::By;
use crate::tui::guide::Side;
use crate::tui::keys::Action;

/// How long a played-out answer takes at most, in seconds.
const PLAYED_OUT_IN: u64 = 4;

impl App {
    /// Leaves the lesson: the run that it shows is free to explore. What the lesson hid stays hidden.
    pub(super) fn leave(&mut self) {
        if self.mode != Mode::Free {
            self.future = self.shows_future();
            self.mode = Mode::Free;
        }
        self.player.pause();
        if self.screen == Screen::Compare {
            self.close_aside();
        }
    }

    /// Goes on with the lesson where it was left.
    pub(super) fn resume(&mut self) {
        self.mode = Mode::Lesson;
        self.show_page();
    }

    pub(super) fn turn_page(&mut self, action: Action) {
        let guide = &mut self.guide;
        match action {
            Action::PageForward => return self.page_forward(),
            Action::PageBack => {
                guide.back();
            }
            Action::ChapterForward => {
                guide.chapter_forward();
            }
            Action::ChapterBack => guide.chapter_back(),
            Action::FirstPage => guide.restart(),
            Action::Booth => self.booth = Some(Duration::ZERO),
            Action::Pick(option) => return guide.pick(option),
            Action::AnswerUp => return guide.choose(false),
            Action::AnswerDown => return guide.choose(true),
            Action::HandMore => return guide.count_hands(1),
            Action::HandLess => return guide.count_hands(-1),
            Action::Room => {
                guide.room = !guide.room;
                return;
            }
            Action::Count => return guide.turn_count(),
            _ => return,
        }
        self.show_page();
    }

    /// A page forward. An answer is played out first; who presses again has seen enough of that.
    pub(super) fn page_forward(&mut self) {
        if self.plays_out() {
            return self.show_page();
        }
        if !self.guide.forward() {
            return;
        }
        let asked_at = self.at;
        self.show_page();
        let until = self.at;
        if self.guide.page().side == Side::Reveal && asked_at < until {
            self.at = asked_at;
            let ticks = (until - asked_at).as_ms() / 1_000;
            self.player.play_until(until, ticks.div_ceil(PLAYED_OUT_IN));
        }
    }

    /// Shows what the open page asks for: its run, its clock, its screen.
    pub(super) fn show_page(&mut self) {
        let stop = self.guide.stop();
        let (scenario, view) = (stop.scenario.clone(), stop.screen);
        let at = match (&stop.question, self.guide.page().side) {
            (Some(question), Side::Reveal) => question.reveal_at,
            _ => stop.at,
        };
        self.show_the_few();
        self.open_scenario(&scenario);
        self.step(at.min(self.trace.end()));
        match view {
            View::Run => self.screen = Screen::Run,
            View::Summary => self.screen = Screen::Summary,
            View::CompareStrategies => self.compare(By::Strategies),
            View::CompareFaults => self.compare(By::Faults),
        }
        self.choice = self.chosen;
    }

    /// How long a page stays open in the loop: as long as its words take to read.
    pub(super) fn reading_time(&self) -> Duration {
        let stop = self.guide.stop();
        let words = stop.say.iter().map(|text| text.split_whitespace().count()).sum::<usize>();
        let question = stop.question.as_ref().map_or(0, |question| 8 + 6 * question.options.len());
        Duration::from_millis(2_500 + 350 * (words + question) as u64)
    }
}
