//! Servers say that they are there, are asked, answer, and say that they go: 001 4.2.2 to 4.2.4,
//! 4.2.9 and 4.2.11.

use super::LISTS;
use super::ends::{Client, Server};
use super::getservers::ALL;
use crate::conform::{Case, Done, Failure, MUST, SHOULD, TestContext};
use crate::peer::voice::elite_force::{self as voice, Question};

pub(super) static CASES: &[Case] = &[
    Case {
        id: "elite-force/heartbeat/asked",
        title: "a server sends a heartbeat",
        requires: "the master asks a server for what it needs to answer clients",
        citation: "001 4.2.9, 001 4.2.3",
        run: |ctx| {
            let server = Server::new(ctx)?;
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
        run: |ctx| {
            let (server, _) = listed(ctx)?;
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
        run: |ctx| recv_challenge(ctx, "a getstatus", |q| matches!(q, Question::Status(_))),
        ..SHOULD
    },
    Case {
        id: "elite-force/heartbeat/getchallenge",
        title: "a server sends a heartbeat",
        requires: "on every heartbeat the master sends getchallenge",
        citation: "001 4.2.9",
        run: |ctx| recv_challenge(ctx, "a getchallenge", |q| *q == Question::Challenge),
        ..SHOULD
    },
    Case {
        id: "elite-force/heartbeat/names-port",
        title: "a heartbeat comes from another port than the one that it names",
        requires: "the value of heartbeat is the port on which the server plays",
        citation: "001 4.2.9",
        run: |ctx| {
            let (server, client) = (Server::new(ctx)?, Client::new(ctx)?);
            let beside = ctx.server_beside(LISTS, &server.end)?;
            beside.send_bytes(&voice::heartbeat(server.address().port(), voice::GAME))?;
            let asked = server.recv_challenge()?;
            server.answer(&asked.question)?;
            client.wait_listed(&server, ALL)?.expect_unlisted(beside.address())
        },
        ..MUST
    },
    Case {
        id: "elite-force/heartbeat/other-game",
        title: "a server sends a heartbeat of a game that is not Elite Force",
        requires: "a heartbeat tells by its gamename that it is Elite Force that beats",
        citation: "001 4.2.9",
        run: |ctx| {
            let (server, client) = (Server::new(ctx)?, Client::new(ctx)?);
            server.end.send_bytes(&voice::heartbeat(server.address().port(), "Unheard1"))?;
            ctx.sync(LISTS)?;
            for heard in server.end.drain()? {
                if let Some(answer) = voice::answer(&server.persona, &heard.bytes) {
                    server.end.send_bytes(&answer)?;
                }
            }
            ctx.sync(LISTS)?;
            client.asks(ALL)?.expect_unlisted(server.address())
        },
        ..SHOULD
    },
    Case {
        id: "elite-force/heartbeat/unanswered",
        title: "a server sends a heartbeat, and does not answer what it is asked",
        requires: "the master lists servers by what they answer, and one that does not is unknown",
        citation: "001 4.2.9",
        run: |ctx| {
            let (server, client) = (Server::new(ctx)?, Client::new(ctx)?);
            server.send_heartbeat()?;
            server.recv_challenge()?;
            client.asks(ALL)?.expect_unlisted(server.address())
        },
        ..MUST
    },
    Case {
        id: "elite-force/heartbeat/new-state",
        title: "a server is full, and empties, and fills again",
        requires: "the master gathers on every heartbeat what it needs to answer clients",
        citation: "001 4.2.9",
        run: |ctx| {
            let client = Client::new(ctx)?;
            let server = Server::new(ctx)?.with("clients", "8");
            server.register()?;
            client.wait_listed(&server, "full")?;
            let server = server.with("clients", "0");
            server.register()?;
            client.wait_unlisted(&server, "full")?;
            client.wait_listed(&server, "empty")?;
            let server = server.with("clients", "7");
            server.register()?;
            client.wait_listed(&server, "").map(drop)
        },
        ..MUST
    },
    Case {
        id: "elite-force/timeout/kept",
        title: "a server registers, and less than its time goes by",
        requires: "heartbeats come every 300 seconds, and between them a server is known",
        citation: "001 4.2.9, 001 1.2.9",
        slow: Some("server-timeout"),
        run: |ctx| {
            let (server, client) = listed(ctx)?;
            ctx.wait(ctx.time("server-timeout")? * 2 / 5);
            client.asks(ALL)?.expect_listed(server.address())
        },
        ..MUST
    },
    Case {
        id: "elite-force/timeout/forgotten",
        title: "a server registers, and says nothing more for all its time",
        requires: "the master knows by heartbeats that a server is there",
        citation: "001 4.2.9, 001 1.2.9",
        slow: Some("server-timeout"),
        run: |ctx| {
            let (server, client) = listed(ctx)?;
            ctx.wait(ctx.time("server-timeout")?);
            client.wait_unlisted(&server, ALL)
        },
        ..SHOULD
    },
    Case {
        id: "elite-force/challenge/wrong",
        title: "a server answers with another challenge than it was sent",
        requires: "the challenge in an answer shows that the server was asked",
        citation: "001 4.2.3, 001 4.2.4, 004 3) infoResponse",
        run: |ctx| {
            let (server, client) = (Server::new(ctx)?, Client::new(ctx)?);
            server.send_heartbeat()?;
            let asked = server.recv_challenge()?;
            asked.challenge()?;
            server.answer(&asked.with(b"123wrong1"))?;
            ctx.sync(LISTS)?;
            client.asks(ALL)?.expect_unlisted(server.address())
        },
        ..SHOULD
    },
    Case {
        id: "elite-force/challenge/foreign",
        title: "a server answers with the challenge that another server was sent",
        requires: "the challenge in an answer shows that this very server was asked",
        citation: "001 4.2.3, 001 4.2.4, 004 3) infoResponse",
        run: |ctx| {
            let (server, client) = (Server::new(ctx)?, Client::new(ctx)?);
            let other = Server::new(ctx)?;
            server.send_heartbeat()?;
            let asked = server.recv_challenge()?;
            other.send_heartbeat()?;
            let others = other.recv_challenge()?;
            server.answer(&asked.with(others.challenge()?))?;
            ctx.sync(LISTS)?;
            client.asks(ALL)?.expect_unlisted(server.address())
        },
        ..SHOULD
    },
    Case {
        id: "elite-force/challenge/replayed",
        title: "a server answers a challenge a second time, and tells something else",
        requires: "a challenge is sent with a question, and answered with it",
        citation: "001 4.2.3, 004 BEHAVIOUR",
        run: |ctx| {
            let (server, client) = (Server::new(ctx)?, Client::new(ctx)?);
            server.send_heartbeat()?;
            let asked = server.recv_challenge()?;
            asked.challenge()?;
            server.answer(&asked.question)?;
            client.wait_listed(&server, "")?;
            let server = server.with("clients", "8");
            server.answer(&asked.question)?;
            ctx.sync(LISTS)?;
            client.asks("")?.expect_listed(server.address())
        },
        ..SHOULD
    },
    Case {
        id: "elite-force/challenge/stale",
        title: "a server answers after the challenge's time is over",
        requires: "a server that has not answered after a while is forgotten",
        citation: "001 4.2.3, 004 BEHAVIOUR",
        slow: Some("challenge-timeout"),
        run: |ctx| {
            let (server, client) = (Server::new(ctx)?, Client::new(ctx)?);
            server.send_heartbeat()?;
            let asked = server.recv_challenge()?;
            asked.challenge()?;
            // A little more: the master's clock and ours need not tick alike.
            ctx.wait(ctx.time("challenge-timeout")? * 11 / 10);
            server.answer(&asked.question)?;
            ctx.sync(LISTS)?;
            client.asks(ALL)?.expect_unlisted(server.address())
        },
        ..SHOULD
    },
    Case {
        id: "elite-force/challenge/changes",
        title: "three servers send heartbeats",
        requires: "a challenge authenticates one server's answer, and is no other's",
        citation: "001 4.2.3, 004 2) getinfo",
        run: |ctx| {
            let mut seen: Vec<Vec<u8>> = Vec::new();
            for _ in 0..3 {
                let server = Server::new(ctx)?;
                server.send_heartbeat()?;
                let asked = server.recv_challenge()?;
                let challenge = asked.challenge()?.to_vec();
                if seen.contains(&challenge) {
                    let came = "one that another server was sent";
                    let failure = Failure::new("a challenge of its own for each server", came);
                    return Err(failure.field(&asked.heard, "challenge"));
                }
                seen.push(challenge);
            }
            Ok(())
        },
        ..SHOULD
    },
    Case {
        id: "elite-force/statusResponse/no-places",
        title: "a server answers that it has no places",
        requires: "the number of places is not 0",
        citation: "004 3) infoResponse",
        run: |ctx| refused(&Server::new(ctx)?.with("sv_maxclients", "0"), ctx),
        ..SHOULD
    },
    Case {
        id: "elite-force/statusResponse/places-missing",
        title: "a server answers without a number of places",
        requires: "whether a server is full is known by its places, and they have to be told",
        citation: "001 4.1.1, 004 3) infoResponse",
        run: |ctx| refused(&Server::new(ctx)?.without("sv_maxclients"), ctx),
        ..SHOULD
    },
    Case {
        id: "elite-force/statusResponse/no-protocol",
        title: "a server answers without a protocol",
        requires: "servers are listed by their protocol, and one without stands in no list",
        citation: "001 4.1.1, 004 3) infoResponse",
        run: |ctx| refused(&Server::new(ctx)?.without("protocol"), ctx),
        ..SHOULD
    },
    Case {
        id: "elite-force/heartstop/gone",
        title: "a listed server sends heartstop",
        requires: "heartstop is sent when a server shuts down",
        citation: "001 4.2.11",
        run: |ctx| {
            let (server, client) = listed(ctx)?;
            server.goes()?;
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
        run: |ctx| {
            let (server, client) = listed(ctx)?;
            let end = ctx.server_beside(LISTS, &server.end)?;
            let beside = Server { end, persona: voice::persona() };
            beside.register()?;
            client.wait_listed(&beside, ALL)?;
            beside.goes()?;
            client.wait_unlisted(&beside, ALL)?;
            let stranger = ctx.server(LISTS)?;
            if stranger.address().ip() != server.address().ip() {
                stranger.send_bytes(&voice::heartstop(server.address().port()))?;
                ctx.sync(LISTS)?;
            }
            client.asks(ALL)?.expect_listed(server.address())
        },
        ..MUST
    },
    Case {
        id: "elite-force/heartstop/back",
        title: "a server sends heartstop, and registers again",
        requires: "a heartbeat tells that a server is there, whatever it said before",
        citation: "001 4.2.11, 001 4.2.9",
        run: |ctx| {
            let (server, client) = listed(ctx)?;
            server.goes()?;
            client.wait_unlisted(&server, ALL)?;
            server.register()?;
            client.wait_listed(&server, ALL).map(drop)
        },
        ..MUST
    },
];

/// A server that is listed, and a client that has seen it.
pub(super) fn listed<'s>(ctx: &'s TestContext<'_>) -> Result<(Server<'s>, Client<'s>), Failure> {
    let (server, client) = (Server::new(ctx)?, Client::new(ctx)?);
    server.register()?;
    client.wait_listed(&server, ALL)?;
    Ok((server, client))
}

/// A server that says this of itself is not listed.
fn refused(server: &Server<'_>, ctx: &TestContext<'_>) -> Done {
    server.register()?;
    ctx.sync(LISTS)?;
    Client::new(ctx)?.asks(ALL)?.expect_unlisted(server.address())
}

/// A heartbeat is answered with such a question, among others.
fn recv_challenge(ctx: &TestContext<'_>, what: &str, is: impl Fn(&Question) -> bool) -> Done {
    let server = Server::new(ctx)?;
    server.send_heartbeat()?;
    server.end.expect(what, |heard| voice::question(&heard.bytes).filter(&is).map(drop))
}
