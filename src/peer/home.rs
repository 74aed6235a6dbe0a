//! Where those live who are played: an address of this machine for each host, and their sockets.

use std::io::{self, ErrorKind};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpStream, UdpSocket};
use std::sync::Arc;
use std::time::Duration;

use socket2::{Domain, SockAddr, Socket as Plain, Type};

use super::{Socket, Target};

/// Ports below belong to the system; whoever had one gets another.
const FIRST_PORT: u16 = 1024;
/// How many hosts there can be: addresses of 127.0.0.0/8 from a random one on.
const HOSTS: u32 = 1 << 20;
/// How often another address is tried where somebody has the one that was meant.
const TRIES: u32 = 64;

/// Gives addresses to hosts and sockets to their ends.
///
/// Of a target on IPv4 loopback every host has an address 127.x.y.z of its own, and its ports are
/// those that are asked for. Else, and where a system has but one loopback address, all hosts
/// share one address, and their ports tell them apart.
#[derive(Debug)]
pub struct Home {
    target: Arc<Target>,
    /// The address of them all; none: each has its own.
    shared: Option<IpAddr>,
    /// The first address, and how many were given since.
    first: u32,
    given: u32,
}

impl Home {
    /// A home from which `target` can be reached.
    pub fn near(target: Target) -> io::Result<Self> {
        let mut seed = [0; 4];
        getrandom::fill(&mut seed).map_err(io::Error::other)?;
        let first = u32::from_le_bytes(seed);
        let mut home = Self { target: Arc::new(target), shared: None, first, given: 0 };
        let at = home.target.at(1);
        let own = at.is_ipv4() && at.ip().is_loopback();
        if !own || UdpSocket::bind((home.address(), 0)).is_err() {
            home.shared = Some(way_out(at)?);
        }
        Ok(home)
    }

    pub fn target(&self) -> &Target {
        &self.target
    }

    /// Whether every host has an address of its own.
    pub fn is_roomy(&self) -> bool {
        self.shared.is_none()
    }

    /// The address of one more host.
    pub fn host(&mut self) -> io::Result<IpAddr> {
        if let Some(shared) = self.shared {
            return Ok(shared);
        }
        for _ in 0..TRIES {
            if self.given >= HOSTS {
                let why = format!("more than {HOSTS} hosts have no room on one machine");
                return Err(io::Error::new(ErrorKind::AddrNotAvailable, why));
            }
            self.given += 1;
            let address = self.address();
            if Some(address) != Some(self.target.at(1).ip()) {
                return Ok(address);
            }
        }
        Err(ErrorKind::AddrNotAvailable.into())
    }

    /// 127.1.0.0 to 127.254.255.255, in an order that begins anywhere.
    fn address(&self) -> IpAddr {
        let place = self.first.wrapping_add(self.given) % (254 << 16);
        Ipv4Addr::from_bits(0x7f01_0000 + place).into()
    }

    /// A socket of the host with this address, on `port` where that is free, else on any.
    pub fn socket(&self, host: IpAddr, port: u16) -> io::Result<Socket> {
        let bound = if port < FIRST_PORT { None } else { UdpSocket::bind((host, port)).ok() };
        let bound = bound.map_or_else(|| UdpSocket::bind((host, 0)), Ok)?;
        Socket::of(bound, Arc::clone(&self.target))
    }

    /// Connects the host with this address to a port of the target. The caller's port is any, for
    /// one that was in use a moment ago cannot be had again.
    pub fn connect(&self, host: IpAddr, port: u16, patience: Duration) -> io::Result<TcpStream> {
        let to = self.target.at(port);
        let socket = Plain::new(Domain::for_address(to), Type::STREAM, None)?;
        socket.bind(&SockAddr::from(SocketAddr::new(host, 0)))?;
        socket.connect_timeout(&SockAddr::from(to), patience)?;
        Ok(socket.into())
    }
}

/// The address of this machine from which another is reached.
fn way_out(to: SocketAddr) -> io::Result<IpAddr> {
    let any: IpAddr = if to.is_ipv4() { [0; 4].into() } else { [0u8; 16].into() };
    let probe = UdpSocket::bind((any, 0))?;
    // Nothing is sent: this only asks which way a packet would go.
    probe.connect(to)?;
    Ok(probe.local_addr()?.ip())
}

/// Asks the system for as many open files as `sockets` need, and some more; how many there can be.
#[cfg(unix)]
pub fn make_room(sockets: usize) -> usize {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

    /// Files that are open beside sockets.
    const OTHERS: u64 = 64;
    let limit = getrlimit(Resource::Nofile);
    let (now, most) = (limit.current.unwrap_or(u64::MAX), limit.maximum);
    let wanted = (sockets as u64).saturating_add(OTHERS);
    if now < wanted {
        let current = Some(wanted.min(most.unwrap_or(u64::MAX)));
        // Where it cannot be raised it stays, and the caller hears how many there are.
        _ = setrlimit(Resource::Nofile, Rlimit { current, maximum: most });
    }
    let now = getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX);
    usize::try_from(now.saturating_sub(OTHERS)).unwrap_or(usize::MAX)
}

/// Elsewhere nothing is known of a limit.
#[cfg(not(unix))]
pub fn make_room(_: usize) -> usize {
    usize::MAX
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::peer::Consent;

    fn home(text: &str) -> Home {
        Home::near(Target::find(text, Consent::default()).unwrap()).unwrap()
    }

    #[test]
    fn hosts_have_addresses_and_ports_of_their_own() {
        let mut home = home("127.0.0.1:27950");
        let (one, other) = (home.host().unwrap(), home.host().unwrap());
        if home.is_roomy() {
            assert_ne!(one, other);
            assert!(one.is_loopback() && other.is_loopback());
            let ends = [(one, 27960), (one, 27961), (other, 27960)];
            let sockets = ends.map(|(host, port)| (home.socket(host, port).unwrap(), host, port));
            for (socket, host, port) in &sockets {
                assert_eq!(socket.local(), SocketAddr::new(*host, *port));
            }
        }
        let first = home.socket(one, 28_000).unwrap();
        let second = home.socket(one, 28_000).unwrap();
        assert_ne!(first.local(), second.local(), "a port that is taken is another one");
        assert!(home.socket(one, 53).unwrap().local().port() >= FIRST_PORT);
    }

    #[test]
    fn on_ipv6_ports_tell_hosts_apart() {
        // Where the machine has no IPv6 there is nothing to be seen.
        let Ok(mut home) = Home::near(Target::find("[::1]:27950", Consent::default()).unwrap())
        else {
            return;
        };
        assert!(!home.is_roomy());
        let (one, other) = (home.host().unwrap(), home.host().unwrap());
        assert_eq!(one, other);
        let sockets = [one, other].map(|host| home.socket(host, 0).unwrap().local());
        assert_ne!(sockets[0], sockets[1]);
    }

    #[test]
    fn there_is_room_for_some_sockets() {
        assert!(make_room(100) >= 100);
    }
}
