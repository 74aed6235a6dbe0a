//! The listed servers, in the lists that requests select.
//!
//! A list is stored in buckets by filter: all servers of one game and protocol that are empty, that
//! are full, that have this game type. So a response costs as much as its length, not as the number
//! of servers, and a heartbeat without changes updates no list.

use std::collections::BTreeMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use super::table::{Map, TimedTable};

/// Groups of servers that are listed together. Servers of the Quake III family are in two: one by
/// protocol number alone, the other by game name too. Quake 4's are in Doom 3's as well.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Namespace {
    Named,
    Numbered,
    EliteForce,
    Quake2,
    Heretic2,
    QuakeWorld,
    HexenWorld,
    Doom3,
    Quake4,
    HalfLife,
    GameSpy,
}

impl Namespace {
    /// The namespace in which the servers of a list are registered.
    fn of_servers(self) -> Self {
        match self {
            Self::Numbered => Self::Named,
            Self::Quake4 => Self::Doom3,
            realm => realm,
        }
    }

    /// Whether any of its lists has IPv6 records: getserversExtResponse only.
    pub fn lists_ipv6(self) -> bool {
        self == Self::Named
    }
}

/// A server within a namespace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct ServerKey {
    pub realm: Namespace,
    pub address: SocketAddr,
}

/// The number of players, as filters distinguish it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Load {
    Empty,
    Open,
    Full,
}

/// The properties that filters of one game and protocol use.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ListKey {
    pub six: bool,
    pub load: Load,
    pub password: bool,
    /// The game type, below 32 bytes.
    pub gametype: Box<[u8]>,
}

/// A bucket of a list. Sorted by this, buckets are grouped by namespace, then by protocol, then by
/// game.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ListBucket {
    pub realm: Namespace,
    pub protocol: i64,
    pub game: Box<[u8]>,
    pub kind: ListKey,
}

/// The servers of a request; what is not set does not matter.
#[derive(Debug, Clone, Copy)]
pub(super) struct ServerQuery<'a> {
    pub realm: Namespace,
    pub protocol: Option<i64>,
    pub game: Option<&'a [u8]>,
}

#[derive(Debug)]
pub(super) struct Registry {
    servers: TimedTable<ServerKey, Vec<BucketSlot>>,
    pieces: BTreeMap<Arc<ListBucket>, Vec<SocketAddr>>,
    per_address: AddressCount,
}

/// A bucket that holds a server, and the index there.
#[derive(Debug)]
struct BucketSlot {
    piece: Arc<ListBucket>,
    at: usize,
}

/// A counter per address.
#[derive(Debug, Default)]
pub(super) struct AddressCount(Map<IpAddr, u32>);

impl ListKey {
    /// For a server of which only the address is known.
    pub fn of(address: SocketAddr) -> Self {
        Self { six: address.is_ipv6(), load: Load::Open, password: false, gametype: Box::default() }
    }
}

impl Load {
    /// From the counts of players and places; unknown places count as never full.
    pub fn of(players: u64, places: Option<u64>) -> Self {
        match places {
            _ if players == 0 => Self::Empty,
            Some(places) if players >= places => Self::Full,
            _ => Self::Open,
        }
    }
}

impl Registry {
    pub fn new() -> Self {
        Self {
            servers: TimedTable::new(),
            pieces: BTreeMap::new(),
            per_address: AddressCount::default(),
        }
    }

    pub fn len(&self) -> usize {
        self.servers.len()
    }

    pub fn contains(&self, seat: &ServerKey) -> bool {
        self.servers.get(seat).is_some()
    }

    /// How many servers an address has.
    pub fn count(&self, ip: IpAddr) -> usize {
        self.per_address.count(ip)
    }

    /// Lists a server in exactly these buckets until it is due. Returns whether it is new.
    pub fn list(&mut self, seat: ServerKey, pieces: &[ListBucket], due: i64) -> bool {
        let Some(places) = self.servers.get(&seat) else {
            self.servers.insert(seat, Vec::new(), due);
            self.per_address.add(seat.address.ip());
            self.place(seat, pieces);
            return true;
        };
        let same = places.iter().map(|place| &*place.piece).eq(pieces);
        self.servers.renew(&seat, due);
        if !same {
            let places = self.servers.get_mut(&seat).map(std::mem::take);
            places.into_iter().flatten().for_each(|place| self.unplace(place));
            self.place(seat, pieces);
        }
        false
    }

    /// Extends the time of a listed server.
    pub fn renew(&mut self, seat: &ServerKey, due: i64) {
        self.servers.renew(seat, due);
    }

    /// Removes a server from all lists; returns whether it was listed.
    pub fn drop(&mut self, seat: &ServerKey) -> bool {
        let places = self.servers.remove(seat);
        let listed = places.is_some();
        self.forget(*seat, places.unwrap_or_default());
        listed
    }

    /// Removes one expired server.
    pub fn drop_due(&mut self, now: i64) -> Option<ServerKey> {
        let (seat, places) = self.servers.pop_due(now)?;
        self.forget(seat, places);
        Some(seat)
    }

    /// The servers of all matching buckets.
    pub fn find<'a>(
        &'a self,
        wanted: ServerQuery<'a>,
        fits: impl Fn(&ListKey) -> bool + 'a,
    ) -> impl Iterator<Item = SocketAddr> + 'a {
        let first = ListBucket {
            realm: wanted.realm,
            protocol: wanted.protocol.unwrap_or(i64::MIN),
            game: wanted.game.filter(|_| wanted.protocol.is_some()).unwrap_or_default().into(),
            kind: ListKey {
                six: false,
                load: Load::Empty,
                password: false,
                gametype: Box::default(),
            },
        };
        let pieces = self.pieces.range::<ListBucket, _>(first..);
        let pieces = pieces.take_while(move |(piece, _)| {
            let same_protocol = wanted.protocol.is_none_or(|p| p == piece.protocol);
            // Games are sorted only within one protocol.
            let sorted = wanted.protocol.is_some();
            let same_game = !sorted || wanted.game.is_none_or(|g| *g == *piece.game);
            piece.realm == wanted.realm && same_protocol && same_game
        });
        let pieces = pieces.filter(move |(piece, _)| {
            wanted.game.is_none_or(|g| *g == *piece.game) && fits(&piece.kind)
        });
        pieces.flat_map(|(_, servers)| servers.iter().copied())
    }

    fn place(&mut self, seat: ServerKey, pieces: &[ListBucket]) {
        let places = pieces.iter().map(|piece| {
            let known = self.pieces.get_key_value(piece).map(|(known, _)| known.clone());
            let piece = known.unwrap_or_else(|| Arc::new(piece.clone()));
            let servers = self.pieces.entry(piece.clone()).or_default();
            servers.push(seat.address);
            BucketSlot { piece, at: servers.len() - 1 }
        });
        let places = places.collect();
        if let Some(of_server) = self.servers.get_mut(&seat) {
            *of_server = places;
        }
    }

    /// Removes a server from a bucket; the last one there takes its index.
    fn unplace(&mut self, BucketSlot { piece, at }: BucketSlot) {
        let Some(servers) = self.pieces.get_mut(&piece) else {
            return;
        };
        if at < servers.len() {
            servers.swap_remove(at);
        }
        let moved = servers.get(at).copied();
        if servers.is_empty() {
            self.pieces.remove(&piece);
        }
        if let Some(address) = moved {
            let realm = piece.realm.of_servers();
            let places = self.servers.get_mut(&ServerKey { realm, address });
            let mut places = places.into_iter().flatten();
            if let Some(place) = places.find(|place| Arc::ptr_eq(&place.piece, &piece)) {
                place.at = at;
            }
        }
    }

    fn forget(&mut self, seat: ServerKey, places: Vec<BucketSlot>) {
        if !places.is_empty() {
            self.per_address.remove(seat.address.ip());
        }
        for place in places {
            self.unplace(place);
        }
    }
}

impl AddressCount {
    pub fn count(&self, ip: IpAddr) -> usize {
        self.0.get(&ip).map_or(0, |count| *count as usize)
    }

    pub fn add(&mut self, ip: IpAddr) {
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
    use crate::random::SeededRandom;

    fn seat(n: u16) -> ServerKey {
        let ip = [127, 0, (n >> 8) as u8, n as u8];
        ServerKey { realm: Namespace::Named, address: (ip, 27960).into() }
    }

    fn piece(realm: Namespace, protocol: i64, game: &str, load: Load) -> ListBucket {
        let kind = ListKey { load, ..ListKey::of(seat(0).address) };
        ListBucket { realm, protocol, game: game.as_bytes().into(), kind }
    }

    fn found(registry: &Registry, wanted: ServerQuery<'_>) -> Vec<u16> {
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
    fn servers_are_found_by_what_is_said_of_them() {
        let mut registry = Registry::new();
        for (n, protocol, game, load) in [
            (1, 68, "a", Load::Open),
            (2, 68, "a", Load::Full),
            (3, 68, "b", Load::Empty),
            (4, 67, "a", Load::Open),
            (5, -1, "a", Load::Open),
        ] {
            let pieces = [
                piece(Namespace::Numbered, protocol, "", load),
                piece(Namespace::Named, protocol, game, load),
            ];
            assert!(registry.list(seat(n), &pieces, 9));
        }
        let wanted = |realm, protocol, game: Option<&'static str>| ServerQuery {
            realm,
            protocol,
            game: game.map(str::as_bytes),
        };
        for (wanted, expected) in [
            (wanted(Namespace::Numbered, Some(68), None), &[1, 3][..]),
            (wanted(Namespace::Named, Some(68), Some("a")), &[1]),
            (wanted(Namespace::Named, Some(68), None), &[1, 3]),
            (wanted(Namespace::Named, None, Some("a")), &[1, 4, 5]),
            (wanted(Namespace::Named, None, None), &[1, 3, 4, 5]),
            (wanted(Namespace::Named, Some(66), Some("a")), &[]),
            (wanted(Namespace::Doom3, None, None), &[]),
        ] {
            assert_eq!(found(&registry, wanted), expected, "{wanted:?}");
        }
    }

    /// Each listed server is always found once, and empty buckets are removed.
    #[test]
    fn lists_stay_whole_through_any_changes() {
        let mut registry = Registry::new();
        let mut random = SeededRandom::new(0x5eed_f1a9);
        let mut listed = std::collections::BTreeMap::new();
        for step in 0..20_000i64 {
            let state = random.number();
            let n = (state >> 40) as u16 % 100;
            let load = [Load::Empty, Load::Open, Load::Full][(state >> 56) as usize % 3];
            let protocol = (state >> 50).cast_signed() % 3;
            if state >> 62 == 0 {
                assert_eq!(registry.drop(&seat(n)), listed.remove(&n).is_some());
            } else {
                let pieces = [
                    piece(Namespace::Numbered, protocol, "", load),
                    piece(Namespace::Named, protocol, "a", load),
                ];
                let new = registry.list(seat(n), &pieces, step + 300);
                assert_eq!(new, listed.insert(n, (protocol, load)).is_none());
            }
            while let Some(gone) = registry.drop_due(step) {
                listed.retain(|n, _| seat(*n) != gone);
            }
            assert_eq!(registry.len(), listed.len());
            for realm in [Namespace::Numbered, Namespace::Named] {
                let wanted = ServerQuery { realm, protocol: Some(protocol), game: None };
                let fits = |(p, load): &(i64, Load)| *p == protocol && *load != Load::Full;
                let expected: Vec<_> =
                    listed.iter().filter(|(_, s)| fits(s)).map(|(n, _)| *n).collect();
                assert_eq!(found(&registry, wanted), expected);
            }
        }
        assert!(listed.len() > 20 && registry.pieces.len() <= 18);
        registry.drop_due(i64::MAX).unwrap();
        while registry.drop_due(i64::MAX).is_some() {}
        assert!(registry.pieces.is_empty() && registry.per_address.0.is_empty());
    }
}
