//! One walk through a lesson: it works out where every clock stands, and notes everything that is wrong on the way.

use super::room::{self, Room};
use super::{Beat, Choice, Finding, Future, Question, ResolvedQuestion, Stop, When, paragraph};
use crate::model::{Scenario, Text, Time};
use crate::sim::simulate;
use crate::trace::Trace;

/// How many options a question may have.
const OPTIONS: std::ops::RangeInclusive<usize> = 2..=4;
/// The most sentences that a beat or a reveal says.
const SENTENCES_MAX: usize = 2;

/// Chapters with their beats; `None` is a beat that could not be read, about which nothing more can be said.
pub(super) type Chapters<'a> = Vec<(&'a Text, Vec<Option<&'a Beat>>)>;

/// The stops of a lesson, and everything that is wrong with it. The stops are all there where nothing is.
pub(super) fn walk(title: &Text, about: &Text, chapters: Chapters<'_>) -> (Vec<Stop>, Vec<Finding>) {
    let mut walk = Walk::default();
    walk.fits("title", title, room::TITLE);
    walk.fits("about", about, room::ABOUT);
    if chapters.is_empty() {
        walk.find("chapters", "found no chapters, allowed: at least one");
    }
    for (chapter, (title, beats)) in chapters.into_iter().enumerate() {
        walk.fits(format!("chapters[{chapter}].title"), title, room::CHAPTER);
        if beats.is_empty() {
            walk.find(format!("chapters[{chapter}].beats"), "found no beats, allowed: at least one");
        }
        for (n, beat) in beats.into_iter().enumerate() {
            let place = format!("chapters[{chapter}].beats[{n}]");
            match beat {
                None => walk.current = Current::Unreadable,
                Some(beat) => walk.beat(&place, (chapter, n, title), beat),
            }
        }
    }
    (walk.stops, walk.findings)
}

#[derive(Default)]
struct Walk {
    /// Every distinct scenario so far, and its run unless that is too long.
    runs: Vec<(Scenario, Option<Trace>)>,
    current: Current,
    stops: Vec<Stop>,
    findings: Vec<Finding>,
}

/// Which run a beat without one of its own has.
#[derive(Clone, Copy, Default)]
enum Current {
    /// None has been named yet.
    #[default]
    Unnamed,
    /// That of a beat which could not be read.
    Unreadable,
    /// The n-th.
    Run(usize),
}

impl Walk {
    fn find(&mut self, place: impl Into<String>, message: impl Into<String>) {
        self.findings.push(Finding { place: place.into(), at: None, message: message.into() });
    }

    fn fits(&mut self, place: impl Into<String>, text: &str, room: Room) {
        if let Some(message) = room.refuses(text) {
            self.find(place, message);
        }
    }

    fn says(&mut self, place: &str, sentences: &[Text]) {
        let place = format!("{place}.say");
        match sentences.len() {
            0 => return self.find(place, "found no sentences, allowed: one or two"),
            1..=SENTENCES_MAX => {}
            n => self.find(place.clone(), format!("found {n} sentences, allowed: one or two")),
        }
        for (n, sentence) in sentences.iter().enumerate().take(SENTENCES_MAX) {
            if sentence.trim().is_empty() {
                return self.find(format!("{place}[{n}]"), "found no words, allowed: text");
            }
        }
        self.fits(place, &paragraph(sentences), room::SAY);
    }

    fn beat(&mut self, place: &str, (chapter, n, title): (usize, usize, &Text), beat: &Beat) {
        self.says(place, &beat.say);
        if let Some(note) = &beat.note {
            self.fits(format!("{place}.note"), note, room::NOTE);
        }
        if let Some(question) = &beat.question {
            self.wording(&format!("{place}.question"), question);
            if beat.future == Some(Future::Shown) {
                let message = "found \"shown\" beside a question, allowed: hidden, or the answer is seen before";
                self.find(format!("{place}.future"), message);
            }
        }
        let run = self.run(place, beat);
        let Some(run) = run else { return };
        let at = self.instant(format!("{place}.at"), beat.at, run);
        let question = beat.question.as_ref().map(|question| self.reveal(place, question, run, at));
        let Some(at) = at else { return };
        let question = match question {
            None => None,
            Some(Some(question)) => Some(question),
            Some(None) => return,
        };
        self.stops.push(Stop {
            chapter,
            beat: n,
            title: title.clone(),
            run,
            scenario: self.runs[run].0.clone(),
            screen: beat.screen,
            at,
            hidden: beat.future != Some(Future::Shown),
            say: beat.say.clone(),
            note: beat.note.clone(),
            question,
        });
    }

    /// The number of the run that the beat has. None where it has none, or one that could not be read.
    fn run(&mut self, place: &str, beat: &Beat) -> Option<usize> {
        if let Some(scenario) = &beat.run {
            let known = self.runs.iter().position(|(known, _)| known == &**scenario);
            let run = known.unwrap_or_else(|| {
                let trace = simulate(scenario);
                if let Err(error) = &trace {
                    self.find(format!("{place}.run"), error.to_string());
                }
                self.runs.push((*scenario.clone(), trace.ok()));
                self.runs.len() - 1
            });
            self.current = Current::Run(run);
        }
        match self.current {
            Current::Run(run) => Some(run),
            Current::Unreadable => None,
            Current::Unnamed => {
                self.find(place, "found no run, allowed: a run in the first beat, for those after it to share");
                // Once is enough: the beats after it lack the same one.
                self.current = Current::Unreadable;
                None
            }
        }
    }

    fn instant(&mut self, place: String, when: When, run: usize) -> Option<Time> {
        let trace = self.runs[run].1.as_ref()?;
        when.instant(trace).map_err(|message| self.find(place, message)).ok()
    }

    /// What can be said of a question without its run.
    fn wording(&mut self, place: &str, question: &Question) {
        self.fits(format!("{place}.ask"), &question.ask, room::ASK);
        self.says(&format!("{place}.reveal"), &question.reveal.say);
        let options = &question.options;
        let at = format!("{place}.options");
        if !OPTIONS.contains(&options.len()) {
            self.find(at.clone(), format!("found {}, allowed: 2 to 4 options", count(options.len(), "option")));
        }
        match options.iter().filter(|option| option.right).count() {
            1 => {}
            0 => self.find(at.clone(), "found no right answer, allowed: one option with \"right\": true"),
            n => self.find(at.clone(), format!("found {n} right answers, allowed: one")),
        }
        for (n, option) in options.iter().enumerate().take(*OPTIONS.end()) {
            self.fits(format!("{at}[{n}].text"), &option.text, room::OPTION);
            self.fits(format!("{at}[{n}].why"), &option.why, room::WHY);
            if let Some(first) = options[..n].iter().position(|other| same(other, option)) {
                let message = format!("found the words of option {} again, allowed: different ones", first + 1);
                self.find(format!("{at}[{n}].text"), message);
            }
        }
    }

    fn reveal(
        &mut self,
        place: &str,
        question: &Question,
        run: usize,
        asked_at: Option<Time>,
    ) -> Option<ResolvedQuestion> {
        let place = format!("{place}.question.reveal.at");
        let reveal_at = self.instant(place.clone(), question.reveal.at, run)?;
        if let Some(asked_at) = asked_at.filter(|asked_at| reveal_at < *asked_at) {
            self.find(place, format!("found {reveal_at}, allowed: not before the question, which is at {asked_at}"));
        }
        Some(ResolvedQuestion {
            ask: question.ask.clone(),
            options: question.options.clone(),
            right: question.options.iter().position(|option| option.right)?,
            reveal_at,
            reveal_say: question.reveal.say.clone(),
        })
    }
}

/// Whether two options read the same.
fn same(one: &Choice, other: &Choice) -> bool {
    let words = |choice: &Choice| choice.text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    words(one) == words(other)
}

fn count(n: usize, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}
