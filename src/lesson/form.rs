//! The file form of a lesson: read strictly, and as far as it goes, so that everything wrong in it is found at once.

use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer};

use super::{Beat, Chapter, Finding, Lesson, When, check};
use crate::model::Text;
use crate::model::json::{self, Kind, Node};

/// The most chapters that a lesson may have.
pub const CHAPTERS_MAX: usize = 100;
/// The most beats that a lesson may have, in all its chapters.
pub const BEATS_MAX: usize = 500;

/// The lesson without what is in its beats, each of which is read by itself.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Outline {
    title: Text,
    about: Text,
    chapters: Vec<ChapterOutline>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ChapterOutline {
    title: Text,
    beats: Vec<IgnoredAny>,
}

/// Reads a lesson of at most [`json::BYTES_MAX`] bytes.
///
/// # Errors
///
/// Everything that is wrong with it, in the order of the file. What is wrong outside of the beats, in the JSON or in the
/// fields of a chapter, is said alone: what comes after it cannot be told.
pub fn from_str(text: &str) -> Result<Lesson, Vec<Finding>> {
    let root = json::parse(text).map_err(|error| vec![finding(String::new(), error)])?;
    let outline = Outline::deserialize(&root).map_err(|error| vec![finding(String::new(), error)])?;
    let mut findings = too_many(&outline);
    let mut left = BEATS_MAX;
    let mut chapters: Vec<(Text, Vec<Option<Beat>>)> = Vec::new();
    for (c, chapter) in outline.chapters.into_iter().enumerate().take(CHAPTERS_MAX) {
        let beats = (0..chapter.beats.len().min(left)).map(|b| {
            let place = format!("chapters[{c}].beats[{b}]");
            let node = at(&root, &place);
            Beat::deserialize(node).map_err(|error| findings.push(finding(place, error))).ok()
        });
        let beats: Vec<_> = beats.collect();
        left -= beats.len();
        chapters.push((chapter.title, beats));
    }
    // Beyond the limit there is no looking at beats, so there a chapter without one means nothing.
    if findings.iter().all(|finding| finding.place != "chapters") {
        let read = chapters.iter().map(|(title, beats)| (title, beats.iter().map(Option::as_ref).collect())).collect();
        let (_, mut more) = check::walk(&outline.title, &outline.about, read);
        findings.append(&mut more);
    }
    if findings.is_empty() {
        let whole =
            |(title, beats): (Text, Vec<Option<Beat>>)| Chapter { title, beats: beats.into_iter().flatten().collect() };
        let chapters = chapters.into_iter().map(whole).collect();
        return Ok(Lesson { title: outline.title, about: outline.about, chapters });
    }
    for finding in &mut findings {
        finding.at = finding.at.or_else(|| Some(at(&root, &finding.place).place()));
    }
    findings.sort_by_key(|finding| finding.at);
    Err(findings)
}

fn too_many(outline: &Outline) -> Vec<Finding> {
    let beats = outline.chapters.iter().map(|chapter| chapter.beats.len()).sum();
    [("chapters", outline.chapters.len(), CHAPTERS_MAX), ("beats", beats, BEATS_MAX)]
        .into_iter()
        .filter(|(_, found, most)| found > most)
        .map(|(what, found, most)| Finding {
            place: "chapters".to_owned(),
            at: None,
            message: format!("found {found} {what}, allowed: at most {most}"),
        })
        .collect()
}

/// What the reader says of a value, with the place that it was read from.
fn finding(mut place: String, error: json::Error) -> Finding {
    if !place.is_empty() && !error.path.is_empty() && !error.path.starts_with('[') {
        place.push('.');
    }
    Finding { place: place + &error.path, at: error.at, message: error.message }
}

/// The value at a place such as `chapters[2].beats[0]`; where it is missing, the one that should hold it.
fn at<'a, 'b>(root: &'b Node<'a>, place: &str) -> &'b Node<'a> {
    let mut node = root;
    for step in place.split(['.', '[']).filter(|step| !step.is_empty()) {
        let inner = match (&node.kind, step.strip_suffix(']').and_then(|index| index.parse::<usize>().ok())) {
            (Kind::Array(items), Some(index)) => items.get(index),
            (Kind::Object(members), None) => members.iter().find(|member| member.name == step).map(|m| &m.value),
            _ => None,
        };
        let Some(inner) = inner else { break };
        node = inner;
    }
    node
}

/// A field that may be left out, but stands for nothing else than a `T` where it is there: no `null`.
pub(super) fn present<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

/// Where a reveal stands unless it says otherwise.
pub(super) const fn at_the_end() -> When {
    When::End
}
