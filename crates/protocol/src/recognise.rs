//! Which message a payload is, by its beginning.
//!
//! The beginnings of messages are collected once, by their first significant byte, longest first.

use std::slice;

use smallvec::SmallVec;

use super::spec::{ContentMatch, SecondByte};
use super::{Carrier, Entry, MessageId, RegisteredMessage};
use codec::swar::is_like;
use codec::{Outline, Prefix};

/// The messages that bytes may be, the likeliest first.
#[derive(Debug)]
pub struct Candidates<'a, 'b> {
    bytes: &'b [u8],
    messages: &'a [RegisteredMessage],
    known: &'a [KnownPrefix],
    begun: Begun,
    by_content: slice::Iter<'a, KnownContent>,
}

/// The numbers of the messages that bytes may be, the likeliest first; two or three at most for
/// nearly all bytes.
pub type CandidateIds = SmallVec<[MessageId; 8]>;

impl<'a> Iterator for Candidates<'a, '_> {
    type Item = &'a RegisteredMessage;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let id = match self.begun.next() {
            Some(at) => self.known.get(at)?.id,
            None => self.by_content.find(|known| known.has(self.bytes))?.id,
        };
        self.messages.get(id.index())
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

    #[inline]
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

/// A prefix as [`front`] returns it, and the mask of its bits.
#[derive(Debug, Clone, Copy)]
struct Front {
    bits: u64,
    counts: u64,
}

impl Front {
    fn from_prefix(prefix: &[u8]) -> Self {
        let (_, word) = marked(prefix);
        let counts = u64::MAX.checked_shr(64 - 8 * word.len().min(8) as u32).unwrap_or(0);
        Self { bits: front(word) & counts, counts }
    }

    /// Whether bytes with this front may begin with the prefix; this excludes most others.
    fn may_begin(self, front: u64) -> bool {
        front & self.counts == self.bits
    }
}

/// A message that is recognised by content.
#[derive(Debug, Clone, Copy)]
struct KnownContent {
    content: ContentMatch,
    id: MessageId,
}

impl KnownContent {
    /// Whether bytes of this list are this message.
    #[inline]
    fn has(&self, bytes: &[u8]) -> bool {
        let ContentMatch { second, matches, .. } = self.content;
        let may_be = match second {
            SecondByte::Any | SecondByte::BehindMark(_) => true,
            SecondByte::At(at, byte) => bytes.get(at) == Some(&byte),
        };
        may_be && matches(bytes)
    }

    /// Whether the list with this number has it.
    fn is_in(&self, list: usize) -> bool {
        let ContentMatch { first, second, .. } = self.content;
        let begins = |byte| first.is_empty() || first.contains(&byte);
        match (list.checked_sub(usize::from(MARK)), second) {
            (None, _) => begins(list as u8),
            (Some(letter), SecondByte::BehindMark(byte)) => usize::from(byte) == letter,
            (Some(_), _) => begins(MARK),
        }
    }
}

#[derive(Debug)]
struct KnownPrefix {
    prefix: Prefix,
    entry: &'static Entry,
    id: MessageId,
}

impl KnownPrefix {
    #[inline]
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
        .filter(|_| self.entry.spec.excluded.is_none_or(|excluded| !excluded(bytes)))
    }
}

/// The first eight bytes after the mark, without the bits for upper and lower case.
fn front(word: &[u8]) -> u64 {
    let word = word.first_chunk().map_or_else(
        || word.iter().rev().fold(0, |front, b| front << 8 | u64::from(*b)),
        |word| u64::from_le_bytes(*word),
    );
    word | 0x2020_2020_2020_2020
}

/// The messages of one carrier, by their beginning. Prefixes come from the outlines, so no
/// declaration repeats how its message begins.
#[derive(Debug)]
pub(super) struct PrefixTable {
    buckets: Vec<Bucket>,
    /// Those that are recognised by content: see [`content_list`].
    by_content: Vec<Vec<KnownContent>>,
}

/// Those with the same first significant bytes, the longest prefix first.
#[derive(Debug, Default)]
struct Bucket {
    known: Vec<KnownPrefix>,
    /// Of each; stored separately, because most payloads are compared with nothing else.
    fronts: Vec<Front>,
}

impl PrefixTable {
    pub fn new(messages: &[RegisteredMessage], carrier: Carrier) -> Self {
        let mut buckets: Vec<Bucket> = Vec::new();
        buckets.resize_with(3 * ROWS * ROWS, Bucket::default);
        let mut by_content: Vec<Vec<KnownContent>> = vec![Vec::new(); CONTENT_LISTS];
        let carried = messages.iter().filter(|message| message.entry.spec.carrier == carrier);
        for &RegisteredMessage { entry, id, .. } in carried {
            if let Some(content) = entry.spec.content_match {
                let known = KnownContent { content, id };
                let lists = by_content.iter_mut().enumerate();
                let lists = lists.filter(|(number, _)| known.is_in(*number));
                lists.for_each(|(_, list)| list.push(known));
                continue;
            }
            let Outline { prefixes, .. } = entry.outline();
            for prefix in prefixes {
                let (mark, word) = marked(&prefix.bytes);
                let first = bucket(mark, word);
                // After a single byte comes any other one.
                let with_next = if word.len() < 2 { first..first + ROWS } else { first..first + 1 };
                for bucket in buckets.get_mut(with_next).unwrap_or_default() {
                    bucket.known.push(KnownPrefix { prefix: prefix.clone(), entry, id });
                }
            }
        }
        for Bucket { known, fronts } in &mut buckets {
            known.sort_by_key(|k| std::cmp::Reverse(k.prefix.bytes.len()));
            fronts.extend(known.iter().map(|k| Front::from_prefix(&k.prefix.bytes)));
        }
        Self { buckets, by_content }
    }

    /// The messages that `bytes` may be; see [`Registry::candidates`](super::Registry::candidates).
    #[inline]
    pub fn candidates<'a, 'b>(
        &'a self,
        messages: &'a [RegisteredMessage],
        bytes: &'b [u8],
    ) -> Candidates<'a, 'b> {
        let by_content = self.by_content.get(content_list(bytes));
        let by_content = by_content.map_or(&[][..], Vec::as_slice).iter();
        let (known, begun) = (&[][..], Begun::default());
        let mut all = Candidates { bytes, messages, known, begun, by_content };
        let (mark, word) = marked(bytes);
        if let Some(bucket) = self.buckets.get(bucket(mark, word)) {
            all.known = &bucket.known;
            let front = front(word);
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
}

/// The byte of which a mark consists.
const MARK: u8 = 0xff;
/// How many lists of messages that are recognised by content there are.
const CONTENT_LISTS: usize = 512;

/// The number of the list with the messages that bytes may be by their content: the first byte, or
/// if that is [`MARK`], its value and the first other byte.
#[inline]
fn content_list(bytes: &[u8]) -> usize {
    match bytes.first() {
        Some(&MARK) => {
            let letter = bytes.iter().find(|byte| **byte != MARK);
            usize::from(MARK) + letter.map_or(0, |letter| usize::from(*letter))
        }
        first => first.map_or(0, |first| usize::from(*first)),
    }
}

/// How many rows of buckets a mark has, and how many buckets a row.
const ROWS: usize = 32;

/// The number of the mark (four FF, two, none), and the bytes after it.
#[inline]
fn marked(bytes: &[u8]) -> (usize, &[u8]) {
    match bytes {
        [0xff, 0xff, 0xff, 0xff, word @ ..] => (2, word),
        [0xff, 0xff, word @ ..] => (1, word),
        word => (0, word),
    }
}

/// The bucket of a mark and the first two bytes after it, without the bits for upper and lower case.
fn bucket(mark: usize, word: &[u8]) -> usize {
    let row = |at: usize| usize::from(word.get(at).copied().unwrap_or(0)) % ROWS;
    (mark * ROWS + row(0)) * ROWS + row(1)
}

impl Candidates<'_, '_> {
    /// How many messages begin like the bytes, and how many of them there is room for.
    pub fn begun(&self) -> (usize, usize) {
        (self.known.iter().filter(|k| k.begins(self.bytes).is_some()).count(), BEGUN)
    }
}
