//! The keys by which open exchanges are found.

use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{BuildHasher as _, Hash, Hasher};
use std::net::{IpAddr, SocketAddr};

use foldhash::{fast, quality};

use super::timers::TimerSlot;
use crate::endpoint_key::EndpointKey;

/// What messages of an exchange have in common.
#[derive(Debug)]
pub(super) enum ExchangeKey<'a> {
    /// The frame of a request, and its id.
    Request(u64, &'static str),
    /// Who sent the latest request of this id, and to whom.
    Endpoints(SocketAddr, SocketAddr, &'static str),
    /// The same by the host that got the request, for answers from another port.
    Host(SocketAddr, IpAddr, &'static str),
    /// The client and the server of a connection.
    Connection(SocketAddr, SocketAddr),
    /// The receiver and the sender of an answer in parts, and the sender's number for it.
    Parts(SocketAddr, SocketAddr, u32),
    /// The server, the master that sent it a challenge, and the challenge. An answer that returns
    /// one belongs there, whichever request its flow pairs it with: flows only know the oldest
    /// request, and the answer to that one may be lost.
    Challenge(SocketAddr, SocketAddr, Cow<'a, [u8]>),
}

/// Finds exchanges by their keys.
///
/// Endpoints make keys long, and there are many. So only a 64-bit hash of each is kept, with a
/// random seed: among as many keys as there may be at once, two collide in one of two thousand
/// million captures.
#[derive(Default)]
pub(super) struct KeyTable {
    slots: HashMap<KeyHash, TimerSlot, fast::RandomState>,
    state: quality::RandomState,
}

/// The hash of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct KeyHash(u64);

impl<'a> ExchangeKey<'a> {
    /// The key of a challenge; numbers are normalised.
    pub fn challenge(server: SocketAddr, master: SocketAddr, challenge: &'a [u8]) -> Self {
        let number = challenge_bits(challenge).map(|number| number.to_string().into_bytes().into());
        Self::Challenge(server, master, number.unwrap_or_else(|| without_blanks(challenge).into()))
    }
}

impl Hash for ExchangeKey<'_> {
    /// Each kind begins with another number; endpoints are hashed as numbers, which is several
    /// times as fast as what the standard library does.
    fn hash<H: Hasher>(&self, state: &mut H) {
        let mut ends = |kind: u8, ends: [SocketAddr; 2]| {
            state.write_u8(kind);
            for end in ends {
                EndpointKey::from(end).hash(state);
            }
        };
        match self {
            Self::Request(number, id) => {
                state.write_u8(0);
                state.write_u64(*number);
                state.write(id.as_bytes());
            }
            Self::Endpoints(from, to, id) => {
                ends(1, [*from, *to]);
                state.write(id.as_bytes());
            }
            Self::Host(from, to, id) => {
                ends(2, [*from, SocketAddr::new(*to, 0)]);
                state.write(id.as_bytes());
            }
            Self::Connection(client, server) => ends(3, [*client, *server]),
            Self::Parts(to, from, reply) => {
                ends(4, [*to, *from]);
                state.write_u32(*reply);
            }
            Self::Challenge(server, master, challenge) => {
                ends(5, [*server, *master]);
                state.write(challenge);
            }
        }
    }
}

impl KeyTable {
    /// Bytes per entry, in a table that has just grown.
    pub const ENTRY: usize = 2 * (size_of::<(KeyHash, TimerSlot)>() + 1);

    pub fn hash(&self, key: &ExchangeKey<'_>) -> KeyHash {
        KeyHash(self.state.hash_one(key))
    }

    pub fn get(&self, key: &ExchangeKey<'_>) -> Option<TimerSlot> {
        self.slots.get(&self.hash(key)).copied()
    }

    /// Maps the key to the exchange in `slot`; whether the key is new.
    pub fn insert(&mut self, key: KeyHash, slot: TimerSlot) -> bool {
        self.slots.insert(key, slot) != Some(slot)
    }

    /// Removes a key, unless a later exchange uses it now.
    pub fn forget(&mut self, key: KeyHash, slot: TimerSlot) {
        if let Entry::Occupied(known) = self.slots.entry(key)
            && *known.get() == slot
        {
            known.remove();
        }
    }
}

/// A challenge without the blanks and NUL that some programs append.
pub fn without_blanks(challenge: &[u8]) -> &[u8] {
    let end = challenge.iter().rposition(|b| !matches!(b, b' ' | b'\r' | b'\n' | 0));
    challenge.get(..end.map_or(0, |end| end + 1)).unwrap_or_default()
}

/// The 32 bits of a decimal number, signed or unsigned: servers write either.
pub(super) fn challenge_bits(challenge: &[u8]) -> Option<u32> {
    let text = std::str::from_utf8(without_blanks(challenge)).ok()?;
    let signed = || text.parse::<i32>().ok().map(i32::cast_unsigned);
    text.parse::<u32>().ok().or_else(signed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_belongs_to_who_took_it_last() {
        let mut keys = KeyTable::default();
        let [request, other] = ["getinfo", "getstatus"].map(|id| ExchangeKey::Request(1, id));
        let [one, two] = [&request, &other].map(|key| keys.hash(key));
        assert!(keys.insert(one, 7) && !keys.insert(one, 7) && keys.insert(two, 8));
        assert_eq!([keys.get(&request), keys.get(&other)], [Some(7), Some(8)]);
        assert!(keys.insert(one, 9));
        keys.forget(one, 7);
        assert_eq!(keys.get(&request), Some(9));
        keys.forget(one, 9);
        assert_eq!(keys.get(&request), None);
    }

    #[test]
    fn keys_of_different_kinds_differ() {
        let end = SocketAddr::from(([192, 0, 2, 1], 27960));
        let keys = KeyTable::default();
        let [connection, parts] =
            [ExchangeKey::Connection(end, end), ExchangeKey::Parts(end, end, 0)];
        assert_ne!(keys.hash(&connection), keys.hash(&parts));
        let [number, text] = ["-1", "4294967295 "]
            .map(|challenge| ExchangeKey::challenge(end, end, challenge.as_bytes()));
        assert_eq!(keys.hash(&number), keys.hash(&text));
    }
}
