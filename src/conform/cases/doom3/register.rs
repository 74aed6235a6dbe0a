//! Servers register: 001 9.7 heartbeat, 9.4 getInfo, 9.5 infoResponse.

use std::time::Duration;

use super::super::challenge_quality;
use super::LISTS;
use super::ends::{Doom3Client, Doom3ListRequest, Doom3Server, all};
use super::preconditions::{ANSWERS, ASKED, LISTED};
use crate::conform::{Case, Failure, INFO, MUST, Proven, SHOULD, Sentence};
use crate::protocols::doom3::DOOM3;

/// Servers whose challenges are compared.
const MANY: usize = challenge_quality::SAMPLES;
/// Seconds without a message after which a server must still be listed.
const QUIET: u32 = 7;

pub(super) static CASES: &[Case] = &[
    Case {
        id: "doom3/heartbeat/asked",
        title: "a server sends a heartbeat",
        requires: "the master answers a heartbeat with a getInfo to the server that sent it",
        citation: "001 9.7",
        needs: &[&ANSWERS],
        run: |ctx| {
            let server = Doom3Server::new(ctx)?;
            server.send_heartbeat()?;
            server.recv_challenge().map(drop)
        },
        ..MUST
    },
    Case {
        id: "doom3/heartbeat/each-time",
        title: "a server registers and sends two more heartbeats",
        requires: "the master sends a getInfo each time that it receives a heartbeat",
        citation: "001 9.7",
        needs: &[&ASKED],
        run: |ctx| {
            let server = Doom3Server::new(ctx)?;
            server.register()?;
            server.register()?;
            server.register()
        },
        ..MUST
    },
    Case {
        id: "doom3/getInfo/form",
        title: "a server sends a heartbeat and receives a getInfo",
        requires: "behind getInfo and NUL stands a challenge of four bytes, and nothing else",
        citation: "001 9.4",
        needs: &[&ASKED],
        run: |ctx| {
            let server = Doom3Server::new(ctx)?;
            server.send_heartbeat()?;
            let heard = ctx.setup(|| server.recv_challenge())?.heard;
            let expected = b"\xff\xffgetInfo\0".len() + 4;
            if heard.bytes.len() == expected {
                return Ok(());
            }
            let failure = Failure::new(format!("a getInfo of {expected} bytes"), heard.named());
            Err(failure.within(&heard, expected..heard.bytes.len()))
        },
        ..MUST
    },
    Case {
        id: "doom3/getInfo/challenge-differs",
        title: "48 servers send heartbeats",
        requires: "a challenge cannot be guessed from those of other servers (no document says how \
                   it is made)",
        citation: "001 9.4",
        needs: &[&ASKED],
        run: |ctx| {
            let many = MANY.min(ctx.most_servers(LISTS)?);
            let servers =
                (0..many).map(|_| Doom3Server::new(ctx)).collect::<Result<Vec<_>, _>>()?;
            let mut challenges = Vec::new();
            for server in &servers {
                server.send_heartbeat()?;
                let asked = ctx.setup(|| server.recv_challenge())?;
                challenges.push((i64::from(asked.challenge), asked.heard));
            }
            challenge_quality::unpredictable(&challenges)
        },
        ..SHOULD
    },
    Case {
        id: "doom3/infoResponse/right-challenge",
        title: "a server with seven players answers the getInfo; a client asks for the list",
        requires: "an infoResponse has the challenge, the protocol, settings and players; the server \
                   that sends it is listed",
        citation: "001 9.5, 001 9.7",
        needs: &[&ASKED],
        run: |ctx| {
            let server = Doom3Server::new(ctx)?.played_by(7);
            server.register()?;
            Doom3Client::new(ctx)?.wait_listed(&server, all(ctx)).map(drop)
        },
        ..MUST
    },
    Case {
        id: "doom3/infoResponse/none",
        title: "a server sends a heartbeat and does not answer the getInfo; a client asks for the list",
        requires: "the infoResponse tells the server's protocol and settings; without one it stands \
                   in no list",
        citation: "001 9.7, 001 9.4",
        needs: &[&LISTED],
        run: |ctx| {
            // A master that lists it may assume any version.
            let (server, client) = (Doom3Server::new(ctx)?, Doom3Client::new(ctx)?);
            server.asked()?;
            client.list(all(ctx))?.expect_unlisted(&server)?;
            if !ctx.is_wide() {
                // Another case may have used its endpoint as a server of that version.
                return Ok(());
            }
            let newest = Doom3ListRequest { protocol: ctx.assumed().settings().newest, ..all(ctx) };
            client.list(newest)?.expect_unlisted(&server)
        },
        ..MUST
    },
    Case {
        id: "doom3/infoResponse/unasked",
        title: "a server that sent no heartbeat sends two answers; a client asks for the list",
        requires: "an infoResponse has the challenge of a getInfo; without a getInfo it lists nobody",
        citation: "001 9.5",
        needs: &[&LISTED],
        run: |ctx| {
            let (server, client) = (Doom3Server::new(ctx)?, Doom3Client::new(ctx)?);
            server.answer(0)?;
            server.answer(0x0101_0101)?;
            client.list(all(ctx))?.expect_unlisted(&server)
        },
        ..MUST
    },
    Case {
        id: "doom3/infoResponse/wrong-challenge",
        title: "a server answers with another challenge than it was sent; a client asks for the list",
        requires: "the infoResponse has the challenge of the getInfo that it answers",
        citation: "001 9.5",
        needs: &[&LISTED],
        run: |ctx| {
            let (server, client) = (Doom3Server::new(ctx)?, Doom3Client::new(ctx)?);
            let challenge = server.asked()?;
            server.answer(challenge ^ 1)?;
            client.list(all(ctx))?.expect_unlisted(&server)
        },
        ..MUST
    },
    Case {
        id: "doom3/infoResponse/foreign-challenge",
        title: "a server answers with the challenge of another server; a client asks for the list",
        requires: "the infoResponse has the challenge that this very server was sent",
        citation: "001 9.5",
        needs: &[&LISTED],
        run: |ctx| {
            let (server, client) = (Doom3Server::new(ctx)?, Doom3Client::new(ctx)?);
            let other = Doom3Server::new(ctx)?;
            let (own, foreign) = (server.asked()?, other.asked()?);
            if own == foreign {
                return Err(Failure::skipped("both servers were sent the same challenge"));
            }
            server.answer(foreign)?;
            client.list(all(ctx))?.expect_unlisted(&server)
        },
        ..MUST
    },
    Case {
        id: "doom3/infoResponse/replayed-challenge",
        title: "a listed server sends another answer with the challenge that it answered before",
        requires: "whether a challenge counts a second time stands in no document",
        citation: "001 9.5",
        needs: &[&LISTED],
        run: |ctx| {
            let (server, client) = (Doom3Server::new(ctx)?, Doom3Client::new(ctx)?);
            let challenge = server.asked()?;
            server.answer(challenge)?;
            ctx.setup(|| client.wait_listed(&server, all(ctx)))?;
            let server = server.with("si_usepass", "1");
            server.answer(challenge)?;
            let counts = client
                .list(Doom3ListRequest { filter: 1, ..all(ctx) })?
                .expect_unlisted(&server)
                .is_err();
            ctx.note(if counts { "it counts" } else { "it does not count" });
            Ok(())
        },
        ..INFO
    },
    Case {
        id: "doom3/infoResponse/stale-challenge",
        title: "a server answers after the challenge's time is over; a client asks for the list",
        requires: "a challenge is valid for a while (no document says for how long)",
        citation: "001 9.5",
        needs: &[&LISTED],
        slow: Some("challenge-timeout"),
        run: |ctx| {
            let timeout = challenge_quality::known_timeout(ctx)?;
            let (server, client) = (Doom3Server::new(ctx)?, Doom3Client::new(ctx)?);
            let challenge = server.asked()?;
            ctx.wait(challenge_quality::beyond(timeout));
            server.answer(challenge)?;
            client.list(all(ctx))?.expect_unlisted(&server)
        },
        ..SHOULD
    },
    Case {
        id: "doom3/infoResponse/late-renewal",
        title: "a listed server answers, now with a password, after the challenge's time is over",
        requires: "a challenge is valid for a while, for listed servers too (no document says for \
                   how long)",
        citation: "001 9.5",
        needs: &[&LISTED],
        slow: Some("challenge-timeout"),
        run: |ctx| {
            let timeout = challenge_quality::known_timeout(ctx)?;
            let (server, client) = Doom3Server::listed(ctx)?;
            let challenge = server.asked()?;
            ctx.wait(challenge_quality::beyond(timeout));
            let server = server.with("si_usepass", "1");
            server.answer(challenge)?;
            client.list(Doom3ListRequest { filter: 1, ..all(ctx) })?.expect_unlisted(&server)
        },
        ..SHOULD
    },
    Case {
        id: "doom3/infoResponse/kept",
        title: "a server registers and is silent for 7 seconds; a client asks for the list",
        requires: "a server that answered is listed until its next heartbeat is due (no document \
                   says when; those of other games come every 300 seconds)",
        citation: "001 9.7",
        needs: &[&LISTED],
        waits: QUIET,
        run: |ctx| {
            let quiet = Duration::from_secs(QUIET.into());
            challenge_quality::keeps_longer(ctx, quiet)?;
            let (server, client) = Doom3Server::listed(ctx)?;
            ctx.wait(quiet);
            client.list(all(ctx))?.expect_listed(&server)
        },
        ..SHOULD
    },
    Case {
        id: "doom3/infoResponse/new-state",
        title: "a listed server registers again, now with a password; clients ask for both kinds",
        requires: "the infoResponse to the last getInfo is what holds",
        citation: "001 9.5, 001 9.7",
        needs: &[&LISTED],
        run: |ctx| {
            let (server, client) = Doom3Server::listed(ctx)?;
            let server = server.with("si_usepass", "1");
            ctx.setup(|| server.register())?;
            client.wait_listed(&server, Doom3ListRequest { filter: 1, ..all(ctx) })?;
            client.list(Doom3ListRequest { filter: 2, ..all(ctx) })?.expect_unlisted(&server)
        },
        ..MUST
    },
    Case {
        id: "doom3/infoResponse/no-places",
        title: "a server registers whose si_maxPlayers is 0; a client asks for the list",
        requires: "whether a server without places is listed stands in no document",
        citation: "001 9.5",
        needs: &[&LISTED],
        run: |ctx| {
            let server = Doom3Server::new(ctx)?.played_by(0).with("si_maxPlayers", "0");
            ctx.setup(|| server.register())?;
            let listed = Doom3Client::new(ctx)?.list(all(ctx))?.expect_unlisted(&server).is_err();
            ctx.note(if listed { "it is listed" } else { "it is not listed" });
            Ok(())
        },
        ..INFO
    },
];

pub(super) static SENTENCES: &[Sentence] = &[
    Sentence {
        game: &DOOM3,
        citation: "001 9.7",
        says: "each time that the master receives a heartbeat it sends a getInfo",
        proven: Proven::By(&["doom3/heartbeat/*"]),
    },
    Sentence {
        game: &DOOM3,
        citation: "001 9.4",
        says: "a getInfo is the command, NUL and a challenge of four bytes",
        proven: Proven::By(&["doom3/getInfo/*"]),
    },
    Sentence {
        game: &DOOM3,
        citation: "001 9.5",
        says: "a reply has the challenge behind its command, and behind it the protocol, settings \
               and players",
        proven: Proven::By(&["doom3/infoResponse/*"]),
    },
];
