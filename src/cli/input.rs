//! Files from outside, read with a limit; what is wrong with one is said in a sentence.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use crate::lesson::{self, Lesson};
use crate::model::json::BYTES_MAX;
use crate::model::{Scenario, Text};

/// Reads a scenario file; `-` is standard input.
///
/// # Errors
///
/// `FILE: ` and why it cannot be read; or the place in it, what was found there and what is allowed. Safe to print.
pub fn scenario(file: &Path) -> Result<Scenario, String> {
    let text = text(file)?;
    Scenario::from_json(&text).map_err(|error| format!("{}: {error}", shown(file)))
}

/// Reads a lesson file; `-` is standard input.
///
/// # Errors
///
/// `FILE: ` and why it cannot be read, or everything that is wrong in it, a sentence each. Safe to print.
pub fn lesson(file: &Path) -> Result<Lesson, Vec<String>> {
    let text = text(file).map_err(|problem| vec![problem])?;
    let said = |finding| format!("{}: {finding}", shown(file));
    lesson::from_str(&text).map_err(|findings| findings.into_iter().map(said).collect())
}

/// Reads a file of text; `-` is standard input.
///
/// # Errors
///
/// `FILE: ` and why it cannot be read. Safe to print.
pub fn text(file: &Path) -> Result<String, String> {
    read(file).map_err(|problem| format!("{}: {problem}", shown(file)))
}

/// The file's name, safe to print.
#[must_use]
pub fn shown(file: &Path) -> Text {
    match file.to_string_lossy() {
        name if name == "-" => Text::new("standard input"),
        name => Text::new(&name),
    }
}

fn read(file: &Path) -> Result<String, String> {
    let bytes =
        if file.as_os_str() == "-" { read_start(io::stdin().lock()) } else { File::open(file).and_then(read_start) };
    let bytes = bytes.map_err(|error| plain(&error))?;
    if bytes.len() > BYTES_MAX {
        return Err(format!("found a file of more than {BYTES_MAX} bytes, allowed: at most that many (1 MiB)"));
    }
    String::from_utf8(bytes).map_err(|error| {
        let place = error.utf8_error().valid_up_to() + 1;
        format!("found bytes that are no text at byte {place}, allowed: text in UTF-8")
    })
}

/// As much as is allowed and one byte more, whatever the length that the file claims to have.
fn read_start(from: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(BYTES_MAX as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The error in plain words, without the system's number for it.
pub(super) fn plain(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => "there is no such file".to_owned(),
        ErrorKind::PermissionDenied => "there is no permission to read it".to_owned(),
        ErrorKind::IsADirectory => "it is a directory, not a file".to_owned(),
        kind => format!("it cannot be read ({kind})"),
    }
}
