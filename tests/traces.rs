//! The 16 runs, field by field, against `runs.json`; and what holds of every trace.

use retryscope::model::Scenario;
use retryscope::sim::{Simulator, simulate};
use retryscope::trace::snapshot::{AttemptState, LookupState};
use retryscope::trace::{Payload, Snapshot, Tally, Trace, What};
use serde_json::{Value, json};

fn facts(trace: &Trace) -> Value {
    let tally = Tally::of(trace);
    let outcome = tally.outcome();
    let end = Snapshot::at(trace, trace.end());
    let (reported_at, report) = outcome.report.expect("every run ends in a report");
    let lookups = end.lookups.iter().map(|lookup| {
        let (at, found) = match lookup.state {
            LookupState::Found(at, _) => (at, true),
            LookupState::NotFound(at) => (at, false),
            state => panic!("every lookup is answered, but one is {state:?}"),
        };
        json!({"atMs": at.as_ms(), "found": found})
    });
    let timeouts = end.attempts.iter().filter_map(|attempt| match attempt.state {
        AttemptState::TimedOut(at) => Some(at.as_ms()),
        _ => None,
    });
    json!({
        "fault": &*trace.scenario().fault.name,
        "strategy": &*trace.scenario().strategy.name,
        "charges": outcome.charges,
        "verdict": outcome.verdict().name(),
        "quiet": outcome.is_quiet(),
        "report": report.to_string(),
        "reportedAtMs": reported_at.as_ms(),
        "ledger": end.ledger.iter().map(|c| json!({"id": c.id.to_string(), "atMs": c.at.as_ms()})).collect::<Vec<_>>(),
        "attempts": end.attempts.iter().map(|a| json!({
            "number": a.number,
            "atMs": a.started_at.as_ms(),
            "key": a.key.map(|key| trace.key_text(key)),
        })).collect::<Vec<_>>(),
        "timeoutsAtMs": timeouts.collect::<Vec<_>>(),
        "lookups": lookups.collect::<Vec<_>>(),
        "replays": tally.replays,
        "answersToNobody": tally.answers_to_nobody,
    })
}

#[test]
fn the_sixteen_runs_are_right_field_by_field() {
    let right: Value = serde_json::from_str(include_str!("runs.json")).unwrap();
    let runs: Vec<Value> = Scenario::presets().map(|scenario| facts(&simulate(&scenario).unwrap())).collect();
    for (run, right) in runs.iter().zip(right["runs"].as_array().unwrap()) {
        assert_eq!(run, right, "{} × {}", right["strategy"], right["fault"]);
    }
    assert_eq!(runs.len(), 16);
}

#[test]
fn a_message_lost_is_sent_and_never_arrives() {
    for scenario in Scenario::presets() {
        let trace = simulate(&scenario).unwrap();
        for message in trace.messages().iter().filter(|message| message.arrives_at().is_none()) {
            assert!(matches!(message.payload, Payload::Response { .. }));
            assert!(
                !trace
                    .events()
                    .iter()
                    .any(|e| matches!(e.what, What::Arrived(id) | What::ArrivedToNobody(id) if id == message.id))
            );
        }
    }
}

#[test]
fn counting_comes_to_what_the_trace_comes_to() {
    let mut simulator = Simulator::default();
    for scenario in Scenario::presets() {
        assert_eq!(simulator.count(&scenario), Ok(Tally::of(&simulate(&scenario).unwrap())));
    }
}
