//! The `retryscope` program: parse, dispatch, exit code.

use std::io::{IsTerminal, stdin, stdout};
use std::process::ExitCode;

use retryscope::cli::output::{Failure, print};
use retryscope::cli::{Cli, Command, ScenarioCommand, Screen, SummaryFormat, commands, pages};
use retryscope::tui::app::App;
use retryscope::tui::theme::{Look, Theme};
use retryscope::tui::{self, Options};

fn main() -> ExitCode {
    let cli = Cli::read(std::env::args_os()).map_err(Failure::from);
    ExitCode::from(cli.and_then(dispatch).unwrap_or_else(Failure::tell))
}

/// Does what was asked for, and gives the exit status.
fn dispatch(cli: Cli) -> Result<u8, Failure> {
    let text = match cli.command {
        None => return open(&cli.screen),
        Some(Command::Check { files, format }) => {
            let (lines, holds) = commands::check(&files, format)?;
            return print(&lines).map(|()| u8::from(!holds));
        }
        Some(Command::Summary { format }) => commands::summary(format),
        Some(Command::Run { which, format }) => commands::run(&which, format)?,
        Some(Command::Schema) => commands::schema(),
        Some(Command::Scenario { command: ScenarioCommand::New }) => commands::scenario_new(),
        Some(Command::Cases { format }) => commands::cases(format)?,
        Some(Command::Key { task, tool, args }) => commands::key(&task, &tool, &args)?,
        Some(Command::Completions { shell }) => pages::completions(shell),
        Some(Command::Man) => pages::man(),
    };
    print(&text).map(|()| 0)
}

/// Opens the terminal program or, where there is no terminal that it could draw on, prints the summary.
fn open(screen: &Screen) -> Result<u8, Failure> {
    let mono = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let theme = screen.theme.unwrap_or(if mono { Theme::Mono } else { Theme::Default });
    let look = Look { theme, ascii: screen.ascii };
    let mut app = App::new(screen.which.scenario()?, look).map_err(|error| screen.which.said(&error))?;
    app.set_clock(screen.at);

    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    if dumb || !stdin().is_terminal() || !stdout().is_terminal() {
        return print(&commands::summary(SummaryFormat::Text)).map(|()| 0);
    }
    match tui::run(&mut app, Options { mono }) {
        Ok(ending) => Ok(ending.exit_status()),
        Err(error) => Err(Failure::Screen(error.to_string())),
    }
}
