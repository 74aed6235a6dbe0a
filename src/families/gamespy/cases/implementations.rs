//! The measured GameSpy masters, by the traits in which they differ.

use crate::conform::Implementation;

pub(super) static IMPLEMENTATIONS: &[Implementation] = &[
    Implementation {
        name: "333networks Masterserver-Qt5 0.28",
        source: "measured",
        values: &[
            ("query to servers", "secure"),
            ("port of that query", "the one that the heartbeat came from"),
            ("servers' challenge", "6 capital letters"),
            ("unknown game", "no query"),
            ("second heartbeat", "no query"),
            ("changed state", "no query"),
            ("server without proof", "listed"),
            ("queries to the master", "answered as a server of 333networks"),
            ("greeting of clients", "basic, secure"),
            ("clients' challenge", "6 capital letters"),
            ("client without proof", "no list"),
            ("list with cmp", "six bytes a server"),
            ("game's name in capitals", "the same game"),
            ("behind a list", "the master closes the connection"),
        ],
    },
    Implementation {
        name: "OpenSpy",
        source: "from its sources of 2024-06-06",
        values: &[
            ("query to servers", "secure"),
            (
                "port of that query",
                "both that which the heartbeat names and that which it came from",
            ),
            ("greeting of clients", "basic, secure"),
            ("list with cmp", "six bytes a server"),
        ],
    },
    Implementation {
        name: "fragshark master",
        source: "measured",
        values: &[
            ("query to servers", "basic, secure"),
            ("port of that query", "the one that the heartbeat names"),
            ("servers' challenge", "6 letters and digits"),
            ("unknown game", "basic, echo"),
            ("second heartbeat", "a query"),
            ("changed state", "basic, info, secure"),
            ("server without proof", "not listed"),
            ("queries to the master", "no answer"),
            ("greeting of clients", "basic, secure"),
            ("clients' challenge", "6 letters and digits"),
            ("client without proof", "no list"),
            ("list with cmp", "six bytes a server"),
            ("game's name in capitals", "another game"),
            ("behind a list", "the master closes the connection"),
        ],
    },
];
