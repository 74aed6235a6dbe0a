//! How long a server stays listed: 004 BEHAVIOUR.

use super::ends::{Quake3Client, Quake3Server, of_game};
use super::list::{KEPT, LONG};
use super::preconditions::GAME_LISTED;
use crate::conform::{Case, Failure, MUST};

pub(super) static CASES: &[Case] = &[
    Case {
        id: "dpmaster/timeout/kept-for-seconds",
        title: "a server is listed and says nothing for six seconds",
        requires: "an infoResponse keeps a server listed for fifteen minutes",
        citation: "004 BEHAVIOUR",
        needs: &[&GAME_LISTED],
        waits: 7,
        run: |ctx| {
            let game = ctx.game();
            let (server, client) = (Quake3Server::darkplaces(ctx, &game)?, Quake3Client::new(ctx)?);
            client.setup_listed(&server, of_game(&game))?;
            if ctx.time("server-timeout")? < LONG {
                return Err(Failure::skipped("servers are assumed to be forgotten sooner"));
            }
            ctx.wait(KEPT);
            client.asks(of_game(&game))?.expect_listed(&server)
        },
        ..MUST
    },
    Case {
        id: "dpmaster/timeout/kept",
        title: "a listed server is silent for half of the time that it stays listed",
        requires: "an infoResponse keeps a server listed for fifteen minutes",
        citation: "004 BEHAVIOUR",
        needs: &[&GAME_LISTED],
        slow: Some("server-timeout"),
        run: |ctx| {
            let (game, time) = (ctx.game(), ctx.time("server-timeout")?);
            let (server, client) = (Quake3Server::darkplaces(ctx, &game)?, Quake3Client::new(ctx)?);
            client.setup_listed(&server, of_game(&game))?;
            ctx.wait(time / 2);
            client.asks(of_game(&game))?.expect_listed(&server)
        },
        ..MUST
    },
    Case {
        id: "dpmaster/timeout/forgotten",
        title: "a listed server is silent for longer than it stays listed",
        requires: "a server that sends no further answer is forgotten after fifteen minutes",
        citation: "004 BEHAVIOUR",
        needs: &[&GAME_LISTED],
        slow: Some("server-timeout"),
        run: |ctx| {
            let (game, time) = (ctx.game(), ctx.time("server-timeout")?);
            let (server, client) = (Quake3Server::darkplaces(ctx, &game)?, Quake3Client::new(ctx)?);
            client.setup_listed(&server, of_game(&game))?;
            ctx.wait(time);
            client.wait_unlisted(&server, of_game(&game))
        },
        ..MUST
    },
    Case {
        id: "dpmaster/timeout/not-by-heartbeats",
        title: "a listed server sends heartbeats, and does not answer the getinfo",
        requires: "only another infoResponse with a valid challenge keeps a server listed for longer",
        citation: "004 BEHAVIOUR",
        needs: &[&GAME_LISTED],
        slow: Some("server-timeout"),
        run: |ctx| {
            let (game, time) = (ctx.game(), ctx.time("server-timeout")?);
            let (server, client) = (Quake3Server::darkplaces(ctx, &game)?, Quake3Client::new(ctx)?);
            client.setup_listed(&server, of_game(&game))?;
            ctx.wait(time * 3 / 4);
            server.send_heartbeat()?;
            ctx.setup(|| server.recv_challenge())?;
            ctx.wait(time / 4);
            client.wait_unlisted(&server, of_game(&game))
        },
        ..MUST
    },
    Case {
        id: "dpmaster/timeout/renewed",
        title: "a listed server answers again before its time is over",
        requires: "another infoResponse with a valid challenge keeps a server listed for longer",
        citation: "004 BEHAVIOUR",
        needs: &[&GAME_LISTED],
        slow: Some("server-timeout"),
        run: |ctx| {
            let (game, time) = (ctx.game(), ctx.time("server-timeout")?);
            let (server, client) = (Quake3Server::darkplaces(ctx, &game)?, Quake3Client::new(ctx)?);
            client.setup_listed(&server, of_game(&game))?;
            ctx.wait(time * 5 / 8);
            ctx.setup(|| server.register())?;
            ctx.wait(time * 5 / 8);
            client.asks(of_game(&game))?.expect_listed(&server)
        },
        ..MUST
    },
];
