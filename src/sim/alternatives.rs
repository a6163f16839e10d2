//! What could have become of a message instead: each as a changed fault plan, simulated from the start.
//!
//! History is never patched: a changed run has a scenario of its own, and everything after the change follows
//! from it.

use super::{TooManyEvents, simulate};
use crate::model::fault::{Call, CallFault, Copies, RequestFate, ResponseFate};
use crate::model::text::Text;
use crate::model::{Fault, Scenario, Span};
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
    /// Nothing can go wrong with a lookup or what it finds.
    Lookup,
    /// A run with a change would have too many events.
    TooMany(TooManyEvents),
    /// The call has a number that a fault plan cannot name.
    BeyondPlan,
}

impl std::fmt::Display for Fixed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Lookup => f.write_str(
                "A fault can strike requests and their answers, but not lookups: nothing else can become of it.",
            ),
            Self::TooMany(error) => write!(f, "What else could become of it cannot be shown: {error}."),
            Self::BeyondPlan => f.write_str("A fault plan cannot name a call so late: nothing else can become of it."),
        }
    }
}

/// Everything that could become of a message of this run, what does become of it included.
///
/// # Errors
///
/// Why nothing else can, in this model, become of it.
pub fn alternatives(trace: &Trace, message: MessageId) -> Result<Vec<Alternative>, Fixed> {
    let handle = Handle::of(trace, trace.message(message)).ok_or(Fixed::Lookup)?;
    handle.turns().iter().map(|turn| handle.turned(trace, *turn)).collect()
}

/// Where a fault plan takes hold of a message.
#[derive(Clone, Copy)]
enum Handle {
    /// The requests of a call.
    Request(u32),
    /// The answers to a call.
    Answer(u32),
}

impl Handle {
    fn of(trace: &Trace, message: &Message) -> Option<Self> {
        match message.payload {
            Payload::Request { call, .. } => Some(Self::Request(call)),
            Payload::Response { to, .. } => match trace.message(to).payload {
                Payload::Request { call, .. } => Some(Self::Answer(call)),
                _ => None,
            },
            _ => None,
        }
    }

    /// What can become of it, in the order of the list.
    const fn turns(self) -> &'static [Turn] {
        match self {
            Self::Request(_) => &[Turn::OnTime, Turn::Lost, Turn::AnswerLost, Turn::Late, Turn::Twice],
            Self::Answer(_) => &[Turn::OnTime, Turn::Lost, Turn::Late],
        }
    }

    fn turned(self, trace: &Trace, turn: Turn) -> Result<Alternative, Fixed> {
        let scenario = trace.scenario();
        let (Self::Request(call) | Self::Answer(call)) = self;
        let number = Call::try_from(u64::from(call)).map_err(|_| Fixed::BeyondPlan)?;
        let fault = with_call(&scenario.fault, number, |strike| self.strike(scenario, turn, strike));
        let is_present = fault.plan == with_call(&scenario.fault, number, |_| {}).plan;
        let changed = Scenario { fault, ..scenario.clone() };
        let words = self.words(scenario, turn);
        let run = simulate(&changed).map_err(Fixed::TooMany)?;
        let parts_at = parting(trace, &run).map(|parting| parting.at);
        Ok(Alternative { turn, words, outcome: Tally::of(&run).outcome(), trace: run, parts_at, is_present })
    }

    fn strike(self, scenario: &Scenario, turn: Turn, strike: &mut CallFault) {
        let fates = |request, response| (request, response);
        let (request, response) = match (self, turn) {
            (Self::Request(_), Turn::OnTime) => fates(RequestFate::Delivered, ResponseFate::Delivered),
            (Self::Request(_), Turn::Lost) => fates(RequestFate::Lost, ResponseFate::Delivered),
            (Self::Request(_), Turn::AnswerLost) => fates(RequestFate::Delivered, ResponseFate::Lost),
            (Self::Request(_), Turn::Late) => {
                let late = match strike.request {
                    RequestFate::Delayed(present) if present > scenario.strategy.timeout => present,
                    _ => late(scenario),
                };
                fates(RequestFate::Delayed(late), ResponseFate::Delivered)
            }
            (Self::Request(_), Turn::Twice) => {
                let copied = match strike.request {
                    copied @ RequestFate::Copied { .. } => copied,
                    _ => RequestFate::Copied { copies: Copies::new(2), apart: Span::secs(1) },
                };
                fates(copied, ResponseFate::Delivered)
            }
            (Self::Answer(_), Turn::Lost | Turn::AnswerLost) => fates(strike.request, ResponseFate::Lost),
            (Self::Answer(_), Turn::Late) => fates(strike.request, ResponseFate::Delayed(late(scenario))),
            (Self::Answer(_), _) => fates(strike.request, ResponseFate::Delivered),
        };
        strike.request = request;
        strike.response = response;
    }

    fn words(self, scenario: &Scenario, turn: Turn) -> String {
        match turn {
            Turn::OnTime => "arrives on time".to_owned(),
            Turn::Lost => "is lost".to_owned(),
            Turn::AnswerLost => "has its answer lost".to_owned(),
            Turn::Late => {
                let (Self::Request(call) | Self::Answer(call)) = self;
                let late = match (self, scenario.fault.of_call(call).0) {
                    (Self::Request(_), RequestFate::Delayed(present)) if present > scenario.strategy.timeout => present,
                    _ => late(scenario),
                };
                format!("arrives late, after {}", late.human())
            }
            Turn::Twice => "arrives twice".to_owned(),
        }
    }
}

/// Long past the timeout: three times as long, as in the preset `late-commit`.
fn late(scenario: &Scenario) -> Span {
    Span::ms(scenario.strategy.timeout.as_ms().saturating_mul(3)).min(Span::MAX)
}

/// The plan with one call changed, under the name of the preset that it then is, if it is one.
fn with_call(fault: &Fault, call: Call, change: impl FnOnce(&mut CallFault)) -> Fault {
    let usual = CallFault { call, request: RequestFate::Delivered, response: ResponseFate::Delivered };
    let mut plan = fault.plan.clone();
    let place = plan.iter().position(|strike| strike.call == call).unwrap_or_else(|| {
        plan.push(usual.clone());
        plan.len() - 1
    });
    change(&mut plan[place]);
    plan.retain(|strike| *strike != CallFault { call: strike.call, ..usual.clone() });
    let preset = Fault::presets().into_iter().find(|preset| preset.plan == plan);
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
    fn nothing_else_can_become_of_a_lookup_and_that_is_said() {
        let trace = run(1, 2);
        let lookup = trace.messages().iter().find(|m| matches!(m.payload, Payload::Lookup { .. })).unwrap();
        let fixed = alternatives(&trace, lookup.id).unwrap_err();
        assert_eq!(fixed, Fixed::Lookup);
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
