//! The keys: one table from which the dispatch, the footer and the help screen are made.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

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

const fn plain(c: char) -> Key {
    Key::Plain(KeyCode::Char(c))
}

const fn f(n: u8) -> Key {
    Key::Plain(KeyCode::F(n))
}

const fn code(code: KeyCode) -> Key {
    Key::Plain(code)
}

const fn row(
    place: Place,
    keys: &'static [Key],
    action: Action,
    help: &'static str,
    footer: Option<&'static str>,
) -> Binding {
    Binding { place, keys, action, help, footer }
}

/// Every key. On one screen none stands twice.
pub const TABLE: &[Binding] = &[
    row(Place::Clock, &[code(KeyCode::Right)], Action::TickForward, "one tick (1 s) forward", Some("tick")),
    row(Place::Clock, &[code(KeyCode::Left)], Action::TickBack, "one tick back", None),
    row(
        Place::Clock,
        &[plain(']'), code(KeyCode::PageDown), plain('ъ')],
        Action::EventForward,
        "to the next event",
        Some("event"),
    ),
    row(Place::Clock, &[plain('['), code(KeyCode::PageUp), plain('х')], Action::EventBack, "to the event before", None),
    row(Place::Clock, &[code(KeyCode::Home), f(5)], Action::Start, "to the start", None),
    row(Place::Clock, &[code(KeyCode::End)], Action::End, "to the end", None),
    row(Place::Clock, &[plain(' ')], Action::Play, "play and pause", Some("play")),
    row(Place::Clock, &[plain('+'), plain('=')], Action::Faster, "play faster", None),
    row(Place::Clock, &[plain('-'), plain('_')], Action::Slower, "play slower", None),
    row(Place::Run, &[plain('1')], Action::Strategy(0), "strategy: naive retry", Some("-4 strategy")),
    row(Place::Run, &[plain('2')], Action::Strategy(1), "strategy: verify then retry", None),
    row(Place::Run, &[plain('3')], Action::Strategy(2), "strategy: new key per attempt", None),
    row(Place::Run, &[plain('4')], Action::Strategy(3), "strategy: pinned intent key", None),
    row(Place::Run, &[code(KeyCode::Tab)], Action::StrategyNext, "the next strategy", None),
    row(
        Place::Run,
        &[Key::Exact('f'), f(3), Key::Exact('а'), Key::Exact('φ')],
        Action::FaultNext,
        "the next fault",
        Some("fault"),
    ),
    row(
        Place::Run,
        &[Key::Exact('F'), f(2), Key::Exact('А'), Key::Exact('Φ')],
        Action::FaultBack,
        "the fault before",
        None,
    ),
    row(Place::Run, &[code(KeyCode::Down)], Action::EventForward, "", None),
    row(Place::Run, &[code(KeyCode::Up)], Action::EventBack, "", None),
    row(Place::Run, &[plain('w'), f(12), plain('ц'), plain('ς')], Action::Why, "why is a charge there?", Some("why")),
    row(
        Place::Run,
        &[plain('x'), plain('/'), plain('ч'), plain('χ')],
        Action::WhatIf,
        "what if a message fared otherwise?",
        Some("what if"),
    ),
    row(
        Place::Run,
        &[plain('c'), f(8), plain('с'), plain('ψ')],
        Action::Compare,
        "compare strategies, or faults",
        Some("compare"),
    ),
    row(Place::Compare, &[code(KeyCode::Down)], Action::Move(Direction::Down), "to the row below", Some("row")),
    row(Place::Compare, &[code(KeyCode::Up)], Action::Move(Direction::Up), "to the row above", None),
    row(Place::Compare, &[plain('1')], Action::Row(0), "to that row", None),
    row(Place::Compare, &[plain('2')], Action::Row(1), "", None),
    row(Place::Compare, &[plain('3')], Action::Row(2), "", None),
    row(Place::Compare, &[plain('4')], Action::Row(3), "", None),
    row(Place::Compare, &[plain('5')], Action::Row(4), "", None),
    row(
        Place::Compare,
        &[plain('c'), f(8), code(KeyCode::Tab), plain('с'), plain('ψ')],
        Action::Turn,
        "strategies, or faults",
        Some("swap"),
    ),
    row(Place::Compare, &[code(KeyCode::Enter)], Action::Open, "open the run of the row", Some("run")),
    row(
        Place::Compare,
        &[Key::Exact('f'), f(3), Key::Exact('а'), Key::Exact('φ')],
        Action::FaultNext,
        "the next fault, or strategy",
        Some("next"),
    ),
    row(
        Place::Compare,
        &[Key::Exact('F'), f(2), Key::Exact('А'), Key::Exact('Φ')],
        Action::FaultBack,
        "the fault, or strategy, before",
        None,
    ),
    row(Place::Fork, &[code(KeyCode::Down)], Action::Move(Direction::Down), "the alternative below", Some("other")),
    row(Place::Fork, &[code(KeyCode::Up)], Action::Move(Direction::Up), "the alternative above", None),
    row(
        Place::Fork,
        &[plain('x'), plain('/'), plain('ч'), plain('χ')],
        Action::WhatIf,
        "what else, at this instant",
        Some("what else"),
    ),
    row(
        Place::Clock,
        &[plain('h'), f(7), plain('р'), plain('η')],
        Action::Future,
        "hide or show what is to come",
        None,
    ),
    row(Place::Summary, &[code(KeyCode::Left)], Action::Move(Direction::Left), "to the strategy on the left", None),
    row(
        Place::Summary,
        &[code(KeyCode::Right)],
        Action::Move(Direction::Right),
        "to the strategy on the right",
        Some("move"),
    ),
    row(
        Place::Summary,
        &[code(KeyCode::Up), code(KeyCode::PageUp)],
        Action::Move(Direction::Up),
        "to the fault above",
        None,
    ),
    row(
        Place::Summary,
        &[code(KeyCode::Down), code(KeyCode::PageDown)],
        Action::Move(Direction::Down),
        "to the fault below",
        None,
    ),
    row(Place::Summary, &[code(KeyCode::Enter)], Action::Open, "open the run", Some("open")),
    // ── Contracts, matrix, cases, details ──
    row(
        Place::Summary,
        &[Key::Exact('p'), plain('>'), Key::Exact('з'), Key::Exact('π')],
        Action::ContractNext,
        "the next contract",
        Some("contract"),
    ),
    row(
        Place::Summary,
        &[Key::Exact('P'), plain('<'), Key::Exact('З'), Key::Exact('Π')],
        Action::ContractBack,
        "the contract before",
        None,
    ),
    row(Place::Summary, &[plain('0'), code(KeyCode::Home)], Action::ContractOwn, "the scenario's own contract", None),
    row(
        Place::Summary,
        &[Key::Exact('m'), code(KeyCode::Tab), Key::Exact('ь'), Key::Exact('μ')],
        Action::EveryStrategy,
        "all named strategies, or the few",
        Some("all strategies"),
    ),
    row(
        Place::Summary,
        &[Key::Exact('M'), code(KeyCode::BackTab), Key::Exact('Ь'), Key::Exact('Μ')],
        Action::EveryFault,
        "all named faults, or the few",
        Some("all faults"),
    ),
    row(
        Place::Run,
        &[Key::Exact('p'), plain('>'), Key::Exact('з'), Key::Exact('π')],
        Action::ContractNext,
        "the next contract",
        None,
    ),
    row(
        Place::Run,
        &[Key::Exact('P'), plain('<'), Key::Exact('З'), Key::Exact('Π')],
        Action::ContractBack,
        "the contract before",
        None,
    ),
    row(Place::Run, &[plain('0')], Action::ContractOwn, "the scenario's own contract", None),
    row(
        Place::Cases,
        &[code(KeyCode::Down), code(KeyCode::Right), plain(']'), plain('ъ')],
        Action::Move(Direction::Down),
        "the case below",
        Some("choose"),
    ),
    row(
        Place::Cases,
        &[code(KeyCode::Up), code(KeyCode::Left), plain('['), plain('х')],
        Action::Move(Direction::Up),
        "the case above",
        None,
    ),
    row(Place::Cases, &[code(KeyCode::PageDown)], Action::Move(Direction::Right), "five cases down", None),
    row(Place::Cases, &[code(KeyCode::PageUp)], Action::Move(Direction::Left), "five cases up", None),
    row(Place::Cases, &[code(KeyCode::Home)], Action::Start, "the first case", None),
    row(Place::Cases, &[code(KeyCode::End)], Action::End, "the last case", None),
    row(Place::Cases, &[code(KeyCode::Enter), plain(' ')], Action::Open, "open the case as a run", Some("open")),
    row(
        Place::Cases,
        &[code(KeyCode::Tab), Key::Exact('k'), Key::Exact('л'), Key::Exact('κ')],
        Action::KindNext,
        "only the next kind",
        Some("kind"),
    ),
    row(
        Place::Cases,
        &[code(KeyCode::BackTab), Key::Exact('K'), Key::Exact('Л'), Key::Exact('Κ')],
        Action::KindBack,
        "only the kind before",
        None,
    ),
    row(Place::Cases, &[code(KeyCode::Esc)], Action::Close, "back to the run", Some("back")),
    row(
        Place::Details,
        &[code(KeyCode::Down), code(KeyCode::Right), plain(' '), plain(']'), plain('ъ')],
        Action::Move(Direction::Down),
        "a line down",
        Some("down"),
    ),
    row(
        Place::Details,
        &[code(KeyCode::Up), code(KeyCode::Left), plain('['), plain('х')],
        Action::Move(Direction::Up),
        "a line up",
        None,
    ),
    row(Place::Details, &[code(KeyCode::PageDown)], Action::Move(Direction::Right), "ten lines down", None),
    row(Place::Details, &[code(KeyCode::PageUp)], Action::Move(Direction::Left), "ten lines up", None),
    row(Place::Details, &[code(KeyCode::Home)], Action::Start, "to the first line", None),
    row(Place::Details, &[code(KeyCode::Esc)], Action::Close, "close what is open", Some("close")),
    row(
        Place::Why,
        &[code(KeyCode::Down), code(KeyCode::PageDown)],
        Action::Move(Direction::Down),
        "to the link below, further back",
        Some("link"),
    ),
    row(
        Place::Why,
        &[code(KeyCode::Up), code(KeyCode::PageUp)],
        Action::Move(Direction::Up),
        "to the link above",
        None,
    ),
    row(
        Place::Why,
        &[code(KeyCode::Enter), code(KeyCode::Right)],
        Action::Open,
        "the clock to the link's instant",
        Some("go there"),
    ),
    row(Place::Why, &[code(KeyCode::Tab)], Action::Turn, "the next charge", Some("charge")),
    row(Place::Why, &[plain('w'), f(12), plain('ц'), plain('ς')], Action::Why, "back to the run", Some("back")),
    row(
        Place::WhatIf,
        &[code(KeyCode::Down), code(KeyCode::PageDown)],
        Action::Move(Direction::Down),
        "to the alternative below",
        Some("choose"),
    ),
    row(
        Place::WhatIf,
        &[code(KeyCode::Up), code(KeyCode::PageUp)],
        Action::Move(Direction::Up),
        "to the alternative above",
        None,
    ),
    row(
        Place::WhatIf,
        &[code(KeyCode::Right), code(KeyCode::Tab)],
        Action::Move(Direction::Right),
        "the next message",
        Some("message"),
    ),
    row(Place::WhatIf, &[code(KeyCode::Left)], Action::Move(Direction::Left), "the message before", None),
    row(Place::WhatIf, &[code(KeyCode::Enter)], Action::Open, "open the changed run", Some("open")),
    row(
        Place::WhatIf,
        &[plain('x'), plain('/'), plain('ч'), plain('χ')],
        Action::WhatIf,
        "back to the run",
        Some("back"),
    ),
    row(
        Place::Lesson,
        &[code(KeyCode::Right), code(KeyCode::PageDown), plain(' '), code(KeyCode::Enter)],
        Action::PageForward,
        "the next page",
        Some("next"),
    ),
    row(
        Place::Lesson,
        &[code(KeyCode::Left), code(KeyCode::PageUp), code(KeyCode::Backspace)],
        Action::PageBack,
        "the page before",
        Some("back"),
    ),
    row(Place::Lesson, &[plain(']'), plain('ъ')], Action::ChapterForward, "the next chapter", None),
    row(Place::Lesson, &[plain('['), plain('х')], Action::ChapterBack, "the chapter before", None),
    row(Place::Lesson, &[code(KeyCode::Home), f(5)], Action::FirstPage, "from the start", None),
    row(Place::Lesson, &[plain('a'), plain('@')], Action::Booth, "play by itself, in a loop", None),
    row(Place::Ask, &[plain('1')], Action::Pick(0), "answer 1", Some("answer")),
    row(Place::Ask, &[plain('2')], Action::Pick(1), "answer 2", None),
    row(Place::Ask, &[plain('3')], Action::Pick(2), "answer 3", None),
    row(Place::Ask, &[plain('4')], Action::Pick(3), "answer 4", None),
    row(Place::Ask, &[code(KeyCode::Up)], Action::AnswerUp, "the answer above", None),
    row(Place::Ask, &[code(KeyCode::Down)], Action::AnswerDown, "the answer below", None),
    row(Place::Ask, &[plain('v'), plain('#'), plain('м')], Action::Room, "count hands in a room", Some("hands")),
    row(Place::Ask, &[plain('+'), plain('=')], Action::HandMore, "one hand more", None),
    row(Place::Ask, &[plain('-'), plain('_')], Action::HandLess, "one hand less", None),
    row(Place::Ask, &[code(KeyCode::Tab)], Action::Count, "first or second count", None),
    row(Place::Lesson, &[code(KeyCode::Esc)], Action::Close, "leave the lesson, explore this run", Some("explore")),
    row(Place::Run, &[code(KeyCode::Esc)], Action::Close, "close what is open", None),
    row(Place::Summary, &[code(KeyCode::Esc)], Action::Close, "back to the run", None),
    // ── Evidence ──
    row(Place::Search, &[plain(' ')], Action::Again, "search again, or stop", Some("search")),
    row(Place::Search, &[plain('+'), plain('=')], Action::Raise(Knob::Faults), "one fault more", Some("faults")),
    row(Place::Search, &[plain('-'), plain('_')], Action::Lower(Knob::Faults), "one fault less", None),
    row(Place::Search, &[plain(']'), plain('ъ')], Action::Raise(Knob::Calls), "one call more", Some("calls")),
    row(Place::Search, &[plain('['), plain('х')], Action::Lower(Knob::Calls), "one call less", None),
    row(
        Place::Search,
        &[Key::Exact('f'), f(3), Key::Exact('а'), Key::Exact('φ')],
        Action::Raise(Knob::Forbidden),
        "forbid something else",
        Some("forbid"),
    ),
    row(
        Place::Search,
        &[Key::Exact('F'), f(2), Key::Exact('А'), Key::Exact('Φ')],
        Action::Lower(Knob::Forbidden),
        "forbid what was forbidden before",
        None,
    ),
    row(Place::Search, &[code(KeyCode::Enter)], Action::Open, "open the counterexample as a run", Some("open")),
    row(Place::Map, &[code(KeyCode::Left)], Action::Move(Direction::Left), "to the left", None),
    row(Place::Map, &[code(KeyCode::Right)], Action::Move(Direction::Right), "to the right", Some("move")),
    row(Place::Map, &[code(KeyCode::Up)], Action::Move(Direction::Up), "up", None),
    row(Place::Map, &[code(KeyCode::Down)], Action::Move(Direction::Down), "down", None),
    row(Place::Map, &[code(KeyCode::Enter)], Action::Open, "open the run under the cursor", Some("open")),
    row(
        Place::Map,
        &[Key::Exact('x'), plain('>'), Key::Exact('ч'), Key::Exact('χ')],
        Action::Raise(Knob::Across),
        "another number across",
        Some("across"),
    ),
    row(
        Place::Map,
        &[Key::Exact('X'), plain('<'), Key::Exact('Ч'), Key::Exact('Χ')],
        Action::Lower(Knob::Across),
        "the number across before",
        None,
    ),
    row(
        Place::Map,
        &[Key::Exact('y'), plain(']'), Key::Exact('н'), Key::Exact('υ')],
        Action::Raise(Knob::Upward),
        "another number upward",
        Some("upward"),
    ),
    row(
        Place::Map,
        &[Key::Exact('Y'), plain('['), Key::Exact('Н'), Key::Exact('Υ')],
        Action::Lower(Knob::Upward),
        "the number upward before",
        None,
    ),
    row(
        Place::Map,
        &[plain('z'), plain('+'), plain('я'), plain('ζ')],
        Action::Raise(Knob::Grain),
        "half the size of a cell, or whole",
        Some("finer"),
    ),
    row(Place::Map, &[code(KeyCode::Home), plain('0')], Action::Start, "to the open run's own point", Some("own")),
    row(Place::Policies, &[code(KeyCode::Left)], Action::Move(Direction::Left), "to the left", None),
    row(Place::Policies, &[code(KeyCode::Right)], Action::Move(Direction::Right), "to the right", Some("move")),
    row(Place::Policies, &[code(KeyCode::Up)], Action::Move(Direction::Up), "up", None),
    row(Place::Policies, &[code(KeyCode::Down)], Action::Move(Direction::Down), "down", None),
    row(Place::Policies, &[code(KeyCode::Enter)], Action::Open, "open its counterexample, or its run", Some("open")),
    row(
        Place::Policies,
        &[Key::Exact('p'), plain('>'), plain(']'), Key::Exact('з'), Key::Exact('π')],
        Action::Raise(Knob::Contract),
        "the next contract",
        Some("contract"),
    ),
    row(
        Place::Policies,
        &[Key::Exact('P'), plain('<'), plain('['), Key::Exact('З'), Key::Exact('Π')],
        Action::Lower(Knob::Contract),
        "the contract before",
        None,
    ),
    row(Place::Policies, &[code(KeyCode::Home), plain('0')], Action::Start, "to the open run's policy", Some("own")),
    row(
        Place::Odds,
        &[code(KeyCode::Up), code(KeyCode::Left)],
        Action::Move(Direction::Up),
        "the strategy above",
        None,
    ),
    row(
        Place::Odds,
        &[code(KeyCode::Down), code(KeyCode::Right)],
        Action::Move(Direction::Down),
        "the strategy below",
        Some("choose"),
    ),
    row(Place::Odds, &[code(KeyCode::Enter)], Action::Open, "open that strategy's run", Some("open")),
    row(
        Place::Odds,
        &[Key::Exact('p'), plain('>'), plain(']'), Key::Exact('з'), Key::Exact('π')],
        Action::Raise(Knob::Contract),
        "the next contract",
        Some("contract"),
    ),
    row(
        Place::Odds,
        &[Key::Exact('P'), plain('<'), plain('['), Key::Exact('З'), Key::Exact('Π')],
        Action::Lower(Knob::Contract),
        "the contract before",
        None,
    ),
    row(Place::Evidence, &[code(KeyCode::Tab), code(KeyCode::PageDown)], Action::SheetNext, "the next sheet", None),
    row(Place::Evidence, &[code(KeyCode::BackTab), code(KeyCode::PageUp)], Action::SheetBack, "the sheet before", None),
    row(Place::Evidence, &[plain('1')], Action::Sheet(0), "search every fault plan", Some("-4 sheet")),
    row(Place::Evidence, &[plain('2')], Action::Sheet(1), "the map of two numbers", None),
    row(Place::Evidence, &[plain('3')], Action::Sheet(2), "the map of policies", None),
    row(Place::Evidence, &[plain('4')], Action::Sheet(3), "the odds", None),
    row(Place::Evidence, &[code(KeyCode::Esc)], Action::Close, "stop the work, or back to the run", Some("back")),
    row(Place::Run, &[plain('r'), plain('$'), plain('к'), plain('ρ')], Action::Odds, "the risk of a duplicate", None),
    row(
        Place::Anywhere,
        &[plain('n'), plain(':'), plain('т'), plain('ν')],
        Action::Notes,
        "the presenter's notes",
        None,
    ),
    row(
        Place::Anywhere,
        &[plain('g'), plain('*'), plain('п'), plain('γ')],
        Action::Big,
        "large, for the back row",
        None,
    ),
    row(Place::Why, &[code(KeyCode::Esc)], Action::Close, "back to the run", None),
    row(Place::WhatIf, &[code(KeyCode::Esc)], Action::Close, "back to the run", None),
    row(Place::Fork, &[code(KeyCode::Esc)], Action::Close, "back to the run", Some("back")),
    row(Place::Compare, &[code(KeyCode::Esc)], Action::Close, "back to the run", Some("back")),
    row(
        Place::Anywhere,
        &[plain('s'), f(4), plain('ы'), plain('σ')],
        Action::Summary,
        "the 16 runs, and back",
        Some("summary"),
    ),
    row(
        Place::Anywhere,
        &[plain('e'), plain('&'), plain('у'), plain('ε')],
        Action::Evidence,
        "evidence: search, maps, odds",
        Some("evidence"),
    ),
    row(
        Place::Anywhere,
        &[plain('l'), f(9), plain('д'), plain('λ')],
        Action::Lesson,
        "leave or resume the lesson",
        Some("lesson"),
    ),
    row(
        Place::Anywhere,
        &[plain('o'), plain(','), plain('щ'), plain('ο')],
        Action::Cases,
        "cases that were reported",
        Some("cases"),
    ),
    row(Place::Anywhere, &[plain('d'), plain('%'), plain('в'), plain('δ')], Action::Details, "all of this run", None),
    row(Place::Anywhere, &[plain('t'), f(6), plain('е'), plain('τ')], Action::Theme, "the next theme", None),
    row(Place::Anywhere, &[plain('.'), plain('b'), plain('и'), plain('β')], Action::Blank, "blank the screen", None),
    row(Place::Anywhere, &[plain('?'), f(1)], Action::Help, "help", Some("help")),
    row(Place::Anywhere, &[Key::Ctrl('z')], Action::Suspend, "to the shell; fg returns", None),
    row(Place::Anywhere, &[plain('q'), f(10), plain('й'), plain(';')], Action::Quit, "quit", Some("quit")),
    row(Place::Anywhere, &[Key::Ctrl('c')], Action::Interrupt, "quit", None),
];

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
