//! The requirements of document 001, sections 2 and 3.

use crate::conform::Sentence;
use crate::protocols::quake2::{HERETIC2, QUAKE2};

const OF_SERVERS: &str = "it is about servers and clients; no master is sent it";
const TOLD: &str = "where the target listens is given on the command line";

pub(super) static QUAKE2_SAYS: &[Sentence] = &[
    Sentence::not(
        &QUAKE2,
        "001 3",
        "servers play on UDP 27910, the master listens on UDP 27900",
        TOLD,
    ),
    Sentence::by(
        &QUAKE2,
        "001 3.1",
        "a heartbeat tells the master of a server, with some of its settings",
        &["quake2/heartbeat/registers", "quake2/heartbeat/settings-and-players"],
    ),
    Sentence::by(
        &QUAKE2,
        "001 3.1",
        "heartbeats come every 300 seconds and after a change of map, so that the master knows \
         that the server is still alive",
        &[
            "quake2/heartbeat/again",
            "quake2/heartbeat/kept",
            "quake2/timeout/kept",
            "quake2/timeout/renewed",
            "quake2/timeout/forgotten",
        ],
    ),
    Sentence::by(
        &QUAKE2,
        "001 3.2",
        "a client's query, without a mark, asks the master for the list",
        &["quake2/query/answered"],
    ),
    Sentence::by(
        &QUAKE2,
        "001 3.3",
        "shutdown tells the master that the server goes",
        &["quake2/shutdown/*"],
    ),
    Sentence::not(
        &QUAKE2,
        "001 3.4 to 3.11",
        "clients ask servers with status, info, getchallenge and connect, and are answered",
        OF_SERVERS,
    ),
    Sentence::by(
        &QUAKE2,
        "001 3.12",
        "the reply is servers and a whitespace, and blocks of 6 bytes: 4 of the address, 2 of \
         the port",
        &["quake2/query/answered", "quake2/servers/whole-records", "quake2/servers/byte-order"],
    ),
    Sentence::by(
        &QUAKE2,
        "001 3.12",
        "the list holds the servers that are known to the master",
        &["quake2/servers/all", "quake2/servers/once-each", "quake2/servers/unchanged"],
    ),
    Sentence::not(
        &QUAKE2,
        "001 3.12",
        "what a master that knows nobody answers is not said",
        "other servers are listed while a case runs, so no list is sure to be empty",
    ),
    Sentence::by(
        &QUAKE2,
        "001 3.13",
        "a server sends a ping to the master when it starts",
        &["quake2/heartbeat/registers", "quake2/ping/*"],
    ),
    Sentence::by(
        &QUAKE2,
        "001 3.14",
        "ack is the reply to ping",
        &["quake2/ping/acknowledged", "quake2/ack/spelling"],
    ),
    Sentence::by(
        &QUAKE2,
        "003 Appendix B",
        "hackers send what no game does, and a master survives it",
        &["quake2/robust/*"],
    ),
];

pub(super) static HERETIC2_SAYS: &[Sentence] = &[
    Sentence::not(
        &HERETIC2,
        "001 2",
        "servers play on UDP 28910, Raven's master listens on UDP 28900, GameSpy's on UDP 27900",
        TOLD,
    ),
    Sentence::not(
        &HERETIC2,
        "001 2",
        "a server is public or not, and has at most seven masters",
        OF_SERVERS,
    ),
    Sentence::by(
        &HERETIC2,
        "001 2.1.1",
        "shutdown tells the master that the server goes",
        &["heretic2/shutdown/*"],
    ),
    Sentence::not(
        &HERETIC2,
        "001 2.1.2",
        "a server sends a heartbeat to GameSpy's master too, GameSpy's",
        "GameSpy's masters have cases of their own",
    ),
    Sentence::by(
        &HERETIC2,
        "001 2.1.2",
        "a heartbeat is settings between two line feeds, and a line a player behind them, where \
         there are any",
        &["heretic2/heartbeat/registers", "heretic2/heartbeat/settings-and-players"],
    ),
    Sentence::by(
        &HERETIC2,
        "001 2.1.2",
        "heartbeats come after a change of map or every 300 seconds",
        &[
            "heretic2/heartbeat/again",
            "heretic2/heartbeat/kept",
            "heretic2/timeout/kept",
            "heretic2/timeout/renewed",
            "heretic2/timeout/forgotten",
        ],
    ),
    Sentence::not(
        &HERETIC2,
        "001 2.1.3 to 2.1.9",
        "clients ask servers with info, status, getchallenge and connect, and are answered",
        OF_SERVERS,
    ),
    Sentence::by(
        &HERETIC2,
        "001 2.1.10",
        "a server sends a ping to its master",
        &["heretic2/ping/*"],
    ),
    Sentence::by(
        &HERETIC2,
        "001 2, 001 3.2, 001 3.12, 001 3.14",
        "query, servers and ack are in the contents, and are described of Quake 2",
        &["heretic2/query/*", "heretic2/servers/*", "heretic2/ack/*"],
    ),
    Sentence::by(
        &HERETIC2,
        "003 Appendix B",
        "hackers send what no game does, and a master survives it",
        &["heretic2/robust/*"],
    ),
];
