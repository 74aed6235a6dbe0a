//! The query of a master, and its challenge: 003 Security, 003 Appendix B.

use super::SERVERS;
use super::preconditions::{CHALLENGED, QUERIED_CASE, UNKNOWN_QUERIED};
use super::roles::{GamespyQuery, GamespyServer};
use crate::shared::challenge_quality;
use crate::{CASE, Case, Done, Failure};
use simulate::families::gamespy::messages::{self, CHANGED, ProofKind};

/// Servers whose challenges are checked.
const MANY: usize = 8;

pub(super) static CASES: &[Case] = &[
    Case {
        id: "gamespy/secure/form",
        title: "a server of a game whose key is published sends a heartbeat",
        run: |ctx| secure(&GamespyServer::with_query(ctx, messages::UNREAL)?.1).map(drop),
        ..QUERIED_CASE
    },
    Case {
        id: "gamespy/secure/characters",
        title: "eight servers send heartbeats",
        needs: &[&CHALLENGED],
        run: |ctx| {
            for _ in 0..MANY {
                let (_, query) = GamespyServer::with_query(ctx, messages::UNREAL)?;
                let text = ctx.setup(|| secure(&query))?;
                if text.is_empty() || !text.iter().all(u8::is_ascii_graphic) {
                    let came = render::quoted(&text, usize::MAX);
                    let failure = Failure::new("a challenge of characters that print", came);
                    return Err(failure.field(&query.datagram, "secure"));
                }
            }
            Ok(())
        },
        ..CASE
    },
    Case {
        id: "gamespy/secure/challenge-differs",
        title: "some dozens of servers send heartbeats",
        needs: &[&CHALLENGED],
        run: |ctx| {
            // If few servers may be registered, other cases need some too.
            let most = ctx.most_servers(SERVERS)? * 4 / 5;
            let mut servers = Vec::new();
            let mut texts = Vec::new();
            for _ in 0..challenge_quality::SAMPLES.min(most) {
                let (server, query) = GamespyServer::with_query(ctx, messages::UNREAL)?;
                texts.push(ctx.setup(|| secure(&query))?);
                // It is kept open, so that the next has another endpoint.
                servers.push(server);
            }
            challenge_quality::texts_count_up(texts.iter().map(Vec::as_slice))
        },
        ..CASE
    },
    Case {
        id: "gamespy/secure/no-longer-than-heartbeat",
        title: "a server sends a heartbeat, and says that its state has changed",
        run: |ctx| expect_no_longer_query(&GamespyServer::new(ctx)?),
        ..QUERIED_CASE
    },
    Case {
        id: "gamespy/echo/form",
        title: "a server of an unknown game sends a heartbeat",
        needs: &[&UNKNOWN_QUERIED],
        run: |ctx| {
            let (_, query) = GamespyServer::with_query(ctx, &ctx.game())?;
            match &query.request.proof {
                ProofKind::Echo(text) if !text.is_empty() => Ok(()),
                _ => {
                    let failure =
                        Failure::new("a query with echo and a text", query.datagram.named());
                    Err(failure.at(&query.datagram))
                }
            }
        },
        ..CASE
    },
    Case {
        id: "gamespy/echo/no-longer-than-heartbeat",
        title: "a server of an unknown game sends a heartbeat, and says that its state has changed",
        requires: "gamespy/secure/no-longer-than-heartbeat",
        needs: &[&UNKNOWN_QUERIED],
        run: |ctx| expect_no_longer_query(&GamespyServer::of_game(ctx, &ctx.game())?),
        ..CASE
    },
];

/// The query to a server is no longer than its heartbeat. Other cases test whether it gets one each
/// time.
fn expect_no_longer_query(server: &GamespyServer<'_>) -> Done {
    for more in ["", CHANGED] {
        let heartbeat = server.heartbeat(more);
        for datagram in server.end.request_all(&heartbeat)? {
            let Some(request) = messages::request(&datagram.bytes) else { continue };
            let length = datagram.bytes.len();
            if length > heartbeat.len() {
                let what = format!("a query of {} bytes at most", heartbeat.len());
                let failure = Failure::new(what, datagram.named());
                return Err(failure.within(&datagram, heartbeat.len()..length));
            }
            server.answer(&GamespyQuery { datagram, request })?;
        }
    }
    Ok(())
}

/// The challenge of a query.
pub fn secure(query: &GamespyQuery) -> Result<Vec<u8>, Failure> {
    if let ProofKind::Secure(text) = &query.request.proof {
        return Ok(text.clone());
    }
    let failure = Failure::new("a query with secure and a challenge", query.datagram.named());
    Err(failure.at(&query.datagram))
}
