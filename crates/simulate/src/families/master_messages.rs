//! What clients and servers say to a master, for each kind of master, and how its lists are read.

use std::net::{Ipv4Addr, SocketAddr, SocketAddrV4};

use super::ServerQuestions;
use crate::PacketRecords;

/// The name of a server that a program registers to watch a master, for players who see it in a list.
pub(crate) const PROBE_NAME: &str = "fragshark probe";

/// The messages of one kind of master: those of a client that requests its list, of a server that
/// registers with it, and of a client that asks a listed server.
///
/// All are functions without state, so that one value serves any number of masters.
#[derive(Debug)]
pub struct MasterMessages {
    /// The kind of master, by the name of its profile.
    pub profile: &'static str,
    /// The documented port, at which clients request lists.
    pub port: u16,
    /// The profile whose lists it has, but for what is selected: an answer then does not tell the
    /// two kinds apart, and a port only if they have different ones.
    pub variant_of: Option<&'static str>,
    /// Why its lists cannot be requested over IPv6; `None` if they can.
    pub ipv4_only: Option<&'static str>,
    /// How a client gets its list.
    pub list: ListMessages,
    /// How a server registers with it.
    pub registration: RegistrationMessages,
    /// What clients ask a listed server.
    pub servers: &'static ServerQuestions,
}

impl MasterMessages {
    /// Whether a server of the selected game can register.
    pub fn can_register(&self, selection: &ListSelection) -> bool {
        match self.registration {
            RegistrationMessages::Heartbeats(messages) => (messages.can_register)(selection),
            RegistrationMessages::Connection { .. } => true,
        }
    }
}

/// How a client gets a list.
#[derive(Debug, Clone, Copy)]
pub enum ListMessages {
    /// In datagrams.
    Datagrams {
        /// The request for the list, or for its part behind this server.
        request: ListRequestFn,
        /// The servers in one datagram of a list; `None` if it is another message.
        read: ListReadFn,
    },
    /// Over a TCP connection of its own.
    Connection(ListStepFn),
}

/// From what is selected, and the server behind which the rest of a list is, to the request.
pub type ListRequestFn = fn(&ListSelection, Option<SocketAddr>) -> Vec<u8>;
/// From a datagram to its part of a list.
pub type ListReadFn = fn(&[u8]) -> Option<ListPart>;
/// What a client does next on its connection, until it has the servers of the list.
pub type ListStepFn = fn(&ListSelection, StreamTurn<'_>) -> StreamStep<Vec<SocketAddr>>;
/// What a server does next on its connection, until it may send heartbeats.
pub type LoginStepFn = fn(&ListSelection, StreamTurn<'_>) -> StreamStep<()>;
/// The heartbeat of the server with an address, or its shutdown message.
pub type ServerMessageFn = fn(&ListSelection, SocketAddr) -> Vec<u8>;
/// From a datagram of the master to the server's answer; `None` if it is no request.
pub type ServerAnswerFn = fn(&ListSelection, &[u8]) -> Option<Vec<u8>>;

/// How a server registers.
#[derive(Debug, Clone, Copy)]
pub enum RegistrationMessages {
    /// By heartbeats in datagrams.
    Heartbeats(HeartbeatMessages),
    /// Over a TCP connection: it is listed as long as it stays connected and sends heartbeats.
    Connection {
        /// The messages before the first heartbeat.
        log_in: LoginStepFn,
        /// The heartbeat of the server with this address.
        heartbeat: ServerMessageFn,
    },
}

/// The messages of a server that registers by datagrams.
#[derive(Debug, Clone, Copy)]
pub struct HeartbeatMessages {
    /// The documented port to which they are sent; `None`: that of the list.
    pub port: Option<u16>,
    /// Whether the master answers each heartbeat.
    pub are_answered: bool,
    /// Whether a server of the selected game can register: not without its key, where masters ask
    /// for a proof that only some keys give.
    pub can_register: fn(&ListSelection) -> bool,
    /// What a server sends when it starts, before its first heartbeat.
    pub start: Option<fn() -> Vec<u8>>,
    /// The heartbeat of the server with this address.
    pub heartbeat: ServerMessageFn,
    /// The server's answer to its master; `None` if the message is no request.
    pub answer: ServerAnswerFn,
    /// What it sends when it ends.
    pub shutdown: Option<ServerMessageFn>,
    /// Its answer to what the master asks behind that, where a master asks whether it ends.
    pub last_answer: Option<ServerAnswerFn>,
}

impl HeartbeatMessages {
    /// A heartbeat that the master answers at once, and the answer to its question.
    pub(crate) const fn new(heartbeat: ServerMessageFn, answer: ServerAnswerFn) -> Self {
        let (port, start, shutdown, last_answer) = (None, None, None, None);
        let (are_answered, can_register) = (true, can_always_register as _);
        Self { port, are_answered, can_register, start, heartbeat, answer, shutdown, last_answer }
    }
}

fn can_always_register(_: &ListSelection) -> bool {
    true
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

/// The records in one datagram of a list, and whether more follow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListPart {
    /// The records, as often as they are in it, with their positions.
    pub records: PacketRecords,
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
    /// It has this number, from 1, and the list is whole with so many.
    Numbered {
        /// Its number.
        number: u16,
        /// The number of all.
        count: u16,
    },
}

/// The record of zeros with which lists of several protocols end; it is no server.
const NO_SERVER: SocketAddr = SocketAddr::V4(SocketAddrV4::new(Ipv4Addr::UNSPECIFIED, 0));

impl ListPart {
    /// A datagram that is the last if `is_last` says so.
    pub fn new(records: PacketRecords, is_last: bool) -> Self {
        Self { records, end: if is_last { ListProgress::Whole } else { ListProgress::Unknown } }
    }

    /// The servers in it.
    pub fn servers(&self) -> impl Iterator<Item = SocketAddr> {
        let all = self.records.servers.iter().map(|(server, _)| *server);
        all.filter(|server| *server != NO_SERVER)
    }
}

/// How far a connection to a master is.
#[derive(Debug, Clone, Copy)]
pub struct StreamTurn<'a> {
    /// How many messages were sent on it.
    pub sent: usize,
    /// What the master has sent since the last of them, or since the beginning.
    pub received: &'a [u8],
    /// Whether the master has ended the connection: nothing more will come.
    pub is_over: bool,
}

/// What comes next on a connection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StreamStep<T> {
    /// What came is not whole yet, or is not what was expected.
    Wait,
    /// What came is the beginning of a list; more comes.
    Begun,
    /// These bytes are sent; what came so far is read.
    Send(Vec<u8>),
    /// The master says that it refuses.
    Refused,
    /// It is done.
    Done(T),
}
