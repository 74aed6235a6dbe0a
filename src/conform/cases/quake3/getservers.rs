//! Clients ask for servers: 001 1.1.1, 000 "Querying for all known servers", 004 4) getservers.

use super::ends::{ALL, Client, Listed, PLAIN, Server, of_game};
use crate::conform::{Case, Done, Failure, MUST, SHOULD, TestContext};
use crate::peer::voice::quake3::List;

pub(super) static CASES: &[Case] = &[
    Case {
        id: "quake3/getservers/line-feed",
        title: "a client sends the request of the first document, which ends in a line feed",
        requires: "a list is asked for with getservers, a protocol, words that filter, a line feed",
        citation: "001 1.1.1",
        run: |ctx| {
            let (server, client) = (Server::quake3(ctx)?, Client::new(ctx)?);
            server.register()?;
            let words = "empty full demo";
            client.wait_listed(&server, List { words, line_feed: true, ..ALL }).map(drop)
        },
        ..MUST
    },
    Case {
        id: "quake3/getservers/no-line-feed",
        title: "a client sends a request without a line feed",
        requires: "a list is asked for with getservers and a query of a protocol and options",
        citation: "000 getservers, 004 4) getservers",
        run: |ctx| {
            let (server, client) = (Server::quake3(ctx)?, Client::new(ctx)?);
            server.register()?;
            client.wait_listed(&server, ALL).map(drop)
        },
        ..MUST
    },
    Case {
        id: "quake3/getservers/protocol",
        title: "a client asks for servers of another protocol than a server has",
        requires: "only servers whose protocol is the one asked for are listed",
        citation: "001 1.1.1",
        run: |ctx| {
            let (server, client) = (Server::quake3(ctx)?, Client::new(ctx)?);
            server.register()?;
            client.wait_listed(&server, ALL)?;
            client.asks(List { protocol: 67, ..ALL })?.expect_unlisted(&server)
        },
        ..MUST
    },
    Case {
        id: "quake3/getservers/neither",
        title: "a client asks with neither empty nor full",
        requires: "without these words only servers that are neither empty nor full are listed",
        citation: "001 1.1.1, 004 4) getservers",
        run: |ctx| {
            let loads = Loads::register(ctx)?;
            loads.listed("", [false, true, false])
        },
        ..MUST
    },
    Case {
        id: "quake3/getservers/empty",
        title: "a client asks with empty alone",
        requires: "the word empty adds servers that nobody plays on, and no full ones",
        citation: "001 1.1.1, 004 4) getservers",
        run: |ctx| {
            let loads = Loads::register(ctx)?;
            loads.listed("empty", [true, true, false])
        },
        ..MUST
    },
    Case {
        id: "quake3/getservers/full",
        title: "a client asks with full alone",
        requires: "the word full adds servers whose places are all taken, and no empty ones",
        citation: "001 1.1.1, 004 4) getservers",
        run: |ctx| {
            let loads = Loads::register(ctx)?;
            loads.listed("full", [false, true, true])
        },
        ..MUST
    },
    Case {
        id: "quake3/getservers/empty-and-full",
        title: "a client asks with both words, in either order",
        requires: "with both words empty and full servers are listed too",
        citation: "001 1.1.1, 001 11.5",
        run: |ctx| {
            let loads = Loads::register(ctx)?;
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
        run: |ctx| {
            let (server, client) = (Server::quake3(ctx)?, Client::new(ctx)?);
            server.register()?;
            client.wait_listed(&server, List { words: "empty full sharks", ..ALL }).map(drop)
        },
        ..SHOULD
    },
    Case {
        id: "quake3/getservers/demo",
        title: "a client asks with demo, and without it",
        requires: "the word demo adds demo servers, and takes none away",
        citation: "001 1.1.1, 001 8.8",
        run: |ctx| {
            let (server, client) = (Server::quake3(ctx)?, Client::new(ctx)?);
            server.register()?;
            client.wait_listed(&server, List { words: "demo", ..ALL }).map(drop)
        },
        ..SHOULD
    },
    Case {
        id: "quake3/getservers/ffa",
        title: "a client asks with ffa",
        requires: "the word ffa asks for servers where everybody plays for himself",
        citation: "001 1.1.1",
        run: |ctx| rules(ctx, "ffa", "0"),
        ..SHOULD
    },
    Case {
        id: "quake3/getservers/tourney",
        title: "a client asks with tourney",
        requires: "the word tourney asks for servers where one plays against one",
        citation: "001 1.1.1",
        run: |ctx| rules(ctx, "tourney", "1"),
        ..SHOULD
    },
    Case {
        id: "quake3/getservers/team",
        title: "a client asks with team",
        requires: "the word team asks for servers where teams fight",
        citation: "001 1.1.1",
        run: |ctx| rules(ctx, "team", "3"),
        ..SHOULD
    },
    Case {
        id: "quake3/getservers/ctf",
        title: "a client asks with ctf",
        requires: "the word ctf asks for servers where flags are captured",
        citation: "001 1.1.1",
        run: |ctx| rules(ctx, "ctf", "4"),
        ..SHOULD
    },
    Case {
        id: "quake3/getservers/odd-protocols",
        title: "a client asks for the protocols -1, 0 and 1",
        requires: "only servers whose protocol is the one asked for are listed",
        citation: "001 1.1.1",
        run: |ctx| {
            let (server, client) = (Server::quake3(ctx)?, Client::new(ctx)?);
            server.register()?;
            for protocol in [-1, 0, 1] {
                let bytes = List { protocol, ..ALL }.plain();
                Listed::read(client.0.request_all(&bytes)?)?.expect_unlisted(&server)?;
            }
            client.wait_listed(&server, ALL).map(drop)
        },
        ..MUST
    },
    Case {
        id: "quake3/getservers/no-protocol",
        title: "a client asks without a protocol, and with a game of no protocol, 4TheFun",
        requires: "a request has to hold a protocol; what has none gets no servers, and the master \
                   goes on",
        citation: "000 getservers, 004 4) getservers",
        run: |ctx| {
            let (server, client) = (Server::quake3(ctx)?, Client::new(ctx)?);
            server.register()?;
            for words in ["", " ", " empty full", " 4TheFun", " 4TheFun empty"] {
                let bytes = [b"\xff\xff\xff\xffgetservers", words.as_bytes()].concat();
                Listed::read(client.0.request_all(&bytes)?)?.expect_unlisted(&server)?;
            }
            client.wait_listed(&server, ALL).map(drop)
        },
        ..MUST
    },
    Case {
        id: "dpmaster/getservers/game",
        title: "a client asks for the servers of one of two games",
        requires: "a client names its game in front of the protocol, and gets that game's servers",
        citation: "004 4) getservers",
        run: |ctx| {
            let (game, other) = (ctx.game(), ctx.game());
            let client = Client::new(ctx)?;
            let server = Server::darkplaces(ctx, &game)?;
            let another = Server::darkplaces(ctx, &other)?;
            server.register()?;
            another.register()?;
            client.wait_listed(&another, of_game(&other))?.expect_unlisted(&server)?;
            client.wait_listed(&server, of_game(&game))?.expect_unlisted(&another)
        },
        ..MUST
    },
    Case {
        id: "dpmaster/getservers/game-and-protocol",
        title: "a client asks for a game's servers of another protocol",
        requires: "a request holds a protocol, and servers of that protocol are listed",
        citation: "004 4) getservers",
        run: |ctx| {
            let game = ctx.game();
            let (server, client) = (Server::darkplaces(ctx, &game)?, Client::new(ctx)?);
            server.register()?;
            client.wait_listed(&server, of_game(&game))?;
            client.asks(List { protocol: 4, ..of_game(&game) })?.expect_unlisted(&server)
        },
        ..MUST
    },
    Case {
        id: "dpmaster/getservers/number-alone",
        title: "a client asks for a protocol without a game, which a named game's server has too",
        requires: "all but Quake III's clients have to name their game; a number alone asks for \
                   Quake III's servers",
        citation: "004 4) getservers",
        run: |ctx| {
            let game = ctx.game();
            let client = Client::new(ctx)?;
            let named = Server::darkplaces(ctx, &game)?.with("protocol", "68");
            let server = Server::quake3(ctx)?;
            named.register()?;
            server.register()?;
            client.wait_listed(&server, ALL)?.expect_unlisted(&named)
        },
        ..SHOULD
    },
];

/// Registers a server that plays by these rules and one that plays by others; who asks with the
/// word gets the first alone.
fn rules(ctx: &TestContext<'_>, word: &str, gametype: &str) -> Done {
    let client = Client::new(ctx)?;
    let server = Server::quake3(ctx)?.with("gametype", gametype);
    let other = Server::quake3(ctx)?.with("gametype", "9");
    server.register()?;
    other.register()?;
    client.wait_listed(&other, ALL)?;
    client
        .wait_listed(&server, List { words: &format!("empty full {word}"), ..ALL })?
        .expect_unlisted(&other)
}

/// An empty server, one with a place left, a full one.
struct Loads<'s> {
    client: Client<'s>,
    servers: [Server<'s>; 3],
}

impl<'s> Loads<'s> {
    fn register(ctx: &'s TestContext<'_>) -> Result<Self, Failure> {
        let client = Client::new(ctx)?;
        let server = |clients: &str| Ok(Server::quake3(ctx)?.with("clients", clients));
        let servers = [server("0")?, server("1")?, server("8")?];
        for server in &servers {
            server.register()?;
        }
        client.wait_listed(&servers[1], PLAIN)?;
        Ok(Self { client, servers })
    }

    /// Which of them are listed to who asks with these words.
    fn listed(&self, words: &str, expected: [bool; 3]) -> Done {
        let list = List { words, ..PLAIN };
        for (server, _) in self.servers.iter().zip(expected).filter(|(_, is)| *is) {
            self.client.wait_listed(server, list)?;
        }
        let listed = self.client.asks(list)?;
        let absent = self.servers.iter().zip(expected).filter(|(_, is)| !*is);
        absent.into_iter().try_for_each(|(server, _)| listed.expect_unlisted(server))
    }
}
