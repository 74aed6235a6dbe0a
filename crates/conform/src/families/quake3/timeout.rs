//! How long a server stays listed: 004 BEHAVIOUR.

use super::list::{KEPT, LONG};
use super::preconditions::GAME_LISTED_CASE;
use super::roles::Quake3Server;
use crate::{Case, Failure};

pub(super) static CASES: &[Case] = &[
    Case {
        id: "dpmaster/timeout/kept-for-seconds",
        title: "a server is listed and says nothing for six seconds",
        waits: 7,
        run: |ctx| {
            let (server, client) = Quake3Server::named(ctx)?.with_client(ctx)?;
            if ctx.time("server-timeout")? < LONG {
                return Err(Failure::skipped("servers are assumed to be forgotten sooner"));
            }
            ctx.wait(KEPT);
            client.request(server.list())?.expect_listed(&server)
        },
        ..GAME_LISTED_CASE
    },
    Case {
        id: "dpmaster/timeout/kept",
        title: "a listed server is silent for half of the time that it stays listed",
        requires: "dpmaster/timeout/kept-for-seconds",
        slow: Some("server-timeout"),
        run: |ctx| {
            let time = ctx.time("server-timeout")?;
            let (server, client) = Quake3Server::named(ctx)?.with_client(ctx)?;
            ctx.wait(time / 2);
            client.request(server.list())?.expect_listed(&server)
        },
        ..GAME_LISTED_CASE
    },
    Case {
        id: "dpmaster/timeout/forgotten",
        title: "a listed server is silent for longer than it stays listed",
        slow: Some("server-timeout"),
        run: |ctx| {
            let time = ctx.time("server-timeout")?;
            let (server, client) = Quake3Server::named(ctx)?.with_client(ctx)?;
            ctx.wait(time);
            client.wait_unlisted(&server, server.list())
        },
        ..GAME_LISTED_CASE
    },
    Case {
        id: "dpmaster/timeout/not-by-heartbeats",
        title: "a listed server sends heartbeats, and does not answer the getinfo",
        slow: Some("server-timeout"),
        run: |ctx| {
            let time = ctx.time("server-timeout")?;
            let (server, client) = Quake3Server::named(ctx)?.with_client(ctx)?;
            ctx.wait(time * 3 / 4);
            server.send_heartbeat()?;
            ctx.setup(|| server.recv_challenge())?;
            ctx.wait(time / 4);
            client.wait_unlisted(&server, server.list())
        },
        ..GAME_LISTED_CASE
    },
    Case {
        id: "dpmaster/timeout/renewed",
        title: "a listed server answers again before its time is over",
        slow: Some("server-timeout"),
        run: |ctx| {
            let time = ctx.time("server-timeout")?;
            let (server, client) = Quake3Server::named(ctx)?.with_client(ctx)?;
            ctx.wait(time * 5 / 8);
            ctx.setup(|| server.register())?;
            ctx.wait(time * 5 / 8);
            client.request(server.list())?.expect_listed(&server)
        },
        ..GAME_LISTED_CASE
    },
    Case {
        id: "dpmaster/timeout/forgotten-after-renewal",
        title: "a listed server answers again, and is silent then for longer than it stays listed",
        requires: "dpmaster/timeout/forgotten",
        slow: Some("server-timeout"),
        run: |ctx| {
            let time = ctx.time("server-timeout")?;
            let (server, client) = Quake3Server::named(ctx)?.with_client(ctx)?;
            ctx.wait(time / 2);
            ctx.setup(|| server.register())?;
            ctx.wait(time);
            client.wait_unlisted(&server, server.list())
        },
        ..GAME_LISTED_CASE
    },
];
