//! A server's answers (document 010).

use crate::families::with_message;
use crate::{KnownValue, ServerInfo, written};
use codec::{CountedPairs, CountedText, FieldRole};
use protocol::Game;
use protocols::unreal2::{
    KILLING_FLOOR, PROTOCOL, PlayersReply, Query, RulesReply, ServerReply, UNREAL2_XMP, UT2003,
    Unreal2, Waves,
};

/// The keys for known values of a server, by role.
const KNOWN_KEYS: [(&str, FieldRole); 2] = [("name", FieldRole::Host), ("map", FieldRole::Map)];
/// The rules that it tells.
const RULES: &[u8] = b"\x0bServerMode\0\x0adedicated\0\x0dGamePassword\0\x06False\0";

with_message!(Unreal2);

/// A server with sixteen places and no players.
pub fn server_info() -> ServerInfo {
    ServerInfo::from_pairs(&[
        ("name", "A server"),
        ("map", "DM-Rankin"),
        ("game type", "xDeathMatch"),
    ])
}

/// A server's answers to any request, with the version and the form of its game: a datagram for each
/// kind of information that is asked for.
pub fn answers(game: &Game, server_info: &ServerInfo, request: &[u8]) -> Vec<Vec<u8>> {
    let value = |key| CountedText::new(server_info.get(key).unwrap_or_default());
    let version = version(game);
    let waves = if *game == KILLING_FLOOR { Waves::Present } else { Waves::Absent };
    let kinds = with_message(request, |message| match message {
        Unreal2::Query(Query { kind: 3, .. }) => Some(0..3),
        Unreal2::Query(Query { kind, .. }) => Some(kind..kind + 1),
        _ => None,
    });
    let kinds = kinds.into_iter().flatten();
    let answer = |kind| match kind {
        0 => written(ServerReply {
            version,
            port: 7777,
            query_port: 7778,
            name: value("name"),
            map: value("map"),
            game_type: value("game type"),
            max_players: 16,
            has_more: *game != UT2003,
            waves,
            skill: CountedText::new(b"2"),
            ..ServerReply::default()
        }),
        1 => written(RulesReply { version, rules: CountedPairs::new(RULES) }),
        _ => written(PlayersReply { version, ..PlayersReply::default() }),
    };
    kinds.map(answer).collect()
}

/// The version with which servers of a game answer.
fn version(game: &Game) -> u32 {
    if *game == UT2003 {
        121
    } else if *game == UNREAL2_XMP {
        126
    } else {
        128
    }
}

/// The answers of a server with these known values.
pub(super) fn server(game: &Game, known: &[KnownValue], request: &[u8]) -> Vec<Vec<u8>> {
    answers(game, &server_info().with_known(known, &KNOWN_KEYS), request)
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocols::unreal2::UT2004;

    #[test]
    fn servers_answer_with_their_version() {
        let server = server_info();
        let reply = answers(&UT2004, &server, b"\x79\0\0\0\0").remove(0);
        let answered =
            b"\x80\0\0\0\0\0\0\0\0\0\x61\x1e\0\0\x62\x1e\0\0\x09A server\0\x0aDM-Rankin\0\
            \x0cxDeathMatch\0\0\0\0\0\x10\0\0\0\0\0\0\0\0\0\0\0\x022\0";
        assert_eq!(reply, answered, "{}", reply.escape_ascii());
        let reply = answers(&UNREAL2_XMP, &server, b"\x79\0\0\0\x01").remove(0);
        assert!(reply.starts_with(b"\x7e\0\0\0\x01\x0bServerMode\0"));
        assert_eq!(answers(&UNREAL2_XMP, &server, b"\x79\0\0\0\x02"), [b"\x7e\0\0\0\x02"]);
        assert_eq!(answers(&UT2003, &server, b"\x78\0\0\0\x03").len(), 3);
    }
}
