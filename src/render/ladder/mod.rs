//! Messages as a ladder: lifelines of servers, masters and clients side by side, and an arrow for
//! each message, from the one who said it to the one who should hear it.
//!
//! A ladder is drawn from [`Rung`]s, plain data that any view can make of its messages. A line of
//! text is a function of its rung and of what [`Ladder`] knows of the whole, so that a long ladder
//! is streamed, or drawn only where somebody looks: [`Rows`] tells which line is which. [`svg`] and
//! [`mermaid`] draw all of a short one, for documents.
//!
//! The room knows no flow and no exchange: whether an answer came is told by each rung's mark.

mod ends;
mod mermaid;
mod rows;
mod svg;
mod text;

#[cfg(test)]
mod tests;

use std::net::SocketAddr;

use crate::protocol::{Direction, Role};

pub use ends::Lifelines;
pub use mermaid::mermaid;
pub use rows::{LadderRow, PAUSE, Rows};
pub use svg::svg;
pub use text::{Ladder, LadderLine};

/// One message of a ladder; its texts are escaped when they are drawn.
#[derive(Debug, Clone, Copy)]
pub struct Arrow<'a> {
    /// The frame's number in the capture.
    pub number: u64,
    /// Nanoseconds since the Unix epoch.
    pub time: i64,
    /// Who sent it to whom, as far as is known.
    pub way: Direction,
    pub source: SocketAddr,
    pub destination: SocketAddr,
    /// The message's name.
    pub name: &'a str,
    /// What it says, in a few words; may be empty.
    pub text: &'a str,
    /// What became of it, where that is not plain from the arrows below.
    pub mark: Option<ArrowMark<'a>>,
}

/// What is told of a message beside its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArrowMark<'a> {
    /// It should have been answered, and was not.
    NoAnswer,
    /// It was answered with a refusal.
    Refused,
    /// It answers something that was given up by then.
    Late,
    /// The network says that it did not arrive: `port unreachable`.
    Error(&'a str),
}

impl<'a> ArrowMark<'a> {
    /// The mark in words.
    pub fn words(self) -> &'a str {
        match self {
            Self::NoAnswer => "no answer",
            Self::Refused => "refused",
            Self::Late => "late",
            Self::Error(what) => what,
        }
    }

    /// Whether its arrow ends in a cross.
    pub fn is_lost(self) -> bool {
        matches!(self, Self::NoAnswer | Self::Error(_))
    }
}

/// The lifelines from left to right.
const LANES: [Role; 3] = [Role::Server, Role::Master, Role::Client];

fn place(party: Role) -> usize {
    match party {
        Role::Server => 0,
        Role::Master => 1,
        Role::Client => 2,
    }
}

impl Arrow<'_> {
    /// The lifelines that it goes between. An end that nobody knows is on the side that the other
    /// one leaves: clients ask, and what is asked is a server.
    fn lanes(&self) -> (Role, Role) {
        let beside = |party| match party {
            Role::Server | Role::Master => Role::Client,
            Role::Client => Role::Server,
        };
        match (self.way.from, self.way.to) {
            (Some(from), Some(to)) => (from, to),
            (Some(from), None) => (from, beside(from)),
            (None, Some(to)) => (beside(to), to),
            (None, None) => (Role::Client, Role::Server),
        }
    }
}

/// A pause as people say it: `340 ms`, `7.2 s`, `4 min 0 s`.
fn pause(nanos: i64) -> String {
    let tenths = nanos / 100_000_000;
    match tenths / 10 {
        0 => format!("{} ms", nanos / 1_000_000),
        seconds @ ..60 => format!("{seconds}.{} s", tenths % 10),
        seconds @ ..3600 => format!("{} min {} s", seconds / 60, seconds % 60),
        seconds => format!("{} h {} min", seconds / 3600, seconds / 60 % 60),
    }
}

/// Seconds since the beginning, `+12.345678`, in at most [`STAMP`] columns while that is possible.
fn stamp(nanos: i64) -> String {
    let sign = if nanos < 0 { '-' } else { '+' };
    let micros = nanos.unsigned_abs() / 1000;
    let seconds = micros / 1_000_000;
    let whole = format!("{sign}{seconds}");
    let digits = STAMP.saturating_sub(whole.len() + 1).min(6);
    if digits == 0 {
        return whole;
    }
    let part = format!("{:06}", micros % 1_000_000);
    format!("{whole}.{}", part.get(..digits).unwrap_or_default())
}

/// How many columns a time takes.
const STAMP: usize = 12;
