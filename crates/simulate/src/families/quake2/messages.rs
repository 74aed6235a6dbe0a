//! Quake 2 and Heretic 2: a heartbeat with all data, a shutdown message, a ping, and a list request
//! (document 001, sections 2 and 3).

use crate::PacketRecords;
use crate::{KnownValue, ServerInfo, written};
use codec::{FieldRole, Info, Lines, PaddedInfo};
use protocol::Game;
use protocols::quake2::{
    Ack, HERETIC2, Heartbeat, InfoReply, PROTOCOL, Ping, Print, Printed, Quake2, Query, Servers,
    Shutdown,
};

/// The second spelling of "nothing or a newline".
const THERE: u8 = 1;
/// The keys for known values of a server, by role.
const KNOWN_KEYS: [(&str, FieldRole); 5] = [
    ("mapname", FieldRole::Map),
    ("gamename", FieldRole::Game),
    ("maxclients", FieldRole::MaxPlayers),
    ("protocol", FieldRole::Protocol),
    ("hostname", FieldRole::Host),
];

/// A server of Quake 2, with the required settings (001 3.1).
pub fn server_info() -> ServerInfo {
    ServerInfo::from_pairs(&[
        ("mapname", "q2dm1"),
        ("gamename", "baseq2"),
        ("maxclients", "8"),
        ("protocol", "34"),
        ("hostname", "noname"),
    ])
}

/// One of Heretic 2 (001 2.1.2).
pub fn heretic2_server_info() -> ServerInfo {
    ServerInfo::from_pairs(&[
        ("mapname", "dmcitadel"),
        ("gamename", "Heretic2v16"),
        ("maxclients", "8"),
        ("protocol", "51"),
        ("hostname", "noname"),
    ])
}

/// A server's heartbeat with its settings and players: `score ping "name"` each.
pub fn heartbeat(server_info: &ServerInfo, players: &[&str]) -> Vec<u8> {
    let info = server_info.info();
    let players = players.iter().flat_map(|player| [player, "\n"]).collect::<String>();
    written(Heartbeat {
        info: Info::new(&info),
        players: Lines::new(players.as_bytes()),
        ..Heartbeat::default()
    })
}

/// A server's shutdown message.
pub fn shutdown() -> Vec<u8> {
    written(Shutdown::default())
}

/// A server's ping to its master.
pub fn ping() -> Vec<u8> {
    written(Ping::default())
}

/// A server's answer to any request, without players; `None` if it is no request.
///
/// The documents' masters send none. Others do, before they accept a heartbeat.
pub fn answer(server_info: &ServerInfo, request: &[u8]) -> Option<Vec<u8>> {
    let info = server_info.info();
    with_message(request, |message| match message {
        Quake2::Status(_) => {
            let (printed, info) = (Printed::Status, Info::new(&info));
            Some(written(Print { printed, info, ..Print::default() }))
        }
        Quake2::Ping(_) => Some(written(Ack::default())),
        Quake2::InfoRequest(request) => {
            let line = info_line(server_info, request.protocol.get());
            let reply = PaddedInfo::new(&line);
            Some(written(InfoReply { reply, newline: THERE, ..InfoReply::default() }))
        }
        _ => None,
    })
}

/// What a server answers to `info` with this number: its name, map and players, or only its name if
/// the number is that of another protocol.
fn info_line(server_info: &ServerInfo, protocol: i64) -> Vec<u8> {
    let padded = |width: usize, key| {
        let text = server_info.get(key).unwrap_or_default();
        [" ".repeat(width.saturating_sub(text.len())).as_bytes(), text].concat()
    };
    if server_info.get("protocol") != Some(protocol.to_string().as_bytes()) {
        return [&padded(0, "hostname")[..], b": wrong version"].concat();
    }
    let [name, map, places] = [(16, "hostname"), (8, "mapname"), (2, "maxclients")]
        .map(|(width, key)| padded(width, key));
    [&name[..], b" ", &map, b"  0/", &places].concat()
}

/// The answer of a server with these known values.
pub(super) fn server(game: &Game, known: &[KnownValue], request: &[u8]) -> Option<Vec<u8>> {
    let server_info = if *game == HERETIC2 { heretic2_server_info() } else { server_info() };
    answer(&server_info.with_known(known, &KNOWN_KEYS), request)
}

/// A client's list request.
pub fn query() -> Vec<u8> {
    written(Query::default())
}

crate::families::with_message!(Quake2);

/// Bytes before the first record: the mark, the word, a whitespace.
pub const BEFORE_RECORDS: usize = 4 + 7 + 1;

/// The servers in one packet of a list; `None` for another message.
pub fn list_records(bytes: &[u8]) -> Option<PacketRecords> {
    with_message(bytes, |message| match message {
        Quake2::Servers(list) => {
            Some(PacketRecords::new(BEFORE_RECORDS, 6, list.servers.iter(Servers::FORM)))
        }
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_answer_requests() {
        let server_info = ServerInfo::from_pairs(&[("mapname", "q2dm1")]);
        let answered = |request: &[u8]| answer(&server_info, request);
        let status = answered(b"\xff\xff\xff\xffstatus\n").unwrap();
        assert_eq!(status, b"\xff\xff\xff\xffprint\n\\mapname\\q2dm1\n");
        assert_eq!(answered(b"\xff\xff\xff\xffping").unwrap(), b"\xff\xff\xff\xffack");
        assert_eq!(answered(b"\xff\xff\xff\xffack"), None);
        for (request, reply) in [
            ("info 34", "info\n          noname    q2dm1  0/ 8\n"),
            ("info 51\n", "info\nnoname: wrong version\n"),
        ] {
            let request = [b"\xff\xff\xff\xff", request.as_bytes()].concat();
            let answered = answer(&super::server_info(), &request).unwrap();
            assert_eq!(answered, [b"\xff\xff\xff\xff", reply.as_bytes()].concat());
        }
    }

    #[test]
    fn messages_are_those_of_the_documents() {
        let server_info = ServerInfo::from_pairs(&[("mapname", "q2dm1"), ("protocol", "34")]);
        for (message, expected) in [
            (
                heartbeat(&server_info, &[]),
                &b"\xff\xff\xff\xffheartbeat\n\\mapname\\q2dm1\\protocol\\34\n"[..],
            ),
            (
                heartbeat(&ServerInfo::default(), &["-2 17 \"ChickenMan\""]),
                b"\xff\xff\xff\xffheartbeat\n\n-2 17 \"ChickenMan\"\n",
            ),
            (shutdown(), b"\xff\xff\xff\xffshutdown"),
            (ping(), b"\xff\xff\xff\xffping"),
            (query(), b"query\n\0"),
        ] {
            assert_eq!(message, expected, "{}", message.escape_ascii());
        }
    }
}
