//! Masters ask servers, and servers have to give the challenge back: 001 1.2.3, 000 heartbeat,
//! 004 2) getinfo, 3) infoResponse and BEHAVIOUR.

use super::ends::{Asked, Client, Server, of_game};
use crate::conform::{Case, Failure, MUST, SHOULD, TestContext};
use crate::dump;
use crate::peer::voice::quake3::List;

/// How many challenges are compared.
const MANY: usize = 16;
/// Numbers that lie no further apart are counted up.
const NEAR: i128 = 1 << 16;

pub(super) static CASES: &[Case] = &[
    Case {
        id: "dpmaster/getinfo/characters",
        title: "some servers send heartbeats",
        requires: "a challenge has characters from 33 to 126, but \\ / ; \" and %",
        citation: "004 2) getinfo",
        run: |ctx| {
            for asked in ask_many(ctx)? {
                let bad = |b: &u8| !(33..=126).contains(b) || b"\\/;\"%".contains(b);
                if let Some(bad) = asked.challenge.iter().find(|b| bad(b)) {
                    let failure = Failure::new(
                        "a challenge of the characters that are allowed",
                        dump::shown(&[*bad]),
                    );
                    return Err(failure.field(&asked.heard, "challenge"));
                }
            }
            Ok(())
        },
        ..MUST
    },
    Case {
        id: "dpmaster/getinfo/length",
        title: "some servers send heartbeats",
        requires: "dpmaster's challenges have 9 to 12 characters",
        citation: "dpmaster's, in no document",
        run: |ctx| {
            for asked in ask_many(ctx)? {
                let length = asked.challenge.len();
                if !(9..=12).contains(&length) {
                    let failure = Failure::new("9 to 12 characters", format!("{length}"));
                    return Err(failure.field(&asked.heard, "challenge"));
                }
            }
            Ok(())
        },
        ..SHOULD
    },
    Case {
        id: "dpmaster/getinfo/fresh",
        title: "some servers send heartbeats, one of them again after it has answered",
        requires: "a challenge authenticates the answer of one server to one question",
        citation: "004 2) getinfo",
        run: |ctx| {
            let server = Server::darkplaces(ctx, &ctx.game())?;
            server.send_heartbeat()?;
            let first = server.recv_challenge()?;
            server.answer(&first)?;
            server.send_heartbeat()?;
            let mut all = vec![first, server.recv_challenge()?];
            all.extend(ask_many(ctx)?);
            for (n, asked) in all.iter().enumerate() {
                if all.iter().take(n).any(|other| other.challenge == asked.challenge) {
                    let failure = Failure::new("a challenge that was not used before", "it again");
                    return Err(failure.field(&asked.heard, "challenge"));
                }
            }
            Ok(())
        },
        ..MUST
    },
    Case {
        id: "dpmaster/getinfo/unpredictable",
        title: "some servers send heartbeats, one behind the other",
        requires: "a challenge authenticates an answer, so nobody else can guess it",
        citation: "004 2) getinfo",
        run: |ctx| {
            let all = ask_many(ctx)?;
            let number = |asked: &Asked| -> Option<i128> {
                std::str::from_utf8(&asked.challenge).ok()?.parse().ok()
            };
            let steps = all.windows(2).map(|pair| match pair {
                [a, b] => number(a).zip(number(b)).map(|(a, b)| b - a),
                _ => None,
            });
            let counted = steps.clone().all(|step| step.is_some_and(|s| (1..NEAR).contains(&s)));
            match all.last() {
                Some(last) if counted => {
                    let failure =
                        Failure::new("challenges that cannot be guessed", "numbers that count up");
                    Err(failure.field(&last.heard, "challenge"))
                }
                _ => Ok(()),
            }
        },
        ..MUST
    },
    Case {
        id: "dpmaster/infoResponse/right",
        title: "a server gives the challenge back that it was asked with",
        requires: "a server whose answer holds the right challenge is told to clients",
        citation: "004 3) infoResponse, 004 BEHAVIOUR",
        run: |ctx| {
            let game = ctx.game();
            let (server, client) = (Server::darkplaces(ctx, &game)?, Client::new(ctx)?);
            server.register()?;
            client.wait_listed(&server, of_game(&game)).map(drop)
        },
        ..MUST
    },
    Case {
        id: "dpmaster/infoResponse/unanswered",
        title: "a server does not answer what it is asked",
        requires: "until a server has answered, its address is told to no client",
        citation: "004 BEHAVIOUR",
        run: |ctx| {
            let game = ctx.game();
            let (server, client) = (Server::darkplaces(ctx, &game)?, Client::new(ctx)?);
            server.send_heartbeat()?;
            server.recv_challenge()?;
            client.asks(of_game(&game))?.expect_unlisted(&server)
        },
        ..MUST
    },
    Case {
        id: "dpmaster/infoResponse/wrong",
        title: "a server gives another challenge back, and one that is cut",
        requires: "an answer has to hold the challenge of the question",
        citation: "004 3) infoResponse",
        run: |ctx| {
            let game = ctx.game();
            let (server, client) = (Server::darkplaces(ctx, &game)?, Client::new(ctx)?);
            server.send_heartbeat()?;
            let asked = server.recv_challenge()?;
            server.answer_with(b"wrong")?;
            client.asks(of_game(&game))?.expect_unlisted(&server)?;
            let (_, cut) = asked.challenge.split_last().unwrap_or((&0, b""));
            server.answer_with(cut)?;
            client.asks(of_game(&game))?.expect_unlisted(&server)
        },
        ..MUST
    },
    Case {
        id: "dpmaster/infoResponse/none",
        title: "a server answers without a challenge",
        requires: "an answer has to hold the challenge of the question",
        citation: "004 3) infoResponse",
        run: |ctx| {
            let game = ctx.game();
            let (server, client) = (Server::darkplaces(ctx, &game)?, Client::new(ctx)?);
            server.send_heartbeat()?;
            server.recv_challenge()?;
            server.answer_with(b"")?;
            client.asks(of_game(&game))?.expect_unlisted(&server)
        },
        ..MUST
    },
    Case {
        id: "dpmaster/infoResponse/unasked",
        title: "a server that has sent no heartbeat tells what it is",
        requires: "an answer counts that was triggered by a getinfo",
        citation: "004 3) infoResponse",
        run: |ctx| {
            let game = ctx.game();
            let (server, client) = (Server::darkplaces(ctx, &game)?, Client::new(ctx)?);
            server.answer_with(b"A_ch4Lleng3")?;
            client.asks(of_game(&game))?.expect_unlisted(&server)
        },
        ..MUST
    },
    Case {
        id: "dpmaster/infoResponse/foreign",
        title: "a server gives the challenge back that another was asked with",
        requires: "the challenge authenticates the answer of the server that was asked",
        citation: "004 2) getinfo",
        run: |ctx| {
            let game = ctx.game();
            let client = Client::new(ctx)?;
            let one = Server::darkplaces(ctx, &game)?;
            let other = Server::darkplaces(ctx, &game)?;
            one.send_heartbeat()?;
            let asked = one.recv_challenge()?;
            other.answer_with(&asked.challenge)?;
            client.asks(of_game(&game))?.expect_unlisted(&other)?;
            other.send_heartbeat()?;
            other.recv_challenge()?;
            other.answer_with(&asked.challenge)?;
            client.asks(of_game(&game))?.expect_unlisted(&other)
        },
        ..MUST
    },
    Case {
        id: "dpmaster/infoResponse/replayed",
        title: "a listed server sends another answer with the same challenge",
        requires: "a challenge authenticates the answer to one question",
        citation: "004 2) getinfo",
        run: |ctx| {
            let game = ctx.game();
            let (server, client) = (Server::darkplaces(ctx, &game)?, Client::new(ctx)?);
            server.send_heartbeat()?;
            let asked = server.recv_challenge()?;
            server.answer(&asked)?;
            client.wait_listed(&server, of_game(&game))?;
            let server = server.with("protocol", "4");
            server.answer_with(&asked.challenge)?;
            client.asks(List { protocol: 4, ..of_game(&game) })?.expect_unlisted(&server)
        },
        ..MUST
    },
    Case {
        id: "dpmaster/infoResponse/late",
        title: "a server answers after the time in which it may",
        requires: "a server that has not answered in a couple of seconds is forgotten",
        citation: "004 BEHAVIOUR",
        slow: Some("challenge-timeout"),
        run: |ctx| {
            let game = ctx.game();
            let (server, client) = (Server::darkplaces(ctx, &game)?, Client::new(ctx)?);
            server.send_heartbeat()?;
            let asked = server.recv_challenge()?;
            ctx.wait(ctx.time("challenge-timeout")? * 5 / 4);
            server.answer(&asked)?;
            client.asks(of_game(&game))?.expect_unlisted(&server)
        },
        ..MUST
    },
    Case {
        id: "dpmaster/infoResponse/not-prolonged",
        title: "a server sends a second heartbeat before it answers the first question, too late",
        requires: "further heartbeats do not prolong the time in which a server has to answer",
        citation: "004 BEHAVIOUR",
        slow: Some("challenge-timeout"),
        run: |ctx| {
            let game = ctx.game();
            let (server, client) = (Server::darkplaces(ctx, &game)?, Client::new(ctx)?);
            let time = ctx.time("challenge-timeout")?;
            server.send_heartbeat()?;
            let asked = server.recv_challenge()?;
            ctx.wait(time * 3 / 4);
            server.send_heartbeat()?;
            ctx.wait(time / 2);
            server.answer(&asked)?;
            client.asks(of_game(&game))?.expect_unlisted(&server)
        },
        ..MUST
    },
    Case {
        id: "dpmaster/timeout/kept",
        title: "a listed server is silent for half of the time that it stays listed",
        requires: "an answer keeps a server listed for fifteen minutes",
        citation: "004 BEHAVIOUR",
        slow: Some("server-timeout"),
        run: |ctx| {
            let (game, time) = (ctx.game(), ctx.time("server-timeout")?);
            let (server, client) = (Server::darkplaces(ctx, &game)?, Client::new(ctx)?);
            server.register()?;
            client.wait_listed(&server, of_game(&game))?;
            ctx.wait(time / 2);
            client.asks(of_game(&game))?.expect_listed(&server)
        },
        ..MUST
    },
    Case {
        id: "dpmaster/timeout/forgotten",
        title: "a listed server is silent for longer than it stays listed",
        requires: "a server that sends no further answer is forgotten after fifteen minutes",
        citation: "004 BEHAVIOUR",
        slow: Some("server-timeout"),
        run: |ctx| {
            let (game, time) = (ctx.game(), ctx.time("server-timeout")?);
            let (server, client) = (Server::darkplaces(ctx, &game)?, Client::new(ctx)?);
            server.register()?;
            client.wait_listed(&server, of_game(&game))?;
            ctx.wait(time);
            client.wait_unlisted(&server, of_game(&game))
        },
        ..MUST
    },
    Case {
        id: "dpmaster/timeout/not-by-heartbeats",
        title: "a listed server sends heartbeats, and does not answer what it is asked",
        requires: "only another answer with a right challenge keeps a server listed for longer",
        citation: "004 BEHAVIOUR",
        slow: Some("server-timeout"),
        run: |ctx| {
            let (game, time) = (ctx.game(), ctx.time("server-timeout")?);
            let (server, client) = (Server::darkplaces(ctx, &game)?, Client::new(ctx)?);
            server.register()?;
            client.wait_listed(&server, of_game(&game))?;
            ctx.wait(time * 3 / 4);
            server.send_heartbeat()?;
            server.recv_challenge()?;
            ctx.wait(time / 4);
            client.wait_unlisted(&server, of_game(&game))
        },
        ..MUST
    },
    Case {
        id: "dpmaster/timeout/renewed",
        title: "a listed server answers again before its time is over",
        requires: "another answer with a right challenge keeps a server listed for longer",
        citation: "004 BEHAVIOUR",
        slow: Some("server-timeout"),
        run: |ctx| {
            let (game, time) = (ctx.game(), ctx.time("server-timeout")?);
            let (server, client) = (Server::darkplaces(ctx, &game)?, Client::new(ctx)?);
            server.register()?;
            client.wait_listed(&server, of_game(&game))?;
            ctx.wait(time * 5 / 8);
            server.register()?;
            ctx.wait(time * 5 / 8);
            client.asks(of_game(&game))?.expect_listed(&server)
        },
        ..MUST
    },
];

/// What some servers are asked, one after the other.
fn ask_many(ctx: &TestContext<'_>) -> Result<Vec<Asked>, Failure> {
    let game = ctx.game();
    let asked = |_| {
        let server = Server::darkplaces(ctx, &game)?;
        server.send_heartbeat()?;
        server.recv_challenge()
    };
    (0..MANY).map(asked).collect()
}
