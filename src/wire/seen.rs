//! Which keys of a view came before.

use std::collections::HashSet;
use std::hash::{Hash, Hasher};

/// The keys that came before, compared without case: by a filter and a second look while they are
/// few, in a table that no input can make slow when they are many.
#[derive(Default)]
pub(super) struct Seen<'a> {
    perhaps: [u64; 16],
    /// Made when the few are too many.
    many: Option<HashSet<Caseless<'a>>>,
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
        let many = self.many.get_or_insert_with(|| keys().take(n).map(Caseless).collect());
        !many.insert(Caseless(key))
    }

    /// Whether a key of the same hash came before; from now on one has.
    fn perhaps(&mut self, key: &[u8]) -> bool {
        let hash = hash(key);
        let Some(word) = self.perhaps.get_mut(hash / 64 % 16) else {
            return true;
        };
        let before = *word;
        *word |= 1 << (hash % 64);
        before == *word
    }
}

/// The same for the same key in any case: of its first eight bytes, its last eight, its length.
fn hash(key: &[u8]) -> usize {
    let word = |bytes: &[u8]| bytes.iter().fold(0, |word, b| word << 8 | u64::from(*b));
    let ends = key.first_chunk().zip(key.last_chunk());
    let (head, tail) = ends.map_or_else(
        || (word(key), 0),
        |(head, tail)| (u64::from_le_bytes(*head), u64::from_le_bytes(*tail)),
    );
    // The bit that tells capital letters from small ones is set everywhere.
    let [head, tail] = [head, tail].map(|word| word | 0x2020_2020_2020_2020);
    let mixed = (head ^ tail.rotate_left(29)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> 32) as usize + key.len()
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
