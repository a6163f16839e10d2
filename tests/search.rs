//! The search against a brute force written apart from it, and what it claims against the runs it claims it of.

use std::collections::{BTreeMap, BTreeSet};

use retryscope::model::fault::RequestFate;
use retryscope::model::{Contract, Fault, Scenario, Span, Strategy, Time};
use retryscope::search::explore::{Exploration, every_plan};
use retryscope::search::instants::{Stretch, Sweep, same_shape};
use retryscope::search::{Bounds, Delays, Forbid, Mishap};
use retryscope::sim::{Prepared, Simulator, simulate};
use retryscope::trace::{Event, Kind, What};

/// One fault of the brute force: the entry in the file form, but for its number.
type Entry = (bool, Mishap, u64);

fn scenario(strategy: &str, contract: &str) -> Scenario {
    let contract = Contract::preset(contract).unwrap();
    Scenario { contract, ..Scenario::new(Strategy::preset(strategy).unwrap(), Fault::preset("none").unwrap()) }
}

/// A world so small that every millisecond can be tried.
fn small(strategy: &str) -> Scenario {
    let mut small = scenario(strategy, "keyed");
    small.network.latency = Span::ms(2);
    small.strategy.timeout = Span::ms(7);
    small.strategy.backoff = Span::ms(1).into();
    small.strategy.verify_after = Span::ZERO;
    small.horizon = Span::ms(12);
    small
}

/// An entry in the file form.
fn text((of_lookup, mishap, ms): Entry, number: u32) -> String {
    let what = match mishap {
        Mishap::RequestLost | Mishap::LookupLost => r#""request": "lose""#.to_owned(),
        Mishap::RequestLate | Mishap::LookupLate => format!(r#""request": {{"delay": "{ms}ms"}}"#),
        Mishap::Copied => format!(r#""request": {{"copies": 2, "apart": "{ms}ms"}}"#),
        Mishap::ErrorBefore => r#""service": "error-before""#.to_owned(),
        Mishap::ErrorAfter => r#""service": "error-after""#.to_owned(),
        Mishap::Unavailable => r#""service": "unavailable""#.to_owned(),
        Mishap::RateLimited => r#""service": {"rate-limited": {"retryAfter": "20s"}}"#.to_owned(),
        Mishap::Crash => r#""service": "crash""#.to_owned(),
        Mishap::ResponseLost => r#""response": "lose""#.to_owned(),
        Mishap::ResponseLate | Mishap::FindingLate => format!(r#""response": {{"delay": "{ms}ms"}}"#),
        Mishap::ReadError => r#""service": "error""#.to_owned(),
    };
    format!(r#"{{"{}": {number}, {what}}}"#, if of_lookup { "lookup" } else { "call" })
}

fn with(scenario: &Scenario, plan: &[String]) -> Scenario {
    let plan = serde_json::from_str(&format!("[{}]", plan.join(","))).unwrap();
    Scenario { fault: Fault { plan, ..scenario.fault.clone() }, ..scenario.clone() }
}

fn events(scenario: &Scenario, plan: &[String]) -> (Vec<Event>, Kind) {
    let trace = simulate(&with(scenario, plan)).unwrap();
    (trace.events().to_vec(), trace.worst())
}

/// Every choice of at most `faults` messages and of what befalls them, kept where no fault can be spared.
fn brute_force(scenario: &Scenario, numbers: u32, faults: usize, entries: &[Entry]) -> BTreeMap<Vec<String>, Kind> {
    let mut plans = vec![Vec::new()];
    for of_lookup in [false, true] {
        for number in 1..=numbers {
            let here: Vec<String> =
                entries.iter().filter(|entry| entry.0 == of_lookup).map(|entry| text(*entry, number)).collect();
            let longer: Vec<Vec<String>> = plans
                .iter()
                .filter(|plan| plan.len() < faults)
                .flat_map(|plan| here.iter().map(|entry| [plan.clone(), vec![entry.clone()]].concat()))
                .collect();
            plans.extend(longer);
        }
    }
    let mut kept = BTreeMap::new();
    for mut plan in plans {
        let (run, kind) = events(scenario, &plan);
        let spared = |n: usize| {
            let rest: Vec<String> = plan.iter().enumerate().filter(|(m, _)| *m != n).map(|(_, e)| e.clone()).collect();
            events(scenario, &rest).0 == run
        };
        // What never lands is as good as lost, and the search leaves it to that.
        let all_land = run.iter().all(|event| !matches!(event.what, What::Ended { never_landed: 1.. }));
        if all_land && !(0..plan.len()).any(spared) {
            plan.sort();
            kept.insert(plan, kind);
        }
    }
    kept
}

/// The plans of the search, in the same form.
fn searched(scenario: &Scenario, bounds: &Bounds) -> BTreeMap<Vec<String>, Kind> {
    let mut found = BTreeMap::new();
    every_plan(scenario, bounds, |plan, tally, _| {
        let entries: Vec<serde_json::Value> = serde_json::from_str(&serde_json::to_string(plan).unwrap()).unwrap();
        let mut entries: Vec<String> = entries.iter().map(ToString::to_string).collect();
        entries.sort();
        let cast = retryscope::model::cast::Cast::new(scenario);
        let twice = found.insert(entries, tally.worst(&cast));
        assert_eq!(twice, None, "{}: a plan was come by twice: {}", scenario.strategy.name, plan.describe());
    });
    found
}

fn same_form(plans: BTreeMap<Vec<String>, Kind>) -> BTreeMap<Vec<String>, Kind> {
    let canonical = |entry: &String| {
        // Read as a plan and written again, as the search's plans are.
        let plan: retryscope::model::FaultPlan = serde_json::from_str(&format!("[{entry}]")).unwrap();
        let entries: Vec<serde_json::Value> = serde_json::from_str(&serde_json::to_string(&plan).unwrap()).unwrap();
        entries[0].to_string()
    };
    let sorted = |plan: Vec<String>| {
        let mut plan: Vec<String> = plan.iter().map(canonical).collect();
        plan.sort();
        plan
    };
    plans.into_iter().map(|(plan, kind)| (sorted(plan), kind)).collect()
}

#[test]
fn the_search_agrees_with_brute_force_plan_for_plan() {
    for (strategy, contract) in [
        ("naive-retry", "keyed"),
        ("verify-then-retry", "keyed"),
        ("pinned-intent-key", "keyed"),
        ("pinned-intent-key", "stripe-v1"),
        ("guard", "limbo-keys-everywhere"),
        ("sdk-retries", "paypal"),
        ("resume-without-key", "keyed"),
    ] {
        let scenario = scenario(strategy, contract);
        let delays = [0, 31_000, 90_000];
        let entries: Vec<Entry> = Mishap::ALL
            .into_iter()
            .flat_map(|mishap| {
                let of: &[u64] = if mishap.is_late() { &delays } else { &[0] };
                of.iter().map(move |ms| (mishap.is_of_lookup(), mishap, *ms))
            })
            .collect();
        let bounds = Bounds {
            calls: 2,
            faults: 2,
            mishaps: Mishap::ALL.to_vec(),
            delays: Delays::Listed(delays.iter().map(|ms| Span::ms(*ms)).collect()),
        };
        let (found, right) = (searched(&scenario, &bounds), brute_force(&scenario, 2, 2, &entries));
        assert_eq!(found, same_form(right), "{strategy} under {contract}");
        assert!(found.len() > 10);
    }
}

/// What befalls whom, without when.
fn without_times(plan: &[String]) -> Vec<String> {
    let mut plan: Vec<String> = plan
        .iter()
        .map(|entry| {
            let (entry, number) = entry.split_at(entry.find(',').unwrap());
            entry.to_owned() + &number.replace(|c: char| c.is_ascii_digit(), "")
        })
        .collect();
    plan.sort();
    plan
}

fn outcomes(plans: &BTreeMap<Vec<String>, Kind>) -> BTreeSet<(Vec<String>, Kind)> {
    plans.iter().map(|(plan, kind)| (without_times(plan), *kind)).collect()
}

#[test]
fn no_millisecond_shows_what_the_critical_instants_do_not() {
    for strategy in ["naive-retry", "verify-then-retry", "pinned-intent-key", "guard"] {
        let scenario = small(strategy);
        for mishaps in [
            vec![Mishap::RequestLate, Mishap::ResponseLost],
            vec![Mishap::RequestLate, Mishap::LookupLate],
            vec![Mishap::Copied, Mishap::ResponseLate],
        ] {
            let entries: Vec<Entry> = mishaps
                .iter()
                .flat_map(|mishap| {
                    let on_time = if *mishap == Mishap::Copied { 0 } else { 3 };
                    let until = if mishap.is_late() { 42 } else { on_time };
                    (on_time..=until).map(move |ms| (mishap.is_of_lookup(), *mishap, ms))
                })
                .collect();
            let bounds = Bounds { calls: 2, faults: 2, mishaps: mishaps.clone(), delays: Delays::Critical };
            let found = searched(&scenario, &bounds);
            let right = same_form(brute_force(&scenario, 2, 2, &entries));
            let (found, right) = (outcomes(&found), outcomes(&right));
            let missed: Vec<_> = right.difference(&found).collect();
            assert!(missed.is_empty(), "{strategy}, {mishaps:?}: {missed:#?}");
        }
    }
}

#[test]
fn every_counterexample_shows_what_it_claims_and_needs_each_fault() {
    let mut found = 0;
    for strategy in Strategy::named_presets() {
        for contract in Contract::presets() {
            for forbid in Forbid::all() {
                let scenario = Scenario {
                    contract: contract.clone(),
                    ..Scenario::new(strategy.clone(), Fault::preset("lost-ack").unwrap())
                };
                let bounds = Bounds { faults: 2, delays: Delays::Listed(vec![Span::secs(90)]), ..Bounds::default() };
                if scenario.check().is_err() {
                    continue;
                }
                let findings = Exploration::new(&scenario, bounds, vec![forbid]).finish();
                let Some(smallest) = findings.smallest else { continue };
                found += 1;
                let written = serde_json::to_string(&smallest.scenario(&scenario)).unwrap();
                let opened = Scenario::from_json(&written).unwrap();
                assert_eq!(simulate(&opened).unwrap().worst(), smallest.kind, "{written}");
                assert_eq!(opened.fault.plan.len(), smallest.faults as usize);
                for n in 0..opened.fault.plan.len() {
                    let mut less = opened.clone();
                    let calls = less.fault.plan.calls.len();
                    if n < calls {
                        less.fault.plan.calls.remove(n);
                    } else {
                        less.fault.plan.lookups.remove(n - calls);
                    }
                    let trace = simulate(&less).unwrap();
                    let verdict = retryscope::trace::Tally::of(&trace).outcome().verdict();
                    assert!(!forbid.is(verdict, trace.worst()), "{forbid:?} without fault {n}: {written}");
                }
            }
        }
    }
    assert!(found > 300, "{found}");
}

#[test]
fn one_thread_or_many_find_the_same() {
    let scenario = scenario("verify-then-retry", "keyed");
    let find = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| Exploration::new(&scenario, Bounds::default(), Forbid::USUAL.to_vec()).finish())
    };
    let one = find(1);
    assert_eq!(one, find(2));
    assert_eq!(one, find(7));
    let mut alone = 0;
    every_plan(&scenario, &Bounds::default(), |_, _, _| alone += 1);
    assert_eq!(one.plans(), alone);
}

/// Every millisecond of two minutes, grouped by what happens in which order, against the stretches of the sweep.
#[test]
fn the_stretches_are_those_of_every_millisecond() {
    let mut stretches_seen = 0;
    for (n, strategy) in Strategy::named_presets().into_iter().enumerate() {
        let mut scenario = Scenario::new(strategy, Fault::preset("none").unwrap());
        scenario.contract.retention = retryscope::model::contract::Retention::For(Span::secs(60));
        scenario.contract.reads.lag = Span::secs(10);
        scenario.contract.reads.by_key = true;
        scenario.contract.processing = Span::secs([0, 3][n % 2]);
        scenario.horizon = Span::secs(50);
        // Not all exponential: the draws of a jitter are not looked into.
        scenario.strategy.backoff.jitter = retryscope::model::strategy::Jitter::None;
        let plan = |ms: u64| {
            let late = text((false, Mishap::RequestLate, ms), 1);
            let entries = format!("[{late},{}]", text((false, Mishap::ResponseLost, 0), 2));
            serde_json::from_str::<retryscope::model::FaultPlan>(&entries).unwrap()
        };
        let prepared = Prepared::new(&scenario);
        let mut simulator = Simulator::default();
        let mut under = plan(0);
        let mut run = |ms: u64, events: &mut Vec<Event>| {
            under.calls[0].request = RequestFate::Delayed(Span::ms(ms));
            simulator.run_under(&prepared, &under, 0, events).unwrap();
        };
        let (from, until) = (2_001, 120_000);
        let mut right: Vec<Stretch> = Vec::new();
        let (mut before, mut here) = (Vec::new(), Vec::new());
        for ms in from..=until {
            here.clear();
            run(ms, &mut here);
            let at = Time::from_ms(ms);
            match right.last_mut() {
                Some(stretch) if same_shape(&before, &here) => stretch.last = at,
                _ => right.push(Stretch { first: at, last: at }),
            }
            std::mem::swap(&mut before, &mut here);
        }
        let mut found = Vec::new();
        let window = (Time::from_ms(from), Time::from_ms(until));
        let landing = |at: Time, events: &mut Vec<Event>| run(at.as_ms(), events);
        Sweep::default().stretches(&scenario, prepared.cast(), &plan(0), window, landing, &mut found);
        assert_eq!(found, right, "{}", scenario.strategy.name);
        stretches_seen += found.len();
    }
    assert!(stretches_seen > 100, "{stretches_seen}");
}
