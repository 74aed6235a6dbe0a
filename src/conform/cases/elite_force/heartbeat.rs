//! Servers send heartbeats, get requests, answer, and send heartstop: 001 4.2.2 to 4.2.4, 4.2.9 and
//! 4.2.11.

use std::time::Duration;

use super::super::challenge_quality;
use super::LISTS;
use super::ends::{EliteForceClient, EliteForceServer};
use super::getservers::ALL;
use super::preconditions::{ANSWERS, ASKED, LISTED};
use crate::conform::{Case, Done, MUST, SHOULD, TestContext};
use crate::families::elite_force::messages::{self as voice, EliteForceQuestion};

/// Seconds without a message after which a server must still be listed.
const QUIET: u32 = 7;

pub(super) static CASES: &[Case] = &[
    Case {
        id: "elite-force/heartbeat/asked",
        title: "a server sends a heartbeat",
        requires: "the master asks a server for what it needs to answer clients",
        citation: "001 4.2.9, 001 4.2.3",
        needs: &[&ANSWERS],
        run: |ctx| {
            let server = EliteForceServer::new(ctx)?;
            server.send_heartbeat()?;
            server.recv_challenge().map(drop)
        },
        ..MUST
    },
    Case {
        id: "elite-force/heartbeat/asked-each-time",
        title: "a listed server sends another heartbeat",
        requires: "the master asks on every heartbeat",
        citation: "001 4.2.9, 001 4.2.3",
        needs: &[&LISTED],
        run: |ctx| {
            let (server, _) = EliteForceServer::listed(ctx)?;
            server.send_heartbeat()?;
            server.recv_challenge().map(drop)
        },
        ..MUST
    },
    Case {
        id: "elite-force/heartbeat/getstatus",
        title: "a server sends a heartbeat",
        requires: "on every heartbeat the master sends getstatus",
        citation: "001 4.2.9, 001 4.2.3",
        needs: &[&ASKED],
        run: |ctx| {
            recv_challenge(ctx, "a getstatus", |q| matches!(q, EliteForceQuestion::Status(_)))
        },
        ..SHOULD
    },
    Case {
        id: "elite-force/heartbeat/getchallenge",
        title: "a server sends a heartbeat",
        requires: "on every heartbeat the master sends getchallenge",
        citation: "001 4.2.9",
        needs: &[&ASKED],
        run: |ctx| recv_challenge(ctx, "a getchallenge", |q| *q == EliteForceQuestion::Challenge),
        ..SHOULD
    },
    Case {
        id: "elite-force/heartbeat/names-port",
        title: "a heartbeat comes from another port than the one that it names",
        requires: "the value of heartbeat is the port on which the server plays",
        citation: "001 4.2.9",
        needs: &[&LISTED],
        run: |ctx| {
            let (server, client) = (EliteForceServer::new(ctx)?, EliteForceClient::new(ctx)?);
            let beside = ctx.server_beside(LISTS, &server.end)?;
            beside.send_bytes(&voice::heartbeat(server.address().port(), voice::GAME))?;
            let asked = server.recv_challenge()?;
            server.answer(&asked.question)?;
            ctx.setup(|| client.wait_listed(&server, ALL))?.expect_unlisted(beside.address())
        },
        ..MUST
    },
    Case {
        id: "elite-force/heartbeat/other-game",
        title: "a server sends a heartbeat of a game that is not Elite Force",
        requires: "a heartbeat names its game; a master of one game lists no server of another (no \
                   document says so)",
        citation: "001 4.2.9",
        needs: &[&LISTED],
        run: |ctx| {
            let (server, client) = (EliteForceServer::new(ctx)?, EliteForceClient::new(ctx)?);
            server.end.send_bytes(&voice::heartbeat(server.address().port(), "Unheard1"))?;
            ctx.sync(LISTS)?;
            for heard in server.end.drain()? {
                if let Some(answer) = voice::answer(&server.persona, &heard.bytes) {
                    server.end.send_bytes(&answer)?;
                }
            }
            ctx.sync(LISTS)?;
            client.list(ALL)?.expect_unlisted(server.address())
        },
        ..SHOULD
    },
    Case {
        id: "elite-force/heartbeat/unanswered",
        title: "a server sends a heartbeat, and does not answer what it is asked",
        requires: "the master asks a server for what it tells to clients; one that does not answer \
                   stands in no list",
        citation: "001 4.2.9",
        needs: &[&LISTED],
        run: |ctx| {
            let (server, client) = (EliteForceServer::new(ctx)?, EliteForceClient::new(ctx)?);
            server.asked()?;
            client.list(ALL)?.expect_unlisted(server.address())
        },
        ..MUST
    },
    Case {
        id: "elite-force/heartbeat/new-state",
        title: "a server is full, and empties, and fills again",
        requires: "the master gathers on every heartbeat what it needs to answer clients",
        citation: "001 4.2.9",
        needs: &[&LISTED],
        run: |ctx| {
            let (server, client) =
                EliteForceServer::new(ctx)?.with("clients", "8").with_client(ctx)?;
            client.wait_listed(&server, "full")?;
            let server = server.with("clients", "0");
            ctx.setup(|| server.register())?;
            client.wait_unlisted(&server, "full")?;
            client.wait_listed(&server, "empty")?;
            let server = server.with("clients", "7");
            ctx.setup(|| server.register())?;
            client.wait_listed(&server, "").map(drop)
        },
        ..MUST
    },
    Case {
        id: "elite-force/timeout/kept",
        title: "a server registers and is silent for two fifths of its time; a client asks for the list",
        requires: "heartbeats come every 300 seconds, and between them a server is listed",
        citation: "001 4.2.9, 001 1.2.9",
        needs: &[&LISTED],
        slow: Some("server-timeout"),
        run: |ctx| {
            let (server, client) = EliteForceServer::listed(ctx)?;
            ctx.wait(ctx.time("server-timeout")? * 2 / 5);
            client.list(ALL)?.expect_listed(server.address())
        },
        ..MUST
    },
    Case {
        id: "elite-force/timeout/forgotten",
        title: "a server registers and is silent for its time; a client asks for the list",
        requires: "the master knows by heartbeats that a server is there",
        citation: "001 4.2.9, 001 1.2.9",
        needs: &[&LISTED],
        slow: Some("server-timeout"),
        run: |ctx| {
            let (server, client) = EliteForceServer::listed(ctx)?;
            ctx.wait(ctx.time("server-timeout")?);
            client.wait_unlisted(&server, ALL)
        },
        ..SHOULD
    },
    Case {
        id: "elite-force/heartbeat/kept",
        title: "a server registers and is silent for 7 seconds; a client asks for the list",
        requires: "heartbeats come every 300 seconds, and between them a server is listed",
        citation: "001 4.2.9, 001 1.2.9",
        needs: &[&LISTED],
        waits: QUIET,
        run: |ctx| {
            let quiet = Duration::from_secs(QUIET.into());
            challenge_quality::keeps_longer(ctx, quiet)?;
            let (server, client) = EliteForceServer::listed(ctx)?;
            ctx.wait(quiet);
            client.list(ALL)?.expect_listed(server.address())
        },
        ..MUST
    },
    Case {
        id: "elite-force/statusResponse/no-places",
        title: "a server answers that it has no places",
        requires: "the number of places is not 0",
        citation: "004 3) infoResponse",
        needs: &[&LISTED],
        run: |ctx| refused(&EliteForceServer::new(ctx)?.with("sv_maxclients", "0"), ctx),
        ..SHOULD
    },
    Case {
        id: "elite-force/statusResponse/places-missing",
        title: "a server answers without a number of places",
        requires: "whether a server is full is known by its places, and they have to be told",
        citation: "001 4.1.1, 004 3) infoResponse",
        needs: &[&LISTED],
        run: |ctx| refused(&EliteForceServer::new(ctx)?.without("sv_maxclients"), ctx),
        ..SHOULD
    },
    Case {
        id: "elite-force/statusResponse/no-protocol",
        title: "a server answers without a protocol",
        requires: "servers are listed by their protocol, and one without stands in no list",
        citation: "001 4.1.1, 004 3) infoResponse",
        needs: &[&LISTED],
        run: |ctx| refused(&EliteForceServer::new(ctx)?.without("protocol"), ctx),
        ..SHOULD
    },
    Case {
        id: "elite-force/heartstop/gone",
        title: "a listed server sends heartstop",
        requires: "heartstop is sent when a server shuts down",
        citation: "001 4.2.11",
        needs: &[&LISTED],
        run: |ctx| {
            let (server, client) = EliteForceServer::listed(ctx)?;
            server.shut_down()?;
            client.wait_unlisted(&server, ALL)
        },
        ..MUST
    },
    Case {
        id: "elite-force/heartstop/nobody-else",
        title: "a server of the same machine sends heartstop, and a stranger names the port of a \
                listed one",
        requires: "heartstop tells of the server that sends it, on the port that it names",
        citation: "001 4.2.11",
        needs: &[&LISTED],
        run: |ctx| {
            let (server, client) = EliteForceServer::listed(ctx)?;
            let end = ctx.server_beside(LISTS, &server.end)?;
            let beside = EliteForceServer { end, persona: voice::persona() };
            let (beside, _) = beside.with_client(ctx)?;
            beside.shut_down()?;
            ctx.setup(|| client.wait_unlisted(&beside, ALL))?;
            let stranger = ctx.server(LISTS)?;
            if stranger.address().ip() != server.address().ip() {
                stranger.send_bytes(&voice::heartstop(server.address().port()))?;
                ctx.sync(LISTS)?;
            }
            client.list(ALL)?.expect_listed(server.address())
        },
        ..MUST
    },
    Case {
        id: "elite-force/heartstop/back",
        title: "a server sends heartstop, and registers again",
        requires: "a heartbeat tells that a server is alive, also after a heartstop",
        citation: "001 4.2.11, 001 4.2.9",
        needs: &[&LISTED],
        run: |ctx| {
            let (server, client) = EliteForceServer::listed(ctx)?;
            server.shut_down()?;
            ctx.setup(|| client.wait_unlisted(&server, ALL))?;
            server.register()?;
            client.wait_listed(&server, ALL).map(drop)
        },
        ..MUST
    },
];

/// A server with these settings is not listed.
fn refused(server: &EliteForceServer<'_>, ctx: &TestContext<'_>) -> Done {
    ctx.setup(|| server.register())?;
    ctx.sync(LISTS)?;
    EliteForceClient::new(ctx)?.list(ALL)?.expect_unlisted(server.address())
}

/// The master answers a heartbeat with such a request, among others.
fn recv_challenge(
    ctx: &TestContext<'_>,
    what: &str,
    is: impl Fn(&EliteForceQuestion) -> bool,
) -> Done {
    let server = EliteForceServer::new(ctx)?;
    server.send_heartbeat()?;
    server.end.expect(what, |heard| voice::question(&heard.bytes).filter(&is).map(drop))
}
