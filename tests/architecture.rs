//! Imports run one way: `main → tui, report → trace ← sim`, all on `model`.
//!
//! Read from the source, so that a new file is held to it as well. Comments and unit tests are exempt.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// What each module may import, besides itself. Every module stands here.
const MAY_IMPORT: &[(&str, &[&str])] = &[
    ("model", &[]),
    ("trace", &["model"]),
    ("sim", &["model", "trace"]),
    ("search", &["model", "trace", "sim"]),
    ("report", &["model", "trace", "sim", "search", "lesson"]),
    ("lesson", &["model", "trace", "sim"]),
    ("tui", &["model", "trace", "sim", "search", "lesson"]),
    // The command line stands beside `main`: it brings all the others together.
    ("cli", &["model", "trace", "sim", "search", "report", "lesson", "tui"]),
];

struct Source {
    /// Its place in `src`, such as `tui/view/run.rs`.
    path: String,
    /// Its lines, with their numbers, without comments and tests.
    lines: Vec<(usize, String)>,
}

impl Source {
    fn read(root: &Path, file: &Path) -> Self {
        let text = fs::read_to_string(file).expect("a source file");
        let code = text.lines().take_while(|line| *line != "#[cfg(test)]");
        let lines = code.enumerate().map(|(n, line)| (n + 1, uncommented(line).to_owned())).collect();
        let path = file.strip_prefix(root).expect("a file in src").to_string_lossy().into_owned();
        Self { path, lines }
    }

    /// The top module that it belongs to.
    fn module(&self) -> &str {
        let first = self.path.split('/').next().unwrap_or_default();
        first.strip_suffix(".rs").unwrap_or(first)
    }

    /// How many modules deep it lies: 1 for `model.rs`, 2 for `model/time.rs`.
    fn depth(&self) -> usize {
        self.path.split('/').count()
    }

    fn mentions(&self, words: &[&str]) -> Vec<String> {
        let told = |(n, line): &(usize, String)| format!("src/{}:{n}: {}", self.path, line.trim());
        self.lines.iter().filter(|(_, line)| words.iter().any(|word| has_word(line, word))).map(told).collect()
    }
}

fn uncommented(line: &str) -> &str {
    if line.trim_start().starts_with("//") { "" } else { line.split(" // ").next().unwrap_or(line) }
}

/// Whether `word` stands in the line and is not the tail of a longer name.
fn has_word(line: &str, word: &str) -> bool {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(word).any(|(at, _)| {
        let tail = &line[at + word.len()..];
        !line[..at].ends_with(is_name) && (word.ends_with(':') || !tail.starts_with(is_name))
    })
}

fn sources() -> Vec<Source> {
    fn collect(dir: &Path, files: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(dir).expect("a directory") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                collect(&path, files);
            } else if path.extension().is_some_and(|ext| ext == "rs") && !path.ends_with("tests.rs") {
                files.push(path);
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    collect(&root, &mut files);
    files.sort();
    assert!(files.len() > 20, "the sources are where they are looked for");
    files.iter().map(|file| Source::read(&root, file)).collect()
}

/// The top modules that a line names after `crate::`.
fn imported(line: &str) -> BTreeSet<&str> {
    let modules = MAY_IMPORT.iter().map(|(module, _)| *module);
    modules.filter(|module| has_word(line, &format!("crate::{module}"))).collect()
}

/// Lines that break a rule, over all sources that it is for.
fn broken(is_for: impl Fn(&Source) -> bool, words: &[&str]) -> Vec<String> {
    sources().iter().filter(|source| is_for(source)).flat_map(|source| source.mentions(words)).collect()
}

#[test]
fn imports_run_one_way() {
    for source in sources().iter().filter(|source| !["main", "lib"].contains(&source.module())) {
        let rule = MAY_IMPORT.iter().find(|(module, _)| *module == source.module());
        let (module, allowed) = rule.unwrap_or_else(|| panic!("say what {} may import", source.module()));
        for (n, line) in &source.lines {
            let place = format!("src/{}:{n}: {}", source.path, line.trim());
            for found in imported(line) {
                assert!(found == *module || allowed.contains(&found), "{module} may not import {found}\n{place}");
            }
            // The two ways round the check above.
            assert!(!line.contains("crate::{"), "name the module right after crate::\n{place}");
            let up = "super::".repeat(source.depth());
            assert!(!line.contains(&up), "write crate:: where a path leaves the module\n{place}");
        }
    }
}

#[test]
fn only_the_terminal_program_knows_ratatui() {
    let words = ["ratatui", "crossterm", "rustix"];
    assert_eq!(broken(|source| source.module() != "tui", &words), [""; 0]);
    // Ctrl-C ends a long command with what it has.
    let elsewhere = |source: &Source| source.module() != "tui" && source.path != "cli/interrupt.rs";
    assert_eq!(broken(elsewhere, &["signal_hook"]), [""; 0]);
}

#[test]
fn only_the_loop_knows_the_wall_clock() {
    // When a file was changed is a `SystemTime` as well, but no look at the clock.
    let words = ["Instant", "SystemTime::now", "elapsed()", "UNIX_EPOCH"];
    assert_eq!(broken(|source| source.path != "tui.rs", &words), [""; 0]);
    assert_ne!(broken(|source| source.path == "tui.rs", &words), [""; 0], "the check sees it where it is");
}

#[test]
fn no_order_of_a_run_is_left_to_a_hash() {
    let is_for = |source: &Source| ["model", "sim", "trace"].contains(&source.module());
    assert_eq!(broken(is_for, &["HashMap", "HashSet", "RandomState"]), [""; 0]);
}

#[test]
fn painting_changes_nothing() {
    let is_for = |source: &Source| source.path.starts_with("tui/view");
    assert_eq!(broken(is_for, &["&mut App", "RefCell", "Mutex", "static mut"]), [""; 0]);
}

#[test]
fn colours_and_glyphs_stand_in_the_theme() {
    let is_for = |source: &Source| source.module() == "tui" && source.path != "tui/theme.rs";
    assert_eq!(broken(is_for, &["Color::"]), [""; 0]);
    let sources = sources();
    // The table of keys names keys of other keyboards, and arrows as keyboards show them.
    let glyphs = sources.iter().filter(|source| is_for(source) && !source.path.starts_with("tui/keys"));
    for source in glyphs {
        for (n, line) in &source.lines {
            assert!(line.is_ascii(), "src/{}:{n}: {}", source.path, line.trim());
        }
    }
}

#[test]
fn the_checks_can_fail() {
    assert!(has_word("use crate::tui::theme;", "crate::tui"));
    assert!(!has_word("use crate::tuition;", "crate::tui"));
    assert!(has_word("let c = Color::Red;", "Color::"));
    assert!(!has_word("let c = MyColor::Red;", "Color::"));
    assert_eq!(uncommented("let a = 1; // Instant"), "let a = 1;");
    assert_eq!(imported("use crate::sim::simulate; use crate::model::Time;"), ["model", "sim"].into());
}
