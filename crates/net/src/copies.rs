//! Packets that were captured more than once: a capture on all devices has each forwarded packet
//! when it is received and when it is sent, and so has one on a mirror port.
//!
//! A host numbers the IPv4 packets that it sends, so two of the same number and content are one
//! packet (RFC 6864 allows any number if fragmentation is forbidden, but systems count). One that
//! differs only in its hop limit was captured on both sides of a router. IPv6 packets have no
//! number, and some systems send 0: a program that sends the same payload twice looks like a
//! capture with duplicates. Such a packet is a copy if nearly everything before it was duplicated
//! too, on several occasions.

use std::hash::{BuildHasher as _, Hash as _, Hasher as _};
use std::net::IpAddr;

use etherparse::IpNumber;
use foldhash::fast::RandomState;

use super::ip::Ip;

/// How many packets are remembered; copies come at most a few packets later.
const RECENT: usize = 32;
/// Maximum distance of copies with a number, and of those without, in nanoseconds.
const NUMBERED_APART: u64 = 100_000_000;
const APART: u64 = 5_000_000;
/// Maximum number of copies of a packet: a flood of the same bytes has more.
const COPIES: u8 = 3;
/// Minimum distance of two occasions, in nanoseconds: programs repeat payloads in quick succession.
const OCCASION: u64 = 1_000_000_000;
/// How many occasions prove that a capture has duplicates.
const OCCASIONS: usize = 2;
/// How many bytes of a packet with a number are compared.
const NUMBERED: usize = 64;

/// The last packets, to recognise their copies.
#[derive(Default)]
pub(super) struct Copies {
    /// The last [`RECENT`] packets that were no copies; `all` modulo that is the index of the
    /// oldest.
    recent: Vec<Recent>,
    /// Half of each key of `recent`, apart: nearly every packet is compared with them, and with
    /// nothing else.
    halves: [u32; RECENT],
    /// Number of packets that were no copies.
    all: usize,
    state: RandomState,
    count: u64,
}

#[derive(Clone, Copy)]
struct Recent {
    /// Hash of everything that copies have in common.
    key: u64,
    sender: IpAddr,
    /// Nanoseconds since the Unix epoch.
    time: i64,
    /// Number of packets before it.
    number: usize,
    hops: u8,
    /// Number of its copies.
    copies: u8,
}

impl Copies {
    /// Whether a packet is a copy of one before it.
    #[inline]
    pub fn is_copy(&mut self, time: i64, ip: &Ip<'_>) -> bool {
        let key = self.key(ip);
        let packet =
            Recent { key, sender: ip.source, time, number: self.all, hops: ip.hops, copies: 0 };
        if self.is_recent(key) {
            return self.is_copy_of_recent(packet, ip);
        }
        self.remember(packet);
        false
    }

    #[cold]
    fn is_copy_of_recent(&mut self, packet: Recent, ip: &Ip<'_>) -> bool {
        let Recent { key, time, .. } = packet;
        let apart = if ip.id == 0 { APART } else { NUMBERED_APART };
        let is_same = |recent: &&mut Recent| {
            let is_close = recent.time.abs_diff(time) <= apart;
            recent.key == key && is_close && recent.copies < COPIES
        };
        let same = self.recent.iter_mut().filter(is_same);
        let Some(original) = same.max_by_key(|recent| recent.number) else {
            self.remember(packet);
            return false;
        };
        original.copies += 1;
        let original = *original;
        let is_copy = if ip.id != 0 || original.hops != ip.hops {
            true
        } else if let Some(usual) = self.usual_copies(original) {
            let is_one_more = original.copies > usual;
            if is_one_more {
                self.remember(packet);
            }
            !is_one_more
        } else {
            false
        };
        self.count += u64::from(is_copy);
        is_copy
    }

    /// Number of copies.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The minimum number of copies per packet, if nearly all packets before this one were
    /// duplicated, on more than one occasion.
    fn usual_copies(&self, packet: Recent) -> Option<u8> {
        let (mut all, mut doubled, mut occasions) = (0, 0, 0);
        let (mut last, mut usual): (Option<Recent>, u8) = (None, COPIES);
        for recent in self.recent.iter().filter(|recent| recent.number < packet.number) {
            all += 1;
            if recent.copies == 0 {
                continue;
            }
            doubled += 1;
            usual = usual.min(recent.copies);
            let is_another = |last: Recent| {
                last.sender != recent.sender || recent.time.abs_diff(last.time) >= OCCASION
            };
            if last.is_none_or(is_another) {
                occasions += 1;
                last = Some(*recent);
            }
        }
        (occasions >= OCCASIONS && 4 * doubled >= 3 * all).then_some(usual)
    }

    /// Whether a key may be that of a recent packet. All are compared, several at once.
    fn is_recent(&self, key: u64) -> bool {
        self.halves.iter().map(|half| u32::from(*half == key as u32)).sum::<u32>() > 0
    }

    fn remember(&mut self, packet: Recent) {
        if let Some(oldest) = self.halves.get_mut(self.all % RECENT) {
            *oldest = packet.key as u32;
        }
        match self.recent.get_mut(self.all % RECENT) {
            Some(oldest) => *oldest = packet,
            None => self.recent.push(packet),
        }
        self.all += 1;
    }

    /// Hash of what copies have in common: of packets with a number the first bytes without the
    /// checksum, which network cards fill in; of others all bytes.
    fn key(&self, ip: &Ip<'_>) -> u64 {
        let (before, behind) = match ip.id {
            0 => (ip.payload, &[][..]),
            _ => around_checksum(ip.protocol, ip.payload.get(..NUMBERED).unwrap_or(ip.payload)),
        };
        let mut hasher = self.state.build_hasher();
        match (ip.source, ip.destination) {
            (IpAddr::V4(from), IpAddr::V4(to)) => {
                hasher.write_u64(u64::from(from.to_bits()) << 32 | u64::from(to.to_bits()));
            }
            ends => ends.hash(&mut hasher),
        }
        let numbers = u64::from(ip.id) << 8 | u64::from(ip.protocol);
        hasher.write_u64(numbers << 32 | u64::from(ip.payload_length));
        if let Some(fragment) = ip.fragment {
            hasher.write_u64(u64::from(fragment.id) << 32 | u64::from(fragment.offset));
        }
        hasher.write(before);
        hasher.write(behind);
        hasher.finish()
    }
}

/// The bytes of a packet's payload before and after the checksum of its transport header.
fn around_checksum(protocol: u8, payload: &[u8]) -> (&[u8], &[u8]) {
    let at = match IpNumber(protocol) {
        IpNumber::UDP => 6,
        IpNumber::TCP => 16,
        _ => payload.len(),
    };
    let (before, rest) = payload.split_at_checked(at).unwrap_or((payload, &[]));
    (before, rest.get(2..).unwrap_or_default())
}
