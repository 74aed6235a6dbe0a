//! One endpoint of flows: an address and a port, its proven roles, and the evidence for its game.

use std::net::SocketAddr;

use super::Transport;
use super::evidence::Evidence;
use protocol::{Entry, Game, ProtocolSet, Role};

/// An address and port, and the evidence about it.
#[derive(Debug, Clone)]
pub struct Endpoint {
    /// Address and port.
    pub address: SocketAddr,
    /// UDP or TCP: the same port of the other one is another endpoint.
    pub transport: Transport,
    proven: RoleSet,
    /// The message that proved each role first, and for which of them this endpoint sent it.
    proofs: [Option<&'static Entry>; 3],
    sent: RoleSet,
    /// Roles that typical, but not all, senders or receivers of its messages have.
    likely: RoleSet,
    pub(super) evidence: Evidence,
    /// Protocols of messages that it sent as a server and that only one protocol has.
    pub(super) spoken: ProtocolSet,
    /// Protocols chosen for messages that several protocols share.
    pub(super) shared: ProtocolSet,
    /// The number of the file of an earlier run that tells of it; 0 if none does.
    pub(super) file: u16,
}

/// A set of roles: a listen server is client and server at once.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct RoleSet(u8);

/// All roles; if an endpoint has several, the first of these counts.
const ROLES: [Role; 3] = [Role::Master, Role::Server, Role::Client];

impl RoleSet {
    fn with(self, role: Role) -> Self {
        Self(self.0 | Self::bit(role))
    }

    fn has(self, role: Role) -> bool {
        self.0 & Self::bit(role) != 0
    }

    fn bit(role: Role) -> u8 {
        match role {
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
            proven: RoleSet::default(),
            proofs: [None; 3],
            sent: RoleSet::default(),
            likely: RoleSet::default(),
            evidence: Evidence::default(),
            spoken: ProtocolSet::default(),
            shared: ProtocolSet::default(),
            file: 0,
        }
    }

    /// An endpoint of an earlier run.
    pub(super) fn known(address: SocketAddr, transport: Transport, file: u16) -> Self {
        Self { file, ..Self::new(address, transport) }
    }

    /// Its proven and its likely roles.
    pub(super) fn roles(&self) -> [impl Iterator<Item = Role>; 2] {
        [self.proven, self.likely].map(|set| ROLES.into_iter().filter(move |role| set.has(*role)))
    }

    /// An earlier run has proved this role.
    pub(super) fn know(&mut self, role: Role) {
        self.proven = self.proven.with(role);
    }

    /// A message that it sent or received proves this role.
    pub(super) fn prove(&mut self, role: Role, entry: &'static Entry, is_sender: bool) {
        if self.proven.has(role) {
            return;
        }
        self.know(role);
        let proofs = ROLES.iter().zip(&mut self.proofs).filter(|(of, _)| **of == role);
        proofs.for_each(|(_, proof)| *proof = Some(entry));
        if is_sender {
            self.sent = self.sent.with(role);
        }
    }

    /// The proven role, if there is exactly one.
    pub(super) fn proven(&self) -> Option<Role> {
        let mut proven = ROLES.into_iter().filter(|role| self.proven.has(*role));
        proven.next().filter(|_| proven.next().is_none())
    }

    /// A message makes this role likely.
    pub(super) fn make_likely(&mut self, role: Role) {
        self.likely = self.likely.with(role);
    }

    /// The likely role, if there is exactly one.
    pub(super) fn likely(&self) -> Option<Role> {
        let mut supposed = ROLES.into_iter().filter(|role| self.likely.has(*role));
        supposed.next().filter(|_| supposed.next().is_none())
    }

    /// Whether its messages prove this role.
    pub fn is_proven(&self, role: Role) -> bool {
        self.proven.has(role)
    }

    /// Its role: the proven one, else the one documented for its port in `game`.
    pub fn role(&self, game: &Game) -> Option<Role> {
        let proven = ROLES.into_iter().find(|role| self.proven.has(*role));
        proven.or_else(|| game.listens(self.address.port()))
    }

    /// Its role, and why: `192.0.2.10:27960 is a server: it sent heartbeat`.
    pub(super) fn role_reason(&self, game: &Game) -> Option<String> {
        let role = self.role(game)?;
        let of_role = ROLES.iter().zip(self.proofs).find(|(of, _)| **of == role);
        let why = match of_role.and_then(|(_, proof)| proof) {
            Some(entry) if self.sent.has(role) => format!("it sent {}", entry.spec.name),
            Some(entry) => format!("{} was sent to it", entry.spec.name),
            None if self.proven.has(role) => "an earlier run has seen that".to_owned(),
            None => format!("port {} is documented for that", self.address.port()),
        };
        Some(format!("{} is a {}: {why}", self.address, role.name()))
    }
}
