//! The traffic log of a case.

use std::net::SocketAddr;
use std::time::{SystemTime, UNIX_EPOCH};

use protocol::Carrier;

/// The maximum number of datagrams kept of one case, and of bytes.
const DATAGRAMS: usize = 4096;
const BYTES: usize = 4 << 20;

/// Every datagram of a case, in the order of sending and receiving.
#[derive(Debug, Clone, Default)]
pub struct TrafficLog {
    /// What was sent and received, in order.
    pub entries: Vec<LogEntry>,
    bytes: usize,
    /// The number of further ones that were not kept.
    pub left_out: u64,
}

/// One datagram, or some bytes of a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogEntry {
    /// Nanoseconds since the Unix epoch.
    pub time: i64,
    /// The sender.
    pub from: SocketAddr,
    /// The receiver.
    pub to: SocketAddr,
    /// Whether we sent it.
    pub ours: bool,
    /// The name of its endpoint: `server 1`, `client`.
    pub endpoint: String,
    /// UDP or TCP.
    pub carrier: Carrier,
    /// The bytes.
    pub bytes: Vec<u8>,
    /// The connection that it belongs to, for a stream.
    pub stream: Option<usize>,
}

impl TrafficLog {
    /// Adds one, if there is room; returns its index.
    pub(super) fn add_entry(&mut self, entry: LogEntry) -> usize {
        if self.entries.len() >= DATAGRAMS || self.bytes + entry.bytes.len() > BYTES {
            self.left_out += 1;
            return usize::MAX;
        }
        self.bytes += entry.bytes.len();
        self.entries.push(entry);
        self.entries.len() - 1
    }
}

/// Nanoseconds since the Unix epoch.
pub(super) fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_nanos()).unwrap_or(i64::MAX)
}
