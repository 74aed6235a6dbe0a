//! Servers register: 001 10.2 q, 10.1 s, 10.3 0. The result is visible in lists, which are
//! observed.

use std::time::Duration;

use super::super::challenge_quality;
use super::LISTS;
use super::ends::{By, HalfLifeClient, HalfLifeServer};
use super::preconditions::{ANSWERS, ASKED, LISTED};
use crate::conform::{Case, Failure, INFO, MUST, Proven, SHOULD, Sentence};
use crate::families::half_life::messages as voice;
use crate::protocols::half_life::HALF_LIFE;

/// Servers whose challenges are compared.
const MANY: usize = challenge_quality::SAMPLES;
/// Seconds without a message after which a server must still be listed.
const QUIET: u32 = 7;

pub(super) static CASES: &[Case] = &[
    Case {
        id: "half-life/q/asked",
        title: "a server sends q",
        requires: "the master answers a q with an s",
        citation: "001 10.1, 001 10.2",
        needs: &[&ANSWERS],
        run: |ctx| {
            let server = HalfLifeServer::new(ctx)?;
            server.send_heartbeat()?;
            server.recv_challenge().map(drop)
        },
        ..MUST
    },
    Case {
        id: "half-life/q/each-time",
        title: "a server registers and sends two more q",
        requires: "the master sends an s on every q that it receives",
        citation: "001 10.1",
        needs: &[&ASKED],
        run: |ctx| {
            let server = HalfLifeServer::new(ctx)?;
            server.register()?;
            server.register()?;
            server.register()
        },
        ..MUST
    },
    Case {
        id: "half-life/s/form",
        title: "a server sends q and receives an s",
        requires: "an s is FF FF FF FF, the letter, a line feed and a number of 32 bits, 10 bytes",
        citation: "001 10.1",
        needs: &[&ASKED],
        run: |ctx| {
            let server = HalfLifeServer::new(ctx)?;
            server.send_heartbeat()?;
            let heard = ctx.setup(|| server.recv_challenge())?.heard;
            let expected = b"\xff\xff\xff\xffs\n".len() + 4;
            if heard.bytes.len() == expected {
                return Ok(());
            }
            let failure = Failure::new(format!("an s of {expected} bytes"), heard.named());
            Err(failure.within(&heard, expected..heard.bytes.len()))
        },
        ..MUST
    },
    Case {
        id: "half-life/s/challenge-differs",
        title: "48 servers send q",
        requires: "a challenge cannot be guessed from those of other servers (no document says how \
                   it is made)",
        citation: "001 10.1",
        needs: &[&ASKED],
        run: |ctx| {
            let many = MANY.min(ctx.most_servers(LISTS)?);
            let servers =
                (0..many).map(|_| HalfLifeServer::new(ctx)).collect::<Result<Vec<_>, _>>()?;
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
        id: "half-life/0/right-challenge",
        title: "a server answers the s with a 0 and its challenge; a client asks for the list",
        requires: "a 0 with the challenge in decimal is the reply to an s, and its server is listed",
        citation: "001 10.3, 001 10.1",
        needs: &[&ASKED],
        run: |ctx| {
            let server = HalfLifeServer::new(ctx)?;
            server.register()?;
            HalfLifeClient::new(ctx)?.wait_listed(&server, server.by()).map(drop)
        },
        ..MUST
    },
    Case {
        id: "half-life/0/document",
        title: "a server of protocol 46, as the document's, registers; a client asks for the list",
        requires: "the document's server has protocol 46; anzz1/hlmaster lists 47 and 48 only",
        citation: "001 10.3",
        needs: &[&LISTED],
        run: |ctx| {
            let server = HalfLifeServer::new(ctx)?.with("protocol", "46");
            ctx.setup(|| server.register())?;
            HalfLifeClient::new(ctx)?.wait_listed(&server, server.by()).map(drop)
        },
        ..SHOULD
    },
    Case {
        id: "half-life/0/unsigned",
        title: "servers are sent challenges from 2147483648 on and answer in decimal without a sign",
        requires: "the challenge is a number of 32 bits; Xash3D's servers write it without a sign",
        citation: "001 10.1, 001 10.3",
        needs: &[&LISTED],
        run: |ctx| {
            let client = HalfLifeClient::new(ctx)?;
            for _ in 0..MANY {
                let server = HalfLifeServer::new(ctx)?;
                let challenge = server.asked()?;
                if challenge > i32::MAX.cast_unsigned() {
                    server.answer(challenge)?;
                    return client.wait_listed(&server, server.by()).map(drop);
                }
            }
            Err(Failure::skipped(format!("{MANY} challenges are all below 2147483648")))
        },
        ..SHOULD
    },
    Case {
        id: "half-life/0/none",
        title: "a server sends q and does not answer the s; a client asks for the list",
        requires: "the 0 tells what the server is; without one the master lists nobody",
        citation: "001 10.1, 001 10.3",
        needs: &[&LISTED],
        run: |ctx| {
            let (server, client) = (HalfLifeServer::new(ctx)?, HalfLifeClient::new(ctx)?);
            server.asked()?;
            client.list(server.by())?.expect_unlisted(&server)?;
            if !ctx.is_wide() {
                // Another case may have used its endpoint as a server.
                return Ok(());
            }
            client.list(By::Filter(""))?.expect_unlisted(&server)
        },
        ..MUST
    },
    Case {
        id: "half-life/0/unasked",
        title: "a server that sent no q sends two replies; a client asks for the list",
        requires: "a 0 is the reply to an s; without an s it lists nobody",
        citation: "001 10.3",
        needs: &[&LISTED],
        run: |ctx| {
            let (server, client) = (HalfLifeServer::new(ctx)?, HalfLifeClient::new(ctx)?);
            server.answer(0)?;
            // The document's challenge.
            server.answer(2_100_453_449)?;
            client.list(server.by())?.expect_unlisted(&server)
        },
        ..MUST
    },
    Case {
        id: "half-life/0/no-challenge",
        title: "a server answers without the key challenge; a client asks for the list",
        requires: "the reply has the challenge of the s that it answers",
        citation: "001 10.3, 001 10.1",
        needs: &[&LISTED],
        run: |ctx| {
            let (server, client) = (HalfLifeServer::new(ctx)?, HalfLifeClient::new(ctx)?);
            server.asked()?;
            server.end.send_bytes(&voice::reply(&server.persona, None))?;
            client.list(server.by())?.expect_unlisted(&server)
        },
        ..MUST
    },
    Case {
        id: "half-life/0/wrong-challenge",
        title: "a server answers with another challenge than it was sent; a client asks for the list",
        requires: "the reply has the challenge of the s that it answers",
        citation: "001 10.3, 001 10.1",
        needs: &[&LISTED],
        run: |ctx| {
            let (server, client) = (HalfLifeServer::new(ctx)?, HalfLifeClient::new(ctx)?);
            let challenge = server.asked()?;
            server.answer(challenge ^ 1)?;
            client.list(server.by())?.expect_unlisted(&server)
        },
        ..MUST
    },
    Case {
        id: "half-life/0/foreign-challenge",
        title: "a server answers with the challenge of another server; a client asks for the list",
        requires: "the reply has the challenge that this very server was sent",
        citation: "001 10.3, 001 10.1",
        needs: &[&LISTED],
        run: |ctx| {
            let (server, client) = (HalfLifeServer::new(ctx)?, HalfLifeClient::new(ctx)?);
            let other = HalfLifeServer::new(ctx)?;
            let (own, foreign) = (server.asked()?, other.asked()?);
            if own == foreign {
                return Err(Failure::skipped("both servers were sent the same challenge"));
            }
            server.answer(foreign)?;
            client.list(server.by())?.expect_unlisted(&server)
        },
        ..MUST
    },
    Case {
        id: "half-life/0/replayed-challenge",
        title: "a listed server sends another reply with the challenge that it answered before",
        requires: "whether a challenge counts a second time stands in no document",
        citation: "001 10.1",
        needs: &[&LISTED],
        run: |ctx| {
            let (server, client) = (HalfLifeServer::new(ctx)?, HalfLifeClient::new(ctx)?);
            let challenge = server.asked()?;
            server.answer(challenge)?;
            ctx.setup(|| client.wait_listed(&server, server.by()))?;
            let server = server.with("gamedir", &ctx.game());
            server.answer(challenge)?;
            ctx.sync(LISTS)?;
            let counts = client.list(server.by())?.expect_unlisted(&server).is_err();
            ctx.note(if counts { "it counts" } else { "it does not count" });
            Ok(())
        },
        ..INFO
    },
    Case {
        id: "half-life/0/stale-challenge",
        title: "a server answers after the challenge's time is over; a client asks for the list",
        requires: "a challenge is valid for a while (no document says for how long)",
        citation: "001 10.1",
        needs: &[&LISTED],
        slow: Some("challenge-timeout"),
        run: |ctx| {
            let timeout = challenge_quality::known_timeout(ctx)?;
            let (server, client) = (HalfLifeServer::new(ctx)?, HalfLifeClient::new(ctx)?);
            let challenge = server.asked()?;
            ctx.wait(challenge_quality::beyond(timeout));
            server.answer(challenge)?;
            client.list(server.by())?.expect_unlisted(&server)
        },
        ..SHOULD
    },
    Case {
        id: "half-life/0/late-renewal",
        title: "a listed server sends q and answers, with another gamedir, after the challenge's \
                time is over",
        requires: "a challenge is valid for a while, for listed servers too (no document says for \
                   how long)",
        citation: "001 10.1",
        needs: &[&LISTED],
        slow: Some("challenge-timeout"),
        run: |ctx| {
            let timeout = challenge_quality::known_timeout(ctx)?;
            let (server, client) = HalfLifeServer::listed(ctx)?;
            let challenge = server.asked()?;
            ctx.wait(challenge_quality::beyond(timeout));
            let server = server.with("gamedir", &ctx.game());
            server.answer(challenge)?;
            client.list(server.by())?.expect_unlisted(&server)
        },
        ..SHOULD
    },
    Case {
        id: "half-life/0/kept",
        title: "a server registers and is silent for 7 seconds; a client asks for the list",
        requires: "servers send q every 300 seconds, and are listed in between",
        citation: "001 10.2",
        needs: &[&LISTED],
        waits: QUIET,
        run: |ctx| {
            let quiet = Duration::from_secs(QUIET.into());
            challenge_quality::keeps_longer(ctx, quiet)?;
            let (server, client) = HalfLifeServer::listed(ctx)?;
            ctx.wait(quiet);
            client.list(server.by())?.expect_listed(&server)
        },
        ..MUST
    },
    Case {
        id: "half-life/0/new-state",
        title: "a listed server registers again with another gamedir; clients ask for both",
        requires: "the reply to the last s is what holds (no document says so)",
        citation: "001 10.3",
        needs: &[&LISTED],
        run: |ctx| {
            let before = ctx.game();
            let (server, client) =
                HalfLifeServer::new(ctx)?.with("gamedir", &before).with_client(ctx)?;
            let server = server.with("gamedir", &ctx.game());
            ctx.setup(|| server.register())?;
            client.wait_listed(&server, server.by())?;
            let filter = format!(r"\gamedir\{before}");
            client.list(By::Filter(&filter))?.expect_unlisted(&server)
        },
        ..SHOULD
    },
    Case {
        id: "half-life/0/no-places",
        title: "a server registers whose max is 0; a client asks for the list",
        requires: "whether a server without places is listed stands in no document",
        citation: "001 10.3",
        needs: &[&LISTED],
        run: |ctx| {
            let server = HalfLifeServer::new(ctx)?.with("players", "0").with("max", "0");
            ctx.setup(|| server.register())?;
            let listed =
                HalfLifeClient::new(ctx)?.list(server.by())?.expect_unlisted(&server).is_err();
            ctx.note(if listed { "it is listed" } else { "it is not listed" });
            Ok(())
        },
        ..INFO
    },
    Case {
        id: "half-life/b/leaves",
        title: "a listed server sends b; a client asks for the list",
        requires: "b says that a server goes (observed: servers send it, no document has it)",
        citation: "001 10",
        needs: &[&LISTED],
        run: |ctx| {
            let (server, client) = HalfLifeServer::listed(ctx)?;
            server.end.send_bytes(&voice::log_off())?;
            ctx.until(|| client.list(server.by())?.expect_unlisted(&server))
        },
        ..SHOULD
    },
];

pub(super) static SENTENCES: &[Sentence] = &[
    Sentence {
        game: &HALF_LIFE,
        citation: "001 10.2",
        says: "q is a server's heartbeat",
        proven: Proven::By(&["half-life/q/asked"]),
    },
    Sentence {
        game: &HALF_LIFE,
        citation: "001 10.1",
        says: "the master sends an s with a challenge on every q",
        proven: Proven::By(&["half-life/q/each-time"]),
    },
    Sentence {
        game: &HALF_LIFE,
        citation: "001 10.1",
        says: "s asks a server what it is; its last four bytes are a number of 32 bits",
        proven: Proven::By(&["half-life/s/*"]),
    },
    Sentence {
        game: &HALF_LIFE,
        citation: "001 10.3",
        says: "0 is the answer to s, an infostring with the challenge",
        proven: Proven::By(&["half-life/0/*"]),
    },
    Sentence {
        game: &HALF_LIFE,
        citation: "001 10.2",
        says: "servers send a q every 300 seconds",
        proven: Proven::By(&["half-life/0/kept"]),
    },
    Sentence {
        game: &HALF_LIFE,
        citation: "001 10",
        says: "b takes a server off (observed)",
        proven: Proven::By(&["half-life/b/leaves"]),
    },
];
