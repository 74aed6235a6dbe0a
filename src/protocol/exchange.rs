//! Relations between the messages of an exchange: parts of an answer, challenges and proofs.

use std::fmt;

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
