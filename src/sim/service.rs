//! The billing service: what it does with requests and lookups, by its contract and by the fault plan.

use super::queue::{Due, Happening, Looked, Order, Search};
use super::store::{Entry, Row, Ruling, State};
use super::{Run, Step};
use crate::model::contract::{ReadPath, Recorded, Stores};
use crate::model::fault::{LookupFate, OutageAnswer, ServiceFate};
use crate::model::{AgentId, Span};
use crate::trace::{Answer, ChargeId, Key, MessageId, Recorder, Refusal, What};

impl<R: Recorder> Run<'_, R> {
    /// Tells of the charges that stood before the run.
    #[inline]
    pub(super) fn open_the_books(&mut self) -> Step {
        for like in self.cast.priors() {
            let charge = self.store.commit(Row { like: *like, at: None, key: None });
            self.record(AgentId(0), What::Stood { charge })?;
        }
        Ok(())
    }

    /// A request reaches the service, or is looked at again.
    #[expect(clippy::inline_always, reason = "on the path of every run, and called from one or two places")]
    #[inline(always)]
    pub(super) fn receive(&mut self, agent: AgentId, request: MessageId, order: Order) -> Step {
        if !self.faults.outages.is_empty()
            && let Some(sees) = self.faults.outage(self.now)
        {
            return match sees {
                OutageAnswer::Unavailable => self.refuse(agent, request, order, Refusal::Unavailable),
                OutageAnswer::Nothing => self.record(agent, What::Unheard { message: request }),
            };
        }
        match self.fate_in_service(order) {
            ServiceFate::Unavailable => return self.refuse(agent, request, order, Refusal::Unavailable),
            ServiceFate::RateLimited { retry_after } => {
                let secs = retry_after.as_ms().div_ceil(1_000);
                let retry_after_s = u16::try_from(secs).unwrap_or(u16::MAX);
                return self.refuse(agent, request, order, Refusal::RateLimited { retry_after_s });
            }
            _ => {}
        }
        let print = self.cast.kind(order.args).print;
        match self.store.rule(&self.scenario.contract, self.now, order.key, print) {
            Ruling::Run => self.begin(agent, request, order),
            Ruling::Replay(charge) => {
                self.record(agent, What::Replayed { charge, request })?;
                self.send_response(agent, request, order, Answer::Success { charge, replayed: true })
            }
            Ruling::ReplayError => {
                self.record(agent, What::Failed { request, replayed: true })?;
                self.send_response(agent, request, order, Answer::Error { replayed: true })
            }
            Ruling::Refuse(refusal) => self.refuse(agent, request, order, refusal),
            Ruling::Hold(until) => {
                if let Some(at) = until {
                    self.queue.push(Due { at, agent, message: request, what: Happening::Again(order.call) });
                }
                self.record(agent, What::Held { request, until })
            }
        }
    }

    #[inline]
    fn fate_in_service(&self, order: Order) -> ServiceFate {
        self.faults.at_place(order.fault).map_or(ServiceFate::Works, |fault| fault.service)
    }

    fn refuse(&mut self, agent: AgentId, request: MessageId, order: Order, refusal: Refusal) -> Step {
        self.record(agent, What::Refused { refusal, request })?;
        self.send_response(agent, request, order, Answer::Refused(refusal))
    }

    /// The key under which the service stores a request; none where it stores none.
    #[inline]
    fn key_to_store(&self, order: Order) -> Option<Key> {
        if self.scenario.contract.stores_keys() { order.key } else { None }
    }

    /// The service sets to work. Without processing time it is done at once.
    #[inline]
    fn begin(&mut self, agent: AgentId, request: MessageId, order: Order) -> Step {
        let processing = self.scenario.contract.processing;
        if processing == Span::ZERO {
            return self.conclude(agent, request, order);
        }
        let until = self.now + processing;
        if let Some(key) = self.key_to_store(order) {
            self.store.take_down(self.entry(key, request, order, State::Running { until }));
        }
        self.queue.push(Due { at: until, agent, message: request, what: Happening::Done(order.call) });
        self.record(agent, What::Began { request, until })
    }

    fn entry(&self, key: Key, request: MessageId, order: Order, state: State) -> Entry {
        Entry { key, request, print: self.cast.kind(order.args).print, at: self.now, state }
    }

    /// The service comes to the commit.
    #[expect(clippy::inline_always, reason = "on the path of every run, and called from one or two places")]
    #[inline(always)]
    pub(super) fn conclude(&mut self, agent: AgentId, request: MessageId, order: Order) -> Step {
        let fate = self.fate_in_service(order);
        if fate != ServiceFate::Works {
            return self.conclude_badly(agent, request, order, fate);
        }
        let charge = self.commit(agent, request, order)?;
        self.settle(request, order, State::Charged(charge));
        self.send_response(agent, request, order, Answer::Success { charge, replayed: false })
    }

    #[expect(clippy::inline_always, reason = "on the path of every run, and called from one or two places")]
    #[inline(always)]
    fn commit(&mut self, agent: AgentId, request: MessageId, order: Order) -> Result<ChargeId, super::TooManyEvents> {
        let (like, task) = (self.cast.kind(order.args).like, self.role(agent).task);
        let key = self.key_to_store(order);
        let charge = self.store.commit(Row { like: Some(like), at: Some(self.now), key });
        self.record(agent, What::Committed { charge, request, key: order.key, task })?;
        Ok(charge)
    }

    #[inline]
    fn settle(&mut self, request: MessageId, order: Order, state: State) {
        if let Some(key) = self.key_to_store(order) {
            self.store.settle(self.entry(key, request, order, state));
        }
    }

    #[cold]
    fn conclude_badly(&mut self, agent: AgentId, request: MessageId, order: Order, fate: ServiceFate) -> Step {
        let stores_errors = self.scenario.contract.stores == Stores::Everything;
        match fate {
            ServiceFate::Crash => return self.crash(agent, request, order),
            ServiceFate::ErrorAfter => {
                let charge = self.commit(agent, request, order)?;
                let stored = if stores_errors { State::Failed } else { State::Charged(charge) };
                self.settle(request, order, stored);
            }
            _ if stores_errors => self.settle(request, order, State::Failed),
            _ => self.store.forget(request),
        }
        self.record(agent, What::Failed { request, replayed: false })?;
        self.send_response(agent, request, order, Answer::Error { replayed: false })
    }

    /// The service crashes at the commit: after the first of key and effect, where one comes before the other.
    fn crash(&mut self, agent: AgentId, request: MessageId, order: Order) -> Step {
        let key_recorded = self.scenario.contract.recorded == Recorded::Before && self.key_to_store(order).is_some();
        if key_recorded {
            self.settle(request, order, State::Stuck);
        } else {
            self.store.forget(request);
        }
        if self.scenario.contract.recorded == Recorded::After {
            self.commit(agent, request, order)?;
        }
        self.record(agent, What::ServiceCrashed { request, key_recorded })
    }

    /// A lookup reaches the service.
    pub(super) fn look(&mut self, agent: AgentId, lookup: MessageId, number: u32) -> Step {
        let search = self.searches[number as usize - 1];
        self.record(agent, What::Arrived(lookup))?;
        let outage = self.faults.outage(self.now);
        if outage == Some(OutageAnswer::Nothing) {
            return self.record(agent, What::Unheard { message: lookup });
        }
        let reads = self.scenario.contract.reads;
        let fate = self.faults.lookup(number).map_or(LookupFate::Works, |fault| fault.service);
        let lag = if let LookupFate::Lag(lag) = fate { lag } else { reads.lag };
        let fails = outage.is_some()
            || fate == LookupFate::Error
            || reads.path != ReadPath::Works
            || (matches!(search, Search::Key(_)) && !reads.by_key);
        if fails {
            self.record(agent, What::ReadFailed { lookup })?;
            return self.send_finding(agent, lookup, number, Looked::Failed);
        }
        let found = self.store.search(self.cast, self.now, lag, search);
        self.record(agent, What::Read { lookup, found })?;
        self.send_finding(agent, lookup, number, Looked::Saw(found))
    }
}
