//! A test suite: the cases of one kind of master or server, its profiles, requirements and implementations.

use std::ops::Deref;

use super::case::Case;
use super::csv_table::CsvTable;
use super::precondition::Precondition;
use super::requirement::{Level, Requirement};
use super::sentinel::{Sentinel, ShutdownMessage};
use super::traits::{Implementation, Trait};
use protocol::Role;

/// The cases of one kind of master, or of game server.
pub struct TestSuite {
    /// What is tested: a master or a server.
    pub target: Role,
    /// One slice per file, in the order of the documents.
    pub cases: &'static [&'static [Case]],
    /// The kinds of masters.
    pub profiles: &'static [Profile],
    /// What the documents require of such masters.
    pub requirements: &'static CsvTable<Requirement>,
    /// The first precondition, the default of every case: the target answers at all.
    pub answers: &'static Precondition,
    /// For each of its services a request that every master of the kind answers at once, from any
    /// address; several if some masters answer only one of them, with servers' requests after
    /// clients'.
    pub sentinels: &'static [Sentinel],
    /// The setting with the time that a server stays listed.
    pub listed_for: &'static str,
    /// The shutdown messages for the servers of a run, if the protocol has one.
    pub shutdowns: &'static [ShutdownMessage],
    /// That a new server is listed: tested at the end of a run, to know whether the target still
    /// accepts servers.
    pub control: Option<&'static Precondition>,
    /// What distinguishes implementations.
    pub traits: &'static [Trait],
    /// The implementations with known traits.
    pub implementations: &'static CsvTable<Implementation>,
}

/// A case, the suite that it belongs to, and what it tests.
#[derive(Clone, Copy)]
pub struct SuiteCase {
    /// Its suite.
    pub suite: &'static TestSuite,
    /// What it tests.
    pub requirement: &'static Requirement,
    /// The level of the requirement.
    pub level: Level,
    case: &'static Case,
}

/// A kind of master or server, and which cases apply to it.
pub struct Profile {
    /// Its name on the command line.
    pub name: &'static str,
    /// What kind of program that is, in a few words.
    pub title: &'static str,
    /// The assumptions about such a master, unless the user gives others: `list-form=id`.
    pub assumes: &'static str,
    /// Patterns of ids of cases that apply; `*` matches anything.
    pub cases: &'static [&'static str],
    /// Patterns of those among them that do not apply.
    pub except: &'static [&'static str],
    /// Patterns of those whose SHOULD is a MUST for such masters: their authors' documents or tests
    /// demand it.
    pub demands: &'static [&'static str],
}

impl TestSuite {
    /// Its cases, in their order; a test sees that each has a requirement.
    pub fn cases(&'static self) -> impl Iterator<Item = SuiteCase> {
        let of_suite = move |case: &'static Case| {
            let id = if case.requires.is_empty() { case.id } else { case.requires };
            let requirement = self.requirements.rows().iter().find(|known| known.id == id)?;
            let level = *requirement.level.as_ref().ok()?;
            Some(SuiteCase { suite: self, requirement, level, case })
        };
        self.cases.iter().copied().flatten().filter_map(of_suite)
    }

    /// Whether a case is one of its cases.
    pub fn has(&'static self, case: SuiteCase) -> bool {
        std::ptr::eq(self, case.suite)
    }

    /// The services with sentinels, each once.
    pub fn services(&self) -> Vec<&'static str> {
        let mut services: Vec<_> = self.sentinels.iter().map(|one| one.service).collect();
        services.dedup();
        services
    }
}

impl SuiteCase {
    /// The same case at this level.
    pub(crate) fn with_level(self, level: Level) -> Self {
        Self { level, ..self }
    }

    /// Its preconditions; by default, that the target answers.
    pub fn preconditions(self) -> &'static [&'static Precondition] {
        let Self { suite, case, .. } = self;
        if case.needs.is_empty() { std::slice::from_ref(&suite.answers) } else { case.needs }
    }
}

impl Deref for SuiteCase {
    type Target = Case;

    fn deref(&self) -> &Case {
        self.case
    }
}

impl std::fmt::Debug for SuiteCase {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.id)
    }
}

impl Profile {
    /// A kind of master of which nothing is assumed, and the patterns of its cases.
    pub const fn new(
        name: &'static str,
        title: &'static str,
        cases: &'static [&'static str],
    ) -> Self {
        Self { name, title, assumes: "", cases, except: &[], demands: &[] }
    }

    /// The level of a case for a master of this kind.
    pub fn level(&self, case: SuiteCase) -> Level {
        let is_demanded = self.demands.iter().any(|pattern| fits(pattern, case.id));
        if is_demanded && case.level == Level::Should { Level::Must } else { case.level }
    }

    /// Whether a case applies to a master of this kind.
    pub fn includes(&self, id: &str) -> bool {
        let any = |patterns: &[&str]| patterns.iter().any(|pattern| fits(pattern, id));
        any(self.cases) && !any(self.except)
    }
}

/// Whether an id matches a pattern, in which `*` stands for anything, slashes included.
pub fn fits(pattern: &str, id: &str) -> bool {
    let Some((head, tail)) = pattern.split_once('*') else {
        return pattern == id;
    };
    let Some(rest) = id.strip_prefix(head) else {
        return false;
    };
    (0..=rest.len()).any(|at| rest.get(at..).is_some_and(|rest| fits(tail, rest)))
}
