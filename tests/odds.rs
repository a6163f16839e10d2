//! Odds against the search's counts, against sampled runs, and against closed forms; maps and moments against runs.

use std::sync::atomic::AtomicBool;

use retryscope::model::{Contract, Fault, Scenario, Span, Strategy};
use retryscope::search::map::{Axis, Dial, Map};
use retryscope::search::odds::{USUAL_CUT, odds};
use retryscope::search::sample::{Z_99, sample, wilson};
use retryscope::search::study::{WAITS, study};
use retryscope::search::table::{self, PLANS, table};
use retryscope::search::turn::Turn;
use retryscope::search::{Bounds, Chances, Delays, Lateness, Mishap};
use retryscope::sim::simulate;
use retryscope::trace::Kind;

fn scenario(strategy: &str, contract: &str) -> Scenario {
    let contract = Contract::preset(contract).unwrap();
    Scenario { contract, ..Scenario::new(Strategy::preset(strategy).unwrap(), Fault::preset("none").unwrap()) }
}

fn near(one: f64, other: f64) -> bool {
    (one - other).abs() < 1e-9
}

#[test]
fn at_equal_weights_the_odds_are_the_counts_of_the_table() {
    let chances = Chances::equal(&Mishap::USUAL).unwrap().with(Lateness::fixed(table::LATE), table::CALLS);
    let mut rows = 0;
    for row in table() {
        let Some(counts) = row.counts else { continue };
        let scenario = scenario(&row.strategy, &row.contract);
        let odds = odds(&scenario, &chances, 0.0).unwrap();
        for kind in Kind::ALL {
            let share = f64::from(u32::try_from(counts.of(kind)).unwrap()) / f64::from(PLANS);
            assert!(near(odds.of(kind), share), "{} under {}: {kind}", row.strategy, row.contract);
        }
        assert!(odds.error <= 0.0);
        rows += 1;
    }
    assert!(rows > 200, "{rows}");
}

#[test]
fn the_table_in_the_docs_is_what_the_command_prints() {
    let right = retryscope::report::table::markdown(&table());
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/plans.md");
    let shown = std::fs::read_to_string(&file).unwrap();
    assert!(shown == right, "make it again: cargo run -- explore --table > assets/plans.md");
    assert!(table().iter().filter_map(|row| row.counts).all(|counts| counts.all() == u64::from(PLANS)));
}

#[test]
fn every_odds_sum_to_one_and_say_how_exact_they_are() {
    let started = std::time::Instant::now();
    for strategy in Strategy::named_presets() {
        let scenario = Scenario::new(strategy, Fault::preset("none").unwrap());
        let found = odds(&scenario, &Chances::default(), 1e-9).unwrap();
        println!("{:24} {:?} {:?}", scenario.strategy.name, found, started.elapsed());
        assert!(near(found.kinds.iter().sum(), 1.0), "{found:?}");
        assert!(near(found.verdicts.iter().sum(), 1.0));
        assert!(found.error < 2e-4, "{found:?}");
    }
}

#[test]
fn a_million_sampled_runs_agree_with_the_odds() {
    const RUNS: u64 = 1_000_000;
    let often = Chances::from_json(
        r#"{"calls": {"request-lost": 0.1, "request-late": 0.1, "copied": 0.05, "error-after": 0.1, "response-lost": 0.1},
            "lookups": {"read-error": 0.1}, "lateness": {"from": "40s", "to": "2h"}}"#,
    )
    .unwrap();
    for strategy in ["verify-then-retry", "keyless-first-attempt"] {
        let scenario = scenario(strategy, "keyed");
        for chances in [&often, &often.clone().with(Lateness::fixed(Span::secs(90)), 100)] {
            let exact = odds(&scenario, chances, USUAL_CUT).unwrap();
            let sampled = sample(&scenario, chances, RUNS, 7, &AtomicBool::new(false));
            assert_eq!(sampled.counts.all(), RUNS);
            println!("{strategy}: {exact:?} {sampled:?}");
            for kind in Kind::ALL {
                // Wide enough that, of the 28 intervals here, the right odds lie outside one by chance in a thousand tries.
                let seen = wilson(sampled.counts.of(kind), RUNS, 4.2);
                let right = exact.of(kind);
                assert!(
                    seen.low - exact.error <= right && right <= seen.high + exact.error,
                    "{strategy}: {kind} {right} ± {} but {seen:?}",
                    exact.error
                );
            }
        }
    }
}

#[test]
fn the_sample_is_the_same_on_one_thread_and_on_many() {
    let scenario = scenario("verify-then-retry", "keyed");
    let draw = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| sample(&scenario, &Chances::default(), 50_000, 3, &AtomicBool::new(false)))
    };
    assert_eq!(draw(1), draw(5));
}

#[test]
fn wilson_is_the_interval_of_the_books() {
    // 15 of 20 with 95 %: 0.531 to 0.888 (Newcombe 1998, for p = 0.75, n = 20).
    let interval = wilson(15, 20, 1.959_963_985);
    assert!((interval.low - 0.5313).abs() < 5e-4 && (interval.high - 0.8881).abs() < 5e-4, "{interval:?}");
    let nothing = wilson(0, 0, Z_99);
    assert_eq!((nothing.low, nothing.high), (0.0, 1.0));
}

#[test]
fn wrong_chances_are_refused_with_their_place() {
    for (text, said) in [
        (r#"{"calls": {"request-lost": 1.5}}"#, "calls.request-lost"),
        (r#"{"calls": {"request-lost": -0.1}}"#, "calls.request-lost"),
        (r#"{"calls": {"request-lost": 0.6, "copied": 0.6}}"#, "calls"),
        (r#"{"lookups": {"delivered": 0.5, "read-error": 0.4}}"#, "lookups"),
        (r#"{"lateness": [{"delay": "1s", "probability": 0.5}]}"#, "lateness"),
        (r#"{"lateness": {"from": "2h", "to": "40s"}}"#, "lateness"),
        (r#"{"calls": {"request-lsot": 0.1}}"#, "request-lost"),
        (r#"{"calls": {"read-error": 0.1}}"#, "calls.read-error"),
        (r#"{"chances": 1}"#, "chances"),
    ] {
        let error = Chances::from_json(text).unwrap_err().to_string();
        assert!(error.contains(said), "{text}: {error}");
        println!("{error}");
    }
}

#[test]
fn the_study_has_the_shape_of_the_paper() {
    let [retries, fixed, tail, keys] = study().try_into().unwrap();
    let shares = |part: &retryscope::search::study::Part| part.lines.iter().map(|l| l.exactly_once).collect::<Vec<_>>();
    println!("{:#?}", (shares(&retries), shares(&fixed), shares(&tail)));
    println!("{:?}", keys.lines.iter().map(|line| line.duplicate).collect::<Vec<_>>());
    let retries = shares(&retries);
    assert!(retries[1] < retries[0] && retries[0] < retries[2]);
    assert_eq!(shares(&fixed), [0.0, 0.0, 1.0, 1.0, 1.0, 1.0]);
    for (line, wait) in tail.lines.iter().zip(WAITS) {
        // The lookup reads one latency after it leaves, and looks 2 s and more after a wait of nothing.
        let read_at = f64::from(u32::try_from(wait).unwrap()).max(31.0) + 2.0;
        let right = if read_at < 40.0 { 0.0 } else { (read_at / 40.0).ln() / 180_f64.ln() };
        assert!((line.exactly_once - right).abs() < 1e-4, "{wait}: {} but {right}", line.exactly_once);
    }
    let duplicates: Vec<f64> = keys.lines.iter().map(|line| line.duplicate).collect();
    assert!(duplicates[3] == 0.0 && duplicates[2] > 0.3 && duplicates[1] > 0.3 && near(duplicates[4], duplicates[0]));
}

#[test]
fn each_cell_of_a_map_is_the_run_that_it_opens() {
    let (x, y) = (Dial::named("timeout").unwrap(), Dial::named("lateness").unwrap());
    let scenario = Scenario::new(Strategy::preset("verify-then-retry").unwrap(), Fault::preset("late-commit").unwrap());
    let axis = |dial: Dial, to| Axis { dial, values: dial.values(1_000, to, 12) };
    let mut map = Map::new(scenario, axis(x, 60_000), axis(y, 120_000));
    while map.advance(7) {}
    let mut kinds = std::collections::BTreeSet::new();
    for (column, row) in (0..12).flat_map(|row| (0..12).map(move |column| (column, row))) {
        let scenario = map.scenario(column, row);
        let cell = map.cell(column, row).unwrap();
        assert_eq!(simulate(&scenario).unwrap().worst(), cell.kind);
        assert_eq!((x.get(&scenario), y.get(&scenario)), (map.axes().0.values[column], map.axes().1.values[row]));
        kinds.insert(cell.kind);
    }
    assert!(kinds.len() > 1);
    assert_eq!(map.cell(12, 0), None);
}

#[test]
fn there_is_a_point_of_no_return() {
    let scenario = Scenario::new(Strategy::preset("verify-then-retry").unwrap(), Fault::preset("late-commit").unwrap());
    let bounds = Bounds { faults: 2, delays: Delays::Critical, ..Bounds::default() };
    let moments = Turn::new(scenario.clone(), bounds.clone()).unwrap().finish();
    let shares: Vec<(u64, f64, u64)> = moments.iter().map(|m| (m.at.as_ms(), m.duplicates(), m.ends.all())).collect();
    println!("{shares:?}");
    assert!(shares[0].1 < 1.0, "at first all is open");
    assert!(near(shares.last().unwrap().1, 1.0), "in the end it is a duplicate");
    assert!(shares.windows(2).all(|pair| pair[0].2 >= pair[1].2), "what may still happen only becomes less");
    let mut piecewise = Turn::new(scenario, bounds).unwrap();
    while piecewise.advance(3) {}
    assert_eq!(piecewise.moments(), moments);
}

/// A lost request shows at 2 s, when it does not arrive; so does an error. A lost answer does not show before 4 s.
#[test]
fn what_may_still_happen_is_what_looks_the_same_so_far() {
    let mishaps = vec![Mishap::RequestLost, Mishap::ErrorAfter, Mishap::ResponseLost, Mishap::Copied];
    let bounds = Bounds { calls: 1, faults: 1, mishaps, delays: Delays::Listed(vec![Span::secs(90)]) };
    let moments = Turn::new(scenario("naive-retry", "keyed"), bounds).unwrap().finish();
    let seen: Vec<_> = moments.iter().map(|m| (m.at.as_ms(), m.ends.all(), m.ends.duplicates())).collect();
    // A copy shows when it arrives, 90 s after its original: after the report it may still come.
    assert_eq!(seen, [(0, 5, 3), (2_000, 3, 2), (4_000, 2, 1)]);
}
