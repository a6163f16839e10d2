//! The walk over every fault plan within bounds: depth first, by one decision more.
//!
//! Decisions are taken in the order of simulated time: what befalls a message, when it is sent; when a late one lands, when
//! it lands. A decision changes nothing of the run before it, so every plan whose messages are all sent is come by exactly
//! once, as the run unfolds, and no plan is built for a call that is never made. While the landing of a late message is not
//! yet decided it is under way beyond the horizon, and the plan is not counted.

use crate::model::fault::{Call, CallFault, FaultPlan, LookupFault};
use crate::model::{Span, Time};
use crate::sim::{Prepared, Simulator};
use crate::trace::{Event, MessageId, Payload, Recorder, Tally, What};

use super::bounds::{Bounds, Delays, Mishap};
use super::instants::{Stretch, Sweep};

/// Later than any run: where the landing of a late message is not yet decided.
const BEYOND: Span = Span::ms(1 << 45);

/// A message that a fault can strike: the number of a call, or of a lookup.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place {
    Call(u32),
    Lookup(u32),
}

/// One fault of a plan under way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Strike {
    pub(super) place: Place,
    pub(super) mishap: Mishap,
    /// When it lands is not decided yet.
    open: bool,
}

/// The last decision of a plan.
#[derive(Clone, Copy, Debug)]
enum Last {
    /// None yet.
    Nothing,
    /// What befalls this message.
    Sent(Place),
    /// When the late message of this place lands.
    Landed(Place, Time),
}

/// A plan under way, from which the walk goes on.
#[derive(Clone, Debug)]
pub(super) struct Node {
    plan: FaultPlan,
    strikes: Vec<Strike>,
    last: Last,
    /// Messages that were sent at the instant of the last landing, whether or not that had landed.
    sent_anyway: Vec<Place>,
}

/// A plan that is counted, as the walk shows it.
pub(super) struct Found<'a> {
    pub(super) plan: &'a FaultPlan,
    pub(super) faults: usize,
    pub(super) tally: &'a Tally,
    pub(super) events: &'a [Event],
}

/// What the walk tells of.
pub(super) trait Visitor {
    /// A plan each fault of which changes the run.
    fn distinct(&mut self, found: &Found<'_>);
    /// A plan that comes to the same run without one of its faults.
    fn idle(&mut self);
    /// A plan whose run had too many events, or too many instants at which its order changes.
    fn too_long(&mut self);
    /// Whether to go no further.
    fn stop(&self) -> bool;
}

impl Node {
    pub(super) fn root() -> Self {
        Self { plan: FaultPlan::default(), strikes: Vec::new(), last: Last::Nothing, sent_anyway: Vec::new() }
    }
}

/// The room that a walk takes place in.
pub(super) struct Walk<'a> {
    prepared: &'a Prepared<'a>,
    bounds: &'a Bounds,
    simulator: Simulator,
    sweep: Sweep,
    other: Vec<Event>,
    spare: Vec<Vec<Event>>,
}

/// Keeps a run's events and counts.
pub(super) struct Log<'a> {
    pub(super) events: &'a mut Vec<Event>,
    pub(super) tally: Tally,
}

impl Recorder for Log<'_> {
    #[inline]
    fn record(&mut self, event: Event) {
        self.events.push(event);
        self.tally.record(event);
    }
}

impl Recorder for Vec<Event> {
    #[inline]
    fn record(&mut self, event: Event) {
        self.push(event);
    }
}

impl<'a> Walk<'a> {
    pub(super) fn new(prepared: &'a Prepared<'a>, bounds: &'a Bounds) -> Self {
        Self {
            prepared,
            bounds,
            simulator: Simulator::default(),
            sweep: Sweep::default(),
            other: Vec::new(),
            spare: Vec::new(),
        }
    }

    /// Counts a node's plan, and gives the nodes that go on from it.
    pub(super) fn step(&mut self, node: &Node, visitor: &mut impl Visitor, children: &mut Vec<Node>) {
        let mut events = self.spare.pop().unwrap_or_default();
        events.clear();
        let seed = self.prepared.scenario().seed;
        let mut log = Log { events: &mut events, tally: Tally::default() };
        let ran = self.simulator.run_under(self.prepared, &node.plan, seed, &mut log);
        let tally = log.tally;
        if ran.is_err() {
            visitor.too_long();
        } else {
            let open = node.strikes.iter().any(|strike| strike.open);
            if !open {
                if self.every_fault_strikes(node, &events) {
                    let faults = node.strikes.len();
                    visitor.distinct(&Found { plan: &node.plan, faults, tally: &tally, events: &events });
                } else {
                    visitor.idle();
                }
            }
            if node.strikes.len() < self.bounds.faults as usize {
                self.strike(node, &events, children);
            }
            if open {
                self.land(node, &events, visitor, children);
            }
        }
        self.spare.push(events);
    }

    /// Walks a whole subtree.
    pub(super) fn run(&mut self, root: Node, visitor: &mut impl Visitor) {
        let mut to_do = vec![root];
        let mut children = Vec::new();
        while let Some(node) = to_do.pop() {
            if visitor.stop() {
                return;
            }
            self.step(&node, visitor, &mut children);
            to_do.extend(children.drain(..).rev());
        }
    }

    /// Whether the run is another one without any of the plan's faults.
    fn every_fault_strikes(&mut self, node: &Node, events: &[Event]) -> bool {
        let seed = self.prepared.scenario().seed;
        let mut plan = node.plan.clone();
        node.strikes.iter().all(|strike| {
            self.other.clear();
            remove(&mut plan, strike.place);
            let ran = self.simulator.run_under(self.prepared, &plan, seed, &mut self.other);
            plan.clone_from(&node.plan);
            ran.is_err() || self.other != events
        })
    }

    /// One more message that a mishap befalls, sent after the last decision.
    fn strike(&self, node: &Node, events: &[Event], children: &mut Vec<Node>) {
        let sent = |event: &Event| match event.what {
            What::Sent(message) => match message.payload {
                Payload::Request { call, copy_of: None, .. } => Some(Place::Call(call)),
                Payload::Lookup { number, .. } => Some(Place::Lookup(number)),
                _ => None,
            },
            _ => None,
        };
        let mut passed = !matches!(node.last, Last::Sent(_));
        for event in events {
            let Some(place) = sent(event) else { continue };
            match node.last {
                Last::Sent(last) if last == place => {
                    passed = true;
                    continue;
                }
                Last::Landed(_, at) if event.at < at || (event.at == at && node.sent_anyway.contains(&place)) => {
                    continue;
                }
                _ => {}
            }
            let (Place::Call(number) | Place::Lookup(number)) = place;
            if !passed || number > self.bounds.calls || node.strikes.iter().any(|strike| strike.place == place) {
                continue;
            }
            for &mishap in &self.bounds.mishaps {
                if mishap.is_of_lookup() == matches!(place, Place::Lookup(_)) {
                    self.befall(node, place, mishap, children);
                }
            }
        }
    }

    fn befall(&self, node: &Node, place: Place, mishap: Mishap, children: &mut Vec<Node>) {
        let mut add = |delay: Span, open: bool| {
            let mut child = node.clone();
            set(&mut child.plan, place, mishap, delay);
            child.strikes.push(Strike { place, mishap, open });
            child.last = Last::Sent(place);
            child.sent_anyway.clear();
            children.push(child);
        };
        match &self.bounds.delays {
            _ if !mishap.is_late() => add(Span::ZERO, false),
            Delays::Listed(delays) => delays.iter().for_each(|delay| add(*delay, false)),
            Delays::Critical => add(BEYOND, true),
        }
    }

    /// One of the late messages lands, at or after the last decision.
    fn land(&mut self, node: &Node, events: &[Event], visitor: &mut impl Visitor, children: &mut Vec<Node>) {
        let scenario = self.prepared.scenario();
        let reported = events.iter().rev().find(|event| matches!(event.what, What::Reported(_)));
        let Some(horizon) = reported.map(|event| event.at + scenario.horizon) else { return };
        let mut stretches: Vec<Stretch> = Vec::new();
        for (n, strike) in node.strikes.iter().enumerate().filter(|(_, strike)| strike.open) {
            let Some(base) = base_of(events, *strike, scenario.network.latency) else { continue };
            let on_time =
                if strike.mishap == Mishap::Copied { base } else { base + scenario.network.latency + Span::ms(1) };
            let from = match node.last {
                Last::Nothing => on_time,
                Last::Sent(place) => on_time.max(sent_at(events, place)),
                Last::Landed(place, at) if place < strike.place => on_time.max(at),
                Last::Landed(_, at) => on_time.max(at + Span::ms(1)),
            };
            let mut plan = node.plan.clone();
            let (simulator, prepared) = (&mut self.simulator, self.prepared);
            let run = |at: Time, events: &mut Vec<Event>| {
                set(&mut plan, strike.place, strike.mishap, at - base);
                // Where it has too many events, the first of them are compared.
                simulator.run_under(prepared, &plan, scenario.seed, events).ok();
            };
            let (cast, others) = (prepared.cast(), &node.plan);
            if !self.sweep.stretches(scenario, cast, others, (from, horizon), run, &mut stretches) {
                visitor.too_long();
            }
            for stretch in &stretches {
                let ends = [Some(stretch.first), (stretch.last > stretch.first).then_some(stretch.last)];
                for at in ends.into_iter().flatten() {
                    let mut child = node.clone();
                    set(&mut child.plan, strike.place, strike.mishap, at - base);
                    child.strikes[n].open = false;
                    child.last = Last::Landed(strike.place, at);
                    child.sent_anyway = sent_then(events, at);
                    children.push(child);
                }
            }
        }
    }
}

/// What has to be added to a delay to get the landing of a late message; none where it is never sent.
fn base_of(events: &[Event], strike: Strike, latency: Span) -> Option<Time> {
    let answers = |to: MessageId| {
        events.iter().find_map(|event| match event.what {
            What::Sent(message) => match message.payload {
                Payload::Response { to: asked, .. }
                | Payload::Finding { to: asked, .. }
                | Payload::LookupFailed { to: asked }
                    if asked == to =>
                {
                    Some(event.at)
                }
                _ => None,
            },
            _ => None,
        })
    };
    let (sent, id) = sent(events, strike.place)?;
    match strike.mishap {
        Mishap::Copied => Some(sent + latency),
        Mishap::ResponseLate | Mishap::FindingLate => answers(id),
        _ => Some(sent),
    }
}

fn sent(events: &[Event], place: Place) -> Option<(Time, MessageId)> {
    events.iter().find_map(|event| match event.what {
        What::Sent(message) => match (message.payload, place) {
            (Payload::Request { call, copy_of: None, .. }, Place::Call(n)) if call == n => Some((event.at, message.id)),
            (Payload::Lookup { number, .. }, Place::Lookup(n)) if number == n => Some((event.at, message.id)),
            _ => None,
        },
        _ => None,
    })
}

fn sent_at(events: &[Event], place: Place) -> Time {
    sent(events, place).map_or(Time::ZERO, |(at, _)| at)
}

/// The messages of the client that are sent at that instant.
fn sent_then(events: &[Event], at: Time) -> Vec<Place> {
    let then = events.iter().filter(|event| event.at == at);
    let places = then.filter_map(|event| match event.what {
        What::Sent(message) => match message.payload {
            Payload::Request { call, copy_of: None, .. } => Some(Place::Call(call)),
            Payload::Lookup { number, .. } => Some(Place::Lookup(number)),
            _ => None,
        },
        _ => None,
    });
    places.collect()
}

/// Puts a mishap into a plan, in place of what befell that message.
pub(super) fn set(plan: &mut FaultPlan, place: Place, mishap: Mishap, delay: Span) {
    match place {
        Place::Call(n) => {
            let (request, service, response) = mishap.of_call(delay);
            let call = Call::new(n);
            let fault = CallFault { call, request, service, response };
            match plan.calls.iter_mut().find(|known| known.call == call) {
                Some(known) => *known = fault,
                None => plan.calls.push(fault),
            }
        }
        Place::Lookup(n) => {
            let (request, service, response) = mishap.of_lookup(delay);
            let lookup = Call::new(n);
            let fault = LookupFault { lookup, request, service, response };
            match plan.lookups.iter_mut().find(|known| known.lookup == lookup) {
                Some(known) => *known = fault,
                None => plan.lookups.push(fault),
            }
        }
    }
}

fn remove(plan: &mut FaultPlan, place: Place) {
    match place {
        Place::Call(n) => plan.calls.retain(|fault| fault.call.get() != n),
        Place::Lookup(n) => plan.lookups.retain(|fault| fault.lookup.get() != n),
    }
}
