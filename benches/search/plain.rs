//! The 16 runs as one would write them in an afternoon: a heap of boxed events, keys as strings, a map of what is stored.
//! It knows what the grid needs and no more.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use retryscope::model::fault::{RequestFate, ResponseFate};
use retryscope::model::strategy::{KeyPolicy, OnExhausted, Reaction, Verify};
use retryscope::model::{Scenario, key};
use retryscope::sim::Simulator;
use retryscope::trace::Report;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Happening {
    Request { call: u32, key: Option<String> },
    Answer { call: u32 },
    Lookup { number: u32 },
    Finding { number: u32, found: bool },
    Timeout { call: u32 },
    Pause { attempt: u32 },
}

#[derive(Clone, Debug)]
struct Charge {
    _id: String,
    _customer: String,
    _key: Option<String>,
}

/// What a run comes to: charges, and the report in words.
pub(super) fn run(scenario: &Scenario) -> (usize, String) {
    let mut world = World {
        scenario,
        due: BinaryHeap::new(),
        sent: 0,
        ledger: Vec::new(),
        stored: HashMap::new(),
        attempt: 0,
        waits_for: None,
        looks: 0,
        report: None,
    };
    world.attempt(0);
    while let Some(Reverse((at, _, _, what))) = world.due.pop() {
        world.happen(at, *what);
    }
    (world.ledger.len(), world.report.unwrap_or_default())
}

type Due = (u64, bool, u64, Box<Happening>);

struct World<'a> {
    scenario: &'a Scenario,
    /// By time, messages before timers, the earlier-settled first.
    due: BinaryHeap<Reverse<Due>>,
    sent: u64,
    ledger: Vec<Charge>,
    stored: HashMap<String, usize>,
    attempt: u32,
    waits_for: Option<u32>,
    looks: u32,
    report: Option<String>,
}

impl World<'_> {
    fn push(&mut self, at: u64, timer: bool, what: Happening) {
        self.sent += 1;
        self.due.push(Reverse((at, timer, self.sent, Box::new(what))));
    }

    fn attempt(&mut self, now: u64) {
        self.attempt += 1;
        let (call, strategy, task) = (self.attempt, &self.scenario.strategy, &self.scenario.task);
        let key = match strategy.key {
            KeyPolicy::PerAttempt => Some(format!("{}-retry{call}", task.id)),
            KeyPolicy::PerIntent => Some(key::intent_key(&task.id, &task.tool, &task.args.to_value())),
            _ => None,
        };
        let latency = self.scenario.network.latency.as_ms();
        self.waits_for = Some(call);
        self.push(now + strategy.timeout.as_ms(), true, Happening::Timeout { call });
        let request = Happening::Request { call, key };
        match self.scenario.fault.of_call(call).0 {
            RequestFate::Delayed(delay) => self.push(now + delay.as_ms(), false, request),
            RequestFate::Copied { copies, apart } => {
                for n in 0..u64::from(copies.get()) {
                    self.push(now + latency + n * apart.as_ms(), false, request.clone());
                }
            }
            _ => self.push(now + latency, false, request),
        }
    }

    fn happen(&mut self, at: u64, what: Happening) {
        let latency = self.scenario.network.latency.as_ms();
        let strategy = &self.scenario.strategy;
        match what {
            Happening::Request { call, key } => {
                let known = key.as_ref().and_then(|key| self.stored.get(key)).is_some();
                if !known {
                    let id = format!("ch_{}", self.ledger.len() + 1);
                    if let Some(key) = &key {
                        self.stored.insert(key.clone(), self.ledger.len());
                    }
                    let customer = self.scenario.task.args.customer().to_string();
                    self.ledger.push(Charge { _id: id, _customer: customer, _key: key });
                }
                if self.scenario.fault.of_call(call).1 == ResponseFate::Delivered {
                    self.push(at + latency, false, Happening::Answer { call });
                }
            }
            Happening::Answer { call } if self.waits_for == Some(call) => self.end("completed"),
            Happening::Timeout { call } if self.waits_for == Some(call) => {
                self.waits_for = None;
                match strategy.on_timeout {
                    Reaction::Retry => {
                        let attempt = self.attempt;
                        self.push(at + strategy.backoff.first.as_ms(), true, Happening::Pause { attempt });
                    }
                    _ => self.end("failed"),
                }
            }
            Happening::Pause { .. } if strategy.verify == Verify::LookAlike => {
                self.looks += 1;
                self.push(at + latency, false, Happening::Lookup { number: self.looks });
            }
            Happening::Lookup { number } => {
                let found = !self.ledger.is_empty();
                self.push(at + latency, false, Happening::Finding { number, found });
            }
            Happening::Finding { found: true, .. } => self.end("completed"),
            Happening::Pause { .. } | Happening::Finding { .. } => self.go_on(at),
            Happening::Answer { .. } | Happening::Timeout { .. } => {}
        }
    }

    fn go_on(&mut self, at: u64) {
        let strategy = &self.scenario.strategy;
        if self.attempt < strategy.max_attempts.get() {
            self.attempt(at);
        } else {
            self.end(if strategy.on_exhausted == OnExhausted::Escalate { "unknown: escalate" } else { "failed" });
        }
    }

    fn end(&mut self, report: &str) {
        self.waits_for = None;
        self.report = Some(report.to_owned());
    }
}

/// Both versions come to the same in all 16 runs.
pub(super) fn agrees() {
    for scenario in Scenario::presets() {
        let tally = Simulator::default().count(&scenario).expect("few events");
        let report = tally.report.map_or_else(String::new, |(_, report)| Report::to_string(&report));
        assert_eq!(run(&scenario), (tally.charges as usize, report), "{:?}", scenario.fault.name);
    }
}
