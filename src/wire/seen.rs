//! Which keys of a view came before.

use std::collections::HashSet;
use std::hash::{Hash, Hasher};

/// The keys that came before, compared without case: by a filter and a second look while they are
/// few, in a table that no input can make slow when they are many.
#[derive(Default)]
pub(super) struct Seen<'a> {
    perhaps: [u64; 16],
    many: HashSet<Caseless<'a>>,
}

impl<'a> Seen<'a> {
    pub const FEW: usize = 256;

    /// Whether `key`, the `n`th from 0 of all that `keys` gives, came before. Asked of all keys in
    /// order.
    pub fn came_before<K: Iterator<Item = &'a [u8]>>(
        &mut self,
        keys: impl Fn() -> K,
        n: usize,
        key: &'a [u8],
    ) -> bool {
        if n < Self::FEW {
            return self.perhaps(key) && keys().take(n).any(|k| Caseless(k) == Caseless(key));
        }
        if n == Self::FEW {
            self.many.extend(keys().take(n).map(Caseless));
        }
        !self.many.insert(Caseless(key))
    }

    /// Whether a key of the same hash came before; from now on one has.
    fn perhaps(&mut self, key: &[u8]) -> bool {
        let hash = key.iter().fold(key.len(), |hash, b| {
            hash.wrapping_mul(31).wrapping_add(usize::from(b.to_ascii_lowercase()))
        });
        let Some(word) = self.perhaps.get_mut(hash / 64 % 16) else {
            return true;
        };
        let before = *word;
        *word |= 1 << (hash % 64);
        before == *word
    }
}

/// A key, equal to the same in other case.
#[derive(Clone, Copy)]
struct Caseless<'a>(&'a [u8]);

impl PartialEq for Caseless<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.0.eq_ignore_ascii_case(other.0)
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
