//! The point of no return: along the open run's ladder, the share of what may still happen that ends in a duplicate.

use super::work::{Task, Telling, UnderWay};
use crate::model::{Scenario, Time};
use crate::search::Bounds;
use crate::search::turn::{Moment, Turn};

/// How many steps of the walk are taken between two looks at the flag.
const STEPS: u64 = 2_000;

/// What is known so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    /// For each instant at which something happens.
    pub moments: Vec<Moment>,
    /// Whether all continuations were looked at.
    pub done: bool,
    /// How many steps of the walk were taken.
    pub walked: u64,
}

/// What the ladder shows of it.
#[derive(Debug)]
pub struct Turning {
    /// Whether it is shown.
    pub shown: bool,
    /// Which continuations there are.
    pub bounds: Bounds,
    /// What is known.
    pub task: Task<Known>,
    about: Option<Scenario>,
}

impl Default for Turning {
    fn default() -> Self {
        let bounds = Bounds { faults: 2, ..Bounds::default() };
        Self { shown: false, bounds, task: Task::default(), about: None }
    }
}

impl Turning {
    /// Works it out for a run, unless it is known or not shown.
    pub fn open(&mut self, scenario: &Scenario) {
        if !self.shown {
            self.task.leave();
            return;
        }
        let known = self.task.told.as_ref().is_some_and(|known| known.done) || self.task.is_under_way();
        if self.about.as_ref() == Some(scenario) && known {
            return;
        }
        self.about = Some(scenario.clone());
        let (scenario, bounds) = (scenario.clone(), self.bounds.clone());
        self.task.start(None, move |telling| work_out(scenario, bounds, telling));
    }

    /// What is known at an instant: at the last event up to it.
    #[must_use]
    pub fn at(&self, at: Time) -> Option<&Moment> {
        let moments = &self.task.told.as_ref()?.moments;
        moments[..moments.partition_point(|moment| moment.at <= at)].last()
    }
}

fn work_out(scenario: Scenario, bounds: Bounds, telling: &Telling<Known>) {
    let Ok(mut turn) = Turn::new(scenario, bounds) else { return };
    loop {
        let more = turn.advance(STEPS);
        let known = Known { moments: turn.moments().to_vec(), done: !more, walked: turn.walked() };
        if !telling.tell(known) || !more {
            return;
        }
    }
}
