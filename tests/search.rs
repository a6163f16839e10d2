//! The search against a brute force written apart from it, and what it claims against the runs it claims it of.

use retryscope::model::{Contract, Fault, Scenario, Strategy};
use retryscope::search::explore::{Exploration, estimate};
use retryscope::search::{Bounds, Forbid};

#[test]
fn look() {
    for strategy in Strategy::named_presets() {
        let scenario = Scenario::new(strategy, Fault::preset("none").unwrap());
        let started = std::time::Instant::now();
        let bounds = Bounds::default();
        let found = Exploration::new(&scenario, bounds.clone(), Forbid::USUAL.to_vec()).finish();
        println!(
            "{:24} est {:9} plans {} idle {} {:?} {:?} {:?} {:?}",
            scenario.strategy.name,
            estimate(&scenario, &bounds),
            found.plans(),
            found.idle,
            found.by_faults,
            found.counts,
            found.smallest.map(|s| s.plan.describe()),
            started.elapsed()
        );
    }
    let _ = Contract::default();
}
