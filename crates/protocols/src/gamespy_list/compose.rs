//! Makes lists: what their messages are read from, as a master writes it.

use std::net::{Ipv4Addr, SocketAddrV4};

use super::list::MASKS;
use super::servers::{
    ANSWERS_ALL, HAS_KEYS, NEGOTIATES, NOT_COMMON, OWN_PORT, OWN_PRIVATE_PORT, PRIVATE,
};

/// The header of a list, [`super::CryptHeader`]: random bytes, of which the first two are the game's
/// flags, and the master's challenge. At most 255 bytes of each count.
pub fn header(random: &[u8], challenge: &[u8]) -> Vec<u8> {
    let mut raw = Vec::with_capacity(random.len() + challenge.len() + 2);
    for (half, mask) in [random, challenge].into_iter().zip(MASKS) {
        let half = half.get(..usize::from(u8::MAX)).unwrap_or(half);
        raw.push(half.len() as u8 ^ mask);
        raw.extend_from_slice(half);
    }
    raw
}

/// The keys of a list, [`super::KeyTypes`], each with a text as value. At most 255 count.
pub fn key_types(names: &[&[u8]]) -> Vec<u8> {
    let names = names.get(..usize::from(u8::MAX)).unwrap_or(names);
    let mut raw = vec![names.len() as u8];
    for name in names {
        raw.push(0);
        raw.extend_from_slice(name);
        raw.push(0);
    }
    raw
}

/// What a list tells of a server.
#[derive(Debug, Clone, Copy)]
pub struct NewServer<'a> {
    /// Whether it is reached by NAT negotiation alone.
    pub negotiates: bool,
    /// Its address in its own network.
    pub private: Option<SocketAddrV4>,
    /// The values of the list's keys, as texts.
    pub values: &'a [&'a [u8]],
}

impl NewServer<'_> {
    /// Appends the record of the server to those of a list, [`super::Servers`]. `address` is its
    /// address and its port, six bytes in network order.
    pub fn push(self, address: &[u8], raw: &mut Vec<u8>) {
        let keys = if self.values.is_empty() { 0 } else { HAS_KEYS };
        let reached = if self.negotiates { NEGOTIATES } else { ANSWERS_ALL };
        let private = self.private.map_or(0, |_| PRIVATE | OWN_PRIVATE_PORT);
        raw.push((OWN_PORT | keys | reached | private) as u8);
        raw.extend_from_slice(address);
        if let Some(private) = self.private {
            raw.extend_from_slice(&Ipv4Addr::octets(private.ip()));
            raw.extend_from_slice(&private.port().to_be_bytes());
        }
        for value in self.values {
            raw.push(NOT_COMMON);
            raw.extend_from_slice(value);
            raw.push(0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{CryptHeader, KeyTypes, PopularValues, ServerForm, Servers};
    use super::*;
    use codec::{RawBytes as _, View as _};

    #[test]
    fn what_is_made_is_read() {
        let head = header(b"\0\0random", b"challenge");
        let (read, behind) = CryptHeader::split(&head).unwrap();
        assert_eq!((read.raw(), behind), (&head[..], &b""[..]));
        assert_eq!(read.challenge(), b"challenge");

        let keys = key_types(&[b"hostname", b"mapname"]);
        let keys = KeyTypes::split_off(&keys, ());
        assert_eq!(keys.iter().collect::<Vec<_>>(), [(0, &b"hostname"[..]), (0, b"mapname")]);

        let mut raw = Vec::new();
        let private = Some("10.0.0.7:29901".parse().unwrap());
        for (negotiates, private) in [(false, None), (true, private)] {
            NewServer { negotiates, private, values: &[b"one", b""] }
                .push(b"\xc0\0\x02\x0a\x74\xcc", &mut raw);
        }
        let first = b"\x51\xc0\0\x02\x0a\x74\xcc\xffone\0\xff\0";
        let second = b"\x76\xc0\0\x02\x0a\x74\xcc\x0a\0\0\x07\x74\xcd\xffone\0\xff\0";
        assert_eq!(raw, [&first[..], second].concat());
        let servers = Servers::split_off(&raw, ServerForm { keys });
        assert_eq!(servers.raw(), raw);
        for record in servers.records(ServerForm { keys }) {
            assert_eq!(record.address(1), "192.0.2.10:29900".parse().unwrap());
            let values = record.values(ServerForm { keys }, PopularValues::default());
            assert_eq!(values, Some(vec![b"one".to_vec(), Vec::new()]));
        }
    }
}
