//! The query of a master, and its challenge: 003 Security, 003 Appendix B.

use super::super::challenge_quality;
use super::ends::{CHANGED, Question, Server};
use crate::conform::{Case, Done, Failure, MUST, Proven, SHOULD, Sentence};
use crate::peer::voice::gamespy::Proof;
use crate::proto::gamespy::GAMESPY;

/// Servers whose challenges are compared.
const MANY: usize = 8;

pub(super) static CASES: &[Case] = &[
    Case {
        id: "gamespy/secure/form",
        title: "a server of a game whose key is published sends a heartbeat",
        requires: "the query has secure and a text behind it, which the server answers with the \
                   game's key",
        citation: "003 Security",
        run: |ctx| {
            let server = Server::new(ctx)?;
            server.send_heartbeat()?;
            let question = server.recv_challenge()?;
            secure(&question).map(drop)
        },
        ..MUST
    },
    Case {
        id: "gamespy/secure/characters",
        title: "eight servers send heartbeats",
        requires: "the challenge is text that prints, and has no backslash, for that parts keys \
                   and values",
        citation: "003 Security, 003 Replies (Server Info)",
        run: |ctx| {
            for _ in 0..MANY {
                let server = Server::new(ctx)?;
                server.send_heartbeat()?;
                let question = server.recv_challenge()?;
                let text = secure(&question)?;
                if text.is_empty() || !text.iter().all(u8::is_ascii_graphic) {
                    let came = crate::dump::shown(&text);
                    let failure = Failure::new("a challenge of characters that print", came);
                    return Err(failure.field(&question.heard, "secure"));
                }
            }
            Ok(())
        },
        ..MUST
    },
    Case {
        id: "gamespy/secure/challenge-differs",
        title: "eight servers send heartbeats",
        requires: "the challenge is random, so that nobody can answer who did not hear the query",
        citation: "003 Security, 003 Appendix B",
        run: |ctx| {
            let mut seen: Vec<Vec<u8>> = Vec::new();
            for _ in 0..MANY {
                let server = Server::new(ctx)?;
                server.send_heartbeat()?;
                let question = server.recv_challenge()?;
                let text = secure(&question)?;
                if seen.contains(&text) {
                    let came = format!("{} twice", crate::dump::shown(&text));
                    let failure = Failure::new("challenges that differ", came);
                    return Err(failure.field(&question.heard, "secure"));
                }
                seen.push(text);
            }
            challenge_quality::texts_count_up(seen.iter().map(Vec::as_slice))
        },
        ..MUST
    },
    Case {
        id: "gamespy/secure/no-longer-than-heartbeat",
        title: "a server sends a heartbeat, and says that its state has changed",
        requires: "queries are no larger than the heartbeats that they answer, so that nobody can \
                   flood others with them",
        citation: "003 Appendix B",
        run: |ctx| no_longer(&Server::new(ctx)?),
        ..MUST
    },
    Case {
        id: "gamespy/echo/form",
        title: "a server of a game of which nobody has heard sends a heartbeat",
        requires: "where a game has no key, the query has echo and a text behind it",
        citation: "003 Security",
        run: |ctx| {
            let server = Server::of(ctx, &ctx.game())?;
            server.send_heartbeat()?;
            let question = server.recv_challenge()?;
            match &question.asked.proof {
                Proof::Echo(text) if !text.is_empty() => Ok(()),
                _ => {
                    let failure =
                        Failure::new("a query with echo and a text", question.heard.named());
                    Err(failure.at(&question.heard))
                }
            }
        },
        ..SHOULD
    },
    Case {
        id: "gamespy/echo/no-longer-than-heartbeat",
        title: "a server of a game of which nobody has heard sends a heartbeat, and says that its \
                state has changed",
        requires: "queries are no larger than the heartbeats that they answer, so that nobody can \
                   flood others with them",
        citation: "003 Appendix B",
        run: |ctx| no_longer(&Server::of(ctx, &ctx.game())?),
        ..MUST
    },
];

/// What a server is asked is no longer than what it said before.
fn no_longer(server: &Server<'_>) -> Done {
    for more in ["", CHANGED] {
        let beat = server.heartbeat(more);
        server.end.send_bytes(&beat)?;
        let question = server.recv_challenge()?;
        let length = question.heard.bytes.len();
        if length > beat.len() {
            let what = format!("a query of {} bytes at most", beat.len());
            let failure = Failure::new(what, question.heard.named());
            return Err(failure.within(&question.heard, beat.len()..length));
        }
        server.answer(&question)?;
    }
    Ok(())
}

/// The challenge of a query.
pub fn secure(question: &Question) -> Result<Vec<u8>, Failure> {
    if let Proof::Secure(text) = &question.asked.proof {
        return Ok(text.clone());
    }
    let failure = Failure::new("a query with secure and a challenge", question.heard.named());
    Err(failure.at(&question.heard))
}

pub(super) static SENTENCES: &[Sentence] = &[
    Sentence {
        game: &GAMESPY,
        citation: "003 Security",
        says: "with a game's key a server is asked secure and a text of random ASCII characters",
        proven: Proven::By(&[
            "gamespy/secure/form",
            "gamespy/secure/characters",
            "gamespy/secure/challenge-differs",
        ]),
    },
    Sentence {
        game: &GAMESPY,
        citation: "003 Security",
        says: "without a key a server is asked echo and a text",
        proven: Proven::By(&["gamespy/echo/form"]),
    },
    Sentence {
        game: &GAMESPY,
        citation: "003 Appendix B",
        says: "queries are no larger than the heartbeats that cause them",
        proven: Proven::By(&["gamespy/*/no-longer-than-heartbeat"]),
    },
];
