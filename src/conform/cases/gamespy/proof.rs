//! Servers prove themselves: 003 Security, 003 Appendix B, C and D.

use std::time::Duration;

use super::super::challenge_quality;
use super::ends::{GamespyServer, list};
use super::preconditions::{
    ASKED_AGAIN, CHALLENGED, LEAVES, LIST_READ, LISTED, PROOF_CHECKED, PROOF_WANTED, UNKNOWN_ASKED,
    UNKNOWN_LISTED,
};
use super::secure::secure;
use crate::conform::{Case, Done, Failure, MUST, Proven, SHOULD, Sentence, TestContext};
use crate::families::gamespy::messages as voice;
use crate::protocols::gamespy::GAMESPY;

/// A proof that no key gives.
pub const NO_PROOF: &[u8] = br"\validate\AAAAAAAA";

pub(super) static CASES: &[Case] = &[
    Case {
        id: "gamespy/secure/right-proof",
        title: "a server answers the challenge with its game's key",
        requires: "a server that answers rightly is added to the list",
        citation: "003 Heartbeat, 003 Security",
        needs: &[&CHALLENGED, &LIST_READ],
        run: |ctx| {
            let (server, query) = GamespyServer::asked(ctx, voice::UNREAL)?;
            server.answer(&query)?;
            server.wait_listed()
        },
        ..MUST
    },
    Case {
        id: "gamespy/secure/none",
        title: "a server sends a heartbeat and does not answer the query",
        requires: "a server that does not answer rightly is not added to the list",
        citation: "003 Security, 003 Appendix B",
        needs: &[&CHALLENGED, &LISTED],
        run: |ctx| GamespyServer::asked(ctx, voice::UNREAL)?.0.is_not_listed(),
        ..MUST
    },
    Case {
        id: "gamespy/secure/wrong-proof",
        title: "a server answers with a proof that is none",
        requires: "a server that does not answer rightly is not added to the list",
        citation: "003 Security, 003 Appendix B",
        needs: &[&PROOF_WANTED],
        run: |ctx| refused(ctx, |_| NO_PROOF.to_vec()),
        ..MUST
    },
    Case {
        id: "gamespy/secure/no-proof",
        title: "a server answers without validate",
        requires: "a server that does not answer rightly is not added to the list",
        citation: "003 Security, 003 Appendix B",
        needs: &[&PROOF_WANTED],
        run: |ctx| refused(ctx, |_| Vec::new()),
        ..MUST
    },
    Case {
        id: "gamespy/secure/empty-proof",
        title: "a server answers with an empty validate",
        requires: "a server that does not answer rightly is not added to the list",
        citation: "003 Security, 003 Appendix B",
        needs: &[&PROOF_CHECKED],
        run: |ctx| refused(ctx, |_| br"\validate\".to_vec()),
        ..MUST
    },
    Case {
        id: "gamespy/secure/other-key",
        title: "a server answers the challenge with another game's key",
        requires: "the proof is made with the key of the game that the heartbeat names",
        citation: "003 Security, 003 Heartbeat",
        needs: &[&PROOF_CHECKED],
        run: |ctx| {
            refused(ctx, |text| {
                format!(r"\validate\{}", voice::validation(voice::TEST, text)).into_bytes()
            })
        },
        ..MUST
    },
    Case {
        id: "gamespy/secure/case-of-proof",
        title: "a server answers with the right proof, its capitals small and its small letters capital",
        requires: "a proof is compared with case, as the text is that it is made of",
        citation: "003 Security",
        needs: &[&PROOF_CHECKED],
        run: |ctx| {
            refused(ctx, |text| {
                let proof = swapped_case(voice::validation(voice::UNREAL, text).as_bytes());
                [&br"\validate\"[..], &proof].concat()
            })
        },
        ..MUST
    },
    Case {
        id: "gamespy/secure/echoed",
        title: "a server sends the challenge back as it is",
        requires: "an echo is no proof where a game has a key",
        citation: "003 Security",
        needs: &[&PROOF_WANTED],
        run: |ctx| refused(ctx, |text| [br"\echo\", text].concat()),
        ..MUST
    },
    Case {
        id: "gamespy/secure/unasked",
        title: "a server that sent no heartbeat sends an answer",
        requires: "an answer without a query is none",
        citation: "003 Appendix B",
        needs: &[&PROOF_CHECKED],
        run: |ctx| {
            let server = unlisted(ctx, voice::UNREAL)?;
            let pairs = format!(
                r"\gamename\{}\gamever\1.00\location\0\validate\{}",
                server.game,
                voice::validation(&server.game, b"wookie")
            );
            server.end.send_bytes(&voice::reply(pairs.as_bytes()))?;
            server.is_not_listed()
        },
        ..MUST
    },
    Case {
        id: "gamespy/secure/foreign-challenge",
        title: "a server answers the challenge that another was sent",
        requires: "an answer is to the server's own challenge, so that nobody can answer who did \
                   not receive it",
        citation: "003 Appendix B",
        needs: &[&PROOF_CHECKED],
        run: |ctx| {
            let server = unlisted(ctx, voice::UNREAL)?;
            let (query, foreign) = ctx.setup(|| {
                let (_, foreign) = GamespyServer::asked(ctx, voice::UNREAL)?;
                Ok((server.is_asked()?, secure(&foreign)?))
            })?;
            let proof = format!(r"\validate\{}", voice::validation(&server.game, &foreign));
            server.answer_with(&query, proof.as_bytes())?;
            server.is_not_listed()
        },
        ..MUST
    },
    Case {
        id: "gamespy/secure/replayed",
        title: "a server that was taken off sends the answer once more by which it was listed",
        requires: "an answer is to the query that was asked, and counts once",
        citation: "003 Appendix B, 003 Heartbeat",
        needs: &[&PROOF_CHECKED, &LEAVES],
        run: |ctx| {
            let (server, query) = GamespyServer::asked(ctx, voice::UNREAL)?;
            ctx.setup(|| {
                server.answer(&query)?;
                server.wait_listed()?;
                server.leaves()
            })?;
            server.answer(&query)?;
            server.is_not_listed()
        },
        ..MUST
    },
    Case {
        id: "gamespy/secure/asked-anew",
        title: "a server that is listed says that its state has changed",
        requires: "each query has a challenge of its own, so that an answer cannot be used again",
        citation: "003 Appendix B, 003 Heartbeat",
        needs: &[&CHALLENGED, &ASKED_AGAIN],
        run: |ctx| {
            let (server, first) = GamespyServer::asked(ctx, voice::UNREAL)?;
            let second = ctx.setup(|| {
                server.answer(&first)?;
                server.wait_listed()?;
                server.has_changed()?;
                server.recv_query()
            })?;
            if ctx.setup(|| secure(&first))? != ctx.setup(|| secure(&second))? {
                return Ok(());
            }
            let failure =
                Failure::new("another challenge than the one that was answered", "it again");
            Err(failure.field(&second.heard, "secure"))
        },
        ..MUST
    },
    Case {
        id: "gamespy/secure/stale-challenge",
        title: "a server answers when the time for its challenge is over",
        requires: "an answer counts for a short while",
        citation: "003 Heartbeat, 003 Appendix B",
        slow: Some("challenge-timeout"),
        needs: &[&PROOF_CHECKED],
        run: |ctx| {
            let server = unlisted(ctx, voice::UNREAL)?;
            let query = ctx.setup(|| server.is_asked())?;
            ctx.wait(challenge_quality::beyond(ctx.time("challenge-timeout")?));
            server.answer(&query)?;
            server.is_not_listed()
        },
        ..SHOULD
    },
    Case {
        id: "gamespy/secure/late-renewal",
        title: "a server that is listed answers a query when the time for its challenge is over, and \
                is silent then",
        requires: "an answer that comes too late does not keep a server on the list (inferred: 003 \
                   tells of answers in time only)",
        citation: "003 Appendix B, 003 Appendix D",
        slow: Some("gamespy-timeout"),
        needs: &[&CHALLENGED, &LISTED],
        run: late_renewal,
        ..SHOULD
    },
    Case {
        id: "gamespy/secure/case-of-keys",
        title: "a server answers with Validate in place of validate",
        requires: "the names of reserved keys are compared with case",
        citation: "003 Appendix D",
        needs: &[&PROOF_WANTED],
        run: |ctx| {
            refused(ctx, |text| {
                format!(r"\Validate\{}", voice::validation(voice::UNREAL, text)).into_bytes()
            })
        },
        ..SHOULD
    },
    Case {
        id: "gamespy/secure/proof-last",
        title: "a server puts validate behind final and queryid",
        requires: "validate may stand at the end of the answer, as in the document's example",
        citation: "003 Appendix B",
        needs: &[&CHALLENGED, &LISTED],
        run: |ctx| {
            let (server, query) = GamespyServer::asked(ctx, voice::UNREAL)?;
            let said = voice::answer_to(&server.persona, &query.asked);
            let proof = voice::proof(&server.game, &query.asked.proof);
            server.end.send_bytes(&[&said, &br"\final\\queryid\1.1"[..], &proof].concat())?;
            server.wait_listed()
        },
        ..MUST
    },
    Case {
        id: "gamespy/secure/two-parts",
        title: "a server answers in two packets, the proof in the second",
        requires: "an answer may have as many packets as are needed",
        citation: "003 Replies (Server Info)",
        needs: &[&CHALLENGED, &LISTED],
        run: |ctx| in_parts(ctx, [1, 2]),
        ..MUST
    },
    Case {
        id: "gamespy/secure/disordered-parts",
        title: "a server answers in two packets, and the second arrives first",
        requires: "the packets of an answer may arrive in any order",
        citation: "003 Replies (Server Info)",
        needs: &[&CHALLENGED, &LISTED],
        run: |ctx| in_parts(ctx, [2, 1]),
        ..MUST
    },
    Case {
        id: "gamespy/echo/right",
        title: "a server of an unknown game sends the text back",
        requires: "where a game has no key, a server that sends the text back is validated",
        citation: "003 Security",
        needs: &[&UNKNOWN_ASKED, &LISTED],
        run: |ctx| {
            let (server, query) = GamespyServer::asked(ctx, &ctx.game())?;
            server.answer(&query)?;
            server.wait_listed()
        },
        ..SHOULD
    },
    Case {
        id: "gamespy/echo/wrong",
        title: "a server of an unknown game sends another text back",
        requires: "a server that does not answer rightly is not added to the list",
        citation: "003 Security, 003 Appendix B",
        needs: &[&PROOF_CHECKED, &UNKNOWN_LISTED],
        run: |ctx| {
            let (server, query) = GamespyServer::asked(ctx, &ctx.game())?;
            server.answer_with(&query, br"\echo\another text")?;
            server.is_not_listed()
        },
        ..MUST
    },
];

/// A server of a game that is not listed, for the setup of a case: if endpoints are reused it may
/// be.
fn unlisted<'s>(ctx: &'s TestContext<'_>, game: &str) -> Result<GamespyServer<'s>, Failure> {
    ctx.setup(|| {
        let server = GamespyServer::of(ctx, game)?;
        list(ctx, game)?.expect_unlisted(&server)?;
        Ok(server)
    })
}

/// A server of Unreal Tournament answers its challenge with these pairs, and is not listed.
pub fn refused(ctx: &TestContext<'_>, proof: impl Fn(&[u8]) -> Vec<u8>) -> Done {
    let server = unlisted(ctx, voice::UNREAL)?;
    let query = ctx.setup(|| server.is_asked())?;
    let text = ctx.setup(|| secure(&query))?;
    server.answer_with(&query, &proof(&text))?;
    server.is_not_listed()
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
    let query = ctx.setup(|| server.is_asked())?;
    ctx.wait(late);
    server.answer(&query)?;
    ctx.wait(time.saturating_sub(late / 2));
    list(ctx, &server.game)?.expect_unlisted(&server)
}

/// A server answers in two packets, which arrive in this order.
fn in_parts(ctx: &TestContext<'_>, order: [u8; 2]) -> Done {
    let (server, query) = GamespyServer::asked(ctx, voice::UNREAL)?;
    let said = voice::answer_to(&server.persona, &query.asked);
    let proof = voice::proof(&server.game, &query.asked.proof);
    for number in order {
        let pairs = if number == 1 { &said } else { &proof };
        server.end.send_bytes(&voice::part(pairs, number, number == 2))?;
    }
    server.wait_listed()
}

/// The same letters in the other case.
pub fn swapped_case(text: &[u8]) -> Vec<u8> {
    let swapped = |byte: &u8| if byte.is_ascii_alphabetic() { byte ^ 0x20 } else { *byte };
    text.iter().map(swapped).collect()
}

pub(super) static SENTENCES: &[Sentence] = &[
    Sentence {
        game: &GAMESPY,
        citation: "003 Security, 003 Appendix B",
        says: "all heartbeats are checked, and servers that do not answer rightly are not listed",
        proven: Proven::By(&["gamespy/secure/*", "gamespy/echo/wrong"]),
    },
    Sentence {
        game: &GAMESPY,
        citation: "003 Security",
        says: "a server that sends the text of an echo back is validated",
        proven: Proven::By(&["gamespy/echo/right"]),
    },
    Sentence {
        game: &GAMESPY,
        citation: "003 Appendix B, 003 Appendix C",
        says: "validate stands before final in one example, behind queryid in another",
        proven: Proven::By(&["gamespy/secure/right-proof", "gamespy/secure/proof-last"]),
    },
    Sentence {
        game: &GAMESPY,
        citation: "003 Appendix D",
        says: "the names of reserved keys are compared with case",
        proven: Proven::By(&["gamespy/secure/case-of-keys"]),
    },
];
