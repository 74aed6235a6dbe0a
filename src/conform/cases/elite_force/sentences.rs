//! The requirements of document 001, section 4.

use crate::conform::Sentence;
use crate::protocol::Game;
use crate::protocols::quake3::ELITE_FORCE;

const GAME: &Game = &ELITE_FORCE;
const OF_SERVERS: &str = "it is about servers and clients, and no master hears of it";

pub(super) static SENTENCES: &[Sentence] = &[
    Sentence::not(
        GAME,
        "001 4",
        "servers play on UDP 27960, the master listens on UDP 27953, for messages of the day on \
         27951 and for keys on 27952",
        "where the target listens is said on the command line",
    ),
    Sentence::by(
        GAME,
        "001 4.1.1",
        "a client asks for the list with getservers, a protocol's number and options",
        &["elite-force/getservers/answered", "elite-force/getservers/line-feed"],
    ),
    Sentence::by(
        GAME,
        "001 4.1.1",
        "the number is the version of the protocol, 24 for 1.20",
        &["elite-force/getservers/protocol", "elite-force/statusResponse/no-protocol"],
    ),
    Sentence::by(
        GAME,
        "001 4.1.1",
        "the options say which servers are shown, and may be left out",
        &["elite-force/getservers/neither", "elite-force/getservers/unknown-word"],
    ),
    Sentence::by(
        GAME,
        "001 4.1.1",
        "empty: empty servers",
        &["elite-force/getservers/empty", "elite-force/getservers/empty-and-full"],
    ),
    Sentence::by(
        GAME,
        "001 4.1.1",
        "full: servers on which all places but the private ones are taken",
        &[
            "elite-force/getservers/full",
            "elite-force/getservers/empty-and-full",
            "elite-force/getservers/private-places",
            "elite-force/statusResponse/no-places",
            "elite-force/statusResponse/places-missing",
        ],
    ),
    Sentence::by(
        GAME,
        "001 4.1.1",
        "ffa, team, tourney, ctf: servers that play so",
        &["elite-force/getservers/game-types"],
    ),
    Sentence::by(
        GAME,
        "001 4.1.2",
        "the list is almost Quake III's, but addresses and ports stand there in hex digits",
        &[
            "elite-force/getserversResponse/hex",
            "elite-force/getserversResponse/once-each",
            "elite-force/getserversResponse/whole-records",
            "elite-force/getserversResponse/steady",
        ],
    ),
    Sentence::by(
        GAME,
        "001 4.1.2",
        "the digits are in network byte order",
        &["elite-force/getserversResponse/byte-order"],
    ),
    Sentence::by(
        GAME,
        "001 4.1.2",
        "a packet has at most 97 servers, so at most 1288 bytes with its footer",
        &["elite-force/getserversResponse/packet-size", "elite-force/getserversResponse/end-mark"],
    ),
    Sentence::by(
        GAME,
        "001 4.1.2, 001 1.1.2",
        "there are more packets where there are more servers",
        &["elite-force/getserversResponse/all", "elite-force/getserversResponse/no-empty-packet"],
    ),
    Sentence::not(
        GAME,
        "001 4.1.3",
        "a client sends getKeyAuthorize with its key",
        "nothing is said of an answer, nor of what becomes of the key",
    ),
    Sentence::by(
        GAME,
        "001 4.1.4, 001 4.1.5",
        "motd is the reply to getmotd, and gives its challenge back",
        &["elite-force/motd/challenge"],
    ),
    Sentence::by(
        GAME,
        "001 4.1.5",
        "the value of motd is shown while the client loads",
        &["elite-force/motd/text"],
    ),
    Sentence::not(
        GAME,
        "001 4.2.1 to 4.2.8, 001 4.2.10",
        "clients ask servers with getinfo, getstatus, getchallenge and connect, and are answered",
        OF_SERVERS,
    ),
    Sentence::by(
        GAME,
        "001 4.2.3",
        "the master sends getstatus on every heartbeat",
        &["elite-force/heartbeat/getstatus", "elite-force/heartbeat/asked-each-time"],
    ),
    Sentence::by(
        GAME,
        "001 4.2.3",
        "a master's question may have a challenge, and the answer gives it back",
        &["elite-force/challenge/*"],
    ),
    Sentence::by(
        GAME,
        "001 4.2.9",
        "the value of heartbeat is the port on which the server plays",
        &["elite-force/heartbeat/names-port"],
    ),
    Sentence::by(
        GAME,
        "001 4.2.9",
        "a heartbeat names its game",
        &["elite-force/heartbeat/other-game"],
    ),
    Sentence::by(
        GAME,
        "001 4.2.9",
        "the master sends getchallenge and getstatus on every heartbeat",
        &["elite-force/heartbeat/asked", "elite-force/heartbeat/getchallenge"],
    ),
    Sentence::by(
        GAME,
        "001 4.2.9",
        "it does so to know of the server what it tells to clients (the document assumes)",
        &["elite-force/heartbeat/unanswered", "elite-force/heartbeat/new-state"],
    ),
    Sentence::by(
        GAME,
        "001 4.2.9, 001 1.2.9",
        "heartbeats look almost like Quake III's, which come every 300 seconds",
        &["elite-force/timeout/*", "elite-force/heartbeat/kept"],
    ),
    Sentence::by(
        GAME,
        "001 4.2.11",
        "a server that shuts down sends heartstop",
        &["elite-force/heartstop/*"],
    ),
    Sentence::by(
        GAME,
        "003 Appendix B",
        "masters are flooded and lied to, and have to bear it",
        &["elite-force/robust/*"],
    ),
];
