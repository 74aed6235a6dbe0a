//! The measured masters of Quake 2 and Heretic 2, by the traits in which they differ.

use super::traits::{SPELLING, WHITESPACE};
use crate::conform::Implementation;
use crate::conform::shared::no_challenge::traits::{
    AFTER_ONE, AFTER_SHUTDOWN, AS_REGISTERED, BOTH_ACKNOWLEDGED, BOTH_SILENT, HEARTBEATS,
    NOT_LISTED, ORDER, PING_ALONE, PINGS, REQUESTS, SHUTDOWN, SILENCE, WITHOUT_PING,
};

/// The masterserver of document 001's author; its modules for both games do the same.
const MASTERSERVER: Implementation = Implementation {
    name: "masterserver 0.4.1 by Andre' Schulz",
    source: "measured",
    values: &[
        (PINGS, BOTH_ACKNOWLEDGED),
        (SPELLING, "ack"),
        (HEARTBEATS, BOTH_SILENT),
        (PING_ALONE, NOT_LISTED),
        (WITHOUT_PING, AFTER_ONE),
        (SHUTDOWN, SILENCE),
        (AFTER_SHUTDOWN, AFTER_ONE),
        (ORDER, AS_REGISTERED),
        (WHITESPACE, "a blank"),
        (REQUESTS, "query LF NUL, query"),
    ],
};

const FRAGSHARK: Implementation = Implementation {
    name: "fragshark master",
    source: "measured",
    values: &[
        (PINGS, BOTH_ACKNOWLEDGED),
        (SPELLING, "ack"),
        (HEARTBEATS, BOTH_SILENT),
        (PING_ALONE, NOT_LISTED),
        (WITHOUT_PING, AFTER_ONE),
        (SHUTDOWN, SILENCE),
        (AFTER_SHUTDOWN, AFTER_ONE),
        (ORDER, AS_REGISTERED),
        (WHITESPACE, "a blank"),
        (REQUESTS, "query LF NUL, QUERY"),
    ],
};

pub(super) static QUAKE2: &[Implementation] = &[
    Implementation {
        name: "q2master 1.2",
        source: "measured",
        values: &[
            (PINGS, "an acknowledgement, then silence"),
            (SPELLING, "ack"),
            (HEARTBEATS, "silence, then an acknowledgement"),
            (PING_ALONE, NOT_LISTED),
            (WITHOUT_PING, "listed after heartbeat 2"),
            (SHUTDOWN, "ping"),
            (AFTER_SHUTDOWN, "not listed after 3 heartbeats"),
            (ORDER, AS_REGISTERED),
            (WHITESPACE, "a blank"),
            (REQUESTS, "query LF NUL, query, QUERY, FF4 getservers"),
        ],
    },
    MASTERSERVER,
    FRAGSHARK,
];

pub(super) static HERETIC2: &[Implementation] = &[MASTERSERVER, FRAGSHARK];
