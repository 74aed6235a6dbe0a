//! The purpose of messages: `analysis` groups them into exchanges by it.

use std::fmt;

/// The kind of exchange that a request opens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ExchangeKind {
    /// A server registers with a master, which may send a challenge.
    Registration,
    /// A server tells its master that it shuts down.
    Shutdown,
    /// A client requests a list of servers from a master.
    List,
    /// A client or master asks a server for its settings and players.
    Query,
    /// A client joins a server.
    Connection,
    /// A server or client asks a master whether a player may play.
    Authorization,
    /// A client requests the message of the day.
    Motd,
    /// A client or server asks whether there is a newer version.
    Version,
    /// A server or client proves that it knows a game's key.
    Validation,
    /// An admin sends a command to a server.
    Command,
}

/// The part of a message in its exchanges.
#[derive(Debug, Clone, Copy)]
pub struct Dealing {
    /// The exchange that it opens, unless it answers a pending request.
    pub affair: ExchangeKind,
    /// One-way: there is no answer to it.
    pub told: bool,
    /// Whether these bytes signal a shutdown, if other messages of the kind are heartbeats.
    pub farewell: Option<fn(&[u8]) -> bool>,
    /// Two in quick succession signal a shutdown.
    pub twice: bool,
    /// When it is a refusal, as an answer.
    pub refuses: Refusal,
    /// As an answer it completes only a step: its receiver continues with the values in it.
    pub leads_on: bool,
    /// Its port is the one for queries to the server.
    pub names_port: bool,
    /// As a list it has an end mark.
    pub marks_end: bool,
    /// As a list request it names the server after which the list continues: the last record of its
    /// answer is a server, unless it is zeros.
    pub goes_on_behind: bool,
    /// Required keys, as an answer to a master.
    pub owes: &'static [&'static str],
}

/// When an answer is a refusal; values are those of its field with [`FieldRole::Verdict`], as text.
///
/// [`FieldRole::Verdict`]: crate::codec::FieldRole::Verdict
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    Never,
    Always,
    /// If the verdict is this one.
    At(&'static str),
    /// If it is not this one.
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
    /// Every kind, in the order of the tables.
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
