//! What messages of one exchange say about each other: parts of one answer, challenges and proofs.

use std::fmt;

/// Which part of an answer a datagram is, where an answer may take several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// The sender's number for the whole answer.
    pub reply: u32,
    /// From 1; 0 where nothing in the datagram tells, and whoever listens counts.
    pub index: u16,
    /// It says that it is the last one; parts may come in any order.
    pub last: bool,
}

/// Whether an answer to a challenge is what a game's published key makes of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Validation {
    /// The key of the game that the sender claims to be.
    Right(&'static str),
    /// The key of another game than the sender claims, or of this one where it claims none.
    KeyOf(&'static str),
    /// None of the published keys, that of the game that the sender claims to be included.
    NotOf(&'static str),
    /// None of the published keys; that of the sender's game is not among them.
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
