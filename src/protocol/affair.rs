//! What messages are exchanged for: what `session` pairs them by.

use std::fmt;

/// The kind of exchange that a request opens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ExchangeKind {
    /// A server makes itself known to a master, which may ask it back.
    Registration,
    /// A server tells its master that it goes.
    Shutdown,
    /// A client asks a master for servers.
    List,
    /// Somebody asks a server what it is and plays.
    Query,
    /// A client enters a server.
    Connection,
    /// Somebody asks a master whether a player may play.
    Authorization,
    /// A client asks for the message of the day.
    Motd,
    /// A client or server asks whether there is a newer version.
    Version,
    /// Somebody proves to know a game's key.
    Validation,
    /// An operator gives orders to a server.
    Command,
}

/// What a message declares of the exchanges that it is part of.
#[derive(Debug, Clone, Copy)]
pub struct Dealing {
    /// What it opens, where it is no answer to something open.
    pub affair: ExchangeKind,
    /// Nothing has to come back.
    pub told: bool,
    /// Whether by these bytes a server goes, where others of the kind say that it is alive.
    pub farewell: Option<fn(&[u8]) -> bool>,
    /// Two in quick succession say that a server goes.
    pub twice: bool,
    /// When it is a refusal, as an answer.
    pub refuses: Refusal,
    /// As an answer it is only half of the affair: its receiver goes on with what it was given.
    pub leads_on: bool,
    /// The port that it names is that on which the server is asked.
    pub names_port: bool,
    /// As a list it says where it ends.
    pub marks_end: bool,
    /// As a request for a list it names the server behind which the list goes on: the last record of
    /// its answer is a server, unless it is zeros.
    pub goes_on_behind: bool,
    /// Keys that it must have, as an answer to a master.
    pub owes: &'static [&'static str],
}

/// When an answer is a refusal; values are those of its field with [`Role::Verdict`], as text.
///
/// [`Role::Verdict`]: crate::codec::Role::Verdict
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    Never,
    Always,
    /// Where the verdict is this one.
    At(&'static str),
    /// Where it is not this one.
    Unless(&'static str),
}

impl Refusal {
    /// Whether an answer with this verdict refuses; compared without case.
    pub fn is(self, verdict: &[u8]) -> bool {
        match self {
            Self::Never => false,
            Self::Always => true,
            Self::At(word) => verdict.eq_ignore_ascii_case(word.as_bytes()),
            Self::Unless(word) => !verdict.eq_ignore_ascii_case(word.as_bytes()),
        }
    }
}

impl Dealing {
    pub(super) const QUERY: Self = Self {
        affair: ExchangeKind::Query,
        told: false,
        farewell: None,
        twice: false,
        refuses: Refusal::Never,
        leads_on: false,
        names_port: false,
        marks_end: false,
        goes_on_behind: false,
        owes: &[],
    };
}

impl ExchangeKind {
    /// Every kind, in the order in which tables have them.
    pub const ALL: [Self; 10] = [
        Self::Registration,
        Self::Shutdown,
        Self::List,
        Self::Query,
        Self::Connection,
        Self::Authorization,
        Self::Motd,
        Self::Version,
        Self::Validation,
        Self::Command,
    ];

    /// Its name in tables and filters.
    pub fn name(self) -> &'static str {
        match self {
            Self::Registration => "registration",
            Self::Shutdown => "shutdown",
            Self::List => "list",
            Self::Query => "query",
            Self::Connection => "connection",
            Self::Authorization => "authorization",
            Self::Motd => "motd",
            Self::Version => "version",
            Self::Validation => "validation",
            Self::Command => "command",
        }
    }
}

impl fmt::Display for ExchangeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
