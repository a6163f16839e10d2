//! Where two runs part: the first instant at which not the same happens in both.

use super::{Event, Payload, Trace, What};
use crate::model::Time;

/// The first instant at which something happens in one run and not in the other; none where all is alike
/// to the end.
///
/// What happens counts, not what will: a message that will be lost leaves as any other does, so two runs part
/// when it arrives in one of them. Nor do they part because of the key that a request carries, but when
/// the service acts on it.
#[must_use]
pub fn parting(one: &Trace, other: &Trace) -> Option<Time> {
    let (one, other) = (until_the_end(one), until_the_end(other));
    let alike = one.iter().zip(other).take_while(|(a, b)| alike(a, b)).count();
    [one.get(alike), other.get(alike)].into_iter().flatten().map(|event| event.at).min()
}

/// The first instant at which any two of several runs part.
#[must_use]
pub fn first_parting<'a>(traces: impl IntoIterator<Item = &'a Trace>) -> Option<Time> {
    let mut traces = traces.into_iter();
    let first = traces.next()?;
    // As long as all are like the first, no two differ.
    traces.filter_map(|trace| parting(first, trace)).min()
}

/// All that happens. That nothing more does is seen only when the other run goes on.
fn until_the_end(trace: &Trace) -> &[Event] {
    match trace.events() {
        [events @ .., Event { what: What::Ended { .. }, .. }] => events,
        events => events,
    }
}

fn alike(a: &Event, b: &Event) -> bool {
    a.at == b.at
        && match (a.what, b.what) {
            (
                What::AttemptStarted { attempt, times_out_at, .. },
                What::AttemptStarted { attempt: other, times_out_at: other_times_out_at, .. },
            ) => attempt == other && times_out_at == other_times_out_at,
            (What::Sent(a), What::Sent(b)) => a.id == b.id && carries_alike(a.payload, b.payload),
            (What::Committed { charge, request, .. }, What::Committed { charge: other, request: by, .. }) => {
                charge == other && request == by
            }
            (a, b) => a == b,
        }
}

/// Whether two messages carry the same, but for the key.
fn carries_alike(a: Payload, b: Payload) -> bool {
    match (a, b) {
        (
            Payload::Request { attempt, call, copy_of, .. },
            Payload::Request { attempt: other, call: other_call, copy_of: other_copy_of, .. },
        ) => attempt == other && call == other_call && copy_of == other_copy_of,
        (a, b) => a == b,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Fault, Scenario, Strategy};
    use crate::sim::simulate;

    fn run(strategy: usize, fault: usize) -> Trace {
        let scenario = Scenario::new(Strategy::presets()[strategy].clone(), Fault::presets()[fault].clone());
        simulate(&scenario).unwrap()
    }

    fn secs(time: Option<Time>) -> Option<u64> {
        time.map(|time| time.as_ms() / 1_000)
    }

    #[test]
    fn a_run_never_parts_from_itself_nor_for_the_name_of_a_key() {
        assert_eq!(parting(&run(1, 2), &run(1, 2)), None);
        assert_eq!(parting(&run(0, 1), &run(2, 1)), None);
    }

    #[test]
    fn strategies_part_where_they_act_differently_and_faults_where_they_strike() {
        // Naive retry sends again at 31 s; verify looks first.
        assert_eq!(secs(parting(&run(0, 1), &run(1, 1))), Some(31));
        // The pinned key is recognised when the second request arrives.
        assert_eq!(secs(parting(&run(0, 1), &run(3, 1))), Some(33));
        // Without a fault the request arrives after 2 s, and late after 90 s.
        assert_eq!(secs(parting(&run(0, 0), &run(0, 2))), Some(2));
        // The answer that is lost would have arrived at 4 s.
        assert_eq!(secs(parting(&run(0, 0), &run(0, 1))), Some(4));
        let all: Vec<Trace> = (0..4).map(|strategy| run(strategy, 2)).collect();
        assert_eq!(secs(first_parting(&all)), Some(31));
    }
}
