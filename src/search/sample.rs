//! The share of each outcome in sampled runs, where the space is too large to be enumerated. Always said to be sampling.

use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use super::bounds::Mishap;
use super::chances::{Chances, Lateness};
use super::explore::{Counts, calls_at_most};
use super::walk::{Place, set};
use crate::model::draw::{self, Stream};
use crate::model::fault::{FaultPlan, RequestFate, ResponseFate};
use crate::model::{Scenario, Span};
use crate::sim::{Prepared, Simulator};
use crate::trace::{Kind, Report};

/// What sampled runs came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sample {
    /// How many runs came to what.
    pub counts: Counts,
    /// How many runs were left out, since they had too many events.
    pub too_long: u64,
    /// The times until the first agent's report, in milliseconds, together.
    pub reported_after_ms: u64,
    /// How many runs the first agent ended by escalating.
    pub escalations: u64,
}

/// A share and what it may be, with a stated confidence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The share that was seen.
    pub share: f64,
    /// The least that it may be.
    pub low: f64,
    /// The most.
    pub high: f64,
}

/// The z that goes with a confidence of 99 %.
pub const Z_99: f64 = 2.575_829_303_548_901;

/// The score interval of Wilson (1927) for `hits` of `runs`; from 0 to 1 where there are no runs.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "runs are far below 2^53")]
pub fn wilson(hits: u64, runs: u64, z: f64) -> Interval {
    if runs == 0 {
        return Interval { share: 0.0, low: 0.0, high: 1.0 };
    }
    let (share, n) = (hits as f64 / runs as f64, runs as f64);
    let centre = share + z * z / (2.0 * n);
    let half = z * libm::sqrt(share * (1.0 - share) / n + z * z / (4.0 * n * n));
    let scale = 1.0 + z * z / n;
    Interval { share, low: ((centre - half) / scale).max(0.0), high: ((centre + half) / scale).min(1.0) }
}

impl Sample {
    /// The share of an outcome, with 99 % confidence.
    #[must_use]
    pub fn of(&self, kind: Kind) -> Interval {
        wilson(self.counts.of(kind), self.counts.all(), Z_99)
    }

    fn merge(&mut self, other: &Self) {
        self.counts.merge(&other.counts);
        self.too_long += other.too_long;
        self.reported_after_ms += other.reported_after_ms;
        self.escalations += other.escalations;
    }
}

/// How many runs one piece of the work has. It does not depend on the threads, nor does anything else.
const PIECE: u64 = 4_096;

/// Runs a scenario `runs` times, each with what befalls its calls and lookups drawn from the chances by `seed` and the
/// number of the run. The same seed gives the same sample, on any number of threads. A raised flag ends it early, at the
/// end of a piece; the sample then has fewer runs, and which depends on the moment.
#[must_use]
pub fn sample(scenario: &Scenario, chances: &Chances, runs: u64, seed: u32, stop: &AtomicBool) -> Sample {
    let prepared = Prepared::new(scenario);
    let pieces: Vec<Sample> = (0..runs.div_ceil(PIECE))
        .into_par_iter()
        .map_init(
            || Room { simulator: Simulator::default(), plan: FaultPlan::default() },
            |room, piece| {
                if stop.load(Ordering::Relaxed) {
                    return Sample::default();
                }
                room.piece(&prepared, chances, piece * PIECE..runs.min((piece + 1) * PIECE), seed)
            },
        )
        .collect();
    let mut all = Sample::default();
    for piece in &pieces {
        all.merge(piece);
    }
    all
}

struct Room {
    simulator: Simulator,
    plan: FaultPlan,
}

impl Room {
    fn piece(&mut self, prepared: &Prepared<'_>, chances: &Chances, runs: std::ops::Range<u64>, seed: u32) -> Sample {
        let calls = calls_at_most(prepared.scenario()).min(chances.calls);
        let mut sample = Sample::default();
        for run in runs {
            let drawn = draw::bits(u64::from(seed), Stream::Sample, run);
            self.draw_plan(chances, calls, drawn);
            let seed = u32::try_from(drawn >> 32).unwrap_or_default();
            let Ok(tally) = self.simulator.count_under(prepared, &self.plan, seed) else {
                sample.too_long += 1;
                continue;
            };
            sample.counts.add(tally.worst(prepared.cast()));
            if let Some((at, report)) = tally.report {
                sample.reported_after_ms += at.as_ms();
                sample.escalations += u64::from(report == Report::UnknownEscalate);
            }
        }
        sample
    }

    fn draw_plan(&mut self, chances: &Chances, calls: u32, seed: u64) {
        self.plan.calls.clear();
        self.plan.lookups.clear();
        for number in 1..=calls {
            for (place, stream) in
                [(Place::Call(number), Stream::CallMishap), (Place::Lookup(number), Stream::LookupMishap)]
            {
                let share = share(draw::bits(seed, stream, u64::from(number)));
                let Some((mishap, rest)) = drawn(chances, matches!(place, Place::Lookup(_)), share) else { continue };
                match &chances.lateness {
                    _ if mishap == Mishap::Copied => set(&mut self.plan, place, mishap, chances.copies_apart),
                    Lateness::Listed(delays) if mishap.is_late() => {
                        set(&mut self.plan, place, mishap, listed(delays, rest));
                    }
                    Lateness::Tail { from, to } if mishap.is_late() => {
                        set(&mut self.plan, place, mishap, *from);
                        self.draw_from_tail(place, (*from, *to));
                    }
                    _ => set(&mut self.plan, place, mishap, Span::ZERO),
                }
            }
        }
    }

    /// What is late in the last entry is drawn by the simulator.
    fn draw_from_tail(&mut self, place: Place, (from, to): (Span, Span)) {
        let drawn = ResponseFate::Drawn { from, to };
        let draw = |fate: &mut ResponseFate| {
            if matches!(fate, ResponseFate::Delayed(_)) {
                *fate = drawn;
            }
        };
        match place {
            Place::Call(_) => {
                if let Some(fault) = self.plan.calls.last_mut() {
                    if matches!(fault.request, RequestFate::Delayed(_)) {
                        fault.request = RequestFate::Drawn { from, to };
                    }
                    draw(&mut fault.response);
                }
            }
            Place::Lookup(_) => {
                if let Some(fault) = self.plan.lookups.last_mut() {
                    draw(&mut fault.request);
                    draw(&mut fault.response);
                }
            }
        }
    }
}

/// A number from 0 up to 1.
#[expect(clippy::cast_precision_loss, reason = "53 bits fit")]
fn share(bits: u64) -> f64 {
    (bits >> 11) as f64 / (1_u64 << 53) as f64
}

/// Which mishap a share of all chances stands for, and which share of its own; none where all goes well.
fn drawn(chances: &Chances, of_lookup: bool, mut share: f64) -> Option<(Mishap, f64)> {
    for (mishap, probability) in chances.likely(of_lookup) {
        if share < probability {
            return Some((mishap, share / probability));
        }
        share -= probability;
    }
    None
}

fn listed(delays: &[(Span, f64)], mut share: f64) -> Span {
    for (delay, probability) in delays {
        if share < *probability {
            return *delay;
        }
        share -= probability;
    }
    delays.last().map_or(Span::ZERO, |(delay, _)| *delay)
}
