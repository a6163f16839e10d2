//! What the lesson puts on the screen: its words, its question, the hands that were counted.
//!
//! ```text
//! │ ? How many charges will the ledger hold in the end?                          │
//! │   1 none                                                                     │
//! │ ▸ 2 one              first  ████████ 12    second ███ 4                      │
//! │   3 two              first  ████ 6         second █████████ 14               │
//! │ Pick with 1 to 3; → plays it out; v counts hands.                            │
//! ```

use ratatui::text::Line;

use super::lines::{Words, bar, cut, wrap};
use crate::lesson::{Choice, ResolvedQuestion};
use crate::model::text::width;
use crate::tui::app::App;
use crate::tui::guide::{Count, Guide, Poll, Score, Side};
use crate::tui::theme::{Glyph, Look, Role};

/// What the caption says, in lines of at most `columns`.
pub(super) fn caption(guide: &Guide, columns: usize) -> Vec<String> {
    wrap(&guide.words().iter().map(|text| &**text).collect::<Vec<&str>>().join(" "), columns)
}

/// The bar: the lesson and its chapter.
pub(crate) fn title(guide: &Guide) -> String {
    let chapters = &guide.lesson().chapters;
    let chapter = guide.stop().chapter;
    format!("{}/{} {}  {}", chapter + 1, chapters.len(), chapters[chapter].title, guide.lesson().title)
}

/// The question, or its answer; nothing on a page that only tells.
pub(super) fn panel(app: &App, guide: &Guide, columns: usize) -> Vec<Line<'static>> {
    let Some(question) = &guide.stop().question else { return Vec::new() };
    match guide.page().side {
        Side::Tell => Vec::new(),
        Side::Ask => ask(app, guide, question, columns),
        Side::Reveal if app.plays_out() => vec![hint(app.look, "Now playing. The next press skips to the answer.")],
        Side::Reveal => reveal(app, guide, question, columns),
    }
}

fn ask(app: &App, guide: &Guide, question: &ResolvedQuestion, columns: usize) -> Vec<Line<'static>> {
    let look = app.look;
    let mut lines: Vec<Line<'static>> = Vec::new();
    for (n, text) in wrap(&question.ask, columns.saturating_sub(2)).into_iter().enumerate() {
        let words = Words::new(look);
        let words = if n == 0 { words.glyph(Role::Unknown, Glyph::Unsure) } else { words.say(Role::Text, " ") };
        lines.push(words.say(Role::Title, format!(" {text}")).line());
    }
    let poll = guide.poll();
    for (n, option) in question.options.iter().enumerate() {
        let chosen = if guide.room { poll.choice == n } else { poll.picked == Some(n) };
        let words = Words::new(look);
        let words = if chosen { words.glyph(Role::Title, Glyph::Fresh) } else { words.say(Role::Text, " ") };
        let role = if chosen { Role::Title } else { Role::Text };
        let words = words.say(Role::Key, format!(" {} ", n + 1)).say(role, option.text.to_string());
        lines.push(with_hands(words, guide, poll, n, question, columns));
    }
    let last = question.options.len();
    let enough = poll.picked.is_some() && !guide.room;
    lines.push(match (guide.room, poll.count, enough) {
        (true, Count::First, _) => {
            hint(look, "First count: up and down, + and - hands. Tab: discuss, then count again.")
        }
        (true, Count::Second, _) => hint(look, "Second count: + and - hands. The next page plays it out."),
        (false, _, true) => hint(look, "Picked. The next page plays it out; until then you can change your mind."),
        (false, _, false) => {
            hint(look, &format!("Pick with 1 to {last}, then go on to see it played out. v counts hands."))
        }
    });
    lines
}

fn reveal(app: &App, guide: &Guide, question: &ResolvedQuestion, columns: usize) -> Vec<Line<'static>> {
    let look = app.look;
    let poll = guide.poll();
    let mut lines: Vec<Line<'static>> = Vec::new();
    for (n, option) in question.options.iter().enumerate() {
        let (role, glyph) = if option.right { (Role::Good, Glyph::Done) } else { (Role::Dim, Glyph::Failed) };
        let mine = if poll.picked == Some(n) && !guide.room { " (your answer)" } else { "" };
        let words = Words::new(look).glyph(role, glyph).say(role, format!(" {} {}{mine}", n + 1, option.text));
        lines.push(with_hands(words, guide, poll, n, question, columns));
    }
    for text in wrap(why(guide, poll, question), columns.saturating_sub(2)) {
        lines.push(Words::new(look).say(Role::Text, format!("  {text}")).line());
    }
    lines
}

/// Why the answer given is right, or tempting; where none was given, why the right one is right. A room
/// hears of its favourite in the last count.
fn why<'a>(guide: &Guide, poll: &Poll, question: &'a ResolvedQuestion) -> &'a str {
    let favourite = || {
        let count = usize::from(poll.hands.iter().any(|hands| hands[1] > 0));
        let most = poll.hands.iter().enumerate().max_by_key(|(n, hands)| (hands[count], usize::MAX - n));
        most.filter(|(_, hands)| hands[count] > 0).map(|(n, _)| n)
    };
    let given = if guide.room { favourite() } else { poll.picked };
    let given: Option<&Choice> = given.and_then(|n| question.options.get(n));
    given.or_else(|| question.options.iter().find(|option| option.right)).map_or("", |option| &*option.why)
}

/// An option with the hands that were counted for it, as bars that share one scale.
fn with_hands(
    words: Words,
    guide: &Guide,
    poll: &Poll,
    option: usize,
    question: &ResolvedQuestion,
    columns: usize,
) -> Line<'static> {
    let look = words.look();
    let all = poll.hands.iter().flatten().copied().max().unwrap_or(0);
    if !guide.room && all == 0 {
        return words.line();
    }
    let texts = question.options.iter().map(|option| width(&option.text) + 5).max().unwrap_or(0);
    let room = columns.saturating_sub(texts.max(words.width()) + 2);
    let each = (room / 2).saturating_sub(6).min(16);
    let pad = " ".repeat(texts.saturating_sub(words.width()) + 2);
    let mut words = words.say(Role::Text, pad);
    for (n, role) in [Role::Request, Role::Response].into_iter().enumerate() {
        let hands = poll.hands[option][n];
        let part = (u64::from(hands) * 1_000).checked_div(u64::from(all)).unwrap_or(0);
        let (full, rest) = bar(look, each, part, Glyph::Bar, Glyph::Dot);
        words = words.say(role, full).say(Role::Dim, rest).say(Role::Text, format!("{hands:>4}  "));
    }
    words.line()
}

fn hint(look: Look, text: &str) -> Line<'static> {
    Words::new(look).say(Role::Dim, format!("  {text}")).line()
}

/// How one did, or the room; nothing where nothing was predicted.
pub(super) fn score(look: Look, score: &Score, columns: usize) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    if score.answered > 0 {
        let text = format!(" You predicted {} of {} rightly.", score.right, score.answered);
        lines.push(Words::new(look).say(Role::Title, cut(look, &text, columns)).line());
    }
    let part = |n: usize| (score.hands_right[n] * 100).checked_div(score.hands[n]);
    if let Some(first) = part(0) {
        let second = part(1).map_or_else(String::new, |second| format!(", {second} % after talking about it"));
        let text = format!(" Of the room's hands, {first} % were right{second}.");
        lines.push(Words::new(look).say(Role::Title, cut(look, &text, columns)).line());
    }
    lines
}

/// The presenter's note of the open page, in lines of at most `columns`.
pub(super) fn notes(guide: &Guide, columns: usize) -> Vec<String> {
    let note = guide.stop().note.as_ref().map_or("No note for this page.", |note| &**note);
    wrap(&format!("Note: {note}"), columns)
}
