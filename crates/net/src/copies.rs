//! Packets that were captured more than once: a capture on all devices has each forwarded packet
//! when it is received and when it is sent, and so has one on a mirror port.
//!
//! A program may as well send the same bytes again, so it takes more to be a copy:
//!
//! - A packet that differs only in its hop limit was captured on both sides of a router.
//! - A host numbers the IPv4 packets that it sends, so two of the same number and content are one
//!   packet (RFC 6864 allows any number if fragmentation is forbidden, but systems count). Some
//!   programs always send the same number, though, so the sender must be seen to count. Until then
//!   its packet is a copy only if it comes at once.
//! - IPv6 packets have no number, and some systems send 0. Such a packet is a copy if nearly
//!   everything before it was doubled too, in both directions.
//! - If the receiver has answered in between, it was sent again, unless its sender counts.

use std::hash::{BuildHasher as _, Hash as _, Hasher as _};
use std::net::IpAddr;

use etherparse::IpNumber;
use foldhash::fast::RandomState;

use super::ip::Ip;

/// How many packets are remembered; copies come at most a few packets later.
const RECENT: usize = 32;
/// Maximum distance of copies whose sender counts, and of others, in nanoseconds: what repeats
/// packets takes longer.
const NUMBERED_APART: u64 = 100_000_000;
const APART: u64 = 500_000;
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
    from: PacketEnd,
    to: PacketEnd,
    /// Nanoseconds since the Unix epoch.
    time: i64,
    /// Number of packets before it.
    number: usize,
    /// The IPv4 identification, or 0.
    id: u16,
    is_fragment: bool,
    hops: u8,
    /// Number of packets like it that may be its copies.
    copies: u8,
}

/// An address and a port; 0 where there is none.
type PacketEnd = (IpAddr, u16);

/// How a host numbers its packets.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Numbering {
    /// It sends 0, or has no numbers.
    Absent,
    /// Two packets have the same number.
    Constant,
    /// Two packets have different numbers.
    Counting,
    /// There is no other packet.
    Unknown,
}

impl Copies {
    /// Whether a packet is a copy of one before it.
    #[inline]
    pub fn is_copy(&mut self, time: i64, ip: &Ip<'_>) -> bool {
        let key = self.key(ip);
        let [from, to] = ends(ip);
        let (number, id, hops, copies) = (self.all, ip.id, ip.hops, 0);
        let is_fragment = ip.fragment.is_some();
        let packet = Recent { key, from, to, time, number, id, is_fragment, hops, copies };
        if self.is_recent(key) {
            return self.is_copy_of_recent(packet);
        }
        self.remember(packet);
        false
    }

    #[cold]
    fn is_copy_of_recent(&mut self, packet: Recent) -> bool {
        let apart = if packet.id == 0 { APART } else { NUMBERED_APART };
        let is_same = |recent: &&Recent| {
            let is_close = recent.time.abs_diff(packet.time) <= apart;
            recent.key == packet.key && is_close && recent.copies < COPIES
        };
        let same = self.recent.iter().filter(is_same);
        let Some(&original) = same.max_by_key(|recent| recent.number) else {
            self.remember(packet);
            return false;
        };
        let numbering = self.numbering(&original);
        let is_forwarded = original.hops != packet.hops;
        let is_certain = is_forwarded || numbering == Numbering::Counting;
        let is_close = original.time.abs_diff(packet.time) <= APART;
        if !is_certain && (!is_close || self.is_answered(&original)) {
            self.remember(packet);
            return false;
        }
        let copies = original.copies + 1;
        if let Some(known) = self.recent.get_mut(original.number % RECENT) {
            known.copies = copies;
        }
        let is_copy = is_certain
            || numbering == Numbering::Unknown
            || self.usual_copies(&original).is_some_and(|usual| copies <= usual);
        if is_copy {
            self.count += 1;
        } else if numbering != Numbering::Absent {
            self.remember(packet);
        }
        is_copy
    }

    /// Number of copies.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// How the sender of a packet numbers its packets, by the others.
    fn numbering(&self, packet: &Recent) -> Numbering {
        if packet.id == 0 {
            return Numbering::Absent;
        }
        let of_sender = |other: &&Recent| {
            other.from.0 == packet.from.0 && other.number != packet.number && other.id != 0
        };
        let mut numbering = Numbering::Unknown;
        for other in self.recent.iter().filter(of_sender) {
            // Fragments of one packet have the same number.
            if other.id == packet.id && !(other.is_fragment && packet.is_fragment) {
                return Numbering::Constant;
            }
            numbering = Numbering::Counting;
        }
        numbering
    }

    /// Whether its receiver has sent something back since a packet.
    fn is_answered(&self, packet: &Recent) -> bool {
        let answers = |other: &Recent| {
            other.number > packet.number && (other.from, other.to) == (packet.to, packet.from)
        };
        self.recent.iter().any(answers)
    }

    /// The minimum number of copies per packet, if nearly all packets before this one were
    /// duplicated, on more than one occasion and by more than one sender.
    fn usual_copies(&self, packet: &Recent) -> Option<u8> {
        let (mut all, mut doubled, mut occasions) = (0, 0, 0);
        let (mut last, mut usual): (Option<&Recent>, u8) = (None, COPIES);
        let mut senders = [None; 2];
        for recent in self.recent.iter().filter(|recent| recent.number < packet.number) {
            all += 1;
            // A program that repeats itself sends more.
            if recent.copies == 0 || recent.copies >= COPIES {
                continue;
            }
            doubled += 1;
            usual = usual.min(recent.copies);
            let is_another = |last: &Recent| {
                last.from.0 != recent.from.0 || recent.time.abs_diff(last.time) >= OCCASION
            };
            if last.is_none_or(is_another) {
                occasions += 1;
                last = Some(recent);
            }
            match senders {
                [None, _] => senders[0] = Some(recent.from.0),
                [Some(first), None] if first != recent.from.0 => senders[1] = Some(recent.from.0),
                _ => {}
            }
        }
        let both = senders[1].is_some();
        (both && occasions >= OCCASIONS && 4 * doubled >= 3 * all).then_some(usual)
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

/// The sender and the receiver; without ports in a fragment that is not the first.
fn ends(ip: &Ip<'_>) -> [PacketEnd; 2] {
    let has_ports = matches!(IpNumber(ip.protocol), IpNumber::UDP | IpNumber::TCP)
        && ip.fragment.is_none_or(|fragment| fragment.offset == 0);
    let ports = ip.payload.first_chunk::<4>().filter(|_| has_ports);
    let [a, b, c, d] = ports.copied().unwrap_or_default();
    let port = |high, low| u16::from_be_bytes([high, low]);
    [(ip.source, port(a, b)), (ip.destination, port(c, d))]
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
