//! Lists over TCP: 001 5.6.

use std::time::Duration;

use super::ends::{GamespyClient, GamespyServer, list};
use super::preconditions::{ASKED, LIST_ANSWERED, LIST_READ, LISTED, OTHER_LISTED};
use crate::conform::{Case, Done, Failure, INFO, MUST, Proven, SHOULD, Sentence, TestContext};
use crate::families::gamespy::messages as voice;
use crate::protocols::gamespy::GAMESPY;

/// How long a server sends nothing but must still be listed, and the minimum timeout of servers for
/// that test.
const SILENT: Duration = Duration::from_millis(6500);
const LONG: Duration = Duration::from_secs(10);
/// Lists that are compared.
const MANY: usize = 4;
/// Servers that must be in each of them.
const SERVERS: usize = 3;

pub(super) static CASES: &[Case] = &[
    Case {
        id: "gamespy/list/text",
        title: "a client asks for a list with a server in it",
        requires: "for each server stands ip and its address and port, and final behind the last",
        citation: "001 5.6",
        needs: &[&ASKED, &LIST_ANSWERED],
        run: text,
        ..MUST
    },
    Case {
        id: "gamespy/list/empty",
        title: "a client asks for the servers of a game that has none",
        requires: "a list ends in final, an empty one too",
        citation: "001 5.6",
        needs: &[&LIST_READ],
        run: |ctx| {
            let listed = list(ctx, &ctx.game())?;
            match listed.servers.len() {
                0 => Ok(()),
                count => Err(Failure::new("an empty list", format!("{count} servers"))),
            }
        },
        ..MUST
    },
    Case {
        id: "gamespy/list/other-game",
        title: "a client asks for the servers of one game while one of another is listed",
        requires: "the list holds the servers of the game that the request names",
        citation: "001 5.6",
        needs: &[&OTHER_LISTED],
        run: |ctx| {
            let server = GamespyServer::listed(ctx)?;
            let other = GamespyServer::of(ctx, voice::TEST)?;
            ctx.setup(|| other.is_listed())?;
            list(ctx, &server.game)?.expect_unlisted(&other)?;
            list(ctx, &other.game)?.expect_unlisted(&server)
        },
        ..MUST
    },
    Case {
        id: "gamespy/list/case-of-game",
        title: "a client asks for a game's name in capitals",
        requires: "the names of games are compared with case",
        citation: "003 Replies (Server Info)",
        needs: &[&LISTED],
        run: |ctx| {
            let server = GamespyServer::listed(ctx)?;
            list(ctx, &server.game.to_ascii_uppercase())?.expect_unlisted(&server)
        },
        ..SHOULD
    },
    Case {
        id: "gamespy/list/no-doubles",
        title: "a server registers twice and a client asks for the list",
        requires: "each server stands in the list once",
        citation: "001 5.6",
        needs: &[&LISTED],
        run: |ctx| {
            let server = GamespyServer::listed(ctx)?;
            for query in server.end.request_all(&server.heartbeat(""))? {
                server.answer_bytes(&query.bytes)?;
            }
            ctx.sync(super::SERVERS)?;
            match list(ctx, &server.game)?.count(server.address()) {
                0 | 1 => Ok(()),
                count => {
                    let what = format!("{} once", server.address());
                    Err(Failure::new(what, format!("{count} times")))
                }
            }
        },
        ..SHOULD
    },
    Case {
        id: "gamespy/list/compressed",
        title: "a client asks for the list with cmp",
        requires: "a list with cmp has an address and a port in network order for each server, and \
                   final behind them (observed of 333networks and OpenSpy, in no document)",
        citation: "001 5.6",
        needs: &[&LISTED],
        run: |ctx| {
            let server = GamespyServer::listed(ctx)?;
            compressed(ctx, &server.game)?.expect_listed(&server)
        },
        ..SHOULD
    },
    Case {
        id: "gamespy/list/whole-records",
        title: "a client asks for the list with cmp, and two servers are in it",
        requires: "a list with cmp has six bytes a server, and no more (observed of 333networks and \
                   OpenSpy, in no document)",
        citation: "001 5.6",
        needs: &[&LISTED],
        run: |ctx| {
            let servers = [GamespyServer::listed(ctx)?, GamespyServer::listed(ctx)?];
            let listed = compressed(ctx, voice::UNREAL)?;
            servers.iter().try_for_each(|server| listed.expect_listed(server))
        },
        ..SHOULD
    },
    Case {
        id: "gamespy/list/each-time",
        title: "three servers are listed, and clients ask for the list four times",
        requires: "a server that is listed is in each list until it leaves or its time is over",
        citation: "003 Heartbeat, 003 Appendix D",
        needs: &[&LISTED],
        exclusive: true,
        run: |ctx| {
            let servers = (0..SERVERS).map(|_| GamespyServer::listed(ctx));
            let servers = servers.collect::<Result<Vec<_>, _>>()?;
            (0..MANY).try_for_each(|_| {
                let listed = list(ctx, voice::UNREAL)?;
                servers.iter().try_for_each(|server| listed.expect_listed(server))
            })
        },
        ..MUST
    },
    Case {
        id: "gamespy/list/stays",
        title: "a client asks for the list six and a half seconds after a server's last answer",
        requires: "a server that is silent is removed after some 12 minutes, and not after seconds",
        citation: "003 Appendix D",
        needs: &[&LISTED],
        waits: 7,
        run: |ctx| {
            if ctx.time("gamespy-timeout")? < LONG {
                let why = "the target is assumed to forget servers soon (gamespy-timeout)";
                return Err(Failure::skipped(why));
            }
            let server = GamespyServer::listed(ctx)?;
            ctx.wait(SILENT);
            list(ctx, &server.game)?.expect_listed(&server)
        },
        ..MUST
    },
    Case {
        id: "gamespy/list/end",
        title: "a client waits behind the list",
        requires: "whether the connection ends behind the list stands in no document",
        citation: "001 5.6",
        needs: &[&LIST_READ],
        run: |ctx| {
            let mut client = GamespyClient::new(ctx)?;
            client.asks("", voice::UNREAL)?;
            client.takes()?;
            let closed = client.stream.rest("the end of the connection").is_ok();
            ctx.note(if closed { "the master closes it" } else { "it stays open" });
            Ok(())
        },
        ..INFO
    },
];

/// A server registers, and a readable list has it; other cases test whether it is listed at all.
fn text(ctx: &TestContext<'_>) -> Done {
    let (server, query) = GamespyServer::asked(ctx, voice::UNREAL)?;
    ctx.setup(|| server.answer(&query))?;
    list(ctx, &server.game)?;
    let found = server.wait_listed();
    let swapped = list(ctx, &server.game)?.count(server.swapped()) > 0;
    if swapped { found } else { found.map_err(Failure::in_setup) }
}

/// A game's list with six bytes per server.
pub fn compressed(ctx: &TestContext<'_>, game: &str) -> Result<super::ends::GamespyList, Failure> {
    let mut client = ctx.setup(|| GamespyClient::new(ctx))?;
    client.asks("cmp", game)?;
    client.takes_compressed()
}

pub(super) static SENTENCES: &[Sentence] = &[
    Sentence {
        game: &GAMESPY,
        citation: "001 5.6",
        says: "the list is pairs of ip and address:port, in as many packets as it takes",
        proven: Proven::By(&[
            "gamespy/list/text",
            "gamespy/list/no-doubles",
            "gamespy/list/each-time",
        ]),
    },
    Sentence {
        game: &GAMESPY,
        citation: "001 5.6",
        says: "the list ends in final",
        proven: Proven::By(&["gamespy/list/empty", "gamespy/list/text"]),
    },
    Sentence {
        game: &GAMESPY,
        citation: "001 5.6",
        says: "a client asks for the servers of one game",
        proven: Proven::By(&["gamespy/list/other-game"]),
    },
    Sentence {
        game: &GAMESPY,
        citation: "003 Replies (Server Info)",
        says: "the names of games are compared with case",
        proven: Proven::By(&["gamespy/list/case-of-game"]),
    },
    Sentence {
        game: &GAMESPY,
        citation: "001 5.6",
        says: "a client may ask for the list with cmp (observed)",
        proven: Proven::By(&["gamespy/list/compressed", "gamespy/list/whole-records"]),
    },
];
