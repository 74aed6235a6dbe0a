//! The requirements of document 001, sections 6 and 7.

use crate::conform::Sentence;
use crate::protocols::quakeworld::{HEXENWORLD, QUAKEWORLD};

const OF_SERVERS: &str = "it is about servers and clients; no master is sent it";
const TOLD: &str = "where the target listens is given on the command line";

pub(super) static QUAKEWORLD_SAYS: &[Sentence] = &[
    Sentence::not(
        &QUAKEWORLD,
        "001 6",
        "the master listens on UDP 27000, servers play on UDP 27500",
        TOLD,
    ),
    Sentence::not(
        &QUAKEWORLD,
        "001 6.1, 001 6.2",
        "clients ask servers for their status, and n is the reply",
        OF_SERVERS,
    ),
    Sentence::by(
        &QUAKEWORLD,
        "001 6.3",
        "a client's c, without a mark, asks the master for the list",
        &["quakeworld/c/*"],
    ),
    Sentence::by(
        &QUAKEWORLD,
        "001 6.4",
        "the reply is d and a line feed behind the mark",
        &["quakeworld/c/answered", "quakeworld/d/mark"],
    ),
    Sentence::by(
        &QUAKEWORLD,
        "001 6.4",
        "servers are blocks of 6 bytes, 4 of the address and 2 of the port",
        &["quakeworld/d/whole-records", "quakeworld/d/byte-order"],
    ),
    Sentence::by(
        &QUAKEWORLD,
        "001 6.4",
        "there are no delimiters",
        &["quakeworld/d/whole-records"],
    ),
    Sentence::by(
        &QUAKEWORLD,
        "001 6.4",
        "the servers are listed there",
        &[
            "quakeworld/d/all",
            "quakeworld/d/once-each",
            "quakeworld/d/unchanged",
            "quakeworld/d/other-games",
        ],
    ),
    Sentence::not(
        &QUAKEWORLD,
        "001 6.5",
        "a master pings servers",
        "it is not said when, and no master need do it; our servers reply where one does",
    ),
    Sentence::by(
        &QUAKEWORLD,
        "001 6.6",
        "k is a ping from a server to the master",
        &["quakeworld/k/*"],
    ),
    Sentence::by(
        &QUAKEWORLD,
        "001 6.7",
        "l is the reply to ping, which masters send, and to k",
        &["quakeworld/k/acknowledged", "quakeworld/l/*"],
    ),
    Sentence::by(
        &QUAKEWORLD,
        "001 6.8",
        "a is the heartbeat, with two numbers of a meaning that is not said",
        &["quakeworld/a/registers", "quakeworld/a/any-numbers"],
    ),
    Sentence::by(
        &QUAKEWORLD,
        "001 6.8",
        "heartbeats come every 300 seconds (known from the released sources)",
        &[
            "quakeworld/a/again",
            "quakeworld/a/kept",
            "quakeworld/timeout/kept",
            "quakeworld/timeout/renewed",
            "quakeworld/timeout/forgotten",
        ],
    ),
    Sentence::by(
        &QUAKEWORLD,
        "001 6.9",
        "C tells the master that the server goes",
        &["quakeworld/C/*"],
    ),
    Sentence::by(
        &QUAKEWORLD,
        "003 Appendix B",
        "hackers send what no game does, and a master survives it",
        &["quakeworld/robust/*"],
    ),
];

pub(super) static HEXENWORLD_SAYS: &[Sentence] = &[
    Sentence::not(
        &HEXENWORLD,
        "001 7",
        "the master listens on UDP 26900, servers play on UDP 26950",
        TOLD,
    ),
    Sentence::by(
        &HEXENWORLD,
        "001 7, uHexen2's and QuakeForge's masters",
        "what masters are sent begins with one FF, and their lists with five",
        &["hexenworld/c/answered", "hexenworld/d/mark"],
    ),
    Sentence::by(
        &HEXENWORLD,
        "001 7, 001 6, uHexen2's and QuakeForge's masters",
        "all else is as with QuakeWorld",
        &[
            "hexenworld/c/*",
            "hexenworld/d/*",
            "hexenworld/l/*",
            "hexenworld/a/*",
            "hexenworld/timeout/*",
            "hexenworld/C/*",
        ],
    ),
    Sentence::by(
        &HEXENWORLD,
        "003 Appendix B",
        "hackers send what no game does, and a master survives it",
        &["hexenworld/robust/*"],
    ),
];
