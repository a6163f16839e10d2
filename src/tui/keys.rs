//! The keys: one table from which the dispatch, the footer and the help screen are made.

mod table;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

pub use table::TABLE;

/// What a key does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// One stop of the clock forward.
    TickForward,
    /// One stop of the clock back.
    TickBack,
    /// To the next event.
    EventForward,
    /// To the event before.
    EventBack,
    /// To the start.
    Start,
    /// To the end.
    End,
    /// Plays or pauses.
    Play,
    /// Plays faster.
    Faster,
    /// Plays slower.
    Slower,
    /// The n-th strategy, counted from 0.
    Strategy(usize),
    /// The next strategy.
    StrategyNext,
    /// The next fault.
    FaultNext,
    /// The fault before.
    FaultBack,
    /// Shows or hides what is still to come.
    Future,
    /// Opens or closes the summary.
    Summary,
    /// The next theme.
    Theme,
    /// Blanks the screen.
    Blank,
    /// Opens or closes the help.
    Help,
    /// Closes what is open.
    Close,
    /// Moves the choice.
    Move(Direction),
    /// Opens what is chosen.
    Open,
    /// The next contract.
    ContractNext,
    /// The contract before.
    ContractBack,
    /// The scenario's own contract.
    ContractOwn,
    /// All strategies that have a name, or only the few.
    EveryStrategy,
    /// All faults that have a name, or only the few.
    EveryFault,
    /// Opens or closes the shipped cases.
    Cases,
    /// Only the cases of the next kind.
    KindNext,
    /// Only the cases of the kind before.
    KindBack,
    /// Opens or closes all there is to know of the open run.
    Details,
    /// Opens or closes the chain that led to each charge.
    Why,
    /// Opens or closes what could become of the messages in flight.
    WhatIf,
    /// Opens several runs beside each other.
    Compare,
    /// To the next of what a screen is about: the next charge, the next message, the other comparison.
    Turn,
    /// The n-th row, counted from 0.
    Row(usize),
    /// Goes on with the lesson, or leaves it for the run that it shows.
    Lesson,
    /// To the next page of the lesson.
    PageForward,
    /// To the page before.
    PageBack,
    /// To the next chapter.
    ChapterForward,
    /// To the chapter before.
    ChapterBack,
    /// To the lesson's first page.
    FirstPage,
    /// Picks the n-th answer, counted from 0, or counts a hand for it.
    Pick(usize),
    /// To the answer above.
    AnswerUp,
    /// To the answer below.
    AnswerDown,
    /// One hand more for the chosen answer.
    HandMore,
    /// One hand less.
    HandLess,
    /// One person answers, or a room.
    Room,
    /// From the first count of hands to the second, and back.
    Count,
    /// Shows or hides the presenter's notes.
    Notes,
    /// Few words and large figures, for the back row.
    Big,
    /// Plays the lesson by itself, in a loop, until a key is pressed.
    Booth,
    /// Opens or closes the evidence.
    Evidence,
    /// The n-th sheet of the evidence, counted from 0.
    Sheet(usize),
    /// The next sheet of the evidence.
    SheetNext,
    /// The sheet before.
    SheetBack,
    /// Something of the open sheet one step up.
    Raise(Knob),
    /// Something of the open sheet one step down.
    Lower(Knob),
    /// Starts the work of the open sheet again, or stops it.
    Again,
    /// Shows or hides, along the ladder, the share of what may still happen that ends in a duplicate.
    Odds,
    /// Ends the program.
    Quit,
    /// Ends the program as an interrupt does.
    Interrupt,
    /// Gives the terminal back until the shell continues the program.
    Suspend,
}

/// What can be turned on a sheet of the evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Knob {
    /// How many calls a search goes to.
    Calls,
    /// How many faults a plan has at most.
    Faults,
    /// What must not happen.
    Forbidden,
    /// The number along the width of the map.
    Across,
    /// The number along the height of the map.
    Upward,
    /// How finely the map is drawn.
    Grain,
    /// The contract.
    Contract,
}

/// Where the choice moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// To the left.
    Left,
    /// To the right.
    Right,
    /// Up.
    Up,
    /// Down.
    Down,
}

/// Where a key means something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// On every screen.
    Anywhere,
    /// On the run screen.
    Run,
    /// On the summary screen.
    Summary,
    /// On the screen of the shipped cases.
    Cases,
    /// On the page that tells all of the open run.
    Details,
    /// Wherever the clock can be stepped and played: the run, a changed run beside it, several compared.
    Clock,
    /// On the screen that says why.
    Why,
    /// On the list of what could become of a message.
    WhatIf,
    /// On the screen of a changed run beside the present one.
    Fork,
    /// On the screen that compares runs.
    Compare,
    /// On any page of the lesson.
    Lesson,
    /// On a page of the lesson that asks a question.
    Ask,
    /// On any sheet of the evidence.
    Evidence,
    /// On the sheet that searches.
    Search,
    /// On the sheet that maps two numbers of a run.
    Map,
    /// On the sheet that maps policies.
    Policies,
    /// On the sheet of the odds.
    Odds,
}

impl Place {
    /// Every place.
    pub const ALL: [Self; 17] = [
        Self::Anywhere,
        Self::Run,
        Self::Summary,
        Self::Cases,
        Self::Details,
        Self::Clock,
        Self::Why,
        Self::WhatIf,
        Self::Fork,
        Self::Compare,
        Self::Lesson,
        Self::Ask,
        Self::Evidence,
        Self::Search,
        Self::Map,
        Self::Policies,
        Self::Odds,
    ];

    /// The places whose keys hold here, in the order in which footer and help tell them.
    const fn places(self) -> &'static [Self] {
        match self {
            Self::Anywhere => &[Self::Anywhere],
            Self::Clock => &[Self::Clock, Self::Anywhere],
            Self::Run => &[Self::Clock, Self::Run, Self::Anywhere],
            Self::Fork => &[Self::Clock, Self::Fork, Self::Anywhere],
            Self::Compare => &[Self::Clock, Self::Compare, Self::Anywhere],
            Self::Summary => &[Self::Summary, Self::Anywhere],
            Self::Cases => &[Self::Cases, Self::Anywhere],
            Self::Details => &[Self::Details, Self::Anywhere],
            Self::Why => &[Self::Why, Self::Anywhere],
            Self::WhatIf => &[Self::WhatIf, Self::Anywhere],
            Self::Lesson => &[Self::Lesson, Self::Anywhere],
            Self::Ask => &[Self::Ask, Self::Lesson, Self::Anywhere],
            Self::Evidence => &[Self::Evidence, Self::Anywhere],
            Self::Search => &[Self::Search, Self::Evidence, Self::Anywhere],
            Self::Map => &[Self::Map, Self::Evidence, Self::Anywhere],
            Self::Policies => &[Self::Policies, Self::Evidence, Self::Anywhere],
            Self::Odds => &[Self::Odds, Self::Evidence, Self::Anywhere],
        }
    }
}

/// A key as the table names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// A key without Ctrl; letters whatever their case.
    Plain(KeyCode),
    /// A letter in this very case.
    Exact(char),
    /// A letter with Ctrl.
    Ctrl(char),
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Binding {
    /// Where it holds.
    pub place: Place,
    /// The keys; the first is the one that the footer names. Keys for other layouts come last.
    pub keys: &'static [Key],
    /// What they do.
    pub action: Action,
    /// What the help screen says; nothing where a row before says it.
    pub help: &'static str,
    /// The word in the footer, where it stands there.
    pub footer: Option<&'static str>,
}

/// The rows that hold on a screen, in the order of its places.
pub fn at(place: Place) -> impl Iterator<Item = &'static Binding> {
    let rows = |place: &'static Place| TABLE.iter().filter(move |binding| binding.place == *place);
    place.places().iter().flat_map(rows)
}

/// What a key event means on a screen.
#[must_use]
pub fn action(place: Place, event: &KeyEvent) -> Option<Action> {
    at(place).find(|binding| binding.keys.iter().any(|key| key.is(event))).map(|binding| binding.action)
}

impl Key {
    fn is(self, event: &KeyEvent) -> bool {
        let ctrl = event.modifiers.contains(KeyModifiers::CONTROL);
        if event.modifiers.intersects(KeyModifiers::ALT | KeyModifiers::SUPER | KeyModifiers::META) {
            return false;
        }
        match (self, event.code) {
            (Self::Ctrl(c), KeyCode::Char(typed)) => ctrl && same_letter(c, typed),
            (Self::Exact(c), KeyCode::Char(typed)) => !ctrl && typed == c,
            (Self::Plain(KeyCode::Char(c)), KeyCode::Char(typed)) => !ctrl && same_letter(c, typed),
            (Self::Plain(code), typed) => !ctrl && code == typed,
            _ => false,
        }
    }

    /// The key as the footer and the help screen write it.
    #[must_use]
    pub fn label(self, ascii: bool) -> String {
        match self {
            Self::Ctrl(c) => format!("Ctrl-{}", c.to_ascii_uppercase()),
            Self::Exact(c) => c.to_string(),
            Self::Plain(code) => match code {
                KeyCode::Char(' ') => "space".to_owned(),
                KeyCode::Char(c) => c.to_string(),
                KeyCode::F(n) => format!("F{n}"),
                KeyCode::Left => if ascii { "<-" } else { "←" }.to_owned(),
                KeyCode::Right => if ascii { "->" } else { "→" }.to_owned(),
                KeyCode::Up => if ascii { "Up" } else { "↑" }.to_owned(),
                KeyCode::Down => if ascii { "Down" } else { "↓" }.to_owned(),
                KeyCode::PageUp => "PgUp".to_owned(),
                KeyCode::PageDown => "PgDn".to_owned(),
                KeyCode::BackTab => "Shift-Tab".to_owned(),
                other => other.to_string(),
            },
        }
    }

    /// Whether the key stands on a Latin keyboard, and so belongs into the help.
    #[must_use]
    pub fn is_for_other_layouts(self) -> bool {
        match self {
            Self::Plain(KeyCode::Char(c)) | Self::Exact(c) => !c.is_ascii() || c == ';',
            _ => false,
        }
    }
}

fn same_letter(a: char, b: char) -> bool {
    a == b || a.to_lowercase().eq(b.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn press(code: KeyCode, modifiers: KeyModifiers) -> KeyEvent {
        KeyEvent::new(code, modifiers)
    }

    #[test]
    fn caps_lock_and_other_layouts_still_quit_and_help() {
        for c in ['q', 'Q', 'й', 'Й', ';'] {
            let event = press(KeyCode::Char(c), KeyModifiers::NONE);
            assert_eq!(action(Place::Run, &event), Some(Action::Quit), "{c}");
        }
        assert_eq!(action(Place::Run, &press(KeyCode::F(1), KeyModifiers::NONE)), Some(Action::Help));
        assert_eq!(action(Place::Summary, &press(KeyCode::F(10), KeyModifiers::NONE)), Some(Action::Quit));
    }

    #[test]
    fn shift_tells_the_fault_before_from_the_next() {
        let next = press(KeyCode::Char('f'), KeyModifiers::NONE);
        let back = press(KeyCode::Char('F'), KeyModifiers::SHIFT);
        assert_eq!(action(Place::Run, &next), Some(Action::FaultNext));
        assert_eq!(action(Place::Run, &back), Some(Action::FaultBack));
    }

    #[test]
    fn a_letter_with_ctrl_or_alt_is_not_the_letter() {
        for modifiers in [KeyModifiers::CONTROL, KeyModifiers::ALT, KeyModifiers::SUPER] {
            assert_eq!(action(Place::Run, &press(KeyCode::Char('q'), modifiers)), None, "{modifiers}");
        }
        let interrupt = press(KeyCode::Char('c'), KeyModifiers::CONTROL);
        assert_eq!(action(Place::Run, &interrupt), Some(Action::Interrupt));
    }

    #[test]
    fn no_key_means_two_things_on_one_screen() {
        for place in Place::ALL {
            let keys: Vec<Key> = at(place).flat_map(|binding| binding.keys).copied().collect();
            for (n, key) in keys.iter().enumerate() {
                assert!(!keys[..n].contains(key), "{key:?} stands twice on {place:?}");
            }
        }
    }

    #[test]
    fn every_action_is_reachable_without_latin_letters() {
        for binding in TABLE {
            let latin = |key: &Key| match key {
                Key::Plain(KeyCode::Char(c)) | Key::Exact(c) => c.is_ascii_alphabetic(),
                Key::Ctrl(_) | Key::Plain(_) => false,
            };
            assert!(binding.keys.iter().any(|key| !latin(key)), "{:?}", binding.keys);
        }
    }
}
