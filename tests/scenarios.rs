//! The file form of a scenario: what it takes, what it refuses and how it says so, and that what is written is read.

use proptest::prelude::{Just, Strategy as Generate, any, prop, prop_assert_eq, prop_oneof, proptest};
use retryscope::model::by_name::Preset;
use retryscope::model::fault::{Call, CallFault, Copies, RequestFate, ResponseFate};
use retryscope::model::strategy::{Attempts, KeyPolicy, OnExhausted, OnRefused, Verify};
use retryscope::model::task::{Args, Name};
use retryscope::model::{Contract, Fault, Scenario, Span, Strategy, Task, Text, scenario::Network};
use retryscope::sim::simulate;
use retryscope::trace::{Belief, Snapshot};
use serde_json::{Value, json};

/// A scenario that holds everything that a file can hold.
fn full() -> Value {
    json!({
        "name": "everything",
        "task": {"id": "task-7", "tool": "create_charge", "args": {"customer": "acme", "amountCents": 100, "note": [1.5, null]}},
        "strategy": {"name": "mine", "key": "per-attempt", "verify": "look-alike", "maxAttempts": 5, "timeout": "10s",
                     "backoff": "250ms", "onRefused": "fail", "onExhausted": "escalate"},
        "fault": {"name": "bad day", "plan": [
            {"call": 1, "request": "lose"},
            {"call": 2, "request": {"delay": "90s"}, "response": {"delay": "40s"}},
            {"call": 3, "request": {"copies": 3, "apart": "1s"}, "response": "lose"},
        ]},
        "contract": "keyed",
        "network": {"latency": "500ms"},
        "horizon": "24h",
    })
}

/// What is said of the full scenario with `value` in place of what stands at `place`, a JSON pointer.
fn refusal(place: &str, value: Value) -> String {
    let mut scenario = full();
    let (parent, name) = place.rsplit_once('/').unwrap();
    match scenario.pointer_mut(parent).unwrap() {
        Value::Object(map) => map.insert(name.to_owned(), value).map_or((), drop),
        parent => parent[name.parse::<usize>().unwrap()] = value,
    }
    said(&scenario.to_string())
}

fn said(text: &str) -> String {
    match Scenario::from_json(text) {
        Ok(scenario) => panic!("taken: {scenario:?}"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn everything_but_strategy_and_fault_may_be_left_out() {
    let short = Scenario::from_json(r#"{"strategy": "naive-retry", "fault": "lost-ack"}"#).unwrap();
    assert_eq!(short, Scenario::presets().nth(4).unwrap());
    assert_eq!(said(r#"{"strategy": "naive-retry"}"#), "fault: missing field (line 1, column 1)");
    assert_eq!(said(r#"{"fault": "none"}"#), "strategy: missing field (line 1, column 1)");
}

#[test]
fn every_part_can_be_written_out() {
    let scenario = Scenario::from_json(&full().to_string()).unwrap();
    assert_eq!(scenario.strategy.max_attempts.get(), 5);
    assert_eq!(scenario.strategy.key, KeyPolicy::PerAttempt);
    assert_eq!(scenario.fault.of_call(1), (RequestFate::Lost, ResponseFate::Delivered));
    assert_eq!(
        scenario.fault.of_call(2),
        (RequestFate::Delayed(Span::secs(90)), ResponseFate::Delayed(Span::secs(40)))
    );
    let copied = RequestFate::Copied { copies: Copies::new(3), apart: Span::secs(1) };
    assert_eq!(scenario.fault.of_call(3), (copied, ResponseFate::Lost));
    assert_eq!(serde_json::to_value(&scenario).unwrap(), full());

    let bare = r#"{"strategy": "naive-retry", "fault": [{"call": 2, "response": "lose"}]}"#;
    let bare = Scenario::from_json(bare).unwrap();
    assert_eq!(bare.fault.of_call(2), (RequestFate::Delivered, ResponseFate::Lost));
    assert_eq!(&*bare.fault.name, "custom");
}

#[test]
fn what_is_not_allowed_is_refused_with_the_place_what_was_found_and_what_is_allowed() {
    let span = "a whole number and a unit, such as 250ms, 90s, 15m, 24h";
    let request = r#"allowed: deliver, lose or {"delay": "90s"}, {"delay": {"from": "40s", "to": "2h"}} or {"copies": 2, "apart": "1s"}"#;
    let plans = r#"an array of plans such as {"call": 1, "response": "lose"}"#;
    let amount = "a whole number from 1 to 10000000000";
    let or_object = |names: &[&str]| format!("{} or an object", names.join(", "));
    let strategies = or_object(Strategy::NAMES);
    let contracts = or_object(Contract::NAMES);
    let faults = format!("{} or {plans}", Fault::NAMES.join(", "));
    let fields = "name, task, strategy, fault, contract, network, horizon, seed, others, about, expect";
    let mut wrong = Vec::new();
    let empty = "found an empty name, allowed: 1 to 200 characters";
    for (place, value, expected) in [
        // A wrong type.
        ("/name", json!(3), "name: found 3, allowed: a string".to_owned()),
        ("/name", json!(null), "name: found null, allowed: a string".into()),
        ("/task", json!("task-42"), "task: found \"task-42\", allowed: an object".into()),
        ("/task/id", json!(42), "task.id: found 42, allowed: a string".into()),
        ("/task/args/customer", json!(["acme"]), "task.args.customer: found an array, allowed: a string".into()),
        ("/task/args/amountCents", json!("4900"), format!("task.args.amountCents: found \"4900\", allowed: {amount}")),
        ("/task/args/amountCents", json!(49.5), format!("task.args.amountCents: found 49.5, allowed: {amount}")),
        ("/strategy/timeout", json!(30), format!("strategy.timeout: found 30, allowed: {span}")),
        ("/strategy/maxAttempts", json!("3"), "strategy.maxAttempts: found \"3\", allowed: a whole number from 1 to 1000".into()),
        ("/strategy/key", json!(true), "strategy.key: found true, allowed: none, per-attempt, per-intent, per-run or after-first".into()),
        ("/strategy", json!(null), format!("strategy: found null, allowed: {strategies}")),
        ("/fault", json!(7), format!("fault: found 7, allowed: {faults}")),
        ("/fault/plan/0/request", json!(false), format!("fault.plan[0].request: found false, {request}")),
        ("/fault/plan/1/request/delay", json!(null), format!("fault.plan[1].request.delay: found null, allowed: {span}, or {{\"from\": \"40s\", \"to\": \"2h\"}}")),
        ("/contract", json!(1), format!("contract: found 1, allowed: {contracts}")),
        ("/horizon", json!(null), format!("horizon: found null, allowed: {span}")),
        // An array where an object belongs, and the other way round.
        ("/task", json!(["task-42", "t", {}]), "task: found an array, allowed: an object".into()),
        ("/task/args", json!(["acme", 4900]), "task.args: found an array, allowed: an object".into()),
        ("/strategy", json!(["mine", "none"]), format!("strategy: found an array, allowed: {strategies}")),
        ("/network", json!(["2s"]), "network: found an array, allowed: an object".into()),
        ("/fault/plan", json!({}), format!("fault.plan: found an object, allowed: {plans}")),
        ("/fault/plan/0", json!([1, "lose"]), "fault.plan[0]: found an array, allowed: an object".into()),
        ("/fault/plan/0/request", json!(["lose"]), format!("fault.plan[0].request: found an array, {request}")),
        ("/contract", json!(["keyed"]), format!("contract: found an array, allowed: {contracts}")),
        // Unknown names.
        ("/strategey", json!("x"), format!("strategey: unknown field; allowed: {fields} (did you mean \"strategy\"?)")),
        ("/strategy/retries", json!(3), "strategy.retries: unknown field; allowed: name, key, verify, maxAttempts, timeout, backoff, onRefused, onExhausted, onTimeout, onServerError, onConflict, onUnavailable, onUnverified, verifyAfter, verifyKnowsLag, memo, transport, drift, crash".into()),
        ("/task/amount", json!(3), "task.amount: unknown field; allowed: id, tool, args".into()),
        ("/network/loss", json!(3), "network.loss: unknown field; allowed: latency".into()),
        ("/fault/plans", json!([]), "fault.plans: unknown field; allowed: name, plan (did you mean \"plan\"?)".into()),
        ("/fault/plan/0/reply", json!("lose"), "fault.plan[0].reply: unknown field; allowed: call, lookup, down, request, service, response".into()),
        ("/fault/plan/1/request/by", json!("1s"), "fault.plan[1].request.by: unknown field; allowed: delay, copies, apart".into()),
        ("/fault/plan/1/response/copies", json!(2), "fault.plan[1].response.copies: unknown field; allowed: delay".into()),
        ("/strategy", json!("naive"), format!("strategy: found \"naive\", allowed: {strategies}")),
        ("/fault", json!("lost-ac"), format!("fault: found \"lost-ac\", allowed: {faults} (did you mean \"lost-ack\"?)")),
        ("/fault/plan/0/request", json!("lost"), format!("fault.plan[0].request: found \"lost\", {request} (did you mean \"lose\"?)")),
        ("/contract", json!("keyless"), format!("contract: found \"keyless\", allowed: {contracts}")),
        ("/strategy/onRefused", json!("give-up"), "strategy.onRefused: found \"give-up\", allowed: retry, fail, escalate or completed".into()),
        ("/strategy/onExhausted", json!("fail"), "strategy.onExhausted: found \"fail\", allowed: failed, escalate or completed".into()),
        ("/strategy/verify", json!("LOOK-ALIKE"), "strategy.verify: found \"LOOK-ALIKE\", allowed: none, look-alike, look-alike-since or by-key (did you mean \"look-alike\"?)".into()),
        // Numbers and times out of range.
        ("/task/args/amountCents", json!(0), format!("task.args.amountCents: found 0, allowed: {amount}")),
        ("/task/args/amountCents", json!(-1), format!("task.args.amountCents: found -1, allowed: {amount}")),
        ("/task/args/amountCents", json!(10_000_000_001_u64), format!("task.args.amountCents: found 10000000001, allowed: {amount}")),
        ("/strategy/maxAttempts", json!(0), "strategy.maxAttempts: found 0, allowed: a whole number from 1 to 1000".into()),
        ("/strategy/maxAttempts", json!(1001), "strategy.maxAttempts: found 1001, allowed: a whole number from 1 to 1000".into()),
        ("/strategy/maxAttempts", json!(2.5), "strategy.maxAttempts: found 2.5, allowed: a whole number from 1 to 1000".into()),
        ("/strategy/timeout", json!("0s"), "strategy.timeout: found no time at all, allowed: at least 1ms".into()),
        ("/strategy/backoff", json!("-1s"), format!("strategy.backoff: found \"-1s\", allowed: {span}")),
        ("/strategy/backoff", json!("1.5s"), format!("strategy.backoff: found \"1.5s\", allowed: {span}")),
        ("/network/latency", json!("2 s"), format!("network.latency: found \"2 s\", allowed: {span}")),
        ("/network/latency", json!("99999999999999999999h"), "network.latency: found \"99999999999999999999h\", allowed: at most 8784h".into()),
        ("/horizon", json!("8785h"), "horizon: found \"8785h\", allowed: at most 8784h".into()),
        ("/fault/plan/0/call", json!(0), "fault.plan[0].call: found 0, allowed: a whole number from 1 to 10000".into()),
        ("/fault/plan/2/request/copies", json!(1), "fault.plan[2].request.copies: found 1, allowed: a whole number from 2 to 100".into()),
        ("/fault/plan/2/request/copies", json!(101), "fault.plan[2].request.copies: found 101, allowed: a whole number from 2 to 100".into()),
        ("/task/id", json!(""), format!("task.id: {empty}")),
        ("/task/tool", json!(""), format!("task.tool: {empty}")),
        ("/task/id", json!("x".repeat(201)), "task.id: found 201 characters, allowed: 1 to 200".into()),
        // Things that do not go together.
        ("/fault/plan/1/call", json!(1), "fault.plan: found two plans for call 1, allowed: one a call".into()),
        ("/fault/plan/1/request/copies", json!(2), format!("fault.plan[1].request: found delay and copies, {}", &request[..8]) + r#" {"delay": "90s"}, {"delay": {"from": "40s", "to": "2h"}} or {"copies": 2, "apart": "1s"}"#),
        ("/fault/plan/1/request", json!({}), r#"fault.plan[1].request: found no fields, allowed: {"delay": "90s"}, {"delay": {"from": "40s", "to": "2h"}} or {"copies": 2, "apart": "1s"}"#.into()),
        ("/fault/plan/1/response", json!({}), "fault.plan[1].response.delay: missing field".into()),
        ("/fault", json!((1..=101).map(|call| json!({"call": call})).collect::<Vec<_>>()), "fault: found 101 plans, allowed: at most 100".into()),
        // Text that would drive the terminal.
        ("/contract", json!("\u{1b}[31m\u{202e}"), r#"contract: found "\u{1b}[31m\u{202e}", allowed: "#.to_owned() + &contracts),
        ("/\u{1b}[31m", json!(1), r#"["\u{1b}[31m"]: unknown field; allowed: "#.to_owned() + fields),
    ] {
        let said = refusal(place, value);
        let (said, at) = said.rsplit_once(" (line ").unwrap_or_else(|| panic!("no place: {said}"));
        if said != expected {
            wrong.push(format!("{place}\n  said {said}\n  not  {expected}"));
        }
        assert!(at.ends_with(')'), "{at}");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_text_that_is_no_single_plain_object_is_refused() {
    for (text, expected) in [
        ("", "found nothing, allowed: a JSON value"),
        ("[]", "found an array, allowed: an object (line 1, column 1)"),
        ("\"naive-retry\"", "found \"naive-retry\", allowed: an object (line 1, column 1)"),
        (
            r#"{"fault": "none", "fault": "none", "strategy": "naive-retry"}"#,
            "fault: the name stands here twice, allowed: once",
        ),
        (
            r#"{"task": {"args": {"customer": "a", "customer": "b", "amountCents": 1}}}"#,
            "task.args.customer: the name stands here twice",
        ),
        (r#"{"strategy": {"key": "none", "key": "none"}}"#, "strategy.key: the name stands here twice"),
        (r#"{"strategy": "naive-retry", "fault": "none"} x"#, "(line 1, column 46)"),
        (r#"{"strategy": "naive-retry", "fault": "none"}{}"#, "(line 1, column 45)"),
        (r#"{"strategy": "naive-retry", "fault": "none",}"#, "found a comma after the last one"),
        (r#"{"strategy": NaN}"#, "found NaN, allowed: a number"),
        (r#"{"task": {"args": {"customer": "a", "amountCents": 1, "x": 1e999}}}"#, "task.args.x: found 1e999"),
        (r#"{"task": {"id": "a", "tool": "b", "args": {"amountCents": 1}}}"#, "task.args.customer: missing field"),
        (r#"{"task": {"id": "a", "tool": "b", "args": {"customer": "a"}}}"#, "task.args.amountCents: missing field"),
        (r#"{"strategy": {"name": "x"}, "fault": "none"}"#, "strategy.key: missing field"),
        (r#"{"strategy": "naive-retry", "fault": [{}]}"#, "fault[0]: found none of them"),
    ] {
        let said = said(text);
        assert!(said.contains(expected), "{text}\n{said}\nshould say: {expected}");
    }
    let nested = format!(r#"{{"task": {}1{}}}"#, "[".repeat(100_000), "]".repeat(100_000));
    assert!(!said(&nested).is_empty());
    assert!(said(&" ".repeat(2 << 20)).contains("allowed: at most 1048576 bytes"));
}

fn any_name() -> impl Generate<Value = Text> {
    any::<String>().prop_map(|name| Text::new(&name))
}

fn any_span(from_ms: u64) -> impl Generate<Value = Span> {
    prop_oneof![(from_ms..=Span::MAX.as_ms()), (from_ms..200_000), (1_u64..200).prop_map(|s| s * 1_000)]
        .prop_map(Span::ms)
}

fn any_strategy() -> impl Generate<Value = Strategy> {
    let key = prop::sample::select(vec![KeyPolicy::None, KeyPolicy::PerAttempt, KeyPolicy::PerIntent]);
    let ends = (any::<bool>(), any::<bool>(), any::<bool>());
    let mine = (any_name(), key, ends, 1_u32..=1_000, any_span(1), any_span(0)).prop_map(
        |(name, key, (verify, refused, exhausted), attempts, timeout, backoff)| Strategy {
            name,
            key,
            verify: if verify { Verify::LookAlike } else { Verify::None },
            max_attempts: Attempts::new(attempts),
            timeout,
            backoff: backoff.into(),
            on_refused: if refused { OnRefused::Fail } else { OnRefused::Retry },
            on_exhausted: if exhausted { OnExhausted::Escalate } else { OnExhausted::Failed },
            ..Strategy::presets()[0].clone()
        },
    );
    prop_oneof![mine, prop::sample::select(Strategy::presets().to_vec())]
}

fn any_fault() -> impl Generate<Value = Fault> {
    let copied = (2_u32..=100, any_span(0));
    let request = prop_oneof![
        Just(RequestFate::Delivered),
        Just(RequestFate::Lost),
        any_span(0).prop_map(RequestFate::Delayed),
        copied.prop_map(|(copies, apart)| RequestFate::Copied { copies: Copies::new(copies), apart }),
    ];
    let response = prop_oneof![
        Just(ResponseFate::Delivered),
        Just(ResponseFate::Lost),
        any_span(0).prop_map(ResponseFate::Delayed),
    ];
    let plan = prop::collection::btree_map(1_u32..=1_000, (request, response), 0..8).prop_map(|plan| {
        plan.into_iter()
            .map(|(call, (request, response))| CallFault { request, response, ..CallFault::none(Call::new(call)) })
            .collect::<Vec<_>>()
            .into()
    });
    let names = prop_oneof![any_name(), prop::sample::select(Fault::PRESETS.to_vec()).prop_map(Text::new)];
    let mine = (names, plan).prop_map(|(name, plan)| Fault { name, plan });
    prop_oneof![mine, prop::sample::select(Fault::presets().to_vec())]
}

fn any_task() -> impl Generate<Value = Task> {
    let extra = prop_oneof![
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        (-1e15..1e15).prop_map(|x: f64| Value::from(x)),
        "\\PC*".prop_map(Value::from),
        Just(json!({"nested": [1, null, {"deeper": ""}]})),
    ];
    let args =
        (any::<String>(), 1..=Args::AMOUNT_MAX, prop::collection::btree_map("[a-z \"\u{1b}é]{0,5}", extra, 0..3));
    let name = || any::<String>().prop_filter_map("a length that is allowed", |name| Name::new(&name).ok());
    (name(), name(), args).prop_map(|(id, tool, (customer, amount, extra))| {
        let mut map: serde_json::Map<_, _> = extra.into_iter().collect();
        let customer: String = customer.chars().filter(|c| u32::from(*c) & 0xFFFE != 0xFFFE).collect();
        map.insert("customer".to_owned(), customer.into());
        map.insert("amountCents".to_owned(), amount.into());
        Task { id, tool, args: Args::new(map).expect("a customer and an amount") }
    })
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(
        name in any_name(), task in any_task(), strategy in any_strategy(), fault in any_fault(),
        latency in any_span(0), horizon in any_span(0),
    ) {
        let network = Network { latency };
        let scenario = Scenario { name, task, network, horizon, ..Scenario::new(strategy, fault) };
        let file = serde_json::to_string(&scenario).unwrap();
        let read = Scenario::from_json(&file);
        prop_assert_eq!(read.as_ref(), Ok(&scenario), "{}", file);
    }
}

/// A client that remembers a success has nothing to ask for, and knows so.
#[test]
fn who_remembers_a_success_believes_that_it_is_done() {
    let text = r#"{"strategy": "remember-successes", "fault": "none", "others": [{"startsAt": "10s"}]}"#;
    let trace = simulate(&Scenario::from_json(text).unwrap()).unwrap();
    let world = Snapshot::at(&trace, trace.end());
    assert_eq!(world.ledger.len(), 1, "the second sends nothing");
    let beliefs: Vec<Belief> = trace.agents().map(|agent| world.belief_of(agent)).collect();
    assert_eq!(beliefs, [Belief::Done, Belief::Done]);
}
