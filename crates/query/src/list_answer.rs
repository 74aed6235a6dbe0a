//! What comes of one request for a list.

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::time::Duration;

use serde::Serialize;

/// How many timeouts a list may take, from its request to its end: a master that sends without end is
/// not listened to for ever.
pub(super) const LONGEST_LIST: u32 = 4;
/// The maximum servers of one list; more are left out.
const MAX_LISTED: usize = 1 << 16;

/// A master's list, or why there is none.
pub type RequestedList = Result<MasterList, ListFailure>;

/// A list that has come, whole or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MasterList {
    /// The time from the request to its first datagram, or to its first bytes.
    pub latency: Duration,
    /// The servers, each once.
    pub servers: BTreeSet<SocketAddr>,
    /// Whether the end came: false if the next part did not, or the list was too long.
    pub is_whole: bool,
}

/// Why there is no list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ListFailure {
    /// No datagram of a list came in time.
    NoAnswer,
    /// No connection was accepted.
    NoConnection,
    /// A connection was accepted, and nothing came.
    Silent,
    /// The connection was closed before a list came.
    Closed,
    /// What came is no list.
    OtherBytes,
    /// More bytes came than any list has.
    TooLong,
    /// The master said that it refuses.
    Refused,
}

impl MasterList {
    /// An empty list that is whole so far.
    pub fn new(latency: Duration) -> Self {
        Self { latency, servers: BTreeSet::new(), is_whole: true }
    }

    /// Adds servers, up to the limit.
    pub fn add_servers(&mut self, servers: impl IntoIterator<Item = SocketAddr>) {
        for server in servers {
            if self.servers.len() < MAX_LISTED {
                self.servers.insert(server);
            } else {
                self.is_whole = false;
            }
        }
    }
}

impl ListFailure {
    /// In a few words, about a master.
    pub fn text(self) -> &'static str {
        match self {
            Self::NoAnswer => "no answer",
            Self::NoConnection => "it accepts no connection",
            Self::Silent => "it accepts a connection and sends nothing",
            Self::Closed => "it closed the connection before a list came",
            Self::OtherBytes => "it sends something that is no list",
            Self::TooLong => "it sends more than any list has",
            Self::Refused => "it refuses to send a list",
        }
    }
}
