//! An endpoint that exchanges datagrams with the target only.

use std::io::{self, ErrorKind};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use mio::net::UdpSocket;
use mio::{Interest, Registry, Token, event};

use super::Target;
use super::memory::MemorySocket;

/// A UDP socket of a simulated host. Datagrams from other sources are ignored.
///
/// It is not connected: a master may reply or ask from another port than the one addressed, and
/// both are received. An endpoint with much to send may have a [connected socket](Socket::connect)
/// beside it.
#[derive(Debug)]
pub struct Socket {
    transport: DatagramTransport,
    local: SocketAddr,
    target: Arc<Target>,
}

#[derive(Debug)]
enum DatagramTransport {
    System { inner: UdpSocket, connected: Option<UdpSocket> },
    Memory(MemorySocket),
}

/// The outcome of a receive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Received {
    /// This many bytes came from the target.
    Datagram(usize, SocketAddr),
    /// ICMP reports that an earlier datagram was not delivered: port unreachable.
    Refused,
    /// No datagram is pending.
    Nothing,
}

impl Socket {
    /// A bound socket; it never blocks.
    pub(super) fn new(socket: std::net::UdpSocket, target: Arc<Target>) -> io::Result<Self> {
        socket.set_nonblocking(true)?;
        report_errors(&socket);
        let socket = UdpSocket::from_std(socket);
        let local = socket.local_addr()?;
        Ok(Self {
            transport: DatagramTransport::System { inner: socket, connected: None },
            local,
            target,
        })
    }

    /// A socket in memory.
    pub(super) fn in_memory(socket: MemorySocket, target: Arc<Target>) -> Self {
        Self { local: socket.local, transport: DatagramTransport::Memory(socket), target }
    }

    /// Adds a second socket at the same address, connected to the target, for sending: the system
    /// then needs no route lookup for each datagram, a fifth of the work. What the target sends
    /// from its named port is received there, all else as before.
    ///
    /// If the target has no port of its own, or the system does not support two such sockets,
    /// nothing changes. Call it before the socket is registered with a poll.
    pub fn connect(&mut self) {
        if let DatagramTransport::System { inner, connected } = &mut self.transport {
            let to = self.target.port().map(|port| self.target.at(port));
            *connected = to.and_then(|to| connected_beside(inner, to));
        }
    }

    /// Its own address.
    pub fn local(&self) -> SocketAddr {
        self.local
    }

    /// Sends to the target: to its own port, or to `port` if it has none.
    /// [`ErrorKind::ConnectionRefused`] reports an ICMP error of an earlier datagram, and this one
    /// was not sent.
    ///
    /// # Errors
    /// Those of the system.
    pub fn send(&self, port: u16, bytes: &[u8]) -> io::Result<()> {
        match &self.transport {
            // It exists only if the target has a port of its own.
            DatagramTransport::System { connected: Some(connected), .. } => {
                connected.send(bytes).map(drop)
            }
            DatagramTransport::System { inner, .. } => {
                inner.send_to(bytes, self.target.at(port)).map(drop)
            }
            DatagramTransport::Memory(socket) => {
                socket.send(self.target.at(port), bytes);
                Ok(())
            }
        }
    }

    /// Replies to the source of a datagram; refused unless that is the target.
    ///
    /// # Errors
    /// Those of the system.
    pub fn answer(&self, to: SocketAddr, bytes: &[u8]) -> io::Result<()> {
        if !self.target.is(to) {
            return Err(io::Error::new(ErrorKind::PermissionDenied, "not the target"));
        }
        match &self.transport {
            DatagramTransport::System { inner, .. } => inner.send_to(bytes, to).map(drop),
            DatagramTransport::Memory(socket) => {
                socket.send(to, bytes);
                Ok(())
            }
        }
    }

    /// Receives the next datagram of the target into `buffer`, if there is one.
    ///
    /// # Errors
    /// Those of the system.
    pub fn receive(&self, buffer: &mut [u8]) -> io::Result<Received> {
        let (inner, connected) = match &self.transport {
            DatagramTransport::System { inner, connected } => (inner, connected),
            DatagramTransport::Memory(socket) => return Ok(socket.receive(buffer)),
        };
        if let Some(connected) = connected {
            let received = self.receive_on(connected, buffer);
            if !matches!(received, Ok(Received::Nothing)) {
                return received;
            }
        }
        self.receive_on(inner, buffer)
    }

    fn receive_on(&self, socket: &UdpSocket, buffer: &mut [u8]) -> io::Result<Received> {
        loop {
            match socket.recv_from(buffer) {
                Ok((length, from)) if self.target.is(from) => {
                    return Ok(Received::Datagram(length, from));
                }
                Ok(_) => {}
                Err(error) => match error.kind() {
                    ErrorKind::WouldBlock => return Ok(Received::Nothing),
                    ErrorKind::ConnectionRefused | ErrorKind::ConnectionReset => {
                        return Ok(Received::Refused);
                    }
                    ErrorKind::Interrupted => {}
                    _ => return Err(error),
                },
            }
        }
    }
}

impl Socket {
    /// Waits until the socket is readable, or for this long; returns whether it is.
    ///
    /// # Errors
    /// Those of the system.
    #[cfg(unix)]
    pub fn wait(&self, patience: Duration) -> io::Result<bool> {
        use rustix::event::{PollFd, PollFlags, Timespec, poll};

        let (inner, connected) = match &self.transport {
            DatagramTransport::System { inner, connected } => (inner, connected.as_ref()),
            DatagramTransport::Memory(socket) => return Ok(socket.wait(patience)),
        };
        let timeout = Timespec::try_from(patience).map_err(io::Error::other)?;
        let mut polled =
            [inner, connected.unwrap_or(inner)].map(|socket| PollFd::new(socket, PollFlags::IN));
        match poll(&mut polled, Some(&timeout)) {
            Ok(ready) => Ok(ready > 0),
            Err(rustix::io::Errno::INTR) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// On systems without poll, sleeps briefly.
    #[cfg(not(unix))]
    pub fn wait(&self, patience: Duration) -> io::Result<bool> {
        if let DatagramTransport::Memory(socket) = &self.transport {
            return Ok(socket.wait(patience));
        }
        std::thread::sleep(patience.min(Duration::from_millis(1)));
        Ok(true)
    }
}

/// Edge-triggered: after each event, read until nothing is pending.
impl event::Source for Socket {
    fn register(&mut self, to: &Registry, token: Token, of: Interest) -> io::Result<()> {
        each(self, |socket| socket.register(to, token, of))
    }

    fn reregister(&mut self, to: &Registry, token: Token, of: Interest) -> io::Result<()> {
        each(self, |socket| socket.reregister(to, token, of))
    }

    fn deregister(&mut self, from: &Registry) -> io::Result<()> {
        each(self, |socket| socket.deregister(from))
    }
}

fn each(
    socket: &mut Socket,
    mut of: impl FnMut(&mut UdpSocket) -> io::Result<()>,
) -> io::Result<()> {
    match &mut socket.transport {
        DatagramTransport::System { inner, connected } => {
            of(inner)?;
            connected.as_mut().map_or(Ok(()), of)
        }
        DatagramTransport::Memory(_) => Err(ErrorKind::Unsupported.into()),
    }
}

/// A socket at the address of another, connected to `to`; `None` if that is not possible.
#[cfg(target_os = "linux")]
fn connected_beside(beside: &UdpSocket, to: SocketAddr) -> Option<UdpSocket> {
    use socket2::{Domain, SockRef, Socket as Plain, Type};

    let first = SockRef::from(beside);
    let second = Plain::new(Domain::for_address(to), Type::DGRAM, None).ok()?;
    // Two sockets share an address if both allow it; afterwards no other may.
    let share = |may| [first.set_reuse_address(may), second.set_reuse_address(may)];
    _ = share(true);
    let connected = first
        .local_addr()
        .and_then(|local| second.bind(&local))
        .and_then(|()| second.connect(&to.into()))
        .and_then(|()| second.set_nonblocking(true));
    _ = share(false);
    connected.ok().map(|()| UdpSocket::from_std(second.into()))
}

/// On other systems a second socket at an address may take datagrams meant for the first.
#[cfg(not(target_os = "linux"))]
fn connected_beside(_: &UdpSocket, _: SocketAddr) -> Option<UdpSocket> {
    None
}

/// Enables reporting of ICMP errors, which the system otherwise reports only on connected sockets.
#[cfg(target_os = "linux")]
fn report_errors(socket: &std::net::UdpSocket) {
    use nix::sys::socket::{setsockopt, sockopt};

    // Without it a closed port looks like one that does not answer.
    _ = setsockopt(socket, sockopt::Ipv4RecvErr, &true);
    _ = setsockopt(socket, sockopt::Ipv6RecvErr, &true);
}

#[cfg(not(target_os = "linux"))]
fn report_errors(_: &std::net::UdpSocket) {}

#[cfg(test)]
mod tests {
    use std::net::{SocketAddr, UdpSocket};
    use std::time::Duration;

    use super::{ErrorKind, Received, Socket};
    use crate::{AddressPool, Consent, Target};

    #[test]
    fn only_the_target_is_received_and_answered() {
        let master = UdpSocket::bind("127.0.0.1:0").unwrap();
        let at = master.local_addr().unwrap();
        let target = Target::new("master", at, Consent::default()).unwrap();
        let mut pool = AddressPool::near(target).unwrap();
        let host = pool.host().unwrap();
        let socket = pool.socket(host, 0).unwrap();
        let other_host = pool.host().unwrap();
        let other = UdpSocket::bind((other_host, 0)).unwrap();
        socket.send(1, b"hello").unwrap();
        let mut buffer = [0; 64];
        let (length, from) = master.recv_from(&mut buffer).unwrap();
        assert_eq!((length, from), (5, socket.local()), "the target's own port");
        other.send_to(b"psst", socket.local()).unwrap();
        master.send_to(b"who", socket.local()).unwrap();
        if pool.has_many_addresses() {
            assert_eq!(socket.receive(&mut buffer).unwrap(), Received::Datagram(3, at));
            assert_eq!(socket.receive(&mut buffer).unwrap(), Received::Nothing);
            let refused = socket.answer(other.local_addr().unwrap(), b"no").unwrap_err();
            assert_eq!(refused.kind(), ErrorKind::PermissionDenied);
        }
        socket.answer(at, b"me").unwrap();
        assert_eq!(master.recv_from(&mut buffer).unwrap().0, 2);
    }

    /// A socket that exchanges datagrams with `at` only, connected or not.
    fn socket(at: SocketAddr, connected: bool) -> Socket {
        let target = Target::new("master", at, Consent::default()).unwrap();
        let mut pool = AddressPool::near(target).unwrap();
        let host = pool.host().unwrap();
        let mut socket = pool.socket(host, 0).unwrap();
        if connected {
            socket.connect();
        }
        let super::DatagramTransport::System { connected: beside, .. } = &socket.transport else {
            panic!("a socket of the system");
        };
        assert_eq!(beside.is_some(), connected && cfg!(target_os = "linux"));
        socket
    }

    #[test]
    fn a_target_is_received_from_all_its_ports() {
        for connected in [false, true] {
            let [master, other] = [0, 0].map(|port| UdpSocket::bind(("127.0.0.1", port)).unwrap());
            let at = master.local_addr().unwrap();
            let socket = socket(at, connected);
            let mut buffer = [0; 64];
            socket.send(1, b"hello").unwrap();
            assert_eq!(master.recv_from(&mut buffer).unwrap(), (5, socket.local()));
            for from in [&other, &master, &other] {
                from.send_to(b"who", socket.local()).unwrap();
                assert!(socket.wait(Duration::from_secs(5)).unwrap());
                let from = from.local_addr().unwrap();
                assert_eq!(
                    socket.receive(&mut buffer).unwrap(),
                    Received::Datagram(3, from),
                    "{connected}"
                );
                assert_eq!(socket.receive(&mut buffer).unwrap(), Received::Nothing);
                socket.answer(from, b"me").unwrap();
            }
            for peer in [other, master] {
                assert_eq!(peer.recv_from(&mut buffer).unwrap(), (2, socket.local()));
            }
            assert!(UdpSocket::bind(socket.local()).is_err(), "nobody else has the address");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_port_without_a_listener_is_reported() {
        for connected in [false, true] {
            let at = UdpSocket::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
            let socket = socket(at, connected);
            socket.send(1, b"hello").unwrap();
            assert_eq!(socket.receive(&mut [0; 8]).unwrap(), Received::Refused, "{connected}");
        }
    }
}
