//! GameSpy's first protocol: heartbeats, answers to queries, and clients' messages over TCP
//! (documents 003, and 001, section 5).

use std::net::{SocketAddr, SocketAddrV4};

use crate::{KnownValue, ServerInfo, written};
use codec::{FieldRole, IP_PAIRS, PLAIN_FINAL, Scratch};
use protocol::{Carrier, Direction, Game};
use protocols::gamespy::{
    self, AnswerForm, BATTLEFIELD_1942, EncryptedText, GameSpy, Heartbeat, ListForm, ListRequest,
    PROTOCOL, PairList, Query, Reply, UNREAL_TOURNAMENT, Validate,
};
use protocols::quake2::HERETIC2;
use protocols::quake3::MEDAL_OF_HONOR;

/// The gamename of Unreal Tournament: 001 5.1.
pub const UNREAL: &str = "ut";
/// The gamename of the example program of document 003, Heartbeat and Appendix C.
pub const TEST: &str = "gmtest";
/// The gamename of Heretic 2's beacon: 001 2.1.2.
pub const HERETIC: &str = HERETIC2.id;

/// The keys of `basic`: 003 Replies.
const BASIC: [&str; 3] = ["gamename", "gamever", "location"];
/// The keys for known values of a server, by role.
const KNOWN_KEYS: [(&str, FieldRole); 5] = [
    ("gamename", FieldRole::Game),
    ("hostname", FieldRole::Host),
    ("mapname", FieldRole::Map),
    ("numplayers", FieldRole::Players),
    ("maxplayers", FieldRole::MaxPlayers),
];

/// A master's query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MasterQuery {
    /// The queries in it.
    pub queries: Vec<String>,
    /// How the server shows that it has the key.
    pub proof: ProofKind,
}

/// The proof that an answer needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProofKind {
    /// No proof is asked for.
    Nothing,
    /// Send the text back.
    Echo(Vec<u8>),
    /// Answer the text with the game's key.
    Secure(Vec<u8>),
}

/// A server with one player on eight places.
pub fn server_info(game: &str) -> ServerInfo {
    ServerInfo::from_pairs(&[
        ("gamename", game),
        ("gamever", "1.00"),
        ("location", "0"),
        ("hostname", "a server"),
        ("hostport", "7777"),
        ("mapname", "DM-Deck16"),
        ("password", "0"),
        ("gametype", "deathmatch"),
        ("numplayers", "1"),
        ("maxplayers", "8"),
        ("gamemode", "openplaying"),
    ])
}

/// A server's heartbeat with its query port, and `more` after its game's name.
pub fn heartbeat(port: u16, game: &str, more: &str) -> Vec<u8> {
    let pairs = format!(r"\heartbeat\{port}\gamename\{game}{more}");
    written(Heartbeat::new(pairs.as_bytes()))
}

/// A query to a server, which some masters answer themselves.
pub fn query(what: &str) -> Vec<u8> {
    let pairs = format!(r"\{what}\");
    written(Query::new(pairs.as_bytes()))
}

/// What a query asks for; `None` for another message.
pub fn request(bytes: &[u8]) -> Option<MasterQuery> {
    with_message(bytes, Carrier::Datagram, |message| {
        let GameSpy::Query(query) = message else {
            return None;
        };
        let mut request = MasterQuery { queries: Vec::new(), proof: ProofKind::Nothing };
        for (key, value) in query.pairs.pairs() {
            match key {
                b"secure" => request.proof = ProofKind::Secure(value.to_vec()),
                b"echo" => request.proof = ProofKind::Echo(value.to_vec()),
                b"" => {}
                _ => request.queries.push(String::from_utf8_lossy(key).into_owned()),
            }
        }
        Some(request)
    })?
}

/// The answer to a challenge by a game's key; empty if the key is not published.
pub fn validation(game: &str, challenge: &[u8]) -> String {
    let key = gamespy::key_of(game.as_bytes());
    key.map_or_else(String::new, |key| gamespy::answer(key, challenge))
}

/// The proof for a query, `\validate\…` or `\echo\…`, by the key of this game.
pub fn proof(game: &str, proof: &ProofKind) -> Vec<u8> {
    match proof {
        ProofKind::Nothing => Vec::new(),
        ProofKind::Echo(text) => [br"\echo\", text.as_slice()].concat(),
        ProofKind::Secure(text) => format!(r"\validate\{}", validation(game, text)).into_bytes(),
    }
}

/// A server's values: those that were requested.
pub fn answer_to(server_info: &ServerInfo, request: &MasterQuery) -> Vec<u8> {
    let wants = |query: &str| request.queries.iter().any(|one| one == query || one == "status");
    let pairs = server_info.pairs().filter(|(key, _)| {
        let query = if BASIC.iter().any(|b| b.as_bytes() == *key) { "basic" } else { "info" };
        wants(query)
    });
    pairs.flat_map(|(key, value)| [b"\\", key, b"\\", value].concat()).collect()
}

/// A server's answer to any request; `None` if it is no request.
pub fn answer(server_info: &ServerInfo, bytes: &[u8]) -> Option<Vec<u8>> {
    let request = request(bytes)?;
    let game = server_info.get("gamename").and_then(|game| std::str::from_utf8(game).ok());
    let proof = proof(game.unwrap_or_default(), &request.proof);
    Some(reply(&[answer_to(server_info, &request), proof].concat()))
}

/// The answer of a server with these known values; it proves what its game's key can prove.
pub(super) fn server(game: &Game, known: &[KnownValue], request: &[u8]) -> Option<Vec<u8>> {
    let names = [
        (&UNREAL_TOURNAMENT, UNREAL),
        (&HERETIC2, HERETIC),
        (&BATTLEFIELD_1942, "bfield1942"),
        (&MEDAL_OF_HONOR, MEDAL_OF_HONOR.id),
    ];
    let name = names.iter().find(|(of, _)| *of == game).map_or(TEST, |(_, name)| *name);
    answer(&server_info(name).with_known(known, &KNOWN_KEYS), request)
}

/// An answer in one datagram, with these pairs before its end.
pub fn reply(pairs: &[u8]) -> Vec<u8> {
    let pairs = [pairs, br"\final\\queryid\1.1"].concat();
    written(Reply::new(&pairs))
}

/// The part of an answer with this number, from 1.
pub fn part(pairs: &[u8], number: u8, last: bool) -> Vec<u8> {
    let end = if last { r"\final\" } else { "" };
    let pairs = [pairs, format!(r"\queryid\1.{number}{end}").as_bytes()].concat();
    written(Reply::new(&pairs))
}

/// A client's proof over TCP that it has the key of a game.
pub fn validate(game: &str, challenge: &[u8]) -> Vec<u8> {
    validate_with(game, &validation(game, challenge))
}

/// The same with this proof, correct or not.
pub fn validate_with(game: &str, proof: &str) -> Vec<u8> {
    let pairs = format!(r"\gamename\{game}\location\0\validate\{proof}\final\");
    written(Validate::new(pairs.as_bytes()))
}

/// The proof, in one of its forms, of a client that wants its list to be encrypted.
pub fn encrypted_validate(game: &str, challenge: &[u8], form: AnswerForm) -> Vec<u8> {
    let key = gamespy::key_of(game.as_bytes()).unwrap_or_default();
    let proof = gamespy::answer_in(form, key, challenge);
    let pairs = format!(r"\gamename\{game}\enctype\2\location\0\validate\{proof}\final\");
    written(Validate::new(pairs.as_bytes()))
}

/// A client's TCP request for a game's servers, in a named form or in the usual one.
pub fn list_request(form: &str, game: &str) -> Vec<u8> {
    let pairs = format!(r"\list\{form}\gamename\{game}\final\");
    written(ListRequest::new(pairs.as_bytes()))
}

/// What a master sends to a client that requests a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ListReply {
    /// The servers, in one of the forms of lists, with its end mark.
    Servers(Vec<SocketAddr>),
    /// An error.
    Refusal,
}

/// The master's reply to a list request; `None` for other bytes, and for a list without its end.
pub fn listed(bytes: &[u8]) -> Option<ListReply> {
    let servers = |servers: Vec<SocketAddrV4>| {
        Some(ListReply::Servers(servers.into_iter().map(SocketAddr::V4).collect()))
    };
    let has_end = |pairs: PairList<'_>| pairs.pairs().any(|(key, _)| key == b"final");
    with_message(bytes, Carrier::Stream, |message| match message {
        GameSpy::ServerList(list) if has_end(list.pairs) => {
            servers(list.servers.iter(IP_PAIRS).collect())
        }
        GameSpy::CompressedList(list) if list.end == 0 => {
            servers(list.servers.iter(PLAIN_FINAL).filter_map(four).collect())
        }
        GameSpy::EncryptedList(list) => match list.list.body() {
            EncryptedText { form: ListForm::Pairs, pairs, servers: listed, .. }
                if has_end(pairs) =>
            {
                servers(listed.iter(IP_PAIRS).collect())
            }
            EncryptedText { form: ListForm::Records, records, end: 0, .. } => {
                servers(records.iter(PLAIN_FINAL).filter_map(four).collect())
            }
            _ => None,
        },
        GameSpy::ErrorMessage(_) => Some(ListReply::Refusal),
        _ => None,
    })
    .flatten()
}

fn four(server: SocketAddr) -> Option<SocketAddrV4> {
    match server {
        SocketAddr::V4(server) => Some(server),
        SocketAddr::V6(_) => None,
    }
}

/// Decodes a message of this protocol and passes it to `take`; `None` if it has a fault.
pub fn with_message<T>(
    bytes: &[u8],
    by: Carrier,
    take: impl FnOnce(GameSpy<'_>) -> T,
) -> Option<T> {
    let entry = protocols::recognise(&PROTOCOL, by, bytes, Direction::default())?;
    let mut scratch = Scratch::default();
    let decoded = GameSpy::decode(entry, bytes, &mut scratch)?;
    decoded.fault.is_none().then(|| take(decoded.message))
}

/// The end of messages over TCP.
pub const FINAL: &[u8] = b"\\final\\";
/// The key before a challenge.
const SECURE: &[u8] = b"\\secure\\";
/// A server's message that its state has changed: 003 Heartbeat.
pub const CHANGED: &str = r"\statechanged\";
/// The minimum letters of a challenge, as in the document's.
const LETTERS: usize = 6;

/// The challenge after `\secure\`, once it is complete: the end of the value, or enough bytes.
pub fn secure_challenge(bytes: &[u8]) -> Option<Vec<u8>> {
    let at = memchr::memmem::find(bytes, SECURE)? + SECURE.len();
    let behind = bytes.get(at..)?;
    let end = memchr::memchr(b'\\', behind);
    let text = behind.get(..end.unwrap_or(behind.len()))?;
    (!text.is_empty() && (end.is_some() || text.len() >= LETTERS)).then(|| text.to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_those_of_the_documents() {
        let wookie = ProofKind::Secure(b"wookie".to_vec());
        for (message, expected) in [
            (heartbeat(8777, TEST, ""), r"\heartbeat\8777\gamename\gmtest"),
            (
                heartbeat(8777, TEST, r"\statechanged\"),
                r"\heartbeat\8777\gamename\gmtest\statechanged\",
            ),
            (query("basic"), r"\basic\"),
            (validate(UNREAL, b"wookie"), r"\gamename\ut\location\0\validate\2/TYFMRc\final\"),
            (list_request("", UNREAL), r"\list\\gamename\ut\final\"),
            (list_request("cmp", UNREAL), r"\list\cmp\gamename\ut\final\"),
            (proof(UNREAL, &wookie), r"\validate\2/TYFMRc"),
            (proof("mygame", &wookie), r"\validate\"),
            (part(br"\gamename\ut", 1, false), r"\gamename\ut\queryid\1.1"),
            (part(br"\gamename\ut", 2, true), r"\gamename\ut\queryid\1.2\final\"),
        ] {
            assert_eq!(message, expected.as_bytes(), "{}", message.escape_ascii());
        }
    }

    #[test]
    fn servers_answer_queries() {
        let secure = request(br"\basic\\secure\123456\").unwrap();
        assert_eq!(secure.proof, ProofKind::Secure(b"123456".to_vec()));
        assert_eq!(secure.queries, ["basic"]);
        assert_eq!(
            answer_to(&server_info(UNREAL), &secure),
            br"\gamename\ut\gamever\1.00\location\0"
        );
        assert_eq!(
            request(br"\secure\ABCDEF").unwrap().proof,
            ProofKind::Secure(b"ABCDEF".to_vec())
        );
        let echo = request(br"\basic\\info\\echo\hi").unwrap();
        assert_eq!(echo.proof, ProofKind::Echo(b"hi".to_vec()));
        assert_eq!(proof(UNREAL, &echo.proof), br"\echo\hi");
        assert!(
            answer_to(&server_info(UNREAL), &echo)
                .ends_with(br"\maxplayers\8\gamemode\openplaying")
        );
        let answered = answer(&server_info(UNREAL), br"\basic\\secure\wookie").unwrap();
        let expected =
            br"\gamename\ut\gamever\1.00\location\0\validate\2/TYFMRc\final\\queryid\1.1";
        assert_eq!(answered, expected);
        let reply = reply(br"\gamename\ut");
        assert_eq!(reply, br"\gamename\ut\final\\queryid\1.1");
        assert_eq!(request(&reply), None);
    }
}
