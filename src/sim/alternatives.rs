//! What could have become of a message instead: each as a changed fault plan, simulated from the start.
//!
//! History is never patched: a changed run has a scenario of its own, and everything after the change follows
//! from it.

use super::{TooManyEvents, simulate};
use crate::model::fault::{Call, CallFault, Copies, LookupFate, LookupFault, RequestFate, ResponseFate};
use crate::model::text::Text;
use crate::model::{Fault, FaultPlan, Scenario, Span};
use crate::trace::{Message, MessageId, Outcome, Payload, Tally, Trace, parting};

/// What can become of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// It arrives after the latency, and its answer too.
    OnTime,
    /// It is lost on the way.
    Lost,
    /// It arrives, and its answer is lost.
    AnswerLost,
    /// It arrives long after the timeout.
    Late,
    /// It arrives twice.
    Twice,
}

/// Something that could become of a message, and what it leads to.
#[derive(Clone, Debug)]
pub struct Alternative {
    /// What becomes of it.
    pub turn: Turn,
    /// The same in words, after the message's name: `is lost`.
    pub words: String,
    /// The run from its start, under the changed plan.
    pub trace: Trace,
    /// What that run comes to.
    pub outcome: Outcome,
    /// When it parts from the present run; never, where nothing changes.
    pub parts_at: Option<crate::model::Time>,
    /// Whether this is what becomes of it in the present run.
    pub is_present: bool,
}

/// Why there is no alternative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fixed {
    /// A run with a change would have too many events.
    TooMany(TooManyEvents),
    /// The message has a number that a fault plan cannot name.
    BeyondPlan,
}

impl std::fmt::Display for Fixed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::TooMany(error) => write!(f, "What else could become of it cannot be shown: {error}."),
            Self::BeyondPlan => {
                f.write_str("A fault plan cannot name a message so late: nothing else can become of it.")
            }
        }
    }
}

/// Everything that could become of a message of this run, what does become of it included.
///
/// # Errors
///
/// Why nothing else can, in this model, become of it.
pub fn alternatives(trace: &Trace, message: MessageId) -> Result<Vec<Alternative>, Fixed> {
    let handle = Handle::of(trace, trace.message(message)).ok_or(Fixed::BeyondPlan)?;
    handle.turns().iter().map(|turn| handle.turned(trace, *turn)).collect()
}

/// Where a fault plan takes hold of a message.
#[derive(Clone, Copy)]
enum Handle {
    /// The requests of a call.
    Request(Call),
    /// The answers to a call.
    Answer(Call),
    /// A lookup.
    Lookup(Call),
    /// What the service says to a lookup.
    Finding(Call),
}

impl Handle {
    fn of(trace: &Trace, message: &Message) -> Option<Self> {
        let number = |n: u32| Call::try_from(u64::from(n)).ok();
        match message.payload {
            Payload::Request { call, .. } => number(call).map(Self::Request),
            Payload::Response { call, .. } => number(call).map(Self::Answer),
            Payload::Lookup { number: n, .. } => number(n).map(Self::Lookup),
            Payload::Finding { to, .. } | Payload::LookupFailed { to } => match trace.message(to).payload {
                Payload::Lookup { number: n, .. } => number(n).map(Self::Finding),
                _ => None,
            },
        }
    }

    /// What can become of it, in the order of the list.
    const fn turns(self) -> &'static [Turn] {
        match self {
            Self::Request(_) => &[Turn::OnTime, Turn::Lost, Turn::AnswerLost, Turn::Late, Turn::Twice],
            Self::Lookup(_) => &[Turn::OnTime, Turn::Lost, Turn::AnswerLost, Turn::Late],
            Self::Answer(_) | Self::Finding(_) => &[Turn::OnTime, Turn::Lost, Turn::Late],
        }
    }

    fn turned(self, trace: &Trace, turn: Turn) -> Result<Alternative, Fixed> {
        let scenario = trace.scenario();
        let late = late(scenario);
        let mut plan = scenario.fault.plan.clone();
        let words = match self {
            Self::Request(call) => {
                let strike = of_call(&mut plan, call);
                (strike.request, strike.response) = turn.of_request(strike.request, late);
                turn.words(match strike.request {
                    RequestFate::Delayed(by) => Some(by),
                    _ => None,
                })
            }
            Self::Answer(call) => {
                let strike = of_call(&mut plan, call);
                strike.response = turn.of_answer(strike.response, late);
                turn.words(delay_of(strike.response))
            }
            Self::Lookup(number) => {
                let strike = of_lookup(&mut plan, number);
                strike.request = if turn == Turn::AnswerLost {
                    ResponseFate::Delivered
                } else {
                    turn.of_answer(strike.request, late)
                };
                strike.response = if turn == Turn::AnswerLost { ResponseFate::Lost } else { ResponseFate::Delivered };
                turn.words(delay_of(strike.request))
            }
            Self::Finding(number) => {
                let strike = of_lookup(&mut plan, number);
                strike.response = turn.of_answer(strike.response, late);
                turn.words(delay_of(strike.response))
            }
        };
        plan.calls.retain(|strike| *strike != CallFault::none(strike.call));
        plan.lookups.retain(|strike| *strike != no_fault(strike.lookup));
        let is_present = plan == scenario.fault.plan;
        let run = simulate(&Scenario { fault: named(plan), ..scenario.clone() }).map_err(Fixed::TooMany)?;
        Ok(Alternative {
            turn,
            words,
            outcome: Tally::of(&run).outcome(),
            parts_at: parting(trace, &run).map(|parting| parting.at),
            trace: run,
            is_present,
        })
    }
}

const fn delay_of(fate: ResponseFate) -> Option<Span> {
    match fate {
        ResponseFate::Delayed(by) => Some(by),
        _ => None,
    }
}

impl Turn {
    /// What becomes of the message, after its name.
    fn words(self, late_by: Option<Span>) -> String {
        match (self, late_by) {
            (Self::OnTime, _) => "arrives on time".to_owned(),
            (Self::Lost, _) => "is lost".to_owned(),
            (Self::AnswerLost, _) => "has its answer lost".to_owned(),
            (Self::Late, Some(by)) => format!("arrives late, after {}", by.human()),
            (Self::Late, None) => "arrives late".to_owned(),
            (Self::Twice, _) => "arrives twice".to_owned(),
        }
    }

    /// What then becomes of a request and its answers. A request that is late or copied already stays so.
    fn of_request(self, present: RequestFate, late: Span) -> (RequestFate, ResponseFate) {
        let request = match (self, present) {
            (Self::Lost, _) => RequestFate::Lost,
            (Self::Late, RequestFate::Drawn { .. }) | (Self::Twice, RequestFate::Copied { .. }) => present,
            (Self::Late, RequestFate::Delayed(by)) => RequestFate::Delayed(by.max(late)),
            (Self::Late, _) => RequestFate::Delayed(late),
            (Self::Twice, _) => RequestFate::Copied { copies: Copies::new(2), apart: Span::secs(1) },
            (Self::OnTime | Self::AnswerLost, _) => RequestFate::Delivered,
        };
        (request, if self == Self::AnswerLost { ResponseFate::Lost } else { ResponseFate::Delivered })
    }

    /// What then becomes of an answer, or of a lookup. One that is late already stays so.
    fn of_answer(self, present: ResponseFate, late: Span) -> ResponseFate {
        match (self, present) {
            (Self::Lost | Self::AnswerLost, _) => ResponseFate::Lost,
            (Self::Late, ResponseFate::Drawn { .. }) => present,
            (Self::Late, ResponseFate::Delayed(by)) => ResponseFate::Delayed(by.max(late)),
            (Self::Late, _) => ResponseFate::Delayed(late),
            (Self::OnTime | Self::Twice, _) => ResponseFate::Delivered,
        }
    }
}

/// Long past the timeout: three times as long, as in the preset `late-commit`.
fn late(scenario: &Scenario) -> Span {
    Span::ms(scenario.strategy.timeout.as_ms().saturating_mul(3)).min(Span::MAX)
}

/// The entry of a call, made where there is none.
fn of_call(plan: &mut FaultPlan, call: Call) -> &mut CallFault {
    let place = plan.calls.iter().position(|strike| strike.call == call).unwrap_or_else(|| {
        plan.calls.push(CallFault::none(call));
        plan.calls.len() - 1
    });
    &mut plan.calls[place]
}

/// The entry of a lookup, made where there is none.
fn of_lookup(plan: &mut FaultPlan, number: Call) -> &mut LookupFault {
    let place = plan.lookups.iter().position(|strike| strike.lookup == number).unwrap_or_else(|| {
        plan.lookups.push(no_fault(number));
        plan.lookups.len() - 1
    });
    &mut plan.lookups[place]
}

const fn no_fault(lookup: Call) -> LookupFault {
    LookupFault {
        lookup,
        request: ResponseFate::Delivered,
        service: LookupFate::Works,
        response: ResponseFate::Delivered,
    }
}

/// The plan under the name of the preset that it is, if it is one.
fn named(plan: FaultPlan) -> Fault {
    let preset = Fault::named_presets().into_iter().find(|preset| preset.plan == plan);
    preset.unwrap_or_else(|| Fault { name: Text::new("changed"), plan })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Strategy, Time};
    use crate::trace::{Snapshot, Verdict};

    fn run(strategy: usize, fault: usize) -> Trace {
        simulate(&Scenario::new(Strategy::presets()[strategy].clone(), Fault::presets()[fault].clone())).unwrap()
    }

    fn told(trace: &Trace, message: u32) -> Vec<(String, u32, Option<u64>, bool)> {
        let list = alternatives(trace, MessageId::from_index(message)).unwrap();
        let secs = |at: Option<Time>| at.map(|at| at.as_ms() / 1_000);
        list.into_iter().map(|a| (a.words, a.outcome.charges, secs(a.parts_at), a.is_present)).collect()
    }

    #[test]
    fn the_late_request_of_the_talk_could_have_become_five_things() {
        let said = |words: &str, charges, parts, present| (words.to_owned(), charges, parts, present);
        assert_eq!(
            told(&run(1, 2), 0),
            [
                said("arrives on time", 1, Some(2), false),
                said("is lost", 1, Some(90), false),
                said("has its answer lost", 1, Some(2), false),
                said("arrives late, after 90 s", 2, None, true),
                said("arrives twice", 2, Some(2), false),
            ]
        );
    }

    #[test]
    fn an_answer_can_be_on_time_lost_or_late() {
        let trace = run(0, 0);
        let answer = trace.messages().iter().find(|message| !message.is_outbound()).unwrap().id;
        let list = told(&trace, u32::try_from(answer.index()).unwrap());
        let charges: Vec<_> = list.iter().map(|(_, charges, parts, present)| (*charges, *parts, *present)).collect();
        assert_eq!(charges, [(1, None, true), (2, Some(4), false), (2, Some(4), false)]);
    }

    #[test]
    fn a_lookup_and_its_finding_have_their_own_alternatives() {
        let trace = run(1, 1);
        let of = |is: fn(&Payload) -> bool| trace.messages().iter().find(|m| is(&m.payload)).unwrap().id;
        let charges = |id| -> Vec<(Turn, u32)> {
            let list = alternatives(&trace, id).unwrap();
            list.iter().map(|alternative| (alternative.turn, alternative.outcome.charges)).collect()
        };
        // Whoever learns nothing from the lookup sends again, and charges twice.
        let lookup = of(|payload| matches!(payload, Payload::Lookup { .. }));
        assert_eq!(charges(lookup), [(Turn::OnTime, 1), (Turn::Lost, 2), (Turn::AnswerLost, 2), (Turn::Late, 2)]);
        let finding = of(|payload| matches!(payload, Payload::Finding { .. }));
        assert_eq!(charges(finding), [(Turn::OnTime, 1), (Turn::Lost, 2), (Turn::Late, 2)]);
    }

    #[test]
    fn each_is_a_run_of_its_own_and_alike_up_to_where_it_parts() {
        for scenario in Scenario::presets() {
            let trace = simulate(&scenario).unwrap();
            for message in trace.messages() {
                let Ok(list) = alternatives(&trace, message.id) else { continue };
                assert_eq!(list.iter().filter(|alternative| alternative.is_present).count(), 1, "{message:?}");
                for alternative in list {
                    assert_eq!(simulate(alternative.trace.scenario()).as_ref(), Ok(&alternative.trace));
                    assert_eq!(alternative.parts_at.is_none(), alternative.is_present);
                    if let Some(before) = alternative.parts_at.and_then(|at| at.as_ms().checked_sub(1)) {
                        let then = |trace| Snapshot::at(trace, Time::from_ms(before));
                        assert_eq!(then(&trace).ledger, then(&alternative.trace).ledger);
                    }
                }
            }
        }
    }

    #[test]
    fn a_lost_first_request_is_no_duplicate_under_any_preset() {
        for strategy in 0..4 {
            let all = alternatives(&run(strategy, 2), MessageId::from_index(0)).unwrap();
            let lost = all.iter().find(|alternative| alternative.turn == Turn::Lost).unwrap();
            assert_eq!(lost.outcome.verdict(), Verdict::ExactlyOnce);
        }
    }
}
