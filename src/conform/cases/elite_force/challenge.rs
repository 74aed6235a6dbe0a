//! Challenges to servers, and their answers: 001 4.2.3 and 4.2.4.

use super::super::challenge_quality;
use super::LISTS;
use super::ends::{EliteForceClient, EliteForceServer};
use super::getservers::ALL;
use super::preconditions::{ASKED, LISTED};
use crate::conform::{Case, Failure, INFO, SHOULD};

/// Servers whose challenges are compared.
const MANY: usize = challenge_quality::SAMPLES;
/// The maximum of challenged servers until a challenge has a letter.
const TRIES: usize = 8;

pub(super) static CASES: &[Case] = &[
    Case {
        id: "elite-force/challenge/wrong",
        title: "a server answers with another challenge than it was sent",
        requires: "the challenge in an answer shows that the server was asked",
        citation: "001 4.2.3, 001 4.2.4, 004 3) infoResponse",
        needs: &[&LISTED],
        run: |ctx| {
            let (server, client) = (EliteForceServer::new(ctx)?, EliteForceClient::new(ctx)?);
            let asked = server.asked()?;
            asked.challenge()?;
            server.answer(&asked.with(b"123wrong1"))?;
            ctx.sync(LISTS)?;
            client.list(ALL)?.expect_unlisted(server.address())
        },
        ..SHOULD
    },
    Case {
        id: "elite-force/challenge/foreign",
        title: "a server answers with the challenge that another server was sent",
        requires: "the challenge in an answer shows that this very server was asked",
        citation: "001 4.2.3, 001 4.2.4, 004 3) infoResponse",
        needs: &[&LISTED],
        run: |ctx| {
            let (server, client) = (EliteForceServer::new(ctx)?, EliteForceClient::new(ctx)?);
            let other = EliteForceServer::new(ctx)?;
            let asked = server.asked()?;
            let others = other.asked()?;
            server.answer(&asked.with(others.challenge()?))?;
            ctx.sync(LISTS)?;
            client.list(ALL)?.expect_unlisted(server.address())
        },
        ..SHOULD
    },
    Case {
        id: "elite-force/challenge/replayed",
        title: "a listed server answers a challenge a second time, now full; a client asks without full",
        requires: "whether a challenge counts a second time stands in no document",
        citation: "001 4.2.3",
        needs: &[&LISTED],
        run: |ctx| {
            let (server, client) = (EliteForceServer::new(ctx)?, EliteForceClient::new(ctx)?);
            let asked = server.asked()?;
            asked.challenge()?;
            server.answer(&asked.question)?;
            ctx.setup(|| client.wait_listed(&server, ""))?;
            let server = server.with("clients", "8");
            server.answer(&asked.question)?;
            ctx.sync(LISTS)?;
            let counts = client.list("")?.expect_listed(server.address()).is_err();
            ctx.note(if counts { "it counts" } else { "it does not count" });
            Ok(())
        },
        ..INFO
    },
    Case {
        id: "elite-force/challenge/stale",
        title: "a server answers after the challenge's time is over; a client asks for the list",
        requires: "a challenge is valid for a while (001 does not say for how long, 004 for a few \
                   seconds)",
        citation: "001 4.2.3, 004 BEHAVIOUR",
        needs: &[&LISTED],
        slow: Some("challenge-timeout"),
        run: |ctx| {
            let timeout = challenge_quality::known_timeout(ctx)?;
            let (server, client) = (EliteForceServer::new(ctx)?, EliteForceClient::new(ctx)?);
            let asked = server.asked()?;
            asked.challenge()?;
            ctx.wait(challenge_quality::beyond(timeout));
            server.answer(&asked.question)?;
            ctx.sync(LISTS)?;
            client.list(ALL)?.expect_unlisted(server.address())
        },
        ..SHOULD
    },
    Case {
        id: "elite-force/challenge/late-renewal",
        title: "a listed server answers, now full, after the challenge's time is over",
        requires: "a challenge is valid for a while, for listed servers too (001 does not say for \
                   how long)",
        citation: "001 4.2.3, 004 BEHAVIOUR",
        needs: &[&LISTED],
        slow: Some("challenge-timeout"),
        run: |ctx| {
            let timeout = challenge_quality::known_timeout(ctx)?;
            let (server, client) = EliteForceServer::listed(ctx)?;
            let asked = server.asked()?;
            asked.challenge()?;
            ctx.wait(challenge_quality::beyond(timeout));
            let server = server.with("clients", "8");
            server.answer(&asked.question)?;
            ctx.sync(LISTS)?;
            client.list("")?.expect_listed(server.address())
        },
        ..SHOULD
    },
    Case {
        id: "elite-force/challenge/any-case",
        title: "a server answers with its challenge, its letters in the other case",
        requires: "the answer has the challenge of the question, byte for byte",
        citation: "001 4.2.3, 001 4.2.4",
        needs: &[&LISTED],
        run: |ctx| {
            let client = EliteForceClient::new(ctx)?;
            for _ in 0..TRIES {
                let server = EliteForceServer::new(ctx)?;
                let asked = server.asked()?;
                let flipped: Vec<u8> = asked.challenge()?.iter().copied().map(other_case).collect();
                if flipped == asked.challenge()? {
                    continue;
                }
                server.answer(&asked.with(&flipped))?;
                ctx.sync(LISTS)?;
                return client.list(ALL)?.expect_unlisted(server.address());
            }
            Err(Failure::skipped("the master's challenges have no letters"))
        },
        ..SHOULD
    },
    Case {
        id: "elite-force/challenge/changes",
        title: "48 servers send heartbeats",
        requires: "a challenge cannot be guessed from those of other servers (no document says how \
                   it is made)",
        citation: "001 4.2.3, 004 2) getinfo",
        needs: &[&ASKED],
        run: |ctx| {
            let many = MANY.min(ctx.most_servers(LISTS)?);
            let mut seen: Vec<Vec<u8>> = Vec::new();
            for _ in 0..many {
                let server = EliteForceServer::new(ctx)?;
                let asked = server.asked()?;
                let challenge = asked.challenge()?.to_vec();
                if seen.contains(&challenge) {
                    let came = "one that another server was sent";
                    let failure = Failure::new("a challenge of its own for each server", came);
                    return Err(failure.field(&asked.heard, "challenge"));
                }
                seen.push(challenge);
            }
            challenge_quality::texts_count_up(seen.iter().map(Vec::as_slice))
        },
        ..SHOULD
    },
];

/// A letter in the other case; any other byte unchanged.
fn other_case(byte: u8) -> u8 {
    if byte.is_ascii_lowercase() { byte.to_ascii_uppercase() } else { byte.to_ascii_lowercase() }
}
