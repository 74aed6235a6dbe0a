//! Masters send servers a challenge, and servers have to return it: 001 1.2.3, 000 heartbeat, 004
//! 2) getinfo, 3) infoResponse and BEHAVIOUR.

use std::time::Duration;

use super::preconditions::{GAME_CHALLENGED, GAME_LISTED_CASE};
use super::roles::{Quake3Client, Quake3Role, Quake3Server, named_game, next_protocol, of_game};
use crate::server::MasterRequest;
use crate::shared::challenge_quality::{SAMPLES, beyond, cannot_be_guessed, swapped_case};
use crate::shared::registration;
use crate::{CASE, Case, Failure, TestContext};
use simulate::families::quake3::messages::{self, Quake3ListRequest};

/// How many challenges are checked for their characters: of 94 that each may have, all come.
const MANY: usize = 64;
/// How many are checked for their length.
const SOME: usize = 16;
/// How many challenges are requested until one has a letter.
const WITH_LETTER: usize = 20;
/// How far a target whose clock counts whole seconds may exceed a timeout.
const WHOLE_SECONDS: Duration = Duration::from_millis(1300);

pub(super) static CASES: &[Case] = &[
    Case {
        id: "dpmaster/getinfo/characters",
        title: "64 servers send heartbeats, one after the other",
        needs: &[&GAME_CHALLENGED],
        exclusive: true,
        run: |ctx| {
            for request in challenges(ctx, MANY.min(ctx.most_servers(super::LISTS)?))? {
                let bad = |b: &u8| !(33..=126).contains(b) || b"\\/;\"%".contains(b);
                if let Some(bad) = request.challenge.iter().find(|b| bad(b)) {
                    let failure = Failure::new(
                        "a challenge of the characters that are allowed",
                        render::quoted(&[*bad], usize::MAX),
                    );
                    return Err(failure.field(&request.datagram, "challenge"));
                }
            }
            Ok(())
        },
        ..CASE
    },
    Case {
        id: "dpmaster/getinfo/length",
        title: "some servers send heartbeats",
        needs: &[&GAME_CHALLENGED],
        run: |ctx| {
            for request in challenges(ctx, SOME)? {
                let length = request.challenge.len();
                if !(8..=11).contains(&length) {
                    let failure = Failure::new("8 to 11 characters", format!("{length}"));
                    return Err(failure.field(&request.datagram, "challenge"));
                }
            }
            Ok(())
        },
        ..CASE
    },
    Case {
        id: "dpmaster/getinfo/fresh",
        title: "two servers send heartbeats",
        needs: &[&GAME_CHALLENGED],
        run: |ctx| {
            let two = challenges(ctx, 2)?;
            match two.as_slice() {
                [one, other] if one.challenge == other.challenge => {
                    let failure = Failure::new("another challenge", "the same for both servers");
                    Err(failure.field(&other.datagram, "challenge"))
                }
                _ => Ok(()),
            }
        },
        ..CASE
    },
    Case {
        id: "dpmaster/getinfo/unpredictable",
        title: "48 servers send heartbeats, one after the other",
        needs: &[&GAME_CHALLENGED],
        exclusive: true,
        run: |ctx| {
            let all = challenges(ctx, SAMPLES.min(ctx.most_servers(super::LISTS)?))?;
            let texts: Vec<_> = all.iter().map(|a| (a.challenge.clone(), &a.datagram)).collect();
            cannot_be_guessed(&texts)
        },
        ..CASE
    },
    Case {
        id: "dpmaster/infoResponse/right",
        decides: &["dpmaster/listed"],
        title: "a server gives back the challenge of the getinfo",
        needs: &[&GAME_CHALLENGED],
        run: |ctx| registration::registered(ctx, &Quake3Server::named(ctx)?),
        ..CASE
    },
    Case {
        id: "dpmaster/infoResponse/unanswered",
        title: "a server does not answer the getinfo",
        run: |ctx| {
            let (server, client) = (Quake3Server::named(ctx)?, Quake3Client::new(ctx)?);
            server.send_heartbeat()?;
            ctx.setup(|| server.recv_challenge())?;
            client.expect_unlisted(&server, server.list())?;
            // A server that has told nothing has no game, and no protocol.
            let nothing = Quake3ListRequest { game: "", protocol: 0, ..server.list() };
            client.request_any(&nothing.plain())?.expect_unlisted(&server)
        },
        ..GAME_LISTED_CASE
    },
    Case {
        id: "dpmaster/infoResponse/wrong",
        title: "a server gives back another challenge, and one that is cut",
        run: |ctx| {
            let (server, client) = (Quake3Server::named(ctx)?, Quake3Client::new(ctx)?);
            let request = client.setup_request(&server, &[server.list()])?;
            server.answer_with(b"wrong")?;
            client.expect_unlisted(&server, server.list())?;
            let (_, cut) = request.challenge.split_last().unwrap_or((&0, b""));
            server.answer_with(cut)?;
            client.expect_unlisted(&server, server.list())
        },
        ..GAME_LISTED_CASE
    },
    Case {
        id: "dpmaster/infoResponse/other-case",
        title: "a server gives back the challenge with its letters in the other case",
        requires: "dpmaster/infoResponse/wrong",
        run: |ctx| {
            let game = named_game(ctx);
            let client = Quake3Client::new(ctx)?;
            for _ in 0..WITH_LETTER {
                let server = Quake3Server::darkplaces(ctx, &game)?;
                let request = client.setup_request(&server, &[of_game(ctx, &game)])?;
                let other = swapped_case(&request.challenge);
                if other == request.challenge {
                    continue;
                }
                server.answer_with(&other)?;
                return client.expect_unlisted(&server, of_game(ctx, &game));
            }
            Err(Failure::skipped("the target's challenges have no letters"))
        },
        ..GAME_LISTED_CASE
    },
    Case {
        id: "dpmaster/infoResponse/none",
        title: "a server answers without a challenge",
        requires: "dpmaster/infoResponse/wrong",
        run: |ctx| {
            let (server, client) = (Quake3Server::named(ctx)?, Quake3Client::new(ctx)?);
            client.setup_request(&server, &[server.list()])?;
            server.answer_with(b"")?;
            client.expect_unlisted(&server, server.list())
        },
        ..GAME_LISTED_CASE
    },
    Case {
        id: "dpmaster/infoResponse/unasked",
        title: "a server that has sent no heartbeat sends an infoResponse",
        run: |ctx| {
            let (server, client) = (Quake3Server::named(ctx)?, Quake3Client::new(ctx)?);
            server.answer_with(b"A_ch4Lleng3")?;
            client.expect_unlisted(&server, server.list())
        },
        ..GAME_LISTED_CASE
    },
    Case {
        id: "dpmaster/infoResponse/foreign",
        title: "a server gives back the challenge that another server was sent",
        run: |ctx| {
            let game = named_game(ctx);
            let client = Quake3Client::new(ctx)?;
            let one = Quake3Server::darkplaces(ctx, &game)?;
            let other = Quake3Server::darkplaces(ctx, &game)?;
            let request = client.setup_request(&one, &[of_game(ctx, &game)])?;
            other.answer_with(&request.challenge)?;
            client.expect_unlisted(&other, of_game(ctx, &game))?;
            let own = client.setup_request(&other, &[of_game(ctx, &game)])?;
            if own.challenge == request.challenge {
                return Err(Failure::blocked("both servers were sent the same challenge"));
            }
            other.answer_with(&request.challenge)?;
            client.expect_unlisted(&other, of_game(ctx, &game))
        },
        ..GAME_LISTED_CASE
    },
    Case {
        id: "dpmaster/infoResponse/replayed",
        title: "a listed server sends a second infoResponse with the same challenge",
        run: |ctx| {
            let (server, client) = (Quake3Server::named(ctx)?, Quake3Client::new(ctx)?);
            server.send_heartbeat()?;
            let request = ctx.setup(|| server.recv_challenge())?;
            server.answer_request(&request)?;
            ctx.setup(|| client.wait_listed(&server, server.list()))?;
            let server = server.with("protocol", &next_protocol(ctx).to_string());
            server.answer_with(&request.challenge)?;
            let list = server.list();
            let is_refused = client.expect_unlisted(&server, list).is_ok();
            ctx.report(if is_refused { "it is refused" } else { "it is taken" })
        },
        ..GAME_LISTED_CASE
    },
    Case {
        id: "dpmaster/infoResponse/late",
        title: "a server answers after the time in which it may",
        slow: Some("challenge-timeout"),
        waits: 4,
        run: |ctx| {
            let (server, client) = (Quake3Server::named(ctx)?, Quake3Client::new(ctx)?);
            let request = client.setup_request(&server, &[server.list()])?;
            ctx.wait(beyond(ctx.time("challenge-timeout")?));
            server.answer_request(&request)?;
            client.expect_unlisted(&server, server.list())
        },
        ..GAME_LISTED_CASE
    },
    Case {
        id: "dpmaster/infoResponse/late-renewal",
        title: "a listed server sends a heartbeat, and answers the getinfo too late",
        slow: Some("challenge-timeout"),
        waits: 4,
        run: |ctx| {
            let (server, client) = Quake3Server::named(ctx)?.with_client(ctx)?;
            let protocol = next_protocol(ctx);
            let other = Quake3ListRequest { protocol, ..server.list() };
            let request = client.setup_request(&server, &[other])?;
            ctx.wait(beyond(ctx.time("challenge-timeout")?));
            let server = server.with("protocol", &protocol.to_string());
            server.answer_request(&request)?;
            client.expect_unlisted(&server, server.list())
        },
        ..GAME_LISTED_CASE
    },
    Case {
        id: "dpmaster/infoResponse/not-prolonged",
        title: "a server sends a second heartbeat just before its time is over, and answers after it",
        slow: Some("challenge-timeout"),
        waits: 4,
        run: |ctx| {
            let (server, client) = (Quake3Server::named(ctx)?, Quake3Client::new(ctx)?);
            let time = ctx.time("challenge-timeout")?;
            let request = client.setup_request(&server, &[server.list()])?;
            ctx.wait(time * 19 / 20);
            server.send_heartbeat()?;
            ctx.wait(time / 20 + WHOLE_SECONDS);
            server.answer_request(&request)?;
            client.expect_unlisted(&server, server.list())
        },
        ..GAME_LISTED_CASE
    },
];

/// The getinfos for several servers, which answer none of them, one after the other.
fn challenges(
    ctx: &TestContext<'_>,
    count: usize,
) -> Result<Vec<MasterRequest<Quake3Role>>, Failure> {
    let request = |_| {
        let server = Quake3Server::at(ctx.unregistered_server(super::LISTS)?);
        let server = server.tagged(messages::DARKPLACES);
        server.send_heartbeat()?;
        // The endpoint is kept open, so that the next server has another one.
        server.recv_challenge().map(|request| (server, request))
    };
    let all = ctx.setup(|| (0..count).map(request).collect::<Result<Vec<_>, _>>())?;
    Ok(all.into_iter().map(|(_, request)| request).collect())
}
