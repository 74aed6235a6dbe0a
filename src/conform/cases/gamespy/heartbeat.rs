//! Servers say that they are there, or that their state has changed: 003 Heartbeat, 001 2.1.2.

use super::super::challenge_quality;
use super::SERVERS;
use super::ends::{CHANGED, Server, list};
use crate::conform::{
    Case, Datagram, Done, Endpoint, Failure, MUST, Proven, SHOULD, Sentence, TestContext,
};
use crate::peer::voice::gamespy as voice;
use crate::proto::gamespy::GAMESPY;

pub(super) static CASES: &[Case] = &[
    Case {
        id: "gamespy/heartbeat/asked",
        title: "a server sends its first heartbeat",
        requires: "the first heartbeat is answered, within a few seconds, with a basic query",
        citation: "003 Heartbeat",
        run: |ctx| {
            let server = Server::new(ctx)?;
            server.send_heartbeat()?;
            server.recv_challenge().map(drop)
        },
        ..MUST
    },
    Case {
        id: "gamespy/heartbeat/query-port",
        title: "a server sends a heartbeat from another port than the one that it names",
        requires: "the query goes to the port that the heartbeat names, for there the server \
                   answers",
        citation: "003 Heartbeat, 001 5.1",
        run: |ctx| {
            let server = Server::new(ctx)?;
            let other = ctx.server_beside(SERVERS, &server.end)?;
            other.send_bytes(&server.heartbeat(""))?;
            let question = server.recv_challenge()?;
            other.expect_none("no query at the port that the heartbeat came from", query)?;
            server.answer(&question)?;
            server.is_found()
        },
        ..MUST
    },
    Case {
        id: "gamespy/heartbeat/state-changed",
        title: "servers send their first heartbeats with statechanged, closed by a backslash and \
                not",
        requires: "a heartbeat may say that the state has changed; the first one is treated so, \
                   whichever it is",
        citation: "003 Heartbeat",
        run: |ctx| {
            for more in [CHANGED, CHANGED.trim_end_matches('\\')] {
                let server = Server::new(ctx)?;
                server.end.send_bytes(&server.heartbeat(more))?;
                server.answer(&server.recv_challenge()?)?;
                server.is_found()?;
            }
            Ok(())
        },
        ..MUST
    },
    Case {
        id: "gamespy/heartbeat/asked-again",
        title: "a server that is listed sends a heartbeat with statechanged",
        requires: "the master asks a server for its new state, as it did after the first heartbeat",
        citation: "003 Heartbeat",
        run: |ctx| {
            let server = Server::new(ctx)?;
            server.is_listed()?;
            server.has_changed()?;
            server.answer(&server.recv_challenge()?)?;
            server.is_found()
        },
        ..MUST
    },
    Case {
        id: "gamespy/heartbeat/exiting",
        title: "a server that is listed says that its state has changed, and that it is exiting",
        requires: "a server whose gamemode is exiting is taken off the list",
        citation: "003 Heartbeat, 003 Replies (Server Info), 003 Appendix D",
        run: |ctx| {
            let server = Server::new(ctx)?;
            server.is_listed()?;
            let server = server.with("gamemode", "exiting");
            server.has_changed()?;
            server.answer(&server.recv_challenge()?)?;
            server.is_missed()
        },
        ..MUST
    },
    Case {
        id: "gamespy/heartbeat/exiting-in-parts",
        title: "a server that is exiting says so in the second part of its answer",
        requires: "an answer may have several parts, and all of them count",
        citation: "003 Replies (Server Info), 003 Heartbeat",
        run: |ctx| {
            let server = Server::new(ctx)?;
            server.is_listed()?;
            server.has_changed()?;
            let question = server.recv_challenge()?;
            let said = voice::said(&server.persona.clone().without("gamemode"), &question.asked);
            let proof = voice::proof(&server.game, &question.asked.proof);
            server.end.send_bytes(&voice::part(&[said, proof].concat(), 1, false))?;
            server.end.send_bytes(&voice::part(br"\gamemode\exiting", 2, true))?;
            server.is_missed()
        },
        ..SHOULD
    },
    Case {
        id: "gamespy/heartbeat/silent",
        title: "a server that is listed says that its state has changed, and answers no more",
        requires: "a server that is queried and does not answer is taken off the list",
        citation: "003 Heartbeat, 003 Appendix D",
        slow: Some("challenge-timeout"),
        run: |ctx| {
            let server = Server::new(ctx)?;
            goes_silent(ctx, &server)
        },
        ..MUST
    },
    Case {
        id: "gamespy/heartbeat/comes-back",
        title: "a server that was taken off sends a heartbeat again",
        requires: "a server is off the list until another heartbeat is received",
        citation: "003 Heartbeat",
        run: |ctx| {
            let server = Server::new(ctx)?;
            server.is_listed()?;
            let server = server.with("gamemode", "exiting");
            server.has_changed()?;
            server.answer(&server.recv_challenge()?)?;
            server.is_missed()?;
            server.with("gamemode", "wait").is_listed()
        },
        ..MUST
    },
    Case {
        id: "gamespy/heartbeat/no-gamename",
        title: "a server sends a heartbeat without gamename",
        requires: "the game's name is needed, for by it the master knows how to ask",
        citation: "003 Heartbeat",
        run: |ctx| {
            let server = Server::new(ctx)?;
            let port = server.address().port();
            server.end.send_bytes(format!(r"\heartbeat\{port}").as_bytes())?;
            no_query(&server.end)
        },
        ..SHOULD
    },
    Case {
        id: "gamespy/heartbeat/blank-in-name",
        title: "a server sends a heartbeat with a blank in gamename",
        requires: "the game's name is one word without blanks",
        citation: "003 Replies (Server Info)",
        run: |ctx| {
            let server = Server::of(ctx, "two words")?;
            server.send_heartbeat()?;
            no_query(&server.end)
        },
        ..SHOULD
    },
    Case {
        id: "gamespy/heartbeat/no-port",
        title: "a server sends heartbeats whose port is none",
        requires: "the port is a number from 1025 to 65535",
        citation: "003 Heartbeat",
        run: |ctx| {
            let server = Server::new(ctx)?;
            for port in ["", "0", "65536", "99999999999999999999", "port", "-1"] {
                let beat = format!(r"\heartbeat\{port}\gamename\{}", server.game);
                server.end.send_bytes(beat.as_bytes())?;
            }
            no_query(&server.end)
        },
        ..SHOULD
    },
    Case {
        id: "gamespy/heartbeat/heretic2",
        title: "a server of Heretic 2 sends its beacon",
        requires: "Heretic 2 announces itself to GameSpy's master too",
        citation: "001 2.1.2, 003 Heartbeat",
        run: |ctx| {
            let server = Server::of(ctx, voice::HERETIC)?;
            server.is_listed()
        },
        ..MUST
    },
    Case {
        id: "gamespy/timeout/kept",
        title: "a server that is listed says nothing for half of the time",
        requires: "a server is not removed long before the time is over",
        citation: "003 Appendix D",
        slow: Some("gamespy-timeout"),
        run: |ctx| {
            let server = Server::new(ctx)?;
            server.is_listed()?;
            ctx.wait(ctx.time("gamespy-timeout")? / 2);
            list(ctx, &server.game)?.expect_listed(&server)
        },
        ..MUST
    },
    Case {
        id: "gamespy/timeout/forgotten",
        title: "a server that is listed sends nothing and answers nothing any more",
        requires: "a server that neither sends heartbeats nor answers is removed after some 12 \
                   minutes",
        citation: "003 Appendix D",
        slow: Some("gamespy-timeout"),
        run: |ctx| {
            let server = Server::new(ctx)?;
            server.is_listed()?;
            ctx.wait(challenge_quality::beyond(ctx.time("gamespy-timeout")?));
            server.is_missed()
        },
        ..MUST
    },
];

/// A query, of whatever kind.
fn query(heard: &Datagram) -> Option<()> {
    voice::asked(&heard.bytes).map(drop)
}

fn no_query(end: &Endpoint<'_>) -> Done {
    end.expect_none("no query after such a heartbeat", query)
}

/// Is listed, says that it has changed, does not answer, and is listed no more.
fn goes_silent(ctx: &TestContext<'_>, server: &Server<'_>) -> Done {
    if ctx.assumed().settings().keep_silent {
        return Err(Failure::skipped("the target is assumed to keep servers that fall silent"));
    }
    server.is_listed()?;
    server.has_changed()?;
    server.recv_challenge()?;
    ctx.wait(challenge_quality::beyond(ctx.time("challenge-timeout")?));
    server.is_missed()
}

pub(super) static SENTENCES: &[Sentence] = &[
    Sentence {
        game: &GAMESPY,
        citation: "003 Heartbeat",
        says: "the first heartbeat is answered with a basic query, and a right answer lists the \
               server",
        proven: Proven::By(&["gamespy/heartbeat/asked", "gamespy/secure/right-proof"]),
    },
    Sentence {
        game: &GAMESPY,
        citation: "003 Heartbeat",
        says: "a heartbeat names the port for queries, from 1025 to 65535",
        proven: Proven::By(&["gamespy/heartbeat/query-port", "gamespy/heartbeat/no-port"]),
    },
    Sentence {
        game: &GAMESPY,
        citation: "003 Heartbeat",
        says: "a heartbeat names its game, so that the master can ask for the right proof",
        proven: Proven::By(&["gamespy/heartbeat/no-gamename"]),
    },
    Sentence {
        game: &GAMESPY,
        citation: "003 Heartbeat",
        says: "a heartbeat with statechanged tells of another state; the first one always does",
        proven: Proven::By(&["gamespy/heartbeat/state-changed", "gamespy/heartbeat/asked-again"]),
    },
    Sentence {
        game: &GAMESPY,
        citation: "003 Heartbeat, 003 Appendix D",
        says: "a server that says so and is exiting, or does not answer, is removed until its next \
               heartbeat",
        proven: Proven::By(&[
            "gamespy/heartbeat/exiting",
            "gamespy/heartbeat/silent",
            "gamespy/heartbeat/comes-back",
        ]),
    },
    Sentence {
        game: &GAMESPY,
        citation: "003 Appendix D",
        says: "a server is removed after some 12 minutes without heartbeats and answers",
        proven: Proven::By(&["gamespy/timeout/*"]),
    },
    Sentence {
        game: &GAMESPY,
        citation: "003 Replies (Server Info)",
        says: "an answer has one packet or several, each numbered, the last marked, and they may \
               arrive in any order",
        proven: Proven::By(&["gamespy/secure/*-parts", "gamespy/heartbeat/exiting-in-parts"]),
    },
    Sentence {
        game: &GAMESPY,
        citation: "003 Replies (Server Info)",
        says: "a game's name is one word without blanks",
        proven: Proven::By(&["gamespy/heartbeat/blank-in-name"]),
    },
    Sentence {
        game: &GAMESPY,
        citation: "001 2.1.2",
        says: "servers of Heretic 2 send GameSpy's heartbeat too",
        proven: Proven::By(&["gamespy/heartbeat/heretic2"]),
    },
];
