//! Challenges to servers, and their answers: 001 4.2.3 and 4.2.4.

use super::LISTS;
use super::getservers::ALL;
use super::preconditions::{CHALLENGED_CASE, LISTED_CASE};
use super::roles::{EliteForceClient, EliteForceServer, of_words};
use crate::shared::challenge_quality;
use crate::{Case, Failure};

/// Servers whose challenges are compared.
const MANY: usize = challenge_quality::SAMPLES;
/// The maximum of challenged servers until a challenge has a letter.
const TRIES: usize = 8;

pub(super) static CASES: &[Case] = &[
    Case {
        id: "elite-force/challenge/wrong",
        title: "a server answers with another challenge than it was sent",
        run: |ctx| {
            let (server, client) = (EliteForceServer::new(ctx)?, EliteForceClient::new(ctx)?);
            let request = server.challenged()?;
            request.text()?;
            server.answer(&request.with(b"123wrong1"))?;
            ctx.sync(LISTS)?;
            client.list(of_words(ctx, ALL))?.expect_unlisted(&server)
        },
        ..LISTED_CASE
    },
    Case {
        id: "elite-force/challenge/foreign",
        title: "a server answers with the challenge that another server was sent",
        run: |ctx| {
            let (server, client) = (EliteForceServer::new(ctx)?, EliteForceClient::new(ctx)?);
            let other = EliteForceServer::new(ctx)?;
            let request = server.challenged()?;
            let others = other.challenged()?;
            server.answer(&request.with(others.text()?))?;
            ctx.sync(LISTS)?;
            client.list(of_words(ctx, ALL))?.expect_unlisted(&server)
        },
        ..LISTED_CASE
    },
    Case {
        id: "elite-force/challenge/replayed",
        title: "a listed server answers a challenge a second time, now full; a client asks without full",
        run: |ctx| {
            let (server, client) = (EliteForceServer::new(ctx)?, EliteForceClient::new(ctx)?);
            let request = server.challenged()?;
            request.text()?;
            server.answer(&request.challenge)?;
            ctx.setup(|| client.wait_listed(&server, of_words(ctx, "")))?;
            let server = server.with("clients", "8");
            server.answer(&request.challenge)?;
            ctx.sync(LISTS)?;
            let counts = client.list(of_words(ctx, ""))?.expect_listed(&server).is_err();
            ctx.report(if counts { "it counts" } else { "it does not count" })
        },
        ..LISTED_CASE
    },
    Case {
        id: "elite-force/challenge/stale",
        title: "a server answers after the challenge's time is over; a client asks for the list",
        slow: Some("challenge-timeout"),
        run: |ctx| {
            let timeout = challenge_quality::known_timeout(ctx)?;
            let (server, client) = (EliteForceServer::new(ctx)?, EliteForceClient::new(ctx)?);
            let request = server.challenged()?;
            request.text()?;
            ctx.wait(challenge_quality::beyond(timeout));
            server.answer(&request.challenge)?;
            ctx.sync(LISTS)?;
            client.list(of_words(ctx, ALL))?.expect_unlisted(&server)
        },
        ..LISTED_CASE
    },
    Case {
        id: "elite-force/challenge/late-renewal",
        title: "a listed server answers, now full, after the challenge's time is over",
        slow: Some("challenge-timeout"),
        run: |ctx| {
            let timeout = challenge_quality::known_timeout(ctx)?;
            let (server, client) = EliteForceServer::listed(ctx)?;
            let request = server.challenged()?;
            request.text()?;
            ctx.wait(challenge_quality::beyond(timeout));
            let server = server.with("clients", "8");
            server.answer(&request.challenge)?;
            ctx.sync(LISTS)?;
            client.list(of_words(ctx, ""))?.expect_listed(&server)
        },
        ..LISTED_CASE
    },
    Case {
        id: "elite-force/challenge/any-case",
        title: "a server answers with its challenge, its letters in the other case",
        run: |ctx| {
            let client = EliteForceClient::new(ctx)?;
            for _ in 0..TRIES {
                let server = EliteForceServer::new(ctx)?;
                let request = server.challenged()?;
                let flipped = challenge_quality::swapped_case(request.text()?);
                if flipped == request.text()? {
                    continue;
                }
                server.answer(&request.with(&flipped))?;
                ctx.sync(LISTS)?;
                return client.list(of_words(ctx, ALL))?.expect_unlisted(&server);
            }
            Err(Failure::skipped("the master's challenges have no letters"))
        },
        ..LISTED_CASE
    },
    Case {
        id: "elite-force/challenge/changes",
        title: "48 servers send heartbeats",
        run: |ctx| {
            let many = MANY.min(ctx.most_servers(LISTS)?);
            let mut seen: Vec<Vec<u8>> = Vec::new();
            for _ in 0..many {
                let server = EliteForceServer::new(ctx)?;
                let request = server.challenged()?;
                let challenge = request.text()?.to_vec();
                if seen.contains(&challenge) {
                    let came = "one that another server was sent";
                    let failure = Failure::new("a challenge of its own for each server", came);
                    return Err(failure.field(&request.datagram, "challenge"));
                }
                seen.push(challenge);
            }
            challenge_quality::texts_count_up(seen.iter().map(Vec::as_slice))
        },
        ..CHALLENGED_CASE
    },
];
