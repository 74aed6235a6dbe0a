//! A server's answers (document 010).

use crate::codec::{CountedPairs, CountedText, FieldRole};
use crate::families::read;
use crate::protocol::Game;
use crate::protocols::unreal2::{
    PROTOCOL, PlayersReply, RulesReply, ServerReply, UNREAL2_XMP, UT2003, Unreal2,
};
use crate::simulate::{KnownValue, ServerInfo, written};

/// The keys for known values of a server, by role.
const KNOWN_KEYS: [(&str, FieldRole); 2] = [("name", FieldRole::Host), ("map", FieldRole::Map)];
/// The rules that it tells.
const RULES: &[u8] = b"\x0bServerMode\0\x0adedicated\0\x0dGamePassword\0\x06False\0";

read!(Unreal2);

/// A server with sixteen places and no players.
pub fn server_info() -> ServerInfo {
    ServerInfo::of(&[("name", "A server"), ("map", "DM-Rankin"), ("game type", "xDeathMatch")])
}

/// A server's answer to any request, with the version of its game; `None` if it is no request. A
/// request for all is answered by what the server is.
pub fn answer(version: u32, server_info: &ServerInfo, request: &[u8]) -> Option<Vec<u8>> {
    let value = |key| CountedText::of(server_info.get(key).unwrap_or_default());
    read(request, |message| {
        let Unreal2::Query(query) = message else {
            return None;
        };
        Some(match query.kind {
            1 => written(RulesReply { version, rules: CountedPairs::new(RULES) }),
            2 => written(PlayersReply { version, ..PlayersReply::default() }),
            _ => written(ServerReply {
                version,
                port: 7777,
                query_port: 7778,
                name: value("name"),
                map: value("map"),
                game_type: value("game type"),
                max_players: 16,
                ..ServerReply::default()
            }),
        })
    })
}

/// The answer of a server with these known values.
pub(super) fn server(game: &Game, known: &[KnownValue], request: &[u8]) -> Option<Vec<u8>> {
    let version = if *game == UT2003 {
        121
    } else if *game == UNREAL2_XMP {
        126
    } else {
        128
    };
    answer(version, &server_info().with_known(known, &KNOWN_KEYS), request)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_answer_with_their_version() {
        let server = server_info();
        let reply = answer(128, &server, b"\x79\0\0\0\0").unwrap();
        let answered =
            b"\x80\0\0\0\0\0\0\0\0\0\x61\x1e\0\0\x62\x1e\0\0\x09A server\0\x0aDM-Rankin\0\
            \x0cxDeathMatch\0\0\0\0\0\x10\0\0\0";
        assert_eq!(reply, answered, "{}", reply.escape_ascii());
        let reply = answer(126, &server, b"\x79\0\0\0\x01").unwrap();
        assert!(reply.starts_with(b"\x7e\0\0\0\x01\x0bServerMode\0"));
        assert_eq!(answer(126, &server, b"\x79\0\0\0\x02").unwrap(), b"\x7e\0\0\0\x02");
    }
}
