//! The sheet that maps which policies are safe: the key by the verify, a page for each contract.

use std::sync::atomic::AtomicBool;

use super::work::{Task, Telling, UnderWay};
use crate::model::strategy::{KeyPolicy, Verify};
use crate::model::{Contract, Scenario, Text};
use crate::search::explore::{Exploration, Findings};
use crate::search::map::{KEYS, VERIFIES};
use crate::search::{Bounds, Forbid};
use crate::trace::Kind;

/// How a policy stands under all searched plans.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grade {
    /// Nothing forbidden happens, and the agent always knows.
    Safe,
    /// Nothing forbidden happens, but under some plan the agent has to say that it does not know.
    Unknown,
    /// Something forbidden happens.
    Unsafe,
    /// Nothing forbidden happens, since nothing ever works: under no plan is the task done and known to be.
    Useless,
    /// Key, verify and contract make no sense together.
    Senseless,
}

/// How a policy stands, by what a search found; nothing where it makes no sense.
#[must_use]
pub fn grade(findings: Option<&Findings>) -> Grade {
    match findings {
        None => Grade::Senseless,
        Some(findings) if findings.forbidden > 0 => Grade::Unsafe,
        Some(findings) if findings.counts.of(Kind::Right) == 0 => Grade::Useless,
        Some(findings) if findings.counts.of(Kind::HonestUnknown) > 0 => Grade::Unknown,
        Some(_) => Grade::Safe,
    }
}

/// What is worked out of a page: for each key in turn, and under it for each verify, what a search finds; none where the
/// three make no sense together.
pub type Page = Vec<Option<Findings>>;

/// How many policies a page has.
pub const POLICIES: usize = KEYS.len() * VERIFIES.len();

/// The state of the sheet.
#[derive(Debug)]
pub struct Policies {
    /// How far each search goes.
    pub bounds: Bounds,
    /// The contracts, a page each; the scenario's own among them.
    pub contracts: Vec<Contract>,
    /// The page that is open.
    pub page: usize,
    /// The cell under the cursor: which key, which verify.
    pub cursor: (usize, usize),
    /// What is worked out, page by page.
    pub task: Task<Vec<Page>>,
    about: Option<Scenario>,
}

impl Default for Policies {
    fn default() -> Self {
        Self {
            bounds: Bounds { calls: 3, faults: 2, ..Bounds::default() },
            contracts: Vec::new(),
            page: 0,
            cursor: (0, 0),
            task: Task::default(),
            about: None,
        }
    }
}

impl Policies {
    /// The space of policies around a scenario, its own contract first worked out.
    pub fn open(&mut self, scenario: &Scenario) {
        if self.about.as_ref() != Some(scenario) {
            // Another key or verify, all else as before, is another cell of the same map.
            let same = self.about.as_ref().is_some_and(|about| same_space(about, scenario));
            if !same {
                self.contracts = Contract::presets();
                if !self.contracts.contains(&scenario.contract) {
                    self.contracts.insert(0, scenario.contract.clone());
                }
                self.task = Task::default();
                self.task.told = Some(vec![Page::new(); self.contracts.len()]);
            }
            self.about = Some(scenario.clone());
            self.home();
        }
        if self.task.is_idle() && !self.is_done() {
            self.start();
        }
    }

    fn start(&mut self) {
        let Some(about) = self.about.clone() else { return };
        let (contracts, bounds) = (self.contracts.clone(), self.bounds.clone());
        let (known, first) = (self.pages().to_vec(), self.page);
        let at_first = Some(known.clone());
        self.task.start(at_first, move |telling| work_out(&about, &contracts, &bounds, known, first, telling));
    }

    /// All pages, as far as they are worked out.
    #[must_use]
    pub fn pages(&self) -> &[Page] {
        self.task.told.as_deref().unwrap_or_default()
    }

    /// The page that is open, as far as it is worked out.
    #[must_use]
    pub fn shown(&self) -> &[Option<Findings>] {
        self.pages().get(self.page).map_or(&[], Vec::as_slice)
    }

    /// What a search found for the policy under the cursor, once it did; nothing inside where it makes no sense.
    #[must_use]
    pub fn found(&self) -> Option<Option<&Findings>> {
        self.shown().get(self.cursor.0 * VERIFIES.len() + self.cursor.1).map(Option::as_ref)
    }

    /// The policy under the cursor, all else as in a scenario.
    #[must_use]
    pub fn chosen(&self, of: &Scenario) -> Option<Scenario> {
        let contract = self.contracts.get(self.page)?;
        Some(at(of, KEYS[self.cursor.0], VERIFIES[self.cursor.1], contract))
    }

    /// What Enter opens: the counterexample of an unsafe policy, else the policy's run under the scenario's own faults.
    #[must_use]
    pub fn opens(&self, of: &Scenario) -> Option<Scenario> {
        let scenario = self.chosen(of)?;
        match self.found()? {
            None => None,
            Some(Findings { smallest: Some(smallest), .. }) => Some(smallest.scenario(&scenario)),
            Some(_) => Some(scenario),
        }
    }

    /// How many policies are worked out, and of how many.
    #[must_use]
    pub fn progress(&self) -> (usize, usize) {
        (self.pages().iter().map(Vec::len).sum(), self.contracts.len() * POLICIES)
    }

    /// Whether the open run's own policy is at that cell of the open page.
    #[must_use]
    pub fn is_own(&self, key: usize, verify: usize) -> bool {
        let own = self.about.as_ref().filter(|about| self.contracts.get(self.page) == Some(&about.contract));
        own.is_some_and(|own| (own.strategy.key, own.strategy.verify) == (KEYS[key], VERIFIES[verify]))
    }

    /// Moves the cursor.
    pub fn step(&mut self, right: isize, down: isize) {
        let (key, verify) = self.cursor;
        self.cursor = (
            key.saturating_add_signed(down).min(KEYS.len() - 1),
            verify.saturating_add_signed(right).min(VERIFIES.len() - 1),
        );
    }

    /// To the open run's own policy.
    pub fn home(&mut self) {
        let Some(own) = &self.about else { return };
        let place = |key| KEYS.iter().position(|known| *known == key).unwrap_or(0);
        let row = place(own.strategy.key);
        let column = VERIFIES.iter().position(|known| *known == own.strategy.verify).unwrap_or(0);
        self.cursor = (row, column);
        self.page = self.contracts.iter().position(|contract| *contract == own.contract).unwrap_or(0);
    }

    /// The next contract, or the one before. What is not known of it yet is worked out first.
    pub fn turn_page(&mut self, forward: bool) {
        let pages = self.contracts.len().max(1);
        self.page = (self.page + if forward { 1 } else { pages - 1 }) % pages;
        self.task.look();
        if self.shown().len() < POLICIES {
            self.start();
        }
    }

    fn is_done(&self) -> bool {
        let (done, of) = self.progress();
        done == of
    }
}

/// Whether two scenarios differ in nothing but what the map goes through.
fn same_space(a: &Scenario, b: &Scenario) -> bool {
    let mut moved = at(a, b.strategy.key, b.strategy.verify, &b.contract);
    moved.strategy.name = b.strategy.name.clone();
    moved == *b && Contract::presets().contains(&a.contract) == Contract::presets().contains(&b.contract)
}

/// A scenario with another policy, which is then named for what it is.
fn at(of: &Scenario, key: KeyPolicy, verify: Verify, contract: &Contract) -> Scenario {
    let mut scenario = Scenario { contract: contract.clone(), expect: None, about: None, ..of.clone() };
    if (of.strategy.key, of.strategy.verify) != (key, verify) {
        scenario.strategy.name = Text::new(&format!("{}, {}", key_words(key), verify_words(verify)));
        scenario.strategy.key = key;
        scenario.strategy.verify = verify;
    }
    scenario
}

/// A key policy in a few words.
#[must_use]
pub const fn key_words(key: KeyPolicy) -> &'static str {
    match key {
        KeyPolicy::None => "no key",
        KeyPolicy::PerAttempt => "key per attempt",
        KeyPolicy::AfterFirst => "key after first",
        KeyPolicy::PerRun => "key per run",
        KeyPolicy::PerIntent => "key per intent",
    }
}

/// A verify in a few words.
#[must_use]
pub const fn verify_words(verify: Verify) -> &'static str {
    match verify {
        Verify::None => "no verify",
        Verify::LookAlike => "look-alike",
        Verify::LookAlikeSince => "alike, since",
        Verify::ByKey => "by key",
    }
}

/// Works out page after page, the first first, and tells after every policy.
fn work_out(
    about: &Scenario,
    contracts: &[Contract],
    bounds: &Bounds,
    mut pages: Vec<Page>,
    first: usize,
    telling: &Telling<Vec<Page>>,
) {
    for page in (first..contracts.len()).chain(0..first) {
        for n in pages[page].len()..POLICIES {
            let scenario = at(about, KEYS[n / VERIFIES.len()], VERIFIES[n % VERIFIES.len()], &contracts[page]);
            let found = scenario.check().is_ok().then(|| search(&scenario, bounds, telling.flag()));
            // What was cut short is not a result.
            if telling.is_stopped() {
                return;
            }
            pages[page].push(found);
            if !telling.tell(pages.clone()) {
                return;
            }
        }
    }
}

fn search(scenario: &Scenario, bounds: &Bounds, stop: &AtomicBool) -> Findings {
    let mut search = Exploration::new(scenario, bounds.clone(), Forbid::USUAL.to_vec());
    while search.advance(64, stop) {}
    search.findings().clone()
}
