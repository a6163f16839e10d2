//! The same 1,296 plans for every named strategy under every named contract.
//!
//! Each of the first four calls has one of six outcomes: it goes well, its request is lost, its request takes 90 s, its
//! request arrives twice 1 s apart, the service fails after the commit, its answer is lost. That is 6⁴ = 1,296 plans, and
//! each is run. A strategy that makes fewer calls cannot tell many of them apart: how many are distinct is said beside.
//! The delays are two fixed ones, those of LIMBO's late commit and of the preset `redelivery`; for every delay that matters
//! there is [`explore`](super::explore).

use rayon::prelude::*;

use super::bounds::Mishap;
use super::explore::Counts;
use super::walk::{Place, set};
use crate::model::fault::FaultPlan;
use crate::model::{Contract, Fault, Scenario, Span, Strategy, Text};
use crate::sim::{Prepared, Simulator};
use crate::trace::Kind;

/// How many plans each row has.
pub const PLANS: u32 = 6_u32.pow(CALLS);

/// How many calls faults can strike.
pub const CALLS: u32 = 4;

/// How late a late request is.
pub const LATE: Span = Span::secs(90);

/// How far apart the copies are.
pub const APART: Span = Span::secs(1);

/// What a strategy comes to under a contract, over all plans of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The strategy.
    pub strategy: Text,
    /// The contract.
    pub contract: Text,
    /// How many plans come to what; together [`PLANS`]. None where the two make no sense together.
    pub counts: Option<Counts>,
    /// How many plans are distinct: told apart by the calls that are made.
    pub distinct: u32,
}

/// The `n`-th plan of the table, in base six: the first call is the highest digit.
#[must_use]
pub fn plan(n: u32) -> FaultPlan {
    let mut plan = FaultPlan::default();
    for call in 1..=CALLS {
        let digit = n / 6_u32.pow(CALLS - call) % 6;
        if let Some(mishap) = digit.checked_sub(1).map(|digit| Mishap::USUAL[digit as usize]) {
            set(&mut plan, Place::Call(call), mishap, if mishap == Mishap::Copied { APART } else { LATE });
        }
    }
    plan
}

/// Every named strategy under every named contract, strategies first.
#[must_use]
pub fn table() -> Vec<Row> {
    let plans: Vec<FaultPlan> = (0..PLANS).map(plan).collect();
    let pairs: Vec<(Strategy, Contract)> = Strategy::named_presets()
        .into_iter()
        .flat_map(|strategy| Contract::presets().into_iter().map(move |contract| (strategy.clone(), contract)))
        .collect();
    pairs.into_par_iter().map_init(Simulator::default, |room, (s, c)| row(room, &plans, s, c)).collect()
}

fn row(simulator: &mut Simulator, plans: &[FaultPlan], strategy: Strategy, contract: Contract) -> Row {
    let nothing = Fault { name: Text::new("none"), plan: FaultPlan::default() };
    let scenario = Scenario { contract, ..Scenario::new(strategy, nothing) };
    let mut row = Row {
        strategy: scenario.strategy.name.clone(),
        contract: scenario.contract.name.clone(),
        counts: None,
        distinct: 0,
    };
    if scenario.check().is_err() {
        return row;
    }
    let prepared = Prepared::new(&scenario);
    let mut counts = Counts::default();
    for plan in plans {
        // A named strategy makes a few dozen calls at most.
        let Ok(tally) = simulator.count_under(&prepared, plan, scenario.seed) else { continue };
        counts.add(tally.worst(prepared.cast()));
    }
    row.counts = Some(counts);
    let bounds = super::Bounds {
        calls: CALLS,
        faults: CALLS,
        mishaps: Mishap::USUAL.to_vec(),
        delays: super::Delays::Listed(vec![LATE]),
    };
    let mut distinct = 0;
    super::explore::every_plan(&scenario, &bounds, |_, _, _| distinct += 1);
    row.distinct = distinct;
    row
}

impl Row {
    /// How many plans come to this; 0 where the two make no sense together.
    #[must_use]
    pub fn of(&self, kind: Kind) -> u64 {
        self.counts.map_or(0, |counts| counts.of(kind))
    }
}
