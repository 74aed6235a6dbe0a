//! The listed servers, in the lists that requests select.
//!
//! A list is stored in buckets by filter: all servers of one game and protocol that are empty, that
//! are full, that have this game type. So a response costs as much as its length, not as the number
//! of servers, and a heartbeat without changes updates no list.

use std::collections::{BTreeMap, BTreeSet};
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use super::service::Namespace;
use super::table::{Map, TimedTable};

/// A server within a namespace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ServerKey {
    /// The lists that it belongs to.
    pub namespace: &'static Namespace,
    /// Its address and port.
    pub address: SocketAddr,
}

/// The number of players, as filters distinguish it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Load {
    /// Nobody plays.
    Empty,
    /// Somebody plays, and there is place for more.
    Open,
    /// There is no place.
    Full,
}

/// The properties that filters of one game and protocol use.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ListKey {
    /// Whether its address is an IPv6 address.
    pub six: bool,
    /// How full it is.
    pub load: Load,
    /// Whether players need a password.
    pub password: bool,
    /// The game type, below 32 bytes.
    pub gametype: Box<[u8]>,
    /// What else filters of its family ask for, as the family writes it.
    pub details: Box<[u8]>,
}

/// A bucket of a list. Sorted by this, buckets are grouped by namespace, then by protocol, then by
/// game.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ListBucket {
    /// The lists that it belongs to.
    pub namespace: &'static Namespace,
    /// The protocol number.
    pub protocol: i64,
    /// The name of the game.
    pub game: Box<[u8]>,
    /// What else lists select by.
    pub kind: ListKey,
}

/// The servers of a request; what is not set does not matter.
#[derive(Debug, Clone, Copy)]
pub struct ServerQuery<'a> {
    /// The lists that it belongs to.
    pub namespace: &'static Namespace,
    /// The protocol number; `None` for all.
    pub protocol: Option<i64>,
    /// The name of the game; `None` for all.
    pub game: Option<&'a [u8]>,
}

#[derive(Debug)]
pub(crate) struct ServerRegistry {
    servers: TimedTable<ServerKey, Vec<BucketSlot>>,
    buckets: BTreeMap<Arc<ListBucket>, Vec<SocketAddr>>,
    per_address: AddressCount,
}

/// A bucket that holds a server, and the index there.
#[derive(Debug)]
struct BucketSlot {
    bucket: Arc<ListBucket>,
    at: usize,
}

/// A counter per address.
#[derive(Debug, Default)]
pub(crate) struct AddressCount(Map<IpAddr, u32>);

impl ListKey {
    /// For a server of which only the address is known.
    pub fn from_address(address: SocketAddr) -> Self {
        Self {
            six: address.is_ipv6(),
            load: Load::Open,
            password: false,
            gametype: Box::default(),
            details: Box::default(),
        }
    }
}

impl Load {
    /// From the counts of players and player slots; unknown slots count as never full.
    pub fn new(players: u64, slots: Option<u64>) -> Self {
        match slots {
            _ if players == 0 => Self::Empty,
            Some(slots) if players >= slots => Self::Full,
            _ => Self::Open,
        }
    }
}

impl ServerRegistry {
    pub fn new() -> Self {
        Self {
            servers: TimedTable::new(),
            buckets: BTreeMap::new(),
            per_address: AddressCount::default(),
        }
    }

    pub fn len(&self) -> usize {
        self.servers.len()
    }

    pub fn contains(&self, server: &ServerKey) -> bool {
        self.servers.get(server).is_some()
    }

    /// How many servers an address has.
    pub fn count(&self, ip: IpAddr) -> usize {
        self.per_address.count(ip)
    }

    /// Lists a server in exactly these buckets until it is due. Returns whether it is new.
    pub fn list(&mut self, server: ServerKey, buckets: &[ListBucket], due: i64) -> bool {
        let Some(slots) = self.servers.get(&server) else {
            self.servers.insert(server, Vec::new(), due);
            self.per_address.add_address(server.address.ip());
            self.insert_slots(server, buckets);
            return true;
        };
        let same = slots.iter().map(|slot| &*slot.bucket).eq(buckets);
        self.servers.renew(&server, due);
        if !same {
            let slots = self.servers.get_mut(&server).map(std::mem::take);
            slots.into_iter().flatten().for_each(|slot| self.remove_slot(slot));
            self.insert_slots(server, buckets);
        }
        false
    }

    /// The buckets of a listed server.
    pub fn buckets_of(&self, server: &ServerKey) -> Vec<ListBucket> {
        let slots = self.servers.get(server).into_iter().flatten();
        slots.map(|slot| ListBucket::clone(&slot.bucket)).collect()
    }

    /// The names of games in a namespace's lists, each once.
    pub fn games(&self, namespace: &'static Namespace) -> BTreeSet<Box<[u8]>> {
        let buckets = self.buckets.keys().filter(|bucket| bucket.namespace == namespace);
        buckets.map(|bucket| bucket.game.clone()).collect()
    }

    /// The listed servers of an address in a namespace.
    pub fn of_address(&self, namespace: &'static Namespace, ip: IpAddr) -> Vec<ServerKey> {
        let servers = self.servers.iter().map(|(server, _)| *server);
        servers.filter(|s| s.namespace == namespace && s.address.ip() == ip).collect()
    }

    /// Extends the time of a listed server.
    pub fn renew(&mut self, server: &ServerKey, due: i64) {
        self.servers.renew(server, due);
    }

    /// Removes a server from all lists; returns whether it was listed.
    pub fn drop(&mut self, server: &ServerKey) -> bool {
        let slots = self.servers.remove(server);
        let listed = slots.is_some();
        self.forget(*server, slots.unwrap_or_default());
        listed
    }

    /// Removes one expired server.
    pub fn drop_due(&mut self, now: i64) -> Option<ServerKey> {
        let (server, slots) = self.servers.pop_due(now)?;
        self.forget(server, slots);
        Some(server)
    }

    /// The servers of all matching buckets.
    pub fn find<'a>(
        &'a self,
        wanted: ServerQuery<'a>,
        fits: impl Fn(&ListKey) -> bool + 'a,
    ) -> impl Iterator<Item = SocketAddr> + 'a {
        let first = ListBucket {
            namespace: wanted.namespace,
            protocol: wanted.protocol.unwrap_or(i64::MIN),
            game: wanted.game.filter(|_| wanted.protocol.is_some()).unwrap_or_default().into(),
            kind: ListKey {
                six: false,
                load: Load::Empty,
                password: false,
                gametype: Box::default(),
                details: Box::default(),
            },
        };
        let buckets = self.buckets.range::<ListBucket, _>(first..);
        let buckets = buckets.take_while(move |(bucket, _)| {
            let same_protocol = wanted.protocol.is_none_or(|p| p == bucket.protocol);
            // Games are sorted only within one protocol.
            let sorted = wanted.protocol.is_some();
            let same_game = !sorted || wanted.game.is_none_or(|g| *g == *bucket.game);
            bucket.namespace == wanted.namespace && same_protocol && same_game
        });
        let buckets = buckets.filter(move |(bucket, _)| {
            wanted.game.is_none_or(|g| *g == *bucket.game) && fits(&bucket.kind)
        });
        buckets.flat_map(|(_, servers)| servers.iter().copied())
    }

    fn insert_slots(&mut self, server: ServerKey, buckets: &[ListBucket]) {
        let slots = buckets.iter().map(|bucket| {
            let known = self.buckets.get_key_value(bucket).map(|(known, _)| known.clone());
            let bucket = known.unwrap_or_else(|| Arc::new(bucket.clone()));
            let servers = self.buckets.entry(bucket.clone()).or_default();
            servers.push(server.address);
            BucketSlot { bucket, at: servers.len() - 1 }
        });
        let slots = slots.collect();
        if let Some(of_server) = self.servers.get_mut(&server) {
            *of_server = slots;
        }
    }

    /// Removes a server from a bucket; the last one there takes its index.
    fn remove_slot(&mut self, BucketSlot { bucket, at }: BucketSlot) {
        let Some(servers) = self.buckets.get_mut(&bucket) else {
            return;
        };
        if at < servers.len() {
            servers.swap_remove(at);
        }
        let moved = servers.get(at).copied();
        if servers.is_empty() {
            self.buckets.remove(&bucket);
        }
        if let Some(address) = moved {
            let namespace = bucket.namespace.of_servers();
            let slots = self.servers.get_mut(&ServerKey { namespace, address });
            let mut slots = slots.into_iter().flatten();
            if let Some(slot) = slots.find(|slot| Arc::ptr_eq(&slot.bucket, &bucket)) {
                slot.at = at;
            }
        }
    }

    fn forget(&mut self, server: ServerKey, slots: Vec<BucketSlot>) {
        if !slots.is_empty() {
            self.per_address.remove(server.address.ip());
        }
        for slot in slots {
            self.remove_slot(slot);
        }
    }
}

impl AddressCount {
    pub fn count(&self, ip: IpAddr) -> usize {
        self.0.get(&ip).map_or(0, |count| *count as usize)
    }

    pub fn add_address(&mut self, ip: IpAddr) {
        *self.0.entry(ip).or_default() += 1;
    }

    pub fn remove(&mut self, ip: IpAddr) {
        if let Some(count) = self.0.get_mut(&ip) {
            *count -= 1;
            if *count == 0 {
                self.0.remove(&ip);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use random::SeededRandom;

    static NAMED: Namespace = Namespace::new("named");
    static NUMBERED: Namespace =
        Namespace { registered_in: Some(&NAMED), ..Namespace::new("numbered") };
    static OTHER: Namespace = Namespace::new("other");

    fn server(n: u16) -> ServerKey {
        let ip = [127, 0, (n >> 8) as u8, n as u8];
        ServerKey { namespace: &NAMED, address: (ip, 27960).into() }
    }

    fn bucket(namespace: &'static Namespace, protocol: i64, game: &str, load: Load) -> ListBucket {
        let kind = ListKey { load, ..ListKey::from_address(server(0).address) };
        ListBucket { namespace, protocol, game: game.as_bytes().into(), kind }
    }

    fn found(registry: &ServerRegistry, wanted: ServerQuery<'_>) -> Vec<u16> {
        let mut found: Vec<_> = registry
            .find(wanted, |kind| kind.load != Load::Full)
            .map(|address| match address.ip() {
                IpAddr::V4(ip) => u16::from_be_bytes([ip.octets()[2], ip.octets()[3]]),
                IpAddr::V6(_) => panic!("{address}"),
            })
            .collect();
        found.sort_unstable();
        found
    }

    #[test]
    fn servers_are_found_by_their_properties() {
        let mut registry = ServerRegistry::new();
        for (n, protocol, game, load) in [
            (1, 68, "a", Load::Open),
            (2, 68, "a", Load::Full),
            (3, 68, "b", Load::Empty),
            (4, 67, "a", Load::Open),
            (5, -1, "a", Load::Open),
        ] {
            let buckets =
                [bucket(&NUMBERED, protocol, "", load), bucket(&NAMED, protocol, game, load)];
            assert!(registry.list(server(n), &buckets, 9));
        }
        let wanted = |namespace, protocol, game: Option<&'static str>| ServerQuery {
            namespace,
            protocol,
            game: game.map(str::as_bytes),
        };
        for (wanted, expected) in [
            (wanted(&NUMBERED, Some(68), None), &[1, 3][..]),
            (wanted(&NAMED, Some(68), Some("a")), &[1]),
            (wanted(&NAMED, Some(68), None), &[1, 3]),
            (wanted(&NAMED, None, Some("a")), &[1, 4, 5]),
            (wanted(&NAMED, None, None), &[1, 3, 4, 5]),
            (wanted(&NAMED, Some(66), Some("a")), &[]),
            (wanted(&OTHER, None, None), &[]),
        ] {
            assert_eq!(found(&registry, wanted), expected, "{wanted:?}");
        }
    }

    /// Each listed server is always found once, and empty buckets are removed.
    #[test]
    fn lists_stay_whole_through_any_changes() {
        let mut registry = ServerRegistry::new();
        let mut random = SeededRandom::new(0x5eed_f1a9);
        let mut listed = std::collections::BTreeMap::new();
        for step in 0..20_000i64 {
            let state = random.number();
            let n = (state >> 40) as u16 % 100;
            let load = [Load::Empty, Load::Open, Load::Full][(state >> 56) as usize % 3];
            let protocol = (state >> 50).cast_signed() % 3;
            if state >> 62 == 0 {
                assert_eq!(registry.drop(&server(n)), listed.remove(&n).is_some());
            } else {
                let buckets =
                    [bucket(&NUMBERED, protocol, "", load), bucket(&NAMED, protocol, "a", load)];
                let new = registry.list(server(n), &buckets, step + 300);
                assert_eq!(new, listed.insert(n, (protocol, load)).is_none());
            }
            while let Some(gone) = registry.drop_due(step) {
                listed.retain(|n, _| server(*n) != gone);
            }
            assert_eq!(registry.len(), listed.len());
            for namespace in [&NUMBERED, &NAMED] {
                let wanted = ServerQuery { namespace, protocol: Some(protocol), game: None };
                let fits = |(p, load): &(i64, Load)| *p == protocol && *load != Load::Full;
                let expected: Vec<_> =
                    listed.iter().filter(|(_, s)| fits(s)).map(|(n, _)| *n).collect();
                assert_eq!(found(&registry, wanted), expected);
            }
        }
        assert!(listed.len() > 20 && registry.buckets.len() <= 18);
        registry.drop_due(i64::MAX).unwrap();
        while registry.drop_due(i64::MAX).is_some() {}
        assert!(registry.buckets.is_empty() && registry.per_address.0.is_empty());
    }
}
