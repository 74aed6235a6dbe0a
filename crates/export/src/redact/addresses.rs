//! Pseudonyms of addresses: two with a common prefix keep one, a private one stays private, and
//! each has the same length as text.
//!
//! An address is processed from the left, octet by octet or hex digit by hex digit. Each is
//! replaced by another of as many digits, depending on the key and everything left of it; the parts
//! that distinguish private from public are kept. So no two addresses share a pseudonym, and none
//! is its own.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::ops::RangeInclusive;

use super::pseudonym::{Secret, is_common};

/// How many pseudonyms are cached; others are computed again.
const REMEMBERED: usize = 1 << 16;
/// How many permutations are cached, of at most 156 bytes each.
const PERMUTATIONS: usize = 1 << 12;
/// The digits of an IPv6 address.
const DIGITS: usize = 32;

pub(super) struct Addresses {
    secret: Secret,
    known: HashMap<IpAddr, IpAddr>,
    /// Addresses with a common beginning share them.
    permutations: HashMap<Beginning, Box<[u8]>>,
}

/// What determines the permutation of an octet or a digit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Beginning {
    /// `ipv4` or `ipv6`.
    kind: &'static str,
    /// The octets or digits before it, behind them zeros, and how many there are.
    before: [u8; DIGITS],
    length: usize,
    /// The number of values among which one is chosen.
    count: usize,
}

impl Addresses {
    pub fn new(secret: Secret) -> Self {
        Self { secret, known: HashMap::new(), permutations: HashMap::new() }
    }

    /// The place that a value has after the permutation, by its place among so many; `before` are the
    /// octets or digits before it.
    fn permuted(
        &mut self,
        kind: &'static str,
        before: &[u8],
        count: usize,
        place: usize,
    ) -> Option<u8> {
        let mut beginning = Beginning { kind, before: [0; DIGITS], length: before.len(), count };
        beginning.before.get_mut(..before.len())?.copy_from_slice(before);
        if !self.permutations.contains_key(&beginning) {
            if self.permutations.len() == PERMUTATIONS {
                self.permutations.clear();
            }
            let places = self.secret.stream(kind, before).permutation(count);
            let places = places.into_iter().map(|place| place as u8).collect();
            self.permutations.insert(beginning, places);
        }
        self.permutations.get(&beginning)?.get(place).copied()
    }

    /// The pseudonym of an address. Addresses that identify nobody are kept.
    pub fn ip(&mut self, ip: IpAddr) -> IpAddr {
        if let Some(known) = self.known.get(&ip) {
            return *known;
        }
        let pseudonym = match ip {
            ip if is_common(ip) => ip,
            IpAddr::V4(ip) => IpAddr::V4(self.four(ip)),
            IpAddr::V6(ip) => IpAddr::V6(self.six(ip)),
        };
        if self.known.len() == REMEMBERED {
            self.known.clear();
        }
        self.known.insert(ip, pseudonym);
        pseudonym
    }

    fn four(&mut self, ip: Ipv4Addr) -> Ipv4Addr {
        let octets = ip.octets();
        let mut new = octets;
        for (at, octet) in new.iter_mut().enumerate() {
            let before = octets.get(..at).unwrap_or_default();
            if let Some(among) = among(before, *octet) {
                *octet = self.other(before, *octet, &among);
            }
        }
        new.into()
    }

    /// Another octet among those of the same length and kind.
    fn other(&mut self, before: &[u8], octet: u8, among: &[RangeInclusive<u8>]) -> u8 {
        let all: Vec<u8> = among.iter().cloned().flatten().collect();
        let place = all.iter().position(|o| *o == octet);
        let other = place.and_then(|place| self.permuted("ipv4", before, all.len(), place));
        other.and_then(|other| all.get(usize::from(other))).copied().unwrap_or(octet)
    }

    fn six(&mut self, ip: Ipv6Addr) -> Ipv6Addr {
        let groups = ip.segments();
        let kept = match groups {
            // IPv4 addresses in IPv6, and how NAT64 writes them.
            [0, 0, 0, 0, 0, 0xffff, a, b] | [0x64, 0xff9b, 0, 0, 0, 0, a, b] => {
                let ip = Ipv4Addr::from_bits(u32::from(a) << 16 | u32::from(b));
                let ip = if is_common(ip.into()) { ip } else { self.four(ip) };
                let [a, b, c, d] = ip.octets();
                let mut new = groups;
                new[6] = u16::from_be_bytes([a, b]);
                new[7] = u16::from_be_bytes([c, d]);
                return new.into();
            }
            // A solicited-node group ends in three octets of a machine's own address; other groups
            // identify nobody.
            [0xff02, 0, 0, 0, 0, 1, 0xff00..=0xffff, _] => 26,
            [0xff00..=0xffff, ..] => return ip,
            // Link-local.
            [0xfe80..=0xfebf, ..] => 4,
            // Unique local.
            [0xfc00..=0xfdff, ..] => 2,
            // Assigned addresses begin with 2 or 3.
            _ => 1,
        };
        let digits: Vec<u8> = ip.octets().iter().flat_map(|b| [b >> 4, b & 15]).collect();
        let mut new = digits.clone();
        for (at, digit) in new.iter_mut().enumerate().skip(kept) {
            let before = digits.get(..at).unwrap_or_default();
            // A leading zero of its group, which is not written.
            let leads = before.iter().skip(at / 4 * 4).all(|d| *d == 0);
            if leads && *digit == 0 {
                continue;
            }
            let lowest = u8::from(leads);
            let (count, place) = (usize::from(16 - lowest), usize::from(*digit - lowest));
            let other = self.permuted("ipv6", before, count, place);
            *digit = other.map_or(*digit, |other| other + lowest);
        }
        let mut octets = [0; 16];
        for (octet, pair) in octets.iter_mut().zip(new.chunks_exact(2)) {
            *octet = pair.iter().fold(0, |octet, digit| octet << 4 | digit);
        }
        octets.into()
    }
}

/// The octets among which one is replaced, with those before it; `None` for one that is kept,
/// because it determines the kind of address.
fn among(before: &[u8], octet: u8) -> Option<Vec<RangeInclusive<u8>>> {
    let all = match octet {
        0..10 => 0..=9,
        10..100 => 10..=99,
        100.. => 100..=255,
    };
    Some(match (before, octet) {
        // Private, shared (RFC 6598), link-local; and those with private networks among others.
        ([], 10 | 100 | 169 | 172 | 192) | ([192], 168) | ([169], 254) => return None,
        ([], 0..10) => vec![1..=9],
        ([], 10..100) => vec![11..=99],
        ([], 100..) => vec![101..=126, 128..=168, 170..=171, 173..=191, 193..=223],
        ([192], 100..) => vec![100..=167, 169..=255],
        ([169], 100..) => vec![100..=253, 255..=255],
        ([172], 16..32) => vec![16..=31],
        ([172], 10..100) => vec![10..=15, 32..=99],
        ([100], 64..100) => vec![64..=99],
        ([100], 100..128) => vec![100..=127],
        ([100], 10..64) => vec![10..=63],
        ([100], 128..) => vec![128..=255],
        _ => vec![all],
    })
}
