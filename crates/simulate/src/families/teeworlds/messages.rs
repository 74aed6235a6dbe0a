//! A server's answers to clients and to its master (document 011).

use crate::PacketRecords;
use crate::families::with_message;
use crate::{KnownValue, ServerInfo, written};
use codec::{FieldRole, PLAIN_BIG6, PackedInt};
use protocol::Game;
use protocols::teeworlds::{
    CheckResponse, CheckResponse7, CountRequest, CountRequest5, Counts, ExtendedInfo, Heartbeat,
    Heartbeat5, Info, Info5, Info7, Info64, List, ListRequest, ListRequest5, PROTOCOL, RequestHead,
    Teeworlds, Token7, TokenPair,
};
use std::net::{IpAddr, SocketAddr};

/// The keys for known values of a server, by role.
const KNOWN_KEYS: [(&str, FieldRole); 4] = [
    ("version", FieldRole::Version),
    ("name", FieldRole::Host),
    ("map", FieldRole::Map),
    ("max players", FieldRole::MaxPlayers),
];
/// The version in replies of version 0.7.
const VERSION_7: &[u8] = b"0.7.5";
/// The token that a simulated server gives.
const OWN_TOKEN: [u8; 4] = [0x5e, 0xed, 0x00, 0x07];
/// Nobody is there.
const NONE: &[u8] = b"0";

with_message!(Teeworlds);

/// The heartbeat of a server that plays on this port.
pub fn heartbeat(port: u16) -> Vec<u8> {
    written(Heartbeat { port, ..Heartbeat::default() })
}

/// The same of version 0.5.
pub fn old_heartbeat(port: u16) -> Vec<u8> {
    written(Heartbeat5 { port, ..Heartbeat5::default() })
}

/// A server's answer to a check.
pub fn check_response() -> Vec<u8> {
    written(CheckResponse::default())
}

/// A client's request for the list.
pub fn list_request() -> Vec<u8> {
    written(ListRequest::default())
}

/// The same of version 0.5.
pub fn old_list_request() -> Vec<u8> {
    written(ListRequest5::default())
}

/// A client's request for the number of servers.
pub fn count_request() -> Vec<u8> {
    written(CountRequest::default())
}

/// The same of version 0.5.
pub fn old_count_request() -> Vec<u8> {
    written(CountRequest5::default())
}

/// Whether a datagram is a master's check.
pub fn is_check(bytes: &[u8]) -> bool {
    with_message(bytes, |message| matches!(message, Teeworlds::Check(_)).then_some(())).is_some()
}

/// Whether a datagram says that the server is listed.
pub fn is_listed(bytes: &[u8]) -> bool {
    with_message(bytes, |message| matches!(message, Teeworlds::Listed(_)).then_some(())).is_some()
}

/// The number of servers in a master's answer; `None` for another message.
pub fn count(bytes: &[u8]) -> Option<u16> {
    with_message(bytes, |message| match message {
        Teeworlds::Count(answer) => Some(answer.count),
        Teeworlds::Count5(answer) => Some(answer.count),
        _ => None,
    })
}

/// A server with sixteen places and no players.
pub fn server_info() -> ServerInfo {
    ServerInfo::from_pairs(&[
        ("version", "0.6.5"),
        ("name", "unnamed server"),
        ("map", "dm1"),
        ("game type", "DM"),
        ("max players", "16"),
    ])
}

/// A server's answer to any request; `None` if it is no request.
pub fn answer(server_info: &ServerInfo, request: &[u8]) -> Option<Vec<u8>> {
    let value = |key| server_info.get(key).unwrap_or_default();
    let places = value("max players");
    let counts = Counts { players: NONE, max_players: places, clients: NONE, max_clients: places };
    let info = Info {
        version: value("version"),
        name: value("name"),
        map: value("map"),
        game_type: value("game type"),
        flags: NONE,
        counts,
        ..Info::default()
    };
    let Info { version, name, map, game_type, flags, .. } = info;
    with_message(request, |message| match message {
        Teeworlds::InfoRequest(asked) if asked.head == RequestHead::Extended => {
            let token = u32::from(asked.extra_token) << 8 | u32::from(asked.token);
            Some(written(ExtendedInfo {
                token: token.to_string().as_bytes(),
                version,
                name,
                map,
                crc: NONE,
                size: NONE,
                game_type,
                flags,
                counts,
                ..ExtendedInfo::default()
            }))
        }
        Teeworlds::InfoRequest(asked) => {
            Some(written(Info { token: asked.token.to_string().as_bytes(), ..info }))
        }
        Teeworlds::InfoRequest5(asked) => Some(written(Info5 {
            token: asked.token.to_string().as_bytes(),
            version,
            name,
            map,
            game_type,
            flags,
            progression: NONE,
            players: NONE,
            max_players: places,
            ..Info5::default()
        })),
        Teeworlds::Info64Request(asked) => Some(written(Info64 {
            token: asked.token.to_string().as_bytes(),
            version,
            name,
            map,
            game_type,
            flags,
            counts,
            ..Info64::default()
        })),
        Teeworlds::Check(_) => Some(written(CheckResponse::default())),
        message => answer_7(server_info, &message),
    })
}

/// The answer to a message of version 0.7, whatever its token.
fn answer_7(server_info: &ServerInfo, message: &Teeworlds<'_>) -> Option<Vec<u8>> {
    let value = |key| server_info.get(key).unwrap_or_default();
    let back = |asked: TokenPair| TokenPair {
        packet: asked.response,
        response: u32::from_be_bytes(OWN_TOKEN),
    };
    Some(match message {
        Teeworlds::TokenRequest7(asked) => {
            written(Token7 { packet: asked.given, given: OWN_TOKEN, ..Token7::default() })
        }
        Teeworlds::InfoRequest7(asked) => {
            let places = std::str::from_utf8(value("max players")).ok()?;
            let places = PackedInt::from(places.parse::<i32>().ok()?);
            written(Info7 {
                tokens: back(asked.tokens),
                token: asked.token,
                version: VERSION_7,
                name: value("name"),
                map: value("map"),
                game_type: value("game type"),
                max_players: places,
                max_clients: places,
                ..Info7::default()
            })
        }
        Teeworlds::Check7(asked) => {
            written(CheckResponse7 { tokens: back(asked.tokens), ..CheckResponse7::default() })
        }
        _ => return None,
    })
}

/// The answer of a server with these known values.
pub(super) fn server(_: &Game, known: &[KnownValue], request: &[u8]) -> Option<Vec<u8>> {
    answer(&server_info().with_known(known, &KNOWN_KEYS), request)
}

/// Bytes of the mark and the command, and of one record.
pub const LIST_HEAD: usize = 10 + b"lis2".len();
/// Bytes of one record.
pub const LIST_RECORD: usize = 16 + 2;

/// The servers in one packet of a list; `None` for another message.
pub fn list_records(packet: &[u8]) -> Option<PacketRecords> {
    with_message(packet, |message| match message {
        Teeworlds::List(List { servers }) => {
            let servers = servers.iter(PLAIN_BIG6);
            let plain = servers.map(|server| match server.ip() {
                IpAddr::V6(ip) => SocketAddr::new(ip.to_canonical(), server.port()),
                IpAddr::V4(_) => server,
            });
            Some(PacketRecords::new(LIST_HEAD, LIST_RECORD, plain))
        }
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_answer_with_the_token_of_the_request() {
        let server = server_info();
        let mark = [0xff; 10];
        let asked = |command: &[u8]| answer(&server, &[&mark[..], command].concat()).unwrap();
        let answered = b"inf37\x000.6.5\0unnamed server\0dm1\0DM\x000\x000\x0016\x000\x0016\0";
        assert_eq!(asked(b"gie3\x07"), [&mark[..], answered].concat());
        assert_eq!(asked(b"fw??"), [&mark[..], b"fw!!"].concat());
        let reply = answer(&server, b"xe\x01\x02\0\0\xff\xff\xff\xffgie3\x05").unwrap();
        assert!(reply.starts_with(b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xffiext66053\x000.6.5\0"));
        assert_eq!(answer(&server, &reply), None);
        let seven = b"\x21\x5e\xed\x00\x07\x01\x02\x03\x04\xff\xff\xff\xffgie3\x85\x01";
        let reply = answer(&server, seven).unwrap();
        let back = b"\x21\x01\x02\x03\x04\x5e\xed\x00\x07\xff\xff\xff\xffinf3\x85\x010.7.5\0";
        assert!(reply.starts_with(back));
        assert!(reply.ends_with(b"dm1\0DM\0\0\0\0\x10\0\x10"));
    }
}
