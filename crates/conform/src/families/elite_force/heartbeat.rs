//! Servers send heartbeats, get requests, answer, and send heartstop: 001 4.2.2 to 4.2.4, 4.2.9 and
//! 4.2.11.

use super::LISTS;
use super::getservers::ALL;
use super::preconditions::{CHALLENGED_CASE, LISTED_CASE};
use super::roles::{EliteForceClient, EliteForceRole, EliteForceServer, of_words};
use crate::shared::registration;
use crate::{CASE, Case, Done, TestContext};
use simulate::families::elite_force::messages::{self, EliteForceQuestion};

pub(super) static CASES: &[Case] = &[
    Case {
        id: "elite-force/heartbeat/asked",
        decides: &["elite-force/asked"],
        title: "a server sends a heartbeat",
        run: registration::heartbeat_answered::<EliteForceRole>,
        ..CASE
    },
    Case {
        id: "elite-force/heartbeat/asked-each-time",
        title: "a listed server sends another heartbeat",
        run: |ctx| {
            let (server, _) = EliteForceServer::listed(ctx)?;
            server.send_heartbeat()?;
            server.recv_challenge().map(drop)
        },
        ..LISTED_CASE
    },
    Case {
        id: "elite-force/heartbeat/getstatus",
        title: "a server sends a heartbeat",
        run: |ctx| {
            recv_challenge(ctx, "a getstatus", |q| matches!(q, EliteForceQuestion::Status(_)))
        },
        ..CHALLENGED_CASE
    },
    Case {
        id: "elite-force/heartbeat/getchallenge",
        title: "a server sends a heartbeat",
        run: |ctx| recv_challenge(ctx, "a getchallenge", |q| *q == EliteForceQuestion::Challenge),
        ..CHALLENGED_CASE
    },
    Case {
        id: "elite-force/heartbeat/names-port",
        title: "a heartbeat comes from another port than the one that it names",
        run: |ctx| {
            let (server, client) = (EliteForceServer::new(ctx)?, EliteForceClient::new(ctx)?);
            let beside = ctx.server_beside(LISTS, &server.end)?;
            beside.send_bytes(&messages::heartbeat(server.address().port(), messages::GAME))?;
            let request = server.recv_challenge()?;
            server.answer(&request.challenge)?;
            ctx.setup(|| client.wait_listed(&server, of_words(ctx, ALL)))?.expect_unlisted(&beside)
        },
        ..LISTED_CASE
    },
    Case {
        id: "elite-force/heartbeat/other-game",
        title: "a server sends a heartbeat of a game that is not Elite Force",
        run: |ctx| {
            let (server, client) = (EliteForceServer::new(ctx)?, EliteForceClient::new(ctx)?);
            server.end.send_bytes(&messages::heartbeat(server.address().port(), "Unheard1"))?;
            ctx.sync(LISTS)?;
            for datagram in server.end.drain()? {
                if let Some(answer) = messages::answer(&server.info, &datagram.bytes) {
                    server.end.send_bytes(&answer)?;
                }
            }
            ctx.sync(LISTS)?;
            client.list(of_words(ctx, ALL))?.expect_unlisted(&server)
        },
        ..LISTED_CASE
    },
    Case {
        id: "elite-force/heartbeat/unanswered",
        title: "a server sends a heartbeat, and does not answer what it is asked",
        run: |ctx| registration::refused::<EliteForceRole>(ctx, |_, _| Ok(())),
        ..LISTED_CASE
    },
    Case {
        id: "elite-force/heartbeat/new-state",
        title: "a server is full, and empties, and fills again",
        run: |ctx| {
            let (server, client) =
                EliteForceServer::new(ctx)?.with("clients", "8").with_client(ctx)?;
            client.wait_listed(&server, of_words(ctx, "full"))?;
            let server = server.with("clients", "0");
            ctx.setup(|| server.register())?;
            client.wait_unlisted(&server, of_words(ctx, "full"))?;
            client.wait_listed(&server, of_words(ctx, "empty"))?;
            let server = server.with("clients", "7");
            ctx.setup(|| server.register())?;
            client.wait_listed(&server, of_words(ctx, "")).map(drop)
        },
        ..LISTED_CASE
    },
    Case {
        id: "elite-force/timeout/kept",
        title: "a server registers and is silent for two fifths of its time; a client asks for the list",
        slow: Some("server-timeout"),
        run: |ctx| {
            let (server, client) = EliteForceServer::listed(ctx)?;
            ctx.wait(ctx.time("server-timeout")? * 2 / 5);
            client.list(of_words(ctx, ALL))?.expect_listed(&server)
        },
        ..LISTED_CASE
    },
    Case {
        id: "elite-force/timeout/forgotten",
        title: "a server registers and is silent for its time; a client asks for the list",
        slow: Some("server-timeout"),
        run: registration::forgotten::<EliteForceRole>,
        ..LISTED_CASE
    },
    Case {
        id: "elite-force/heartbeat/kept",
        title: "a server registers and is silent for 7 seconds; a client asks for the list",
        requires: "elite-force/timeout/kept",
        waits: registration::QUIET,
        run: registration::kept::<EliteForceRole>,
        ..LISTED_CASE
    },
    Case {
        id: "elite-force/statusResponse/no-places",
        title: "a server answers that it has no places",
        run: |ctx| refused(&EliteForceServer::new(ctx)?.with("sv_maxclients", "0"), ctx),
        ..LISTED_CASE
    },
    Case {
        id: "elite-force/statusResponse/places-missing",
        title: "a server answers without a number of places",
        run: |ctx| refused(&EliteForceServer::new(ctx)?.without("sv_maxclients"), ctx),
        ..LISTED_CASE
    },
    Case {
        id: "elite-force/statusResponse/no-protocol",
        title: "a server answers without a protocol",
        run: |ctx| refused(&EliteForceServer::new(ctx)?.without("protocol"), ctx),
        ..LISTED_CASE
    },
    Case {
        id: "elite-force/heartstop/gone",
        early: true,
        title: "a listed server sends heartstop",
        run: |ctx| {
            let (server, client) = EliteForceServer::listed(ctx)?;
            server.shut_down()?;
            client.wait_unlisted(&server, of_words(ctx, ALL))
        },
        ..LISTED_CASE
    },
    Case {
        id: "elite-force/heartstop/nobody-else",
        title: "a server of the same machine sends heartstop, and a stranger names the port of a \
                listed one",
        run: |ctx| {
            let (server, client) = EliteForceServer::listed(ctx)?;
            let end = ctx.server_beside(LISTS, &server.end)?;
            let (beside, _) = EliteForceServer::at(end).with_client(ctx)?;
            beside.shut_down()?;
            ctx.setup(|| client.wait_unlisted(&beside, of_words(ctx, ALL)))?;
            let stranger = ctx.server(LISTS)?;
            if stranger.address().ip() != server.address().ip() {
                stranger.send_bytes(&messages::heartstop(server.address().port()))?;
                ctx.sync(LISTS)?;
            }
            client.list(of_words(ctx, ALL))?.expect_listed(&server)
        },
        ..LISTED_CASE
    },
    Case {
        id: "elite-force/heartstop/back",
        title: "a server sends heartstop, and registers again",
        run: |ctx| {
            let (server, client) = EliteForceServer::listed(ctx)?;
            server.shut_down()?;
            ctx.setup(|| client.wait_unlisted(&server, of_words(ctx, ALL)))?;
            server.register()?;
            client.wait_listed(&server, of_words(ctx, ALL)).map(drop)
        },
        ..LISTED_CASE
    },
];

/// A server with these settings is not listed.
fn refused(server: &EliteForceServer<'_>, ctx: &TestContext<'_>) -> Done {
    ctx.setup(|| server.register())?;
    ctx.sync(LISTS)?;
    EliteForceClient::new(ctx)?.list(of_words(ctx, ALL))?.expect_unlisted(&server)
}

/// The master answers a heartbeat with such a request, among others.
fn recv_challenge(
    ctx: &TestContext<'_>,
    what: &str,
    is: impl Fn(&EliteForceQuestion) -> bool,
) -> Done {
    let server = EliteForceServer::new(ctx)?;
    server.send_heartbeat()?;
    server.end.expect(what, |datagram| messages::question(&datagram.bytes).filter(&is).map(drop))
}
