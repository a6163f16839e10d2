//! What holds of every run of the whole space: generated strategies, faults, contracts and agents.

use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::Strategy as Generate;
use retryscope::model::by_name::Preset;
use retryscope::model::cast::Cast;
use retryscope::model::contract::{
    Contract, InProgress, Keys, Mismatch, ReadPath, Reads, Recorded, Repeat, Retention, Stores,
};
use retryscope::model::fault::{
    Call, CallFault, Copies, FaultPlan, LookupFate, LookupFault, Outage, OutageAnswer, RequestFate, ResponseFate,
    ServiceFate,
};
use retryscope::model::gallery;
use retryscope::model::number::WholeNumber;
use retryscope::model::scenario::Agent;
use retryscope::model::strategy::{
    Attempts, Backoff, Crash, Drift, Jitter, KeyPolicy, Memo, OnExhausted, Reaction, Survival, Transport, Verify,
};
use retryscope::model::task::{Args, Name};
use retryscope::model::{Fault, Scenario, Span, Strategy, Task, Text, Time};
use retryscope::sim::alternatives::alternatives;
use retryscope::sim::{EVENTS_MAX, Prepared, Simulator, remedy, simulate};
use retryscope::trace::{Kind, Report, Snapshot, Tally, Trace, Verdict, What, cause, parting};
use serde_json::{Map, Value};

// ── The space ────────────────────────────────────────────────────────────────────────────────────

/// Spans at which something may change: shorter and longer than the latency, the timeouts and the lags.
fn span() -> impl Generate<Value = Span> {
    select(vec![0, 1, 500, 1_000, 2_000, 4_000, 8_000, 29_000, 30_000, 31_000, 90_000, 120_000, 3_600_000, 86_400_000])
        .prop_map(Span::ms)
}

fn some_time() -> impl Generate<Value = Span> {
    span().prop_map(|span| span.max(Span::ms(1)))
}

fn reaction() -> impl Generate<Value = Reaction> {
    prop_oneof![
        6 => Just(Reaction::Retry),
        1 => Just(Reaction::Fail),
        1 => Just(Reaction::Escalate),
        1 => Just(Reaction::Completed),
    ]
}

fn backoff() -> impl Generate<Value = Backoff> {
    let jitter = select(vec![Jitter::None, Jitter::Full, Jitter::Equal]);
    (span(), 1_u32..=10, span(), jitter).prop_map(|(first, factor, cap, jitter)| Backoff {
        first,
        factor: WholeNumber::new(factor),
        cap,
        jitter,
    })
}

fn survival() -> impl Generate<Value = Survival> {
    select(vec![Survival::Kept, Survival::Lost])
}

fn key() -> impl Generate<Value = KeyPolicy> {
    use KeyPolicy::{AfterFirst, None, PerAttempt, PerIntent, PerRun};
    select(vec![None, PerAttempt, PerIntent, PerRun, AfterFirst])
}

prop_compose! {
    fn reactions()(r in [reaction(), reaction(), reaction(), reaction(), reaction(), reaction()]) -> [Reaction; 6] { r }
}

prop_compose! {
    fn strategy()(
        key in key(),
        verify in select(vec![Verify::None, Verify::LookAlike, Verify::LookAlikeSince, Verify::ByKey]),
        max_attempts in 1_u32..=4,
        (timeout, backoff, verify_after, verify_knows_lag) in (some_time(), backoff(), span(), any::<bool>()),
        [on_refused, on_timeout, on_server_error, on_conflict, on_unavailable, on_unverified] in reactions(),
        on_exhausted in select(vec![OnExhausted::Failed, OnExhausted::Escalate, OnExhausted::Completed]),
        memo in select(vec![Memo::None, Memo::ByTask, Memo::ByArguments]),
        transport in proptest::option::of((0_u32..=3, some_time(), backoff(), any::<bool>())),
        drift in proptest::option::weighted(0.2, (2_u32..=3, any::<bool>(), any::<bool>())),
        crash in proptest::option::weighted(0.2, (span(), span(), survival(), survival())),
    ) -> Strategy {
        Strategy {
            name: Text::new("generated"),
            key,
            verify,
            max_attempts: Attempts::new(max_attempts),
            timeout,
            backoff,
            on_refused,
            on_exhausted,
            on_timeout,
            on_server_error,
            on_conflict,
            on_unavailable,
            on_unverified,
            verify_after,
            verify_knows_lag,
            memo,
            transport: transport.map(|(retries, timeout, backoff, repeats_key)| Transport {
                retries: WholeNumber::new(retries), timeout, backoff, repeats_key,
            }),
            drift: drift.map(|(from, amount, key_follows)| {
                let (name, value) = if amount { ("amountCents", 5_000) } else { ("stamp", 2) };
                let args = Map::from_iter([(name.to_owned(), Value::from(value))]);
                Drift { from_attempt: WholeNumber::new(from), args, key_follows }
            }),
            crash: crash.map(|(at, resume_after, key, progress)| Crash { at, resume_after, key, progress }),
        }
    }
}

fn request() -> impl Generate<Value = RequestFate> {
    prop_oneof![
        3 => Just(RequestFate::Delivered),
        2 => Just(RequestFate::Lost),
        2 => span().prop_map(RequestFate::Delayed),
        1 => Just(RequestFate::Drawn { from: Span::secs(40), to: Span::secs(7_200) }),
        2 => (2_u32..=4, span()).prop_map(|(copies, apart)| RequestFate::Copied { copies: Copies::new(copies), apart }),
    ]
}

fn response() -> impl Generate<Value = ResponseFate> {
    prop_oneof![
        3 => Just(ResponseFate::Delivered),
        2 => Just(ResponseFate::Lost),
        2 => span().prop_map(ResponseFate::Delayed),
        1 => Just(ResponseFate::Drawn { from: Span::secs(40), to: Span::secs(7_200) }),
    ]
}

fn service() -> impl Generate<Value = ServiceFate> {
    prop_oneof![
        4 => Just(ServiceFate::Works),
        1 => Just(ServiceFate::ErrorBefore),
        1 => Just(ServiceFate::ErrorAfter),
        1 => Just(ServiceFate::Unavailable),
        1 => Just(ServiceFate::RateLimited { retry_after: Span::secs(20) }),
        1 => Just(ServiceFate::Crash),
    ]
}

prop_compose! {
    fn plan()(
        calls in proptest::collection::vec((request(), service(), response()), 0..5),
        lookups in proptest::collection::vec((response(), 0_u8..3, span(), response()), 0..3),
        outage in proptest::option::weighted(0.2, (span(), some_time(), any::<bool>())),
    ) -> FaultPlan {
        let calls = calls.into_iter().zip(1..).map(|((request, service, response), n)| CallFault {
            call: Call::new(n), request, service, response,
        });
        let lookups = lookups.into_iter().zip(1..).map(|((request, service, lag, response), n)| LookupFault {
            lookup: Call::new(n),
            request,
            service: [LookupFate::Works, LookupFate::Error, LookupFate::Lag(lag)][usize::from(service)],
            response,
        });
        let outages = outage.into_iter().map(|(from, long, silent)| Outage {
            from,
            until: from + long,
            sees: if silent { OutageAnswer::Nothing } else { OutageAnswer::Unavailable },
        });
        FaultPlan { calls: calls.collect(), lookups: lookups.collect(), outages: outages.collect() }
    }
}

prop_compose! {
    fn contract()(
        keys in select(vec![Keys::Stored, Keys::Stored, Keys::Required, Keys::Ignored, Keys::Refused]),
        retention in prop_oneof![Just(Retention::Forever), span().prop_map(Retention::For)],
        mismatch in select(vec![Mismatch::Refuse, Mismatch::Answer]),
        in_progress in select(vec![InProgress::Conflict, InProgress::Wait, InProgress::BothRun]),
        stores in select(vec![Stores::Successes, Stores::Everything]),
        repeat in select(vec![Repeat::Replay, Repeat::Conflict]),
        recorded in select(vec![Recorded::WithEffect, Recorded::Before, Recorded::After]),
        processing in prop_oneof![Just(Span::ZERO), span()],
        (path, lag, by_key) in (select(vec![ReadPath::Works, ReadPath::Works, ReadPath::Fails, ReadPath::None]),
            prop_oneof![Just(Span::ZERO), span()], any::<bool>()),
        prior in any::<bool>(),
    ) -> Contract {
        let prior = prior.then(|| serde_json::from_str(r#"{"customer": "acme", "amountCents": 4900}"#).unwrap());
        Contract {
            name: Text::new("generated"),
            keys, retention, mismatch, in_progress, stores, repeat, recorded, processing,
            reads: Reads { path, lag, by_key },
            ledger: prior.into_iter().collect(),
            source: None,
        }
    }
}

fn other_task(id: &str, cents: u64) -> Task {
    let args = [("customer", Value::from("acme")), ("amountCents", Value::from(cents))];
    Task {
        id: Name::new(id).unwrap(),
        tool: Name::new("create_charge").unwrap(),
        args: Args::new(args.map(|(k, v)| (k.to_owned(), v)).into_iter().collect()).unwrap(),
    }
}

prop_compose! {
    fn agent()(
        starts_at in span(),
        task in proptest::option::of(select(vec![other_task("task-43", 4_900), other_task("task-44", 700)])),
        strategy in proptest::option::of(strategy()),
    ) -> Agent {
        Agent { starts_at, task, strategy }
    }
}

prop_compose! {
    fn any_scenario()(
        strategy in strategy(),
        plan in plan(),
        contract in contract(),
        latency in span(),
        horizon in span(),
        seed in any::<u32>(),
        others in prop_oneof![3 => Just(vec![]), 1 => proptest::collection::vec(agent(), 1..4)],
    ) -> Scenario {
        let mut scenario = Scenario::new(strategy, Fault { name: Text::new("generated"), plan });
        scenario.contract = contract;
        scenario.network.latency = latency;
        scenario.horizon = horizon;
        scenario.seed = seed;
        scenario.others = others;
        scenario
    }
}

fn sensible() -> impl Generate<Value = Scenario> {
    any_scenario().prop_filter("makes no sense together", |scenario| scenario.check().is_ok())
}

fn run(scenario: &Scenario) -> Trace {
    simulate(scenario).expect("generated scenarios stay small")
}

// ── What holds ───────────────────────────────────────────────────────────────────────────────────

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_charge_has_a_chain_that_runs_back_from_it_and_tells_nothing_later(
        scenario in sensible(), share in 0_u64..=100,
    ) {
        let trace = run(&scenario);
        let known = Time::from_ms(trace.end().as_ms() * share / 100);
        for charge in Snapshot::at(&trace, known).ledger {
            let links = cause::chain(&trace, charge.id, known);
            prop_assert_eq!((links[0].kind, links[0].at), (cause::Kind::Charge, charge.at));
            prop_assert!(links.windows(2).all(|pair| pair[1].at <= pair[0].at), "{links:#?}");
            // A charge, an arrival, a message, an attempt and a decision there always are.
            let kinds = [cause::Kind::Arrival, cause::Kind::Message, cause::Kind::Attempt, cause::Kind::Decision];
            let whole = kinds.iter().all(|kind| links.iter().any(|link| link.kind == *kind));
            prop_assert!(whole || charge.request.is_none(), "{links:#?}");
        }
    }

    #[test]
    fn every_alternative_is_a_run_that_parts_from_the_present_one_or_is_it(scenario in sensible()) {
        let trace = run(&scenario);
        prop_assert_eq!(parting(&trace, &trace), None);
        for message in trace.messages().iter().take(6) {
            for alternative in alternatives(&trace, message.id).into_iter().flatten() {
                prop_assert_eq!(&run(alternative.trace.scenario()), &alternative.trace);
                prop_assert!(!alternative.is_present || alternative.parts_at.is_none());
                prop_assert!(alternative.trace.scenario().check().is_ok());
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_remedy_does_what_it_says(scenario in sensible()) {
        let search = remedy::search(&scenario, &Fault::presets()).expect("generated scenarios stay small");
        for remedy in search.remedies.iter().take(5) {
            let mut changed = scenario.clone();
            for change in &remedy.changes {
                change.apply(&mut changed.strategy);
            }
            prop_assert_eq!(run(&changed).worst(), remedy.kind);
            prop_assert!(remedy.kind <= Kind::HonestUnknown && remedy.changes.len() == search.fields);
        }
    }
}

/// Whether the service lets one key have one effect whatever happens.
fn keeps_keys(contract: &Contract) -> bool {
    contract.stores_keys() && contract.in_progress != InProgress::BothRun && contract.recorded != Recorded::After
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_holds_of_every_run(scenario in sensible()) {
        let trace = run(&scenario);
        let end = Snapshot::at(&trace, trace.end());

        // The clock never runs back, and every agent reports in the end.
        prop_assert!(trace.events().is_sorted_by_key(|event| event.at));
        for agent in trace.agents() {
            prop_assert!(end.report_of(agent).is_some());
        }

        // Every arrival has its send, at the time that was settled then, and is one.
        let mut arrived = vec![false; trace.messages().len()];
        for event in trace.events() {
            if let What::Arrived(id) | What::ArrivedToNobody(id) = event.what {
                prop_assert_eq!(trace.message(id).arrives_at(), Some(event.at));
                prop_assert!(!std::mem::replace(&mut arrived[id.index()], true));
            }
        }

        // What is charged under one key, stored and unexpired, is charged once.
        if keeps_keys(&scenario.contract) {
            for (n, charge) in end.ledger.iter().enumerate() {
                let Some(key) = charge.key else { continue };
                let again = end.ledger[..n].iter().filter(|other| other.key == Some(key));
                // A key is kept from its arrival on, which is its processing time before the charge.
                for other in again {
                    let since = charge.at.since(other.at);
                    prop_assert!(!scenario.contract.retention.holds(since), "{key:?} {since:?}");
                }
            }
        }

        // Counting comes to the same, whoever records; so does a run prepared; so does another thread.
        let tally = Tally::of(&trace);
        prop_assert_eq!(Simulator::default().count(&scenario), Ok(tally));
        let prepared = Prepared::new(&scenario);
        let mut simulator = Simulator::default();
        prop_assert_eq!(simulator.count_under(&prepared, &FaultPlan::default(), 0).is_ok(), true);
        prop_assert_eq!(simulator.count_under(&prepared, &scenario.fault.plan, scenario.seed), Ok(tally));

        // Charges are some task's, and the counts add up.
        let of_tasks = end.ledger.iter().filter(|charge| charge.task.is_some()).count();
        prop_assert_eq!(of_tasks, tally.charges as usize);
        prop_assert_eq!(tally.by_task.iter().map(|n| u32::from(*n)).sum::<u32>(), tally.charges);
        let cast = Cast::new(&scenario);
        prop_assert_eq!(tally.kinds(&cast).collect::<Vec<_>>(), trace.kinds());
    }

    #[test]
    fn the_world_at_an_instant_is_the_fold_up_to_it(scenario in sensible(), share in 0_u64..=100) {
        let trace = run(&scenario);
        let at = Time::from_ms(trace.end().as_ms() / 100 * share);
        let whole = Snapshot::at(&trace, at);
        let half = Time::from_ms(at.as_ms() / 2);
        let mut continued = Snapshot::at(&trace, half);
        trace.between(Some(half), at).iter().for_each(|event| continued.apply(&trace, event));
        continued.at = at;
        prop_assert_eq!(whole, continued);
        for event in trace.events() {
            prop_assert!(!retryscope::trace::story::sentence(&trace, event).is_empty());
        }
    }

    /// Proposition 1 (arXiv 2609.29095): without a key, who completes within T when nothing was committed duplicates
    /// when the request lands later than T plus the read lag.
    #[test]
    fn no_keyless_strategy_survives_a_request_late_enough(
        mut strategy in strategy(),
        reads in contract().prop_map(|contract| contract.reads),
    ) {
        strategy.key = KeyPolicy::None;
        strategy.drift = None;
        strategy.crash = None;
        let mut scenario = Scenario::new(strategy, Fault::preset("lost-request").unwrap());
        scenario.contract.reads = reads;
        if scenario.strategy.verify == Verify::ByKey {
            scenario.strategy.verify = Verify::LookAlike;
        }
        let lost = Tally::of(&run(&scenario));
        // It completes, by an attempt after the first, within T.
        let Some((at, Report::Completed)) = lost.report else { return Ok(()) };
        if lost.charges == 0 {
            return Ok(());
        }
        let late = Span::ms(at.as_ms()) + scenario.contract.reads.lag + Span::ms(1);
        scenario.fault.plan.calls[0].request = RequestFate::Delayed(late);
        scenario.horizon = Span::MAX;
        let kind = run(&scenario).worst();
        prop_assert_eq!(kind, Kind::QuietDuplicate);
    }

    /// Proposition 2: a stable key from the first attempt on, stored and unexpired, gives at most one effect.
    #[test]
    fn a_stored_stable_key_never_charges_twice(mut scenario in sensible()) {
        let contract = &mut scenario.contract;
        contract.keys = Keys::Stored;
        contract.retention = Retention::Forever;
        contract.in_progress = if contract.in_progress == InProgress::BothRun { InProgress::Wait } else { contract.in_progress };
        contract.recorded = if contract.recorded == Recorded::After { Recorded::Before } else { contract.recorded };
        let others = scenario.others.iter_mut().filter_map(|other| other.strategy.as_mut());
        for strategy in std::iter::once(&mut scenario.strategy).chain(others) {
            strategy.key = KeyPolicy::PerIntent;
            if let Some(transport) = &mut strategy.transport {
                transport.repeats_key = true;
            }
            if let Some(crash) = &mut strategy.crash {
                crash.key = Survival::Kept;
            }
            if let Some(drift) = &mut strategy.drift {
                drift.key_follows = false;
            }
        }
        let tally = Tally::of(&run(&scenario));
        prop_assert!(tally.by_task.iter().all(|charges| *charges <= 1));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_same_scenario_gives_the_same_trace_also_on_another_thread(scenario in sensible()) {
        let here = run(&scenario);
        let there = std::thread::scope(|scope| scope.spawn(|| run(&scenario)).join().unwrap());
        prop_assert_eq!(here, there);
    }

    #[test]
    fn a_scenario_written_is_read_back_the_same(scenario in sensible()) {
        let text = serde_json::to_string(&scenario).unwrap();
        let back = Scenario::from_json(&text).map_err(|error| TestCaseError::fail(format!("{error}: {text}")))?;
        prop_assert_eq!(back, scenario);
    }
}

// ── Facts ────────────────────────────────────────────────────────────────────────────────────────

#[test]
fn waiting_60_s_fails_and_120_s_holds_when_the_request_is_90_s_late() {
    let wait = Strategy::preset("wait-then-verify").unwrap();
    for (secs, verdict) in [(0, Verdict::Duplicate), (60, Verdict::Duplicate), (120, Verdict::ExactlyOnce)] {
        let strategy = Strategy { verify_after: Span::secs(secs), ..wait.clone() };
        let tally = Tally::of(&run(&Scenario::new(strategy, Fault::preset("late-commit").unwrap())));
        assert_eq!(tally.outcome().verdict(), verdict, "{secs} s");
    }
}

#[test]
fn hostile_extremes_end_in_a_run_or_in_a_refusal() {
    let copies = RequestFate::Copied { copies: Copies::new(100), apart: Span::MAX };
    let calls = (1..=100).map(|n| CallFault { request: copies, ..CallFault::none(Call::new(n)) });
    let mut strategy = Strategy::preset("naive-retry").unwrap();
    strategy.max_attempts = Attempts::new(1_000);
    strategy.timeout = Span::ms(1);
    strategy.backoff = Backoff { first: Span::MAX, factor: WholeNumber::new(10), cap: Span::MAX, jitter: Jitter::Full };
    strategy.transport = Some(Transport {
        retries: WholeNumber::new(100),
        timeout: Span::ms(1),
        backoff: Backoff::fixed(Span::ZERO),
        repeats_key: true,
    });
    let fault = Fault { name: Text::new("hostile"), plan: calls.collect::<Vec<_>>().into() };
    let mut scenario = Scenario::new(strategy, fault);
    scenario.horizon = Span::MAX;
    scenario.contract.in_progress = InProgress::Wait;
    for (timeout, processing) in [(Span::ms(1), Span::ZERO), (Span::ms(1), Span::MAX), (Span::MAX, Span::MAX)] {
        scenario.strategy.timeout = timeout;
        scenario.contract.processing = processing;
        match simulate(&scenario) {
            Ok(trace) => assert!(trace.events().len() <= EVENTS_MAX as usize),
            Err(error) => assert!(error.to_string().contains("10000")),
        }
    }
}

#[test]
fn every_shipped_case_shows_the_outcome_that_it_must() {
    for (name, scenario) in gallery::cases() {
        let trace = run(&scenario);
        let (expect, about) = (scenario.expect.expect(name), scenario.about.expect(name));
        assert_eq!(trace.worst(), expect.outcome, "{name}");
        assert_eq!(Some(Tally::of(&trace).charges), expect.charges, "{name}");
        assert!(!about.kinds.is_empty() && about.sources.iter().all(|at| at.starts_with("https://")), "{name}");
    }
}

#[test]
fn every_preset_is_known_by_the_name_that_it_has() {
    fn check<T: Preset + std::fmt::Debug>(name: impl Fn(&T) -> String) {
        let all = T::all();
        assert_eq!(all.iter().map(name).collect::<Vec<_>>(), T::NAMES);
        assert!(all.iter().zip(T::NAMES).all(|(preset, name)| preset.known_as() == Some(name)));
    }
    check::<Strategy>(|preset| preset.name.to_string());
    check::<Fault>(|preset| preset.name.to_string());
    check::<Contract>(|preset| preset.name.to_string());
}

/// Every named strategy meets every named fault under every named contract: it reports, or makes no sense.
#[test]
fn all_presets_run_together() {
    let mut ran = 0;
    for contract in Contract::all() {
        for fault in Fault::all() {
            for strategy in Strategy::all() {
                let scenario = Scenario { contract: contract.clone(), ..Scenario::new(strategy, fault.clone()) };
                if scenario.check().is_ok() {
                    let kind = run(&scenario).worst();
                    let keyed = scenario.contract.name.as_str() == "keyed";
                    if scenario.strategy.name.as_str() == "pinned-intent-key" && keyed {
                        assert!(kind.is_honest(), "{} {}", scenario.fault.name, kind);
                    }
                    ran += 1;
                }
            }
        }
    }
    assert!(ran > 2_000, "{ran}");
}

/// The schema that editors are pointed at is the one that the types give.
#[test]
fn the_shipped_schema_is_current() {
    let now = retryscope::cli::commands::schema();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/scenario.schema.json");
    if std::env::var_os("UPDATE_SCHEMA").is_some() {
        std::fs::write(path, &now).unwrap();
    }
    assert!(std::fs::read_to_string(path).unwrap() == now, "run UPDATE_SCHEMA=1 cargo test --test properties");
}

#[test]
fn what_makes_no_sense_together_is_refused_with_the_reason() {
    for (text, reason) in [
        (
            r#"{"strategy": "verify-by-key", "fault": "none", "contract": "github-create-issue"}"#,
            "strategy.verify: found by-key, but the service keeps no keys",
        ),
        (
            r#"{"strategy": "naive-retry", "fault": "none", "others": [{"startsAt": "1m", "strategy": "resume-with-key"}]}"#,
            "others[0].strategy.crash.at: found 3s, before the start",
        ),
        (
            r#"{"strategy": "naive-retry", "fault": "none", "others": [{"task":
                {"id": "task-42", "tool": "create_charge", "args": {"customer": "acme", "amountCents": 1}}}]}"#,
            "others[0].task: found the id task-42 with another tool or other arguments",
        ),
        (
            r#"{"strategy": "naive-retry", "fault": [{"call": 1, "service": {"rate-limited": {"retryAfter": "19h"}}}]}"#,
            "found retryAfter 19h, allowed: at most 18h",
        ),
        (r#"{"strategy": "naive-retry", "fault": [{"down": {"from": "2s", "until": "2s"}}]}"#, "until later than from"),
        (r#"{"strategy": "naive-retry", "fault": [{"lookup": 1, "service": "crash"}]}"#, "allowed for a lookup"),
        (
            r#"{"strategy": "naive-retry", "fault": [{"call": 1, "request": {"delay": {"from": "2s", "to": "1s"}}}]}"#,
            "from 2s to 1s",
        ),
    ] {
        let error = Scenario::from_json(text).expect_err(text).to_string();
        assert!(error.contains(reason), "{error}");
    }
    let ignored = r#"{"strategy": "pinned-intent-key", "fault": "none", "contract": "github-create-issue"}"#;
    let warnings = Scenario::from_json(ignored).unwrap().warnings();
    assert_eq!(warnings, ["The strategy sends a key, and the service ignores it."]);
}

/// Puts something else somewhere into a JSON value: a value from elsewhere in it, an extreme, or nothing.
fn mutate(value: &mut Value, mut at: usize, with: &Value) -> bool {
    fn size(value: &Value) -> usize {
        1 + match value {
            Value::Array(items) => items.iter().map(size).sum(),
            Value::Object(map) => map.values().map(size).sum(),
            _ => 0,
        }
    }
    if at == 0 {
        *value = with.clone();
        return true;
    }
    at -= 1;
    let children: Vec<&mut Value> = match value {
        Value::Array(items) => items.iter_mut().collect(),
        Value::Object(map) => map.values_mut().collect(),
        _ => return false,
    };
    for child in children {
        let whole = size(child);
        if at < whole {
            return mutate(child, at, with);
        }
        at -= whole;
    }
    false
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_mutated_scenario_file_is_refused_with_a_path_or_run_to_an_outcome(
        file in select(gallery::FILES.map(|(_, text)| text).to_vec()),
        places in proptest::collection::vec((1_usize..60, 0_usize..16), 1..4),
        cut in proptest::option::weighted(0.1, 0_usize..2_000),
    ) {
        let extremes = serde_json::json!([
            null, true, 0, -1, 1, 3, 1_000, 18_446_744_073_709_551_615_u64, 1.5, "", "0s", "1ms", "8784h", "9999h",
            [], {},
        ]);
        let mut value: Value = serde_json::from_str(file).unwrap();
        for (place, with) in places {
            mutate(&mut value, place, &extremes[with]);
        }
        let mut text = value.to_string();
        if let Some(cut) = cut {
            text = text.chars().take(cut).collect();
        }
        match Scenario::from_json(&text) {
            Err(error) => prop_assert!(!error.to_string().is_empty()),
            Ok(scenario) => match simulate(&scenario) {
                Ok(trace) => prop_assert!(Snapshot::at(&trace, trace.end()).ended),
                Err(error) => prop_assert!(error.to_string().contains("allowed")),
            },
        }
    }
}
