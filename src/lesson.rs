//! Lessons: what to show, when, and what to say and ask about it, as data.
//!
//! A lesson is a JSON file: chapters of beats. A beat names a run, where its clock stands, the screen, and one or two
//! sentences; it may have a note for the presenter and a question with its reveal.
//!
//! ```json
//! {
//!   "title": "A timeout is not a failure",
//!   "about": "Why an agent that retries can charge a customer twice.",
//!   "chapters": [
//!     { "title": "A lost answer", "beats": [
//!       { "run": { "strategy": "naive-retry", "fault": "lost-ack" },
//!         "at": { "event": "timed-out", "nth": 1 },
//!         "say": ["The timer runs out.", "The agent has seen nothing."],
//!         "note": "Ask what the agent should do now.",
//!         "question": {
//!           "ask": "How many charges will the ledger hold in the end?",
//!           "options": [
//!             { "text": "One", "why": "Tempting: but nothing marks the second request as a repeat." },
//!             { "text": "Two", "right": true, "why": "Each request is a new order to the service." }
//!           ],
//!           "reveal": { "at": "end", "say": ["Two."] }
//!         } } ] } ]
//! }
//! ```
//!
//! | field | may be left out | what it is |
//! |---|---|---|
//! | `run` | after the first beat: the run of the beat before | a scenario in its file form; `strategy` and `fault` suffice |
//! | `screen` | `run` | `run`, `summary`, `compare-strategies`, `compare-faults` |
//! | `at` | `start` | a time such as `37s` or `00:37`, `start`, `end`, or the n-th event of a kind ([`EventKind`]) |
//! | `future` | `hidden` | whether what is still to come is drawn; beside a question it is hidden |
//! | `say` | no | one or two sentences that fit [`room::SAY`] together |
//! | `note` | yes | for the presenter, [`room::NOTE`] |
//! | `question` | yes | [`Question`]: two to four options, one of them right |
//!
//! How much room each text has is in [`room`]. A file is read strictly and refused whole, with everything that is wrong
//! in it ([`from_str`]). A [`Lesson`] becomes a list of [`Stop`]s ([`Lesson::resolve`]); to play it is to walk that list.

mod check;
mod form;
mod moment;
pub mod room;

#[cfg(test)]
mod tests;

use std::fmt;

use serde::Deserialize;

use crate::model::{Scenario, Text, Time};

pub use form::{BEATS_MAX, CHAPTERS_MAX, from_str};
pub use moment::{EventKind, Nth, When};

/// A lesson, as its file has it.
#[derive(Clone, Debug, PartialEq)]
pub struct Lesson {
    /// What it is called.
    pub title: Text,
    /// What it teaches.
    pub about: Text,
    /// At most [`CHAPTERS_MAX`].
    pub chapters: Vec<Chapter>,
}

/// Beats that belong together.
#[derive(Clone, Debug, PartialEq)]
pub struct Chapter {
    /// What it is called.
    pub title: Text,
    /// At most [`BEATS_MAX`] in all chapters.
    pub beats: Vec<Beat>,
}

/// One thing to look at, and what to say about it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Beat {
    /// What runs; `None` is the run of the beat before.
    #[serde(default, deserialize_with = "form::present")]
    pub run: Option<Box<Scenario>>,
    /// Which screen shows it.
    #[serde(default)]
    pub screen: View,
    /// Where the clock stands.
    #[serde(default)]
    pub at: When,
    /// Whether what is still to come is shown; `None` is hidden.
    #[serde(default, deserialize_with = "form::present")]
    pub future: Option<Future>,
    /// One or two sentences.
    pub say: Vec<Text>,
    /// For the presenter alone.
    #[serde(default, deserialize_with = "form::present")]
    pub note: Option<Text>,
    /// What to ask here.
    #[serde(default, deserialize_with = "form::present")]
    pub question: Option<Question>,
}

/// A screen that a beat is shown on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum View {
    /// One run.
    #[default]
    Run,
    /// All runs, and what each came to.
    Summary,
    /// The strategies under the fault of the run, at one clock.
    CompareStrategies,
    /// The faults under the strategy of the run, at one clock.
    CompareFaults,
}

/// Whether what is still to come is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Future {
    /// Dimmed, as on the run screen.
    Shown,
    /// Not at all.
    Hidden,
}

/// What to predict before it is seen.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// What is asked.
    pub ask: Text,
    /// What can be answered: two to four, one of them right.
    pub options: Vec<Choice>,
    /// Where the answer is seen.
    pub reveal: Reveal,
}

/// An answer that can be given.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Choice {
    /// The answer.
    pub text: Text,
    /// Whether it is the right one.
    #[serde(default)]
    pub right: bool,
    /// Why it is right, or why it is tempting and wrong.
    pub why: Text,
}

/// Where the answer to a question is seen.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reveal {
    /// Where the clock then stands; not before the clock of the beat.
    #[serde(default = "form::at_the_end")]
    pub at: When,
    /// One or two sentences that take the place of the beat's.
    pub say: Vec<Text>,
}

/// A beat made ready to be played: nothing in it needs to be looked up.
#[derive(Clone, Debug, PartialEq)]
pub struct Stop {
    /// Which chapter, counted from 0.
    pub chapter: usize,
    /// Which beat of the chapter, counted from 0.
    pub beat: usize,
    /// What the chapter is called.
    pub title: Text,
    /// The number of the run, counted from 0 by first appearance. Stops with one number have one scenario, and so one
    /// trace.
    pub run: usize,
    /// What runs.
    pub scenario: Scenario,
    /// Which screen shows it.
    pub screen: View,
    /// Where the clock stands.
    pub at: Time,
    /// Whether what is still to come is hidden, until the question is answered if there is one.
    pub hidden: bool,
    /// One or two sentences.
    pub say: Vec<Text>,
    /// For the presenter alone.
    pub note: Option<Text>,
    /// What to ask here.
    pub question: Option<ResolvedQuestion>,
}

/// A question made ready to be asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResolvedQuestion {
    /// What is asked.
    pub ask: Text,
    /// What can be answered: two to four, one of them right.
    pub options: Vec<Choice>,
    /// Which option is right, counted from 0.
    pub right: usize,
    /// Where the clock stands when the answer is seen.
    pub reveal_at: Time,
    /// One or two sentences that take the place of the stop's.
    pub reveal_say: Vec<Text>,
}

/// Something wrong in a lesson. Safe to print.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Where in the file, such as `chapters[2].beats[0].question`; empty for the file itself.
    pub place: String,
    /// Line and column there, each counted from 1.
    pub at: Option<(usize, usize)>,
    /// What was found and what is allowed.
    pub message: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.place.is_empty() {
            write!(f, "{}: ", self.place)?;
        }
        f.write_str(&self.message)?;
        match self.at {
            Some((line, column)) => write!(f, " (line {line}, column {column})"),
            None => Ok(()),
        }
    }
}

impl Lesson {
    /// The lesson that comes with the program: "A timeout is not a failure".
    ///
    /// # Panics
    ///
    /// Never: a test checks it.
    #[must_use]
    pub fn built_in() -> Self {
        from_str(include_str!("../assets/lesson.json")).expect("the built-in lesson passes its check")
    }

    /// The lesson as the list of its beats in order, each with its scenario and its clock worked out. Each run is
    /// simulated once.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with it; nothing where it comes from [`from_str`].
    pub fn resolve(&self) -> Result<Vec<Stop>, Vec<Finding>> {
        let chapters =
            self.chapters.iter().map(|chapter| (&chapter.title, chapter.beats.iter().map(Some).collect())).collect();
        let (stops, findings) = check::walk(&self.title, &self.about, chapters);
        if findings.is_empty() { Ok(stops) } else { Err(findings) }
    }
}

/// Everything that is wrong with a lesson's file, in the order of the file; nothing where it is good. A text that is not
/// JSON has one fault, which hides all others.
#[must_use]
pub fn check(text: &str) -> Vec<Finding> {
    from_str(text).err().unwrap_or_default()
}

/// A small lesson to start one's own from. It passes its check, and its notes say what can be written where.
#[must_use]
pub const fn starter() -> &'static str {
    include_str!("../assets/lesson-starter.json")
}

/// Sentences as one paragraph.
#[must_use]
pub fn paragraph(sentences: &[Text]) -> String {
    sentences.iter().map(Text::as_str).collect::<Vec<_>>().join(" ")
}
