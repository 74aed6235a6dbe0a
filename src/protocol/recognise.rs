//! Which message a payload is, by its beginning.
//!
//! Prefixes come from the outlines, so no declaration repeats how its message begins. They are
//! collected once, by their first significant byte, longest first.

use std::slice;
use std::sync::LazyLock;

use super::spec::{Fits, Looks};
use super::{Carrier, Direction, Entry, Protocol};
use crate::codec::swar::is_like;
use crate::codec::{Outline, Prefix};
use crate::protocols::PROTOCOLS;

static TABLE: LazyLock<PrefixTable> = LazyLock::new(PrefixTable::new);

/// Every message of every protocol, in the order of [`PROTOCOLS`]; the index is the message's
/// number.
pub fn entries() -> &'static [&'static Entry] {
    static ALL: LazyLock<Vec<&'static Entry>> =
        LazyLock::new(|| PROTOCOLS.iter().flat_map(|p| p.messages).collect());
    &ALL
}

/// The indices of an entry's protocol in [`PROTOCOLS`], and of the entry in [`entries`].
pub fn place_of(entry: &Entry) -> Option<(usize, usize)> {
    let at = std::ptr::from_ref(entry).addr();
    let mut before = 0;
    for (protocol, known) in PROTOCOLS.iter().enumerate() {
        let first = known.messages.as_ptr().addr();
        let place = at.wrapping_sub(first) / size_of::<Entry>();
        if at >= first && place < known.messages.len() {
            return Some((protocol, before + place));
        }
        before += known.messages.len();
    }
    None
}

/// Whether two static names are equal; those of the same message or protocol usually have the same
/// address, so their bytes need not be compared.
pub fn is_same(one: &'static str, other: &'static str) -> bool {
    std::ptr::eq(one, other) || one == other
}

/// Which of [`entries`] have answers in their protocol.
pub(super) fn asked() -> &'static [bool] {
    static ASKED: LazyLock<Vec<bool>> = LazyLock::new(|| {
        let is_asked = |entry: &&'static Entry| {
            let of_same = entries().iter().filter(|other| other.protocol == entry.protocol);
            of_same.into_iter().any(|other| other.spec.answers.contains(&entry.spec.id))
        };
        entries().iter().map(is_asked).collect()
    });
    &ASKED
}

/// The messages that a datagram may be; see [`candidates_over`].
pub fn candidates(bytes: &[u8], way: Direction) -> impl Iterator<Item = &'static Entry> {
    candidates_over(Carrier::Datagram, bytes, way)
}

/// The messages that `bytes` may be, the likeliest first: those whose further literals match, then
/// those without any after the word; only if there are none, those that will fault. Then in the
/// order of [`PROTOCOLS`].
///
/// Several protocols may share commands, so this returns all; flows choose among them.
pub fn candidates_over(
    carrier: Carrier,
    bytes: &[u8],
    way: Direction,
) -> impl Iterator<Item = &'static Entry> {
    candidates_at(carrier, bytes).map(|c| c.entry).filter(move |e| e.spec.allows(way))
}

/// The same for all directions, with their indices.
pub fn candidates_at(carrier: Carrier, bytes: &[u8]) -> Candidates<'_> {
    let table = match carrier {
        Carrier::Datagram => &TABLE.datagrams,
        Carrier::Stream => &TABLE.streams,
    };
    let first = bytes.first().map_or(0, |first| usize::from(*first));
    let looks = table.looks.get(first).map_or(&[][..], Vec::as_slice);
    let mut all = Candidates { bytes, known: &[], begun: Begun::default(), looks: looks.iter() };
    if let Some(bucket) = table.buckets.get(bucket(bytes)) {
        all.known = &bucket.known;
        let front = front(bytes);
        for (at, known) in bucket.fronts.iter().enumerate() {
            if known.may_begin(front)
                && let Some(rank) = bucket.known.get(at).and_then(|known| known.begins(bytes))
            {
                all.begun.push(rank, at as u16);
            }
        }
        all.begun.rank();
    }
    all
}

/// The messages that bytes may be, the likeliest first.
#[derive(Debug)]
pub struct Candidates<'a> {
    bytes: &'a [u8],
    known: &'static [KnownPrefix],
    begun: Begun,
    looks: slice::Iter<'static, (Fits, Candidate)>,
}

impl Iterator for Candidates<'_> {
    type Item = Candidate;

    fn next(&mut self) -> Option<Candidate> {
        if let Some(at) = self.begun.next() {
            return self.known.get(at).map(|known| known.of);
        }
        let Self { bytes, looks, .. } = self;
        looks.find(|(fits, _)| fits(bytes)).map(|(_, of)| *of)
    }
}

/// How many messages may begin alike; no command is shared by more.
const BEGUN: usize = 8;

/// The indices of the messages with this beginning.
#[derive(Debug, Default)]
struct Begun {
    all: [(Rank, u16); BEGUN],
    count: usize,
    next: usize,
}

impl Begun {
    fn push(&mut self, rank: Rank, at: u16) {
        if let Some(slot) = self.all.get_mut(self.count) {
            *slot = (rank, at);
            self.count += 1;
        }
    }

    /// Puts the best first; those that will fault are removed if another one matches.
    fn rank(&mut self) {
        if self.count < 2 {
            return;
        }
        let all = self.all.get_mut(..self.count).unwrap_or_default();
        all.sort_unstable();
        if let [(Rank::Fits, _), ..] = all {
            self.count = all.partition_point(|(rank, _)| *rank != Rank::Faults);
        }
    }

    fn next(&mut self) -> Option<usize> {
        let (_, at) = self.all.get(..self.count)?.get(self.next)?;
        self.next += 1;
        Some(usize::from(*at))
    }
}

/// How well the bytes after a word match a message, the best first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Fits,
    Open,
    #[default]
    Faults,
}

/// A possible message for some bytes, and its indices.
#[derive(Debug, Clone, Copy)]
pub struct Candidate {
    pub entry: &'static Entry,
    /// Its index in [`entries`].
    pub place: usize,
    /// The index of its protocol in [`PROTOCOLS`].
    pub protocol: usize,
}

impl Protocol {
    /// The message of this protocol with the beginning of `bytes`; later faults do not matter.
    pub fn recognise(
        &self,
        carrier: Carrier,
        bytes: &[u8],
        way: Direction,
    ) -> Option<&'static Entry> {
        candidates_over(carrier, bytes, way).find(|e| e.protocol == self.id)
    }
}

/// A prefix as [`front`] returns it, and the mask of its bits.
#[derive(Clone, Copy)]
struct Front {
    bits: u64,
    counts: u64,
}

impl Front {
    fn of(prefix: &[u8]) -> Self {
        let word = prefix.strip_prefix(MARK).map_or(prefix.len(), <[u8]>::len);
        let counts = u64::MAX.checked_shr(64 - 8 * word.min(8) as u32).unwrap_or(0);
        Self { bits: front(prefix) & counts, counts }
    }

    /// Whether bytes with this front may begin with the prefix; this excludes most others.
    fn may_begin(self, front: u64) -> bool {
        front & self.counts == self.bits
    }
}

#[derive(Debug)]
struct KnownPrefix {
    prefix: Prefix,
    of: Candidate,
}

impl KnownPrefix {
    fn begins(&self, bytes: &[u8]) -> Option<Rank> {
        let Prefix { bytes: literal, bounded, any_case, hint } = &self.prefix;
        let (head, tail) = bytes.split_at_checked(literal.len())?;
        let in_word = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
        let same = if *any_case { is_like(head, literal) } else { head == literal };
        if !same || *bounded && tail.first().is_some_and(in_word) {
            return None;
        }
        Some(match hint.as_slice() {
            [] => Rank::Open,
            hint if tail.starts_with(hint) => Rank::Fits,
            _ => Rank::Faults,
        })
        .filter(|_| self.of.entry.spec.never.is_none_or(|never| !never(bytes)))
    }
}

/// The first eight bytes after the mark, if there is one, without the bits for upper and lower
/// case.
fn front(bytes: &[u8]) -> u64 {
    let bytes = bytes.strip_prefix(MARK).unwrap_or(bytes);
    let word = bytes.first_chunk().map_or_else(
        || bytes.iter().rev().fold(0, |word, b| word << 8 | u64::from(*b)),
        |word| u64::from_le_bytes(*word),
    );
    word | 0x2020_2020_2020_2020
}

/// The beginning of most messages.
const MARK: &[u8] = b"\xff\xff\xff\xff";

struct PrefixTable {
    datagrams: Carried,
    streams: Carried,
}

/// The messages of one carrier.
struct Carried {
    buckets: Vec<Bucket>,
    /// Those that are recognised by content, for each first byte.
    looks: Vec<Vec<(Fits, Candidate)>>,
}

/// Those with the same first significant byte, the longest prefix first.
#[derive(Default)]
struct Bucket {
    known: Vec<KnownPrefix>,
    /// Of each; stored separately, because most payloads are compared with nothing else.
    fronts: Vec<Front>,
}

impl PrefixTable {
    fn new() -> Self {
        Self { datagrams: Carried::by(Carrier::Datagram), streams: Carried::by(Carrier::Stream) }
    }
}

impl Carried {
    fn by(carrier: Carrier) -> Self {
        let mut buckets: Vec<Bucket> = Vec::new();
        buckets.resize_with(3 * 256, Bucket::default);
        let mut looks: Vec<Vec<(Fits, Candidate)>> = vec![Vec::new(); 256];
        for entry in entries().iter().filter(|entry| entry.spec.carrier == carrier) {
            let Some((protocol, place)) = place_of(entry) else { continue };
            let of = Candidate { entry, place, protocol };
            if let Some(Looks { first, fits }) = entry.spec.looks {
                let begins = |byte| first.is_empty() || first.contains(&byte);
                let of_first = (0..=u8::MAX).zip(&mut looks).filter(|(byte, _)| begins(*byte));
                of_first.for_each(|(_, looks)| looks.push((fits, of)));
                continue;
            }
            let Outline { prefixes, .. } = (entry.outline)();
            for prefix in prefixes {
                if let Some(bucket) = buckets.get_mut(bucket(&prefix.bytes)) {
                    bucket.known.push(KnownPrefix { prefix, of });
                }
            }
        }
        for Bucket { known, fronts } in &mut buckets {
            known.sort_by_key(|k| std::cmp::Reverse(k.prefix.bytes.len()));
            fronts.extend(known.iter().map(|k| Front::of(&k.prefix.bytes)));
        }
        Self { buckets, looks }
    }
}

/// The mark (four FF, two, none) and the byte after it, in lower case.
fn bucket(bytes: &[u8]) -> usize {
    let (mark, rest) = match bytes {
        [0xff, 0xff, 0xff, 0xff, rest @ ..] => (2, rest),
        [0xff, 0xff, rest @ ..] => (1, rest),
        rest => (0, rest),
    };
    let first = rest.first().copied().unwrap_or(0).to_ascii_lowercase();
    mark * 256 + usize::from(first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Spec;

    fn named(bytes: &[u8]) -> Option<&'static str> {
        candidates(bytes, Direction::default()).next().map(|e| e.spec.id)
    }

    #[test]
    fn every_example_is_recognised_as_itself() {
        for entry in entries() {
            let protocol = PROTOCOLS.iter().find(|p| p.id == entry.protocol).unwrap();
            let Spec { carrier, example, .. } = entry.spec;
            let first = protocol.recognise(carrier, example, Direction::default());
            assert_eq!(first, Some(*entry));
        }
    }

    #[test]
    fn no_more_messages_begin_alike_than_there_is_room_for() {
        for entry in entries() {
            let Spec { carrier, example, .. } = entry.spec;
            let Begun { count, .. } = candidates_at(carrier, example).begun;
            let table = if carrier == Carrier::Stream { &TABLE.streams } else { &TABLE.datagrams };
            let known = &table.buckets[bucket(example)].known;
            let begun = known.iter().filter(|k| k.begins(example).is_some()).count();
            assert!(count <= begun && begun <= BEGUN, "{entry:?}");
        }
    }

    #[test]
    fn every_entry_knows_its_place() {
        for (place, entry) in entries().iter().enumerate() {
            let (protocol, found) = place_of(entry).unwrap();
            assert_eq!((PROTOCOLS[protocol].id, found), (entry.protocol, place));
        }
    }

    #[test]
    fn a_fault_does_not_change_the_name() {
        assert_eq!(named(b"\xff\xff\xff\xffgetservers 4TheFun"), Some("getservers"));
        assert_eq!(named(b"\xff\xff\xff\xffGETSERVERS"), Some("getservers"));
        assert_eq!(named(b"\xff\xff\xff\xffgetserversExt"), Some("getservers-ext"));
        assert_eq!(named(b"\xff\xff\xff\xffgetserversX"), None);
        assert_eq!(named(b"\xff\xff\xff\xff"), None);
        assert_eq!(named(b""), None);
    }
}
