//! The built-in lesson: it passes its check, and what it says is true in the runs that it shows.

use std::collections::BTreeSet;

use super::*;
use crate::model::fault::{RequestFate, ResponseFate};
use crate::model::{Fault, Span, Strategy};
use crate::sim::simulate;
use crate::trace::{Outcome, Report, Snapshot, Tally, Trace, Verdict, What};

fn stops() -> Vec<(Stop, Trace)> {
    let stops = Lesson::built_in().resolve().unwrap();
    stops.into_iter().map(|stop| (stop.clone(), simulate(&stop.scenario).unwrap())).collect()
}

fn end(trace: &Trace) -> Outcome {
    Tally::of(trace).outcome()
}

#[test]
fn the_lessons_that_come_along_pass_their_check() {
    for text in [include_str!("../../../assets/lesson.json"), starter()] {
        let findings: Vec<String> = check(text).iter().map(ToString::to_string).collect();
        assert_eq!(findings, Vec::<String>::new());
        assert!(from_str(text).unwrap().resolve().is_ok());
    }
}

/// The clock, the ledger and the report at every beat, and at every reveal.
#[test]
fn the_arc() {
    let mut board = Vec::new();
    for (stop, trace) in stops() {
        let line = |at: Time| {
            let world = Snapshot::at(&trace, at);
            let said = world.report.map_or_else(|| "no report".to_owned(), |(_, report)| report.to_string());
            format!("{at} {} charged, {said}", world.ledger.len())
        };
        let scenario = &stop.scenario;
        let run = format!("{} × {}", scenario.strategy.name, scenario.fault.name);
        let screen = if stop.screen == View::Run { run } else { format!("{:?}", stop.screen) };
        let hidden = if stop.hidden { "" } else { ", future shown" };
        board.push(format!("{}.{} {screen}: {}{hidden}", stop.chapter + 1, stop.beat + 1, line(stop.at)));
        if let Some(question) = stop.question {
            let right = &question.options[question.right].text;
            board.push(format!("    {} {right}: {}", question.ask, line(question.reveal_at)));
        }
    }
    insta::assert_snapshot!(board.join("\n"), @r"
    1.1 naive-retry × none: 00:00 0 charged, no report
    1.2 naive-retry × none: 00:02 1 charged, no report
    1.3 naive-retry × none: 00:04 1 charged, completed
    2.1 naive-retry × lost-ack: 00:02 1 charged, no report
    2.2 naive-retry × lost-ack: 00:30 1 charged, no report
    2.3 naive-retry × lost-ack: 00:31 1 charged, no report
        How many charges will the ledger hold in the end? Two: 00:33 2 charged, no report
    2.4 naive-retry × lost-ack: 00:35 2 charged, completed
    3.1 verify-then-retry × lost-ack: 00:31 1 charged, no report
    3.2 verify-then-retry × lost-ack: 00:35 1 charged, completed
    4.1 verify-then-retry × late-commit: 00:30 0 charged, no report
    4.2 verify-then-retry × late-commit: 00:33 0 charged, no report
    4.3 verify-then-retry × late-commit: 00:39 1 charged, completed
        What happens when request #1 reaches the service? The service charges acme again: 01:30 2 charged, completed
    4.4 verify-then-retry × late-commit: 01:32 2 charged, completed
    5.1 new-key-per-attempt × lost-ack: 00:02 1 charged, no report
    5.2 new-key-per-attempt × lost-ack: 00:31 1 charged, no report
        What will the service do with the second request? Make a second charge: 00:33 2 charged, no report
    5.3 new-key-per-attempt × lost-ack: 00:35 2 charged, completed
    6.1 verify-then-retry × redelivery: 00:02 1 charged, no report
        What will the agent report, and what will be true? It reports completed; two charges are made: 00:04 2 charged, completed
    6.2 verify-then-retry × redelivery: 00:05 2 charged, completed
    6.3 CompareStrategies: 00:05 2 charged, completed
    7.1 pinned-intent-key × late-commit: 00:31 0 charged, no report
    7.2 pinned-intent-key × late-commit: 00:35 1 charged, completed
        How many charges will the ledger hold in the end? One: 01:30 1 charged, completed
    7.3 CompareFaults: 01:32 1 charged, completed
    8.1 Summary: 01:32 1 charged, completed
    8.2 Summary: 01:32 1 charged, completed
    8.3 Summary: 01:32 1 charged, completed
    9.1 pinned-intent-key × lost-ack: 00:33 1 charged, no report
    9.2 verify-then-retry × lost-ack: 00:33 1 charged, no report
    9.3 pinned-intent-key × no-answers: 01:32 1 charged, no report
        What will the agent report? unknown: escalate: 01:33 1 charged, unknown: escalate
    9.4 Summary: 01:32 2 charged, completed
    ");
}

#[test]
fn every_strategy_every_fault_and_every_screen_has_its_turn() {
    let stops = stops();
    for strategy in Strategy::presets() {
        assert!(stops.iter().any(|(stop, _)| stop.scenario.strategy == strategy), "{}", strategy.name);
    }
    for fault in Fault::presets() {
        assert!(stops.iter().any(|(stop, _)| stop.scenario.fault == fault), "{}", fault.name);
    }
    for screen in [View::Run, View::Summary, View::CompareStrategies, View::CompareFaults] {
        assert!(stops.iter().any(|(stop, _)| stop.screen == screen), "{screen:?}");
    }
    assert_eq!(stops.last().unwrap().0.screen, View::Summary);
    assert!(stops.iter().all(|(stop, _)| stop.note.is_some()));
}

#[test]
fn every_clock_stands_where_something_happens() {
    for (stop, trace) in stops() {
        let clocks = [Some(stop.at), stop.question.map(|question| question.reveal_at)];
        for clock in clocks.into_iter().flatten() {
            let place = (stop.chapter + 1, stop.beat + 1);
            assert!(trace.events().iter().any(|event| event.at == clock), "{place:?} at {clock}");
        }
    }
}

#[test]
fn no_beat_shows_the_answer_to_a_later_question_about_its_run() {
    let stops = stops();
    for (n, (stop, _)) in stops.iter().enumerate() {
        let asked = stops[n..].iter().any(|(later, _)| later.run == stop.run && later.question.is_some());
        assert!(!asked || stop.hidden, "chapter {} beat {}", stop.chapter + 1, stop.beat + 1);
    }
}

/// Whatever a text says by a number can be seen in the run, and has happened by the time that the clock stands at.
#[test]
fn what_the_texts_quote_is_on_the_screen() {
    let mut quotes = 0;
    for (stop, trace) in stops() {
        let mut by = |at: Time, words: &str| {
            for word in words.split(|c: char| c.is_whitespace() || ",.;?".contains(c)) {
                let word = word.trim_matches(':');
                if word.contains(|c: char| c.is_ascii_digit()) {
                    let unit = words.contains(&format!("{word} s"));
                    let seen = is_seen(&trace, at, word, unit);
                    assert!(seen, "chapter {} beat {} at {at}: {word} in {words:?}", stop.chapter + 1, stop.beat + 1);
                    quotes += 1;
                }
            }
        };
        by(stop.at, &paragraph(&stop.say));
        if let Some(question) = &stop.question {
            by(stop.at, &question.ask);
            by(question.reveal_at, &paragraph(&question.reveal_say));
            question.options.iter().for_each(|option| by(question.reveal_at, &option.why));
            question.options.iter().for_each(|option| by(question.reveal_at, &option.text));
        }
    }
    assert!(quotes > 50, "only {quotes} quotes were found");
}

fn is_seen(trace: &Trace, at: Time, word: &str, is_seconds: bool) -> bool {
    let scenario = trace.scenario();
    let events: Vec<_> = trace.between(None, at).iter().collect();
    if is_seconds {
        return spans(trace).contains(&format!("{word} s"));
    }
    let keys = events.iter().filter_map(|event| match event.what {
        What::AttemptStarted { key, .. } => key,
        _ => None,
    });
    let keys: Vec<String> = keys.map(|key| trace.key_text(key)).collect();
    let charges = Snapshot::at(trace, at).ledger;
    let attempts = events.iter().filter(|event| matches!(event.what, What::AttemptStarted { .. })).count();
    match word {
        "task-42" => &*scenario.task.id == word,
        "$49" | "00" => crate::model::task::money(scenario.task.args.amount_cents()) == "$49.00",
        // The number of an attempt, and of the runs and duplicates of the summary.
        "2" if attempts == 2 => true,
        "16" => Scenario::presets().count() == 16,
        "7" => duplicates().count() == 7 && duplicates().all(|outcome| outcome.is_quiet()),
        _ if word.starts_with("ch_") => charges.iter().any(|charge| charge.id.to_string() == word),
        _ if word.starts_with('#') => trace.messages().iter().any(|m| m.sent_at <= at && m.id.to_string() == word),
        _ if word.contains(':') => events.iter().any(|event| event.at.to_string() == word),
        _ => keys.iter().any(|key| key == word),
    }
}

/// All lengths of time that the run is made of.
fn spans(trace: &Trace) -> BTreeSet<String> {
    let scenario = trace.scenario();
    let plan = scenario.fault.plan.calls.iter().flat_map(|strike| {
        let request = match strike.request {
            RequestFate::Delayed(span) | RequestFate::Copied { apart: span, .. } => Some(span),
            _ => None,
        };
        let response = match strike.response {
            ResponseFate::Delayed(span) => Some(span),
            _ => None,
        };
        [request, response]
    });
    let strategy = &scenario.strategy;
    let own = [strategy.timeout, strategy.backoff.first, scenario.network.latency];
    own.into_iter().chain(plan.flatten()).map(Span::human).collect()
}

fn duplicates() -> impl Iterator<Item = Outcome> {
    let outcomes = Scenario::presets().map(|scenario| end(&simulate(&scenario).unwrap()));
    outcomes.filter(|outcome| outcome.verdict() == Verdict::Duplicate)
}

/// The right answers, in the order in which they are asked for, and what in the run makes them right.
#[test]
fn the_right_answers_are_right() {
    type Truth = fn(&Outcome) -> bool;
    let truths: [(&str, Truth); 6] = [
        ("Two", |end| end.charges == 2),
        ("The service charges acme again", |end| end.charges == 2),
        ("Make a second charge", |end| end.charges == 2),
        ("It reports completed; two charges are made", |end| end.charges == 2 && end.is_quiet()),
        ("One", |end| end.charges == 1),
        ("unknown: escalate", |end| matches!(end.report, Some((_, Report::UnknownEscalate)))),
    ];
    let asked: Vec<_> = stops().into_iter().filter_map(|(stop, trace)| Some((stop.question?, trace))).collect();
    assert_eq!(asked.len(), truths.len());
    for ((question, trace), (answer, truth)) in asked.iter().zip(truths) {
        assert_eq!(&*question.options[question.right].text, answer);
        assert!(truth(&end(trace)), "{answer}");
        // What is seen at the reveal is how the run ends.
        assert_eq!(Snapshot::at(trace, question.reveal_at).ledger.len(), end(trace).charges as usize);
    }
}

/// What the lesson says of whole rows and columns of the grid.
#[test]
fn the_comparisons_hold() {
    let outcome = |strategy: &Strategy, fault: &str| {
        let fault = Fault::preset(fault).unwrap();
        end(&simulate(&Scenario::new(strategy.clone(), fault)).unwrap()).charges
    };
    let [naive, verify, new_key, pinned] = Strategy::presets();
    // "Where there is a key, the copy carries the same one, and the service makes only one charge."
    assert_eq!([&naive, &verify, &new_key, &pinned].map(|strategy| outcome(strategy, "redelivery")), [2, 2, 1, 1]);
    // "One key for the intent, and every fault ends with one charge."
    assert_eq!(Fault::PRESETS.map(|fault| outcome(&pinned, fault)), [1; 4]);
    // "A late request ends the same way here."
    assert_eq!(outcome(&new_key, "late-commit"), 2);
    // "Verify looks too early, or not at all", and wins against a lost answer.
    assert_eq!(Fault::PRESETS.map(|fault| outcome(&verify, fault)), [1, 1, 2, 2]);
    // "The service keeps what was ordered, sees the difference and refuses."
    assert!(matches!(crate::sim::key_reuse().second, crate::trace::Answer::Refused(_)));
}
