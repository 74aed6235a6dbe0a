//! What document 001 demands of a master in its sections 6 and 7.

use crate::conform::Sentence;
use crate::proto::quakeworld::{HEXENWORLD, QUAKEWORLD};

const OF_SERVERS: &str = "it is about servers and clients, and no master hears of it";
const TOLD: &str = "where the target listens is said on the command line";

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
        &["quakeworld/d/all", "quakeworld/d/once-each", "quakeworld/d/other-games"],
    ),
    Sentence::not(
        &QUAKEWORLD,
        "001 6.5",
        "a master pings servers",
        "it is not said when; a server that is asked acknowledges, and no master need ask",
    ),
    Sentence::by(
        &QUAKEWORLD,
        "001 6.6",
        "a server pings the master with k",
        &["quakeworld/k/no-heartbeat"],
    ),
    Sentence::by(
        &QUAKEWORLD,
        "001 6.7",
        "l acknowledges ping and k, whoever they come from",
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
        "masters are flooded and lied to, and have to bear it",
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
        "001 7, 001 6.4, 001 6.7",
        "replies begin with five FF (known from the released sources)",
        &["hexenworld/d/mark", "hexenworld/k/acknowledged"],
    ),
    Sentence::by(
        &HEXENWORLD,
        "001 7, 001 6",
        "all else is as with QuakeWorld (known from the released sources)",
        &[
            "hexenworld/c/*",
            "hexenworld/d/*",
            "hexenworld/k/*",
            "hexenworld/l/*",
            "hexenworld/a/*",
            "hexenworld/timeout/*",
            "hexenworld/C/*",
        ],
    ),
    Sentence::by(
        &HEXENWORLD,
        "003 Appendix B",
        "masters are flooded and lied to, and have to bear it",
        &["hexenworld/robust/*"],
    ),
];
