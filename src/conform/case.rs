//! What a case is, and how cases, profiles and the documents' sentences are declared.

use std::net::SocketAddr;

use super::cases::family_of;
use super::context::TestContext;
use super::failure::Done;
use super::fingerprint::{Implementation, Trait};
use super::precondition::Precondition;
use crate::protocol::Game;

/// One thing that a master is tried with.
pub struct Case {
    /// A path of words: `quake3/getserversResponse/end-mark`.
    pub id: &'static str,
    /// What is done, in one sentence without a final period.
    pub title: &'static str,
    /// The documents' sentence that it tests, in our own words.
    pub requires: &'static str,
    /// Document and section: `001 1.2.9, 000 heartbeat`.
    pub citation: &'static str,
    pub level: Level,
    /// What it needs of the target; where one of these does not hold, it is blocked.
    pub needs: &'static [&'static Precondition],
    /// Runs alone, behind all others: what floods or may end the master.
    pub exclusive: bool,
    /// Sends floods, over-long or random datagrams: outside of loopback only when it is asked for.
    pub harsh: bool,
    /// Takes as long as this setting says; runs where it is short, or where that is wanted.
    pub slow: Option<&'static str>,
    /// Seconds that it waits, whatever the target is; the longest cases begin first.
    pub waits: u32,
    /// What is tried.
    pub run: fn(&TestContext) -> Done,
}

/// How much a case's failure weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// The documents demand it.
    Must,
    /// They recommend it, or good masters do it: missing it is a warning.
    Should,
    /// Neither is right or wrong; something is learnt.
    Info,
}

/// A case that the documents demand, for `..MUST`.
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
/// One that only tells, for `..INFO`.
pub const INFO: Case = Case { level: Level::Info, ..MUST };

/// A kind of master, and which cases it owes.
pub struct Profile {
    pub name: &'static str,
    /// What kind of master that is, in a few words.
    pub title: &'static str,
    /// What such a master is assumed to be unless somebody says otherwise: `list-form=id`.
    pub assumes: &'static str,
    /// Patterns of ids; `*` stands for anything.
    pub owes: &'static [&'static str],
    /// Patterns of those among them that it does not owe.
    pub but: &'static [&'static str],
}

/// Something that the documents demand of a game's master, in our own words.
pub struct Sentence {
    pub game: &'static Game,
    /// Document and section.
    pub citation: &'static str,
    pub says: &'static str,
    pub proven: Proven,
}

/// What tells whether a sentence is kept.
#[derive(Debug, Clone, Copy)]
pub enum Proven {
    /// These cases, by their ids or patterns.
    By(&'static [&'static str]),
    /// No case can; and why.
    Not(&'static str),
}

/// A request that every master of a kind answers at once. It is sent behind other datagrams, to know
/// when the target has read them.
pub struct Sentinel {
    /// The service that is asked.
    pub service: &'static str,
    /// The request of whoever has this address.
    pub request: fn(SocketAddr) -> Vec<u8>,
    /// Whether the sender counts as a server: then few endpoints send it, and often.
    pub from_server: bool,
}

/// What a server says when it goes, to a service: the message of the server at this address.
pub struct Goodbye {
    pub service: &'static str,
    pub message: fn(SocketAddr) -> Vec<u8>,
}

/// The cases of one family of games, and what belongs to them.
pub struct Family {
    /// One slice a file, in the order of the documents.
    pub cases: &'static [&'static [Case]],
    pub profiles: &'static [Profile],
    pub sentences: &'static [&'static [Sentence]],
    /// The family's first precondition, which every case rests on that names no other: the target
    /// answers at all.
    pub answers: &'static Precondition,
    /// For each of its services a request that every master of the kind answers at once, whoever
    /// asks from whatever address; several where some masters answer only one of them, what servers
    /// send behind what clients send.
    pub sentinels: &'static [Sentinel],
    /// The setting that says how long a server stays listed.
    pub listed_for: &'static str,
    /// How the servers of a run leave at its end, where the protocol has a message for it.
    pub goodbyes: &'static [Goodbye],
    /// That a new server is listed: tried at the end of a run, to know whether the target still
    /// takes servers.
    pub control: Option<&'static Precondition>,
    /// What tells implementations apart.
    pub traits: &'static [Trait],
    /// The implementations whose traits are known.
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
    /// One that cases prove.
    pub const fn by(
        game: &'static Game,
        citation: &'static str,
        says: &'static str,
        cases: &'static [&'static str],
    ) -> Self {
        Self { game, citation, says, proven: Proven::By(cases) }
    }

    /// One that no case proves; and why.
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
    /// What it needs; where it names nothing, that the target answers.
    pub fn all_needs(&'static self) -> &'static [&'static Precondition] {
        match family_of(self) {
            Some(family) if self.needs.is_empty() => std::slice::from_ref(&family.answers),
            _ => self.needs,
        }
    }

    /// The parts of its id in front of the last.
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

    /// The services that it has sentinels for, each once.
    pub fn services(&self) -> Vec<&'static str> {
        let mut services: Vec<_> = self.sentinels.iter().map(|one| one.service).collect();
        services.dedup();
        services
    }
}

impl Profile {
    /// Whether a master of this kind owes a case.
    pub fn owes(&self, id: &str) -> bool {
        let any = |patterns: &[&str]| patterns.iter().any(|pattern| super::fits(pattern, id));
        any(self.owes) && !any(self.but)
    }
}
