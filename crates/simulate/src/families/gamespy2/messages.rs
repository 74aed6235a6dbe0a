//! GameSpy's second query protocol: a server's answers (document 008, qr2.c).

use crate::{KnownValue, ServerInfo, written};
use codec::{FieldRole, Scratch, View as _};
use protocol::{Carrier, Direction, Game};
use protocols::gamespy2::{
    FieldTable, GameSpy2, PROTOCOL, QueryReply, ReplyBody, ReplyForm, Settings, TableKind,
};

/// The keys for known values of a server, by role.
pub(in crate::families) const KNOWN_KEYS: [(&str, FieldRole); 4] = [
    ("hostname", FieldRole::Host),
    ("mapname", FieldRole::Map),
    ("numplayers", FieldRole::Players),
    ("maxplayers", FieldRole::MaxPlayers),
];

/// One player, and two teams.
const PLAYERS: &[u8] = b"\0\x01player_\0score_\0ping_\0team_\0\0Alfa\x002\x0031\x000\0";
const TEAMS: &[u8] = b"\0\x02team_t\0score_t\0\0Red\x002\0Blue\x000\0";

/// A server with one player on sixteen places.
pub fn server_info() -> ServerInfo {
    ServerInfo::from_pairs(&[
        ("hostname", "a server"),
        ("gamever", "1.00"),
        ("hostport", "2302"),
        ("mapname", "bloodgulch"),
        ("gametype", "CTF"),
        ("numplayers", "1"),
        ("maxplayers", "16"),
        ("password", "0"),
        ("gamemode", "openplaying"),
    ])
}

/// A server's answer to a query: what it asks for of settings, players and teams; `None` if it is no
/// query, or one for keys by their numbers, which games choose.
pub fn answer(server_info: &ServerInfo, request: &[u8]) -> Option<Vec<u8>> {
    let entry = protocols::recognise(&PROTOCOL, Carrier::Datagram, request, Direction::default())?;
    let mut scratch = Scratch::default();
    let decoded = GameSpy2::decode(entry, request, &mut scratch).filter(|of| of.fault.is_none())?;
    let GameSpy2::Query(query) = decoded.message else { return None };
    let asks = [query.server, query.players, query.teams];
    if asks.into_iter().any(|keys| keys.is_any() && !keys.is_all()) {
        return None;
    }
    let info = server_info.dictionary();
    let form = if query.server.is_any() { ReplyForm::Settings } else { ReplyForm::Tables };
    let tables = match (query.players.is_any(), query.teams.is_any()) {
        (true, _) => TableKind::Players,
        (false, true) => TableKind::Teams,
        (false, false) => TableKind::None,
    };
    let body = ReplyBody {
        info: Settings::split_off(&info, ()),
        tables,
        players: FieldTable::split_off(PLAYERS)?.0,
        has_teams: query.teams.is_any(),
        teams: FieldTable::split_off(TEAMS)?.0,
        ..ReplyBody::default()
    };
    Some(written(QueryReply { key: query.key, form, body }))
}

/// The answer of a server with these known values.
pub(super) fn server(_: &Game, known: &[KnownValue], request: &[u8]) -> Option<Vec<u8>> {
    answer(&server_info().with_known(known, &KNOWN_KEYS), request)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_answer_what_is_asked_for() {
        let server_info = ServerInfo::from_pairs(&[("hostname", "x")]);
        let asked = |selectors: &[u8]| {
            let query = [b"\xfe\xfd\0\0\0\0\x07", selectors].concat();
            answer(&server_info, &query)
        };
        let settings = &b"\0\0\0\0\x07hostname\0x\0\0"[..];
        for (selectors, expected) in [
            (b"\xff\0\0", settings.to_vec()),
            (b"\0\xff\0", [b"\0\0\0\0\x07", PLAYERS].concat()),
            (b"\0\0\xff", [b"\0\0\0\0\x07", TEAMS].concat()),
            (b"\xff\xff\xff", [settings, PLAYERS, TEAMS].concat()),
            (b"\xff\0\xff", [settings, TEAMS].concat()),
        ] {
            let got = asked(selectors).unwrap();
            assert_eq!(got, expected, "{}", got.escape_ascii());
        }
        assert_eq!(asked(b"\x01\x05\0\0"), None);
        assert_eq!(answer(&server_info, settings), None);
    }
}
