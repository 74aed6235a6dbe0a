//! What a family gives to the master: its services, and the namespaces of its lists.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::net::SocketAddr;

use super::Master;
use super::state::{IncomingRequest, MasterState, ReplySink};
use codec::Scratch;
use protocol::{Carrier, Game};
use simulate::Settings;
use simulate::TargetService;

/// One service on a port.
#[derive(Debug)]
pub struct Service {
    /// Its name on the command line: the id of its game, if it is the game's list itself.
    pub name: &'static str,
    /// The game whose servers or clients it serves.
    pub game: &'static Game,
    /// The documented port.
    pub port: u16,
    /// Whether it runs by default.
    pub usual: bool,
    /// What it does.
    pub means: &'static str,
    /// The source of the port.
    pub source: &'static str,
    /// What handles its messages.
    pub handler: Handler,
}

/// How a service responds.
#[derive(Debug, Clone, Copy)]
pub enum Handler {
    /// Each datagram is handled by itself.
    Datagram(DatagramHandler),
    /// Starts a connection; the master's first message is appended to the buffer.
    Stream(fn(&mut MasterState, &mut Vec<u8>) -> Box<dyn StreamSession>),
}

/// Handles one datagram. One that it cannot decode gets no reply.
pub(crate) type DatagramHandler =
    fn(&mut MasterState, &IncomingRequest<'_>, &mut Scratch, ReplySink<'_>);

/// The state of one client's TCP connection.
pub trait StreamSession: Send {
    /// Takes the bytes of `incoming`, however they are split, and appends the response to `out`.
    fn handle_bytes(
        &mut self,
        state: &mut MasterState,
        incoming: &IncomingRequest<'_>,
        out: &mut Vec<u8>,
    );

    /// Nothing more will be sent.
    fn is_over(&self) -> bool;

    /// How long a connection without a fixed end may be silent, in nanoseconds; `None` for one that
    /// ends after the time of the setting `connection-timeout`.
    fn silence(&self) -> Option<i64> {
        None
    }

    /// The connection is closed: `incoming` has no bytes.
    fn closed(&mut self, _state: &mut MasterState, _incoming: &IncomingRequest<'_>) {}
}

impl Service {
    /// A service over UDP that runs by default.
    pub const fn udp(game: &'static Game, port: u16, handler: DatagramHandler) -> Self {
        let handler = Handler::Datagram(handler);
        Self { name: game.id, game, port, usual: true, means: "", source: "", handler }
    }

    /// Whether it takes datagrams or connections.
    pub fn carrier(&self) -> Carrier {
        match self.handler {
            Handler::Datagram(_) => Carrier::Datagram,
            Handler::Stream(_) => Carrier::Stream,
        }
    }

    /// `udp` or `tcp`.
    pub fn transport(&self) -> &'static str {
        self.carrier().transport()
    }
}

impl From<&Service> for TargetService {
    fn from(service: &Service) -> Self {
        let Service { name, game, port, .. } = *service;
        Self { name, port, is_list: name == game.id }
    }
}

/// A client's connection to a service over TCP.
pub struct ServiceConnection {
    service: &'static Service,
    session: Box<dyn StreamSession>,
}

impl ServiceConnection {
    /// Starts a connection; the master's first message is appended to `out`. `None` for a service
    /// over UDP.
    pub fn open(service: &'static Service, master: &mut Master, out: &mut Vec<u8>) -> Option<Self> {
        match service.handler {
            Handler::Datagram(_) => None,
            Handler::Stream(open) => Some(Self { service, session: open(&mut master.state, out) }),
        }
    }

    /// Takes received bytes, however they are split, and appends the response to `out`.
    pub fn handle_bytes(
        &mut self,
        master: &mut Master,
        from: SocketAddr,
        bytes: &[u8],
        out: &mut Vec<u8>,
    ) {
        let state = &mut master.state;
        let (now, service) = (state.now, self.service);
        let incoming = IncomingRequest { now, service, from, payload: bytes };
        self.session.handle_bytes(state, &incoming, out);
    }

    /// Nothing more will be sent.
    pub fn is_over(&self) -> bool {
        self.session.is_over()
    }

    /// How long it may be silent, if it has no fixed end.
    pub(super) fn silence(&self) -> Option<i64> {
        self.session.silence()
    }

    /// Ends it: whoever is listed because of it is listed no longer.
    pub fn close(mut self, master: &mut Master, from: SocketAddr) {
        let state = &mut master.state;
        let incoming =
            IncomingRequest { now: state.now, service: self.service, from, payload: &[] };
        self.session.closed(state, &incoming);
    }
}

/// Names of services are unique.
impl PartialEq for Service {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

/// Servers that are listed together: one list, or the lists of one request form.
#[derive(Debug)]
pub struct Namespace {
    /// Unique; of a namespace in which servers register, the name of the service.
    pub name: &'static str,
    /// The namespace in which its servers are registered, if it is only another view of them.
    pub registered_in: Option<&'static Self>,
    /// Whether any of its lists has IPv6 records.
    pub lists_ipv6: bool,
    /// How long a server stays listed, in nanoseconds.
    pub timeout: fn(&Settings) -> i64,
}

impl Namespace {
    /// A namespace with IPv4 records and the usual timeout.
    pub const fn new(name: &'static str) -> Self {
        let timeout = |settings: &Settings| settings.server_timeout;
        Self { name, registered_in: None, lists_ipv6: false, timeout }
    }

    /// The namespace in which the servers of its lists are registered.
    pub fn of_servers(&'static self) -> &'static Self {
        self.registered_in.unwrap_or(self)
    }
}

impl PartialEq for Namespace {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Namespace {}

impl Ord for Namespace {
    fn cmp(&self, other: &Self) -> Ordering {
        self.name.cmp(other.name)
    }
}

impl PartialOrd for Namespace {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Hash for Namespace {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.name.hash(hasher);
    }
}
