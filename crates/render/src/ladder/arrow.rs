//! One message of a ladder, as plain data.

use std::net::SocketAddr;

use protocol::{Direction, MessageOutcome, Role};
use text::{seconds, since, utc};

/// One message of a ladder; its texts are escaped when they are drawn.
#[derive(Debug, Clone, Copy)]
pub struct Arrow<'a> {
    /// The frame's number in the capture.
    pub number: u64,
    /// Nanoseconds since the Unix epoch.
    pub time: i64,
    /// Who sent it to whom, as far as is known.
    pub direction: Direction,
    /// The sender.
    pub source: SocketAddr,
    /// The receiver.
    pub destination: SocketAddr,
    /// The message's name.
    pub name: &'a str,
    /// The message's summary, in a few words; may be empty.
    pub text: &'a str,
    /// The outcome of the message, if the arrows below do not show it.
    pub outcome: Option<MessageOutcome<&'a str>>,
}

impl Arrow<'_> {
    /// The roles of sender and receiver. An endpoint of unknown role takes the other side: clients
    /// send requests, and a server receives them.
    pub(super) fn roles(&self) -> (Role, Role) {
        let beside = |role| match role {
            Role::Server | Role::Master => Role::Client,
            Role::Client => Role::Server,
        };
        match (self.direction.from, self.direction.to) {
            (Some(from), Some(to)) => (from, to),
            (Some(from), None) => (from, beside(from)),
            (None, Some(to)) => (beside(to), to),
            (None, None) => (Role::Client, Role::Server),
        }
    }

    /// Whether it did not arrive, or was not answered.
    pub(super) fn is_lost(&self) -> bool {
        self.outcome.is_some_and(|outcome| outcome.is_lost())
    }
}

/// Seconds since the beginning, `+12.345678`, in at most [`TIME`] columns if possible; words where the
/// frame has no time.
pub(super) fn time_since(begin: i64, time: i64) -> String {
    let Some(nanos) = since(begin, time) else {
        return utc(text::NO_TIME);
    };
    let sign = if nanos < 0 { "" } else { "+" };
    let whole = sign.len() + seconds(nanos, 0).len();
    let decimals = TIME.saturating_sub(whole + 1).min(6);
    format!("{sign}{}", seconds(nanos, decimals))
}

/// How many columns a time takes.
pub(super) const TIME: usize = 12;
