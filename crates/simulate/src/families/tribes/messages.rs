//! A server's answers (document 010).

use crate::families::with_message;
use crate::{KnownValue, ServerInfo, written};
use codec::{CountedText, FieldRole, Records};
use protocol::Game;
use protocols::tribes::{Described, InfoReply, PROTOCOL, StatusReply, Tribes};

/// The keys for known values of a server, by role.
const KNOWN_KEYS: [(&str, FieldRole); 3] =
    [("name", FieldRole::Host), ("map", FieldRole::Map), ("version", FieldRole::Version)];
/// Two teams, each with the row of the table.
const TEAMS: &[u8] = b"\x0bBlood Eagle\x04%t\t0\x0dDiamond Sword\x04%t\t0";

with_message!(Tribes);

/// A server with 32 places and no players.
pub fn server_info() -> ServerInfo {
    ServerInfo::from_pairs(&[("version", "1.11"), ("name", "A server"), ("map", "Raindance")])
}

/// A server's answer to any request; `None` if it is no request.
pub fn answer(server_info: &ServerInfo, request: &[u8]) -> Option<Vec<u8>> {
    let value = |key| CountedText::new(server_info.get(key).unwrap_or_default());
    let described = |key| Described {
        key,
        game: CountedText::new(b"Tribes"),
        version: value("version"),
        name: value("name"),
        dedicated: 1,
        max_players: 32,
        ..Described::default()
    };
    with_message(request, |message| match message {
        Tribes::InfoRequest(asked) => Some(written(InfoReply { described: described(asked.key) })),
        Tribes::StatusRequest(asked) => Some(written(StatusReply {
            described: described(asked.key),
            mods: CountedText::new(b"base"),
            game_type: CountedText::new(b"Capture the Flag"),
            map: value("map"),
            team_count: 2,
            team_heading: CountedText::new(b"Team Name\tScore"),
            player_heading: CountedText::new(b"Player Name\tTeam\tScore"),
            teams: Records::new(TEAMS),
            ..StatusReply::default()
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
        let reply = answer(&server, b"`x1").unwrap();
        let expected = b"ax1b\x06Tribes\x041.11\x08A server\x01\0\0\x20";
        assert_eq!(reply, expected, "{}", reply.escape_ascii());
        let reply = answer(&server, b"b**").unwrap();
        assert!(
            reply.starts_with(b"c**b\x06Tribes\x041.11\x08A server"),
            "{}",
            reply.escape_ascii()
        );
        assert!(reply.ends_with(TEAMS), "{}", reply.escape_ascii());
    }
}
