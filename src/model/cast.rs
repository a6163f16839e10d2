//! Who plays in a scenario: agents, tasks and arguments, each under a small number.
//!
//! Worked out once before a run, so that the run compares numbers and no texts.

use super::strategy::Strategy;
use super::task::{Args, Task};
use super::time::{Span, Time};
use super::{Scenario, key};

/// The number of an agent, from 0: the order of the scenario.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AgentId(pub(crate) u8);

/// The number of a task, from 0: the order in which agents name it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TaskId(pub(crate) u8);

/// The number of a task's arguments, from 0, as first meant or drifted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ArgsId(pub(crate) u8);

/// The most arguments that a run can have: each agent's own, and once drifted.
const ARGS_MAX: usize = 2 * Scenario::AGENTS_MAX;

/// Who plays.
#[derive(Clone, Debug)]
pub struct Cast<'a> {
    lead: Role<'a>,
    others: Vec<Role<'a>>,
    kinds: [Kind; ARGS_MAX],
    /// Which of the charges that stood before look like which arguments: the number of [`Kind::like`].
    priors: Vec<Option<u8>>,
}

/// An agent, its task and how it goes about it.
#[derive(Clone, Copy, Debug)]
pub struct Role<'a> {
    /// How it retries.
    pub strategy: &'a Strategy,
    /// When it starts.
    pub starts_at: Time,
    /// What it is to do.
    pub task: TaskId,
    /// With which arguments.
    pub args: ArgsId,
    /// With which arguments once they have drifted; the same where they don't.
    pub drifted: ArgsId,
}

/// How a service tells arguments apart: numbers that are the same where the arguments are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Kind {
    /// Customer and amount.
    pub like: u8,
    /// All arguments: the fingerprint.
    pub print: u8,
}

impl AgentId {
    /// Its place in the scenario, counted from 0.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl TaskId {
    /// Its place among the tasks, counted from 0.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl ArgsId {
    /// Their place among the arguments, counted from 0.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl<'a> Cast<'a> {
    /// The cast of a scenario. Allocates nothing where one agent does one task with the same arguments throughout, and
    /// no charge stood before. Agents beyond [`Scenario::AGENTS_MAX`], which [`Scenario::check`] refuses, don't play.
    #[must_use]
    #[inline]
    pub fn new(scenario: &'a Scenario) -> Self {
        let lead = Role {
            strategy: &scenario.strategy,
            starts_at: Time::ZERO,
            task: TaskId(0),
            args: ArgsId(0),
            drifted: ArgsId(0),
        };
        let mut cast = Self { lead, others: Vec::new(), kinds: [Kind::default(); ARGS_MAX], priors: Vec::new() };
        if !scenario.others.is_empty() || scenario.strategy.drift.is_some() || !scenario.contract.ledger.is_empty() {
            cast.number(scenario);
        }
        cast
    }

    fn number(&mut self, scenario: &'a Scenario) {
        let mut args: Vec<(TaskId, Args)> = Vec::new();
        let mut tasks: Vec<&Task> = Vec::new();
        let mut roles = Vec::new();
        for (task, strategy, starts_at) in players(scenario) {
            let id = place(&mut tasks, task, |known| known.id == task.id);
            let task_id = TaskId(id);
            let mut number = |of: Args| {
                ArgsId(place(&mut args, (task_id, of.clone()), |(task, known)| *task == task_id && *known == of))
            };
            let own = number(task.args.clone());
            let patched = strategy.drift.as_ref().and_then(|drift| task.args.patched(&drift.args).ok());
            let drifted = patched.map_or(own, &mut number);
            roles.push(Role { strategy, starts_at: Time::ZERO + starts_at, task: task_id, args: own, drifted });
        }
        self.lead = roles.remove(0);
        self.others = roles;
        let first = |same: &dyn Fn(&Args) -> bool| args.iter().position(|(_, other)| same(other)).map_or(0, small);
        for (kind, (_, own)) in self.kinds.iter_mut().zip(&args) {
            kind.print = first(&|other| other == own);
            let looks = (own.customer(), own.amount_cents());
            kind.like = first(&|other| (other.customer(), other.amount_cents()) == looks);
        }
        let like = |prior: &super::contract::Prior| args.iter().position(|(_, own)| prior.looks_like(own)).map(small);
        self.priors = scenario.contract.ledger.iter().map(like).collect();
    }

    /// The agents, in the order of the scenario.
    #[inline]
    pub fn roles(&self) -> impl Iterator<Item = &Role<'a>> {
        std::iter::once(&self.lead).chain(&self.others)
    }

    /// The agent of that number.
    ///
    /// # Panics
    ///
    /// Where there is none.
    #[must_use]
    #[inline]
    pub fn role(&self, agent: AgentId) -> &Role<'a> {
        match agent.index() {
            0 => &self.lead,
            n => &self.others[n - 1],
        }
    }

    /// How a service tells these arguments apart from others.
    ///
    /// # Panics
    ///
    /// Where there are none of that number.
    #[must_use]
    #[inline]
    pub fn kind(&self, args: ArgsId) -> Kind {
        self.kinds[args.index()]
    }

    /// What each of the charges that stood before looks like.
    #[must_use]
    #[inline]
    pub fn priors(&self) -> &[Option<u8>] {
        &self.priors
    }
}

/// The arguments and intent keys of a scenario, in the order of their numbers.
#[must_use]
pub fn arguments(scenario: &Scenario) -> Vec<(TaskId, Args, String)> {
    let mut found: Vec<(TaskId, Args, String)> = Vec::new();
    let cast = Cast::new(scenario);
    for (role, (task, strategy, _)) in cast.roles().zip(players(scenario)) {
        let patched = strategy.drift.as_ref().and_then(|drift| task.args.patched(&drift.args).ok());
        for (id, args) in [(role.args, Some(task.args.clone())), (role.drifted, patched)] {
            if let (Some(args), true) = (args, id.index() == found.len()) {
                let key = key::intent_key(&task.id, &task.tool, &args.to_value());
                found.push((role.task, args, key));
            }
        }
    }
    found
}

fn players(scenario: &Scenario) -> impl Iterator<Item = (&Task, &Strategy, Span)> {
    let others = scenario.others.iter().map(|other| {
        let task = other.task.as_ref().unwrap_or(&scenario.task);
        (task, other.strategy.as_ref().unwrap_or(&scenario.strategy), other.starts_at)
    });
    std::iter::once((&scenario.task, &scenario.strategy, Span::ZERO)).chain(others).take(Scenario::AGENTS_MAX)
}

/// Where a thing is in the list; it is put there where it is not yet.
fn place<T>(list: &mut Vec<T>, thing: T, is_it: impl Fn(&T) -> bool) -> u8 {
    let at = list.iter().position(is_it).unwrap_or_else(|| {
        list.push(thing);
        list.len() - 1
    });
    small(at)
}

/// There are at most twice as many as agents.
fn small(n: usize) -> u8 {
    u8::try_from(n).unwrap_or(u8::MAX)
}
