//! The Quake III family: heartbeats, answers to getinfo and getstatus, list requests, messages of
//! the day and player authorization (documents 000, 001 sections 1, 8 and 11, 004).

use crate::PacketRecords;
use std::net::{IpAddr, SocketAddr};

use crate::families::elite_force::messages;
use crate::families::{ClientListRequest, RegisteringServer};
use crate::{KnownValue, ServerInfo, written};
use codec::{FieldRole, Info, Lines, Tokens};
use protocol::Game;
use protocols::quake3::{
    ChallengeResponse, DARKPLACES as DARKPLACES_KIND, ELITE_FORCE, ENEMY_TERRITORY, GameSelector,
    GetBots, GetIpAuthorize, GetKeyAuthorize, GetMotd, GetServers, GetServersExt,
    GetServersExtResponse, GetServersResponse, GetUpdateInfo, Heartbeat, InfoResponse, PROTOCOL,
    Quake3, RTCW, Register, StatusResponse,
};

/// The tags of heartbeats: 000 heartbeat, 001 8.1, 004 1) heartbeat.
pub const QUAKE: &str = "QuakeArena-1";
/// The tag of Return to Castle Wolfenstein's heartbeats.
pub const WOLF: &str = "Wolfenstein-1";
/// The tag of its shutdown messages.
pub const WOLF_GOES: &str = "WolfFlatline-1";
/// The tag of Enemy Territory's heartbeats.
pub const TERRITORY: &str = "EnemyTerritory-1";
/// The tag of its shutdown messages.
pub const TERRITORY_GOES: &str = "ETFlatline-1";
/// The tag of the heartbeats of DarkPlaces' games.
pub const DARKPLACES: &str = "DarkPlaces";

/// Protocols of the games: 001 1.1.1, 8.5 and 11.5, 004 4) getservers. All others have Quake III's.
const NUMBERS: [(&Game, &str); 3] =
    [(&RTCW, "60"), (&ENEMY_TERRITORY, "82"), (&DARKPLACES_KIND, "3")];
const NUMBER: &str = "68";
/// The game of the DarkPlaces family in the document's request: 004 4) getservers.
const NEXUIZ: &str = "Nexuiz";
/// A challenge as servers send it to clients (001 4.2.6).
const SERVERS_CHALLENGE: &[u8] = b"96116651";
/// The keys for known values of a server, by role.
const KNOWN_KEYS: [(&str, FieldRole); 5] = [
    ("protocol", FieldRole::Protocol),
    ("clients", FieldRole::Players),
    ("sv_maxclients", FieldRole::MaxPlayers),
    ("hostname", FieldRole::Host),
    ("mapname", FieldRole::Map),
];

/// dpmaster's names of the games that do not name themselves.
pub(super) const QUAKE_NAME: &str = "Quake3Arena";
pub(super) const RTCW_NAME: &str = "wolfmp";
pub(super) const TERRITORY_NAME: &str = "et";

/// The second spelling of "nothing or a newline", and of "nothing or a blank".
const THERE: u8 = 1;

/// A server of this protocol with one player on eight places: the required values, and the name and
/// the map, which engines always send (ioquake3, `SVC_Info`); Tremulous' master lists no server
/// without a name.
pub fn server_info(protocol: &str) -> ServerInfo {
    ServerInfo::from_pairs(&[
        ("protocol", protocol),
        ("hostname", "noname"),
        ("mapname", "q3dm17"),
        ("clients", "1"),
        ("sv_maxclients", "8"),
    ])
}

/// A server of the family.
#[derive(Debug, Clone, Copy)]
pub struct RegisteringQuake3 {
    /// The tag of its heartbeats.
    pub tag: &'static str,
}

impl RegisteringServer for RegisteringQuake3 {
    type Challenge = Vec<u8>;

    fn heartbeat(&self, _: &ServerInfo, _: SocketAddr) -> Vec<u8> {
        heartbeat(self.tag)
    }

    fn challenge(request: &[u8]) -> Option<Vec<u8>> {
        challenge(request)
    }

    fn answer(&self, info: &ServerInfo, challenge: &Vec<u8>) -> Vec<u8> {
        info_response(info, challenge)
    }

    /// A getinfo and a getstatus have answers of their own.
    fn answer_request(&self, info: &ServerInfo, request: &[u8]) -> Option<Vec<u8>> {
        answer(info, request)
    }
}

/// A server's heartbeat, or, with another tag, its shutdown message.
pub fn heartbeat(tag: &str) -> Vec<u8> {
    written(Heartbeat { tag: tag.as_bytes(), newline: THERE, ..Heartbeat::default() })
}

/// The challenge of a getinfo or a getstatus, empty if it has none; `None` for another message.
pub fn challenge(request: &[u8]) -> Option<Vec<u8>> {
    with_message(request, |message| match message {
        Quake3::GetInfo(request) => Some(request.challenge.to_vec()),
        Quake3::GetStatus(request) => Some(request.challenge.to_vec()),
        _ => None,
    })
}

/// A server's values, after a challenge, unless that is empty.
pub fn info_response(server_info: &ServerInfo, challenge: &[u8]) -> Vec<u8> {
    let info = challenged(server_info, challenge);
    written(InfoResponse { info: Info::new(&info), ..InfoResponse::default() })
}

/// The same without players, as the answer to getstatus.
pub fn status_response(server_info: &ServerInfo, challenge: &[u8]) -> Vec<u8> {
    let info = challenged(server_info, challenge);
    let players = Lines::default();
    written(StatusResponse { info: Info::new(&info), players, ..StatusResponse::default() })
}

/// The answer to a client that wants to connect.
pub fn challenge_response() -> Vec<u8> {
    written(ChallengeResponse { challenge: SERVERS_CHALLENGE, ..ChallengeResponse::default() })
}

/// A server's answer to any request; `None` if it is no request.
pub fn answer(server_info: &ServerInfo, request: &[u8]) -> Option<Vec<u8>> {
    with_message(request, |message| match message {
        Quake3::GetInfo(request) => Some(info_response(server_info, request.challenge)),
        Quake3::GetStatus(request) => Some(status_response(server_info, request.challenge)),
        Quake3::GetChallenge(_) => Some(challenge_response()),
        _ => None,
    })
}

/// The answer of a server with these known values.
pub(super) fn server(game: &Game, known: &[KnownValue], request: &[u8]) -> Option<Vec<u8>> {
    if *game == ELITE_FORCE {
        return messages::answer(&messages::server_info().with_known(known, &KNOWN_KEYS), request);
    }
    let number = NUMBERS.iter().find(|(of, _)| *of == game).map_or(NUMBER, |(_, number)| number);
    let mut server_info = server_info(number).with_known(known, &KNOWN_KEYS);
    if game.required_keys.contains(&"gamename") {
        server_info = server_info
            .with("gamename", NEXUIZ)
            .with_known(known, &[("gamename", FieldRole::Game)]);
    }
    answer(&server_info, request)
}

/// A list request.
#[derive(Debug, Clone, Copy, Default)]
pub struct Quake3ListRequest<'a> {
    /// The game's name; empty: Quake III's form, without one.
    pub game: &'a str,
    /// The protocol number.
    pub protocol: i64,
    /// `empty full`.
    pub words: &'a str,
    /// Whether a line feed ends the request.
    pub line_feed: bool,
}

impl ClientListRequest for Quake3ListRequest<'_> {
    /// A getservers, or over IPv6, for whose addresses it has no records, a getserversExt with
    /// dpmaster's name of the game.
    fn encode(self, over_ipv6: bool) -> Vec<u8> {
        if !over_ipv6 {
            return self.plain();
        }
        let game = match (self.game, self.protocol) {
            ("", 60) => RTCW_NAME,
            ("", 82) => TERRITORY_NAME,
            ("", _) => QUAKE_NAME,
            (game, _) => game,
        };
        Self { game, ..self }.extended()
    }
}

impl Quake3ListRequest<'_> {
    /// As a getservers.
    pub fn plain(self) -> Vec<u8> {
        let words = self.spaced();
        written(GetServers {
            target: self.target(),
            gamename: self.game.as_bytes(),
            protocol: self.protocol.into(),
            filters: Tokens::new(words.as_bytes()),
            newline: u8::from(self.line_feed),
            ..GetServers::default()
        })
    }

    /// As a getserversExt.
    pub fn extended(self) -> Vec<u8> {
        let words = self.spaced();
        written(GetServersExt {
            target: self.target(),
            gamename: self.game.as_bytes(),
            protocol: self.protocol.into(),
            filters: Tokens::new(words.as_bytes()),
            newline: u8::from(self.line_feed),
            ..GetServersExt::default()
        })
    }

    fn target(self) -> GameSelector {
        if self.game.is_empty() { GameSelector::Numbered } else { GameSelector::Named }
    }

    fn spaced(self) -> String {
        if self.words.is_empty() { String::new() } else { format!(" {}", self.words) }
    }
}

/// The number of a packet of a list, and how many packets it says there are; `None` if it has no
/// number.
pub fn packet_number(packet: &[u8]) -> Option<(i64, i64)> {
    let (is_numbered, index, count) = with_message(packet, |message| match message {
        Quake3::GetServersResponse(l) => Some((l.is_numbered(), l.index.get(), l.count.get())),
        Quake3::GetServersExtResponse(l) => Some((l.is_numbered(), l.index.get(), l.count.get())),
        _ => None,
    })?;
    is_numbered.then_some((index, count))
}

/// A client's request for the message of the day.
pub fn getmotd(challenge: &str, version: &str) -> Vec<u8> {
    let info = ServerInfo::from_pairs(&[
        ("challenge", challenge),
        ("renderer", "none"),
        ("version", version),
    ]);
    let info = info.info();
    written(GetMotd { info: Info::new(&info), newline: THERE, ..GetMotd::default() })
}

/// A client's request for names of bots, which AlterWare's master answers.
pub fn getbots() -> Vec<u8> {
    written(GetBots::default())
}

/// A client's version check.
pub fn get_update_info(version: &str, platform: &str) -> Vec<u8> {
    let (version, platform) = (version.as_bytes(), platform.as_bytes());
    written(GetUpdateInfo { version, platform, newline: THERE, ..GetUpdateInfo::default() })
}

/// A client's key.
pub fn get_key_authorize(key: &str) -> Vec<u8> {
    written(GetKeyAuthorize { key: key.as_bytes(), ..GetKeyAuthorize::default() })
}

/// A server's question about a client.
pub fn get_ip_authorize(challenge: i64, client: IpAddr, game: &str) -> Vec<u8> {
    let address = client.to_string();
    written(GetIpAuthorize {
        challenge: challenge.into(),
        address: address.as_bytes(),
        game: game.as_bytes(),
        blank: THERE,
        strict: 1.into(),
        ..GetIpAuthorize::default()
    })
}

/// A master's announcement of a server to another; over IPv4 only (000 register).
pub fn register(server: SocketAddr) -> Option<Vec<u8>> {
    let SocketAddr::V4(server) = server else {
        return None;
    };
    let (address, port) = (server.ip().octets(), server.port());
    Some(written(Register { address, port, ..Register::default() }))
}

crate::families::with_message!(Quake3);

fn challenged(server_info: &ServerInfo, challenge: &[u8]) -> Vec<u8> {
    if challenge.is_empty() {
        return server_info.info();
    }
    [b"\\challenge\\", challenge, &server_info.info()].concat()
}

/// The servers in one packet of a list; `None` for another message.
pub fn list_records(packet: &[u8]) -> Option<PacketRecords> {
    let (servers, at, length) = with_message(packet, |message| match message {
        Quake3::GetServersResponse(list) => {
            let servers: Vec<_> = list.servers.iter(GetServersResponse::FORM).collect();
            Some((servers, list.offset(), list.servers.raw().len()))
        }
        Quake3::GetServersExtResponse(list) => {
            let servers: Vec<_> = list.servers.iter(GetServersExtResponse::FORM).collect();
            Some((servers, list.offset(), list.servers.raw().len()))
        }
        _ => None,
    })?;
    let end = at + length;
    let mut next = at;
    let position = |server: SocketAddr| {
        let begin = next;
        next += if server.is_ipv4() { 7 } else { 19 };
        (server, begin..next)
    };
    Some(PacketRecords { at, servers: servers.into_iter().map(position).collect(), end })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_those_of_the_documents() {
        let list =
            Quake3ListRequest { protocol: 68, words: "empty full demo", line_feed: true, game: "" };
        let named =
            Quake3ListRequest { game: "Nexuiz", protocol: 3, ..Quake3ListRequest::default() };
        for (message, text) in [
            (heartbeat(QUAKE), "heartbeat QuakeArena-1\n"),
            (list.plain(), "getservers 68 empty full demo\n"),
            (named.plain(), "getservers Nexuiz 3"),
            (named.extended(), "getserversExt Nexuiz 3"),
            (
                info_response(&server_info("68"), b"A_ch"),
                "infoResponse\n\\challenge\\A_ch\\protocol\\68\\hostname\\noname\\mapname\\q3dm17\
                 \\clients\\1\\sv_maxclients\\8",
            ),
            (get_key_authorize("xxxxxxxxxxxxxxxx"), "getKeyAuthorize 0 xxxxxxxxxxxxxxxx"),
            (
                get_ip_authorize(-16, [192, 0, 2, 1].into(), "baseq3"),
                "getIpAuthorize -16 192.0.2.1 baseq3 0 1",
            ),
            (get_update_info("ET 2.55", "linux"), "getUpdateInfo \"ET 2.55\" \"linux\"\n"),
            (
                getmotd("14985", "Q3 1.32"),
                "getmotd \"\\challenge\\14985\\renderer\\none\\version\\Q3 1.32\"\n",
            ),
        ] {
            let expected = [b"\xff\xff\xff\xff", text.as_bytes()].concat();
            assert_eq!(message, expected, "{}", message.escape_ascii());
        }
    }

    #[test]
    fn servers_answer_requests() {
        let server_info = server_info("68");
        let answered = |request: &[u8]| {
            answer(&server_info, request).map(|bytes| bytes.get(4..18).unwrap_or_default().to_vec())
        };
        assert_eq!(answered(b"\xff\xff\xff\xffgetinfo abc").unwrap(), b"infoResponse\n\\");
        assert_eq!(answered(b"\xff\xff\xff\xffgetstatus 123").unwrap(), b"statusResponse");
        assert_eq!(answered(b"\xff\xff\xff\xffgetservers 68"), None);
        assert_eq!(challenge(b"\xff\xff\xff\xffgetinfo abc").unwrap(), b"abc");
        assert_eq!(challenge(b"\xff\xff\xff\xffgetinfo\n").unwrap(), b"");
        assert_eq!(challenge(b"hello"), None);
    }
}
