//! Endpoints as keys of hash tables: hashed and compared as a number or two.

use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::net::{IpAddr, SocketAddr};

use foldhash::fast::RandomState;

/// An odd number whose multiples spread over all bits.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// A table by endpoint.
pub(super) type EndpointMap<T> = HashMap<EndpointKey, T, RandomState>;

/// An endpoint; of an IPv6 address without scope and flow label, which packets do not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum EndpointKey {
    /// The address in the upper bits, the port in the lower 16.
    V4(u64),
    V6(u16, [u64; 2]),
}

impl EndpointKey {
    /// A number that is seldom the same for different endpoints, its upper bits included.
    pub fn spread(self) -> u64 {
        let number = match self {
            Self::V4(end) => end,
            Self::V6(port, [upper, lower]) => {
                upper.wrapping_mul(SPREAD).rotate_left(32) ^ lower ^ u64::from(port)
            }
        };
        number.wrapping_mul(SPREAD)
    }
}

impl From<SocketAddr> for EndpointKey {
    fn from(end: SocketAddr) -> Self {
        match end.ip() {
            IpAddr::V4(ip) => Self::V4(u64::from(ip.to_bits()) << 16 | u64::from(end.port())),
            IpAddr::V6(ip) => {
                let bits = ip.to_bits();
                Self::V6(end.port(), [(bits >> 64) as u64, bits as u64])
            }
        }
    }
}

impl Hash for EndpointKey {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            Self::V4(end) => state.write_u64(*end),
            Self::V6(port, [upper, lower]) => {
                state.write_u64(*upper);
                state.write_u64(*lower);
                state.write_u16(*port);
            }
        }
    }
}

/// A few endpoints in one cache line or two: whether another may be one of them.
#[derive(Default)]
pub(super) struct EndpointFilter([u64; FILTER]);

/// How many words a filter has, a power of two.
const FILTER: usize = 32;

impl EndpointFilter {
    /// Adds an endpoint.
    pub fn add_endpoint(&mut self, end: EndpointKey) {
        let (word, bit) = Self::place(end);
        if let Some(word) = self.0.get_mut(word) {
            *word |= bit;
        }
    }

    /// Whether an endpoint was added; true for some that were not.
    pub fn may_have(&self, end: EndpointKey) -> bool {
        let (word, bit) = Self::place(end);
        self.0.get(word).is_some_and(|word| word & bit != 0)
    }

    /// Removes all.
    pub fn clear(&mut self) {
        self.0 = [0; FILTER];
    }

    fn place(end: EndpointKey) -> (usize, u64) {
        let spread = end.spread();
        ((spread >> 58) as usize % FILTER, 1 << (spread >> 52 & 63))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endpoints_differ_as_keys() {
        let ends = ["192.0.2.1:27960", "192.0.2.1:27961", "192.0.2.2:27960", "[2001:db8::1]:27960"];
        let ends: Vec<SocketAddr> = ends.iter().map(|end| end.parse().unwrap()).collect();
        let known: EndpointMap<usize> = ends.iter().map(|end| (*end).into()).zip(0..).collect();
        assert_eq!(known.len(), ends.len());
        for (at, end) in ends.iter().enumerate() {
            assert_eq!(known.get(&EndpointKey::from(*end)), Some(&at));
        }
    }

    #[test]
    fn a_filter_has_what_was_added() {
        let end = |n: u32| EndpointKey::from(SocketAddr::from((n.to_be_bytes(), 27_960)));
        let mut filter = EndpointFilter::default();
        assert!((0..1_000).all(|n| !filter.may_have(end(n))));
        (0..40).for_each(|n| filter.add_endpoint(end(n)));
        assert!((0..40).all(|n| filter.may_have(end(n))));
        let others = (1_000..2_000).filter(|n| filter.may_have(end(*n))).count();
        assert!(others < 100, "{others}");
        filter.clear();
        assert!((0..40).all(|n| !filter.may_have(end(n))));
    }
}
