//! The second terminal: the presenter's notes and the next page, for the presenter's eyes only.
//!
//! ```text
//! │ A timeout is not a failure  3/8 Lost ack                  page 7 of 31 │
//! │ Your note                                                              │
//! │  Point at the ledger first.                                            │
//! │ Next                                                                   │
//! │  The agent tries again.                                                │
//! │ The room reads                                                         │
//! │  The service charged the card; its answer was lost.                    │
//! ```

use std::thread;
use std::time::Duration;

use crossterm::event::KeyEvent;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::keys::{self, Action, Place as KeyPlace};
use super::prompter::{Place, Prompt};
use super::theme::{Glyph, Look, Role};
use super::view::lines::{Words, wrap};
use super::view::{chrome, write};
use super::{Outside, Program, Wish};

/// How often the follower listens.
const LISTEN_EVERY: Duration = Duration::from_millis(200);

/// Shows what the presenter tells.
#[derive(Debug)]
pub struct Follower {
    place: Place,
    heard: Option<Prompt>,
    look: Look,
    wish: Wish,
}

impl Follower {
    /// Listens at a place.
    #[must_use]
    pub fn new(place: Place, look: Look) -> Self {
        Self { heard: place.listen(), place, look, wish: Wish::Continue }
    }
}

/// What is shown while no presenter runs.
#[must_use]
pub fn waiting() -> &'static str {
    "No presenter yet. Start retryscope in another terminal, as the same user; its notes appear here."
}

/// The notes in lines of at most `columns`, each with its role.
#[must_use]
pub fn lines(heard: Option<&Prompt>, columns: usize) -> Vec<(Role, String)> {
    let Some(prompt) = heard else {
        return wrap(waiting(), columns).into_iter().map(|line| (Role::Text, line)).collect();
    };
    let join = |texts: &[crate::model::Text]| texts.iter().map(|text| &**text).collect::<Vec<_>>().join(" ");
    let own = prompt.note.as_ref().map_or_else(|| "No note for this page.".to_owned(), ToString::to_string);
    let next = if prompt.next.is_empty() { "This is the last page.".to_owned() } else { join(&prompt.next) };
    let mut lines = Vec::new();
    let mut part = |head: &str, role, texts: Vec<String>| {
        lines.push((Role::Title, head.to_owned()));
        for text in texts {
            lines.extend(wrap(&text, columns.saturating_sub(2)).into_iter().map(|line| (role, format!("  {line}"))));
        }
        lines.push((Role::Text, String::new()));
    };
    // What the presenter can see nowhere else comes first.
    part("Your note", Role::Text, vec![own]);
    if !prompt.answers.is_empty() {
        let mark = |right: &bool| if *right { "right: " } else { "wrong: " };
        let answers = prompt.answers.iter().map(|(right, text)| format!("{}{text}", mark(right)));
        part("Answers", Role::Text, answers.collect());
    }
    part("Next", Role::Text, vec![next]);
    part("The room reads", Role::Dim, vec![join(&prompt.say)]);
    lines
}

impl Program for Follower {
    fn begin(&mut self, outside: Outside) {
        let place = self.place.clone();
        let mut heard = self.heard.clone();
        thread::spawn(move || {
            loop {
                thread::sleep(LISTEN_EVERY);
                let now = place.listen();
                if now != heard {
                    heard = now;
                    if !outside.happened() {
                        return;
                    }
                }
            }
        });
    }

    fn draw(&self, frame: &mut Frame<'_>) {
        let area = frame.area();
        frame.buffer_mut().set_style(area, self.look.ground());
        let (title, page) = match &self.heard {
            Some(prompt) => (prompt.title.to_string(), format!("page {} of {}", prompt.page, prompt.pages)),
            None => ("retryscope notes".to_owned(), "waiting".to_owned()),
        };
        let title = title.replace('\u{d7}', self.look.glyph(Glyph::Times));
        chrome::bar(frame, Rect { height: area.height.min(1), ..area }, self.look, &title, &page);
        let body = Rect { y: area.y + 1, height: area.height.saturating_sub(2), ..area };
        let columns = usize::from(area.width.saturating_sub(2));
        for (row, (role, text)) in body.rows().skip(1).zip(lines(self.heard.as_ref(), columns)) {
            write(frame, row, &Words::new(self.look).say(role, format!(" {text}")).line());
        }
        let last = Rect { y: area.bottom().saturating_sub(1), height: area.height.min(1), ..area };
        write(frame, last, &Line::styled(" t theme  q quit", self.look.style(Role::Dim)));
    }

    fn key(&mut self, key: KeyEvent) {
        match keys::action(KeyPlace::Anywhere, &key) {
            Some(Action::Quit) => self.wish = Wish::Quit(0),
            Some(Action::Interrupt) => self.wish = Wish::Quit(super::INTERRUPTED),
            Some(Action::Suspend) => self.wish = Wish::Suspend,
            Some(Action::Theme) => self.look.theme = self.look.theme.next(),
            _ => {}
        }
    }

    fn outside(&mut self) {
        self.heard = self.place.listen();
    }

    fn advance(&mut self, _elapsed: Duration) {}

    fn wake(&self) -> Option<Duration> {
        None
    }

    fn wish(&mut self) -> Wish {
        std::mem::replace(&mut self.wish, Wish::Continue)
    }
}
