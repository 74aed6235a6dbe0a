//! Servers register: 001 9.7 heartbeat, 9.4 getInfo, 9.5 infoResponse.

use super::super::challenge_quality;
use super::ends::{ALL, Client, Server};
use crate::conform::{Case, Failure, INFO, MUST, Proven, SHOULD, Sentence};
use crate::proto::doom3::DOOM3;

/// Servers whose challenges are compared.
const MANY: usize = 8;

pub(super) static CASES: &[Case] = &[
    Case {
        id: "doom3/heartbeat/asked",
        title: "a server sends a heartbeat",
        requires: "each heartbeat is answered with a getInfo to the server that sent it",
        citation: "001 9.7",
        run: |ctx| {
            let server = Server::new(ctx)?;
            server.send_heartbeat()?;
            server.recv_challenge().map(drop)
        },
        ..MUST
    },
    Case {
        id: "doom3/heartbeat/each-time",
        title: "a server that is listed sends two heartbeats more",
        requires: "the master sends a getInfo each time that it receives a heartbeat",
        citation: "001 9.7",
        run: |ctx| {
            let server = Server::new(ctx)?;
            server.register()?;
            server.register()?;
            server.register()
        },
        ..MUST
    },
    Case {
        id: "doom3/getInfo/form",
        title: "a server is asked after its heartbeat",
        requires: "behind getInfo and NUL stands a challenge of four bytes, and nothing else",
        citation: "001 9.4",
        run: |ctx| {
            let server = Server::new(ctx)?;
            server.send_heartbeat()?;
            let heard = server.recv_challenge()?.heard;
            let expected = b"\xff\xffgetInfo\0".len() + 4;
            if heard.bytes.len() == expected {
                return Ok(());
            }
            let failure = Failure::new(format!("a getInfo of {expected} bytes"), heard.named());
            Err(failure.within(&heard, expected..heard.bytes.len()))
        },
        ..MUST
    },
    Case {
        id: "doom3/getInfo/challenge-differs",
        title: "eight servers send heartbeats",
        requires: "the challenge shows who answers, so that no two servers have the same and none \
                   can be told from another",
        citation: "001 9.4",
        run: |ctx| {
            let servers = (0..MANY).map(|_| Server::new(ctx)).collect::<Result<Vec<_>, _>>()?;
            let mut challenges = Vec::new();
            for server in &servers {
                server.send_heartbeat()?;
                let asked = server.recv_challenge()?;
                challenges.push((i64::from(asked.challenge), asked.heard));
            }
            challenge_quality::cannot_be_told(&challenges)
        },
        ..SHOULD
    },
    Case {
        id: "doom3/infoResponse/right-challenge",
        title: "a server gives the challenge back and tells its settings and players",
        requires: "a reply has the challenge behind its command, then the protocol, settings and \
                   players; the server that sends it is listed",
        citation: "001 9.5, 001 9.7",
        run: |ctx| {
            let server = Server::new(ctx)?.played_by(7);
            server.register()?;
            Client::new(ctx)?.wait_listed(&server, ALL).map(drop)
        },
        ..MUST
    },
    Case {
        id: "doom3/infoResponse/none",
        title: "a server sends a heartbeat and does not answer",
        requires: "the master asks a server what it is, and lists none that it knows nothing of",
        citation: "001 9.7, 001 9.4",
        run: |ctx| {
            // A master that lists it could think it to be of any version.
            let (server, client) = (Server::new(ctx)?, Client::new(ctx)?);
            server.send_heartbeat()?;
            server.recv_challenge()?;
            client.asks(ALL)?.expect_unlisted(&server)?;
            let newest = super::ends::List { protocol: ctx.assumed().settings().newest, ..ALL };
            client.asks(newest)?.expect_unlisted(&server)
        },
        ..MUST
    },
    Case {
        id: "doom3/infoResponse/unasked",
        title: "a server that sent no heartbeat sends a reply",
        requires: "a reply without a challenge of the master's is none",
        citation: "001 9.5",
        run: |ctx| {
            let (server, client) = (Server::new(ctx)?, Client::new(ctx)?);
            server.answer(0)?;
            server.answer(0x0101_0101)?;
            client.asks(ALL)?.expect_unlisted(&server)
        },
        ..MUST
    },
    Case {
        id: "doom3/infoResponse/wrong-challenge",
        title: "a server answers with another challenge than it was sent",
        requires: "the reply has the challenge of the getInfo that it answers",
        citation: "001 9.5",
        run: |ctx| {
            let (server, client) = (Server::new(ctx)?, Client::new(ctx)?);
            server.send_heartbeat()?;
            let challenge = server.recv_challenge()?.challenge;
            server.answer(challenge ^ 1)?;
            client.asks(ALL)?.expect_unlisted(&server)
        },
        ..MUST
    },
    Case {
        id: "doom3/infoResponse/foreign-challenge",
        title: "a server answers with the challenge that another was sent",
        requires: "a challenge is that of the server that was sent it",
        citation: "001 9.5",
        run: |ctx| {
            let (server, client) = (Server::new(ctx)?, Client::new(ctx)?);
            let other = Server::new(ctx)?;
            server.send_heartbeat()?;
            other.send_heartbeat()?;
            server.recv_challenge()?;
            server.answer(other.recv_challenge()?.challenge)?;
            client.asks(ALL)?.expect_unlisted(&server)
        },
        ..MUST
    },
    Case {
        id: "doom3/infoResponse/replayed-challenge",
        title: "a server that is listed says something else with the challenge that it answered",
        requires: "a getInfo is answered once",
        citation: "001 9.5",
        run: |ctx| {
            let (server, client) = (Server::new(ctx)?, Client::new(ctx)?);
            server.send_heartbeat()?;
            let challenge = server.recv_challenge()?.challenge;
            server.answer(challenge)?;
            client.wait_listed(&server, ALL)?;
            let server = server.with("si_usepass", "1");
            server.answer(challenge)?;
            let with_password = super::ends::List { filter: 1, ..ALL };
            client.asks(with_password)?.expect_unlisted(&server)
        },
        ..SHOULD
    },
    Case {
        id: "doom3/infoResponse/stale-challenge",
        title: "a server answers when the time for its challenge is over",
        requires: "an answer counts for a short while",
        citation: "001 9.5",
        slow: Some("challenge-timeout"),
        run: |ctx| {
            let (server, client) = (Server::new(ctx)?, Client::new(ctx)?);
            server.send_heartbeat()?;
            let challenge = server.recv_challenge()?.challenge;
            ctx.wait(challenge_quality::beyond(ctx.time("challenge-timeout")?));
            server.answer(challenge)?;
            client.asks(ALL)?.expect_unlisted(&server)
        },
        ..SHOULD
    },
    Case {
        id: "doom3/infoResponse/new-state",
        title: "a server that is listed registers again, now with a password",
        requires: "what a server answered last is what holds",
        citation: "001 9.5, 001 9.7",
        run: |ctx| {
            let (server, client) = (Server::new(ctx)?, Client::new(ctx)?);
            server.register()?;
            client.wait_listed(&server, ALL)?;
            let server = server.with("si_usepass", "1");
            server.register()?;
            let [with_password, without] = [1, 2].map(|filter| super::ends::List { filter, ..ALL });
            client.wait_listed(&server, with_password)?;
            client.asks(without)?.expect_unlisted(&server)
        },
        ..MUST
    },
    Case {
        id: "doom3/infoResponse/no-places",
        title: "a server registers whose si_maxPlayers is 0",
        requires: "whether a server without places is listed stands in no document",
        citation: "001 9.5",
        run: |ctx| {
            let server = Server::new(ctx)?.played_by(0).with("si_maxPlayers", "0");
            server.register()?;
            let listed = Client::new(ctx)?.asks(ALL)?.expect_unlisted(&server).is_err();
            ctx.note(if listed { "it is listed" } else { "it is not listed" });
            Ok(())
        },
        ..INFO
    },
];

pub(super) static SENTENCES: &[Sentence] = &[
    Sentence {
        game: &DOOM3,
        citation: "001 9.7",
        says: "each time that the master receives a heartbeat it sends a getInfo",
        proven: Proven::By(&["doom3/heartbeat/*"]),
    },
    Sentence {
        game: &DOOM3,
        citation: "001 9.4",
        says: "a getInfo is the command, NUL and a challenge of four bytes",
        proven: Proven::By(&["doom3/getInfo/*"]),
    },
    Sentence {
        game: &DOOM3,
        citation: "001 9.5",
        says: "a reply has the challenge behind its command, and behind it the protocol, settings \
               and players",
        proven: Proven::By(&["doom3/infoResponse/*"]),
    },
];
