//! Local addresses for simulated hosts, and the sockets of their endpoints.

use std::io::{self, ErrorKind};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpStream, UdpSocket};
use std::sync::Arc;
use std::time::Duration;

use socket2::{Domain, SockAddr, Socket as Plain, Type};

use super::memory::MemoryNetwork;
use super::{ClientStream, Network, Socket, Target};

/// Lower ports are reserved by the system; an endpoint that had one gets another.
const FIRST_PORT: u16 = 1024;
/// The maximum number of hosts.
const HOSTS: u32 = 1 << 20;
/// The addresses of hosts near a target on 127.0.0.0/8, by the first and their number: 127.1.0.0 to
/// 127.254.255.255.
const OF_LOOPBACK: (u32, u32) = (0x7f01_0000, 254 << 16);
/// Those where every IPv4 address is this machine's: 198.18.0.0/15, which is for tests (RFC 2544).
const OF_TESTS: (u32, u32) = (0xc612_0000, 2 << 16);
/// How often another address is tried if one is in use.
const TRIES: u32 = 64;
/// With this many addresses, few hosts share one.
const MANY: usize = 64;

/// Gives addresses to hosts and sockets to their endpoints.
///
/// For a target on 127.0.0.0/8 every host has its own address 127.x.y.z, and the requested ports.
/// The same holds where every IPv4 address is this machine's, for any target, with 198.18.x.y.
/// For a target at an IPv6 address of the loopback interface, hosts get the other addresses of that
/// interface, in turn; further hosts share them. Otherwise all hosts share one address. Hosts that
/// share an address differ in their ports.
#[derive(Debug)]
pub struct AddressPool {
    network: Network,
    target: Arc<Target>,
    source: AddressSource,
    /// How many hosts have an address.
    hosts: u32,
}

/// Where the addresses of hosts come from.
#[derive(Debug)]
enum AddressSource {
    /// So many addresses from the first on, beginning with one of them.
    Range { range: (u32, u32), begin: u32 },
    /// These, in turn; at least one.
    Listed(Vec<IpAddr>),
}

impl AddressPool {
    /// Addresses from which `target` can be reached.
    ///
    /// # Errors
    /// If the system gives no such address or socket.
    pub fn near(target: Target) -> io::Result<Self> {
        let at = target.at(1);
        let own = at.is_ipv4() && target.is_loopback();
        let range = if at.ip().is_loopback() { OF_LOOPBACK } else { OF_TESTS };
        let (target, source) = (Arc::new(target), AddressSource::random(range)?);
        let mut pool = Self { network: Network::System, target, source, hosts: 0 };
        if !own || UdpSocket::bind((pool.address(), 0)).is_err() {
            let mut addresses = other_loopback(at.ip(), &loopback_addresses());
            if addresses.is_empty() {
                addresses.push(route_source(at)?);
            }
            pool.source = AddressSource::Listed(addresses);
        }
        Ok(pool)
    }

    /// The same in memory: every host of 127.0.0.0/8 has an address of its own, and all IPv6 hosts
    /// have that of the target, as on a machine without other addresses.
    pub fn in_memory(target: Target, network: &Arc<MemoryNetwork>) -> Self {
        let source = match target.at(1).ip() {
            IpAddr::V4(_) => AddressSource::Range { range: OF_LOOPBACK, begin: 0 },
            ip @ IpAddr::V6(_) => AddressSource::Listed(vec![ip]),
        };
        let network = Network::Memory(Arc::clone(network));
        Self { network, target: Arc::new(target), source, hosts: 0 }
    }

    /// How many different addresses hosts have; further hosts share them in turn.
    pub fn addresses(&self) -> usize {
        match &self.source {
            AddressSource::Range { range: (_, count), .. } => HOSTS.min(*count) as usize,
            AddressSource::Listed(addresses) => addresses.len(),
        }
    }

    /// Whether there are so many addresses that hosts rarely share one.
    pub fn has_many_addresses(&self) -> bool {
        self.addresses() >= MANY
    }

    /// The address of one more host.
    ///
    /// # Errors
    /// If the system gives no such address or socket.
    pub fn host(&mut self) -> io::Result<IpAddr> {
        for _ in 0..TRIES {
            if self.hosts >= HOSTS {
                let why = format!("more than {HOSTS} hosts do not fit on one machine");
                return Err(io::Error::new(ErrorKind::AddrNotAvailable, why));
            }
            let address = self.address();
            self.hosts += 1;
            let is_taken = matches!(self.source, AddressSource::Range { .. })
                && address == self.target.at(1).ip();
            if !is_taken {
                return Ok(address);
            }
        }
        Err(ErrorKind::AddrNotAvailable.into())
    }

    /// The address of the next host.
    fn address(&self) -> IpAddr {
        match &self.source {
            AddressSource::Range { range: (first, count), begin } => {
                let offset = begin.wrapping_add(self.hosts) % count;
                Ipv4Addr::from_bits(first + offset).into()
            }
            AddressSource::Listed(addresses) => {
                let mut turns =
                    addresses.iter().cycle().skip(self.hosts as usize % addresses.len().max(1));
                turns.next().copied().unwrap_or_else(|| self.target.at(1).ip())
            }
        }
    }

    /// A socket of the host with this address, on `port` if that is free, else on any.
    ///
    /// # Errors
    /// If the system gives no such address or socket.
    pub fn socket(&self, host: IpAddr, port: u16) -> io::Result<Socket> {
        if let Network::Memory(network) = &self.network {
            let port = if port < FIRST_PORT { 0 } else { port };
            let socket = network.bind(host, port).ok_or(ErrorKind::AddrInUse)?;
            return Ok(Socket::in_memory(socket, Arc::clone(&self.target)));
        }
        let bound = if port < FIRST_PORT { None } else { UdpSocket::bind((host, port)).ok() };
        let bound = bound.map_or_else(|| UdpSocket::bind((host, 0)), Ok)?;
        Socket::new(bound, Arc::clone(&self.target))
    }

    /// Connects the host with this address to a port of the target. The source port is any, because
    /// one that was in use a moment ago cannot be bound again.
    ///
    /// # Errors
    /// If the system gives no such address or socket.
    pub fn connect(&self, host: IpAddr, port: u16, patience: Duration) -> io::Result<TcpStream> {
        let to = self.target.at(port);
        let socket = Plain::new(Domain::for_address(to), Type::STREAM, None)?;
        socket.bind(&SockAddr::from(SocketAddr::new(host, 0)))?;
        socket.connect_timeout(&SockAddr::from(to), patience)?;
        Ok(socket.into())
    }

    /// The same over the network of the pool, which may be in memory.
    ///
    /// # Errors
    /// If the system gives no such address or socket.
    pub fn stream(&self, host: IpAddr, port: u16, patience: Duration) -> io::Result<ClientStream> {
        match &self.network {
            Network::System => ClientStream::new(self.connect(host, port, patience)?),
            Network::Memory(network) => {
                let stream = network.connect(host, self.target.at(port));
                stream.map(ClientStream::in_memory).ok_or(ErrorKind::ConnectionRefused.into())
            }
        }
    }
}

impl AddressSource {
    /// The addresses of a range, from a random one on.
    fn random(range: (u32, u32)) -> io::Result<Self> {
        let mut seed = [0; 4];
        random::fill(&mut seed)?;
        Ok(Self::Range { range, begin: u32::from_le_bytes(seed) })
    }
}

/// The loopback interface's addresses that hosts may have if the target has one of them: IPv6
/// addresses other than `::1`, which is for hosts without another.
fn other_loopback(target: IpAddr, loopback: &[IpAddr]) -> Vec<IpAddr> {
    if !target.is_ipv6() || !loopback.contains(&target) {
        return Vec::new();
    }
    let fits = |ip: &&IpAddr| ip.is_ipv6() && !ip.is_loopback() && **ip != target;
    loopback.iter().filter(fits).copied().collect()
}

/// The addresses of the loopback interface, without link-local ones, which need a scope.
#[cfg(target_os = "linux")]
fn loopback_addresses() -> Vec<IpAddr> {
    use nix::ifaddrs::getifaddrs;
    use nix::net::if_::InterfaceFlags;

    let found = getifaddrs().into_iter().flatten();
    let up = InterfaceFlags::IFF_LOOPBACK | InterfaceFlags::IFF_UP;
    let found = found.filter(|one| one.flags.contains(up)).filter_map(|one| one.address);
    let ip =
        found.filter_map(|address| match (address.as_sockaddr_in(), address.as_sockaddr_in6()) {
            (Some(four), _) => Some(IpAddr::V4(four.ip())),
            (_, Some(six)) => {
                Some(IpAddr::V6(six.ip())).filter(|_| !six.ip().is_unicast_link_local())
            }
            _ => None,
        });
    let mut all: Vec<_> = ip.collect();
    all.sort();
    all.dedup();
    all
}

/// Other systems: none known.
#[cfg(not(target_os = "linux"))]
fn loopback_addresses() -> Vec<IpAddr> {
    Vec::new()
}

/// Addresses of several networks, inside of them: no machine has all of these, unless it has every
/// address.
const ANYWHERE: [[u8; 4]; 5] =
    [[1, 2, 3, 4], [128, 9, 8, 7], [198, 18, 7, 6], [198, 19, 6, 5], [223, 250, 5, 4]];

/// Whether an IPv4 address is this machine's as every other is, as in a network namespace that routes
/// all of them to its loopback device: sockets get this one and [`ANYWHERE`], and the system gives
/// sockets no addresses of other machines.
pub(super) fn is_here_as_all(ip: Ipv4Addr) -> bool {
    let only_own = std::fs::read("/proc/sys/net/ipv4/ip_nonlocal_bind");
    let mut all = ANYWHERE.into_iter().map(Ipv4Addr::from).chain([ip]);
    only_own.is_ok_and(|setting| setting.trim_ascii() == b"0")
        && all.all(|ip| UdpSocket::bind((ip, 0)).is_ok())
}

/// The local address of the route to another.
fn route_source(to: SocketAddr) -> io::Result<IpAddr> {
    let any: IpAddr = if to.is_ipv4() { [0; 4].into() } else { [0u8; 16].into() };
    let probe = UdpSocket::bind((any, 0))?;
    // Nothing is sent: this only asks for the route.
    probe.connect(to)?;
    Ok(probe.local_addr()?.ip())
}

/// Raises the limit of open files for `sockets` sockets and some more; returns the limit.
#[cfg(unix)]
pub fn raise_fd_limit(sockets: usize) -> usize {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

    /// Other open files.
    const OTHERS: u64 = 64;
    let limit = getrlimit(Resource::Nofile);
    let (now, most) = (limit.current.unwrap_or(u64::MAX), limit.maximum);
    let wanted = (sockets as u64).saturating_add(OTHERS);
    if now < wanted {
        let current = Some(wanted.min(most.unwrap_or(u64::MAX)));
        // If it cannot be raised it stays, and the caller gets the current limit.
        _ = setrlimit(Resource::Nofile, Rlimit { current, maximum: most });
    }
    let now = getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX);
    usize::try_from(now.saturating_sub(OTHERS)).unwrap_or(usize::MAX)
}

/// Other systems: no limit is known.
#[cfg(not(unix))]
pub fn raise_fd_limit(_: usize) -> usize {
    usize::MAX
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Consent;

    fn pool(text: &str) -> AddressPool {
        AddressPool::near(Target::find(text, Consent::default()).unwrap()).unwrap()
    }

    #[test]
    fn hosts_have_addresses_and_ports_of_their_own() {
        let mut pool = pool("127.0.0.1:27950");
        let (one, other) = (pool.host().unwrap(), pool.host().unwrap());
        if pool.has_many_addresses() {
            assert_ne!(one, other);
            assert!(one.is_loopback() && other.is_loopback());
            let ends = [(one, 27960), (one, 27961), (other, 27960)];
            let sockets = ends.map(|(host, port)| (pool.socket(host, port).unwrap(), host, port));
            for (socket, host, port) in &sockets {
                assert_eq!(socket.local(), SocketAddr::new(*host, *port));
            }
        }
        let first = pool.socket(one, 28_000).unwrap();
        let second = pool.socket(one, 28_000).unwrap();
        assert_ne!(first.local(), second.local(), "a port that is taken is another one");
        assert!(pool.socket(one, 53).unwrap().local().port() >= FIRST_PORT);
    }

    #[test]
    fn on_ipv6_ports_tell_hosts_apart_that_share_an_address() {
        // Without IPv6 there is nothing to test.
        let target = Target::find("[::1]:27950", Consent::default()).unwrap();
        let Ok(mut pool) = AddressPool::near(target) else {
            return;
        };
        let first = pool.host().unwrap();
        let other = (0..pool.addresses()).map(|_| pool.host().unwrap()).last().unwrap();
        assert_eq!(first, other);
        let sockets = [first, other].map(|host| pool.socket(host, 0).unwrap().local());
        assert_ne!(sockets[0], sockets[1]);
    }

    #[test]
    fn hosts_have_the_other_addresses_of_the_loopback_interface() {
        let ip = |text: &str| text.parse::<IpAddr>().unwrap();
        let loopback = ["127.0.0.1", "::1", "fd00::2", "fd00::3"].map(ip);
        for (target, expected) in [
            ("::1", &["fd00::2", "fd00::3"][..]),
            ("fd00::2", &["fd00::3"]),
            // Another machine needs an address that it can reply to.
            ("fd00::9", &[]),
            ("127.0.0.1", &[]),
        ] {
            let expected: Vec<_> = expected.iter().map(|text| ip(text)).collect();
            assert_eq!(other_loopback(ip(target), &loopback), expected, "{target}");
        }
        let target = Target::find("[::1]:9", Consent::default()).unwrap();
        let source = AddressSource::Listed(other_loopback(ip("::1"), &loopback));
        let (network, target) = (Network::System, Arc::new(target));
        let mut pool = AddressPool { network, target, source, hosts: 0 };
        assert_eq!((pool.addresses(), pool.has_many_addresses()), (2, false));
        let hosts: Vec<_> = (0..3).map(|_| pool.host().unwrap()).collect();
        assert_eq!(hosts, ["fd00::2", "fd00::3", "fd00::2"].map(ip));
    }

    #[test]
    fn there_is_room_for_some_sockets() {
        assert!(raise_fd_limit(100) >= 100);
    }
}
