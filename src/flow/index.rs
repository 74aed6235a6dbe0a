//! A hash index of list positions by key.
//!
//! The keys are stored in the list alone: a table with the keys would be several times as large,
//! and for lookups that every packet needs, cache misses are the cost.

use std::hash::{BuildHasher as _, Hasher as _};
use std::net::{IpAddr, SocketAddr};

use foldhash::fast::RandomState;
use hashbrown::HashTable;

use super::Transport;

/// List positions by hash; the caller compares the keys.
#[derive(Default)]
pub(super) struct Index(HashTable<IndexSlot>);

/// A list position, and enough of its hash to move it when the table grows.
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
    pub fn add(&mut self, hash: u64, position: u32) {
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

/// The key of a flow: its transport and its two endpoints, in a form that is fast to compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FlowKey {
    hosts: [[u64; 2]; 2],
    /// Ports; in the upper bits, what else distinguishes endpoints.
    ports: [u32; 2],
}

impl FlowKey {
    /// In the direction of its first packet.
    pub fn new(transport: Transport, ends: [SocketAddr; 2]) -> Self {
        let host = |end: SocketAddr| match end.ip() {
            IpAddr::V4(ip) => [0, ip.to_bits().into()],
            IpAddr::V6(ip) => [(ip.to_bits() >> 64) as u64, ip.to_bits() as u64],
        };
        let tcp = u32::from(transport == Transport::Tcp) << 17;
        let port = |end: SocketAddr| u32::from(end.port()) | u32::from(end.is_ipv6()) << 16 | tcp;
        Self { hosts: ends.map(host), ports: ends.map(port) }
    }

    /// Reads a word of it for prefetching; the value has no meaning.
    pub fn touch(self) -> u64 {
        let [[host, _], _] = self.hosts;
        host
    }

    /// The same in the other direction.
    pub fn turned(self) -> Self {
        let ([a, b], [c, d]) = (self.hosts, self.ports);
        Self { hosts: [b, a], ports: [d, c] }
    }
}

/// Hashes the endpoints of flows.
#[derive(Default)]
pub(super) struct EndpointHasher(RandomState);

impl EndpointHasher {
    /// Of one endpoint.
    pub fn one(&self, transport: Transport, address: SocketAddr) -> u64 {
        let mut hasher = self.0.build_hasher();
        let port = u64::from(address.port()) << 1 | u64::from(transport == Transport::Tcp);
        match address.ip() {
            IpAddr::V4(ip) => hasher.write_u64(u64::from(ip.to_bits()) << 17 | port),
            IpAddr::V6(ip) => {
                hasher.write_u64(port);
                hasher.write_u128(ip.to_bits());
            }
        }
        hasher.finish()
    }

    /// Of two endpoints, the same in either order.
    pub fn both(&self, transport: Transport, [a, b]: [SocketAddr; 2]) -> u64 {
        self.one(transport, a).wrapping_add(self.one(transport, b))
    }
}
