//! QuakeWorld and HexenWorld: messages of servers and clients to a master, without a mark (document
//! 001, section 6).

use crate::PacketRecords;
use crate::{KnownValue, ServerInfo, written};
use codec::{FieldRole, Info};
use protocol::Game;
use protocols::quakeworld::{
    Ack, GetServers, Heartbeat, PROTOCOL, Ping, QuakeWorld, ServerPing, Servers, Shutdown,
    StatusReply,
};

/// The list request of a HexenWorld client, as quakestat sends it.
pub const HEXENWORLD_QUERY: &[u8] = b"\xffc\0";

/// The second spelling of "nothing or a newline".
const THERE: u8 = 1;
/// The document's end of a `ping`, among the known ones, and of an `l`.
const LF_NUL: u8 = 1;
/// The keys for known values of a server, by role.
const KNOWN_KEYS: [(&str, FieldRole); 3] =
    [("maxclients", FieldRole::MaxPlayers), ("hostname", FieldRole::Host), ("map", FieldRole::Map)];

/// A server, with the required settings (001 6.2).
pub fn server_info() -> ServerInfo {
    ServerInfo::from_pairs(&[
        ("*version", "2.40"),
        ("maxclients", "8"),
        ("hostname", "noname"),
        ("map", "dm6"),
    ])
}

/// A server's heartbeat, with its sequence number and number of players.
pub fn heartbeat(sequence: i64, players: i64) -> Vec<u8> {
    let (sequence, players) = (sequence.into(), players.into());
    written(Heartbeat { sequence, players, newline: THERE, ..Heartbeat::default() })
}

/// A server's shutdown message.
pub fn shutdown() -> Vec<u8> {
    written(Shutdown::default())
}

/// A server's ping to its master.
pub fn ping() -> Vec<u8> {
    written(ServerPing::default())
}

/// The same in a master's form, after the `mark`'s spelling: 0 QuakeWorld's, 1 HexenWorld's.
pub fn masters_ping(mark: u8) -> Vec<u8> {
    written(Ping { mark, end: LF_NUL, ..Ping::default() })
}

/// The answer to a ping.
pub fn ack(mark: u8) -> Vec<u8> {
    written(Ack { mark, end: LF_NUL, ..Ack::default() })
}

/// A server's answer to any request, without players, after the same mark; `None` if it is no
/// request.
pub fn answer(server_info: &ServerInfo, request: &[u8]) -> Option<Vec<u8>> {
    let info = server_info.info();
    with_message(request, |message| match message {
        QuakeWorld::Ping(request) => Some(ack(request.mark)),
        QuakeWorld::PingLetter(request) => Some(ack(request.mark)),
        QuakeWorld::Status(request) => {
            let (mark, info) = (request.mark, Info::new(&info));
            Some(written(StatusReply { mark, info, ..StatusReply::default() }))
        }
        _ => None,
    })
}

/// The answer of a server with these known values; the same for both games.
pub(super) fn server(_: &Game, known: &[KnownValue], request: &[u8]) -> Option<Vec<u8>> {
    answer(&server_info().with_known(known, &KNOWN_KEYS), request)
}

/// A message in the form of HexenWorld's programs to a master: their datagrams are compressed,
/// unless they begin with FF. Those of one letter and two numbers do.
pub fn uncompressed(message: &[u8]) -> Vec<u8> {
    [b"\xff", message].concat()
}

/// A client's list request.
pub fn get_servers() -> Vec<u8> {
    written(GetServers::default())
}

crate::families::with_message!(QuakeWorld);

/// The spelling of a mark of five bytes, HexenWorld's.
pub const FIVE_BYTES: u8 = 1;

/// The servers in one packet of a list; `None` for another message.
pub fn list_records(bytes: &[u8]) -> Option<PacketRecords> {
    with_message(bytes, |message| match message {
        QuakeWorld::Servers(list) => {
            // The mark, the letter, a line feed.
            let at = if list.mark == FIVE_BYTES { 5 + 2 } else { 4 + 2 };
            Some(PacketRecords::new(at, 6, list.servers.iter(Servers::FORM)))
        }
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_answer_requests() {
        let server_info = ServerInfo::from_pairs(&[("map", "dm6")]);
        let answered = |request: &[u8]| answer(&server_info, request);
        assert_eq!(answered(b"\xff\xff\xff\xffping\n\0"), Some(ack(0)));
        assert_eq!(answered(b"\xff\xff\xff\xff\xffping\n\0"), Some(ack(1)));
        let status = answered(b"\xff\xff\xff\xffstatus\n").unwrap();
        assert_eq!(status, b"\xff\xff\xff\xffn\\map\\dm6\n\0");
        assert_eq!(answered(b"\xff\xff\xff\xffl\n\0"), None);
    }

    #[test]
    fn messages_are_those_of_the_document() {
        for (message, expected) in [
            (heartbeat(1, 0), &b"a\n1\n0\n"[..]),
            (shutdown(), b"C\n"),
            (ping(), b"k\0"),
            (masters_ping(0), b"\xff\xff\xff\xffping\n\0"),
            (masters_ping(1), b"\xff\xff\xff\xff\xffping\n\0"),
            (ack(0), b"\xff\xff\xff\xffl\n\0"),
            (get_servers(), b"c\n\0"),
        ] {
            assert_eq!(message, expected, "{}", message.escape_ascii());
        }
    }
}
