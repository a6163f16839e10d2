//! The `retryscope` program: parse, dispatch, exit code.

use std::process::ExitCode;

use retryscope::model::{Fault, Scenario, Strategy};
use retryscope::tui::app::App;
use retryscope::tui::theme::{Look, Theme};
use retryscope::tui::{self, Options};

fn main() -> ExitCode {
    let mono = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let theme = if mono { Theme::Mono } else { Theme::Default };
    let look = Look { theme, ascii: std::env::args().any(|arg| arg == "--ascii") };
    let scenario = Scenario::new(Strategy::presets()[1].clone(), Fault::presets()[2].clone());
    let mut app = App::new(scenario, look).expect("a preset");
    match tui::run(&mut app, Options { mono }) {
        Ok(ending) => ExitCode::from(ending.exit_status()),
        Err(error) => {
            eprintln!("retryscope: {error}");
            ExitCode::from(2)
        }
    }
}
