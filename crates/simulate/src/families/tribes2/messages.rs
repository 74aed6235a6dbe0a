//! A server's answers (document 010).

use crate::families::with_message;
use crate::{KnownValue, ServerInfo, written};
use codec::{CountedText, FieldRole};
use protocol::Game;
use protocols::tribes2::{InfoReply, PROTOCOL, PingReply, Tribes2};

/// The keys for known values of a server, by role.
const KNOWN_KEYS: [(&str, FieldRole); 2] = [("name", FieldRole::Host), ("map", FieldRole::Map)];
/// Two teams and nobody in them.
const SCORES: &[u8] = b"2\nStorm\t0\nInferno\t0\n0\n";

with_message!(Tribes2);

/// A server with 32 places and no players.
pub fn server_info() -> ServerInfo {
    ServerInfo::from_pairs(&[("name", "A server"), ("map", "Katabatic")])
}

/// A server's answer to any request; `None` if it is no request.
pub fn answer(server_info: &ServerInfo, request: &[u8]) -> Option<Vec<u8>> {
    let value = |key| CountedText::new(server_info.get(key).unwrap_or_default());
    with_message(request, |message| match message {
        Tribes2::Ping(asked) => Some(written(PingReply {
            flags: asked.flags,
            key: asked.key,
            version: CountedText::new(b"VER5"),
            protocol: 52,
            minimum: 51,
            build: 25034,
            name: value("name"),
            ..PingReply::default()
        })),
        Tribes2::InfoRequest(asked) => Some(written(InfoReply {
            flags: asked.flags,
            key: asked.key,
            mods: CountedText::new(b"base"),
            mission_type: CountedText::new(b"CTF"),
            map: value("map"),
            status: 1,
            max_players: 32,
            length: u16::try_from(SCORES.len()).unwrap_or_default(),
            scores: SCORES,
            ..InfoReply::default()
        })),
        _ => None,
    })
}

/// The answer of a server with these known values.
pub(super) fn server(_: &Game, known: &[KnownValue], request: &[u8]) -> Option<Vec<u8>> {
    answer(&server_info().with_known(known, &KNOWN_KEYS), request)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_answer_with_the_key_of_the_request() {
        let server = server_info();
        let reply = answer(&server, b"\x0e\x02\x01\x02\x03\x04").unwrap();
        let expected =
            b"\x10\x02\x01\x02\x03\x04\x04VER5\x34\0\0\0\x33\0\0\0\xca\x61\0\0\x08A server";
        assert_eq!(reply, expected, "{}", reply.escape_ascii());
        let reply = answer(&server, b"\x12\x02\x01\x02\x03\x04").unwrap();
        assert!(reply.starts_with(b"\x14\x02\x01\x02\x03\x04\x04base\x03CTF\x09Katabatic\x01"));
    }
}
