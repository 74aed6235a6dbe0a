//! What a program that watches a master sends and reads, for each kind of master.

use std::net::SocketAddr;

/// The name of the server that such a program registers, for players who see it in a list.
pub(crate) const PROBE_NAME: &str = "fragshark probe";

/// The messages of one kind of master: those of a client that requests its list, of a server that
/// registers with it, and of a client that asks a listed server.
///
/// All are functions without state, so that one value serves any number of masters. Lists over TCP
/// have no such messages.
#[derive(Debug)]
pub struct WatchMessages {
    /// The kind of master, by the name of its profile.
    pub profile: &'static str,
    /// The documented port.
    pub port: u16,
    /// Whether its lists differ from those of another kind only by what is selected: then neither
    /// the port nor an answer tells the kind.
    pub is_variant: bool,
    /// Whether its lists hold IPv4 addresses only.
    pub ipv4_only: bool,
    /// Whether it answers a heartbeat.
    pub answers_heartbeats: bool,
    /// What a server sends when it starts, before its first heartbeat.
    pub start: Option<fn() -> Vec<u8>>,
    /// The heartbeat of a server at this port.
    pub heartbeat: fn(&ListSelection, u16) -> Vec<u8>,
    /// What a server at this port sends when it ends.
    pub shutdown: Option<fn(&ListSelection, u16) -> Vec<u8>>,
    /// The server's answer to its master; `None` if the message is no request.
    pub answer: fn(&ListSelection, &[u8]) -> Option<Vec<u8>>,
    /// The request for the list, or for its part behind this server.
    pub request: fn(&ListSelection, Option<SocketAddr>) -> Vec<u8>,
    /// The servers in one datagram of a list; `None` if it is another message.
    pub read: fn(&[u8]) -> Option<ListPart>,
    /// A client's question, which every server answers.
    pub query: fn() -> Vec<u8>,
}

/// Which servers a list has. What a kind of master does not select by is ignored.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ListSelection {
    /// The name or the folder of a game; empty: that of the kind, or all.
    pub game: String,
    /// The protocol's number; `None`: that of the kind.
    pub protocol: Option<u32>,
    /// Whether the master is asked over IPv6.
    pub over_ipv6: bool,
}

/// The servers in one datagram of a list, and whether more follow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListPart {
    /// The servers, as often as they are in it.
    pub servers: Vec<SocketAddr>,
    /// Whether the list is whole with it.
    pub end: ListProgress,
}

/// Whether a datagram is the last of its list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListProgress {
    /// It is.
    Whole,
    /// It does not say so: others may come.
    Unknown,
    /// The rest has to be requested, from behind this server.
    Behind(SocketAddr),
}

impl ListPart {
    /// A datagram that is the last if `is_last` says so.
    pub fn new(servers: impl IntoIterator<Item = SocketAddr>, is_last: bool) -> Self {
        let end = if is_last { ListProgress::Whole } else { ListProgress::Unknown };
        Self { servers: servers.into_iter().collect(), end }
    }
}

/// The servers of a datagram's records, without their positions.
pub(crate) fn servers_of(records: crate::conform::list::PacketRecords) -> Vec<SocketAddr> {
    records.servers.into_iter().map(|(server, _)| server).collect()
}
