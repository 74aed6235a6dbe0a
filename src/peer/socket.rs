//! One end that speaks with the target and with nobody else.

use std::io::{self, ErrorKind};
use std::net::SocketAddr;
use std::time::Duration;

use mio::net::UdpSocket;
use mio::{Interest, Registry, Token, event};

use super::Target;

/// A UDP socket of somebody who is played. What others than the target send to it is not heard.
///
/// It is not connected: a master may answer or ask from another port than the one that it was told
/// on, and both are to be seen.
#[derive(Debug)]
pub struct Socket {
    inner: UdpSocket,
    local: SocketAddr,
    target: Target,
}

/// What became of a datagram that was to be heard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Heard {
    /// So many bytes came from the target.
    Said(usize, SocketAddr),
    /// The system says that something that was sent did not arrive: nobody listens there.
    Refused,
    /// Nothing is there.
    Silence,
}

impl Socket {
    /// A socket that is bound; it never blocks.
    pub(super) fn of(socket: std::net::UdpSocket, target: Target) -> io::Result<Self> {
        socket.set_nonblocking(true)?;
        report_errors(&socket);
        let socket = UdpSocket::from_std(socket);
        let local = socket.local_addr()?;
        Ok(Self { inner: socket, local, target })
    }

    pub fn local(&self) -> SocketAddr {
        self.local
    }

    /// Sends to the target: to the port that it has, or to `port` where it stands for all. An error
    /// that an earlier datagram met is [`ErrorKind::ConnectionRefused`], and this one was not sent.
    pub fn tell(&self, port: u16, bytes: &[u8]) -> io::Result<()> {
        self.send(self.target.at(port), bytes)
    }

    /// Sends back to where something came from; refused unless that is the target.
    pub fn answer(&self, to: SocketAddr, bytes: &[u8]) -> io::Result<()> {
        if !self.target.is(to) {
            return Err(io::Error::new(ErrorKind::PermissionDenied, "not the target"));
        }
        self.send(to, bytes)
    }

    fn send(&self, to: SocketAddr, bytes: &[u8]) -> io::Result<()> {
        self.inner.send_to(bytes, to).map(drop)
    }

    /// Takes the next datagram of the target's into `buffer`, if there is one.
    pub fn hear(&self, buffer: &mut [u8]) -> io::Result<Heard> {
        loop {
            match self.inner.recv_from(buffer) {
                Ok((length, from)) if self.target.is(from) => {
                    return Ok(Heard::Said(length, from));
                }
                Ok(_) => {}
                Err(error) => match error.kind() {
                    ErrorKind::WouldBlock => return Ok(Heard::Silence),
                    ErrorKind::ConnectionRefused | ErrorKind::ConnectionReset => {
                        return Ok(Heard::Refused);
                    }
                    ErrorKind::Interrupted => {}
                    _ => return Err(error),
                },
            }
        }
    }
}

impl Socket {
    /// Waits until something is there to be heard, or for so long; whether it is.
    #[cfg(unix)]
    pub fn wait(&self, patience: Duration) -> io::Result<bool> {
        use rustix::event::{PollFd, PollFlags, Timespec, poll};

        let timeout = Timespec::try_from(patience).map_err(io::Error::other)?;
        let mut polled = [PollFd::new(&self.inner, PollFlags::IN)];
        match poll(&mut polled, Some(&timeout)) {
            Ok(ready) => Ok(ready > 0),
            Err(rustix::io::Errno::INTR) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// Where sockets cannot be waited for, a little time has to do.
    #[cfg(not(unix))]
    pub fn wait(&self, patience: Duration) -> io::Result<bool> {
        std::thread::sleep(patience.min(Duration::from_millis(1)));
        Ok(true)
    }
}

/// Told of by a poll, whenever there is something to hear; all of it has to be heard then.
impl event::Source for Socket {
    fn register(&mut self, to: &Registry, token: Token, of: Interest) -> io::Result<()> {
        self.inner.register(to, token, of)
    }

    fn reregister(&mut self, to: &Registry, token: Token, of: Interest) -> io::Result<()> {
        self.inner.reregister(to, token, of)
    }

    fn deregister(&mut self, from: &Registry) -> io::Result<()> {
        self.inner.deregister(from)
    }
}

/// Has the system tell of ICMP errors, which it tells unasked only of sockets that are connected.
#[cfg(target_os = "linux")]
fn report_errors(socket: &std::net::UdpSocket) {
    use nix::sys::socket::{setsockopt, sockopt};

    // Without it a port that nobody listens on looks like one that is silent.
    _ = setsockopt(socket, sockopt::Ipv4RecvErr, &true);
    _ = setsockopt(socket, sockopt::Ipv6RecvErr, &true);
}

#[cfg(not(target_os = "linux"))]
fn report_errors(_: &std::net::UdpSocket) {}

#[cfg(test)]
mod tests {
    use std::net::UdpSocket;

    use super::{ErrorKind, Heard};
    use crate::peer::{Consent, Home, Target};

    #[test]
    fn only_the_target_is_heard_and_answered() {
        let master = UdpSocket::bind("127.0.0.1:0").unwrap();
        let at = master.local_addr().unwrap();
        let target = Target::new("master", at, Consent::default()).unwrap();
        let mut home = Home::near(target).unwrap();
        let host = home.host().unwrap();
        let socket = home.socket(host, 0).unwrap();
        let stranger = home.host().unwrap();
        let other = UdpSocket::bind((stranger, 0)).unwrap();
        socket.tell(1, b"hello").unwrap();
        let mut buffer = [0; 64];
        let (length, from) = master.recv_from(&mut buffer).unwrap();
        assert_eq!((length, from), (5, socket.local()), "the target's own port");
        other.send_to(b"psst", socket.local()).unwrap();
        master.send_to(b"who", socket.local()).unwrap();
        if home.is_roomy() {
            assert_eq!(socket.hear(&mut buffer).unwrap(), Heard::Said(3, at));
            assert_eq!(socket.hear(&mut buffer).unwrap(), Heard::Silence);
            let refused = socket.answer(other.local_addr().unwrap(), b"no").unwrap_err();
            assert_eq!(refused.kind(), ErrorKind::PermissionDenied);
        }
        socket.answer(at, b"me").unwrap();
        assert_eq!(master.recv_from(&mut buffer).unwrap().0, 2);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_port_where_nobody_listens_is_told_of() {
        let at = UdpSocket::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let target = Target::new("nobody", at, Consent::default()).unwrap();
        let mut home = Home::near(target).unwrap();
        let host = home.host().unwrap();
        let socket = home.socket(host, 0).unwrap();
        socket.tell(1, b"hello").unwrap();
        assert_eq!(socket.hear(&mut [0; 8]).unwrap(), Heard::Refused);
    }
}
