//! A socket for each recorded endpoint, and the mapping of addresses between recording and run.

use std::collections::{BTreeSet, HashMap};
use std::io;
use std::net::{IpAddr, SocketAddr, TcpStream};
use std::time::Duration;

use super::ReplayError;
use super::address_names::{AddressNames, Crossing, Mapping};
use codec::{Leaf, New};
use simulate::{AddressPool, Socket, Target, TargetPair, raise_fd_limit};

/// Open files of a replay besides its sockets.
const OTHERS: usize = 64;

/// The simulated hosts and their local addresses.
pub struct ReplaySockets {
    target: TargetPair,
    /// For the first address of the target, and for that of the other family.
    pools: Vec<AddressPool>,
    sockets: Vec<Socket>,
    /// The recorded endpoint of each socket.
    ends: Vec<SocketAddr>,
    positions: HashMap<SocketAddr, usize>,
    hosts: HashMap<IpAddr, IpAddr>,
    to_run: AddressNames,
    to_recording: AddressNames,
}

impl ReplaySockets {
    /// Opens a socket for each of the recorded `ends`, and assigns an address to hosts that only
    /// connect: of their own family, if the target has one of that.
    ///
    /// # Errors
    ///
    /// If there are too many endpoints, or an address or a socket cannot be used.
    pub fn open(
        target: &TargetPair,
        ends: &BTreeSet<SocketAddr>,
        connecting: &BTreeSet<IpAddr>,
        mappings: &[Mapping],
    ) -> Result<Self, ReplayError> {
        // A target of many ports cannot be connected to.
        let each = if target.iter().any(|target| target.port().is_some()) { 2 } else { 1 };
        let needed = each * ends.len();
        let limit = raise_fd_limit(needed + OTHERS);
        if limit < ends.len() {
            return Err(ReplayError::TooManyEndpoints { needed: ends.len(), limit });
        }
        let pools = target.iter().map(|target| {
            let cannot = |why| ReplayError::Unreachable { target: target.to_string(), why };
            AddressPool::near(target.clone()).map_err(cannot)
        });
        let mut sockets = Self {
            target: target.clone(),
            pools: pools.collect::<Result<_, _>>()?,
            sockets: Vec::with_capacity(ends.len()),
            ends: ends.iter().copied().collect(),
            positions: ends.iter().copied().zip(0..).collect(),
            hosts: HashMap::new(),
            to_run: AddressNames::default(),
            to_recording: AddressNames::default(),
        };
        for ip in ends.iter().map(SocketAddr::ip).chain(connecting.iter().copied()) {
            sockets.assign(ip)?;
        }
        for end in ends {
            let cannot = |why| ReplayError::Socket { end: *end, why };
            let mut socket = sockets.socket(*end).map_err(cannot)?;
            if limit >= needed + OTHERS {
                socket.connect();
            }
            sockets.to_run.ends.insert(*end, socket.local());
            sockets.to_recording.ends.insert(socket.local(), *end);
            sockets.sockets.push(socket);
        }
        // An address that several hosts share does not identify one.
        let mut sharing: HashMap<IpAddr, u32> = HashMap::new();
        for live in sockets.hosts.values() {
            *sharing.entry(*live).or_insert(0) += 1;
        }
        for (old, new) in &sockets.hosts {
            sockets.to_run.hosts.insert(*old, *new);
            if sharing.get(new) == Some(&1) {
                sockets.to_recording.hosts.insert(*new, *old);
            }
        }
        for Mapping { old, new } in mappings {
            sockets.to_run.add_name(*old, *new);
            sockets.to_recording.add_name(*new, *old);
        }
        Ok(sockets)
    }

    /// Assigns an address to a recorded host that has none yet.
    fn assign(&mut self, ip: IpAddr) -> Result<(), ReplayError> {
        if self.hosts.contains_key(&ip) {
            return Ok(());
        }
        let at = self.pool_of(ip);
        let cannot = |why| ReplayError::Socket { end: SocketAddr::new(ip, 0), why };
        let pool = self.pools.get_mut(at).ok_or(cannot(io::ErrorKind::AddrNotAvailable.into()))?;
        let live = pool.host().map_err(cannot)?;
        self.hosts.insert(ip, live);
        Ok(())
    }

    fn socket(&self, end: SocketAddr) -> io::Result<Socket> {
        let host = self.host(end.ip()).ok_or(io::ErrorKind::AddrNotAvailable)?;
        self.pool(end.ip())?.socket(host, end.port())
    }

    /// Connects the recorded host with this address to a port of the target.
    pub(super) fn connect(
        &self,
        ip: IpAddr,
        port: u16,
        timeout: Duration,
    ) -> io::Result<TcpStream> {
        let host = self.host(ip).ok_or(io::ErrorKind::AddrNotAvailable)?;
        self.pool(ip)?.connect(host, port, timeout)
    }

    fn pool(&self, ip: IpAddr) -> io::Result<&AddressPool> {
        self.pools.get(self.pool_of(ip)).ok_or(io::ErrorKind::AddrNotAvailable.into())
    }

    /// The index of the pool for a recorded host: that of its family, else the only one.
    fn pool_of(&self, ip: IpAddr) -> usize {
        let fits = |target: &Target| target.is_ipv6() == ip.is_ipv6();
        self.target.iter().position(fits).unwrap_or(0)
    }

    /// Where it sends to.
    pub fn target(&self) -> &TargetPair {
        &self.target
    }

    /// The address of the target that a recorded host sends to.
    pub fn target_of(&self, ip: IpAddr) -> &Target {
        self.target.of_family(ip.is_ipv6()).unwrap_or(self.target.first())
    }

    /// How many recorded hosts have an address of the other family, because the target has none of
    /// theirs.
    pub fn crossed(&self) -> usize {
        self.hosts.iter().filter(|(recorded, live)| recorded.is_ipv6() != live.is_ipv6()).count()
    }

    /// How many recorded hosts share their address with another one.
    pub fn sharing(&self) -> usize {
        self.hosts.values().filter(|live| !self.to_recording.hosts.contains_key(live)).count()
    }

    /// The sockets, in the order of the recorded endpoints.
    pub(super) fn take_sockets(&mut self) -> Vec<Socket> {
        std::mem::take(&mut self.sockets)
    }

    /// The recorded endpoint of a socket.
    pub fn end(&self, socket: usize) -> Option<SocketAddr> {
        self.ends.get(socket).copied()
    }

    pub(super) fn ends(&self) -> &[SocketAddr] {
        &self.ends
    }

    /// The socket of a recorded endpoint.
    pub fn socket_of(&self, end: SocketAddr) -> Option<usize> {
        self.positions.get(&end).copied()
    }

    /// The local address of a recorded host.
    pub fn host(&self, ip: IpAddr) -> Option<IpAddr> {
        self.hosts.get(&ip).copied()
    }

    /// The local endpoint of a recorded one.
    pub fn live(&self, end: SocketAddr) -> Option<SocketAddr> {
        self.to_run.ends.get(&end).copied()
    }

    /// Whether a recorded endpoint has an address of the other family.
    pub fn is_crossed(&self, end: SocketAddr) -> bool {
        self.live(end).is_some_and(|live| live.is_ipv6() != end.is_ipv6())
    }

    /// The recorded counterpart of an endpoint in a list of the run. Most lists have recorded
    /// addresses already; an address of the other family does not fit into a record, and is mapped
    /// here.
    pub fn recorded(&self, listed: SocketAddr) -> SocketAddr {
        let recorded = self.to_recording.ends.get(&listed).copied();
        recorded.filter(|end| end.is_ipv6() != listed.is_ipv6()).unwrap_or(listed)
    }

    /// Rewrites a message from or to the recorded `end` with the addresses of the run.
    pub fn to_run(
        &self,
        entry: &protocol::Entry,
        bytes: &[u8],
        end: SocketAddr,
        out: &mut Vec<u8>,
    ) {
        self.to_run.write(entry, bytes, end.ip(), out);
    }

    /// Rewrites a message of the run, from or to the endpoint recorded as `end`, with the addresses
    /// of the recording.
    pub fn to_recording(
        &self,
        entry: &protocol::Entry,
        bytes: &[u8],
        end: SocketAddr,
        out: &mut Vec<u8>,
    ) {
        let live = self.host(end.ip()).unwrap_or(end.ip());
        self.to_recording.write(entry, bytes, live, out);
    }

    /// The replacement of a leaf with an address or a port, sent by `end`.
    pub(super) fn change(&self, leaf: &Leaf<'_>, end: SocketAddr) -> Option<New> {
        self.to_run.change(leaf, end.ip(), Crossing::Stays)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::Entry;
    use simulate::Consent;

    fn entry(name: &str) -> &'static Entry {
        let known = protocols::registry().entries().iter().find(|e| format!("{e:?}") == name);
        known.unwrap_or_else(|| panic!("{name}"))
    }

    #[test]
    fn addresses_in_messages_are_mapped_in_both_directions() {
        let target = Target::find("127.0.0.1:9", Consent::default()).unwrap();
        let ends = ["192.0.2.10:27960", "198.51.100.20:40001"].map(|end| end.parse().unwrap());
        let mapping = Mapping {
            old: ("203.0.113.9".parse().unwrap(), None),
            new: ("127.200.0.1".parse().unwrap(), None),
        };
        let sockets = ReplaySockets::open(
            &target.into(),
            &BTreeSet::from(ends),
            &BTreeSet::new(),
            &[mapping],
        )
        .unwrap();
        let list = b"\xff\xff\xff\xffgetserversResponse\\\xc0\0\x02\x0a\x6d\x38\
            \\\xcb\0\x71\x09\x6d\x38\\\x01\x02\x03\x04\x6d\x38\\EOT\0\0\0";
        let list_entry = entry("quake3.getservers-response");
        let request = b"\xff\xff\xff\xffgetIpAuthorize 1 198.51.100.20 baseq3 0 1";
        for (entry, bytes) in [(list_entry, &list[..]), (entry("quake3.get-ip-authorize"), request)]
        {
            let (mut to_run, mut to_recording) = (Vec::new(), Vec::new());
            sockets.to_run(entry, bytes, ends[1], &mut to_run);
            assert_ne!(to_run, bytes, "{entry:?}");
            sockets.to_recording(entry, &to_run, ends[1], &mut to_recording);
            if sockets.sharing() == 0 {
                assert_eq!(to_recording, bytes, "{entry:?}");
            }
        }
        let live = sockets.live(ends[0]).unwrap();
        assert!(sockets.hosts.values().any(|ours| *ours == live.ip()));
        assert_eq!(sockets.end(sockets.socket_of(ends[0]).unwrap()), Some(ends[0]));
    }

    #[test]
    fn an_address_of_the_other_family_is_named_where_lists_are_compared() {
        let target = Target::find("127.0.0.1:9", Consent::default()).unwrap();
        let ends: [SocketAddr; 2] =
            ["192.0.2.10:27960", "[2001:db8::10]:27961"].map(|end| end.parse().unwrap());
        let (ends_of, nobody) = (BTreeSet::from(ends), BTreeSet::new());
        let sockets = ReplaySockets::open(&target.into(), &ends_of, &nobody, &[]).unwrap();
        assert_eq!((sockets.crossed(), sockets.is_crossed(ends[0])), (1, false));
        assert!(sockets.is_crossed(ends[1]));
        let live = ends.map(|end| sockets.live(end).unwrap());
        assert!(live.iter().all(SocketAddr::is_ipv4));
        assert_eq!(live.map(|end| sockets.recorded(end)), [live[0], ends[1]]);
        // The other records have recorded addresses all the same.
        let list = |ends: [SocketAddr; 2]| {
            let mut list = b"\xff\xff\xff\xffgetserversResponse".to_vec();
            for end in ends {
                let IpAddr::V4(ip) = end.ip() else { panic!("{end}") };
                list.extend([b"\\", &ip.octets()[..], &end.port().to_be_bytes()].concat());
            }
            [&list[..], b"\\EOT\0\0\0"].concat()
        };
        let mut to_recording = Vec::new();
        sockets.to_recording(
            entry("quake3.getservers-response"),
            &list(live),
            ends[0],
            &mut to_recording,
        );
        assert_eq!(to_recording, list([ends[0], live[1]]), "{}", to_recording.escape_ascii());
    }
}
