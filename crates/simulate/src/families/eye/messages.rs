//! A server's answer (document 012).

use crate::families::with_message;
use crate::{KnownValue, ServerInfo, written};
use codec::{CountedText, FieldRole};
use protocol::Game;
use protocols::eye::{Eye, MTA, PROTOCOL, StatusReply};

/// The keys for known values of a server, by role.
const KNOWN_KEYS: [(&str, FieldRole); 3] =
    [("name", FieldRole::Host), ("map", FieldRole::Map), ("version", FieldRole::Version)];

with_message!(Eye);

/// A server with 32 places and no players.
pub fn server_info(game: &Game) -> ServerInfo {
    let is_mta = *game == MTA;
    ServerInfo::from_pairs(&[
        ("game", if is_mta { "mta" } else { "game" }),
        ("port", "22003"),
        ("name", "A server"),
        ("game type", if is_mta { "MTA:SA" } else { "" }),
        ("map", "None"),
        ("version", "1.6"),
    ])
}

/// A server's answer to any request; `None` if it is no request.
pub fn answer(server_info: &ServerInfo, request: &[u8]) -> Option<Vec<u8>> {
    let value = |key| CountedText::new(server_info.get(key).unwrap_or_default());
    with_message(request, |message| match message {
        Eye::StatusRequest(_) => Some(written(StatusReply {
            game: value("game"),
            port: value("port"),
            name: value("name"),
            game_type: value("game type"),
            map: value("map"),
            version: value("version"),
            password: CountedText::new(b"0"),
            players: CountedText::new(b"0"),
            max_players: CountedText::new(b"32"),
            ..StatusReply::default()
        })),
        Eye::StatusReply(_) => None,
    })
}

/// The answer of a server with these known values.
pub(super) fn server(game: &Game, known: &[KnownValue], request: &[u8]) -> Option<Vec<u8>> {
    answer(&server_info(game).with_known(known, &KNOWN_KEYS), request)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_answer_the_letter() {
        let reply = answer(&server_info(&MTA), b"s").unwrap();
        let expected =
            b"EYE1\x04mta\x0622003\x09A server\x07MTA:SA\x05None\x041.6\x020\x020\x0332\x01";
        assert_eq!(reply, expected, "{}", reply.escape_ascii());
        assert_eq!(answer(&server_info(&MTA), &reply), None);
    }
}
