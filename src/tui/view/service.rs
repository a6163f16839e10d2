//! What the service does that is no event of its own: when a key that it keeps expires.

use crate::model::Time;
use crate::model::contract::{Retention, Stores};
use crate::trace::{Key, Payload, Trace, What};

/// When the keys expire that the service records, as far as that is before the end of the run: counted from when the
/// first request with the key arrived.
pub(super) fn expiries(trace: &Trace) -> Vec<(Time, Key)> {
    let contract = &trace.scenario().contract;
    let Retention::For(kept) = contract.retention else { return Vec::new() };
    if !contract.stores_keys() {
        return Vec::new();
    }
    let mut found: Vec<(Time, Key)> = Vec::new();
    for event in trace.events() {
        let request = match event.what {
            What::Committed { request, .. } => request,
            What::Failed { request, replayed: false } if contract.stores == Stores::Everything => request,
            _ => continue,
        };
        let Payload::Request { key: Some(key), .. } = trace.message(request).payload else { continue };
        let arrived = |at: &&crate::trace::Event| at.what == What::Arrived(request);
        let arrived = trace.events().iter().rev().filter(|other| other.at <= event.at).find(arrived);
        let expires = arrived.map_or(event.at, |arrived| arrived.at) + kept;
        let known = found.iter().any(|(until, other)| *other == key && event.at < *until);
        if expires <= trace.end() && !known {
            found.push((expires, key));
        }
    }
    found
}
