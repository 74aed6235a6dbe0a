//! Relations between messages: kinds of exchanges, refusals, parts of an answer, challenges and
//! proofs.

use std::fmt;

use text::named;

named! {
    /// The kind of exchange that a request opens.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum ExchangeKind {
        /// A server registers with a master, which may send a challenge.
        Registration = "registration",
        /// A server tells its master that it shuts down.
        Shutdown = "shutdown",
        /// A client requests a list of servers from a master.
        List = "list",
        /// A client or master asks a server for its settings and players.
        Query = "query",
        /// A client joins a server.
        Connection = "connection",
        /// A server or client asks a master whether a player may play.
        Authorization = "authorization",
        /// A client requests the message of the day.
        Motd = "motd",
        /// A client or server asks whether there is a newer version.
        Version = "version",
        /// A server or client proves that it knows a game's key.
        Validation = "validation",
        /// An admin sends a command to a server.
        Command = "command",
    }
}

/// The outcome of a message, where the next messages do not show it; `T` is the text of an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MessageOutcome<T> {
    /// An answer was due and did not come.
    NoAnswer,
    /// It is a refusal.
    Refused,
    /// An ICMP error reports that it did not arrive: `port unreachable`.
    Lost(T),
}

impl<T: AsRef<str>> MessageOutcome<T> {
    /// The outcome in words.
    pub fn words(&self) -> &str {
        match self {
            Self::NoAnswer => "no answer",
            Self::Refused => "refused",
            Self::Lost(what) => what.as_ref(),
        }
    }

    /// Whether the message did not arrive, or nothing came back.
    pub fn is_lost(&self) -> bool {
        !matches!(self, Self::Refused)
    }

    /// The same with another text.
    pub fn map<'a, U>(&'a self, text: impl FnOnce(&'a str) -> U) -> MessageOutcome<U> {
        match self {
            Self::NoAnswer => MessageOutcome::NoAnswer,
            Self::Refused => MessageOutcome::Refused,
            Self::Lost(what) => MessageOutcome::Lost(text(what.as_ref())),
        }
    }
}

/// When an answer is a refusal; values are those of its field with [`FieldRole::Verdict`], as text.
///
/// [`FieldRole::Verdict`]: codec::FieldRole::Verdict
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// It never is.
    Never,
    /// It always is.
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

/// Which part of an answer a datagram is, if an answer may take several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// The sender's number for the whole answer.
    pub reply: u32,
    /// From 1; 0 if it is not in the datagram and the receiver has to count.
    pub index: u16,
    /// It is marked as the last one; parts may come in any order.
    pub last: bool,
}

/// How many entries of an answer a part of it has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EntryCount {
    /// In this part.
    pub here: u32,
    /// In all parts together, if this part says so.
    pub of: Option<u32>,
}

/// Whether an answer to a challenge is correct for a game's published key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Validation {
    /// The key of the game that the sender reports.
    Right(&'static str),
    /// The key of another game than the sender reports, or of this one if it reports none.
    KeyOf(&'static str),
    /// None of the published keys, which include that of the game that the sender reports.
    NotOf(&'static str),
    /// None of the published keys, which do not include that of the sender's game.
    NoKnownKey,
}

impl fmt::Display for Validation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Right(game) => write!(f, "right for the key of {game}"),
            Self::KeyOf(game) => write!(f, "made with the key of {game}"),
            Self::NotOf(game) => write!(f, "no known key gives it, not that of {game} either"),
            Self::NoKnownKey => f.write_str("no known key gives it"),
        }
    }
}
