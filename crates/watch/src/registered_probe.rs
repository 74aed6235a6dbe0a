//! The server of this program that registers with a master, by datagrams or over a connection.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use super::connected_probe::ConnectedProbe;
use super::probe::DatagramProbe;
use query::{ConnectionLimits, MasterDialer};
use simulate::families::{ListSelection, MasterMessages, RegistrationMessages};
use simulate::{AddressPool, Pacer, Socket, Target};

/// A probe, in the way that its kind of master has.
#[derive(Debug)]
pub enum RegisteredProbe {
    /// By datagrams.
    Datagrams(DatagramProbe),
    /// Over a connection.
    Connected(ConnectedProbe),
}

/// Where the servers of a master of this kind register: at `port`, if it is given and the kind has
/// another port for that than for lists, else at the documented port. `None` if the target has a port
/// of its own that is not the documented one, so that the other port is not known.
pub fn registration_target(
    target: &Target,
    kind: &MasterMessages,
    port: Option<u16>,
) -> Option<Target> {
    let RegistrationMessages::Heartbeats(messages) = kind.registration else {
        return Some(target.clone());
    };
    let Some(documented) = messages.port else { return Some(target.clone()) };
    let is_documented = target.port().is_none_or(|own| own == kind.port);
    let port = port.or(is_documented.then_some(documented))?;
    Some(target.with_port(port))
}

impl RegisteredProbe {
    /// A probe that is not registered yet. It has the address that one had in an earlier run, if that
    /// is free.
    ///
    /// # Errors
    /// If the target cannot be reached from here.
    pub fn open(
        target: &Target,
        kind: &MasterMessages,
        selection: ListSelection,
        earlier: Option<SocketAddr>,
    ) -> io::Result<Self> {
        let mut pool = AddressPool::near(target.clone())?;
        let socket = probe_socket(&mut pool, earlier)?;
        Ok(match kind.registration {
            RegistrationMessages::Heartbeats(messages) => {
                let master = target.at(kind.port);
                Self::Datagrams(DatagramProbe::new(socket, messages, selection, master))
            }
            RegistrationMessages::Connection { log_in, heartbeat } => {
                let dialer = MasterDialer::new(pool, socket.local().ip(), kind.port);
                Self::Connected(ConnectedProbe::new(socket, dialer, (log_in, heartbeat), selection))
            }
        })
    }

    /// Its address.
    pub fn address(&self) -> SocketAddr {
        match self {
            Self::Datagrams(probe) => probe.address(),
            Self::Connected(probe) => probe.address(),
        }
    }

    /// Sends one heartbeat, and what belongs to it. Returns whether the master answered; `None` for a
    /// kind of master that does not answer each heartbeat.
    ///
    /// # Errors
    /// If the system cannot send.
    pub fn register(&mut self, limits: ConnectionLimits<'_>) -> io::Result<Option<bool>> {
        match self {
            Self::Datagrams(probe) => probe.register(limits.timeout, limits.pacer),
            Self::Connected(probe) => probe.register(limits).map(Some),
        }
    }

    /// Answers what the master has asked meanwhile.
    ///
    /// # Errors
    /// If the system cannot send.
    pub fn answer(&self, pacer: Option<&Pacer>) -> io::Result<()> {
        match self {
            Self::Datagrams(probe) => probe.answer(Duration::ZERO, pacer).map(drop),
            Self::Connected(_) => Ok(()),
        }
    }

    /// Whether an entry of a list is this server. Behind NAT only the port is known, if that.
    pub fn is(&self, entry: SocketAddr, is_far: bool) -> bool {
        let own = self.address();
        entry == own || is_far && entry.port() == own.port()
    }

    /// Leaves the master, where its protocol has a way.
    ///
    /// # Errors
    /// If the system cannot send.
    pub fn leave(&self, pacer: Option<&Pacer>) -> io::Result<()> {
        match self {
            Self::Datagrams(probe) => probe.leave(pacer),
            Self::Connected(probe) => {
                probe.leave();
                Ok(())
            }
        }
    }
}

/// A socket at the address of an earlier probe, if that is possible, else at a new one.
fn probe_socket(pool: &mut AddressPool, earlier: Option<SocketAddr>) -> io::Result<Socket> {
    let bound = earlier.and_then(|earlier| pool.socket(earlier.ip(), earlier.port()).ok());
    if let Some(socket) = bound {
        return Ok(socket);
    }
    let host = pool.host()?;
    pool.socket(host, 0)
}
