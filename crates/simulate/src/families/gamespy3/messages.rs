//! GameSpy's third query protocol: a server's challenge and its answers (document 008, qr2.c).

use crate::families::gamespy2::messages::KNOWN_KEYS;
use crate::{KnownValue, ServerInfo, written};
use codec::{Decimal, Scratch, View as _};
use protocol::{Carrier, Direction, Game};
use protocols::gamespy2::{ReplyBody, Settings, TableOf};
use protocols::gamespy3::{
    BasicReply, ChallengeReply, Columns, GameSpy3, HasPlayers, HasSettings, HasTeams, MINECRAFT,
    PROTOCOL, PlainReply, QueryForm, ReplyPart, Sections,
};

/// The challenge of a simulated server, which wants it back from nobody. As a number of Minecraft's
/// it has 24 bits.
const CHALLENGE: i64 = 9_513_307;
/// The number of the only part of a reply.
const ONLY: u8 = 0x80;
/// One player, and two teams.
const PLAYERS: &[u8] = b"player_\0\0Alfa\0\0score_\0\x002\0\0ping_\0\x0031\0\0team_\0\x001\0\0";
const TEAMS: &[u8] = b"team_t\0\0Red\0Blue\0\0score_t\0\x002\x000\0\0";

/// A server with one player on 64 places.
pub fn server_info(game: &Game) -> ServerInfo {
    let info = ServerInfo::from_pairs(&[
        ("hostname", "a server"),
        ("gamever", "1.00"),
        ("hostport", "16567"),
        ("mapname", "Strike At Karkand"),
        ("gametype", "gpm_cq"),
        ("numplayers", "1"),
        ("maxplayers", "64"),
        ("password", "0"),
        ("gamemode", "openplaying"),
    ]);
    if *game == MINECRAFT {
        info.without("mapname").with("map", "world").with("game_id", "MINECRAFT")
    } else {
        info
    }
}

/// A server's answer to a request for a challenge, or to a query, in one datagram; `None` if it is
/// neither.
pub fn answer(server_info: &ServerInfo, request: &[u8]) -> Option<Vec<u8>> {
    let entry = protocols::recognise(&PROTOCOL, Carrier::Datagram, request, Direction::default())?;
    let mut scratch = Scratch::default();
    let decoded = GameSpy3::decode(entry, request, &mut scratch).filter(|of| of.fault.is_none())?;
    let query = match decoded.message {
        GameSpy3::ChallengeRequest(request) => {
            let challenge = Decimal::from(CHALLENGE);
            return Some(written(ChallengeReply { key: request.key, challenge }));
        }
        GameSpy3::Query(query) => query,
        _ => return None,
    };
    let key = query.key;
    let value = |name: &str| server_info.get(name).unwrap_or_default();
    if query.form == QueryForm::Basic {
        let map = server_info.get("map").unwrap_or_else(|| value("mapname"));
        return Some(written(BasicReply {
            key,
            host: value("hostname"),
            game_type: value("gametype"),
            map,
            players: value("numplayers"),
            max_players: value("maxplayers"),
            port: 25565,
            address: b"192.0.2.7",
        }));
    }
    let info = server_info.dictionary();
    let info = Settings::split_off(&info, ());
    // Minecraft's clients send no options.
    if query.selection.options & 1 == 0 && query.selection.server.is_all() {
        return Some(written(PlainReply { key, body: ReplyBody { info, ..ReplyBody::default() } }));
    }
    let sections = Sections {
        has_settings: HasSettings::Yes,
        info,
        has_players: HasPlayers::Yes,
        players: Columns::split_off(PLAYERS, TableOf::Players),
        has_teams: HasTeams::Yes,
        teams: Columns::split_off(TEAMS, TableOf::Teams),
        ..Sections::default()
    };
    Some(written(ReplyPart { key, number: ONLY, sections }))
}

/// The answer of a server with these known values.
pub(super) fn server(game: &Game, known: &[KnownValue], request: &[u8]) -> Option<Vec<u8>> {
    let keys = KNOWN_KEYS.map(|(key, role)| match key {
        "mapname" if *game == MINECRAFT => ("map", role),
        key => (key, role),
    });
    answer(&server_info(game).with_known(known, &keys), request)
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocols::gamespy3::BATTLEFIELD_2;

    #[test]
    fn servers_answer_requests() {
        let info = server_info(&BATTLEFIELD_2);
        let challenge = answer(&info, b"\xfe\xfd\x09\0\0\0\x07").unwrap();
        assert_eq!(challenge, b"\x09\0\0\0\x079513307\0");
        for (query, begins) in [
            (&b"\xfe\xfd\0\0\0\0\x07\xff\xff\xff\x01"[..], &b"\0\0\0\0\x07splitnum\0\x80\0"[..]),
            (
                b"\xfe\xfd\0\0\0\0\x07\0\x91\x29\x5b\xff\xff\xff\x01",
                b"\0\0\0\0\x07splitnum\0\x80\0",
            ),
            (b"\xfe\xfd\0\0\0\0\x07\0\x91\x29\x5b\0\0\0\0", b"\0\0\0\0\x07splitnum\0\x80\0"),
            (b"\xfe\xfd\0\0\0\0\x07\xff\0\0\0", b"\0\0\0\0\x07hostname\0a server\0"),
            (b"\xfe\xfd\0\0\0\0\x07\0\x91\x29\x5b", b"\0\0\0\0\x07a server\0gpm_cq\0"),
        ] {
            let reply = answer(&info, query).unwrap();
            assert!(reply.starts_with(begins), "{}", reply.escape_ascii());
        }
        assert_eq!(answer(&info, &challenge), None);
    }
}
