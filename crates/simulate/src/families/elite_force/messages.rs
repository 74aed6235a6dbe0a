//! Elite Force, where it differs: heartbeats in pairs, a quoted description, and a status from
//! which its master reads the values for lists (document 001, section 4).

use std::net::SocketAddr;

use crate::PacketRecords;
use crate::families::RegisteringServer;
use crate::families::quake3::messages::{challenge_response, with_message};
use crate::{ServerInfo, written};
use codec::{Info, Lines};
use protocols::quake3::{HeartbeatPairs, Heartstop, HexList, Quake3, QuotedInfo, StatusResponse};

/// The game name that its servers send to a master (001 4.2.9).
pub const GAME: &str = "STEF1";

/// A server of version 1.20 with one player on eight places. Its answers express `clients`,
/// `sv_maxclients` and `sv_privateClients` each in their own way.
pub fn server_info() -> ServerInfo {
    ServerInfo::from_pairs(&[
        ("protocol", "24"),
        ("clients", "1"),
        ("sv_maxclients", "8"),
        ("sv_privateClients", "0"),
        ("gametype", "0"),
    ])
}

/// A server of Elite Force.
#[derive(Debug, Clone, Copy)]
pub struct RegisteringEliteForce;

impl RegisteringServer for RegisteringEliteForce {
    type Challenge = EliteForceQuestion;

    fn heartbeat(&self, _: &ServerInfo, address: SocketAddr) -> Vec<u8> {
        heartbeat(address.port(), GAME)
    }

    /// The request for settings; a getchallenge comes before it.
    fn challenge(request: &[u8]) -> Option<EliteForceQuestion> {
        question(request).filter(|question| *question != EliteForceQuestion::Challenge)
    }

    fn answer_before(&self, info: &ServerInfo, message: &[u8]) -> Option<Vec<u8>> {
        let question = question(message)?;
        (question == EliteForceQuestion::Challenge).then(|| reply(info, &question))
    }

    fn answer(&self, info: &ServerInfo, challenge: &EliteForceQuestion) -> Vec<u8> {
        reply(info, challenge)
    }
}

/// A server's heartbeat, with its game port.
pub fn heartbeat(port: u16, game: &str) -> Vec<u8> {
    let gamename = game.as_bytes();
    written(HeartbeatPairs { port: i64::from(port).into(), gamename, last: 0 })
}

/// A server's shutdown message.
pub fn heartstop(port: u16) -> Vec<u8> {
    written(Heartstop { port: i64::from(port).into(), gamename: GAME.as_bytes(), last: 0 })
}

/// A request that a master may send to a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EliteForceQuestion {
    /// getinfo, with its challenge or an empty one.
    Info(Vec<u8>),
    /// getstatus, the same.
    Status(Vec<u8>),
    /// getchallenge.
    Challenge,
}

/// The request to a server; `None` for another message.
pub fn question(request: &[u8]) -> Option<EliteForceQuestion> {
    with_message(request, |message| match message {
        Quake3::GetInfo(request) => Some(EliteForceQuestion::Info(request.challenge.to_vec())),
        Quake3::GetStatus(request) => Some(EliteForceQuestion::Status(request.challenge.to_vec())),
        Quake3::GetChallenge(_) => Some(EliteForceQuestion::Challenge),
        _ => None,
    })
}

/// A server's answer to any request; `None` if it is no request.
pub fn answer(server_info: &ServerInfo, request: &[u8]) -> Option<Vec<u8>> {
    question(request).map(|question| reply(server_info, &question))
}

/// A server's answer to a request.
pub fn reply(server_info: &ServerInfo, question: &EliteForceQuestion) -> Vec<u8> {
    match question {
        EliteForceQuestion::Info(challenge) => quoted_info(server_info, challenge),
        EliteForceQuestion::Status(challenge) => status_response(server_info, challenge),
        EliteForceQuestion::Challenge => challenge_response(),
    }
}

/// The short description, quoted. Places are those without a password (from the released sources of
/// Quake III).
fn quoted_info(server_info: &ServerInfo, challenge: &[u8]) -> Vec<u8> {
    let places = number(server_info, "sv_maxclients").map(|all| {
        all.saturating_sub(number(server_info, "sv_privateClients").unwrap_or_default())
    });
    let mut short = server_info.clone().without("sv_privateClients");
    if let Some(places) = places {
        short = short.with("sv_maxclients", places.to_string());
    }
    let info = challenged(&short, challenge);
    written(QuotedInfo { info: Info::new(&info), ..QuotedInfo::default() })
}

/// All settings, and a line for each player.
fn status_response(server_info: &ServerInfo, challenge: &[u8]) -> Vec<u8> {
    let count = number(server_info, "clients").unwrap_or_default();
    let players: Vec<_> = (1..=count).map(|n| format!("{n} 0 \"Player {n}\"\n")).collect();
    let players = players.concat();
    let mut long = server_info.clone().without("clients").without("gametype");
    if let Some(rules) = server_info.get("gametype") {
        long = long.with("g_gametype", rules);
    }
    let info = challenged(&long, challenge);
    let players = Lines::new(players.as_bytes());
    written(StatusResponse { info: Info::new(&info), players, ..StatusResponse::default() })
}

fn number(server_info: &ServerInfo, key: &str) -> Option<u32> {
    std::str::from_utf8(server_info.get(key)?).ok()?.parse().ok()
}

fn challenged(server_info: &ServerInfo, challenge: &[u8]) -> Vec<u8> {
    if challenge.is_empty() {
        return server_info.info();
    }
    [b"\\challenge\\", challenge, &server_info.info()].concat()
}

/// Bytes before the records: the mark, the word, a blank.
pub const LIST_HEAD: usize = b"\xff\xff\xff\xffgetserversResponse ".len();
/// A separator, and twelve hex digits.
pub const LIST_RECORD: usize = 13;

/// The servers in one packet of a list; `None` for another message.
pub fn list_records(packet: &[u8]) -> Option<PacketRecords> {
    with_message(packet, |message| match message {
        Quake3::HexList(list) => {
            Some(PacketRecords::new(LIST_HEAD, LIST_RECORD, list.servers.iter(HexList::FORM)))
        }
        _ => None,
    })
}

/// The protocol of version 1.20.
pub const PROTOCOL: u32 = 24;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_those_of_the_document() {
        let server_info = server_info().with("clients", "2").with("sv_privateClients", "3");
        let info = EliteForceQuestion::Info(b"xxx".to_vec());
        let status = EliteForceQuestion::Status(b"1069011149921".to_vec());
        for (message, text) in [
            (heartbeat(27960, GAME), r"\heartbeat\27960\gamename\STEF1\"),
            (heartstop(27960), r"\heartstop\27960\gamename\STEF1\"),
            (
                reply(&server_info, &info),
                "infoResponse \"\\challenge\\xxx\\protocol\\24\\clients\\2\\sv_maxclients\\5\
                 \\gametype\\0\"",
            ),
            (
                reply(&server_info, &status),
                "statusResponse\n\\challenge\\1069011149921\\protocol\\24\\sv_maxclients\\8\
                 \\sv_privateClients\\3\\g_gametype\\0\n1 0 \"Player 1\"\n2 0 \"Player 2\"\n",
            ),
            (reply(&server_info, &EliteForceQuestion::Challenge), "challengeResponse 96116651"),
        ] {
            let expected = [b"\xff\xff\xff\xff", text.as_bytes()].concat();
            assert_eq!(message, expected, "{}", message.escape_ascii());
        }
    }

    #[test]
    fn requests_are_distinguished() {
        let request = |text: &str| question(&[b"\xff\xff\xff\xff", text.as_bytes()].concat());
        assert_eq!(request("getinfo abc"), Some(EliteForceQuestion::Info(b"abc".to_vec())));
        assert_eq!(request("getstatus 123"), Some(EliteForceQuestion::Status(b"123".to_vec())));
        assert_eq!(request("getstatus\n"), Some(EliteForceQuestion::Status(Vec::new())));
        assert_eq!(request("getchallenge"), Some(EliteForceQuestion::Challenge));
        assert_eq!(request("getservers 24"), None);
    }
}
