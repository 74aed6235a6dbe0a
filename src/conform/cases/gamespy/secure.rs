//! The query of a master, and its challenge: 003 Security, 003 Appendix B.

use super::super::challenge_quality;
use super::SERVERS;
use super::ends::{CHANGED, GamespyQuestion, GamespyServer};
use super::preconditions::{ASKED, CHALLENGED, UNKNOWN_ASKED};
use crate::conform::{Case, Done, Failure, MUST, Proven, SHOULD, Sentence};
use crate::families::gamespy::messages::{self as voice, ProofKind};
use crate::protocols::gamespy::GAMESPY;

/// Servers whose challenges are checked.
const MANY: usize = 8;

pub(super) static CASES: &[Case] = &[
    Case {
        id: "gamespy/secure/form",
        title: "a server of a game whose key is published sends a heartbeat",
        requires: "the query has secure and a text behind it, which the server answers with the \
                   game's key",
        citation: "003 Security",
        needs: &[&ASKED],
        run: |ctx| secure(&GamespyServer::asked(ctx, voice::UNREAL)?.1).map(drop),
        ..MUST
    },
    Case {
        id: "gamespy/secure/characters",
        title: "eight servers send heartbeats",
        requires: "the challenge is text that prints, and has no backslash, for that parts keys \
                   and values",
        citation: "003 Security, 003 Replies (Server Info)",
        needs: &[&CHALLENGED],
        run: |ctx| {
            for _ in 0..MANY {
                let (_, query) = GamespyServer::asked(ctx, voice::UNREAL)?;
                let text = ctx.setup(|| secure(&query))?;
                if text.is_empty() || !text.iter().all(u8::is_ascii_graphic) {
                    let came = crate::render::quoted(&text, usize::MAX);
                    let failure = Failure::new("a challenge of characters that print", came);
                    return Err(failure.field(&query.heard, "secure"));
                }
            }
            Ok(())
        },
        ..MUST
    },
    Case {
        id: "gamespy/secure/challenge-differs",
        title: "some dozens of servers send heartbeats",
        requires: "the challenge is random: it neither repeats nor counts up nor comes from a \
                   small set, so that nobody can answer who did not receive the query",
        citation: "003 Security, 003 Appendix B",
        needs: &[&CHALLENGED],
        run: |ctx| {
            // If few servers may be registered, other cases need some too.
            let most = ctx.most_servers(SERVERS)? * 4 / 5;
            let mut servers = Vec::new();
            let mut texts = Vec::new();
            for _ in 0..challenge_quality::SAMPLES.min(most) {
                let (server, query) = GamespyServer::asked(ctx, voice::UNREAL)?;
                texts.push(ctx.setup(|| secure(&query))?);
                // It is kept open, so that the next has another endpoint.
                servers.push(server);
            }
            challenge_quality::texts_count_up(texts.iter().map(Vec::as_slice))
        },
        ..MUST
    },
    Case {
        id: "gamespy/secure/no-longer-than-heartbeat",
        title: "a server sends a heartbeat, and says that its state has changed",
        requires: "queries are no larger than the heartbeats that they answer, so that nobody can \
                   flood others with them",
        citation: "003 Appendix B",
        needs: &[&ASKED],
        run: |ctx| no_longer(&GamespyServer::new(ctx)?),
        ..MUST
    },
    Case {
        id: "gamespy/echo/form",
        title: "a server of an unknown game sends a heartbeat",
        requires: "where a game has no key, the query has echo and a text behind it",
        citation: "003 Security",
        needs: &[&UNKNOWN_ASKED],
        run: |ctx| {
            let (_, query) = GamespyServer::asked(ctx, &ctx.game())?;
            match &query.asked.proof {
                ProofKind::Echo(text) if !text.is_empty() => Ok(()),
                _ => {
                    let failure = Failure::new("a query with echo and a text", query.heard.named());
                    Err(failure.at(&query.heard))
                }
            }
        },
        ..SHOULD
    },
    Case {
        id: "gamespy/echo/no-longer-than-heartbeat",
        title: "a server of an unknown game sends a heartbeat, and says that its state has changed",
        requires: "queries are no larger than the heartbeats that they answer, so that nobody can \
                   flood others with them",
        citation: "003 Appendix B",
        needs: &[&UNKNOWN_ASKED],
        run: |ctx| no_longer(&GamespyServer::of(ctx, &ctx.game())?),
        ..MUST
    },
];

/// The query to a server is no longer than its heartbeat. Other cases test whether it gets one each
/// time.
fn no_longer(server: &GamespyServer<'_>) -> Done {
    for more in ["", CHANGED] {
        let heartbeat = server.heartbeat(more);
        for heard in server.end.request_all(&heartbeat)? {
            let Some(asked) = voice::asked(&heard.bytes) else { continue };
            let length = heard.bytes.len();
            if length > heartbeat.len() {
                let what = format!("a query of {} bytes at most", heartbeat.len());
                let failure = Failure::new(what, heard.named());
                return Err(failure.within(&heard, heartbeat.len()..length));
            }
            server.answer(&GamespyQuestion { heard, asked })?;
        }
    }
    Ok(())
}

/// The challenge of a query.
pub fn secure(question: &GamespyQuestion) -> Result<Vec<u8>, Failure> {
    if let ProofKind::Secure(text) = &question.asked.proof {
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
