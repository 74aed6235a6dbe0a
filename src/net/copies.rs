//! Packets that were captured more than once: a capture on all devices sees each on its way in and
//! on its way on, and so does one on a mirror port.
//!
//! A host numbers the IPv4 packets that it sends, so two of the same number and content are one
//! packet (RFC 6864 allows the number to be anything where nobody may fragment, but systems count).
//! One that differs in its hop limit alone was seen on both sides of a router. IPv6 packets have no
//! number, and some systems send 0: a program that says the same twice looks like a capture that
//! doubles. Such a packet is a copy where nearly everything before it was doubled too, on several
//! occasions.

use std::hash::{BuildHasher as _, Hash as _, Hasher as _};
use std::net::IpAddr;

use etherparse::IpNumber;
use foldhash::fast::RandomState;

use super::ip::Ip;

/// How many packets are remembered; copies come a few packets behind at most.
const RECENT: usize = 32;
/// How far apart two copies may be that have a number, and that have none, in nanoseconds.
const NUMBERED_APART: u64 = 100_000_000;
const APART: u64 = 5_000_000;
/// How often a packet may come once more: a flood of the same bytes is more than that.
const COPIES: u8 = 3;
/// How far apart two occasions are, in nanoseconds: a program says things twice in one go.
const OCCASION: u64 = 1_000_000_000;
/// How many occasions tell that a capture doubles.
const OCCASIONS: usize = 2;
/// Of a packet with a number so many bytes are compared.
const NUMBERED: usize = 64;

/// The last packets, to tell their copies.
#[derive(Default)]
pub(super) struct Copies {
    /// The last [`RECENT`] that were no copies; `all` modulo that is the oldest one's index.
    recent: Vec<Recent>,
    /// How many packets were no copies.
    all: usize,
    state: RandomState,
    count: u64,
}

#[derive(Clone, Copy)]
struct Recent {
    /// Hash of all that copies have in common.
    key: u64,
    sender: IpAddr,
    /// Nanoseconds since the Unix epoch.
    time: i64,
    /// How many packets came before it.
    number: usize,
    hops: u8,
    /// How often it came once more.
    copies: u8,
}

impl Copies {
    /// Whether a packet is a copy of one before it.
    pub fn is_copy(&mut self, time: i64, ip: &Ip<'_>) -> bool {
        let key = self.key(ip);
        let packet =
            Recent { key, sender: ip.source, time, number: self.all, hops: ip.hops, copies: 0 };
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

    /// How many copies there were.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// How often packets were captured once more, at least, where nearly all before one were, on
    /// more than one occasion.
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

    fn remember(&mut self, packet: Recent) {
        match self.recent.get_mut(self.all % RECENT) {
            Some(oldest) => *oldest = packet,
            None => self.recent.push(packet),
        }
        self.all += 1;
    }

    /// Hash of what copies have in common: of packets with a number the first bytes, but for the
    /// checksum, which network cards fill in; of others all.
    fn key(&self, ip: &Ip<'_>) -> u64 {
        let (before, behind) = match ip.id {
            0 => (ip.payload, &[][..]),
            _ => around_checksum(ip.protocol, ip.payload.get(..NUMBERED).unwrap_or(ip.payload)),
        };
        let fragment = ip.fragment.map(|fragment| (fragment.id, fragment.offset));
        let mut hasher = self.state.build_hasher();
        (ip.source, ip.destination, ip.protocol, ip.id, ip.payload_length).hash(&mut hasher);
        (fragment, before, behind).hash(&mut hasher);
        hasher.finish()
    }
}

/// The bytes of a packet's payload before and behind the checksum of its transport header.
fn around_checksum(protocol: u8, payload: &[u8]) -> (&[u8], &[u8]) {
    let at = match IpNumber(protocol) {
        IpNumber::UDP => 6,
        IpNumber::TCP => 16,
        _ => payload.len(),
    };
    let (before, rest) = payload.split_at_checked(at).unwrap_or((payload, &[]));
    (before, rest.get(2..).unwrap_or_default())
}
