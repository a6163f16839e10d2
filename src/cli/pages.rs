//! What shells and packagers want, made from the same types as the command line.

use clap::{Command, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man;

use super::Cli;

/// The completion script for a shell.
///
/// # Panics
///
/// Never: the script is made of our own names.
#[must_use]
pub fn completions(shell: Shell) -> String {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "retryscope", &mut script);
    String::from_utf8(script).expect("completion scripts are text")
}

/// The manual page in roff: the program, then each command with its options.
///
/// # Panics
///
/// Never: memory takes all that is written to it.
#[must_use]
pub fn man() -> String {
    let mut command = Cli::command();
    command.build();
    let mut page = section(&command, Man::render).replace(".SH EXTRA\n", ".SH EXAMPLES AND EXIT STATUS\n");
    for sub in command.get_subcommands() {
        // There is one page for all commands.
        let name = sub.get_name();
        page = page.replace(&format!("retryscope\\-{name}(1)"), &format!("retryscope {name}"));
    }
    for (name, sub) in leaves(&command) {
        let name = name.to_uppercase();
        let options = section(sub, Man::render_options_section).replace(".SH OPTIONS\n", "");
        let examples = section(sub, Man::render_extra_section).replace(".SH EXTRA\n", ".PP\n");
        let about = section(sub, Man::render_description_section).replace(".SH DESCRIPTION\n", "");
        page.extend([".SH \"COMMAND ", &name, "\"\n", &about, &options, &examples]);
    }
    page
}

/// The commands that do something, each by its whole name.
fn leaves(command: &Command) -> Vec<(String, &Command)> {
    let under = |sub| match leaves(sub) {
        none if none.is_empty() => vec![(sub.get_name().to_owned(), sub)],
        some => some.into_iter().map(|(name, leaf)| (format!("{} {name}", sub.get_name()), leaf)).collect(),
    };
    command.get_subcommands().flat_map(under).collect()
}

fn section(command: &Command, render: fn(&Man, &mut dyn std::io::Write) -> std::io::Result<()>) -> String {
    let mut roff = Vec::new();
    render(&Man::new(command.clone()), &mut roff).expect("memory takes all that is written to it");
    String::from_utf8(roff).expect("help is text")
}
