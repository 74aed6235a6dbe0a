//! Servers say that they are there, or that they go: 001 1.2.9, 000 "Registration at the master
//! server", 004 1) heartbeat.

use super::ends::{Client, Server};
use crate::conform::{Case, Failure, MUST, Proven, Sentence};
use crate::peer::voice::quake3::{self as voice, List};
use crate::proto::quake3::QUAKE3;

const ALL: List<'static> = List { game: "", protocol: 68, words: "empty full", line_feed: false };

pub(super) static CASES: &[Case] = &[
    Case {
        id: "quake3/heartbeat/asked",
        title: "a server sends a heartbeat",
        requires: "the master answers a heartbeat with a question, getinfo or getstatus",
        citation: "001 1.2.9, 000 heartbeat, 004 BEHAVIOUR",
        run: |stand| {
            let server = Server::quake3(stand)?;
            server.beats()?;
            server.is_asked().map(drop)
        },
        ..MUST
    },
    Case {
        id: "quake3/heartbeat/unanswered",
        title: "a server sends a heartbeat and does not answer what it is asked",
        requires: "a server is not listed before it has answered",
        citation: "000 heartbeat, 004 BEHAVIOUR",
        run: |stand| {
            let (server, client) = (Server::quake3(stand)?, Client::new(stand)?);
            server.beats()?;
            server.is_asked()?;
            client.asks(ALL)?.lacks(&server)
        },
        ..MUST
    },
    Case {
        id: "quake3/heartbeat/unknown-tag",
        title: "a server sends a heartbeat with a tag that no document has",
        requires: "heartbeats tell by their tag which game beats, and a master lists those it knows",
        citation: "000 heartbeat",
        run: |stand| {
            if stand.assumed().settings().unknown_tags {
                return Err(Failure::skipped("the target is assumed to take unknown tags"));
            }
            let server = Server { tag: "Unheard-1", ..Server::quake3(stand)? };
            server.beats()?;
            server.end.expect_none("no question to a server of an unknown tag", |heard| {
                voice::challenge(&heard.bytes)
            })
        },
        ..MUST
    },
];

pub(super) static SENTENCES: &[Sentence] = &[
    Sentence {
        game: &QUAKE3,
        citation: "001 1.2.9",
        says: "the master asks a server with getstatus, or getinfo, after each heartbeat",
        proven: Proven::By(&["quake3/heartbeat/asked"]),
    },
    Sentence {
        game: &QUAKE3,
        citation: "000 heartbeat",
        says: "the answer shows that it is a live server",
        proven: Proven::By(&["quake3/heartbeat/unanswered"]),
    },
    Sentence {
        game: &QUAKE3,
        citation: "000 heartbeat",
        says: "the heartbeat's tag is one of those of known games",
        proven: Proven::By(&["quake3/heartbeat/unknown-tag"]),
    },
];
