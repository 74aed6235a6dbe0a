//! Which message a payload begins as.
//!
//! Prefixes come from the outlines, so no declaration repeats how its message begins. They are
//! gathered once, by their first telling byte, longest first.

use std::sync::LazyLock;

use super::{Carrier, Entry, PROTOCOLS, Protocol, Way};
use crate::wire::{Outline, Prefix};

static TABLE: LazyLock<Table> = LazyLock::new(Table::new);

/// Every message of every protocol, in the order of [`PROTOCOLS`]; the place in it is a number
/// that stands for the message.
pub fn entries() -> &'static [&'static Entry] {
    static ALL: LazyLock<Vec<&'static Entry>> =
        LazyLock::new(|| PROTOCOLS.iter().flat_map(|p| p.messages).collect());
    &ALL
}

/// Where an entry stands: its protocol's place in [`PROTOCOLS`], and its own in [`entries`].
pub fn place_of(entry: &'static Entry) -> Option<(usize, usize)> {
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

/// Which of [`entries`] others of their protocol answer.
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

/// The messages that a datagram may be; as [`candidates_over`].
pub fn candidates(bytes: &[u8], way: Way) -> impl Iterator<Item = &'static Entry> {
    candidates_over(Carrier::Datagram, bytes, way)
}

/// The messages that `bytes` may be, the likeliest first: those whose literals go on to fit, those
/// that have none behind the word; where there are none that fit, those that will fault. Then in
/// the order of [`PROTOCOLS`].
///
/// Several protocols may share words, so this gives all; flows know which applies.
pub fn candidates_over(
    carrier: Carrier,
    bytes: &[u8],
    way: Way,
) -> impl Iterator<Item = &'static Entry> {
    candidates_at(carrier, bytes).map(|c| c.entry).filter(move |e| e.spec.goes(way))
}

/// The same for all ways, with their places.
pub fn candidates_at(carrier: Carrier, bytes: &[u8]) -> impl Iterator<Item = Candidate> {
    let known = TABLE.buckets.get(bucket(bytes)).map_or(&[][..], Vec::as_slice);
    let front = front(bytes);
    let (mut begun, mut count) = ([(Rank::Faults, 0u16); BEGUN], 0);
    for (at, known) in (0..).zip(known) {
        if !known.may_begin(front) || known.of.entry.spec.carrier != carrier {
            continue;
        }
        if let (Some(rank), Some(slot)) = (known.begins(bytes), begun.get_mut(count)) {
            *slot = (rank, at);
            count += 1;
        }
    }
    if count > 1 {
        begun.get_mut(..count).unwrap_or_default().sort_unstable();
    }
    let [(best, _), ..] = begun;
    let begun = begun.into_iter().take(count);
    // The best is first.
    let begun = begun.take_while(move |(rank, _)| best != Rank::Fits || *rank != Rank::Faults);
    let begun = begun.filter_map(|(_, at)| known.get(usize::from(at)).map(|known| known.of));
    let looks = match bytes.first() {
        Some(0xff) => &TABLE.marked,
        _ => &TABLE.looks,
    };
    let looks = looks.iter().filter(move |c| c.entry.spec.carrier == carrier);
    let looks = looks.filter(move |c| c.entry.spec.looks.is_some_and(|looks| looks(bytes)));
    begun.chain(looks.copied())
}

/// How many messages may begin alike; no word has more owners.
const BEGUN: usize = 8;

/// How what stands behind a word fits a message, the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Fits,
    Open,
    Faults,
}

/// A message that bytes may be, and where it stands.
#[derive(Debug, Clone, Copy)]
pub struct Candidate {
    pub entry: &'static Entry,
    /// Its place in [`entries`].
    pub place: usize,
    /// The place of its protocol in [`PROTOCOLS`].
    pub protocol: usize,
}

impl Protocol {
    /// The message of this protocol that `bytes` begin as; a fault further on does not change it.
    pub fn recognise(&self, carrier: Carrier, bytes: &[u8], way: Way) -> Option<&'static Entry> {
        candidates_over(carrier, bytes, way).find(|e| e.protocol == self.id)
    }
}

struct Known {
    prefix: Prefix,
    /// The prefix as [`front`] has it, and which of its bits count.
    front: [u64; 2],
    of: Candidate,
}

impl Known {
    fn new(prefix: Prefix, of: Candidate) -> Self {
        let mark = b"\xff\xff\xff\xff";
        let word = prefix.bytes.strip_prefix(mark).map_or(prefix.bytes.len(), <[u8]>::len);
        let counts = u64::MAX.checked_shr(64 - 8 * word.min(8) as u32).unwrap_or(0);
        Self { front: [front(&prefix.bytes) & counts, counts], prefix, of }
    }

    /// Whether bytes with this front may begin with the prefix; most others are told so.
    fn may_begin(&self, front: u64) -> bool {
        let [begin, counts] = self.front;
        front & counts == begin
    }

    fn begins(&self, bytes: &[u8]) -> Option<Rank> {
        let Prefix { bytes: literal, bounded, any_case, hint } = &self.prefix;
        let (head, tail) = bytes.split_at_checked(literal.len())?;
        let in_word = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
        let same = if *any_case { head.eq_ignore_ascii_case(literal) } else { head == literal };
        if !same || *bounded && tail.first().is_some_and(in_word) {
            return None;
        }
        Some(match hint.as_slice() {
            [] => Rank::Open,
            hint if tail.starts_with(hint) => Rank::Fits,
            _ => Rank::Faults,
        })
    }
}

/// The first eight bytes behind the mark, if there is one, without what tells capital letters from
/// small ones.
fn front(bytes: &[u8]) -> u64 {
    let bytes = bytes.strip_prefix(b"\xff\xff\xff\xff").unwrap_or(bytes);
    let word = bytes.first_chunk().map_or_else(
        || bytes.iter().rev().fold(0, |word, b| word << 8 | u64::from(*b)),
        |word| u64::from_le_bytes(*word),
    );
    word | 0x2020_2020_2020_2020
}

struct Table {
    buckets: Vec<Vec<Known>>,
    /// Those that are recognised by content, without and with a mark in front.
    looks: Vec<Candidate>,
    marked: Vec<Candidate>,
}

impl Table {
    fn new() -> Self {
        let mut buckets: Vec<Vec<Known>> = Vec::new();
        buckets.resize_with(3 * 256, Vec::new);
        let all = entries().iter().filter_map(|entry| {
            let (protocol, place) = place_of(entry)?;
            Some(Candidate { entry, place, protocol })
        });
        let (looks, begin): (Vec<_>, Vec<_>) = all.partition(|c| c.entry.spec.looks.is_some());
        for of in begin {
            let Outline { prefixes, .. } = (of.entry.outline)();
            for prefix in prefixes {
                if let Some(bucket) = buckets.get_mut(bucket(&prefix.bytes)) {
                    bucket.push(Known::new(prefix, of));
                }
            }
        }
        for bucket in &mut buckets {
            bucket.sort_by_key(|k| std::cmp::Reverse(k.prefix.bytes.len()));
        }
        let is_marked = |c: &Candidate| c.entry.spec.example.first() == Some(&0xff);
        let (marked, looks) = looks.into_iter().partition(is_marked);
        Self { buckets, looks, marked }
    }
}

/// The mark (four FF, two, none) and the byte behind it, in lower case.
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
    use crate::proto::Spec;

    fn named(bytes: &[u8]) -> Option<&'static str> {
        candidates(bytes, Way::default()).next().map(|e| e.spec.id)
    }

    #[test]
    fn every_example_is_recognised_as_itself() {
        for entry in entries() {
            let protocol = PROTOCOLS.iter().find(|p| p.id == entry.protocol).unwrap();
            let Spec { carrier, example, .. } = entry.spec;
            let first = protocol.recognise(carrier, example, Way::default());
            assert_eq!(first, Some(*entry));
        }
    }

    #[test]
    fn no_more_messages_begin_alike_than_there_is_room_for() {
        for entry in entries() {
            let known = &TABLE.buckets[bucket(entry.spec.example)];
            let begun = known.iter().filter(|k| k.begins(entry.spec.example).is_some());
            assert!(begun.count() <= BEGUN, "{entry:?}");
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
