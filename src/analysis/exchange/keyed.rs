//! Tables of open exchanges by their keys.

use std::collections::HashMap;
use std::hash::{BuildHasher as _, Hash};
use std::marker::PhantomData;

use foldhash::{fast, quality};

use super::timers::TimerSlot;

/// Finds exchanges by keys of one kind.
///
/// Endpoints make keys long, and there are many. So only a 64-bit hash of each is kept, with a
/// random seed: among as many keys as there may be at once, two collide in one of two thousand
/// million captures.
pub(super) struct Keyed<K> {
    slots: HashMap<KeyHash, TimerSlot, fast::RandomState>,
    state: quality::RandomState,
    keys: PhantomData<fn(K)>,
}

/// The hash of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct KeyHash(u64);

impl<K> Default for Keyed<K> {
    fn default() -> Self {
        Self {
            slots: HashMap::default(),
            state: quality::RandomState::default(),
            keys: PhantomData,
        }
    }
}

impl<K> Keyed<K> {
    /// Bytes per entry, in a table that has just grown.
    pub const ENTRY: usize = 2 * (size_of::<(KeyHash, TimerSlot)>() + 1);
}

impl<K: Hash> Keyed<K> {
    pub fn hash(&self, key: &K) -> KeyHash {
        KeyHash(self.state.hash_one(key))
    }

    pub fn get(&self, key: &K) -> Option<TimerSlot> {
        self.slots.get(&self.hash(key)).copied()
    }

    /// Maps the key to the exchange in `slot`; whether the key is new.
    pub fn insert(&mut self, key: KeyHash, slot: TimerSlot) -> bool {
        self.slots.insert(key, slot) != Some(slot)
    }

    /// Removes a key, unless a later exchange uses it now.
    pub fn forget(&mut self, key: KeyHash, slot: TimerSlot) {
        if self.slots.get(&key) == Some(&slot) {
            self.slots.remove(&key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_belongs_to_who_took_it_last() {
        let mut keyed: Keyed<(u64, &str)> = Keyed::default();
        let [one, other] = [(1, "getinfo"), (1, "getstatus")].map(|key| keyed.hash(&key));
        assert!(keyed.insert(one, 7) && !keyed.insert(one, 7) && keyed.insert(other, 8));
        assert_eq!([keyed.get(&(1, "getinfo")), keyed.get(&(1, "getstatus"))], [Some(7), Some(8)]);
        assert!(keyed.insert(one, 9));
        keyed.forget(one, 7);
        assert_eq!(keyed.get(&(1, "getinfo")), Some(9));
        keyed.forget(one, 9);
        assert_eq!(keyed.get(&(1, "getinfo")), None);
    }
}
