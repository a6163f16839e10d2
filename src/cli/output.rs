//! What is printed, and how the program ends.

use std::io::{self, ErrorKind, Write};

/// Why the program ends before it has done what it was asked for.
#[derive(Debug)]
pub enum Failure {
    /// The arguments are wrong, or ask for help.
    Usage(clap::Error),
    /// Input is wrong: a sentence a problem.
    Input(Vec<String>),
    /// The output cannot be written.
    Output(io::Error),
    /// The terminal program cannot run: a sentence.
    Screen(String),
}

impl From<clap::Error> for Failure {
    fn from(error: clap::Error) -> Self {
        Self::Usage(error)
    }
}

/// A problem with input.
impl From<String> for Failure {
    fn from(problem: String) -> Self {
        Self::Input(vec![problem])
    }
}

impl Failure {
    /// Says what is wrong, and gives the exit status.
    #[must_use]
    pub fn tell(self) -> u8 {
        match self {
            Self::Usage(error) if error.use_stderr() => {
                // As with `complain`, there is nobody else to tell.
                let _ = error.print();
                2
            }
            // Help and version come this way too, and go to standard output.
            Self::Usage(help) => written(help.print()).map_or_else(Self::tell, |()| 0),
            Self::Input(problems) => {
                for problem in &problems {
                    complain(problem);
                }
                2
            }
            Self::Output(error) => {
                complain(&format!("the output cannot be written: {}", reason(&error)));
                1
            }
            Self::Screen(problem) => {
                complain(&problem);
                1
            }
        }
    }
}

/// Prints to standard output. A reader who went away has seen enough, which is no failure.
///
/// # Errors
///
/// Where the output cannot be written.
pub fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    written(out.write_all(text.as_bytes()).and_then(|()| out.flush()))
}

fn written(result: io::Result<()>) -> Result<(), Failure> {
    match result {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(Failure::Output(error)),
        _ => Ok(()),
    }
}

fn reason(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::StorageFull => "no space is left".to_owned(),
        kind => kind.to_string(),
    }
}

/// Says something on standard error; when that cannot be done either, there is nobody to tell.
fn complain(problem: &str) {
    let _ = writeln!(io::stderr(), "error: {problem}");
}
