//! The walkthrough: which page of the lesson is open, and what was predicted.
//!
//! Nothing here is timed and nothing moves on by itself. A page forward and a page back are each
//! other's undoing.

use crate::lesson::{Lesson, Stop};
use crate::model::Text;

/// A lesson being given.
#[derive(Clone, Debug)]
pub struct Guide {
    lesson: Lesson,
    stops: Vec<Stop>,
    pages: Vec<Page>,
    open: usize,
    polls: Vec<Poll>,
    /// Whether hands are counted, instead of one person's answer taken.
    pub room: bool,
}

/// A page of the lesson.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    /// Which stop of the lesson, counted from 0.
    pub stop: usize,
    /// Which side of it.
    pub side: Side,
}

/// A stop without a question has one page, one with a question two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Something is told.
    Tell,
    /// A question is asked, and what is to come hidden.
    Ask,
    /// It is played out and answered.
    Reveal,
}

/// What was predicted at a stop.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Poll {
    /// The answer of one person, counted from 0.
    pub picked: Option<usize>,
    /// Which option hands are counted for.
    pub choice: usize,
    /// Which count is being taken.
    pub count: Count,
    /// The hands for each option, first and second count.
    pub hands: Vec<[u16; 2]>,
}

/// Hands are counted before the room has discussed, and after.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Count {
    /// Before.
    #[default]
    First,
    /// After.
    Second,
}

/// How the predictions came out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// How many questions were answered.
    pub answered: usize,
    /// How many of them rightly.
    pub right: usize,
    /// How many hands were counted, first and second time.
    pub hands: [u32; 2],
    /// How many of them were for the right option.
    pub hands_right: [u32; 2],
}

/// The most hands that can be counted for an option.
const HANDS_MAX: u16 = 9_999;

impl Guide {
    /// The built-in lesson, at its first page.
    ///
    /// # Panics
    ///
    /// Never: the lesson passes its own check.
    #[must_use]
    pub fn built_in() -> Self {
        let lesson = Lesson::built_in();
        let stops = lesson.resolve().expect("the built-in lesson passes its check");
        Self::new(lesson, stops)
    }

    /// Opens a lesson at its first page. `stops` are the lesson's, resolved; there is at least one.
    #[must_use]
    pub fn new(lesson: Lesson, stops: Vec<Stop>) -> Self {
        let pages = stops.iter().enumerate().flat_map(|(stop, told)| {
            let sides: &[Side] = if told.question.is_some() { &[Side::Ask, Side::Reveal] } else { &[Side::Tell] };
            sides.iter().map(move |side| Page { stop, side: *side })
        });
        let polls = stops.iter().map(|stop| {
            let options = stop.question.as_ref().map_or(0, |question| question.options.len());
            Poll { hands: vec![[0; 2]; options], ..Poll::default() }
        });
        Self { pages: pages.collect(), polls: polls.collect(), lesson, stops, open: 0, room: false }
    }

    /// The lesson.
    #[must_use]
    pub const fn lesson(&self) -> &Lesson {
        &self.lesson
    }

    /// The open page.
    #[must_use]
    pub fn page(&self) -> Page {
        self.pages[self.open]
    }

    /// The stop that the open page belongs to.
    #[must_use]
    pub fn stop(&self) -> &Stop {
        &self.stops[self.page().stop]
    }

    /// What the open page says.
    #[must_use]
    pub fn words(&self) -> &[Text] {
        self.words_of(self.page())
    }

    /// What the page after it says.
    #[must_use]
    pub fn next_words(&self) -> &[Text] {
        self.pages.get(self.open + 1).map_or(&[], |page| self.words_of(*page))
    }

    fn words_of(&self, page: Page) -> &[Text] {
        let stop = &self.stops[page.stop];
        match (&stop.question, page.side) {
            (Some(question), Side::Reveal) => &question.reveal_say,
            _ => &stop.say,
        }
    }

    /// What was predicted at the open stop.
    #[must_use]
    pub fn poll(&self) -> &Poll {
        &self.polls[self.page().stop]
    }

    /// The number of the open page and how many there are, counted from 1.
    #[must_use]
    pub fn progress(&self) -> (usize, usize) {
        (self.open + 1, self.pages.len())
    }

    /// Whether the last page is open.
    #[must_use]
    pub fn is_at_end(&self) -> bool {
        self.open + 1 == self.pages.len()
    }

    /// A page forward; whether there was one.
    pub fn forward(&mut self) -> bool {
        let more = !self.is_at_end();
        self.open += usize::from(more);
        more
    }

    /// A page back; whether there was one.
    pub const fn back(&mut self) -> bool {
        let more = self.open > 0;
        self.open = self.open.saturating_sub(1);
        more
    }

    /// To the first page.
    pub const fn restart(&mut self) {
        self.open = 0;
    }

    /// To the first page of the next chapter; whether there was one.
    pub fn chapter_forward(&mut self) -> bool {
        let chapter = self.stop().chapter;
        let next = self.pages.iter().position(|page| self.stops[page.stop].chapter > chapter);
        self.open = next.unwrap_or(self.open);
        next.is_some()
    }

    /// To the first page of this chapter or, from there, of the one before.
    pub fn chapter_back(&mut self) {
        let first = |chapter: usize| self.pages.iter().position(|page| self.stops[page.stop].chapter == chapter);
        let chapter = self.stop().chapter;
        let here = first(chapter).unwrap_or(0);
        self.open = if here < self.open { here } else { first(chapter.saturating_sub(1)).unwrap_or(0) };
    }

    /// Picks an option, or counts one more hand for it. Nothing where no question is open.
    pub fn pick(&mut self, option: usize) {
        let (stop, side, room) = (self.page().stop, self.page().side, self.room);
        let poll = &mut self.polls[stop];
        if side != Side::Ask || option >= poll.hands.len() {
            return;
        }
        poll.choice = option;
        if room {
            self.count_hands(1);
        } else {
            poll.picked = Some(option);
        }
    }

    /// Moves the choice; for one person the choice is the answer.
    pub fn choose(&mut self, down: bool) {
        let (stop, side, room) = (self.page().stop, self.page().side, self.room);
        let poll = &mut self.polls[stop];
        if side != Side::Ask {
            return;
        }
        let fresh = !room && poll.picked.is_none();
        if down && !fresh {
            poll.choice = (poll.choice + 1).min(poll.hands.len() - 1);
        } else if !fresh {
            poll.choice = poll.choice.saturating_sub(1);
        }
        if !room {
            poll.picked = Some(poll.choice);
        }
    }

    /// Counts hands for the chosen option, one more or one less.
    pub fn count_hands(&mut self, by: i16) {
        let (stop, side) = (self.page().stop, self.page().side);
        let poll = &mut self.polls[stop];
        if !self.room || side != Side::Ask {
            return;
        }
        let hands = &mut poll.hands[poll.choice][poll.count as usize];
        *hands = hands.saturating_add_signed(by).min(HANDS_MAX);
    }

    /// Goes from the first count to the second, or back.
    pub fn turn_count(&mut self) {
        let stop = self.page().stop;
        let count = &mut self.polls[stop].count;
        *count = match count {
            Count::First => Count::Second,
            Count::Second => Count::First,
        };
    }

    /// How the predictions came out so far: of the questions that were revealed.
    #[must_use]
    pub fn score(&self) -> Score {
        let mut score = Score::default();
        let revealed = self.pages[..=self.open].iter().filter(|page| page.side == Side::Reveal);
        for page in revealed {
            let (Some(question), poll) = (&self.stops[page.stop].question, &self.polls[page.stop]) else { continue };
            if let Some(picked) = poll.picked {
                score.answered += 1;
                score.right += usize::from(question.options[picked].right);
            }
            for (option, hands) in question.options.iter().zip(&poll.hands) {
                for (n, hands) in hands.iter().map(|hands| u32::from(*hands)).enumerate() {
                    score.hands[n] += hands;
                    score.hands_right[n] += if option.right { hands } else { 0 };
                }
            }
        }
        score
    }
}
