//! Each thing that can be wrong in a lesson is found, and said with its place.

use serde_json::{Value, json};

use super::*;
use crate::model::json::BYTES_MAX;

fn lesson() -> Value {
    json!({
        "title": "A lesson",
        "about": "What it is about.",
        "chapters": [{
            "title": "A chapter",
            "beats": [
                { "run": { "strategy": "naive-retry", "fault": "lost-ack" }, "at": "37ms", "say": ["One."] },
                {
                    "at": { "event": "timed-out", "nth": 1 },
                    "say": ["One.", "Two."],
                    "note": "A note.",
                    "question": {
                        "ask": "How many?",
                        "options": [
                            { "text": "One", "why": "It is not." },
                            { "text": "Two", "right": true, "why": "It is." },
                        ],
                        "reveal": { "at": "end", "say": ["Two."] },
                    },
                },
            ],
        }],
    })
}

/// The lesson with the value at each JSON pointer replaced, or taken away where it is null.
fn with(changes: &[(&str, Value)]) -> Value {
    let mut lesson = lesson();
    for (pointer, value) in changes {
        let (parent, name) = pointer.rsplit_once('/').unwrap();
        let parent = lesson.pointer_mut(parent).unwrap();
        match (parent, value) {
            (Value::Object(map), Value::Null) => drop(map.remove(name)),
            (Value::Object(map), value) => drop(map.insert(name.to_owned(), value.clone())),
            (Value::Array(items), value) => items[name.parse::<usize>().unwrap()] = value.clone(),
            _ => panic!("nothing at {pointer}"),
        }
    }
    lesson
}

fn found(lesson: &Value) -> Vec<String> {
    let text = serde_json::to_string_pretty(lesson).unwrap();
    let say = |finding: Finding| {
        assert!(finding.at.is_some(), "{finding}");
        let Finding { place, message, .. } = finding;
        format!("{place}: {message}")
    };
    check(&text).into_iter().map(say).collect()
}

#[test]
fn nothing_is_wrong_with_the_one_that_is_changed_here() {
    assert_eq!(found(&lesson()), Vec::<String>::new());
}

#[test]
fn what_is_wrong_with_texts_runs_and_clocks_is_found_at_its_place() {
    let long = |words: usize| json!("word ".repeat(words));
    for (pointer, value, finding) in [
        ("/title", long(9), "title: found 45 columns, allowed: at most 40 columns"),
        ("/title", json!(" "), "title: found no words, allowed: text"),
        ("/about", long(34), "about: found 4 lines of 58 columns, allowed: at most 3"),
        ("/chapters", json!([]), "chapters: found no chapters, allowed: at least one"),
        ("/chapters/0/title", long(8), "chapters[0].title: found 40 columns, allowed: at most 34 columns"),
        ("/chapters/0/beats", json!([]), "chapters[0].beats: found no beats, allowed: at least one"),
        (
            "/chapters/0/beats/0/run",
            Value::Null,
            "chapters[0].beats[0]: found no run, allowed: a run in the first beat, for those after it to share",
        ),
        (
            "/chapters/0/beats/0/at",
            json!("2m"),
            "chapters[0].beats[0].at: found 02:00, allowed: from 00:00 to 00:35, where the run ends",
        ),
        ("/chapters/0/beats/0/say", json!([]), "chapters[0].beats[0].say: found no sentences, allowed: one or two"),
        ("/chapters/0/beats/0/say", json!(["", "One."]), "chapters[0].beats[0].say[0]: found no words, allowed: text"),
        (
            "/chapters/0/beats/0/say",
            json!(["One.", "Two.", "Three."]),
            "chapters[0].beats[0].say: found 3 sentences, allowed: one or two",
        ),
        (
            "/chapters/0/beats/0/say",
            json!([long(33), long(3)]),
            "chapters[0].beats[0].say: found 4 lines of 58 columns, allowed: at most 3",
        ),
        (
            "/chapters/0/beats/0/say",
            json!(["w".repeat(59)]),
            "chapters[0].beats[0].say: found a word too wide for a line, \"wwwwwwwwwwwwwwwww...\", allowed: at most 58 \
             columns",
        ),
        ("BEAT/note", long(34), "chapters[0].beats[1].note: found 4 lines of 58 columns, allowed: at most 3"),
        (
            "BEAT/at",
            json!({ "event": "timed-out", "nth": 2 }),
            "chapters[0].beats[1].at: found \"timed-out\" number 2, allowed: 1 to 1, as often as it happens in the run",
        ),
        (
            "BEAT/at",
            json!({ "event": "replayed" }),
            "chapters[0].beats[1].at: found \"replayed\", which never happens in the run, allowed: attempt-started, \
             request-sent, request-arrived, committed, answer-sent, answer-arrived, message-lost, timed-out, paused, \
             reported, ended",
        ),
        (
            "BEAT/future",
            json!("shown"),
            "chapters[0].beats[1].future: found \"shown\" beside a question, allowed: hidden, or the answer is seen before",
        ),
    ] {
        let pointer = pointer.replace("BEAT", "/chapters/0/beats/1");
        assert_eq!(found(&with(&[(&pointer, value)])), [finding]);
    }
}

#[test]
fn what_is_wrong_with_a_question_is_found_at_its_place() {
    let long = |words: usize| json!("word ".repeat(words));
    let option = |text: &str, right: bool| json!({ "text": text, "right": right, "why": "So." });
    for (pointer, value, finding) in [
        (
            "BEAT/question/ask",
            long(23),
            "chapters[0].beats[1].question.ask: found 3 lines of 56 columns, allowed: at most 2",
        ),
        (
            "BEAT/question/options",
            json!([option("Two", true)]),
            "chapters[0].beats[1].question.options: found 1 option, allowed: 2 to 4 options",
        ),
        (
            "BEAT/question/options",
            json!(["1", "2", "3", "4", "5"].map(|text| option(text, text == "1"))),
            "chapters[0].beats[1].question.options: found 5 options, allowed: 2 to 4 options",
        ),
        (
            "BEAT/question/options",
            json!([option("One", false), option("Two", false)]),
            "chapters[0].beats[1].question.options: found no right answer, allowed: one option with \"right\": true",
        ),
        (
            "BEAT/question/options",
            json!([option("One", true), option("Two", true)]),
            "chapters[0].beats[1].question.options: found 2 right answers, allowed: one",
        ),
        (
            "BEAT/question/options",
            json!([option("One", true), option("two", false), option(" TWO", false)]),
            "chapters[0].beats[1].question.options[2].text: found the words of option 2 again, allowed: different ones",
        ),
        (
            "BEAT/question/options/0/text",
            long(11),
            "chapters[0].beats[1].question.options[0].text: found 55 columns, allowed: at most 50 columns",
        ),
        (
            "BEAT/question/options/0/why",
            long(23),
            "chapters[0].beats[1].question.options[0].why: found 3 lines of 56 columns, allowed: at most 2",
        ),
        (
            "BEAT/question/reveal/at",
            json!("29s"),
            "chapters[0].beats[1].question.reveal.at: found 00:29, allowed: not before the question, which is at 00:30",
        ),
        (
            "BEAT/question/reveal/at",
            json!({ "event": "committed", "nth": 3 }),
            "chapters[0].beats[1].question.reveal.at: found \"committed\" number 3, allowed: 1 to 2, as often as it \
             happens in the run",
        ),
        (
            "BEAT/question/reveal/say",
            json!([]),
            "chapters[0].beats[1].question.reveal.say: found no sentences, allowed: one or two",
        ),
    ] {
        let pointer = pointer.replace("BEAT", "/chapters/0/beats/1");
        assert_eq!(found(&with(&[(&pointer, value)])), [finding]);
    }
}

#[test]
fn what_cannot_be_read_is_said_with_its_place() {
    for (pointer, value, finding) in [
        ("/tilte", json!("x"), "tilte: unknown field; allowed: title, about, chapters (did you mean \"title\"?)"),
        ("/about", Value::Null, "about: missing field"),
        ("/chapters/0/beats/0/say", Value::Null, "chapters[0].beats[0].say: missing field"),
        ("/chapters/0/beats/0/say", json!("One."), "chapters[0].beats[0].say: found \"One.\", allowed: an array"),
        (
            "/chapters/0/beats/0/at",
            json!("soon"),
            "chapters[0].beats[0].at: found \"soon\", allowed: start, end or a time such as 37s or 00:37, or an event such \
             as {\"event\": \"committed\", \"nth\": 2}",
        ),
        (
            "/chapters/0/beats/0/at",
            json!({ "event": "committed", "nth": 0 }),
            "chapters[0].beats[0].at.nth: found 0, allowed: a whole number from 1 to 10000",
        ),
        (
            "/chapters/0/beats/0/screen",
            json!("summery"),
            "chapters[0].beats[0].screen: found \"summery\", allowed: run, summary, compare-strategies or compare-faults \
             (did you mean \"summary\"?)",
        ),
    ] {
        assert_eq!(found(&with(&[(pointer, value)])), [finding]);
    }
    let unknown = found(&with(&[("/chapters/0/beats/0/run/strategy", json!("naive"))]));
    assert!(unknown[0].starts_with("chapters[0].beats[0].run.strategy: found \"naive\", allowed: naive-retry, "));
    let typo = found(&with(&[("/chapters/0/beats/0/at", json!({ "event": "comitted" }))]));
    assert!(typo[0].starts_with("chapters[0].beats[0].at.event: found \"comitted\", allowed: attempt-started, "));
    assert!(typo[0].ends_with("(did you mean \"committed\"?)"));
}

#[test]
fn everything_is_found_at_once_in_the_order_of_the_file() {
    let lesson = with(&[
        ("/title", json!("")),
        ("/chapters/0/beats/0/say", json!("not an array")),
        ("/chapters/0/beats/1/say", json!([])),
        ("/chapters/0/beats/1/question/options/1/right", json!(false)),
    ]);
    let text = serde_json::to_string_pretty(&lesson).unwrap();
    let findings = check(&text);
    let mut places: Vec<&str> = findings.iter().map(|finding| &*finding.place).collect();
    assert!(findings.is_sorted_by_key(|finding| finding.at));
    places.sort_unstable();
    // The second beat has the run of the first, which cannot be read: nothing is said about its clock.
    let expected =
        ["chapters[0].beats[0].say", "chapters[0].beats[1].question.options", "chapters[0].beats[1].say", "title"];
    assert_eq!(places, expected);
}

#[test]
fn a_finding_shows_line_and_column() {
    let text = "{\n  \"title\": \"\",\n  \"about\": \"x\",\n  \"chapters\": [] }";
    let findings: Vec<String> = check(text).iter().map(ToString::to_string).collect();
    assert_eq!(
        findings,
        [
            "title: found no words, allowed: text (line 2, column 12)",
            "chapters: found no chapters, allowed: at least one (line 4, column 15)",
        ]
    );
}

#[test]
fn broken_json_has_one_fault() {
    for text in ["", "{", "[]", "{\"title\": \"x\",}", &" ".repeat(BYTES_MAX + 1)] {
        assert_eq!(check(text).len(), 1, "{:?}", check(text));
    }
}

#[test]
fn a_run_that_is_too_long_is_refused() {
    let strategy = json!({
        "key": "none", "verify": "none", "maxAttempts": 1000, "timeout": "1ms", "backoff": "0s",
        "onRefused": "retry", "onExhausted": "failed",
    });
    let plan: Vec<Value> =
        (1..=100).map(|call| json!({ "call": call, "request": { "copies": 100, "apart": "1s" } })).collect();
    let run = json!({ "strategy": strategy, "fault": plan });
    let found = found(&with(&[("/chapters/0/beats/0/run", run)]));
    assert_eq!(
        found,
        ["chapters[0].beats[0].run: the run has more than 10000 events; allowed: fewer attempts or fewer copies"]
    );
}

#[test]
fn there_is_a_limit_to_chapters_and_beats() {
    let chapter = &lesson()["chapters"][0];
    let many = |chapters: usize, beats: usize| {
        let beats: Vec<&Value> = std::iter::repeat_n(&chapter["beats"][0], beats).collect();
        let chapter = json!({ "title": "One of many", "beats": beats });
        found(&with(&[("/chapters", json!(vec![chapter; chapters]))]))
    };
    assert_eq!(many(CHAPTERS_MAX, BEATS_MAX / CHAPTERS_MAX), Vec::<String>::new());
    assert_eq!(many(101, 1), ["chapters: found 101 chapters, allowed: at most 100"]);
    assert_eq!(many(1, 501), ["chapters: found 501 beats, allowed: at most 500"]);
}

#[test]
fn hostile_text_is_made_safe() {
    let lesson = with(&[
        ("/title", json!("\u{1b}[2J")),
        ("/chapters/0/beats/0/say", json!(["\u{202e}x"])),
        ("/chapters/0/beats/1/note", json!("\u{9b}")),
        ("/chapters/0/beats/1/question/ask", json!("a\u{200b}b")),
    ]);
    let lesson = from_str(&lesson.to_string()).unwrap();
    let beats = &lesson.chapters[0].beats;
    assert_eq!(&*lesson.title, r"\u{1b}[2J");
    assert_eq!(&*beats[0].say[0], r"\u{202e}x");
    assert_eq!(beats[1].note.as_deref(), Some(r"\u{9b}"));
    assert_eq!(&*beats[1].question.as_ref().unwrap().ask, r"a\u{200b}b");
    let word = format!("\u{1b}{}", "w".repeat(99));
    let said = check(&with(&[("/chapters/0/beats/0/say", json!([word]))]).to_string())[0].to_string();
    assert!(!said.contains('\u{1b}') && said.len() < 200, "{said}");
}

#[test]
fn every_kind_of_event_has_the_name_that_a_file_gives_it() {
    for (kind, name) in EventKind::ALL {
        assert_eq!(crate::model::json::from_str::<EventKind>(&format!("\"{name}\"")), Ok(kind));
        assert_eq!(kind.name(), name);
    }
}
