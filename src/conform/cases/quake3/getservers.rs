//! Clients request lists: 001 1.1.1, 000 "Querying for all known servers", 004 4) getservers.

use super::ends::{Quake3Client, Quake3List, Quake3Server, all, of_game, of_protocol};
use super::preconditions::{GAME_LISTED, LISTED};
use crate::conform::{Case, Done, Failure, MUST, SHOULD, TestContext};
use crate::families::quake3::messages::Quake3ListRequest;

pub(super) static CASES: &[Case] = &[
    Case {
        id: "quake3/getservers/line-feed",
        title: "a client sends the request of document 001, which ends in a line feed",
        requires: "a getservers with a protocol, filter words and a line feed is answered",
        citation: "001 1.1.1",
        needs: &[&LISTED],
        run: |ctx| {
            only_over_ipv4(ctx)?;
            let (server, client) = (Quake3Server::quake3(ctx)?, Quake3Client::new(ctx)?);
            client.setup_listed(&server, all(ctx))?;
            let words = "empty full demo";
            client
                .wait_listed(&server, Quake3ListRequest { words, line_feed: true, ..all(ctx) })
                .map(drop)
        },
        ..MUST
    },
    Case {
        id: "quake3/getservers/no-line-feed",
        title: "a client sends a request without a line feed",
        requires: "a getservers with a protocol and filter words is answered",
        citation: "000 getservers, 004 4) getservers",
        needs: &[&LISTED],
        run: |ctx| {
            let (server, client) = (Quake3Server::quake3(ctx)?, Quake3Client::new(ctx)?);
            ctx.setup(|| server.register())?;
            client.wait_listed(&server, all(ctx)).map(drop)
        },
        ..MUST
    },
    Case {
        id: "quake3/getservers/protocol",
        title: "a client asks for servers of another protocol than a server has",
        requires: "only servers of the requested protocol are listed",
        citation: "001 1.1.1",
        needs: &[&LISTED],
        run: |ctx| {
            let (server, client) = (Quake3Server::quake3(ctx)?, Quake3Client::new(ctx)?);
            client.setup_listed(&server, all(ctx))?;
            client.expect_unlisted(&server, of_protocol(ctx, 67))
        },
        ..MUST
    },
    Case {
        id: "quake3/getservers/neither",
        title: "a client asks with neither empty nor full",
        requires: "without these words only servers that are neither empty nor full are listed",
        citation: "001 1.1.1, 004 4) getservers",
        needs: &[&LISTED],
        run: |ctx| Loads::register(ctx)?.expect("", [false, true, false]),
        ..MUST
    },
    Case {
        id: "quake3/getservers/empty",
        title: "a client asks with empty alone",
        requires: "the word empty adds servers without players, and no full ones",
        citation: "001 1.1.1, 004 4) getservers",
        needs: &[&LISTED],
        run: |ctx| Loads::register(ctx)?.expect("empty", [true, true, false]),
        ..MUST
    },
    Case {
        id: "quake3/getservers/full",
        title: "a client asks with full alone",
        requires: "the word full adds servers without a free slot, and no empty ones",
        citation: "001 1.1.1, 004 4) getservers",
        needs: &[&LISTED],
        run: |ctx| Loads::register(ctx)?.expect("full", [false, true, true]),
        ..MUST
    },
    Case {
        id: "quake3/getservers/empty-and-full",
        title: "a client asks with both words, in either order",
        requires: "with both words empty and full servers are listed too",
        citation: "001 1.1.1, 001 11.5",
        needs: &[&LISTED],
        run: |ctx| {
            let loads = Loads::register(ctx)?;
            loads.expect("empty full", [true, true, true])?;
            loads.expect("full empty", [true, true, true])
        },
        ..MUST
    },
    Case {
        id: "quake3/getservers/unknown-word",
        title: "a client asks with a word that no document has",
        requires: "a request with an unknown filter word is answered all the same",
        citation: "dpmaster's, in no document",
        needs: &[&LISTED],
        run: |ctx| {
            let (server, client) = (Quake3Server::quake3(ctx)?, Quake3Client::new(ctx)?);
            client.setup_listed(&server, all(ctx))?;
            client
                .wait_listed(&server, Quake3ListRequest { words: "empty full sharks", ..all(ctx) })
                .map(drop)
        },
        ..SHOULD
    },
    Case {
        id: "quake3/getservers/demo",
        title: "a client asks with demo, and without it",
        requires: "the word demo adds demo servers, and takes none away",
        citation: "001 1.1.1, 001 8.8",
        needs: &[&LISTED],
        run: |ctx| {
            let (server, client) = (Quake3Server::quake3(ctx)?, Quake3Client::new(ctx)?);
            client.setup_listed(&server, all(ctx))?;
            client.wait_listed(&server, Quake3ListRequest { words: "demo", ..all(ctx) }).map(drop)
        },
        ..SHOULD
    },
    Case {
        id: "quake3/getservers/ffa",
        title: "a client asks with ffa",
        requires: "the word ffa asks for servers where every player is on his own",
        citation: "001 1.1.1",
        needs: &[&LISTED],
        run: |ctx| game_type(ctx, "ffa", "0"),
        ..SHOULD
    },
    Case {
        id: "quake3/getservers/tourney",
        title: "a client asks with tourney",
        requires: "the word tourney asks for servers where one plays against one",
        citation: "001 1.1.1",
        needs: &[&LISTED],
        run: |ctx| game_type(ctx, "tourney", "1"),
        ..SHOULD
    },
    Case {
        id: "quake3/getservers/team",
        title: "a client asks with team",
        requires: "the word team asks for servers with teams",
        citation: "001 1.1.1",
        needs: &[&LISTED],
        run: |ctx| game_type(ctx, "team", "3"),
        ..SHOULD
    },
    Case {
        id: "quake3/getservers/ctf",
        title: "a client asks with ctf",
        requires: "the word ctf asks for servers with capture the flag",
        citation: "001 1.1.1",
        needs: &[&LISTED],
        run: |ctx| game_type(ctx, "ctf", "4"),
        ..SHOULD
    },
    Case {
        id: "quake3/getservers/odd-protocols",
        title: "a client asks for the protocols -1, 0 and 1",
        requires: "only servers of the requested protocol are listed",
        citation: "001 1.1.1",
        needs: &[&LISTED],
        run: |ctx| {
            let (server, client) = (Quake3Server::quake3(ctx)?, Quake3Client::new(ctx)?);
            client.setup_listed(&server, all(ctx))?;
            for protocol in [-1, 0, 1] {
                client.expect_unlisted(&server, Quake3ListRequest { protocol, ..all(ctx) })?;
            }
            client.wait_listed(&server, all(ctx)).map(drop)
        },
        ..MUST
    },
    Case {
        id: "quake3/getservers/no-protocol",
        title: "a client asks without a protocol, and for the game 4TheFun without one",
        requires: "a request has to hold a protocol; without one no server is listed, and the next \
                   request is answered (that it is not answered at all is dpmaster's)",
        citation: "000 getservers, 004 4) getservers",
        needs: &[&LISTED],
        run: |ctx| {
            only_over_ipv4(ctx)?;
            let (server, client) = (Quake3Server::quake3(ctx)?, Quake3Client::new(ctx)?);
            client.setup_listed(&server, all(ctx))?;
            for words in ["", " ", " empty full", " 4TheFun", " 4TheFun empty"] {
                let bytes = [b"\xff\xff\xff\xffgetservers", words.as_bytes()].concat();
                Quake3List::read(client.0.request_all(&bytes)?)?.expect_unlisted(&server)?;
            }
            client.wait_listed(&server, all(ctx)).map(drop)
        },
        ..SHOULD
    },
    Case {
        id: "dpmaster/getservers/game",
        title: "a client asks for the servers of one of two games",
        requires: "a client names its game before the protocol, and gets that game's servers",
        citation: "004 4) getservers",
        needs: &[&GAME_LISTED],
        run: |ctx| {
            let (game, other) = (ctx.game(), ctx.game());
            let client = Quake3Client::new(ctx)?;
            let server = Quake3Server::darkplaces(ctx, &game)?;
            let another = Quake3Server::darkplaces(ctx, &other)?;
            client.setup_listed(&server, of_game(&game))?;
            client.setup_listed(&another, of_game(&other))?;
            client.asks(of_game(&other))?.expect_unlisted(&server)?;
            client.asks(of_game(&game))?.expect_unlisted(&another)
        },
        ..MUST
    },
    Case {
        id: "dpmaster/getservers/game-and-protocol",
        title: "a client asks for a game's servers of another protocol",
        requires: "a request holds a protocol, and servers of that protocol are listed",
        citation: "004 4) getservers",
        needs: &[&GAME_LISTED],
        run: |ctx| {
            let game = ctx.game();
            let (server, client) = (Quake3Server::darkplaces(ctx, &game)?, Quake3Client::new(ctx)?);
            client.setup_listed(&server, of_game(&game))?;
            client.expect_unlisted(&server, Quake3ListRequest { protocol: 4, ..of_game(&game) })
        },
        ..MUST
    },
    Case {
        id: "dpmaster/getservers/number-alone",
        title: "a client asks for a protocol without a game, which a named game's server has too",
        requires: "all but Quake III's clients have to name their game; a number alone asks for \
                   Quake III's servers",
        citation: "004 4) getservers",
        needs: &[&LISTED, &GAME_LISTED],
        run: |ctx| {
            let (game, list) = (ctx.game(), all(ctx));
            let client = Quake3Client::new(ctx)?;
            let named = Quake3Server::darkplaces(ctx, &game)?;
            let named = named.with("protocol", &list.protocol.to_string());
            let server = Quake3Server::quake3(ctx)?;
            client.setup_listed(&named, Quake3ListRequest { game: &game, ..list })?;
            client.setup_listed(&server, list)?;
            client.asks(list)?.expect_unlisted(&named)
        },
        ..SHOULD
    },
];

/// Over IPv6, lists are requested with getserversExt alone.
pub fn only_over_ipv4(ctx: &TestContext<'_>) -> Done {
    if ctx.is_over_ipv4() {
        return Ok(());
    }
    Err(Failure::skipped("a getservers lists no IPv6 server; over IPv6 getserversExt is used"))
}

/// Registers a server of this game type and one of another; a client that sends the word gets only
/// the first.
fn game_type(ctx: &TestContext<'_>, word: &str, number: &str) -> Done {
    let client = Quake3Client::new(ctx)?;
    let server = Quake3Server::quake3(ctx)?.with("gametype", number);
    let other = Quake3Server::quake3(ctx)?.with("gametype", "9");
    client.setup_listed(&server, all(ctx))?;
    client.setup_listed(&other, all(ctx))?;
    let words = &format!("empty full {word}");
    client.wait_listed(&server, Quake3ListRequest { words, ..all(ctx) })?.expect_unlisted(&other)
}

/// An empty server, one with a free slot, a full one.
struct Loads<'s> {
    client: Quake3Client<'s>,
    servers: [Quake3Server<'s>; 3],
}

impl<'s> Loads<'s> {
    fn register(ctx: &'s TestContext<'_>) -> Result<Self, Failure> {
        let client = Quake3Client::new(ctx)?;
        let server = |clients: &str| Ok(Quake3Server::quake3(ctx)?.with("clients", clients));
        let servers = [server("0")?, server("1")?, server("8")?];
        for server in &servers {
            ctx.setup(|| server.register())?;
        }
        ctx.setup(|| client.wait_listed(&servers[1], all(ctx)))?;
        Ok(Self { client, servers })
    }

    /// Which of them are listed for these words.
    fn expect(&self, words: &str, expected: [bool; 3]) -> Done {
        let list = Quake3ListRequest { words, ..all(self.client.0.ctx()) };
        for (server, _) in self.servers.iter().zip(expected).filter(|(_, is)| *is) {
            self.client.wait_listed(server, list)?;
        }
        let listed = self.client.asks(list)?;
        let absent = self.servers.iter().zip(expected).filter(|(_, is)| !*is);
        absent.into_iter().try_for_each(|(server, _)| listed.expect_unlisted(server))
    }
}
