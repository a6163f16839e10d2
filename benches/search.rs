//! Runs a second against a straightforward version that allocates, a map of the default scenario, plans a second.

use divan::Bencher;
use divan::counter::ItemsCount;
use rayon::prelude::*;
use retryscope::model::{Fault, FaultPlan, Scenario, Strategy};
use retryscope::search::explore::Exploration;
use retryscope::search::map::{Axis, Dial, Map};
use retryscope::search::table::{PLANS, plan};
use retryscope::search::{Bounds, Chances, Forbid, odds, sample};
use retryscope::sim::{Prepared, Simulator};

#[path = "search/plain.rs"]
mod plain;

#[global_allocator]
static ALLOCATIONS: divan::AllocProfiler = divan::AllocProfiler::system();

fn main() {
    plain::agrees();
    divan::main();
}

fn threads(count: usize) -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(count).build().expect("threads")
}

/// One item is one of the 16 runs, counted; nothing is allocated.
#[divan::bench]
fn runs_counting_one_core(bencher: Bencher) {
    let scenarios: Vec<Scenario> = Scenario::presets().collect();
    let prepared: Vec<Prepared<'_>> = scenarios.iter().map(Prepared::new).collect();
    let mut simulator = Simulator::default();
    bencher.counter(ItemsCount::new(scenarios.len())).bench_local(|| {
        for (prepared, scenario) in prepared.iter().zip(&scenarios) {
            divan::black_box(simulator.count_under(divan::black_box(prepared), &scenario.fault.plan, 0)).ok();
        }
    });
}

/// One item is one of the same 16 runs, by the version that allocates.
#[divan::bench]
fn runs_plain_one_core(bencher: Bencher) {
    let scenarios: Vec<Scenario> = Scenario::presets().collect();
    bencher.counter(ItemsCount::new(scenarios.len())).bench_local(|| {
        for scenario in &scenarios {
            divan::black_box(plain::run(divan::black_box(scenario)));
        }
    });
}

/// One item is one run: the 16 runs a thousand times over, on all cores.
#[divan::bench]
fn runs_counting_all_cores(bencher: Bencher) {
    let scenarios: Vec<Scenario> = Scenario::presets().collect();
    let prepared: Vec<Prepared<'_>> = scenarios.iter().map(Prepared::new).collect();
    let pool = threads(0);
    bencher.counter(ItemsCount::new(1_000 * scenarios.len())).bench_local(|| {
        pool.install(|| {
            (0..1_000_u32)
                .into_par_iter()
                .map_init(Simulator::default, |simulator, _| {
                    let runs = prepared.iter().zip(&scenarios);
                    runs.map(|(p, s)| simulator.count_under(p, &s.fault.plan, 0).map_or(0, |tally| tally.charges))
                        .sum::<u32>()
                })
                .sum::<u32>()
        })
    });
}

/// One item is one of the 1,296 plans of the table, counted, for the default strategy.
#[divan::bench]
fn plans_of_the_table_one_core(bencher: Bencher) {
    let scenario = scenario();
    let prepared = Prepared::new(&scenario);
    let plans: Vec<FaultPlan> = (0..PLANS).map(plan).collect();
    let mut simulator = Simulator::default();
    bencher.counter(ItemsCount::new(plans.len())).bench_local(|| {
        for plan in &plans {
            divan::black_box(simulator.count_under(&prepared, divan::black_box(plan), 0)).ok();
        }
    });
}

/// One item is one cell: client timeout by commit lateness, 60 by 60.
#[divan::bench]
fn map_60_by_60_one_core(bencher: Bencher) {
    let axis = |name: &str, to| {
        let dial = Dial::named(name).expect("a dial");
        Axis { dial, values: dial.values(1_000, to, 60) }
    };
    bencher
        .counter(ItemsCount::new(3_600_usize))
        .bench_local(|| Map::new(scenario(), axis("timeout", 60_000), axis("lateness", 120_000)).finish());
}

/// One item is one plan that the search counts, with its usual bounds; the sweeps for its delays are in it.
#[divan::bench(args = [1, 0])]
fn search(bencher: Bencher, cores: usize) {
    let (scenario, pool) = (scenario(), threads(cores));
    let find = || Exploration::new(&scenario, Bounds::default(), Forbid::USUAL.to_vec()).finish();
    bencher.counter(ItemsCount::new(find().plans())).bench_local(|| pool.install(find));
}

/// The odds of the default strategy.
#[divan::bench]
fn odds_of_the_default(bencher: Bencher) {
    let (scenario, chances) = (scenario(), Chances::default());
    bencher.bench_local(|| odds::odds(&scenario, &chances, odds::USUAL_CUT));
}

/// One item is one sampled run, on all cores.
#[divan::bench]
fn sampled_all_cores(bencher: Bencher) {
    let (scenario, chances, pool) = (scenario(), Chances::default(), threads(0));
    let never = std::sync::atomic::AtomicBool::new(false);
    bencher
        .counter(ItemsCount::new(100_000_usize))
        .bench_local(|| pool.install(|| sample::sample(&scenario, &chances, 100_000, 0, &never)));
}

fn scenario() -> Scenario {
    let strategy = Strategy::preset("verify-then-retry").expect("a preset");
    Scenario::new(strategy, Fault::preset("late-commit").expect("a preset"))
}
