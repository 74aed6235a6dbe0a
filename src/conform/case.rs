//! What a case is, and how cases, profiles and the documents' sentences are declared.

use std::net::SocketAddr;

use super::context::TestContext;
use super::failure::Done;
use super::fingerprint::Trait;
use crate::proto::Game;

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
    /// Runs alone, behind all others: what floods or may end the master.
    pub exclusive: bool,
    /// Sends floods, over-long or random datagrams: outside of loopback only when it is asked for.
    pub harsh: bool,
    /// Takes as long as this setting says; runs where it is short, or where that is wanted.
    pub slow: Option<&'static str>,
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
    exclusive: false,
    harsh: false,
    slow: None,
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

/// A service's name, and a request that is answered at once, for who has this address.
pub type Sentinel = (&'static str, fn(SocketAddr) -> Vec<u8>);

/// The cases of one family of games, and what belongs to them.
pub struct Family {
    /// One slice a file, in the order of the documents.
    pub cases: &'static [&'static [Case]],
    pub profiles: &'static [Profile],
    pub sentences: &'static [&'static [Sentence]],
    /// For each of its services a request that every master of the kind answers at once, whoever
    /// asks from whatever address; it is sent behind others, to know when they were heard.
    pub sentinels: &'static [Sentinel],
    /// What tells implementations apart.
    pub traits: &'static [Trait],
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

impl Profile {
    /// Whether a master of this kind owes a case.
    pub fn owes(&self, id: &str) -> bool {
        let any = |patterns: &[&str]| patterns.iter().any(|pattern| super::fits(pattern, id));
        any(self.owes) && !any(self.but)
    }
}
