//! The measured masters of QuakeWorld and HexenWorld, by the traits in which they differ.

use super::traits::END;
use crate::conform::Implementation;
use crate::conform::shared::no_challenge::traits::{
    AFTER_ONE, AFTER_SHUTDOWN, AS_REGISTERED, BOTH_ACKNOWLEDGED, BOTH_SILENT, HEARTBEATS,
    LATEST_FIRST, LISTED, NOT_LISTED, ORDER, PING_ALONE, PINGS, REQUESTS, SHUTDOWN, SILENCE,
    WITHOUT_PING,
};

pub(super) static QUAKEWORLD: &[Implementation] = &[
    Implementation {
        name: "QuakeForge qw-master",
        source: "measured, sources of 2026-06-18",
        values: &[
            (END, "\"\\0\""),
            (PINGS, BOTH_ACKNOWLEDGED),
            (HEARTBEATS, BOTH_SILENT),
            (PING_ALONE, NOT_LISTED),
            (WITHOUT_PING, AFTER_ONE),
            (SHUTDOWN, SILENCE),
            (AFTER_SHUTDOWN, AFTER_ONE),
            (ORDER, AS_REGISTERED),
            (REQUESTS, "c LF NUL, c LF, c"),
        ],
    },
    Implementation {
        name: "masterserver 0.4.1 by Andre' Schulz",
        source: "measured",
        values: &[
            (END, "\"\""),
            (PINGS, BOTH_ACKNOWLEDGED),
            (HEARTBEATS, BOTH_SILENT),
            (PING_ALONE, NOT_LISTED),
            (WITHOUT_PING, AFTER_ONE),
            (SHUTDOWN, SILENCE),
            (AFTER_SHUTDOWN, AFTER_ONE),
            (ORDER, AS_REGISTERED),
            (REQUESTS, "c LF NUL, c LF, c"),
        ],
    },
    Implementation {
        name: "fragshark master",
        source: "measured",
        values: &[
            (END, "\"\\0\""),
            (PINGS, BOTH_ACKNOWLEDGED),
            (HEARTBEATS, BOTH_SILENT),
            (PING_ALONE, NOT_LISTED),
            (WITHOUT_PING, AFTER_ONE),
            (SHUTDOWN, SILENCE),
            (AFTER_SHUTDOWN, AFTER_ONE),
            (ORDER, AS_REGISTERED),
            (REQUESTS, "c LF NUL, c LF"),
        ],
    },
];

pub(super) static HEXENWORLD: &[Implementation] = &[
    Implementation {
        name: "uHexen2 hwmaster, or QuakeForge hw-master, which does the same",
        source: "measured of uHexen2's",
        values: &[
            (END, SILENCE),
            (PINGS, BOTH_SILENT),
            (HEARTBEATS, BOTH_SILENT),
            (PING_ALONE, LISTED),
            (WITHOUT_PING, AFTER_ONE),
            (SHUTDOWN, SILENCE),
            (AFTER_SHUTDOWN, AFTER_ONE),
            (ORDER, LATEST_FIRST),
            (REQUESTS, "FF c NUL, FF c LF NUL, FF c"),
        ],
    },
    Implementation {
        name: "fragshark master",
        source: "measured",
        values: &[
            (END, "\"\\0\""),
            (PINGS, BOTH_ACKNOWLEDGED),
            (HEARTBEATS, BOTH_SILENT),
            (PING_ALONE, NOT_LISTED),
            (WITHOUT_PING, AFTER_ONE),
            (SHUTDOWN, SILENCE),
            (AFTER_SHUTDOWN, AFTER_ONE),
            (ORDER, AS_REGISTERED),
            (REQUESTS, "FF c NUL, FF c LF NUL, c LF NUL"),
        ],
    },
];
