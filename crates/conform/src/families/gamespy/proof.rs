//! Servers prove themselves: 003 Security, 003 Appendix B, C and D.

use std::time::Duration;

use super::preconditions::{
    CHALLENGED, LEAVES, LIST_READ, LISTED, PROOF_CHECKED, PROOF_REQUIRED, QUERIED_AGAIN,
    UNKNOWN_LISTED, UNKNOWN_QUERIED,
};
use super::roles::{GamespyServer, list};
use super::secure::secure;
use crate::shared::challenge_quality::{self, swapped_case};
use crate::{CASE, Case, Done, Failure, TestContext};
use simulate::families::gamespy::messages;

/// A proof that no key gives.
pub const NO_PROOF: &[u8] = br"\validate\AAAAAAAA";

pub(super) static CASES: &[Case] = &[
    Case {
        id: "gamespy/secure/right-proof",
        decides: &["gamespy/listed"],
        title: "a server answers the challenge with its game's key",
        needs: &[&CHALLENGED, &LIST_READ],
        run: |ctx| {
            let (server, query) = GamespyServer::with_query(ctx, messages::UNREAL)?;
            server.answer(&query)?;
            server.wait_listed()
        },
        ..CASE
    },
    Case {
        id: "gamespy/secure/none",
        title: "a server sends a heartbeat and does not answer the query",
        needs: &[&CHALLENGED, &LISTED],
        run: |ctx| GamespyServer::with_query(ctx, messages::UNREAL)?.0.expect_unlisted_server(),
        ..CASE
    },
    Case {
        id: "gamespy/secure/wrong-proof",
        title: "a server answers with a proof that is none",
        requires: "gamespy/secure/none",
        needs: &[&PROOF_REQUIRED],
        run: |ctx| refused(ctx, |_| NO_PROOF.to_vec()),
        ..CASE
    },
    Case {
        id: "gamespy/secure/no-proof",
        title: "a server answers without validate",
        requires: "gamespy/secure/none",
        needs: &[&PROOF_REQUIRED],
        run: |ctx| refused(ctx, |_| Vec::new()),
        ..CASE
    },
    Case {
        id: "gamespy/secure/empty-proof",
        title: "a server answers with an empty validate",
        requires: "gamespy/secure/none",
        needs: &[&PROOF_CHECKED],
        run: |ctx| refused(ctx, |_| br"\validate\".to_vec()),
        ..CASE
    },
    Case {
        id: "gamespy/secure/other-key",
        title: "a server answers the challenge with another game's key",
        needs: &[&PROOF_CHECKED],
        run: |ctx| {
            refused(ctx, |text| {
                format!(r"\validate\{}", messages::validation(messages::TEST, text)).into_bytes()
            })
        },
        ..CASE
    },
    Case {
        id: "gamespy/secure/case-of-proof",
        title: "a server answers with the right proof, its capitals small and its small letters capital",
        needs: &[&PROOF_CHECKED],
        run: |ctx| {
            refused(ctx, |text| {
                let proof = swapped_case(messages::validation(messages::UNREAL, text).as_bytes());
                [&br"\validate\"[..], &proof].concat()
            })
        },
        ..CASE
    },
    Case {
        id: "gamespy/secure/echoed",
        title: "a server sends the challenge back as it is",
        needs: &[&PROOF_REQUIRED],
        run: |ctx| refused(ctx, |text| [br"\echo\", text].concat()),
        ..CASE
    },
    Case {
        id: "gamespy/secure/unasked",
        title: "a server that sent no heartbeat sends an answer",
        needs: &[&PROOF_CHECKED],
        run: |ctx| {
            let server = unlisted(ctx, messages::UNREAL)?;
            let pairs = format!(
                r"\gamename\{}\gamever\1.00\location\0\validate\{}",
                server.game,
                messages::validation(&server.game, b"wookie")
            );
            server.end.send_bytes(&messages::reply(pairs.as_bytes()))?;
            server.expect_unlisted_server()
        },
        ..CASE
    },
    Case {
        id: "gamespy/secure/foreign-challenge",
        title: "a server answers the challenge that another was sent",
        needs: &[&PROOF_CHECKED],
        run: |ctx| {
            let server = unlisted(ctx, messages::UNREAL)?;
            let (query, foreign) = ctx.setup(|| {
                let (_, foreign) = GamespyServer::with_query(ctx, messages::UNREAL)?;
                Ok((server.queried()?, secure(&foreign)?))
            })?;
            let proof = format!(r"\validate\{}", messages::validation(&server.game, &foreign));
            server.answer_with(&query, proof.as_bytes())?;
            server.expect_unlisted_server()
        },
        ..CASE
    },
    Case {
        id: "gamespy/secure/replayed",
        title: "a server that was taken off sends the answer once more by which it was listed",
        needs: &[&PROOF_CHECKED, &LEAVES],
        run: |ctx| {
            let (server, query) = GamespyServer::with_query(ctx, messages::UNREAL)?;
            ctx.setup(|| {
                server.answer(&query)?;
                server.wait_listed()?;
                server.shut_down()
            })?;
            server.answer(&query)?;
            server.expect_unlisted_server()
        },
        ..CASE
    },
    Case {
        id: "gamespy/secure/asked-anew",
        title: "a server that is listed says that its state has changed",
        needs: &[&CHALLENGED, &QUERIED_AGAIN],
        run: |ctx| {
            let (server, first) = GamespyServer::with_query(ctx, messages::UNREAL)?;
            let second = ctx.setup(|| {
                server.answer(&first)?;
                server.wait_listed()?;
                server.send_state_changed()?;
                server.recv_query()
            })?;
            if ctx.setup(|| secure(&first))? != ctx.setup(|| secure(&second))? {
                return Ok(());
            }
            let failure =
                Failure::new("another challenge than the one that was answered", "it again");
            Err(failure.field(&second.datagram, "secure"))
        },
        ..CASE
    },
    Case {
        id: "gamespy/secure/stale-challenge",
        title: "a server answers when the time for its challenge is over",
        slow: Some("challenge-timeout"),
        needs: &[&PROOF_CHECKED],
        run: |ctx| {
            let server = unlisted(ctx, messages::UNREAL)?;
            let query = ctx.setup(|| server.queried())?;
            ctx.wait(challenge_quality::beyond(ctx.time("challenge-timeout")?));
            server.answer(&query)?;
            server.expect_unlisted_server()
        },
        ..CASE
    },
    Case {
        id: "gamespy/secure/late-renewal",
        title: "a server that is listed answers a query when the time for its challenge is over, and \
                is silent then",
        slow: Some("gamespy-timeout"),
        needs: &[&CHALLENGED, &LISTED],
        run: late_renewal,
        ..CASE
    },
    Case {
        id: "gamespy/secure/case-of-keys",
        title: "a server answers with Validate in place of validate",
        needs: &[&PROOF_REQUIRED],
        run: |ctx| {
            refused(ctx, |text| {
                format!(r"\Validate\{}", messages::validation(messages::UNREAL, text)).into_bytes()
            })
        },
        ..CASE
    },
    Case {
        id: "gamespy/secure/proof-last",
        title: "a server puts validate behind final and queryid",
        needs: &[&CHALLENGED, &LISTED],
        run: |ctx| {
            let (server, query) = GamespyServer::with_query(ctx, messages::UNREAL)?;
            let reply = messages::answer_to(&server.server_info, &query.request);
            let proof = messages::proof(&server.game, &query.request.proof);
            server.end.send_bytes(&[&reply, &br"\final\\queryid\1.1"[..], &proof].concat())?;
            server.wait_listed()
        },
        ..CASE
    },
    Case {
        id: "gamespy/secure/two-parts",
        title: "a server answers in two packets, the proof in the second",
        needs: &[&CHALLENGED, &LISTED],
        run: |ctx| in_parts(ctx, [1, 2]),
        ..CASE
    },
    Case {
        id: "gamespy/secure/disordered-parts",
        title: "a server answers in two packets, and the second arrives first",
        needs: &[&CHALLENGED, &LISTED],
        run: |ctx| in_parts(ctx, [2, 1]),
        ..CASE
    },
    Case {
        id: "gamespy/echo/right",
        title: "a server of an unknown game sends the text back",
        needs: &[&UNKNOWN_QUERIED, &LISTED],
        run: |ctx| {
            let (server, query) = GamespyServer::with_query(ctx, &ctx.game())?;
            server.answer(&query)?;
            server.wait_listed()
        },
        ..CASE
    },
    Case {
        id: "gamespy/echo/wrong",
        title: "a server of an unknown game sends another text back",
        requires: "gamespy/secure/none",
        needs: &[&PROOF_CHECKED, &UNKNOWN_LISTED],
        run: |ctx| {
            let (server, query) = GamespyServer::with_query(ctx, &ctx.game())?;
            server.answer_with(&query, br"\echo\another text")?;
            server.expect_unlisted_server()
        },
        ..CASE
    },
];

/// A server of a game that is not listed, for the setup of a case: if endpoints are reused it may
/// be.
fn unlisted<'s>(ctx: &'s TestContext<'_>, game: &str) -> Result<GamespyServer<'s>, Failure> {
    ctx.setup(|| {
        let server = GamespyServer::of_game(ctx, game)?;
        list(ctx, game)?.expect_unlisted(&server)?;
        Ok(server)
    })
}

/// A server of Unreal Tournament answers its challenge with these pairs, and is not listed.
pub fn refused(ctx: &TestContext<'_>, proof: impl Fn(&[u8]) -> Vec<u8>) -> Done {
    let server = unlisted(ctx, messages::UNREAL)?;
    let query = ctx.setup(|| server.queried())?;
    let text = ctx.setup(|| secure(&query))?;
    server.answer_with(&query, &proof(&text))?;
    server.expect_unlisted_server()
}

/// A listed server gets one more query and answers too late; then the time since its heartbeat is
/// over, but not the time since its answer.
fn late_renewal(ctx: &TestContext<'_>) -> Done {
    let late = challenge_quality::beyond(ctx.time("challenge-timeout")?);
    let time = ctx.time("gamespy-timeout")?;
    if late >= time || late < Duration::from_secs(1) {
        let why = "challenge-timeout has to be shorter than gamespy-timeout, by some seconds";
        return Err(Failure::skipped(why));
    }
    let server = GamespyServer::listed(ctx)?;
    let query = ctx.setup(|| server.queried())?;
    ctx.wait(late);
    server.answer(&query)?;
    ctx.wait(time.saturating_sub(late / 2));
    list(ctx, &server.game)?.expect_unlisted(&server)
}

/// A server answers in two packets, which arrive in this order.
fn in_parts(ctx: &TestContext<'_>, order: [u8; 2]) -> Done {
    let (server, query) = GamespyServer::with_query(ctx, messages::UNREAL)?;
    let reply = messages::answer_to(&server.server_info, &query.request);
    let proof = messages::proof(&server.game, &query.request.proof);
    for number in order {
        let pairs = if number == 1 { &reply } else { &proof };
        server.end.send_bytes(&messages::part(pairs, number, number == 2))?;
    }
    server.wait_listed()
}
