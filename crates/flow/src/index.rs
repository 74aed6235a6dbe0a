//! A hash index of list positions by key.
//!
//! The keys are stored in the list alone: a table with the keys would be several times as large,
//! and for lookups that every packet needs, cache misses are the cost.

use std::hash::{BuildHasher as _, Hasher as _};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use foldhash::fast::RandomState;
use hashbrown::HashTable;

use super::Transport;

/// List positions by hash; the caller compares the keys.
#[derive(Default, Clone)]
pub(super) struct Index(HashTable<IndexSlot>);

/// A list position, and enough of its hash to move it when the table grows.
#[derive(Clone, Copy)]
struct IndexSlot {
    hash: u32,
    position: u32,
}

impl Index {
    /// The position with that hash for which `is_it` is true.
    pub fn find(&self, hash: u64, is_it: impl Fn(u32) -> bool) -> Option<u32> {
        let hash = short(hash);
        let slot = self.0.find(spread(hash), |slot| slot.hash == hash && is_it(slot.position));
        slot.map(|slot| slot.position)
    }

    /// Adds a position that `find` did not find.
    pub fn add_position(&mut self, hash: u64, position: u32) {
        let hash = short(hash);
        self.0.insert_unique(spread(hash), IndexSlot { hash, position }, |slot| spread(slot.hash));
    }
}

fn short(hash: u64) -> u32 {
    (hash >> 32) as u32
}

/// Spreads the bits: the table uses both ends of a hash.
fn spread(hash: u32) -> u64 {
    u64::from(hash).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// The key of an endpoint.
#[derive(Debug, Clone, Copy)]
pub(super) struct FlowEndKey {
    host: [u64; 2],
    /// With [`IPV6`] and [`TCP`].
    port: u32,
}

/// The bits above a port.
const IPV6: u32 = 1 << 16;
const TCP: u32 = 1 << 17;

impl FlowEndKey {
    #[inline]
    pub fn new(transport: Transport, end: SocketAddr) -> Self {
        let host = match end.ip() {
            IpAddr::V4(ip) => [0, ip.to_bits().into()],
            IpAddr::V6(ip) => [(ip.to_bits() >> 64) as u64, ip.to_bits() as u64],
        };
        let version = if end.is_ipv6() { IPV6 } else { 0 };
        let transport = if transport == Transport::Tcp { TCP } else { 0 };
        Self { host, port: u32::from(end.port()) | version | transport }
    }

    fn address(self) -> SocketAddr {
        let Self { host: [high, low], port } = self;
        let ip = if port & IPV6 == 0 {
            IpAddr::from(Ipv4Addr::from_bits(low as u32))
        } else {
            IpAddr::from(Ipv6Addr::from_bits(u128::from(high) << 64 | u128::from(low)))
        };
        SocketAddr::new(ip, port as u16)
    }
}

/// The key of a flow: its transport and its two endpoints, in a form that is fast to compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FlowKey {
    hosts: [[u64; 2]; 2],
    /// Ports; in the upper bits, what else distinguishes endpoints.
    ports: [u32; 2],
}

impl FlowKey {
    /// In the direction of its first packet.
    #[inline]
    pub fn new(transport: Transport, ends: [SocketAddr; 2]) -> Self {
        let [from, to] = ends.map(|end| FlowEndKey::new(transport, end));
        Self { hosts: [from.host, to.host], ports: [from.port, to.port] }
    }

    /// The transport, and the endpoints in the direction of its first packet.
    pub fn ends(&self) -> (Transport, [SocketAddr; 2]) {
        let Self { hosts: [from, to], ports: [from_port, to_port] } = *self;
        let transport = if from_port & TCP == 0 { Transport::Udp } else { Transport::Tcp };
        let end = |host, port| FlowEndKey { host, port }.address();
        (transport, [end(from, from_port), end(to, to_port)])
    }

    /// Reads a word of it for prefetching; the value has no meaning.
    pub fn touch(self) -> u64 {
        let [[host, _], _] = self.hosts;
        host
    }

    /// Whether a packet with these endpoints goes in the direction of the flow's first one; `None`
    /// if it is of another flow.
    #[inline]
    pub fn direction(&self, packet: &Self) -> Option<bool> {
        let ([a, b], [c, d]) = (packet.hosts, packet.ports);
        match self {
            _ if self == packet => Some(true),
            _ if (self.hosts, self.ports) == ([b, a], [d, c]) => Some(false),
            _ => None,
        }
    }
}

/// Hashes the endpoints of flows.
#[derive(Default, Clone)]
pub(super) struct EndpointHasher(RandomState);

impl EndpointHasher {
    /// Of one endpoint.
    #[inline]
    pub fn one(&self, FlowEndKey { host: [high, low], port }: FlowEndKey) -> u64 {
        let mut hasher = self.0.build_hasher();
        if port & IPV6 == 0 {
            hasher.write_u64(low | u64::from(port) << 32);
        } else {
            hasher.write_u64(u64::from(port));
            hasher.write_u64(high);
            hasher.write_u64(low);
        }
        hasher.finish()
    }

    /// Of both endpoints of a flow, the same in either direction.
    #[inline]
    pub fn both(&self, FlowKey { hosts: [a, b], ports: [c, d] }: FlowKey) -> u64 {
        let one = |host, port| self.one(FlowEndKey { host, port });
        one(a, c).wrapping_add(one(b, d))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_has_its_endpoints() {
        for ends in [
            ["192.0.2.1:27960", "255.255.255.255:65535"],
            ["0.0.0.0:0", "192.0.2.1:1"],
            ["[2001:db8::1]:27960", "[::ffff:192.0.2.1]:1"],
        ] {
            let ends = ends.map(|end| end.parse().unwrap());
            for transport in [Transport::Udp, Transport::Tcp] {
                assert_eq!(FlowKey::new(transport, ends).ends(), (transport, ends));
            }
        }
    }
}
