//! What a case is, and how cases, profiles and requirements are declared.

use std::net::SocketAddr;

use super::cases::family_of;
use super::context::TestContext;
use super::failure::Done;
use super::fingerprint::{Implementation, Trait};
use super::precondition::Precondition;
use crate::protocol::Game;

/// One test of a master.
pub struct Case {
    /// A path of words: `quake3/getserversResponse/end-mark`.
    pub id: &'static str,
    /// What is done, in one sentence without a final period.
    pub title: &'static str,
    /// The requirement of the documents that it tests, in our own words.
    pub requires: &'static str,
    /// Document and section: `001 1.2.9, 000 heartbeat`.
    pub citation: &'static str,
    pub level: Level,
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

/// The weight of a case's failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// The documents require it.
    Must,
    /// They recommend it, or good masters do it: a failure is a warning.
    Should,
    /// Neither right nor wrong; it reports an observation.
    Info,
}

/// A case that the documents require, for `..MUST`.
pub const MUST: Case = Case {
    id: "",
    title: "",
    requires: "",
    citation: "",
    level: Level::Must,
    needs: &[],
    exclusive: false,
    harsh: false,
    slow: None,
    waits: 0,
    run: |_| Ok(()),
};
/// One that they recommend, for `..SHOULD`.
pub const SHOULD: Case = Case { level: Level::Should, ..MUST };
/// One that only reports, for `..INFO`.
pub const INFO: Case = Case { level: Level::Info, ..MUST };

/// A kind of master, and which cases apply to it.
pub struct Profile {
    pub name: &'static str,
    /// What kind of master that is, in a few words.
    pub title: &'static str,
    /// The assumptions about such a master, unless the user gives others: `list-form=id`.
    pub assumes: &'static str,
    /// Patterns of ids of cases that apply; `*` matches anything.
    pub owes: &'static [&'static str],
    /// Patterns of those among them that do not apply.
    pub but: &'static [&'static str],
}

/// A requirement of the documents for a game's master, in our own words.
pub struct Sentence {
    pub game: &'static Game,
    /// Document and section.
    pub citation: &'static str,
    pub says: &'static str,
    pub proven: Proven,
}

/// How a requirement is tested.
#[derive(Debug, Clone, Copy)]
pub enum Proven {
    /// These cases, by their ids or patterns.
    By(&'static [&'static str]),
    /// No case can; with the reason.
    Not(&'static str),
}

/// A request that every master of a kind answers at once. It is sent after other datagrams, to know
/// when the target has read them.
pub struct Sentinel {
    /// The service that it is sent to.
    pub service: &'static str,
    /// The request from this address.
    pub request: fn(SocketAddr) -> Vec<u8>,
    /// Whether the sender counts as a server: then few endpoints send it, and often.
    pub from_server: bool,
}

/// A server's shutdown message to a service, from this address.
pub struct Goodbye {
    pub service: &'static str,
    pub message: fn(SocketAddr) -> Vec<u8>,
}

/// The cases of one game family, with their profiles and implementations.
pub struct Family {
    /// One slice per file, in the order of the documents.
    pub cases: &'static [&'static [Case]],
    pub profiles: &'static [Profile],
    pub sentences: &'static [&'static [Sentence]],
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

impl Level {
    /// The word of RFC 2119 for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Must => "MUST",
            Self::Should => "SHOULD",
            Self::Info => "INFO",
        }
    }
}

impl Sentence {
    /// A requirement that cases test.
    pub const fn by(
        game: &'static Game,
        citation: &'static str,
        says: &'static str,
        cases: &'static [&'static str],
    ) -> Self {
        Self { game, citation, says, proven: Proven::By(cases) }
    }

    /// A requirement that no case tests; with the reason.
    pub const fn not(
        game: &'static Game,
        citation: &'static str,
        says: &'static str,
        why: &'static str,
    ) -> Self {
        Self { game, citation, says, proven: Proven::Not(why) }
    }
}

impl Case {
    /// Its preconditions; by default, that the target answers.
    pub fn all_needs(&'static self) -> &'static [&'static Precondition] {
        match family_of(self) {
            Some(family) if self.needs.is_empty() => std::slice::from_ref(&family.answers),
            _ => self.needs,
        }
    }

    /// The parts of its id before the last.
    pub fn section(&self) -> &'static str {
        self.id.rsplit_once('/').map_or("", |(section, _)| section)
    }
}

impl std::fmt::Debug for Case {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.id)
    }
}

impl Family {
    /// Its cases, in their order.
    pub fn cases(&self) -> impl Iterator<Item = &'static Case> {
        self.cases.iter().copied().flatten()
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
    pub fn owes(&self, id: &str) -> bool {
        let any = |patterns: &[&str]| patterns.iter().any(|pattern| super::fits(pattern, id));
        any(self.owes) && !any(self.but)
    }
}
