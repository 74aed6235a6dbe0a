//! Lists. No document says how they are asked for; what stands here is what programs in the open
//! do, and a master that does otherwise is warned of and not failed.

use super::ends::{By, Client, Server, register};
use crate::conform::{Case, Failure, Proven, SHOULD, Sentence, TestContext};
use crate::proto::half_life::HALF_LIFE;

/// Servers that have no room in one packet of 1400 bytes.
const MANY: usize = 240;
const EVERYTHING: By<'static> = By::Filter("");

pub(super) static CASES: &[Case] = &[
    Case {
        id: "half-life/e/listed",
        title: "a client asks with e and the cursor 0",
        requires: "e asks for the list from a cursor on, and f is the answer (observed)",
        citation: "001 10",
        run: |ctx| listed(ctx, By::Cursor).map(drop),
        ..SHOULD
    },
    Case {
        id: "half-life/1/listed",
        title: "a client asks with 1, all regions, no server and no filter",
        requires: "1 asks for the servers of a region behind one of them, and f is the answer \
                   (observed)",
        citation: "001 10",
        run: |ctx| listed(ctx, EVERYTHING).map(drop),
        ..SHOULD
    },
    Case {
        id: "half-life/1/gamedir",
        title: "a client asks for the servers of a modification",
        requires: "the filter's gamedir leaves only that modification's servers in (observed)",
        citation: "001 10",
        run: |ctx| {
            let (own, other) = (ctx.game(), ctx.game());
            let server = |game: &str| Ok::<_, Failure>(Server::new(ctx)?.with("gamedir", game));
            let (server, stranger) = (server(&own)?, server(&other)?);
            server.register()?;
            stranger.register()?;
            let client = Client::new(ctx)?;
            client.wait_listed(&stranger, EVERYTHING)?;
            client
                .wait_listed(&server, By::Filter(&format!(r"\gamedir\{own}")))?
                .expect_unlisted(&stranger)
        },
        ..SHOULD
    },
    Case {
        id: "half-life/1/empty-and-full",
        title: "a client asks for servers that are not empty, and for those that are not full",
        requires: "the filter's empty=1 leaves empty servers out, full=1 full ones, and without \
                   them all are listed (observed)",
        citation: "001 10",
        run: |ctx| {
            let game = ctx.game();
            let server = |players: &str| {
                let server = Server::new(ctx)?.with("gamedir", &game);
                Ok::<_, Failure>(server.with("players", players))
            };
            let servers = [server("0")?, server("1")?, server("6")?];
            servers.iter().try_for_each(Server::register)?;
            let client = Client::new(ctx)?;
            for (words, expected) in [
                ("", [true, true, true]),
                (r"\empty\1", [false, true, true]),
                (r"\full\1", [true, true, false]),
                (r"\empty\1\full\1", [false, true, false]),
            ] {
                let filter = format!(r"\gamedir\{game}{words}");
                let both = || servers.iter().zip(expected);
                for (server, _) in both().filter(|(_, is)| *is) {
                    client.wait_listed(server, By::Filter(&filter))?;
                }
                let listed = client.asks(By::Filter(&filter))?;
                both()
                    .filter(|(_, is)| !*is)
                    .try_for_each(|(server, _)| listed.expect_unlisted(server))?;
            }
            Ok(())
        },
        ..SHOULD
    },
    Case {
        id: "half-life/f/byte-order",
        title: "a client asks for a list with a server in it whose port reads otherwise backwards",
        requires: "addresses and ports are in network order (observed)",
        citation: "001 10",
        run: |ctx| {
            let server = Server::new(ctx)?;
            server.register()?;
            let client = Client::new(ctx)?;
            let Err(failure) = client.wait_listed(&server, By::Cursor) else {
                return Ok(());
            };
            let mut swapped = server.address();
            swapped.set_port(swapped.port().swap_bytes());
            let what = format!("a list that holds {}", server.address());
            client.asks(By::Cursor)?.not(swapped, Failure::new(what, "its port backwards"))?;
            Err(failure)
        },
        ..SHOULD
    },
    Case {
        id: "half-life/f/no-doubles",
        title: "a server registers twice and a client asks for the list",
        requires: "each server stands in the list once (observed)",
        citation: "001 10",
        run: |ctx| {
            let server = Server::new(ctx)?;
            server.register()?;
            let client = Client::new(ctx)?;
            client.wait_listed(&server, By::Cursor)?;
            server.register()?;
            let listed = client.asks(By::Cursor)?;
            match listed.count(server.address()) {
                1 => Ok(()),
                count => {
                    let what = format!("{} once", server.address());
                    let failure = Failure::new(what, format!("{count} times"));
                    listed.not(server.address(), failure.clone())?;
                    Err(failure)
                }
            }
        },
        ..SHOULD
    },
    Case {
        id: "half-life/f/complete",
        title: "a client asks for a list to its end, by cursor and by server",
        requires: "the last record of a list is all zeros (observed)",
        citation: "001 10",
        run: |ctx| {
            for by in [By::Cursor, EVERYTHING] {
                let listed = listed(ctx, by)?;
                if !listed.complete {
                    let came = format!("{} packets without it", listed.packets.len());
                    return Err(Failure::new("a last record of zeros", came));
                }
            }
            Ok(())
        },
        ..SHOULD
    },
    Case {
        id: "half-life/f/goes-on",
        title: "a client asks for a list of more servers than have room in a packet",
        requires: "a packet that does not complete the list ends with where it goes on (observed)",
        citation: "001 10",
        run: |ctx| {
            let client = Client::new(ctx)?;
            // Those of other cases count too, so that each run needs few more.
            let there = client.asks(By::Cursor)?.servers.len();
            let missing = MANY.saturating_sub(there).max(1);
            let servers = ctx.servers(super::LISTS, missing)?;
            let servers = servers.into_iter().map(Server::at).collect::<Vec<_>>();
            register(&servers)?;
            for by in [By::Cursor, EVERYTHING] {
                let listed = client.asks(by)?;
                servers.iter().try_for_each(|server| listed.expect_listed(server))?;
                for server in &servers {
                    if listed.count(server.address()) > 1 {
                        let what = format!("{} once", server.address());
                        let failure = Failure::new(what, "it in two packets");
                        listed.not(server.address(), failure)?;
                    }
                }
            }
            Ok(())
        },
        // The list must not change between its packets.
        exclusive: true,
        ..SHOULD
    },
];

/// A list with a server in it.
fn listed(ctx: &TestContext<'_>, by: By<'_>) -> Result<super::ends::Listed, Failure> {
    let server = Server::new(ctx)?;
    server.register()?;
    Client::new(ctx)?.wait_listed(&server, by)
}

pub(super) static SENTENCES: &[Sentence] = &[
    Sentence {
        game: &HALF_LIFE,
        citation: "001 10",
        says: "clients ask for the list with e and a cursor, or with 1, a server and a filter \
               (observed; the document has no lists)",
        proven: Proven::By(&["half-life/e/*", "half-life/1/*"]),
    },
    Sentence {
        game: &HALF_LIFE,
        citation: "001 10",
        says: "f lists servers in six bytes each, and at last zeros or where it goes on (observed)",
        proven: Proven::By(&["half-life/f/*"]),
    },
];
