//! The servers in one datagram of a list, and their positions.

use std::net::SocketAddr;
use std::ops::Range;

/// The records of one packet, as its protocol decodes them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PacketRecords {
    /// Where the first begins.
    pub at: usize,
    /// Every server, and its position.
    pub servers: Vec<(SocketAddr, Range<usize>)>,
    /// Where the records end.
    pub end: usize,
}

impl PacketRecords {
    /// Servers one behind the other from `at` on, each in `step` bytes, including its separator.
    pub fn new(at: usize, step: usize, servers: impl IntoIterator<Item = SocketAddr>) -> Self {
        let position = |(n, server)| (server, at + n * step..at + (n + 1) * step);
        let servers: Vec<_> = servers.into_iter().enumerate().map(position).collect();
        let end = at + servers.len() * step;
        Self { at, servers, end }
    }
}
