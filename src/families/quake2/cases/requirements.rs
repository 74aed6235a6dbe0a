//! The requirements of the documents for masters of Quake 2 and Heretic 2 (document 001, sections 2 and 3), in our own
//! words.

use crate::conform::requirement::{INFO, MUST, Requirement, SHOULD, requirements};

const OF_SERVERS: &str = "it is about servers and clients; no master is sent it";
const TOLD: &str = "where the target listens is given on the command line";

/// The requirements for a game under its name, with its sections of the document.
macro_rules! of_game {
    (
        $game:literal, heartbeat: $heartbeat:literal, players: $players:literal, shutdown:
        $shutdown:literal, ping: $ping:literal, query: $query:literal, servers: $servers:literal,
        ack: $ack:literal
    ) => {
        requirements! {
            concat!($game, "heartbeat/registers"), MUST, concat!($heartbeat, ", ", $servers) =>
                "a heartbeat tells the master that the server is alive, and the list has the servers known \
                 to the master";
            concat!($game, "heartbeat/settings-and-players"), MUST, $players =>
                "a heartbeat has the settings of the server, and a line for each player";
            concat!($game, "heartbeat/again"), MUST, $heartbeat =>
                "a heartbeat after a change of map tells that the server is still alive";
            concat!($game, "heartbeat/without-ping"), INFO, concat!($heartbeat, ", ", $ping, ", q2master's") =>
                "it is not said whether the ping or a heartbeat lists a server; q2master lists it at the \
                 second heartbeat";
            concat!($game, "heartbeat/kept"), MUST, $heartbeat =>
                "heartbeats come every 300 seconds: a server is not forgotten after a few";
            concat!($game, "timeout/kept"), MUST, $heartbeat =>
                "a server need not send more than a heartbeat every 300 seconds";
            concat!($game, "timeout/renewed"), MUST, $heartbeat =>
                "each heartbeat tells that the server is still alive";
            concat!($game, "timeout/forgotten"), SHOULD, $heartbeat =>
                "heartbeats tell that a server is alive; one that sends none for long should not be listed";
            concat!($game, "query/answered"), MUST, concat!($query, ", ", $servers) =>
                "query asks the master for the list, and servers is the reply";
            concat!($game, "shutdown/gone"), MUST, $shutdown =>
                "shutdown tells the master that the server shuts down";
            concat!($game, "shutdown/nobody-else"), MUST, $shutdown =>
                "shutdown tells of the server that sends it, and of no other";
            concat!($game, "shutdown/back"), MUST, concat!($shutdown, ", ", $heartbeat) =>
                "a heartbeat tells that the server is alive";
            concat!($game, "servers/whole-records"), MUST, $servers =>
                "behind servers and a whitespace there are blocks of 6 bytes, and nothing else";
            concat!($game, "servers/blank"), INFO, $servers =>
                "a whitespace is behind servers: a blank in the document's hexdump, and from q2master; \
                 FTE's master sends a line feed";
            concat!($game, "servers/byte-order"), MUST, $servers =>
                "a block is 4 bytes of the address and 2 of the port, both in network byte order as in the \
                 hexdump";
            concat!($game, "servers/all"), MUST, $servers =>
                "the list has the servers that are known to the master";
            concat!($game, "servers/once-each"), MUST, $servers =>
                "each server that is known to the master is one block of the list";
            concat!($game, "servers/unchanged"), MUST, $servers =>
                "each list has the servers that are known to the master";
            concat!($game, "servers/other-games"), INFO, concat!($heartbeat, ", q2master's") =>
                "the document does not say what a master does with them; q2master's reads no more than the \
                 word heartbeat";
            concat!($game, "ping/acknowledged"), MUST, concat!($ping, ", ", $ack) =>
                "ack is the reply to ping";
            concat!($game, "ping/again"), INFO, concat!($ping, ", q2master's") =>
                "the document has a ping at the start of a server alone; q2master does not answer another \
                 of a server that it knows";
            concat!($game, "ping/no-heartbeat"), INFO, concat!($ping, ", ", $heartbeat) =>
                "it is not said whether a ping lists a server";
            concat!($game, "ack/spelling"), SHOULD, $ack =>
                "the reply is spelled ack; the bytes of the document's hexdump, but not its text, have \
                 pack";
            concat!($game, "robust/stumps"), MUST, "003 Appendix B" =>
                "a master survives what hackers send";
            concat!($game, "robust/many-heartbeats"), MUST, "003 Appendix B" =>
                "a master survives what hackers send, floods too";
        }
    };
}

pub(super) static QUAKE2: &[Requirement] = of_game!(
    "quake2/",
    heartbeat: "001 3.1",
    players: "001 3.1, 001 2.1.2",
    shutdown: "001 3.3",
    ping: "001 3.13",
    query: "001 3.2",
    servers: "001 3.12",
    ack: "001 3.14"
);
pub(super) static QUAKE2_ALONE: &[Requirement] = requirements! {
    "quake2/ports", Err(TOLD), "001 3" =>
        "servers play on UDP 27910, the master listens on UDP 27900";
    "quake2/clients-and-servers", Err(OF_SERVERS), "001 3.4 to 3.11" =>
        "clients ask servers with status, info, getchallenge and connect, and are answered";
    "quake2/empty-list", Err("other servers are listed while a case runs, so no list is sure to be empty"), "001 3.12" =>
        "what a master that knows nobody answers is not said";
};
pub(super) static HERETIC2: &[Requirement] = of_game!(
    "heretic2/",
    heartbeat: "001 2.1.2",
    players: "001 2.1.2",
    shutdown: "001 2.1.1",
    ping: "001 2.1.10",
    query: "001 contents 2.2, 001 3.2",
    servers: "001 contents 2.12, 001 3.12",
    ack: "001 contents 2.14, 001 3.14"
);
pub(super) static HERETIC2_ALONE: &[Requirement] = requirements! {
    "heretic2/ports", Err(TOLD), "001 2" =>
        "servers play on UDP 28910, Raven's master listens on UDP 28900, GameSpy's on UDP 27900";
    "heretic2/public", Err(OF_SERVERS), "001 2" =>
        "a server is public or not, and has at most seven masters";
    "heretic2/gamespy", Err("GameSpy's masters have cases of their own"), "001 2.1.2" =>
        "a server sends a heartbeat to GameSpy's master too, GameSpy's";
    "heretic2/clients-and-servers", Err(OF_SERVERS), "001 2.1.3 to 2.1.9" =>
        "clients ask servers with info, status, getchallenge and connect, and are answered";
};
