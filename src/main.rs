//! The `retryscope` program: parse, dispatch, exit code.

use std::process::ExitCode;

use retryscope::cli::output::{Failure, print};
use retryscope::cli::{Cli, Command, LessonCommand, ScenarioCommand, commands, evidence, pages, screen};
use retryscope::lesson;

fn main() -> ExitCode {
    let cli = Cli::read(std::env::args_os()).map_err(Failure::from);
    ExitCode::from(cli.and_then(dispatch).unwrap_or_else(Failure::tell))
}

/// Does what was asked for, and gives the exit status.
fn dispatch(cli: Cli) -> Result<u8, Failure> {
    let text = match cli.command {
        None => return screen::open(&cli.screen),
        Some(Command::Notes { look }) => return screen::notes(&look),
        Some(Command::Check { files, format }) => {
            let (lines, holds) = commands::check(&files, format)?;
            return print(&lines).map(|()| u8::from(!holds));
        }
        Some(Command::Lesson(LessonCommand::Check { file })) => {
            let (lines, holds) = commands::lesson_check(&file)?;
            return print(&lines).map(|()| u8::from(!holds));
        }
        Some(Command::Lesson(LessonCommand::New)) => lesson::starter().to_owned(),
        Some(Command::Explore(asked)) => {
            let (text, status) = evidence::explore(&asked)?;
            return print(&text).map(|()| status);
        }
        Some(Command::Odds(asked)) => {
            let (text, status) = evidence::odds_of(&asked)?;
            return print(&text).map(|()| status);
        }
        Some(Command::Study { format }) => evidence::study(format),
        Some(Command::Summary { sets, contract, format }) => {
            commands::summary(&sets, &contract.unwrap_or_default(), format)?
        }
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
