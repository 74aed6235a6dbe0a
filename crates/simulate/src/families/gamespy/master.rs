//! What is said to GameSpy's master, and masters of its games: servers register by datagrams, lists come
//! over TCP.

use std::net::SocketAddr;

use super::messages::{self, CHANGED, FINAL, ListReply, UNREAL, secure_challenge};
use super::query::SERVER_QUERY;
use crate::ServerInfo;
use crate::families::master_messages::PROBE_NAME;
use crate::families::{
    HeartbeatMessages, ListMessages, ListSelection, MasterMessages, RegistrationMessages,
    StreamStep, StreamTurn,
};
use protocols::gamespy::{GAMESPY, UNREAL_TOURNAMENT, key_of};

/// The kinds of masters.
pub static KINDS: &[&MasterMessages] = &[&GAMESPY_MASTER, &UNREAL_MASTER, &MASTER_OF_333];

/// The version in the heartbeats for Epic's master: 001 5.1.
const VERSION: &str = r"\gamever\451";

/// GameSpy's master, and others that know many games.
static GAMESPY_MASTER: MasterMessages = MasterMessages {
    profile: GAMESPY.id,
    port: 28900,
    variant_of: None,
    ipv4_only: Some("the records of these lists hold IPv4 addresses only"),
    list: ListMessages::Connection(list),
    registration: RegistrationMessages::Heartbeats(SERVER),
    servers: &SERVER_QUERY,
};

/// A server of the selected game, else of Unreal Tournament.
const SERVER: HeartbeatMessages = HeartbeatMessages {
    port: Some(27900),
    // It says that its state has changed; the answer to the query says which: 003 Heartbeat.
    shutdown: Some(|selection, server| heartbeat(selection, server, CHANGED)),
    last_answer: Some(|selection, request| {
        messages::answer(&info(selection).with("gamemode", "exiting"), request)
    }),
    ..HeartbeatMessages::new(
        |selection, server| heartbeat(selection, server, ""),
        |selection, request| messages::answer(&info(selection), request),
    )
};

/// A master of Unreal Tournament.
static UNREAL_MASTER: MasterMessages = MasterMessages {
    profile: UNREAL_TOURNAMENT.id,
    variant_of: Some(GAMESPY.id),
    registration: RegistrationMessages::Heartbeats(HeartbeatMessages {
        heartbeat: |selection, server| heartbeat(selection, server, VERSION),
        ..SERVER
    }),
    ..GAMESPY_MASTER
};

/// 333networks' master, which asks of a server's first heartbeat alone, and forgets servers by time.
static MASTER_OF_333: MasterMessages = MasterMessages {
    profile: "gamespy-333",
    variant_of: Some(GAMESPY.id),
    registration: RegistrationMessages::Heartbeats(HeartbeatMessages {
        are_answered: false,
        shutdown: None,
        ..SERVER
    }),
    ..GAMESPY_MASTER
};

fn game(selection: &ListSelection) -> &str {
    if selection.game.is_empty() { UNREAL } else { &selection.game }
}

fn heartbeat(selection: &ListSelection, server: SocketAddr, more: &str) -> Vec<u8> {
    messages::heartbeat(server.port(), game(selection), more)
}

/// A server without players.
fn info(selection: &ListSelection) -> ServerInfo {
    messages::server_info(game(selection)).with("hostname", PROBE_NAME).with("numplayers", "0")
}

/// The master's challenge, the proof and the request at once, and the list: 001 5.6.
fn list(selection: &ListSelection, turn: StreamTurn<'_>) -> StreamStep<Vec<SocketAddr>> {
    let game = game(selection);
    if turn.sent == 0 {
        let Some(challenge) = secure_challenge(turn.received) else { return StreamStep::Wait };
        // A client may prove that it has the key of one game and request the servers of another.
        let own = if key_of(game.as_bytes()).is_some() { game } else { UNREAL };
        let proof = messages::validate(own, &challenge);
        return StreamStep::Send([proof, messages::list_request("", game)].concat());
    }
    let bytes = turn.received;
    let is_over = turn.is_over;
    // Records and encrypted lists do not say where they end; the master closes the connection.
    let whole = is_over || memchr::memmem::find(bytes, FINAL).is_some() && bytes.starts_with(b"\\");
    match if whole { messages::listed(bytes) } else { None } {
        Some(ListReply::Servers(servers)) => StreamStep::Done(servers),
        Some(ListReply::Refusal) => StreamStep::Refused,
        None if bytes.starts_with(b"\\ip\\") => StreamStep::Begun,
        None => StreamStep::Wait,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::Message as _;
    use protocols::gamespy::EncryptedList;

    #[test]
    fn the_challenge_is_answered_and_the_list_is_read_in_each_form() {
        let selection = ListSelection::default();
        let step = |sent, received: &[u8], is_over| {
            list(&selection, StreamTurn { sent, received, is_over })
        };
        assert_eq!(step(0, br"\basic\\sec", false), StreamStep::Wait);
        let request = br"\gamename\ut\location\0\validate\2/TYFMRc\final\\list\\gamename\ut\final\";
        assert_eq!(step(0, br"\basic\\secure\wookie", false), StreamStep::Send(request.to_vec()));
        let two = ["192.0.2.7:7778", "198.51.100.9:8789"].map(|one| one.parse().unwrap());
        let two = StreamStep::Done(two.to_vec());
        let encrypted = EncryptedList::SPEC.example;
        for (received, is_over, expected) in [
            (&br"\ip\192.0.2.7:7778\ip\198.51.100.9:8789\final\"[..], false, two.clone()),
            (br"\ip\192.0.2.7:7778\ip\198.51.100.9:87", false, StreamStep::Begun),
            (br"\ip\192.0.2.7:7778\ip\198.51.100.9:8789", true, StreamStep::Begun),
            (br"\final\", false, StreamStep::Done(Vec::new())),
            (b"\xc0\0\x02\x07\x1e\x62\xc6\x33\x64\x09\x22\x55\\final\\", true, two.clone()),
            (encrypted, false, StreamStep::Wait),
            (encrypted, true, two),
            (br"\echo\You failed to authenticate.\final\", false, StreamStep::Refused),
            (b"GET / HTTP/1.1\r\n", true, StreamStep::Wait),
            (b"", true, StreamStep::Wait),
        ] {
            assert_eq!(step(1, received, is_over), expected, "{}", received.escape_ascii());
        }
    }
}
