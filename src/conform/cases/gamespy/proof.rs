//! Servers prove themselves: 003 Security, 003 Appendix B, C and D.

use super::super::challenge_quality;
use super::ends::Server;
use super::secure::secure;
use crate::conform::{Case, Done, Failure, MUST, Proven, SHOULD, Sentence, TestContext};
use crate::peer::voice::gamespy as voice;
use crate::proto::gamespy::GAMESPY;

pub(super) static CASES: &[Case] = &[
    Case {
        id: "gamespy/secure/right-proof",
        title: "a server answers the challenge with its game's key",
        requires: "a server that answers rightly is added to the list",
        citation: "003 Heartbeat, 003 Security",
        run: |ctx| Server::new(ctx)?.is_listed(),
        ..MUST
    },
    Case {
        id: "gamespy/secure/none",
        title: "a server sends a heartbeat and does not answer",
        requires: "a server that does not answer rightly is not added to the list",
        citation: "003 Security, 003 Appendix B",
        run: |ctx| {
            let server = Server::new(ctx)?;
            server.send_heartbeat()?;
            server.recv_challenge()?;
            server.is_not_listed()
        },
        ..MUST
    },
    Case {
        id: "gamespy/secure/wrong-proof",
        title: "a server answers with a proof that is none",
        requires: "a server that does not answer rightly is not added to the list",
        citation: "003 Security, 003 Appendix B",
        run: |ctx| refused(ctx, |_| br"\validate\AAAAAAAA".to_vec()),
        ..MUST
    },
    Case {
        id: "gamespy/secure/no-proof",
        title: "a server answers without validate",
        requires: "a server that does not answer rightly is not added to the list",
        citation: "003 Security, 003 Appendix B",
        run: |ctx| refused(ctx, |_| Vec::new()),
        ..MUST
    },
    Case {
        id: "gamespy/secure/empty-proof",
        title: "a server answers with an empty validate",
        requires: "a server that does not answer rightly is not added to the list",
        citation: "003 Security, 003 Appendix B",
        run: |ctx| refused(ctx, |_| br"\validate\".to_vec()),
        ..MUST
    },
    Case {
        id: "gamespy/secure/other-key",
        title: "a server answers the challenge with another game's key",
        requires: "the proof is made with the key of the game that the heartbeat names",
        citation: "003 Security, 003 Heartbeat",
        run: |ctx| {
            refused(ctx, |text| {
                format!(r"\validate\{}", voice::validation(voice::TEST, text)).into_bytes()
            })
        },
        ..MUST
    },
    Case {
        id: "gamespy/secure/echoed",
        title: "a server sends the challenge back as it is",
        requires: "an echo is no proof where a game has a key",
        citation: "003 Security",
        run: |ctx| refused(ctx, |text| [br"\echo\", text].concat()),
        ..MUST
    },
    Case {
        id: "gamespy/secure/unasked",
        title: "a server that sent no heartbeat sends an answer",
        requires: "an answer without a query is none",
        citation: "003 Appendix B",
        run: |ctx| {
            let server = Server::new(ctx)?;
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
                   not hear it",
        citation: "003 Appendix B",
        run: |ctx| {
            let (server, other) = (Server::new(ctx)?, Server::new(ctx)?);
            server.send_heartbeat()?;
            other.send_heartbeat()?;
            let question = server.recv_challenge()?;
            let foreign = secure(&other.recv_challenge()?)?;
            let proof = format!(r"\validate\{}", voice::validation(&server.game, &foreign));
            server.answer_with(&question, proof.as_bytes())?;
            server.is_not_listed()
        },
        ..MUST
    },
    Case {
        id: "gamespy/secure/replayed",
        title: "a server that was taken off sends the answer once more by which it was listed",
        requires: "an answer is to the query that was asked, and counts once",
        citation: "003 Appendix B, 003 Heartbeat",
        run: |ctx| {
            let server = Server::new(ctx)?;
            server.send_heartbeat()?;
            let question = server.recv_challenge()?;
            server.answer(&question)?;
            server.is_found()?;
            let server = server.with("gamemode", "exiting");
            server.has_changed()?;
            server.answer(&server.recv_challenge()?)?;
            server.is_missed()?;
            let server = server.with("gamemode", "openplaying");
            server.answer(&question)?;
            server.is_not_listed()
        },
        ..MUST
    },
    Case {
        id: "gamespy/secure/asked-anew",
        title: "a server that is listed says that its state has changed",
        requires: "each query has a challenge of its own, so that an answer cannot be used again",
        citation: "003 Appendix B, 003 Heartbeat",
        run: |ctx| {
            let server = Server::new(ctx)?;
            server.send_heartbeat()?;
            let first = server.recv_challenge()?;
            server.answer(&first)?;
            server.is_found()?;
            server.has_changed()?;
            let second = server.recv_challenge()?;
            if secure(&first)? != secure(&second)? {
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
        run: |ctx| {
            let server = Server::new(ctx)?;
            server.send_heartbeat()?;
            let question = server.recv_challenge()?;
            ctx.wait(challenge_quality::beyond(ctx.time("challenge-timeout")?));
            server.answer(&question)?;
            server.is_not_listed()
        },
        ..SHOULD
    },
    Case {
        id: "gamespy/secure/case-of-keys",
        title: "a server answers with Validate in place of validate",
        requires: "the names of reserved keys are compared with case",
        citation: "003 Appendix D",
        run: |ctx| {
            refused(ctx, |text| {
                format!(r"\Validate\{}", voice::validation(voice::UNREAL, text)).into_bytes()
            })
        },
        ..MUST
    },
    Case {
        id: "gamespy/secure/proof-last",
        title: "a server puts validate behind final and queryid",
        requires: "validate may stand at the end of the answer, as in the document's example",
        citation: "003 Appendix B",
        run: |ctx| {
            let server = Server::new(ctx)?;
            server.send_heartbeat()?;
            let question = server.recv_challenge()?;
            let said = voice::said(&server.persona, &question.asked);
            let proof = voice::proof(&server.game, &question.asked.proof);
            server.end.send_bytes(&[&said, &br"\final\\queryid\1.1"[..], &proof].concat())?;
            server.is_found()
        },
        ..MUST
    },
    Case {
        id: "gamespy/secure/two-parts",
        title: "a server answers in two packets, the proof in the second",
        requires: "an answer may have as many packets as are needed",
        citation: "003 Replies (Server Info)",
        run: |ctx| in_parts(ctx, [1, 2]),
        ..MUST
    },
    Case {
        id: "gamespy/secure/disordered-parts",
        title: "a server answers in two packets, and the second arrives first",
        requires: "the packets of an answer may arrive in any order",
        citation: "003 Replies (Server Info)",
        run: |ctx| in_parts(ctx, [2, 1]),
        ..MUST
    },
    Case {
        id: "gamespy/echo/right",
        title: "a server of a game of which nobody has heard sends the text back",
        requires: "where a game has no key, a server that sends the text back is validated",
        citation: "003 Security",
        run: |ctx| Server::of(ctx, &ctx.game())?.is_listed(),
        ..SHOULD
    },
    Case {
        id: "gamespy/echo/wrong",
        title: "a server of a game of which nobody has heard sends another text back",
        requires: "a server that does not answer rightly is not added to the list",
        citation: "003 Security, 003 Appendix B",
        run: |ctx| {
            let server = Server::of(ctx, &ctx.game())?;
            server.send_heartbeat()?;
            server.answer_with(&server.recv_challenge()?, br"\echo\another text")?;
            server.is_not_listed()
        },
        ..MUST
    },
];

/// A server of Unreal Tournament answers its challenge with these pairs, and is not listed.
fn refused(ctx: &TestContext<'_>, proof: impl Fn(&[u8]) -> Vec<u8>) -> Done {
    let server = Server::new(ctx)?;
    server.send_heartbeat()?;
    let question = server.recv_challenge()?;
    let text = secure(&question)?;
    server.answer_with(&question, &proof(&text))?;
    server.is_not_listed()
}

/// A server answers in two packets, which arrive in this order.
fn in_parts(ctx: &TestContext<'_>, order: [u8; 2]) -> Done {
    let server = Server::new(ctx)?;
    server.send_heartbeat()?;
    let question = server.recv_challenge()?;
    let said = voice::said(&server.persona, &question.asked);
    let proof = voice::proof(&server.game, &question.asked.proof);
    for number in order {
        let pairs = if number == 1 { &said } else { &proof };
        server.end.send_bytes(&voice::part(pairs, number, number == 2))?;
    }
    server.is_found()
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
