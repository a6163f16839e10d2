//! How many runs a second, counting and with full traces, over the 16 presets.

use divan::Bencher;
use divan::counter::ItemsCount;
use retryscope::model::Scenario;
use retryscope::sim::{Prepared, Simulator, simulate};

#[global_allocator]
static ALLOCATIONS: divan::AllocProfiler = divan::AllocProfiler::system();

fn main() {
    divan::main();
}

/// One item is one run; a run here allocates nothing.
#[divan::bench]
fn counting(bencher: Bencher) {
    let scenarios: Vec<Scenario> = Scenario::presets().collect();
    let mut simulator = Simulator::default();
    bencher.counter(ItemsCount::new(scenarios.len())).bench_local(|| {
        for scenario in &scenarios {
            divan::black_box(simulator.count(divan::black_box(scenario))).ok();
        }
    });
}

/// One item is one run.
#[divan::bench]
fn full_traces(bencher: Bencher) {
    let scenarios: Vec<Scenario> = Scenario::presets().collect();
    bencher.counter(ItemsCount::new(scenarios.len())).bench_local(|| {
        for scenario in &scenarios {
            divan::black_box(simulate(divan::black_box(scenario))).ok();
        }
    });
}

/// One item is one run of a prepared scenario under a fault plan that is not its own, as in a sweep.
#[divan::bench]
fn counting_prepared(bencher: Bencher) {
    let scenarios: Vec<Scenario> = Scenario::presets().collect();
    let prepared: Vec<Prepared<'_>> = scenarios.iter().map(Prepared::new).collect();
    let mut simulator = Simulator::default();
    bencher.counter(ItemsCount::new(scenarios.len())).bench_local(|| {
        for (prepared, scenario) in prepared.iter().zip(&scenarios) {
            divan::black_box(simulator.count_under(divan::black_box(prepared), &scenario.fault.plan, 0)).ok();
        }
    });
}
