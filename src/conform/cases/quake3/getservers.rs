//! Clients ask for servers: 001 1.1.1, 000 "Querying for all known servers", 004 4) getservers.

use super::ends::{Client, Server};
use crate::conform::{Case, Failure, MUST, Proven, SHOULD, Sentence};
use crate::peer::voice::quake3::List;
use crate::proto::quake3::QUAKE3;

/// All servers of protocol 68.
const ALL: List<'static> = List { game: "", protocol: 68, words: "empty full", line_feed: false };
/// Those that are neither empty nor full.
const PLAIN: List<'static> = List { words: "", ..ALL };

pub(super) static CASES: &[Case] = &[
    Case {
        id: "quake3/getservers/line-feed",
        title: "a client sends the request of the first document, which ends in a line feed",
        requires: "a list is asked for with getservers, a protocol, words that filter, a line feed",
        citation: "001 1.1.1",
        run: |stand| {
            let (server, client) = (Server::quake3(stand)?, Client::new(stand)?);
            server.registers()?;
            let words = "empty full demo";
            client.finds(&server, List { words, line_feed: true, ..ALL }).map(drop)
        },
        ..MUST
    },
    Case {
        id: "quake3/getservers/no-line-feed",
        title: "a client sends a request without a line feed",
        requires: "a list is asked for with getservers and a query of a protocol and options",
        citation: "000 getservers, 004 4) getservers",
        run: |stand| {
            let (server, client) = (Server::quake3(stand)?, Client::new(stand)?);
            server.registers()?;
            client.finds(&server, ALL).map(drop)
        },
        ..MUST
    },
    Case {
        id: "quake3/getservers/protocol",
        title: "a client asks for servers of another protocol than a server has",
        requires: "only servers whose protocol is the one asked for are listed",
        citation: "001 1.1.1",
        run: |stand| {
            let (server, client) = (Server::quake3(stand)?, Client::new(stand)?);
            server.registers()?;
            client.finds(&server, ALL)?;
            client.asks(List { protocol: 67, ..ALL })?.lacks(&server)
        },
        ..MUST
    },
    Case {
        id: "quake3/getservers/neither",
        title: "a client asks with neither empty nor full",
        requires: "without these words only servers that are neither empty nor full are listed",
        citation: "001 1.1.1, 004 4) getservers",
        run: |stand| {
            let loads = Loads::register(stand)?;
            loads.listed("", [false, true, false])
        },
        ..MUST
    },
    Case {
        id: "quake3/getservers/empty",
        title: "a client asks with empty alone",
        requires: "the word empty adds servers that nobody plays on, and no full ones",
        citation: "001 1.1.1, 004 4) getservers",
        run: |stand| {
            let loads = Loads::register(stand)?;
            loads.listed("empty", [true, true, false])
        },
        ..MUST
    },
    Case {
        id: "quake3/getservers/full",
        title: "a client asks with full alone",
        requires: "the word full adds servers whose places are all taken, and no empty ones",
        citation: "001 1.1.1, 004 4) getservers",
        run: |stand| {
            let loads = Loads::register(stand)?;
            loads.listed("full", [false, true, true])
        },
        ..MUST
    },
    Case {
        id: "quake3/getservers/empty-and-full",
        title: "a client asks with both words, in either order",
        requires: "with both words empty and full servers are listed too",
        citation: "001 1.1.1, 001 11.5",
        run: |stand| {
            let loads = Loads::register(stand)?;
            loads.listed("empty full", [true, true, true])?;
            loads.listed("full empty", [true, true, true])
        },
        ..MUST
    },
    Case {
        id: "quake3/getservers/unknown-word",
        title: "a client asks with a word that no document has",
        requires: "options are optional, and what a master does not know does not silence it",
        citation: "000 getservers",
        run: |stand| {
            let (server, client) = (Server::quake3(stand)?, Client::new(stand)?);
            server.registers()?;
            client.finds(&server, List { words: "empty full sharks", ..ALL }).map(drop)
        },
        ..SHOULD
    },
];

/// An empty server, one with a place left, a full one.
struct Loads<'s> {
    client: Client<'s>,
    servers: [Server<'s>; 3],
}

impl<'s> Loads<'s> {
    fn register(stand: &'s crate::conform::Stand<'_>) -> Result<Self, Failure> {
        let client = Client::new(stand)?;
        let server = |clients: &str| Ok(Server::quake3(stand)?.with("clients", clients));
        let servers = [server("0")?, server("1")?, server("8")?];
        for server in &servers {
            server.registers()?;
        }
        client.finds(&servers[1], PLAIN)?;
        Ok(Self { client, servers })
    }

    /// Which of them are listed to who asks with these words.
    fn listed(&self, words: &str, expected: [bool; 3]) -> Result<(), Failure> {
        let list = List { words, ..PLAIN };
        for (server, _) in self.servers.iter().zip(expected).filter(|(_, is)| *is) {
            self.client.finds(server, list)?;
        }
        let listed = self.client.asks(list)?;
        let absent = self.servers.iter().zip(expected).filter(|(_, is)| !*is);
        absent.into_iter().try_for_each(|(server, _)| listed.lacks(server))
    }
}

pub(super) static SENTENCES: &[Sentence] = &[
    Sentence {
        game: &QUAKE3,
        citation: "001 1.1.1",
        says: "a client asks for servers with getservers, a protocol and words, and a line feed",
        proven: Proven::By(&["quake3/getservers/line-feed"]),
    },
    Sentence {
        game: &QUAKE3,
        citation: "000 getservers",
        says: "a query is a protocol, which has to be there, and options, which need not",
        proven: Proven::By(&["quake3/getservers/no-line-feed", "quake3/getservers/unknown-word"]),
    },
    Sentence {
        game: &QUAKE3,
        citation: "001 1.1.1",
        says: "the list holds only servers of the protocol that was asked for",
        proven: Proven::By(&["quake3/getservers/protocol"]),
    },
    Sentence {
        game: &QUAKE3,
        citation: "001 1.1.1",
        says: "without words it holds servers that are neither empty nor full; empty and full add \
               these",
        proven: Proven::By(&[
            "quake3/getservers/neither",
            "quake3/getservers/empty",
            "quake3/getservers/full",
            "quake3/getservers/empty-and-full",
        ]),
    },
];
