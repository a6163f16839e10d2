//! What is wrong with a lesson, a line each: `retryscope lesson check`.

use crate::lesson::{Finding, Lesson};
use crate::model::Text;

/// The file's name and what it holds, or what is wrong in it.
#[must_use]
pub fn text(file: &Text, lesson: Result<&Lesson, &Vec<Finding>>) -> String {
    match lesson {
        Ok(lesson) => {
            let beats = || lesson.chapters.iter().flat_map(|chapter| &chapter.beats);
            let questions = beats().filter(|beat| beat.question.is_some()).count();
            let [chapters, beats] = [lesson.chapters.len(), beats().count()];
            format!("{file}: nothing is wrong, chapters={chapters}, beats={beats}, questions={questions}\n")
        }
        Err(findings) => {
            let lines: Vec<String> = findings.iter().map(|finding| format!("{file}: {finding}\n")).collect();
            lines.concat()
        }
    }
}
