//! The list of one master from round to round: who came, who went.

use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;

/// The servers of the last list, and since when each is in it.
#[derive(Debug, Default)]
pub struct ListPresence {
    since: BTreeMap<SocketAddr, i64>,
    /// Whether there was a list.
    is_known: bool,
}

/// What a list has changed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ListChange {
    /// Whether there was no list before, so that nobody has come.
    pub is_first: bool,
    /// The servers that were not in the list before.
    pub came: Vec<SocketAddr>,
    /// The servers that are not in it any more, and since when they were, in nanoseconds since 1970.
    pub went: Vec<(SocketAddr, i64)>,
}

impl ListChange {
    /// The servers that have come since the list before; none if there was none.
    pub fn newcomers(&self) -> &[SocketAddr] {
        if self.is_first { &[] } else { &self.came }
    }
}

impl ListPresence {
    /// The list at the end of an earlier run; `is_known` says whether there was one.
    pub fn restored(since: impl IntoIterator<Item = (SocketAddr, i64)>, is_known: bool) -> Self {
        Self { since: since.into_iter().collect(), is_known }
    }

    /// Takes a whole list; what has changed. The servers of the first list are new for the history.
    pub fn update(&mut self, list: &BTreeSet<SocketAddr>, now: i64) -> ListChange {
        let mut change = ListChange { is_first: !self.is_known, ..ListChange::default() };
        self.is_known = true;
        self.since.retain(|server, since| {
            let stays = list.contains(server);
            if !stays {
                change.went.push((*server, *since));
            }
            stays
        });
        for server in list {
            if !self.since.contains_key(server) {
                self.since.insert(*server, now);
                change.came.push(*server);
            }
        }
        change
    }
}

/// The share of the servers of two lists that only one of them has; 0 if both are empty.
pub fn difference(one: &BTreeSet<SocketAddr>, other: &BTreeSet<SocketAddr>) -> f64 {
    let all = one.union(other).count();
    if all == 0 {
        return 0.0;
    }
    one.symmetric_difference(other).count() as f64 / all as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(ports: &[u16]) -> BTreeSet<SocketAddr> {
        ports.iter().map(|port| ([192, 0, 2, 1], *port).into()).collect()
    }

    #[test]
    fn who_came_and_who_went() {
        let mut presence = ListPresence::default();
        let first = presence.update(&list(&[1, 2]), 10);
        assert_eq!((first.came.len(), first.went.len(), first.is_first), (2, 0, true));
        let next = presence.update(&list(&[2, 3]), 20);
        let went: Vec<_> =
            next.went.iter().map(|(server, since)| (server.port(), *since)).collect();
        assert_eq!((next.came, went), (list(&[3]).into_iter().collect(), vec![(1, 10)]));
        assert_eq!(presence.update(&list(&[2, 3]), 30), ListChange::default());
        let since: Vec<_> =
            presence.since.iter().map(|(server, since)| (server.port(), *since)).collect();
        assert_eq!(since, [(2, 10), (3, 20)]);
    }

    #[test]
    fn how_much_two_lists_differ() {
        for (one, other, expected) in [
            (&[][..], &[][..], 0.0),
            (&[1, 2], &[1, 2], 0.0),
            (&[1, 2], &[3, 4], 1.0),
            (&[1, 2, 3], &[2, 3, 4], 0.5),
            (&[1], &[], 1.0),
        ] {
            let is = difference(&list(one), &list(other));
            assert!((is - expected).abs() < 1e-9, "{one:?} {other:?}: {is}");
        }
    }
}
