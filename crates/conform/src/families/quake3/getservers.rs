//! Clients request lists: 001 1.1.1, 000 "Querying for all known servers", 004 4) getservers.

use super::preconditions::{GAME_LISTED, GAME_LISTED_CASE, LISTED, LISTED_CASE};
use super::roles::{Quake3Client, Quake3Server, all, if_listed, next_protocol, of_game, own_game};
use crate::{CASE, Case, Done, Failure, TestContext};
use simulate::families::quake3::messages::Quake3ListRequest;

pub(super) static CASES: &[Case] = &[
    Case {
        id: "quake3/getservers/line-feed",
        title: "a client sends the request of document 001, which ends in a line feed",
        run: |ctx| {
            only_over_ipv4(ctx)?;
            let (server, client) = Quake3Server::listed(ctx)?;
            let words = "empty full demo";
            client
                .wait_listed(&server, Quake3ListRequest { words, line_feed: true, ..all(ctx) })
                .map(drop)
        },
        ..LISTED_CASE
    },
    Case {
        id: "quake3/getservers/no-line-feed",
        title: "a client sends a request without a line feed",
        run: |ctx| {
            let (server, client) = (Quake3Server::new(ctx)?, Quake3Client::new(ctx)?);
            ctx.setup(|| server.register())?;
            client.wait_listed(&server, all(ctx)).map(drop)
        },
        ..LISTED_CASE
    },
    Case {
        id: "quake3/getservers/protocol",
        title: "a client asks for servers of another protocol than a server has",
        run: |ctx| {
            let (server, client) = Quake3Server::listed(ctx)?;
            let list = all(ctx);
            let protocol = list.protocol - 1;
            client.expect_unlisted(&server, Quake3ListRequest { protocol, ..list })
        },
        ..LISTED_CASE
    },
    Case {
        id: "quake3/getservers/neither",
        title: "a client asks with neither empty nor full",
        run: |ctx| Loads::register(ctx)?.expect("", [false, true, false]),
        ..LISTED_CASE
    },
    Case {
        id: "quake3/getservers/empty",
        title: "a client asks with empty alone",
        run: |ctx| Loads::register(ctx)?.expect("empty", [true, true, false]),
        ..LISTED_CASE
    },
    Case {
        id: "quake3/getservers/full",
        title: "a client asks with full alone",
        run: |ctx| Loads::register(ctx)?.expect("full", [false, true, true]),
        ..LISTED_CASE
    },
    Case {
        id: "quake3/getservers/empty-and-full",
        title: "a client asks with both words, in either order",
        run: |ctx| {
            let loads = Loads::register(ctx)?;
            loads.expect("empty full", [true, true, true])?;
            loads.expect("full empty", [true, true, true])
        },
        ..LISTED_CASE
    },
    Case {
        id: "quake3/getservers/unknown-word",
        title: "a client asks with a word that no document has",
        run: |ctx| {
            let (server, client) = Quake3Server::listed(ctx)?;
            client
                .wait_listed(&server, Quake3ListRequest { words: "empty full sharks", ..all(ctx) })
                .map(drop)
        },
        ..LISTED_CASE
    },
    Case {
        id: "quake3/getservers/demo",
        title: "a client asks with demo, and without it",
        run: |ctx| {
            let (server, client) = Quake3Server::listed(ctx)?;
            client.wait_listed(&server, Quake3ListRequest { words: "demo", ..all(ctx) }).map(drop)
        },
        ..LISTED_CASE
    },
    Case {
        id: "quake3/getservers/ffa",
        title: "a client asks with ffa",
        run: |ctx| game_type(ctx, "ffa", "0"),
        ..LISTED_CASE
    },
    Case {
        id: "quake3/getservers/tourney",
        title: "a client asks with tourney",
        run: |ctx| game_type(ctx, "tourney", "1"),
        ..LISTED_CASE
    },
    Case {
        id: "quake3/getservers/team",
        title: "a client asks with team",
        run: |ctx| game_type(ctx, "team", "3"),
        ..LISTED_CASE
    },
    Case {
        id: "quake3/getservers/ctf",
        title: "a client asks with ctf",
        run: |ctx| game_type(ctx, "ctf", "4"),
        ..LISTED_CASE
    },
    Case {
        id: "quake3/getservers/odd-protocols",
        title: "a client asks for the protocols -1, 0 and 1",
        requires: "quake3/getservers/protocol",
        run: |ctx| {
            let (server, client) = Quake3Server::listed(ctx)?;
            for protocol in [-1, 0, 1] {
                client.expect_unlisted(&server, Quake3ListRequest { protocol, ..all(ctx) })?;
            }
            client.wait_listed(&server, all(ctx)).map(drop)
        },
        ..LISTED_CASE
    },
    Case {
        id: "quake3/getservers/no-protocol",
        title: "a client asks without a protocol, and for the game 4TheFun without one",
        run: |ctx| {
            only_over_ipv4(ctx)?;
            let (server, client) = Quake3Server::listed(ctx)?;
            for words in ["", " ", " empty full", " 4TheFun", " 4TheFun empty"] {
                let bytes = [b"\xff\xff\xff\xffgetservers", words.as_bytes()].concat();
                client.request_any(&bytes)?.expect_unlisted(&server)?;
            }
            client.wait_listed(&server, all(ctx)).map(drop)
        },
        ..LISTED_CASE
    },
    Case {
        id: "dpmaster/getservers/game",
        title: "a client asks for the servers of one of two games",
        run: |ctx| {
            let (game, other) = (own_game(ctx)?, own_game(ctx)?);
            let client = Quake3Client::new(ctx)?;
            let server = Quake3Server::darkplaces(ctx, &game)?;
            let another = Quake3Server::darkplaces(ctx, &other)?;
            client.setup_listed(&server, of_game(ctx, &game))?;
            client.setup_listed(&another, of_game(ctx, &other))?;
            client.request(of_game(ctx, &other))?.expect_unlisted(&server)?;
            client.request(of_game(ctx, &game))?.expect_unlisted(&another)
        },
        ..GAME_LISTED_CASE
    },
    Case {
        id: "dpmaster/getservers/game-and-protocol",
        title: "a client asks for a game's servers of another protocol",
        run: |ctx| {
            let (server, client) = Quake3Server::named(ctx)?.with_client(ctx)?;
            let protocol = next_protocol(ctx);
            client.expect_unlisted(&server, Quake3ListRequest { protocol, ..server.list() })
        },
        ..GAME_LISTED_CASE
    },
    Case {
        id: "dpmaster/getservers/number-alone",
        title: "a client asks for a protocol without a game, which a named game's server has too",
        needs: &[&LISTED, &GAME_LISTED],
        run: |ctx| {
            let (game, list) = (own_game(ctx)?, all(ctx));
            let client = Quake3Client::new(ctx)?;
            let named = Quake3Server::darkplaces(ctx, &game)?;
            let named = named.with("protocol", &list.protocol.to_string());
            let server = Quake3Server::new(ctx)?;
            client.setup_listed(&named, Quake3ListRequest { game: &game, ..list })?;
            client.setup_listed(&server, list)?;
            client.request(list)?.expect_unlisted(&named)?;
            // Nor by a number that no game without a name has.
            let own = if_listed(ctx, ctx.own_protocol())?;
            let named = named.with("protocol", &own.to_string());
            client
                .setup_listed(&named, Quake3ListRequest { game: &game, protocol: own, ..list })?;
            client.request_any(&Quake3ListRequest { protocol: own, ..list }.plain())?.expect_absent(
                &named,
                "one that holds a server of a game that names itself, for its number alone",
            )
        },
        ..CASE
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
    let server = Quake3Server::new(ctx)?.with("gametype", number);
    let other = Quake3Server::new(ctx)?.with("gametype", "9");
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
        let server = |clients: &str| Ok(Quake3Server::new(ctx)?.with("clients", clients));
        let servers = [server("0")?, server("1")?, server("8")?];
        for server in &servers {
            ctx.setup(|| server.register())?;
        }
        ctx.setup(|| client.wait_listed(&servers[1], all(ctx)))?;
        Ok(Self { client, servers })
    }

    /// Which of them are listed for these words.
    fn expect(&self, words: &str, expected: [bool; 3]) -> Done {
        let list = Quake3ListRequest { words, ..all(self.client.end.ctx()) };
        for (server, _) in self.servers.iter().zip(expected).filter(|(_, is)| *is) {
            self.client.wait_listed(server, list)?;
        }
        let listed = self.client.request(list)?;
        let absent = self.servers.iter().zip(expected).filter(|(_, is)| !*is);
        absent.into_iter().try_for_each(|(server, _)| listed.expect_unlisted(server))
    }
}
