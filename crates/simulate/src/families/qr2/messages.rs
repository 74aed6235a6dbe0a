//! Query and reporting 2: what servers send their master and answer it (document 008, qr2.c), and how
//! clients ask for a list (document 008, sb_serverlist.c).

use std::fmt::{self, Display};
use std::net::SocketAddr;

use crate::families::{ClientListRequest, RegisteringServer};
use crate::{KnownValue, ServerInfo, written};
use codec::{Scratch, View as _};
use protocol::{Carrier, Direction, Game, Pattern, Role, SignatureSource};
use protocols::gamespy;
use protocols::gamespy_list::{self, BrowseRequest, CryptHeader};
use protocols::gamespy2::{ReplyBody, Settings};
use protocols::qr2::{
    Available, ChallengeResponse, ClientMessageAck, EchoResponse, Keepalive, KeyedEchoResponse,
    PROTOCOL, QR2, Qr2, Update,
};

/// The gamename of the example program, whose key is published.
pub const TEST: &str = "gmtest";
/// The gamename of Halo, whose key is published too.
pub const HALO: &str = "halor";

/// A client's half of the key of a list.
pub const CLIENT_CHALLENGE: [u8; 8] = *b"fS7kQ2xD";

/// The port on which games with this protocol are asked, if their own is not known.
const USUAL_PORT: u16 = 6500;

/// What a heartbeat says of the server's state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StateChange {
    /// Nothing: the minute is over.
    None,
    /// It is another.
    Changed,
    /// The server leaves.
    Leaves,
    /// The server begins, and expects a challenge.
    Begins,
}

/// A challenge as it came, and the instance key before it. Two are equal if their random parts are.
#[derive(Debug, Clone)]
pub struct ReceivedChallenge {
    /// The instance key of the server.
    pub key: u32,
    /// The text that the server has to answer.
    pub text: Vec<u8>,
}

/// The digits behind the random part of a challenge: options, address and port.
pub const CHALLENGE_TAIL: usize = 14;

impl ReceivedChallenge {
    /// The text without options, address and port, which differ by server.
    pub fn random(&self) -> &[u8] {
        let text = &self.text;
        text.len().checked_sub(CHALLENGE_TAIL).and_then(|end| text.get(..end)).unwrap_or(text)
    }
}

impl PartialEq for ReceivedChallenge {
    fn eq(&self, other: &Self) -> bool {
        self.random() == other.random()
    }
}

/// Its random part.
impl Display for ReceivedChallenge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.random().iter().try_for_each(|byte| write!(f, "{}", char::from(*byte)))
    }
}

/// A server that begins.
#[derive(Debug, Clone, Copy)]
pub struct RegisteringQr2<'g> {
    /// Its gamename, with whose key it proves itself.
    pub game: &'g str,
}

impl RegisteringServer for RegisteringQr2<'_> {
    type Challenge = ReceivedChallenge;

    fn heartbeat(&self, info: &ServerInfo, address: SocketAddr) -> Vec<u8> {
        self.heartbeat_with(StateChange::Begins, info, address)
    }

    fn challenge(request: &[u8]) -> Option<ReceivedChallenge> {
        challenge(request)
    }

    fn answer(&self, _: &ServerInfo, challenge: &ReceivedChallenge) -> Vec<u8> {
        response(challenge.key, proof(self.game, &challenge.text).as_bytes())
    }
}

impl RegisteringQr2<'_> {
    /// The heartbeat that says this of its state.
    pub fn heartbeat_with(
        &self,
        state: StateChange,
        info: &ServerInfo,
        address: SocketAddr,
    ) -> Vec<u8> {
        heartbeat(instance_key(address), address, state, self.game, info)
    }
}

/// The game of this name in the network; the first of the protocol if it is not known.
pub fn game_named(name: &[u8]) -> &'static Game {
    let mut games = PROTOCOL.games.iter().copied();
    games.find(|game| gamename(game).as_bytes().eq_ignore_ascii_case(name)).unwrap_or(&QR2)
}

/// The port on which the servers of a game are asked.
pub fn query_port(game: &Game) -> u16 {
    let mut ports = game.ports.iter().filter(|port| port.role == Role::Server);
    ports.next().map_or(USUAL_PORT, |port| port.number)
}

/// A server with one player on sixteen places.
pub fn server_info() -> ServerInfo {
    ServerInfo::from_pairs(&[
        ("hostname", "a server"),
        ("gamever", "1.00"),
        ("hostport", "29900"),
        ("mapname", "gulf"),
        ("gametype", "ctf"),
        ("numplayers", "1"),
        ("maxplayers", "16"),
        ("gamemode", "openplaying"),
    ])
}

/// A server's instance key: here it follows from its address.
pub fn instance_key(server: SocketAddr) -> u32 {
    let ip = match server.ip() {
        std::net::IpAddr::V4(ip) => ip.to_bits(),
        std::net::IpAddr::V6(ip) => ip.to_bits() as u32,
    };
    ip.rotate_left(11) ^ (u32::from(server.port()) << 16) ^ 0x5a11_c0de
}

/// A heartbeat of a server of this game. One that leaves sends no settings.
pub fn heartbeat(
    key: u32,
    server: SocketAddr,
    state: StateChange,
    game: &str,
    info: &ServerInfo,
) -> Vec<u8> {
    let (ip, port) = (server.ip().to_string(), server.port().to_string());
    let own = ServerInfo::from_pairs(&[("localip0", &ip), ("localport", &port), ("natneg", "0")]);
    let own = match state {
        StateChange::None => own,
        StateChange::Changed => own.with("statechanged", "1"),
        StateChange::Leaves => own.with("statechanged", "2"),
        StateChange::Begins => own.with("statechanged", "3"),
    };
    let own = own.with("gamename", game);
    let leaves = state == StateChange::Leaves;
    let all = info.pairs().filter(|_| !leaves).fold(own, |all, (key, value)| all.with(key, value));
    let all = all.dictionary();
    // The first heartbeat and the others have one layout.
    let body = ReplyBody { info: Settings::split_off(&all, ()), ..ReplyBody::default() };
    let mut bytes = written(Update { key, body });
    if !leaves {
        // No players, and no teams.
        bytes.extend([0; 4]);
    }
    bytes
}

/// A sign of life.
pub fn keepalive(key: u32) -> Vec<u8> {
    written(Keepalive { key, ..Keepalive::default() })
}

/// Asks whether a game is served.
pub fn available(game: &str) -> Vec<u8> {
    written(Available { gamename: game.as_bytes() })
}

/// The status in an answer to that; `None` for another message.
pub fn status(bytes: &[u8]) -> Option<u32> {
    let status = bytes.strip_prefix(b"\xfe\xfd\x09")?;
    status.try_into().ok().map(u32::from_be_bytes)
}

/// The master's challenge; `None` for another message. Its text may have any form: servers look only
/// for the NUL behind it.
pub fn challenge(bytes: &[u8]) -> Option<ReceivedChallenge> {
    let (key, text) = bytes.strip_prefix(b"\xfe\xfd\x01")?.split_first_chunk()?;
    let text = text.strip_suffix(b"\0").filter(|text| !text.is_empty() && !text.contains(&0))?;
    Some(ReceivedChallenge { key: u32::from_be_bytes(*key), text: text.to_vec() })
}

/// The proof for a challenge, made with the key of a game; empty if that is not published.
pub fn proof(game: &str, text: &[u8]) -> String {
    let key = gamespy::key_of(game.as_bytes());
    key.map_or_else(String::new, |key| gamespy::answer(key, text))
}

/// A server's answer to a challenge, with this proof.
pub fn response(key: u32, proof: &[u8]) -> Vec<u8> {
    written(ChallengeResponse { key, response: proof, nul: 0 })
}

/// A request of the example program's client for the servers of a game.
#[derive(Debug, Clone, Copy)]
pub struct Qr2ListRequest<'a> {
    /// The gamename of the servers.
    pub game: &'a str,
    /// The options: what the list has of each server.
    pub options: u32,
}

impl Qr2ListRequest<'_> {
    /// The request with a filter and other values.
    pub fn with(self, request: BrowseRequest<'_>) -> Vec<u8> {
        list_request(BrowseRequest {
            gamename: self.game.as_bytes(),
            from: TEST.as_bytes(),
            challenge: CLIENT_CHALLENGE,
            options: request.options | self.options,
            ..request
        })
    }
}

impl ClientListRequest for Qr2ListRequest<'_> {
    fn encode(self, _: bool) -> Vec<u8> {
        self.with(BrowseRequest::default())
    }
}

/// A client's request for a list.
pub fn list_request(request: BrowseRequest<'_>) -> Vec<u8> {
    let bytes = written(BrowseRequest { length: 0, ..request });
    let length = u16::try_from(bytes.len()).unwrap_or(u16::MAX);
    written(BrowseRequest { length, ..request })
}

/// What is behind the header of a list that answers a request, deciphered with the key of the asking
/// game; `None` if there is no header.
pub fn deciphered(request: &[u8], bytes: &[u8]) -> Option<Vec<u8>> {
    let (head, behind) = CryptHeader::split_any(bytes)?;
    let mut scratch = Scratch::default();
    let request = protocol::decode::<BrowseRequest<'_>, _>(request, &mut scratch, &mut ()).message;
    let mut plain = behind.to_vec();
    gamespy_list::cipher(request.from, &request, head)?.decipher(&mut plain);
    Some(plain)
}

/// The name of a game in the network.
fn gamename(game: &Game) -> &'static str {
    let names = game.signatures.iter().filter_map(|signature| match &signature.source {
        SignatureSource::Field("gamename", Pattern::Is([name, ..])) => Some(*name),
        _ => None,
    });
    names.into_iter().next().unwrap_or(TEST)
}

/// The answer of a server of a game to a challenge, an echo or a client's message.
pub(super) fn server(game: &Game, known: &[KnownValue], request: &[u8]) -> Option<Vec<u8>> {
    let entry = protocols::recognise(&PROTOCOL, Carrier::Datagram, request, Direction::default())?;
    let mut scratch = Scratch::default();
    let decoded = Qr2::decode(entry, request, &mut scratch).filter(|of| of.fault.is_none())?;
    match decoded.message {
        Qr2::Challenge(challenge) => {
            // The name that the server has given is more than that of its game.
            let given = known.iter().find(|value| value.key == b"gamename");
            let names = [given.map_or(&b""[..], |given| &given.text), gamename(game).as_bytes()];
            let mut names = names.into_iter().chain([TEST.as_bytes()]);
            let game_key = names.find_map(gamespy::key_of)?;
            let text = (entry.spec.challenge?)(request)?;
            let proof = gamespy::answer(game_key, text);
            Some(response(challenge.key, proof.as_bytes()))
        }
        Qr2::ClientMessage(message) => {
            let (key, message_key) = (message.key, message.message_key);
            Some(written(ClientMessageAck { key, message_key, ..ClientMessageAck::default() }))
        }
        Qr2::Echo(echo) => {
            let data = echo.data.get(..32).unwrap_or(echo.data);
            let key = echo.key;
            Some(if key == 0 {
                written(EchoResponse { key, data })
            } else {
                written(KeyedEchoResponse { key, data })
            })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read_as_such() {
        let server: SocketAddr = "192.0.2.1:29900".parse().unwrap();
        let key = instance_key(server);
        let info = server_info();
        let begins = heartbeat(key, server, StateChange::Begins, TEST, &info);
        let leaves = heartbeat(key, server, StateChange::Leaves, TEST, &info);
        let request =
            BrowseRequest { gamename: b"gmtest", from: b"gmtest", ..BrowseRequest::default() };
        let names = [
            (begins, "heartbeat"),
            (heartbeat(key, server, StateChange::None, TEST, &info), "update"),
            (leaves, "update"),
            (keepalive(key), "keepalive"),
            (available(TEST), "available"),
            (
                response(key, proof(TEST, b"LabChal000CB00713274CC").as_bytes()),
                "challenge-response",
            ),
        ];
        for (bytes, id) in names {
            let entry =
                protocols::recognise(&PROTOCOL, Carrier::Datagram, &bytes, Direction::default());
            assert_eq!(entry.map(|entry| entry.spec.id), Some(id), "{}", bytes.escape_ascii());
        }
        let bytes = list_request(request);
        assert_eq!(bytes.get(..2), Some(&(bytes.len() as u16).to_be_bytes()[..]));
        assert_eq!(status(b"\xfe\xfd\x09\0\0\0\x02"), Some(2));
        let received = challenge(b"\xfe\xfd\x01\x5a\x11\xc0\xdeLabChal0\0").unwrap();
        assert_eq!((received.key, &received.text[..]), (0x5a11_c0de, &b"LabChal0"[..]));
        assert_eq!(challenge(b"\xfe\xfd\x01\x5a\x11\xc0\xdeLabChal0"), None);
        assert_eq!(query_port(game_named(b"battlefield2")), 29900);
        assert_eq!(query_port(game_named(b"unknown")), USUAL_PORT);
    }

    #[test]
    fn servers_answer_their_master() {
        for (request, expected) in [
            (
                &b"\xfe\xfd\x01\x5a\x11\xc0\xdeLabChal000CB00713274CC\0"[..],
                &b"\x01\x5a\x11\xc0\xdeMU9aQCni2j90asCRMKiMkkbqSsf0ugAA\0"[..],
            ),
            (b"\xfe\xfd\x06\x5a\x11\xc0\xde\0\0\0\x07hello", b"\x07\x5a\x11\xc0\xde\0\0\0\x07"),
            (b"\xfe\xfd\x02\0\0\0\0\0", b"\x05\0\0\0\0\0"),
        ] {
            let reply = server(&QR2, &[], request).unwrap();
            assert_eq!(reply, expected, "{}", reply.escape_ascii());
        }
        assert_eq!(server(&QR2, &[], b"\xfe\xfd\x0a\x5a\x11\xc0\xde"), None);
    }
}
