//! Masters ask servers, and servers have to give the challenge back: 001 1.2.3, 000 heartbeat,
//! 004 2) getinfo, 3) infoResponse and BEHAVIOUR.

use super::ends::{Asked, Client, Server, of_game};
use crate::conform::{Case, Failure, MUST, SHOULD, Stand};
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
        run: |stand| {
            for asked in ask_many(stand)? {
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
        run: |stand| {
            for asked in ask_many(stand)? {
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
        run: |stand| {
            let server = Server::darkplaces(stand, &stand.game())?;
            server.beats()?;
            let first = server.is_asked()?;
            server.answers(&first)?;
            server.beats()?;
            let mut all = vec![first, server.is_asked()?];
            all.extend(ask_many(stand)?);
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
        run: |stand| {
            let all = ask_many(stand)?;
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
        run: |stand| {
            let game = stand.game();
            let (server, client) = (Server::darkplaces(stand, &game)?, Client::new(stand)?);
            server.registers()?;
            client.finds(&server, of_game(&game)).map(drop)
        },
        ..MUST
    },
    Case {
        id: "dpmaster/infoResponse/unanswered",
        title: "a server does not answer what it is asked",
        requires: "until a server has answered, its address is told to no client",
        citation: "004 BEHAVIOUR",
        run: |stand| {
            let game = stand.game();
            let (server, client) = (Server::darkplaces(stand, &game)?, Client::new(stand)?);
            server.beats()?;
            server.is_asked()?;
            client.asks(of_game(&game))?.lacks(&server)
        },
        ..MUST
    },
    Case {
        id: "dpmaster/infoResponse/wrong",
        title: "a server gives another challenge back, and one that is cut",
        requires: "an answer has to hold the challenge of the question",
        citation: "004 3) infoResponse",
        run: |stand| {
            let game = stand.game();
            let (server, client) = (Server::darkplaces(stand, &game)?, Client::new(stand)?);
            server.beats()?;
            let asked = server.is_asked()?;
            server.answers_with(b"wrong")?;
            client.asks(of_game(&game))?.lacks(&server)?;
            let (_, cut) = asked.challenge.split_last().unwrap_or((&0, b""));
            server.answers_with(cut)?;
            client.asks(of_game(&game))?.lacks(&server)
        },
        ..MUST
    },
    Case {
        id: "dpmaster/infoResponse/none",
        title: "a server answers without a challenge",
        requires: "an answer has to hold the challenge of the question",
        citation: "004 3) infoResponse",
        run: |stand| {
            let game = stand.game();
            let (server, client) = (Server::darkplaces(stand, &game)?, Client::new(stand)?);
            server.beats()?;
            server.is_asked()?;
            server.answers_with(b"")?;
            client.asks(of_game(&game))?.lacks(&server)
        },
        ..MUST
    },
    Case {
        id: "dpmaster/infoResponse/unasked",
        title: "a server that has sent no heartbeat tells what it is",
        requires: "an answer counts that was triggered by a getinfo",
        citation: "004 3) infoResponse",
        run: |stand| {
            let game = stand.game();
            let (server, client) = (Server::darkplaces(stand, &game)?, Client::new(stand)?);
            server.answers_with(b"A_ch4Lleng3")?;
            client.asks(of_game(&game))?.lacks(&server)
        },
        ..MUST
    },
    Case {
        id: "dpmaster/infoResponse/foreign",
        title: "a server gives the challenge back that another was asked with",
        requires: "the challenge authenticates the answer of the server that was asked",
        citation: "004 2) getinfo",
        run: |stand| {
            let game = stand.game();
            let client = Client::new(stand)?;
            let one = Server::darkplaces(stand, &game)?;
            let other = Server::darkplaces(stand, &game)?;
            one.beats()?;
            let asked = one.is_asked()?;
            other.answers_with(&asked.challenge)?;
            client.asks(of_game(&game))?.lacks(&other)?;
            other.beats()?;
            other.is_asked()?;
            other.answers_with(&asked.challenge)?;
            client.asks(of_game(&game))?.lacks(&other)
        },
        ..MUST
    },
    Case {
        id: "dpmaster/infoResponse/replayed",
        title: "a listed server sends another answer with the same challenge",
        requires: "a challenge authenticates the answer to one question",
        citation: "004 2) getinfo",
        run: |stand| {
            let game = stand.game();
            let (server, client) = (Server::darkplaces(stand, &game)?, Client::new(stand)?);
            server.beats()?;
            let asked = server.is_asked()?;
            server.answers(&asked)?;
            client.finds(&server, of_game(&game))?;
            let server = server.with("protocol", "4");
            server.answers_with(&asked.challenge)?;
            client.asks(List { protocol: 4, ..of_game(&game) })?.lacks(&server)
        },
        ..MUST
    },
    Case {
        id: "dpmaster/infoResponse/late",
        title: "a server answers after the time in which it may",
        requires: "a server that has not answered in a couple of seconds is forgotten",
        citation: "004 BEHAVIOUR",
        slow: Some("challenge-timeout"),
        run: |stand| {
            let game = stand.game();
            let (server, client) = (Server::darkplaces(stand, &game)?, Client::new(stand)?);
            server.beats()?;
            let asked = server.is_asked()?;
            stand.wait(stand.time("challenge-timeout")? * 5 / 4);
            server.answers(&asked)?;
            client.asks(of_game(&game))?.lacks(&server)
        },
        ..MUST
    },
    Case {
        id: "dpmaster/infoResponse/not-prolonged",
        title: "a server sends a second heartbeat before it answers the first question, too late",
        requires: "further heartbeats do not prolong the time in which a server has to answer",
        citation: "004 BEHAVIOUR",
        slow: Some("challenge-timeout"),
        run: |stand| {
            let game = stand.game();
            let (server, client) = (Server::darkplaces(stand, &game)?, Client::new(stand)?);
            let time = stand.time("challenge-timeout")?;
            server.beats()?;
            let asked = server.is_asked()?;
            stand.wait(time * 3 / 4);
            server.beats()?;
            stand.wait(time / 2);
            server.answers(&asked)?;
            client.asks(of_game(&game))?.lacks(&server)
        },
        ..MUST
    },
    Case {
        id: "dpmaster/timeout/kept",
        title: "a listed server is silent for half of the time that it stays listed",
        requires: "an answer keeps a server listed for fifteen minutes",
        citation: "004 BEHAVIOUR",
        slow: Some("server-timeout"),
        run: |stand| {
            let (game, time) = (stand.game(), stand.time("server-timeout")?);
            let (server, client) = (Server::darkplaces(stand, &game)?, Client::new(stand)?);
            server.registers()?;
            client.finds(&server, of_game(&game))?;
            stand.wait(time / 2);
            client.asks(of_game(&game))?.holds(&server)
        },
        ..MUST
    },
    Case {
        id: "dpmaster/timeout/forgotten",
        title: "a listed server is silent for longer than it stays listed",
        requires: "a server that sends no further answer is forgotten after fifteen minutes",
        citation: "004 BEHAVIOUR",
        slow: Some("server-timeout"),
        run: |stand| {
            let (game, time) = (stand.game(), stand.time("server-timeout")?);
            let (server, client) = (Server::darkplaces(stand, &game)?, Client::new(stand)?);
            server.registers()?;
            client.finds(&server, of_game(&game))?;
            stand.wait(time);
            client.misses(&server, of_game(&game))
        },
        ..MUST
    },
    Case {
        id: "dpmaster/timeout/not-by-heartbeats",
        title: "a listed server sends heartbeats, and does not answer what it is asked",
        requires: "only another answer with a right challenge keeps a server listed for longer",
        citation: "004 BEHAVIOUR",
        slow: Some("server-timeout"),
        run: |stand| {
            let (game, time) = (stand.game(), stand.time("server-timeout")?);
            let (server, client) = (Server::darkplaces(stand, &game)?, Client::new(stand)?);
            server.registers()?;
            client.finds(&server, of_game(&game))?;
            stand.wait(time * 3 / 4);
            server.beats()?;
            server.is_asked()?;
            stand.wait(time / 4);
            client.misses(&server, of_game(&game))
        },
        ..MUST
    },
    Case {
        id: "dpmaster/timeout/renewed",
        title: "a listed server answers again before its time is over",
        requires: "another answer with a right challenge keeps a server listed for longer",
        citation: "004 BEHAVIOUR",
        slow: Some("server-timeout"),
        run: |stand| {
            let (game, time) = (stand.game(), stand.time("server-timeout")?);
            let (server, client) = (Server::darkplaces(stand, &game)?, Client::new(stand)?);
            server.registers()?;
            client.finds(&server, of_game(&game))?;
            stand.wait(time * 5 / 8);
            server.registers()?;
            stand.wait(time * 5 / 8);
            client.asks(of_game(&game))?.holds(&server)
        },
        ..MUST
    },
];

/// What some servers are asked, one after the other.
fn ask_many(stand: &Stand<'_>) -> Result<Vec<Asked>, Failure> {
    let game = stand.game();
    let asked = |_| {
        let server = Server::darkplaces(stand, &game)?;
        server.beats()?;
        server.is_asked()
    };
    (0..MANY).map(asked).collect()
}
