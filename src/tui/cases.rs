//! The shipped cases, to browse: which are listed, and which one is chosen.

use crate::model::{Scenario, Text, gallery};
use crate::sim::simulate;
use crate::trace::{Kind, Tally, Trace};

/// The shipped cases, a kind to filter by, and a choice.
#[derive(Clone, Debug)]
pub struct Cases {
    all: Vec<Case>,
    /// The kinds of fault that any of them shows, in the order in which they first come.
    kinds: Vec<Text>,
    /// Which kind is listed; none where all are.
    kind: Option<usize>,
    /// Which of those that are listed is chosen, counted from 0.
    choice: usize,
}

/// A case.
#[derive(Clone, Debug)]
pub struct Case {
    /// The scenario.
    pub scenario: Scenario,
    /// Its run.
    pub trace: Trace,
    /// The worst that it comes to for any agent.
    pub outcome: Kind,
    /// How many charges are committed in it.
    pub charges: u32,
}

impl Default for Cases {
    fn default() -> Self {
        Self::new()
    }
}

impl Cases {
    /// All of them, the first chosen.
    #[must_use]
    pub fn new() -> Self {
        let case = |(_, scenario): (&str, Scenario)| {
            let trace = simulate(&scenario).ok()?;
            Some(Case { outcome: trace.worst(), charges: Tally::of(&trace).charges, scenario, trace })
        };
        let all: Vec<Case> = gallery::cases().filter_map(case).collect();
        let mut kinds: Vec<Text> = Vec::new();
        for kind in all.iter().filter_map(|case| case.scenario.about.as_ref()).flat_map(|about| &about.kinds) {
            if !kinds.contains(kind) {
                kinds.push(kind.clone());
            }
        }
        Self { all, kinds, kind: None, choice: 0 }
    }

    /// The kind that is listed; none where all are.
    #[must_use]
    pub fn kind(&self) -> Option<&Text> {
        self.kind.map(|kind| &self.kinds[kind])
    }

    /// The cases that are listed.
    pub fn listed(&self) -> impl Iterator<Item = &Case> {
        let kind = self.kind();
        let shows = move |case: &&Case| {
            kind.is_none_or(|kind| case.scenario.about.as_ref().is_some_and(|about| about.kinds.contains(kind)))
        };
        self.all.iter().filter(shows)
    }

    /// How many there are, listed or not.
    #[must_use]
    pub fn count(&self) -> usize {
        self.all.len()
    }

    /// Which of those that are listed is chosen, counted from 0.
    #[must_use]
    pub const fn choice(&self) -> usize {
        self.choice
    }

    /// The case that is chosen.
    #[must_use]
    pub fn chosen(&self) -> Option<&Case> {
        self.listed().nth(self.choice)
    }

    /// The choice so many cases up, the first at most.
    pub const fn up(&mut self, by: usize) {
        self.choice = self.choice.saturating_sub(by);
    }

    /// The choice so many cases down, the last at most.
    pub fn down(&mut self, by: usize) {
        let last = self.listed().count().saturating_sub(1);
        self.choice = self.choice.saturating_add(by).min(last);
    }

    /// Lists the next kind, or the one before: all, then each kind in turn. The choice stays on its case where that is
    /// listed still.
    pub fn turn_kind(&mut self, back: bool) {
        let chosen = self.chosen().map(|case| case.scenario.name.clone());
        let places = self.kinds.len() + 1;
        let place = self.kind.map_or(0, |kind| kind + 1);
        let place = (place + if back { places - 1 } else { 1 }) % places;
        self.kind = place.checked_sub(1);
        let place = self.listed().position(|case| Some(&case.scenario.name) == chosen.as_ref());
        self.choice = place.unwrap_or(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_case_is_listed_under_each_of_its_kinds_and_under_all() {
        let mut cases = Cases::new();
        let mut listed = 0;
        for _ in 0..cases.kinds.len() {
            cases.turn_kind(false);
            let kind = cases.kind().expect("a kind").clone();
            assert!(cases.listed().count() > 0, "{kind}");
            listed += cases.listed().count();
        }
        let kinds = |case: &Case| case.scenario.about.as_ref().map_or(0, |about| about.kinds.len());
        assert_eq!(listed, cases.all.iter().map(kinds).sum::<usize>());
        cases.turn_kind(false);
        assert_eq!((cases.kind(), cases.listed().count()), (None, cases.count()));
    }

    #[test]
    fn the_choice_stays_on_the_list() {
        let mut cases = Cases::new();
        cases.up(1);
        assert_eq!(cases.choice(), 0);
        cases.down(1_000);
        assert_eq!(cases.choice() + 1, cases.count());
        cases.turn_kind(true);
        assert!(cases.chosen().is_some());
    }
}
