//! What a case is, and how cases, profiles and requirements are declared.

use std::ops::Deref;

use super::context::TestContext;
use super::failure::Done;
use super::precondition::Precondition;
use super::requirement::{Level, Requirement};
use super::sentinel::{Goodbye, Sentinel};
use super::traits::{Implementation, Trait};

/// One test of a master.
pub struct Case {
    /// A path of words: `quake3/getserversResponse/end-mark`.
    pub id: &'static str,
    /// What is done, in one sentence without a final period.
    pub title: &'static str,
    /// The id of the requirement that it tests; empty if that is its own.
    pub requires: &'static str,
    /// Its preconditions; if one of them does not hold, it is blocked.
    pub needs: &'static [&'static Precondition],
    /// Runs alone, after all others: it floods the master or may end it.
    pub exclusive: bool,
    /// Sends floods, over-long or random datagrams: outside of loopback only on request.
    pub harsh: bool,
    /// Takes as long as this setting; runs if that is short, or on request.
    pub slow: Option<&'static str>,
    /// Seconds that it waits on any target; the longest cases start first.
    pub waits: u32,
    /// The test.
    pub run: fn(&TestContext) -> Done,
}

/// A case, the family that it belongs to, and what it tests.
#[derive(Clone, Copy)]
pub struct FamilyCase {
    pub family: &'static Family,
    pub requirement: &'static Requirement,
    pub level: Level,
    case: &'static Case,
}

/// What most cases have in common, for `..CASE`.
pub const CASE: Case = Case {
    id: "",
    title: "",
    requires: "",
    needs: &[],
    exclusive: false,
    harsh: false,
    slow: None,
    waits: 0,
    run: |_| Ok(()),
};

/// A kind of master, and which cases apply to it.
pub struct Profile {
    pub name: &'static str,
    /// What kind of master that is, in a few words.
    pub title: &'static str,
    /// The assumptions about such a master, unless the user gives others: `list-form=id`.
    pub assumes: &'static str,
    /// Patterns of ids of cases that apply; `*` matches anything.
    pub cases: &'static [&'static str],
    /// Patterns of those among them that do not apply.
    pub except: &'static [&'static str],
}

/// The cases of one game family, with their profiles and implementations.
pub struct Family {
    /// One slice per file, in the order of the documents.
    pub cases: &'static [&'static [Case]],
    pub profiles: &'static [Profile],
    /// What the documents require of such masters.
    pub requirements: &'static [&'static [Requirement]],
    /// The family's first precondition, the default of every case: the target answers at all.
    pub answers: &'static Precondition,
    /// For each of its services a request that every master of the kind answers at once, from any
    /// address; several if some masters answer only one of them, with servers' requests after
    /// clients'.
    pub sentinels: &'static [Sentinel],
    /// The setting with the time that a server stays listed.
    pub listed_for: &'static str,
    /// The shutdown messages for the servers of a run, if the protocol has one.
    pub goodbyes: &'static [Goodbye],
    /// That a new server is listed: tested at the end of a run, to know whether the target still
    /// accepts servers.
    pub control: Option<&'static Precondition>,
    /// What distinguishes implementations.
    pub traits: &'static [Trait],
    /// The implementations with known traits.
    pub implementations: &'static [Implementation],
}

impl FamilyCase {
    /// Its preconditions; by default, that the target answers.
    pub fn preconditions(self) -> &'static [&'static Precondition] {
        let Self { family, case, .. } = self;
        if case.needs.is_empty() { std::slice::from_ref(&family.answers) } else { case.needs }
    }
}

impl Deref for FamilyCase {
    type Target = Case;

    fn deref(&self) -> &Case {
        self.case
    }
}

impl Case {
    /// The parts of its id before the last.
    pub fn section(&self) -> &'static str {
        self.id.rsplit_once('/').map_or("", |(section, _)| section)
    }
}

impl std::fmt::Debug for FamilyCase {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.id)
    }
}

impl Family {
    /// Its cases, in their order; a test sees that each has a requirement.
    pub fn cases(&'static self) -> impl Iterator<Item = FamilyCase> {
        let of_family = move |case: &'static Case| {
            let id = if case.requires.is_empty() { case.id } else { case.requires };
            let requirement = self.requirements().find(|known| known.id == id)?;
            let level = requirement.level.ok()?;
            Some(FamilyCase { family: self, requirement, level, case })
        };
        self.cases.iter().copied().flatten().filter_map(of_family)
    }

    /// Its requirements, in their order.
    pub fn requirements(&self) -> impl Iterator<Item = &'static Requirement> {
        self.requirements.iter().copied().flatten()
    }

    /// Whether a case is one of its cases.
    pub fn has(&'static self, case: FamilyCase) -> bool {
        std::ptr::eq(self, case.family)
    }

    /// The services with sentinels, each once.
    pub fn services(&self) -> Vec<&'static str> {
        let mut services: Vec<_> = self.sentinels.iter().map(|one| one.service).collect();
        services.dedup();
        services
    }
}

impl Profile {
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
