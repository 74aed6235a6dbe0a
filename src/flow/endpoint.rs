//! One endpoint of flows: an address and a port, its proven roles, and the evidence for its game.

use std::net::SocketAddr;

use super::Transport;
use super::evidence::Evidence;
use crate::protocol::{Game, ProtocolSet, Role};

/// An address and port, and the evidence about it.
#[derive(Debug)]
pub struct Endpoint {
    pub address: SocketAddr,
    pub transport: Transport,
    proven: Parties,
    /// Roles that typical, but not all, senders or receivers of its messages have.
    supposed: Parties,
    pub(super) evidence: Evidence,
    /// Protocols of messages that it sent as a server and that only one protocol has.
    pub(super) spoken: ProtocolSet,
    /// Protocols chosen for messages that several protocols share.
    pub(super) shared: ProtocolSet,
}

/// A set of roles: a listen server is client and server at once.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Parties(u8);

/// All roles; if an endpoint has several, the first of these counts.
const PARTIES: [Role; 3] = [Role::Master, Role::Server, Role::Client];

impl Parties {
    fn with(self, party: Role) -> Self {
        Self(self.0 | Self::bit(party))
    }

    fn has(self, party: Role) -> bool {
        self.0 & Self::bit(party) != 0
    }

    fn bit(party: Role) -> u8 {
        match party {
            Role::Client => 1,
            Role::Server => 2,
            Role::Master => 4,
        }
    }
}

impl Endpoint {
    pub(super) fn new(address: SocketAddr, transport: Transport) -> Self {
        Self {
            address,
            transport,
            proven: Parties::default(),
            supposed: Parties::default(),
            evidence: Evidence::default(),
            spoken: ProtocolSet::default(),
            shared: ProtocolSet::default(),
        }
    }

    /// A message proves this role.
    pub(super) fn prove(&mut self, party: Role) {
        self.proven = self.proven.with(party);
    }

    /// The proven role, if there is exactly one.
    pub(super) fn proven(&self) -> Option<Role> {
        let mut proven = PARTIES.into_iter().filter(|party| self.proven.has(*party));
        proven.next().filter(|_| proven.next().is_none())
    }

    /// A message makes this role likely.
    pub(super) fn suppose(&mut self, party: Role) {
        self.supposed = self.supposed.with(party);
    }

    /// The likely role, if there is exactly one.
    pub(super) fn supposed(&self) -> Option<Role> {
        let mut supposed = PARTIES.into_iter().filter(|party| self.supposed.has(*party));
        supposed.next().filter(|_| supposed.next().is_none())
    }

    /// Whether its messages prove this role.
    pub fn is_proven(&self, party: Role) -> bool {
        self.proven.has(party)
    }

    /// Its role: the proven one, else the one documented for its port in `game`.
    pub fn party(&self, game: &Game) -> Option<Role> {
        let proven = PARTIES.into_iter().find(|party| self.proven.has(*party));
        proven.or_else(|| game.listens(self.address.port()))
    }
}
