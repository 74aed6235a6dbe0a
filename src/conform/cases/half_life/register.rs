//! Servers register: 001 10.2 q, 10.1 s, 10.3 0. Whether they did is seen in lists, which are
//! observed.

use super::super::challenge_quality;
use super::ends::{By, Client, Server};
use crate::conform::{Case, Failure, INFO, MUST, Proven, SHOULD, Sentence};
use crate::peer::voice::half_life as voice;
use crate::proto::half_life::HALF_LIFE;

/// Servers whose challenges are compared.
const MANY: usize = 8;
/// Every server.
const ALL: By<'static> = By::Cursor;

pub(super) static CASES: &[Case] = &[
    Case {
        id: "half-life/q/asked",
        title: "a server sends a heartbeat",
        requires: "a q is answered with an s to the server that sent it",
        citation: "001 10.1, 001 10.2",
        run: |ctx| {
            let server = Server::new(ctx)?;
            server.send_heartbeat()?;
            server.recv_challenge().map(drop)
        },
        ..MUST
    },
    Case {
        id: "half-life/q/each-time",
        title: "a server that is listed sends two heartbeats more",
        requires: "the master sends an s on every q that it receives",
        citation: "001 10.1",
        run: |ctx| {
            let server = Server::new(ctx)?;
            server.register()?;
            server.register()?;
            server.register()
        },
        ..MUST
    },
    Case {
        id: "half-life/s/form",
        title: "a server is asked after its heartbeat",
        requires: "four bytes FF, s, a line feed and a number of 32 bits, and nothing else",
        citation: "001 10.1",
        run: |ctx| {
            let server = Server::new(ctx)?;
            server.send_heartbeat()?;
            let heard = server.recv_challenge()?.heard;
            let expected = b"\xff\xff\xff\xffs\n".len() + 4;
            if heard.bytes.len() == expected {
                return Ok(());
            }
            let failure = Failure::new(format!("an s of {expected} bytes"), heard.named());
            Err(failure.within(&heard, expected..heard.bytes.len()))
        },
        ..MUST
    },
    Case {
        id: "half-life/s/challenge-differs",
        title: "eight servers send heartbeats",
        requires: "the number is a challenge, so that no two servers have the same and none can be \
                   told from another",
        citation: "001 10.1",
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
        id: "half-life/0/right-challenge",
        title: "a server gives the challenge back in a reply like the document's",
        requires: "a 0 answers the s: an infostring with the challenge in decimal; the server that \
                   sends it is listed",
        citation: "001 10.3, 001 10.1",
        run: |ctx| {
            let server = Server::new(ctx)?;
            server.register()?;
            Client::new(ctx)?.wait_listed(&server, ALL).map(drop)
        },
        ..MUST
    },
    Case {
        id: "half-life/0/none",
        title: "a server sends a heartbeat and does not answer",
        requires: "the master asks a server what it is, and lists none that it knows nothing of",
        citation: "001 10.1, 001 10.3",
        run: |ctx| {
            let (server, client) = (Server::new(ctx)?, Client::new(ctx)?);
            server.send_heartbeat()?;
            server.recv_challenge()?;
            client.asks(ALL)?.expect_unlisted(&server)
        },
        ..MUST
    },
    Case {
        id: "half-life/0/unasked",
        title: "a server that sent no heartbeat sends a reply",
        requires: "a reply without a challenge of the master's is none",
        citation: "001 10.3",
        run: |ctx| {
            let (server, client) = (Server::new(ctx)?, Client::new(ctx)?);
            server.answer(0)?;
            // The document's own.
            server.answer(2_100_453_449)?;
            client.asks(ALL)?.expect_unlisted(&server)
        },
        ..MUST
    },
    Case {
        id: "half-life/0/no-challenge",
        title: "a server answers without the key challenge",
        requires: "the reply has the number of the s that it answers",
        citation: "001 10.3, 001 10.1",
        run: |ctx| {
            let (server, client) = (Server::new(ctx)?, Client::new(ctx)?);
            server.send_heartbeat()?;
            server.recv_challenge()?;
            server.end.send_bytes(&voice::reply(&server.persona, None))?;
            client.asks(ALL)?.expect_unlisted(&server)
        },
        ..MUST
    },
    Case {
        id: "half-life/0/wrong-challenge",
        title: "a server answers with another challenge than it was sent",
        requires: "the reply has the number of the s that it answers",
        citation: "001 10.3, 001 10.1",
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
        id: "half-life/0/foreign-challenge",
        title: "a server answers with the challenge that another was sent",
        requires: "a challenge is that of the server that was sent it",
        citation: "001 10.3, 001 10.1",
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
        id: "half-life/0/replayed-challenge",
        title: "a server that is listed says something else with the challenge that it answered",
        requires: "an s is answered once",
        citation: "001 10.1",
        run: |ctx| {
            let (server, client) = (Server::new(ctx)?, Client::new(ctx)?);
            server.send_heartbeat()?;
            let challenge = server.recv_challenge()?.challenge;
            server.answer(challenge)?;
            client.wait_listed(&server, ALL)?;
            let server = server.with("gamedir", "replayed");
            server.answer(challenge)?;
            client.asks(By::Filter(r"\gamedir\replayed"))?.expect_unlisted(&server)
        },
        ..SHOULD
    },
    Case {
        id: "half-life/0/stale-challenge",
        title: "a server answers when the time for its challenge is over",
        requires: "an answer counts for a short while",
        citation: "001 10.1",
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
        id: "half-life/0/new-state",
        title: "a server that is listed registers again with another modification",
        requires: "what a server answered last is what holds",
        citation: "001 10.3",
        run: |ctx| {
            let game = ctx.game();
            let filter = format!(r"\gamedir\{game}");
            let (server, client) = (Server::new(ctx)?, Client::new(ctx)?);
            server.register()?;
            client.wait_listed(&server, ALL)?;
            let server = server.with("gamedir", &game);
            server.register()?;
            client.wait_listed(&server, By::Filter(&filter))?;
            client.asks(By::Filter(r"\gamedir\valve"))?.expect_unlisted(&server)
        },
        ..SHOULD
    },
    Case {
        id: "half-life/0/no-places",
        title: "a server registers whose max is 0",
        requires: "whether a server without places is listed stands in no document",
        citation: "001 10.3",
        run: |ctx| {
            let server = Server::new(ctx)?.with("players", "0").with("max", "0");
            server.register()?;
            let listed = Client::new(ctx)?.asks(ALL)?.expect_unlisted(&server).is_err();
            ctx.note(if listed { "it is listed" } else { "it is not listed" });
            Ok(())
        },
        ..INFO
    },
    Case {
        id: "half-life/b/leaves",
        title: "a server that is listed logs off",
        requires: "a server that says that it goes is listed no more; no document has the word, \
                   but servers send it",
        citation: "001 10",
        run: |ctx| {
            let (server, client) = (Server::new(ctx)?, Client::new(ctx)?);
            server.register()?;
            client.wait_listed(&server, ALL)?;
            server.end.send_bytes(&voice::log_off())?;
            ctx.until(|| client.asks(ALL)?.expect_unlisted(&server))
        },
        ..SHOULD
    },
];

pub(super) static SENTENCES: &[Sentence] = &[
    Sentence {
        game: &HALF_LIFE,
        citation: "001 10.2",
        says: "q is a server's heartbeat",
        proven: Proven::By(&["half-life/q/asked"]),
    },
    Sentence {
        game: &HALF_LIFE,
        citation: "001 10.1",
        says: "the master sends an s with a challenge on every q",
        proven: Proven::By(&["half-life/q/each-time"]),
    },
    Sentence {
        game: &HALF_LIFE,
        citation: "001 10.1",
        says: "s asks a server what it is; its last four bytes are a number of 32 bits",
        proven: Proven::By(&["half-life/s/*"]),
    },
    Sentence {
        game: &HALF_LIFE,
        citation: "001 10.3",
        says: "0 is the answer to s, an infostring with the challenge",
        proven: Proven::By(&["half-life/0/*"]),
    },
    Sentence {
        game: &HALF_LIFE,
        citation: "001 10",
        says: "b takes a server off (observed)",
        proven: Proven::By(&["half-life/b/leaves"]),
    },
];
