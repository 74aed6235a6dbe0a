//! One end of conversations: an address and a port, what it proved to be, what it said of its game.

use std::net::SocketAddr;

use super::Transport;
use super::evidence::Evidence;
use super::recognise::Protocols;
use crate::protocol::{Game, Role};

/// An address and port, and what is known of who is there.
#[derive(Debug)]
pub struct Endpoint {
    pub address: SocketAddr,
    pub transport: Transport,
    proven: Parties,
    /// What messages suppose it to be that mostly, but not only, such parties send or get.
    supposed: Parties,
    pub(super) evidence: Evidence,
    /// Protocols of what it said as a server that no other protocol could have said.
    pub(super) spoken: Protocols,
    /// Protocols under which words were taken that others share.
    pub(super) shared: Protocols,
}

/// A set of parties: a listen server is client and server at once.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Parties(u8);

/// All parties, those first that say more of an end that is several.
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
            spoken: Protocols::default(),
            shared: Protocols::default(),
        }
    }

    /// A message proved it to be this party.
    pub(super) fn prove(&mut self, party: Role) {
        self.proven = self.proven.with(party);
    }

    /// What its messages proved it to be, if that is one thing.
    pub(super) fn proven(&self) -> Option<Role> {
        let mut proven = PARTIES.into_iter().filter(|party| self.proven.has(*party));
        proven.next().filter(|_| proven.next().is_none())
    }

    /// A message makes it likely to be this party.
    pub(super) fn suppose(&mut self, party: Role) {
        self.supposed = self.supposed.with(party);
    }

    /// What its messages make it likely to be, if that is one thing.
    pub(super) fn supposed(&self) -> Option<Role> {
        let mut supposed = PARTIES.into_iter().filter(|party| self.supposed.has(*party));
        supposed.next().filter(|_| supposed.next().is_none())
    }

    /// Whether its messages proved it to be this party.
    pub fn is_proven(&self, party: Role) -> bool {
        self.proven.has(party)
    }

    /// Who it is: what its messages proved, else who listens on its port in `game`.
    pub fn party(&self, game: &Game) -> Option<Role> {
        let proven = PARTIES.into_iter().find(|party| self.proven.has(*party));
        proven.or_else(|| game.listens(self.address.port()))
    }
}
