//! The `retryscope` program: parse, dispatch, exit code.

use std::process::ExitCode;
use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::Frame;
use ratatui::style::Stylize;
use ratatui::text::{Line, Text};
use retryscope::tui::{self, Options, Program, Wish};

/// Holds the place of the real screen: a counter, and what is being played.
struct Counter {
    ticks: u32,
    plays: bool,
    mono: bool,
    wish: Wish,
}

impl Program for Counter {
    fn draw(&self, frame: &mut Frame<'_>) {
        let area = frame.area();
        let title = Line::from(format!("retryscope {}x{}", area.width, area.height));
        let clock = Line::from(format!("00:{:02}", self.ticks)).reversed();
        let clock = if self.mono { clock } else { clock.green() };
        let body = (2..area.height).map(|_| Line::from("·".repeat(area.width.into())));
        let text: Text<'_> = [title.bold(), clock].into_iter().chain(body).collect();
        frame.render_widget(text, area);
    }

    fn key(&mut self, key: KeyEvent) {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('c') if control => self.wish = Wish::Quit(130),
            KeyCode::Char('z') if control => self.wish = Wish::Suspend,
            KeyCode::Char('q') => self.wish = Wish::Quit(0),
            KeyCode::Char(' ') => self.plays = !self.plays,
            KeyCode::Right => self.ticks += 1,
            _ => {}
        }
    }

    fn advance(&mut self, _elapsed: Duration) {
        self.ticks += 1;
    }

    fn wake(&self) -> Option<Duration> {
        self.plays.then_some(Duration::from_millis(100))
    }

    fn wish(&mut self) -> Wish {
        std::mem::replace(&mut self.wish, Wish::Continue)
    }
}

fn main() -> ExitCode {
    let mono = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let mut program = Counter {
        ticks: 0,
        plays: false,
        mono,
        wish: Wish::Continue,
    };
    match tui::run(&mut program, Options { mono }) {
        Ok(ending) => ExitCode::from(ending.exit_status()),
        Err(error) => {
            eprintln!("retryscope: {error}");
            ExitCode::from(2)
        }
    }
}
