//! The terminal program with what it does to the world outside: it tells a second terminal where it is,
//! and watches the scenario file that it was opened with.

use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, SystemTime};

use crossterm::event::KeyEvent;
use ratatui::Frame;
use ratatui::layout::Size;

use super::app::App;
use super::prompter::Presenter;
use super::{Outside, Program, Wish};
use crate::model::Scenario;

/// How often a watched file is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(250);

/// Reads the scenario file anew: the scenario, or what is wrong with it in a sentence.
type Reload = Box<dyn Fn() -> Result<Scenario, String>>;

/// The terminal program on its stage.
pub struct Stage {
    app: App,
    presenter: Option<Presenter>,
    file: Option<(PathBuf, Reload)>,
}

impl Stage {
    /// The program alone.
    #[must_use]
    pub const fn new(app: App) -> Self {
        Self { app, presenter: None, file: None }
    }

    /// Tells followers what is shown.
    #[must_use]
    pub fn telling(mut self, presenter: Option<Presenter>) -> Self {
        self.presenter = presenter;
        self.tell();
        self
    }

    /// Opens the file again whenever it is saved.
    #[must_use]
    pub fn watching(mut self, file: &Path, reload: impl Fn() -> Result<Scenario, String> + 'static) -> Self {
        self.file = Some((file.to_owned(), Box::new(reload)));
        self
    }

    /// Notes are a help, not a condition: where they cannot be told, the talk goes on.
    fn tell(&mut self) {
        if let Some(presenter) = &mut self.presenter
            && presenter.tell(self.app.prompt()).is_err()
        {
            self.presenter = None;
        }
    }
}

impl Program for Stage {
    fn begin(&mut self, outside: Outside) {
        let Some((file, _)) = &self.file else { return };
        let file = file.clone();
        let mut seen = stamp(&file);
        thread::spawn(move || {
            loop {
                thread::sleep(LOOK_EVERY);
                let now = stamp(&file);
                // A file that is gone for a moment is being saved.
                if now.is_some() && now != seen {
                    seen = now;
                    if !outside.happened() {
                        return;
                    }
                }
            }
        });
    }

    fn draw(&self, frame: &mut Frame<'_>) {
        self.app.draw(frame);
    }

    fn key(&mut self, key: KeyEvent) {
        self.app.key(key);
        self.tell();
    }

    fn resized(&mut self, size: Size) {
        self.app.resized(size);
    }

    fn outside(&mut self) {
        if let Some((_, reload)) = &self.file {
            self.app.reload(reload());
        }
        self.tell();
    }

    fn advance(&mut self, elapsed: Duration) {
        self.app.advance(elapsed);
        self.tell();
    }

    fn wake(&self) -> Option<Duration> {
        self.app.wake()
    }

    fn wish(&mut self) -> Wish {
        self.app.wish()
    }
}

/// What tells one version of a file from another.
fn stamp(file: &Path) -> Option<(SystemTime, u64)> {
    let found = std::fs::metadata(file).ok()?;
    Some((found.modified().ok()?, found.len()))
}
