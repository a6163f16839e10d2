//! Opens the terminal program, with everything that can be wrong found before the terminal is touched.

use std::io::{IsTerminal, stdin, stdout};

use super::output::{Failure, print};
use super::{LookOptions, Screen, SummaryFormat, commands, input};
use crate::lesson::Lesson;
use crate::model::Contract;
use crate::tui::app::App;
use crate::tui::follower::{self, Follower};
use crate::tui::grid::Sets;
use crate::tui::guide::Guide;
use crate::tui::prompter::{Place, Presenter};
use crate::tui::stage::Stage;
use crate::tui::theme::{Look, Theme};
use crate::tui::{self, Options, Program};

/// Opens the terminal program: on a run where one is asked for, else on the lesson. Where there is no
/// terminal that it could draw on, prints the summary instead.
///
/// # Errors
///
/// Why an option, a file or the terminal cannot be used.
pub fn open(screen: &Screen) -> Result<u8, Failure> {
    let which = &screen.which;
    let guide = guide(screen)?;
    let mut contract = Contract::default();
    let mut app = if screen.asks_for_a_run() {
        let scenario = which.scenario()?;
        contract = scenario.contract.clone();
        App::new(scenario, guide, look(&screen.look)).map_err(|error| which.said(&error))?
    } else {
        App::teach(guide, look(&screen.look)).map_err(|error| error.to_string())?
    };
    if let Some(at) = screen.at {
        app.set_clock(at);
    }
    if screen.asks_for_the_matrix() {
        let (strategies, faults) = (screen.sets.strategies(), screen.sets.faults());
        app.show_matrix(Sets { strategies, faults, every_strategy: false, every_fault: false });
    }
    if screen.booth {
        app.play_in_a_loop();
    }
    if !on_a_terminal() {
        return print(&commands::summary(&screen.sets, &contract, SummaryFormat::Text)?).map(|()| 0);
    }
    // A second program of this user may be presenting already; this one then runs without followers.
    let stage = Stage::new(app).telling(Presenter::take(Place::of_this_user()).ok());
    let stage = match &which.scenario {
        Some(file) if file.as_os_str() != "-" => {
            let again = file.clone();
            stage.watching(file, move || input::scenario(&again))
        }
        _ => stage,
    };
    run(stage)
}

/// Opens the second terminal, or prints what it would show.
///
/// # Errors
///
/// Why the terminal cannot be used.
pub fn notes(options: &LookOptions) -> Result<u8, Failure> {
    let place = Place::of_this_user();
    if on_a_terminal() {
        return run(Follower::new(place, look(options)));
    }
    let lines = follower::lines(place.listen().as_ref(), 78);
    let lines: Vec<String> = lines.into_iter().map(|(_, line)| line).collect();
    print(&format!("{}\n", lines.join("\n").trim_end())).map(|()| 0)
}

fn run(mut program: impl Program) -> Result<u8, Failure> {
    match tui::run(&mut program, Options { mono: no_color() }) {
        Ok(ending) => Ok(ending.exit_status()),
        Err(error) => Err(Failure::Screen(error.to_string())),
    }
}

/// The lesson of the file that is asked for, else the built-in one.
fn guide(screen: &Screen) -> Result<Guide, Failure> {
    let lesson = match &screen.lesson {
        None => Lesson::built_in(),
        Some(file) => input::lesson(file).map_err(Failure::Input)?,
    };
    let stops =
        lesson.resolve().map_err(|findings| Failure::Input(findings.iter().map(ToString::to_string).collect()))?;
    Ok(Guide::new(lesson, stops))
}

fn look(options: &LookOptions) -> Look {
    let theme = options.theme.unwrap_or(if no_color() { Theme::Mono } else { Theme::Default });
    Look { theme, ascii: options.ascii }
}

fn no_color() -> bool {
    std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
}

fn on_a_terminal() -> bool {
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    !dumb && stdin().is_terminal() && stdout().is_terminal()
}
