//! Where two runs part: the first instant at which not the same happens in both.

use super::{Event, Fate, Message, MessageId, Payload, Trace, What};
use crate::model::{AgentId, Time};

/// Where two runs part, and what then happens in each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parting {
    /// The first instant at which something happens in one run and not in the other.
    pub at: Time,
    /// What happens then in the one, if anything does.
    pub one: Option<Event>,
    /// What happens then in the other, if anything does.
    pub other: Option<Event>,
}

/// Where two runs part; none where all is alike to the end.
///
/// What happens counts, not what will: a message that will be lost or copied leaves as any other does, so two
/// runs part when it arrives in one of them. Nor do they part because of the key that a request
/// carries, but when the service acts on it; nor because messages have other numbers.
#[must_use]
pub fn parting(one: &Trace, other: &Trace) -> Option<Parting> {
    let mut of_one = one.events().iter().filter_map(|event| Some((*event, plain(one, event)?)));
    let mut of_other = other.events().iter().filter_map(|event| Some((*event, plain(other, event)?)));
    loop {
        let (a, b) = (of_one.next(), of_other.next());
        if a.map(|(event, plain)| (event.at, plain)) != b.map(|(event, plain)| (event.at, plain)) {
            let (a, b) = (a.map(|(event, _)| event), b.map(|(event, _)| event));
            let at = [a, b].into_iter().flatten().map(|event| event.at).min()?;
            let then = |event: &Event| event.at == at;
            return Some(Parting { at, one: a.filter(then), other: b.filter(then) });
        }
        a?;
    }
}

/// The first instant at which any two of several runs part.
#[must_use]
pub fn first_parting<'a>(traces: impl IntoIterator<Item = &'a Trace>) -> Option<Time> {
    let mut traces = traces.into_iter();
    let first = traces.next()?;
    // As long as all are like the first, no two differ.
    traces.filter_map(|trace| parting(first, trace)).map(|parting| parting.at).min()
}

/// What happens in an event, without what nobody can see yet and without the numbers of messages. None where
/// nothing happens that could be seen.
fn plain(trace: &Trace, event: &Event) -> Option<(AgentId, What, Option<Payload>)> {
    const ANY: MessageId = MessageId::from_index(0);
    let mut carried = None;
    let what = match event.what {
        What::Sent(Message { payload: Payload::Request { copy_of: Some(_), .. }, .. }) | What::Ended { .. } => {
            return None;
        }
        What::Sent(message) => {
            What::Sent(Message { id: ANY, fate: Fate::Lost, payload: plain_payload(message.payload, ANY), ..message })
        }
        What::Arrived(id) => {
            carried = Some(plain_payload(trace.message(id).payload, ANY));
            What::Arrived(ANY)
        }
        What::ArrivedToNobody(id) => {
            carried = Some(plain_payload(trace.message(id).payload, ANY));
            What::ArrivedToNobody(ANY)
        }
        What::Unheard { message } => {
            carried = Some(plain_payload(trace.message(message).payload, ANY));
            What::Unheard { message: ANY }
        }
        What::AttemptStarted { attempt, times_out_at, .. } => What::AttemptStarted { attempt, key: None, times_out_at },
        What::Committed { charge, task, .. } => What::Committed { charge, request: ANY, key: None, task },
        What::Replayed { charge, .. } => What::Replayed { charge, request: ANY },
        What::Refused { refusal, .. } => What::Refused { refusal, request: ANY },
        What::Began { until, .. } => What::Began { request: ANY, until },
        What::Held { until, .. } => What::Held { request: ANY, until },
        What::Failed { replayed, .. } => What::Failed { request: ANY, replayed },
        What::ServiceCrashed { key_recorded, .. } => What::ServiceCrashed { request: ANY, key_recorded },
        What::Read { found, .. } => What::Read { lookup: ANY, found },
        What::ReadFailed { .. } => What::ReadFailed { lookup: ANY },
        What::LookupTimedOut { .. } => What::LookupTimedOut { lookup: ANY },
        what => what,
    };
    Some((event.agent, what, carried))
}

fn plain_payload(payload: Payload, any: MessageId) -> Payload {
    match payload {
        Payload::Request { attempt, call, args, .. } => {
            Payload::Request { attempt, call, args, copy_of: None, key: None }
        }
        Payload::Response { attempt, call, answer, .. } => Payload::Response { to: any, attempt, call, answer },
        Payload::Finding { found, .. } => Payload::Finding { to: any, found },
        Payload::LookupFailed { .. } => Payload::LookupFailed { to: any },
        lookup @ Payload::Lookup { .. } => lookup,
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

    fn secs(parting: Option<Parting>) -> Option<u64> {
        parting.map(|parting| parting.at.as_ms() / 1_000)
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
        assert_eq!(first_parting(&all), Some(Time::from_ms(31_000)));
        // The copy is seen when it arrives, 1 s behind.
        assert_eq!(secs(parting(&run(0, 0), &run(0, 3))), Some(3));
    }
}
