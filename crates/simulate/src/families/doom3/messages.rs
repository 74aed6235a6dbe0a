//! Doom 3: heartbeats, answers to getInfo, list requests, version checks and player authorization
//! (documents 001, section 9, and 002).

use crate::PacketRecords;
use std::net::{SocketAddr, SocketAddrV4};

use crate::families::{ClientListRequest, RegisteringServer};
use crate::{KnownValue, ServerInfo, written};
use codec::{FieldRole, Pairs, Records, View as _};
use protocol::Game;
use protocols::doom3::{
    DOOM3, Doom3, GetServers, Heartbeat, InfoResponse, KEYS, PLAYERS, PLAYERS_WITH_CLANS, PROTOCOL,
    Servers, SrvAuth, VersionCheck, is_quake4,
};

/// Protocols of the game's versions 1.0, 1.1, 1.2 and 1.3: 002 "Querying the master server".
pub const FIRST: u32 = 0x0001_0021;
/// The protocol of version 1.1.
pub const SECOND: u32 = 0x0001_0023;
/// The protocol of version 1.2.
pub const THIRD: u32 = 0x0001_0027;
/// The protocol of version 1.3.
pub const FOURTH: u32 = 0x0001_0028;
/// A client's id before it has sent one.
pub const NO_ID: i32 = -1;
/// The keys for known values of a server, by role.
const KNOWN_KEYS: [(&str, FieldRole); 4] = [
    ("fs_game", FieldRole::Game),
    ("si_maxPlayers", FieldRole::MaxPlayers),
    ("si_map", FieldRole::Map),
    ("si_name", FieldRole::Host),
];

/// A server without a password, with eight places, and only required values.
pub fn server_info() -> ServerInfo {
    ServerInfo::from_pairs(&[
        ("fs_game", ""),
        ("si_version", "DOOM 1.3.1"),
        ("si_maxPlayers", "8"),
        ("si_usepass", "0"),
        ("si_gameType", "deathmatch"),
    ])
}

/// A server of Doom 3 or Quake 4.
#[derive(Debug, Clone, Copy)]
pub struct RegisteringDoom3 {
    /// The number of its protocol.
    pub protocol: u32,
    /// How many players it has.
    pub players: u8,
}

impl RegisteringServer for RegisteringDoom3 {
    type Challenge = i32;

    fn heartbeat(&self, _: &ServerInfo, _: SocketAddr) -> Vec<u8> {
        heartbeat()
    }

    fn challenge(request: &[u8]) -> Option<i32> {
        challenge(request)
    }

    fn answer(&self, info: &ServerInfo, challenge: &i32) -> Vec<u8> {
        info_response(info, self.protocol, self.players, *challenge)
    }
}

/// A server's heartbeat.
pub fn heartbeat() -> Vec<u8> {
    written(Heartbeat::default())
}

/// The challenge of a getInfo; `None` for another message.
pub fn challenge(request: &[u8]) -> Option<i32> {
    with_message(request, |message| match message {
        Doom3::GetInfo(request) => Some(request.challenge),
        _ => None,
    })
}

/// More players do not fit into the list, which ends at this id.
const MAX_PLAYERS: u8 = 32;

/// The infoResponse of a server of this protocol, with this many players and this challenge.
pub fn info_response(
    server_info: &ServerInfo,
    protocol: u32,
    players: u8,
    challenge: i32,
) -> Vec<u8> {
    let info = server_info.dictionary();
    let mut list = Vec::new();
    let (form, clan) = if is_quake4(protocol) { (PLAYERS_WITH_CLANS, "\0") } else { (PLAYERS, "") };
    for player in 0..players.min(MAX_PLAYERS) {
        // Its id, its round trip and its rate, little-endian.
        list.extend([player, 50, 0, 0x80, 0x3e, 0, 0]);
        list.extend(format!("player {player}\0{clan}").into_bytes());
    }
    written(InfoResponse {
        challenge,
        protocol,
        info: Pairs::split_off(&info, &KEYS),
        players: Records::split_off(&list, form),
        ended: is_quake4(protocol),
        ..InfoResponse::default()
    })
}

/// A server's answer to any request; `None` if it is no request.
pub fn answer(
    server_info: &ServerInfo,
    protocol: u32,
    players: u8,
    request: &[u8],
) -> Option<Vec<u8>> {
    challenge(request).map(|challenge| info_response(server_info, protocol, players, challenge))
}

/// The answer of a server with these known values and no players; without a known protocol, it is
/// the document's server (001 9.5). Quake 4's version values are in no document.
pub(super) fn server(game: &Game, known: &[KnownValue], request: &[u8]) -> Option<Vec<u8>> {
    let number = known.iter().find(|one| one.role == FieldRole::Protocol);
    let number = number.and_then(|one| std::str::from_utf8(&one.text).ok()?.parse().ok());
    let server_info = match number {
        _ if *game != DOOM3 => server_info().without("si_version"),
        None => server_info().with("si_version", "DOOM 1.0.1262"),
        Some(_) => server_info(),
    };
    answer(&server_info.with_known(known, &KNOWN_KEYS), number.unwrap_or(FIRST), 0, request)
}

/// A client's request for the servers of a protocol and a modification, or of any, with a filter.
pub fn get_servers(protocol: u32, game: &str, filter: u8) -> Vec<u8> {
    written(GetServers { protocol, game: game.as_bytes(), filter, ..GetServers::default() })
}

/// A client's request for a list.
#[derive(Debug, Clone, Copy)]
pub struct Doom3ListRequest<'a> {
    /// The number of the servers' protocol.
    pub protocol: u32,
    /// The folder of their modification; empty: that of the game.
    pub game: &'a str,
    /// Which servers the client wants: 001 9.8.
    pub filter: u8,
}

impl ClientListRequest for Doom3ListRequest<'_> {
    fn encode(self, _: bool) -> Vec<u8> {
        get_servers(self.protocol, self.game, self.filter)
    }
}

/// A client's or server's version check.
pub fn version_check(protocol: u32, version: &str) -> Vec<u8> {
    written(VersionCheck { protocol, version: version.as_bytes(), ..VersionCheck::default() })
}

/// A server's question about a client, which has sent its id and `guid` unless the id is [`NO_ID`].
/// Servers of later protocols say whether they run the expansion.
pub fn srv_auth(protocol: u32, client: SocketAddrV4, id: i32, expansion: Option<u8>) -> Vec<u8> {
    written(SrvAuth {
        protocol,
        address: client.ip().octets(),
        port: client.port(),
        client: id,
        has_expansion: expansion.is_some(),
        expansion: expansion.unwrap_or_default(),
        ..SrvAuth::default()
    })
}

crate::families::with_message!(Doom3);

/// Bytes of the mark, the command and its NUL, and of one record.
pub const LIST_HEAD: usize = b"\xff\xffservers\0".len();
/// Bytes of one record.
pub const LIST_RECORD: usize = 6;

/// The servers in one packet of a list; `None` for another message.
pub fn list_records(packet: &[u8]) -> Option<PacketRecords> {
    with_message(packet, |message| match message {
        Doom3::Servers(list) => {
            Some(PacketRecords::new(LIST_HEAD, LIST_RECORD, list.servers.iter(Servers::FORM)))
        }
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_those_of_the_documents() {
        let client = SocketAddrV4::new([217, 255, 129, 55].into(), 0x0407);
        for (message, expected) in [
            (heartbeat(), &b"\xff\xffheartbeat\0"[..]),
            (get_servers(FIRST, "", 0), b"\xff\xffgetServers\0\x21\0\x01\0\0\0"),
            (get_servers(FOURTH, "", 0x0a), b"\xff\xffgetServers\0\x28\0\x01\0\0\x0a"),
            (version_check(FIRST, "DOOM"), b"\xff\xffversionCheck\0\x21\0\x01\0\0\0DOOM\0\0"),
            (
                srv_auth(FIRST, client, NO_ID, None),
                b"\xff\xffsrvAuth\0\x21\0\x01\0\xd9\xff\x81\x37\x07\x04\xff\xff\xff\xff",
            ),
            (
                srv_auth(FIRST, client, 0x10af, None),
                b"\xff\xffsrvAuth\0\x21\0\x01\0\xd9\xff\x81\x37\x07\x04\xaf\x10\0\0\0",
            ),
            (
                srv_auth(FOURTH, client, 0x10af, Some(1)),
                b"\xff\xffsrvAuth\0\x28\0\x01\0\xd9\xff\x81\x37\x07\x04\xaf\x10\0\0\0\x01",
            ),
        ] {
            assert_eq!(message, expected, "{}", message.escape_ascii());
        }
    }

    #[test]
    fn servers_answer_with_info_and_players() {
        let server_info = ServerInfo::from_pairs(&[("si_maxPlayers", "8")]);
        assert_eq!(
            info_response(&server_info, FIRST, 1, 7),
            b"\xff\xffinfoResponse\0\x07\0\0\0\x21\0\x01\0si_maxPlayers\x008\0\0\0\
              \0\x32\0\x80\x3e\0\0player 0\0\x20\0\0\0\0"
        );
        assert_eq!(challenge(b"\xff\xffgetInfo\0\x01\x01\x01\x01"), Some(0x0101_0101));
        assert_eq!(challenge(b"\xff\xffheartbeat\0"), None);
        let answered = answer(&server_info, FIRST, 1, b"\xff\xffgetInfo\0\x07\0\0\0");
        assert_eq!(answered, Some(info_response(&server_info, FIRST, 1, 7)));
    }
}
