//! Detects repeated keys in a view.

use std::collections::HashSet;
use std::hash::{Hash, Hasher};

use super::swar::is_like;

/// The keys so far, compared without case: by a filter and a rescan while they are few, in a hash
/// table that no input can make slow when they are many.
#[derive(Default)]
pub(super) struct SeenKeys<'a> {
    may_repeat: [u64; 16],
    /// Created when there are too many for a rescan.
    many: Option<HashSet<Caseless<'a>>>,
}

impl<'a> SeenKeys<'a> {
    pub const FEW: usize = 256;

    /// Whether `key`, number `n` from 0 in `keys`, occurred before; `hash` is that of
    /// [`swar`](super::swar). Called for all keys in order.
    #[inline]
    pub fn is_repeated<K: Iterator<Item = &'a [u8]>>(
        &mut self,
        keys: impl Fn() -> K,
        n: usize,
        key: &'a [u8],
        hash: u64,
    ) -> bool {
        if n < Self::FEW {
            return self.may_repeat(hash) && keys().take(n).any(|k| Caseless(k) == Caseless(key));
        }
        self.is_among_many(keys().take(n), key)
    }

    #[inline(never)]
    fn is_among_many(&mut self, before: impl Iterator<Item = &'a [u8]>, key: &'a [u8]) -> bool {
        let many = self.many.get_or_insert_with(|| before.map(Caseless).collect());
        !many.insert(Caseless(key))
    }

    /// Whether a key with the same hash occurred before; records the hash.
    fn may_repeat(&mut self, hash: u64) -> bool {
        let Some(word) = self.may_repeat.get_mut((hash >> 60) as usize) else {
            return true;
        };
        let before = *word;
        *word |= 1 << (hash >> 54 & 63);
        before == *word
    }
}

/// A key, compared without case.
#[derive(Clone, Copy)]
struct Caseless<'a>(&'a [u8]);

impl PartialEq for Caseless<'_> {
    fn eq(&self, other: &Self) -> bool {
        is_like(self.0, other.0)
    }
}

impl Eq for Caseless<'_> {}

impl Hash for Caseless<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        for byte in self.0 {
            state.write_u8(byte.to_ascii_lowercase());
        }
        state.write_u8(0xff);
    }
}
