//! How many runs a second, counting and with full traces, over the 16 presets; and what a frame costs.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use divan::Bencher;
use divan::counter::ItemsCount;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use retryscope::model::{Fault, Scenario, Strategy, Time};
use retryscope::sim::remedy::search;
use retryscope::sim::{Prepared, Simulator, simulate};
use retryscope::tui::Program;
use retryscope::tui::app::App;
use retryscope::tui::guide::Guide;
use retryscope::tui::theme::Look;

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

/// One item is one frame of a screen, at 200 columns by 60 rows.
#[divan::bench(args = ["c", "w", "x", ""])]
fn frames(bencher: Bencher, keys: &str) {
    let scenario = Scenario::new(Strategy::presets()[1].clone(), Fault::presets()[2].clone());
    let mut app = App::new(scenario, Guide::built_in(), Look::default()).expect("a short run");
    app.set_clock(Time::from_ms(if keys == "x" { 10_000 } else { 92_000 }));
    for key in keys.chars() {
        app.key(KeyEvent::new(KeyCode::Char(key), KeyModifiers::NONE));
    }
    let mut terminal = Terminal::new(TestBackend::new(200, 60)).expect("a buffer");
    bencher.counter(ItemsCount::new(1_usize)).bench_local(|| {
        terminal.draw(|frame| app.draw(frame)).expect("a buffer");
    });
}

/// One item is one search for the smallest change, from opening "why?" on a duplicate.
#[divan::bench]
fn smallest_change(bencher: Bencher) {
    let scenario = Scenario::new(Strategy::presets()[1].clone(), Fault::presets()[2].clone());
    bencher.counter(ItemsCount::new(1_usize)).bench_local(|| {
        divan::black_box(search(divan::black_box(&scenario), &Fault::presets())).ok();
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
