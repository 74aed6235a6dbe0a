//! Servers send heartbeats, and that their state has changed: 003 Heartbeat, 001 2.1.2.

use super::SERVERS;
use super::preconditions::{LEAVES, LISTED_CASE, QUERIED_AGAIN, QUERIED_CASE};
use super::roles::{GamespyServer, list};
use crate::shared::{boundaries, challenge_quality};
use crate::{CASE, Case, Done, Failure, ReceivedDatagram, TestContext, TestEndpoint};
use simulate::families::gamespy::messages::{self, CHANGED};

/// The lowest port of a server (003 Heartbeat).
const FIRST_PORT: u16 = 1025;

pub(super) static CASES: &[Case] = &[
    Case {
        id: "gamespy/heartbeat/asked",
        decides: &["gamespy/asked"],
        title: "a server sends its first heartbeat",
        run: |ctx| {
            let server = GamespyServer::new(ctx)?;
            let query = server.queried()?;
            if query.request.queries.iter().any(|one| one == "basic") {
                return Ok(());
            }
            let came = render::quoted(&query.datagram.bytes, usize::MAX);
            Err(Failure::new("a query that begins with \\basic\\", came).at(&query.datagram))
        },
        ..CASE
    },
    Case {
        id: "gamespy/heartbeat/query-port",
        title: "a server sends a heartbeat from another port than the one that it names",
        run: |ctx| {
            let server = GamespyServer::new(ctx)?;
            let other = ctx.server_beside(SERVERS, &server.end)?;
            other.send_bytes(&server.heartbeat(""))?;
            let query = server.recv_query();
            match other.drain()?.iter().find(|datagram| is_query(datagram).is_some()) {
                Some(datagram) if query.is_err() => {
                    let what = format!("a query to port {}", server.address().port());
                    let came = format!("one to port {}", other.address().port());
                    Err(Failure::new(what, came).at(datagram))
                }
                _ => query.map(drop),
            }
        },
        ..QUERIED_CASE
    },
    Case {
        id: "gamespy/heartbeat/state-changed",
        title: "servers send first heartbeats with statechanged, once closed by a backslash and \
                once not",
        run: |ctx| {
            for more in [CHANGED, CHANGED.trim_end_matches('\\')] {
                let server = GamespyServer::new(ctx)?;
                server.end.send_bytes(&server.heartbeat(more))?;
                server.answer(&server.recv_query()?)?;
                server.wait_listed()?;
            }
            Ok(())
        },
        ..LISTED_CASE
    },
    Case {
        id: "gamespy/heartbeat/asked-again",
        title: "a server that is listed sends a heartbeat with statechanged",
        run: |ctx| {
            let server = GamespyServer::listed(ctx)?;
            server.send_state_changed()?;
            server.answer(&server.recv_query()?)?;
            server.wait_listed()
        },
        ..LISTED_CASE
    },
    Case {
        id: "gamespy/heartbeat/exiting",
        early: true,
        title: "a server that is listed says that its state has changed, and that it is exiting",
        needs: &[&QUERIED_AGAIN],
        run: |ctx| GamespyServer::listed(ctx)?.shut_down(),
        ..CASE
    },
    Case {
        id: "gamespy/heartbeat/exiting-in-parts",
        title: "a server that is exiting says so in the second part of its answer",
        needs: &[&LEAVES],
        run: |ctx| {
            let server = GamespyServer::listed(ctx)?;
            let query = ctx.setup(|| {
                server.send_state_changed()?;
                server.recv_query()
            })?;
            let reply = messages::answer_to(
                &server.server_info.clone().without("gamemode"),
                &query.request,
            );
            let proof = messages::proof(&server.game, &query.request.proof);
            server.end.send_bytes(&messages::part(&[reply, proof].concat(), 1, false))?;
            server.end.send_bytes(&messages::part(br"\gamemode\exiting", 2, true))?;
            server.wait_unlisted()
        },
        ..CASE
    },
    Case {
        id: "gamespy/heartbeat/silent",
        title: "a server that is listed says that its state has changed, and answers no more",
        slow: Some("challenge-timeout"),
        needs: &[&QUERIED_AGAIN],
        run: |ctx| {
            unless_kept(ctx)?;
            let server = GamespyServer::listed(ctx)?;
            ctx.setup(|| {
                server.send_state_changed()?;
                server.recv_query()
            })?;
            ctx.wait(challenge_quality::beyond(ctx.time("challenge-timeout")?));
            server.wait_unlisted()
        },
        ..CASE
    },
    Case {
        id: "gamespy/heartbeat/silent-twice",
        title: "a server that is listed sends a heartbeat without a change and one with statechanged, \
                and answers no more",
        requires: "gamespy/heartbeat/silent",
        slow: Some("challenge-timeout"),
        needs: &[&QUERIED_AGAIN],
        run: |ctx| {
            unless_kept(ctx)?;
            let server = GamespyServer::listed(ctx)?;
            ctx.setup(|| {
                server.send_heartbeat()?;
                ctx.sync(SERVERS)?;
                server.send_state_changed()?;
                server.recv_query()
            })?;
            ctx.wait(challenge_quality::beyond(ctx.time("challenge-timeout")?));
            server.wait_unlisted()
        },
        ..CASE
    },
    Case {
        id: "gamespy/heartbeat/comes-back",
        title: "a server that was taken off sends a heartbeat again",
        needs: &[&LEAVES],
        run: |ctx| {
            let server = GamespyServer::listed(ctx)?;
            ctx.setup(|| server.shut_down())?;
            server.register_listed()
        },
        ..CASE
    },
    Case {
        id: "gamespy/heartbeat/no-gamename",
        title: "a server sends a heartbeat without gamename",
        run: |ctx| {
            let server = GamespyServer::new(ctx)?;
            let port = server.address().port();
            server.end.send_bytes(format!(r"\heartbeat\{port}").as_bytes())?;
            no_query(&server.end)
        },
        ..QUERIED_CASE
    },
    Case {
        id: "gamespy/heartbeat/blank-in-name",
        title: "a server sends a heartbeat with a blank in gamename",
        run: |ctx| {
            let server = GamespyServer::of_game(ctx, "two words")?;
            server.send_heartbeat()?;
            no_query(&server.end)
        },
        ..QUERIED_CASE
    },
    Case {
        id: "gamespy/heartbeat/no-port",
        title: "a server sends heartbeats with numbers and words that are no port",
        run: |ctx| {
            let server = GamespyServer::new(ctx)?;
            for port in ["", "0", "65536", "99999999999999999999", "port", "-1"] {
                let heartbeat = format!(r"\heartbeat\{port}\gamename\{}", server.game);
                server.end.send_bytes(heartbeat.as_bytes())?;
            }
            no_query(&server.end)
        },
        ..QUERIED_CASE
    },
    Case {
        id: "gamespy/heartbeat/first-port",
        title: "a server on the port 1025 sends a heartbeat",
        requires: "gamespy/heartbeat/no-port",
        run: |ctx| {
            for end in boundaries::servers_at(ctx, SERVERS, &[([127, 0, 10, 25], FIRST_PORT)])? {
                let heartbeat = format!(r"\heartbeat\{FIRST_PORT}\gamename\{}", messages::UNREAL);
                end.send_bytes(heartbeat.as_bytes())?;
                end.expect("a query after a heartbeat of port 1025", is_query)?;
            }
            Ok(())
        },
        ..QUERIED_CASE
    },
    Case {
        id: "gamespy/heartbeat/heretic2",
        title: "a server of Heretic 2 sends its heartbeat, and answers the query",
        run: |ctx| GamespyServer::of_game(ctx, messages::HERETIC)?.register_listed(),
        ..LISTED_CASE
    },
    Case {
        id: "gamespy/timeout/kept",
        title: "a server that is listed says nothing for half of the time",
        slow: Some("gamespy-timeout"),
        run: |ctx| {
            let server = GamespyServer::listed(ctx)?;
            ctx.wait(ctx.time("gamespy-timeout")? / 2);
            list(ctx, &server.game)?.expect_listed(&server)
        },
        ..LISTED_CASE
    },
    Case {
        id: "gamespy/timeout/forgotten",
        title: "a server that is listed sends nothing and answers nothing any more",
        slow: Some("gamespy-timeout"),
        run: |ctx| {
            let server = GamespyServer::listed(ctx)?;
            ctx.wait(challenge_quality::beyond(ctx.time("gamespy-timeout")?));
            server.wait_unlisted()
        },
        ..LISTED_CASE
    },
];

/// A query of any kind.
fn is_query(datagram: &ReceivedDatagram) -> Option<()> {
    messages::request(&datagram.bytes).map(drop)
}

fn no_query(end: &TestEndpoint<'_>) -> Done {
    end.expect_none("no query after such a heartbeat", is_query)
}

/// Skips a case about servers that fall silent, where the target is assumed to keep them.
fn unless_kept(ctx: &TestContext<'_>) -> Done {
    if ctx.assumed().settings().keep_silent {
        let why = "the target is assumed to keep servers that fall silent (keep-silent)";
        return Err(Failure::skipped(why));
    }
    Ok(())
}
