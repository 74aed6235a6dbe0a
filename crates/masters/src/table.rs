//! A map whose entries expire.
//!
//! It has neither clock nor limit: the owner passes the time, and removes entries before there are
//! too many.

use std::collections::BTreeMap;
use std::hash::Hash;

/// Faster than the standard one, and as safe against colliding keys.
pub(crate) type Map<K, V> = std::collections::HashMap<K, V, foldhash::fast::RandomState>;

/// Entries by key, and sorted by expiry.
#[derive(Debug)]
pub(crate) struct TimedTable<K, V> {
    entries: Map<K, (V, Due)>,
    order: BTreeMap<Due, K>,
    count: u64,
}

/// When an entry expires, in nanoseconds, and a unique number.
type Due = (i64, u64);

impl<K: Copy + Eq + Hash, V> TimedTable<K, V> {
    pub fn new() -> Self {
        Self { entries: Map::default(), order: BTreeMap::new(), count: 0 }
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn get(&self, key: &K) -> Option<&V> {
        self.entries.get(key).map(|(value, _)| value)
    }

    pub fn get_mut(&mut self, key: &K) -> Option<&mut V> {
        self.entries.get_mut(key).map(|(value, _)| value)
    }

    /// When the entry expires.
    pub fn due(&self, key: &K) -> Option<i64> {
        self.entries.get(key).map(|(_, due)| due.0)
    }

    /// Inserts an entry, or replaces the one of this key.
    pub fn insert(&mut self, key: K, value: V, due: i64) {
        self.remove(&key);
        let due = self.next(due);
        self.order.insert(due, key);
        self.entries.insert(key, (value, due));
    }

    /// Changes when an entry expires.
    pub fn renew(&mut self, key: &K, due: i64) {
        let due = self.next(due);
        if let Some((_, old)) = self.entries.get_mut(key) {
            self.order.remove(old);
            self.order.insert(due, *key);
            *old = due;
        }
    }

    pub fn remove(&mut self, key: &K) -> Option<V> {
        let (value, due) = self.entries.remove(key)?;
        self.order.remove(&due);
        Some(value)
    }

    /// Removes one entry that is due at `now`, the earliest first.
    pub fn pop_due(&mut self, now: i64) -> Option<(K, V)> {
        let (first, _) = self.order.keys().next()?;
        if *first > now { None } else { self.pop_first() }
    }

    /// Removes the entry that expires first.
    pub fn pop_first(&mut self) -> Option<(K, V)> {
        let (_, key) = self.order.pop_first()?;
        let (value, _) = self.entries.remove(&key)?;
        Some((key, value))
    }

    /// Every entry, in no order.
    pub fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        self.entries.iter().map(|(key, (value, _))| (key, value))
    }

    fn next(&mut self, due: i64) -> Due {
        self.count += 1;
        (due, self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_go_in_the_order_in_which_they_are_due() {
        let mut table = TimedTable::new();
        for (key, due) in [("c", 3), ("a", 1), ("b", 2), ("d", 2)] {
            table.insert(key, (), due);
        }
        table.renew(&"a", 9);
        table.insert("c", (), 1);
        assert_eq!(table.remove(&"d"), Some(()));
        assert_eq!(table.pop_due(0), None);
        let gone: Vec<_> = std::iter::from_fn(|| table.pop_due(5)).map(|(key, ())| key).collect();
        assert_eq!(gone, ["c", "b"]);
        assert_eq!((table.due(&"a"), table.len()), (Some(9), 1));
        assert_eq!(table.pop_first(), Some(("a", ())));
        assert_eq!((table.entries.len(), table.order.len()), (0, 0));
    }
}
