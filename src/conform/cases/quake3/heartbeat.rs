//! Servers say that they are there, or that they go: 001 1.2.9, 000 "Registration at the master
//! server", 004 1) heartbeat.

use super::LISTS;
use super::ends::{ALL, Client, PLAIN, Server, of_game};
use crate::conform::{Case, Done, Failure, MUST, SHOULD, TestContext};
use crate::peer::voice::quake3::{self as voice, List};

pub(super) static CASES: &[Case] = &[
    Case {
        id: "quake3/heartbeat/asked",
        title: "a server sends a heartbeat",
        requires: "the master answers a heartbeat with a question, getinfo or getstatus",
        citation: "001 1.2.9, 000 heartbeat, 004 BEHAVIOUR",
        run: |ctx| {
            let server = Server::quake3(ctx)?;
            server.send_heartbeat()?;
            server.recv_challenge().map(drop)
        },
        ..MUST
    },
    Case {
        id: "quake3/heartbeat/unanswered",
        title: "a server sends a heartbeat and does not answer what it is asked",
        requires: "a server is not listed before it has answered",
        citation: "000 heartbeat, 004 BEHAVIOUR",
        run: |ctx| {
            let (server, client) = (Server::quake3(ctx)?, Client::new(ctx)?);
            server.send_heartbeat()?;
            server.recv_challenge()?;
            client.asks(ALL)?.expect_unlisted(&server)
        },
        ..MUST
    },
    Case {
        id: "quake3/heartbeat/unknown-tag",
        title: "a server sends a heartbeat with a tag that no document has",
        requires: "heartbeats tell by their tag which game beats, and a master lists those it knows",
        citation: "000 heartbeat",
        run: |ctx| {
            if ctx.assumed().settings().unknown_tags {
                return Err(Failure::skipped("the target is assumed to take unknown tags"));
            }
            let server = Server { tag: "Unheard-1", ..Server::quake3(ctx)? };
            server.send_heartbeat()?;
            server.end.expect_none("no question to a server of an unknown tag", |heard| {
                voice::challenge(&heard.bytes)
            })
        },
        ..MUST
    },
    Case {
        id: "quake3/heartbeat/full",
        title: "a listed server fills up, and tells so after its next heartbeat",
        requires: "heartbeats are sent on every change, for the master to learn the server's state",
        citation: "001 1.2.9, 000 heartbeat, 004 1) heartbeat",
        run: |ctx| {
            let (server, client) = (Server::quake3(ctx)?, Client::new(ctx)?);
            server.register()?;
            client.wait_listed(&server, PLAIN)?;
            let server = server.with("clients", "8");
            server.register()?;
            client.wait_unlisted(&server, PLAIN)?;
            client.wait_listed(&server, ALL).map(drop)
        },
        ..MUST
    },
    Case {
        id: "quake3/heartbeat/emptied",
        title: "the last player leaves a listed server, and another joins it later",
        requires: "a heartbeat is sent when a server becomes empty, for the master to learn it",
        citation: "000 heartbeat, 004 1) heartbeat",
        run: |ctx| {
            let (server, client) = (Server::quake3(ctx)?, Client::new(ctx)?);
            server.register()?;
            client.wait_listed(&server, PLAIN)?;
            let server = server.with("clients", "0");
            server.register()?;
            client.wait_unlisted(&server, PLAIN)?;
            let server = server.with("clients", "2");
            server.register()?;
            client.wait_listed(&server, PLAIN).map(drop)
        },
        ..MUST
    },
    Case {
        id: "quake3/heartbeat/shutdown",
        title: "a listed server sends two heartbeats and answers no more",
        requires: "two heartbeats at once say that a server shuts down; the master sees it by the \
                   questions that stay unanswered",
        citation: "001 1.2.9, 000 heartbeat",
        slow: Some("challenge-timeout"),
        run: |ctx| {
            if ctx.assumed().settings().keep_silent {
                return Err(Failure::skipped("the target is assumed to keep silent servers"));
            }
            let (server, client) = (Server::quake3(ctx)?, Client::new(ctx)?);
            server.register()?;
            client.wait_listed(&server, ALL)?;
            server.send_heartbeat()?;
            server.send_heartbeat()?;
            ctx.wait(ctx.time("challenge-timeout")?);
            client.wait_unlisted(&server, ALL)
        },
        ..MUST
    },
    Case {
        id: "dpmaster/heartbeat/shutdown",
        title: "a listed server of DarkPlaces' kind sends two heartbeats and answers no more",
        requires: "that some servers send two heartbeats when they close is not taken into account",
        citation: "004 BEHAVIOUR",
        slow: Some("challenge-timeout"),
        run: |ctx| {
            let game = ctx.game();
            let (server, client) = (Server::darkplaces(ctx, &game)?, Client::new(ctx)?);
            server.register()?;
            client.wait_listed(&server, of_game(&game))?;
            server.send_heartbeat()?;
            server.send_heartbeat()?;
            ctx.wait(ctx.time("challenge-timeout")? * 5 / 4);
            client.asks(of_game(&game))?.expect_listed(&server)
        },
        ..SHOULD
    },
    Case {
        id: "dpmaster/heartbeat/asked",
        title: "a server of DarkPlaces' kind sends a heartbeat",
        requires: "a heartbeat is answered by a getinfo with a challenge",
        citation: "004 2) getinfo, 004 BEHAVIOUR",
        run: |ctx| {
            let server = Server::darkplaces(ctx, &ctx.game())?;
            server.send_heartbeat()?;
            let asked = server.recv_challenge()?;
            if asked.challenge.is_empty() {
                let failure = Failure::new("a challenge behind getinfo", "none");
                return Err(failure.at(&asked.heard));
            }
            Ok(())
        },
        ..MUST
    },
    Case {
        id: "quake3/heartbeat/loopback",
        title: "a server on a loopback address registers with a master that is on another",
        requires: "clients pass over servers on loopback addresses; a master lists none",
        citation: "000 getserversResponse",
        run: |ctx| {
            if ctx.is_on_loopback() {
                return Err(Failure::skipped("the target is on a loopback address itself"));
            }
            let client = Client::new(ctx)?;
            // Where the target is another machine, it cannot be reached from there.
            let end = ctx.server_at(LISTS, [127, 0, 0, 1].into())?;
            let server = Server { end, ..Server::quake3(ctx)? };
            server.send_heartbeat()?;
            ctx.sync(LISTS)?;
            for asked in server.end.drain()? {
                let answer = voice::answer(&server.persona, &asked.bytes);
                server.end.send_bytes(&answer.unwrap_or_default())?;
            }
            client.asks(ALL)?.expect_unlisted(&server)
        },
        ..MUST
    },
    Case {
        id: "rtcw/heartbeat/listed",
        title: "a server of Return to Castle Wolfenstein registers",
        requires: "its heartbeats are Quake III's with a tag of their own",
        citation: "001 8.1, 000 heartbeat",
        run: |ctx| listed(ctx, voice::WOLF, 60),
        ..MUST
    },
    Case {
        id: "rtcw/heartbeat/unanswered",
        title: "a server of Return to Castle Wolfenstein does not answer what it is asked",
        requires: "a server is not listed before it has answered",
        citation: "000 heartbeat",
        run: |ctx| {
            let client = Client::new(ctx)?;
            let server = Server::of(ctx, voice::WOLF, voice::persona("60"))?;
            server.send_heartbeat()?;
            server.recv_challenge()?;
            client.asks(List { protocol: 60, ..ALL })?.expect_unlisted(&server)
        },
        ..MUST
    },
    Case {
        id: "rtcw/heartbeat/flatline",
        title: "a listed server of Return to Castle Wolfenstein sends its other heartbeat",
        requires: "WolfFlatline-1 is sent when a server shuts down",
        citation: "001 8.1, 000 heartbeat",
        run: |ctx| goes(ctx, voice::WOLF, voice::WOLF_GOES, 60),
        ..MUST
    },
    Case {
        id: "enemy-territory/heartbeat/listed",
        title: "a server of Enemy Territory registers",
        requires: "its heartbeats have a tag of their own",
        citation: "000 heartbeat, 001 11.5",
        run: |ctx| listed(ctx, voice::TERRITORY, 82),
        ..MUST
    },
    Case {
        id: "enemy-territory/heartbeat/flatline",
        title: "a listed server of Enemy Territory sends its other heartbeat",
        requires: "ETFlatline-1 is sent when a server shuts down",
        citation: "000 heartbeat",
        run: |ctx| goes(ctx, voice::TERRITORY, voice::TERRITORY_GOES, 82),
        ..MUST
    },
];

/// A server of this tag and protocol registers, and is listed.
fn listed(ctx: &TestContext<'_>, tag: &'static str, protocol: i64) -> Done {
    let client = Client::new(ctx)?;
    let server = Server::of(ctx, tag, voice::persona(&protocol.to_string()))?;
    server.register()?;
    client.wait_listed(&server, List { protocol, ..ALL })?;
    client.asks(ALL)?.expect_unlisted(&server)
}

/// A listed server says that it goes, and is listed no more.
fn goes(ctx: &TestContext<'_>, tag: &'static str, last: &'static str, protocol: i64) -> Done {
    let client = Client::new(ctx)?;
    let list = List { protocol, ..ALL };
    let server = Server::of(ctx, tag, voice::persona(&protocol.to_string()))?;
    server.register()?;
    client.wait_listed(&server, list)?;
    server.end.send_bytes(&voice::heartbeat(last))?;
    client.wait_unlisted(&server, list)
}
