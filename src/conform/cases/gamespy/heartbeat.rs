//! Servers send heartbeats, and that their state has changed: 003 Heartbeat, 001 2.1.2.

use super::super::challenge_quality;
use super::SERVERS;
use super::ends::{CHANGED, GamespyServer, list};
use super::preconditions::{ASKED, ASKED_AGAIN, LEAVES, LISTED};
use crate::conform::{
    Case, Done, Failure, MUST, Proven, ReceivedDatagram, SHOULD, Sentence, TestEndpoint,
};
use crate::families::gamespy::messages as voice;
use crate::protocols::gamespy::GAMESPY;

pub(super) static CASES: &[Case] = &[
    Case {
        id: "gamespy/heartbeat/asked",
        title: "a server sends its first heartbeat",
        requires: "the first heartbeat is answered, within a few seconds, with a basic query",
        citation: "003 Heartbeat, 003 Security",
        run: |ctx| {
            let server = GamespyServer::new(ctx)?;
            let query = server.is_asked()?;
            if query.asked.queries.iter().any(|one| one == "basic") {
                return Ok(());
            }
            let came = crate::render::quoted(&query.heard.bytes, usize::MAX);
            Err(Failure::new("a query that begins with \\basic\\", came).at(&query.heard))
        },
        ..MUST
    },
    Case {
        id: "gamespy/heartbeat/query-port",
        title: "a server sends a heartbeat from another port than the one that it names",
        requires: "the query goes to the port that the heartbeat names, for there the server \
                   answers",
        citation: "003 Heartbeat, 001 5.1",
        needs: &[&ASKED],
        run: |ctx| {
            let server = GamespyServer::new(ctx)?;
            let other = ctx.server_beside(SERVERS, &server.end)?;
            other.send_bytes(&server.heartbeat(""))?;
            let query = server.recv_query();
            match other.drain()?.iter().find(|heard| is_query(heard).is_some()) {
                Some(heard) if query.is_err() => {
                    let what = format!("a query to port {}", server.address().port());
                    let came = format!("one to port {}", other.address().port());
                    Err(Failure::new(what, came).at(heard))
                }
                _ => query.map(drop),
            }
        },
        ..MUST
    },
    Case {
        id: "gamespy/heartbeat/state-changed",
        title: "servers send first heartbeats with statechanged, once closed by a backslash and \
                once not",
        requires: "a heartbeat may say that the state has changed; the first one is treated so, \
                   whichever it is",
        citation: "003 Heartbeat",
        needs: &[&LISTED],
        run: |ctx| {
            for more in [CHANGED, CHANGED.trim_end_matches('\\')] {
                let server = GamespyServer::new(ctx)?;
                server.end.send_bytes(&server.heartbeat(more))?;
                server.answer(&server.recv_query()?)?;
                server.wait_listed()?;
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
        needs: &[&LISTED],
        run: |ctx| {
            let server = GamespyServer::listed(ctx)?;
            server.has_changed()?;
            server.answer(&server.recv_query()?)?;
            server.wait_listed()
        },
        ..MUST
    },
    Case {
        id: "gamespy/heartbeat/exiting",
        title: "a server that is listed says that its state has changed, and that it is exiting",
        requires: "a server whose gamemode is exiting is taken off the list",
        citation: "003 Heartbeat, 003 Appendix D",
        needs: &[&ASKED_AGAIN],
        run: |ctx| GamespyServer::listed(ctx)?.leaves(),
        ..MUST
    },
    Case {
        id: "gamespy/heartbeat/exiting-in-parts",
        title: "a server that is exiting says so in the second part of its answer",
        requires: "an answer may have several parts, and all of them count",
        citation: "003 Replies (Server Info), 003 Heartbeat",
        needs: &[&LEAVES],
        run: |ctx| {
            let server = GamespyServer::listed(ctx)?;
            let query = ctx.setup(|| {
                server.has_changed()?;
                server.recv_query()
            })?;
            let said = voice::answer_to(&server.persona.clone().without("gamemode"), &query.asked);
            let proof = voice::proof(&server.game, &query.asked.proof);
            server.end.send_bytes(&voice::part(&[said, proof].concat(), 1, false))?;
            server.end.send_bytes(&voice::part(br"\gamemode\exiting", 2, true))?;
            server.wait_unlisted()
        },
        ..SHOULD
    },
    Case {
        id: "gamespy/heartbeat/silent",
        title: "a server that is listed says that its state has changed, and answers no more",
        requires: "a server that is queried and does not answer is taken off the list",
        citation: "003 Heartbeat, 003 Appendix D",
        slow: Some("challenge-timeout"),
        needs: &[&ASKED_AGAIN],
        run: |ctx| {
            if ctx.assumed().settings().keep_silent {
                let why = "the target is assumed to keep servers that fall silent (keep-silent)";
                return Err(Failure::skipped(why));
            }
            let server = GamespyServer::listed(ctx)?;
            ctx.setup(|| {
                server.has_changed()?;
                server.recv_query()
            })?;
            ctx.wait(challenge_quality::beyond(ctx.time("challenge-timeout")?));
            server.wait_unlisted()
        },
        ..MUST
    },
    Case {
        id: "gamespy/heartbeat/comes-back",
        title: "a server that was taken off sends a heartbeat again",
        requires: "a server is off the list until another heartbeat is received",
        citation: "003 Heartbeat",
        needs: &[&LEAVES],
        run: |ctx| {
            let server = GamespyServer::listed(ctx)?;
            ctx.setup(|| server.leaves())?;
            server.is_listed()
        },
        ..MUST
    },
    Case {
        id: "gamespy/heartbeat/no-gamename",
        title: "a server sends a heartbeat without gamename",
        requires: "the game's name is needed, for by it the master knows how to ask",
        citation: "003 Heartbeat",
        needs: &[&ASKED],
        run: |ctx| {
            let server = GamespyServer::new(ctx)?;
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
        needs: &[&ASKED],
        run: |ctx| {
            let server = GamespyServer::of(ctx, "two words")?;
            server.send_heartbeat()?;
            no_query(&server.end)
        },
        ..SHOULD
    },
    Case {
        id: "gamespy/heartbeat/no-port",
        title: "a server sends heartbeats with numbers and words that are no port",
        requires: "the port is a number from 1025 to 65535",
        citation: "003 Heartbeat",
        needs: &[&ASKED],
        run: |ctx| {
            let server = GamespyServer::new(ctx)?;
            for port in ["", "0", "65536", "99999999999999999999", "port", "-1"] {
                let heartbeat = format!(r"\heartbeat\{port}\gamename\{}", server.game);
                server.end.send_bytes(heartbeat.as_bytes())?;
            }
            no_query(&server.end)
        },
        ..SHOULD
    },
    Case {
        id: "gamespy/heartbeat/heretic2",
        title: "a server of Heretic 2 sends its heartbeat, and answers the query",
        requires: "Heretic 2 announces itself to GameSpy's master too",
        citation: "001 2.1.2, 003 Heartbeat",
        needs: &[&LISTED],
        run: |ctx| GamespyServer::of(ctx, voice::HERETIC)?.is_listed(),
        ..MUST
    },
    Case {
        id: "gamespy/timeout/kept",
        title: "a server that is listed says nothing for half of the time",
        requires: "a server is not removed long before the time is over",
        citation: "003 Appendix D",
        slow: Some("gamespy-timeout"),
        needs: &[&LISTED],
        run: |ctx| {
            let server = GamespyServer::listed(ctx)?;
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
        needs: &[&LISTED],
        run: |ctx| {
            let server = GamespyServer::listed(ctx)?;
            ctx.wait(challenge_quality::beyond(ctx.time("gamespy-timeout")?));
            server.wait_unlisted()
        },
        ..MUST
    },
];

/// A query of any kind.
fn is_query(heard: &ReceivedDatagram) -> Option<()> {
    voice::asked(&heard.bytes).map(drop)
}

fn no_query(end: &TestEndpoint<'_>) -> Done {
    end.expect_none("no query after such a heartbeat", is_query)
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
        proven: Proven::By(&["gamespy/timeout/*", "gamespy/list/stays"]),
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
