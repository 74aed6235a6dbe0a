//! The fast search for words of secrets' keys: most messages have none.

use std::ops::Range;

use super::{SECRET_KEYS, SecretKey};

/// Two consecutive letters of each entry that few words have.
const RARE: [[u8; 2]; 9] = [*b"sw", *b"ss", *b"pw", *b"rc", *b"ey", *b"ui", *b"ok", *b"ut", *b"ct"];
/// For the five lowest bits of a letter the same bits of those that make a rare pair with it, a bit
/// for each.
#[expect(clippy::indexing_slicing, reason = "what is out of range would not compile")]
static BEHIND: [u32; 32] = {
    let (mut behind, mut at) = ([0; 32], 0);
    while at < RARE.len() {
        behind[RARE[at][0] as usize % 32] |= 1 << (RARE[at][1] % 32);
        at += 1;
    }
    behind
};
/// The bits in which letters differ, whatever their case and their high bit.
const LETTER: u8 = 0x5f;
/// For each of [`SECRET_KEYS`] the first such pair of its word, and its position.
#[expect(clippy::indexing_slicing, reason = "what is out of range would not compile")]
static PAIR_OF: [([u8; 2], usize); SECRET_KEYS.len()] = {
    let (mut pairs, mut key) = ([([0; 2], 0); SECRET_KEYS.len()], 0);
    while key < SECRET_KEYS.len() {
        let (word, mut at) = (SECRET_KEYS[key].word.as_bytes(), 0);
        while !is_rare(word[at], word[at + 1]) {
            at += 1;
        }
        pairs[key] = ([word[at], word[at + 1]], at);
        key += 1;
    }
    pairs
};
/// How many pairs of letters are compared at once.
const PAIRS: usize = 32;

#[expect(clippy::indexing_slicing, reason = "the index is below the length")]
const fn is_rare(first: u8, second: u8) -> bool {
    let mut at = 0;
    while at < RARE.len() && !(RARE[at][0] == first && RARE[at][1] == second) {
        at += 1;
    }
    at < RARE.len()
}

/// Whether some bytes may contain a key of a secret: a fast check, because most have none.
pub fn may_name_secret(bytes: &[u8]) -> bool {
    any_secret_word(bytes, |_, _| true)
}

/// Searches for the words of [`SECRET_KEYS`], of which every key of a secret contains one: whether
/// `is_it` is true for the position of one of them. No more are searched for then.
pub fn any_secret_word(
    bytes: &[u8],
    mut is_it: impl FnMut(&'static SecretKey, Range<usize>) -> bool,
) -> bool {
    (0..bytes.len()).step_by(PAIRS).any(|start| {
        let rest = bytes.get(start..).unwrap_or_default();
        let words = |at: usize| words_around(bytes, start + at);
        // The last block overlaps bytes that were checked before; a short text has none.
        rest.first_chunk().or(bytes.last_chunk()).is_none_or(has_rare_pairs)
            && rare_pairs(rest).any(|at| words(at).any(|(key, word)| is_it(key, word)))
    })
}

/// Whether one of the pairs of letters in a block may be rare; compiles to vector instructions.
#[expect(clippy::needless_bitwise_bool, reason = "a branch would prevent that")]
fn has_rare_pairs(block: &[u8; PAIRS + 1]) -> bool {
    let ([firsts @ .., _], [_, seconds @ ..]) = (block, block);
    firsts.iter().zip(seconds).fold(false, |found, (first, second)| {
        let (first, second) = (first & LETTER, second & LETTER);
        let is = |[a, b]: &[u8; 2]| (first == a & LETTER) & (second == b & LETTER);
        found | RARE.iter().fold(false, |found, pair| found | is(pair))
    })
}

/// Where the first pairs of letters may be rare.
fn rare_pairs(bytes: &[u8]) -> impl Iterator<Item = usize> {
    let firsts = bytes.get(..PAIRS).unwrap_or(bytes);
    let pairs = firsts.iter().zip(bytes.get(1..).unwrap_or_default()).enumerate();
    pairs.filter(|(_, (first, second))| is_rare_pair(**first, **second)).map(|(at, _)| at)
}

/// Whether two letters, in any case, may be a rare pair.
fn is_rare_pair(first: u8, second: u8) -> bool {
    let behind = BEHIND.get(usize::from(first % 32)).copied().unwrap_or_default();
    behind >> (second % 32) & 1 != 0
}

/// The words whose first rare pair of letters is at `at`.
fn words_around(
    bytes: &[u8],
    at: usize,
) -> impl Iterator<Item = (&'static SecretKey, Range<usize>)> {
    let pair = bytes.get(at..).and_then(<[u8]>::first_chunk).map_or([0; 2], |pair| pair.map(lower));
    let fitting = SECRET_KEYS.iter().zip(&PAIR_OF).filter(move |(_, (of, _))| *of == pair);
    fitting.filter_map(move |(key, (_, before))| {
        let start = at.checked_sub(*before)?;
        let range = start..start + key.word.len();
        let same = bytes.get(range.clone())?.iter().map(|b| lower(*b)).eq(key.word.bytes());
        same.then_some((key, range))
    })
}

/// A letter in lower case, without the high bit; no other byte becomes a letter.
fn lower(byte: u8) -> u8 {
    super::plain(byte).to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_in_any_place_and_case() {
        for entry in &SECRET_KEYS {
            for at in 0..3 * PAIRS {
                let mut bytes = vec![b'x'; at];
                bytes.extend(entry.word.to_uppercase().bytes().map(|b| b | 0x80));
                bytes.push(b'\n');
                let position = at..at + entry.word.len();
                assert!(
                    any_secret_word(&bytes, |_, word| word == position),
                    "{} at {at}",
                    entry.word
                );
            }
        }
        assert!(!may_name_secret(b"sv_maxclients\\27733\\cd\\ss"));
    }
}
