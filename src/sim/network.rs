//! The network: what becomes of each message is settled when it leaves.

use super::queue::{Due, Happening, Looked, Order, Search};
use super::{Run, Step, TooManyEvents};
use crate::model::draw::{self, Stream};
use crate::model::fault::{RequestFate, ResponseFate};
use crate::model::{AgentId, Span, Time};
use crate::trace::{Answer, Fate, Message, MessageId, Payload, Recorder, What};

impl<R: Recorder> Run<'_, R> {
    /// What is due soonest happens.
    #[inline]
    pub(super) fn bring_about(&mut self) -> Step {
        // Read where it stands: a copy would wait for what was just written.
        let Some(due) = self.queue.soonest() else { return Ok(()) };
        let (agent, message) = (due.agent, due.message);
        match due.what {
            Happening::Request(call) => {
                self.queue.drop_soonest();
                self.record(agent, What::Arrived(message))?;
                self.receive(agent, message, self.order(call))
            }
            Happening::Response { call, answer } => {
                self.queue.drop_soonest();
                self.hear(agent, message, call, answer)
            }
            Happening::Lookup(number) => {
                self.queue.drop_soonest();
                self.look(agent, message, number)
            }
            Happening::Finding { to, found } => {
                self.queue.drop_soonest();
                self.learn(agent, message, to, Looked::Saw(found))
            }
            Happening::LookupFailed { to } => {
                self.queue.drop_soonest();
                self.learn(agent, message, to, Looked::Failed)
            }
            Happening::Again(call) => {
                self.queue.drop_soonest();
                self.receive(agent, message, self.order(call))
            }
            Happening::Done(call) => {
                self.queue.drop_soonest();
                self.conclude(agent, message, self.order(call))
            }
        }
    }

    /// What a call asked for.
    #[inline]
    fn order(&self, call: u32) -> Order {
        self.orders[call as usize - 1]
    }

    #[expect(clippy::inline_always, reason = "what a recorder leaves out is then never built: twice as fast")]
    #[inline(always)]
    fn send(
        &mut self,
        agent: AgentId,
        payload: Payload,
        fate: Fate,
        what: Happening,
    ) -> Result<MessageId, TooManyEvents> {
        let id = MessageId::from_index(self.messages);
        self.messages += 1;
        if let Fate::Arrives(at) = fate {
            self.queue.push(Due { at, agent, message: id, what });
        }
        self.record(agent, What::Sent(Message { id, agent, sent_at: self.now, fate, payload }))?;
        Ok(id)
    }

    pub(super) fn send_request(&mut self, agent: AgentId, order: Order) -> Step {
        let Order { attempt, call, key, args, fault } = order;
        let fate = self.faults.at_place(fault).map_or(RequestFate::Delivered, |fault| fault.request);
        let on_time = self.now + self.scenario.network.latency;
        let request = |copy_of| Payload::Request { attempt, call, copy_of, key, args };
        let fate_of_first = match fate {
            RequestFate::Delivered | RequestFate::Copied { .. } => Fate::Arrives(on_time),
            RequestFate::Delayed(delay) => Fate::Arrives(self.now + delay),
            RequestFate::Drawn { from, to } => self.drawn(Stream::Request, call, from, to),
            RequestFate::Lost => Fate::Lost,
        };
        let original = self.send(agent, request(None), fate_of_first, Happening::Request(call))?;
        if let RequestFate::Copied { copies, apart } = fate {
            let mut behind = Span::ZERO;
            for _ in 1..copies.get() {
                behind = behind + apart;
                let fate = Fate::Arrives(on_time + behind);
                self.send(agent, request(Some(original)), fate, Happening::Request(call))?;
            }
        }
        Ok(())
    }

    pub(super) fn send_response(&mut self, agent: AgentId, to: MessageId, order: Order, answer: Answer) -> Step {
        let Order { attempt, call, fault, .. } = order;
        let fate = self.faults.at_place(fault).map_or(ResponseFate::Delivered, |fault| fault.response);
        let fate = self.fate(fate, Stream::Response, to.number());
        let payload = Payload::Response { to, attempt, call, answer };
        self.send(agent, payload, fate, Happening::Response { call, answer })?;
        Ok(())
    }

    pub(super) fn send_lookup(
        &mut self,
        agent: AgentId,
        attempt: u32,
        search: Search,
    ) -> Result<MessageId, TooManyEvents> {
        self.searches.push(search);
        let number = u32::try_from(self.searches.len()).unwrap_or(u32::MAX);
        let fate = self.faults.lookup(number).map_or(ResponseFate::Delivered, |fault| fault.request);
        let fate = self.fate(fate, Stream::Lookup, number);
        self.send(agent, Payload::Lookup { attempt, number }, fate, Happening::Lookup(number))
    }

    /// Sends what a lookup found, or that it failed.
    pub(super) fn send_finding(&mut self, agent: AgentId, to: MessageId, number: u32, looked: Looked) -> Step {
        let fate = self.faults.lookup(number).map_or(ResponseFate::Delivered, |fault| fault.response);
        let fate = self.fate(fate, Stream::Finding, number);
        let (payload, what) = match looked {
            Looked::Saw(found) => (Payload::Finding { to, found }, Happening::Finding { to, found }),
            Looked::Failed => (Payload::LookupFailed { to }, Happening::LookupFailed { to }),
        };
        self.send(agent, payload, fate, what)?;
        Ok(())
    }

    #[inline]
    fn fate(&self, fate: ResponseFate, stream: Stream, number: u32) -> Fate {
        match fate {
            ResponseFate::Delivered => Fate::Arrives(self.now + self.scenario.network.latency),
            ResponseFate::Delayed(delay) => Fate::Arrives(self.now + delay),
            ResponseFate::Drawn { from, to } => self.drawn(stream, number, from, to),
            ResponseFate::Lost => Fate::Lost,
        }
    }

    #[cold]
    fn drawn(&self, stream: Stream, number: u32, from: Span, to: Span) -> Fate {
        let delay = draw::log_uniform(draw::bits(self.seed, stream, u64::from(number)), from, to);
        let at: Time = self.now + delay;
        Fate::Arrives(at)
    }
}
