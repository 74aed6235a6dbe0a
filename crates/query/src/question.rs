//! Asks servers whether they answer: all at once, each one datagram.

use std::io;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use mio::{Events, Interest, Poll, Token};

use super::list_request::{DATAGRAMS, drain, received, send};
use simulate::{AddressPool, Consent, Pacer, Received, Socket, Target};

/// Lower ports are no game servers', and a question there may be a request to another service.
const FIRST_PORT: u16 = 1024;

/// A server that may be asked, with a socket that reaches nothing else.
#[derive(Debug)]
pub struct AskedServer {
    socket: Socket,
    at: SocketAddr,
    /// The maximum packets per second.
    limit: Option<u32>,
}

impl AskedServer {
    /// A server that is asked at this target's own port.
    ///
    /// # Errors
    /// If it cannot be reached from here.
    pub fn new(target: Target) -> io::Result<Self> {
        let (at, limit) = (target.at(0), target.limit());
        let mut pool = AddressPool::near(target)?;
        let host = pool.host()?;
        Ok(Self { socket: pool.socket(host, 0)?, at, limit })
    }

    /// Sends the question to each, once, and waits for answers; the time that each took, `None`
    /// without one. Any datagram from the asked address is an answer. One that cannot be sent to
    /// does not answer. The lowest rate limit holds for all of them together.
    ///
    /// # Errors
    /// If the system cannot wait.
    pub fn ask_all(
        servers: &mut [&mut Self],
        question: &[u8],
        timeout: Duration,
    ) -> io::Result<Vec<Option<Duration>>> {
        let mut poll = Poll::new()?;
        for (n, server) in servers.iter_mut().enumerate() {
            // An error that an earlier question left is no error of this one.
            _ = drain(&server.socket);
            poll.registry().register(&mut server.socket, Token(n), Interest::READABLE)?;
        }
        let pacer = servers.iter().filter_map(|server| server.limit).min().map(Pacer::new);
        let mut asked = Vec::with_capacity(servers.len());
        for server in servers.iter() {
            asked.push(send(&server.socket, server.at, question, pacer.as_ref()).ok());
        }
        let deadline = Instant::now() + timeout;
        let mut answers: Vec<Option<Duration>> = vec![None; servers.len()];
        let mut events = Events::with_capacity(servers.len().clamp(1, 1024));
        while answers.iter().zip(&asked).any(|(answer, asked)| answer.is_none() && asked.is_some())
        {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            match poll.poll(&mut events, Some(left)) {
                Err(why) if why.kind() == io::ErrorKind::Interrupted => continue,
                polled => polled?,
            }
            for event in &events {
                let Token(n) = event.token();
                let (Some(server), Some(answer), Some(Some(asked))) =
                    (servers.get(n), answers.get_mut(n), asked.get(n))
                else {
                    continue;
                };
                if server.has_answer() {
                    answer.get_or_insert_with(|| asked.elapsed());
                }
            }
        }
        for server in servers.iter_mut() {
            poll.registry().deregister(&mut server.socket)?;
        }
        Ok(answers)
    }

    /// Takes what is there; whether one is an answer.
    fn has_answer(&self) -> bool {
        let (mut buffer, mut is_there) = ([0; 1], false);
        for _ in 0..DATAGRAMS {
            match received(&self.socket, &mut buffer) {
                Ok(Received::Datagram(_, from)) => is_there |= from == self.at,
                Ok(Received::Refused) | Err(_) => {}
                Ok(Received::Nothing) => break,
            }
        }
        is_there
    }
}

/// The target that an entry of a master's list is, if it may be asked: what the user permits for
/// the master holds for it, it is as near as the master, and its port is one of game servers. It is
/// asked so far above that port.
///
/// A master anywhere could name addresses of the private network in which this program runs; from
/// such a list, none is asked.
pub fn entry_target(
    entry: SocketAddr,
    master: &Target,
    consent: Consent,
    above: u16,
) -> Option<Target> {
    let port = entry.port().checked_add(above)?;
    let target = Target::new(&entry.to_string(), entry, consent).ok()?;
    let is_permitted = target.is_local() == master.is_local()
        && target.is_loopback() == master.is_loopback()
        && entry.port() >= FIRST_PORT;
    is_permitted.then(|| target.with_port(port))
}

/// Whether an error says that a server cannot be reached from here: there is no route, or its address
/// is a broadcast address. Others, such as too many open files, are of this machine.
pub fn is_unreachable(why: &io::Error) -> bool {
    matches!(
        why.kind(),
        io::ErrorKind::HostUnreachable
            | io::ErrorKind::NetworkUnreachable
            | io::ErrorKind::NetworkDown
            | io::ErrorKind::PermissionDenied
            | io::ErrorKind::AddrNotAvailable
            | io::ErrorKind::InvalidInput
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_entries_as_near_as_their_master_are_asked() {
        let consent = Consent { authorized: true, rate: None };
        let all = ["127.0.0.1:27960", "10.0.0.1:27960", "192.0.2.1:27960", "192.0.2.1:53"];
        for (master, asked) in [
            ("127.0.0.1:27950", &["127.0.0.1:27960"][..]),
            ("10.0.0.2:27950", &["10.0.0.1:27960"]),
            ("192.0.2.2:27950", &["192.0.2.1:27960"]),
        ] {
            let master = Target::find(master, consent).unwrap();
            let permitted = all.into_iter().filter(|entry| {
                entry_target(entry.parse().unwrap(), &master, consent, 0).is_some()
            });
            assert_eq!(permitted.collect::<Vec<_>>(), asked, "{master}");
        }
        let near = Target::find("127.0.0.1:1", Consent::default()).unwrap();
        let broadcast = "255.255.255.255:27960".parse().unwrap();
        assert!(entry_target(broadcast, &near, consent, 0).is_none());
        let far = Target::find("192.0.2.2:27950", consent).unwrap();
        let entry = "192.0.2.1:27960".parse().unwrap();
        assert!(entry_target(entry, &far, Consent::default(), 0).is_none(), "without consent");
        let asked = |port| {
            let entry = SocketAddr::new(entry.ip(), port);
            entry_target(entry, &far, consent, 1).map(|target| target.at(0).port())
        };
        assert_eq!((asked(7777), asked(u16::MAX)), (Some(7778), None));
    }

    #[test]
    fn silent_servers_are_recognised() {
        let [near, silent] =
            [0, 0].map(|port| std::net::UdpSocket::bind(("127.0.0.1", port)).unwrap());
        let mut asked = [&near, &silent].map(|server| {
            let at = server.local_addr().unwrap();
            AskedServer::new(Target::new("s", at, Consent::default()).unwrap()).unwrap()
        });
        let answering = std::thread::spawn(move || {
            let mut buffer = [0; 16];
            let (length, from) = near.recv_from(&mut buffer).unwrap();
            near.send_to(&buffer[..length], from).unwrap();
        });
        let mut all: Vec<_> = asked.iter_mut().collect();
        let answers = AskedServer::ask_all(&mut all, b"hello", Duration::from_millis(300)).unwrap();
        answering.join().unwrap();
        assert!(answers[0].is_some() && answers[1].is_none(), "{answers:?}");
    }
}
