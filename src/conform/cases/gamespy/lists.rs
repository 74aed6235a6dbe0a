//! Lists over TCP: 001 5.6.

use super::ends::{Client, Server, list};
use crate::conform::{Case, Failure, INFO, MUST, Proven, SHOULD, Sentence};
use crate::peer::voice::gamespy as voice;
use crate::proto::gamespy::GAMESPY;

pub(super) static CASES: &[Case] = &[
    Case {
        id: "gamespy/list/text",
        title: "a client asks for a list with a server in it",
        requires: "for each server stands ip and its address and port, and final behind the last",
        citation: "001 5.6",
        run: |ctx| Server::new(ctx)?.is_listed(),
        ..MUST
    },
    Case {
        id: "gamespy/list/empty",
        title: "a client asks for the servers of a game that has none",
        requires: "a list ends in final, an empty one too",
        citation: "001 5.6",
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
        title: "a client asks for the servers of a game, and one of another is there",
        requires: "the list holds the servers of the game that the request names",
        citation: "001 5.6",
        run: |ctx| {
            let (server, other) = (Server::new(ctx)?, Server::of(ctx, &ctx.game())?);
            server.is_listed()?;
            other.is_listed()?;
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
        run: |ctx| {
            let server = Server::of(ctx, &ctx.game())?;
            server.is_listed()?;
            list(ctx, &server.game.to_ascii_uppercase())?.expect_unlisted(&server)
        },
        ..SHOULD
    },
    Case {
        id: "gamespy/list/no-doubles",
        title: "a server registers twice and a client asks for the list",
        requires: "each server stands in the list once",
        citation: "001 5.6",
        run: |ctx| {
            let server = Server::new(ctx)?;
            server.is_listed()?;
            server.is_listed()?;
            match list(ctx, &server.game)?.count(server.address()) {
                1 => Ok(()),
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
        requires: "a list with cmp has six bytes a server, in network order, and final behind them \
                   (observed)",
        citation: "001 5.6",
        run: |ctx| {
            let server = Server::new(ctx)?;
            server.is_listed()?;
            let mut client = Client::new(ctx)?;
            client.asks("cmp", &server.game)?;
            client.takes_compressed()?.expect_listed(&server)
        },
        ..SHOULD
    },
    Case {
        id: "gamespy/list/end",
        title: "a client waits behind the list",
        requires: "whether the connection ends behind the list stands in no document",
        citation: "001 5.6",
        run: |ctx| {
            let mut client = Client::new(ctx)?;
            client.asks("", voice::UNREAL)?;
            client.takes()?;
            let closed = client.stream.rest("the end of the connection").is_ok();
            ctx.note(if closed { "the master closes it" } else { "it stays open" });
            Ok(())
        },
        ..INFO
    },
];

pub(super) static SENTENCES: &[Sentence] = &[
    Sentence {
        game: &GAMESPY,
        citation: "001 5.6",
        says: "the list is pairs of ip and address:port, in as many packets as it takes",
        proven: Proven::By(&["gamespy/list/text", "gamespy/list/no-doubles"]),
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
        proven: Proven::By(&["gamespy/list/compressed"]),
    },
];
