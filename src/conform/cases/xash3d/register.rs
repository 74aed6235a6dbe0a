//! Servers register: q FF with a challenge of the server's own, s with both challenges, 0.

use std::time::Duration;

use super::super::challenge_quality;
use super::LISTS;
use super::ends::{KEY, XashClient, XashServer};
use super::preconditions::{ANSWERS, ASKED, LISTED};
use crate::conform::{Case, Failure, INFO, MUST, Proven, SHOULD, Sentence};
use crate::families::half_life::messages as voice;
use crate::protocols::half_life::HALF_LIFE;

/// The source of a requirement that no document has.
const OBSERVED: &str = "xash3d-master's, in no document";
/// Servers whose challenges are compared.
const MANY: usize = challenge_quality::SAMPLES;
/// Seconds without a message after which a server must still be listed.
const QUIET: u32 = 7;

pub(super) static CASES: &[Case] = &[
    Case {
        id: "xash3d/q/asked",
        title: "a server sends q FF with a challenge of its own",
        requires: "the master answers a q with an s",
        citation: "001 10.1, 001 10.2",
        needs: &[&ANSWERS],
        run: |ctx| {
            let server = XashServer::new(ctx)?;
            server.send_heartbeat()?;
            server.recv_challenge().map(drop)
        },
        ..MUST
    },
    Case {
        id: "xash3d/q/each-time",
        title: "a server registers and sends two more q FF",
        requires: "the master sends an s on every q that it receives",
        citation: "001 10.1",
        needs: &[&ASKED],
        run: |ctx| {
            let server = XashServer::new(ctx)?;
            server.register()?;
            server.register()?;
            server.register()
        },
        ..MUST
    },
    Case {
        id: "xash3d/q/without-challenge",
        title: "an old server sends q FF alone",
        requires: "q FF without a challenge is answered by an s with the master's challenge alone",
        citation: OBSERVED,
        needs: &[&ASKED],
        run: |ctx| {
            let server = XashServer::new(ctx)?;
            server.end.send_bytes(&voice::xash_heartbeat(None))?;
            let asked = server.recv_challenge()?;
            match asked.key {
                None => Ok(()),
                Some(key) => {
                    let failure = Failure::new("an s of 10 bytes", format!("{key:08x} behind it"));
                    Err(failure.field(&asked.heard, "server challenge"))
                }
            }
        },
        ..SHOULD
    },
    Case {
        id: "xash3d/s/server-challenge",
        title: "a server sends q FF with the challenges 0, 1, 7FFFFFFF, 80000000 and FFFFFFFF",
        requires: "the s ends with the server's own challenge; the engine ignores any other s",
        citation: OBSERVED,
        needs: &[&ASKED],
        run: |ctx| {
            let server = XashServer::new(ctx)?;
            for key in [0, 1, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, KEY] {
                server.end.drain()?;
                server.end.send_bytes(&voice::xash_heartbeat(Some(key)))?;
                let asked = ctx.setup(|| server.recv_challenge())?;
                if asked.key != Some(key) {
                    let came = asked.key.map_or("none".to_owned(), |key| format!("{key:08x}"));
                    let failure = Failure::new(format!("the server's challenge {key:08x}"), came);
                    return Err(failure.field(&asked.heard, "server challenge"));
                }
            }
            Ok(())
        },
        ..SHOULD
    },
    Case {
        id: "xash3d/s/form",
        title: "a server sends q FF with a challenge and receives an s",
        requires: "an s is FF FF FF FF, the letter, a line feed and two numbers of 32 bits, 14 bytes",
        citation: OBSERVED,
        needs: &[&ASKED],
        run: |ctx| {
            let server = XashServer::new(ctx)?;
            server.send_heartbeat()?;
            let heard = ctx.setup(|| server.recv_challenge())?.heard;
            let expected = b"\xff\xff\xff\xffs\n".len() + 8;
            if heard.bytes.len() == expected {
                return Ok(());
            }
            Err(Failure::new(format!("an s of {expected} bytes"), heard.named()).at(&heard))
        },
        ..SHOULD
    },
    Case {
        id: "xash3d/s/challenge-differs",
        title: "48 servers send q FF",
        requires: "a challenge cannot be guessed from those of other servers (no document says how \
                   it is made)",
        citation: OBSERVED,
        needs: &[&ASKED],
        run: |ctx| {
            let many = MANY.min(ctx.most_servers(LISTS)?);
            let servers = (0..many).map(|_| XashServer::new(ctx)).collect::<Result<Vec<_>, _>>()?;
            let mut challenges = Vec::new();
            for server in &servers {
                server.send_heartbeat()?;
                let asked = ctx.setup(|| server.recv_challenge())?;
                challenges.push((i64::from(asked.challenge), asked.heard));
            }
            challenge_quality::unpredictable(&challenges)
        },
        // A target that accepts few servers of an address has no room for more.
        exclusive: true,
        ..SHOULD
    },
    Case {
        id: "xash3d/0/right-challenge",
        title: "a server answers the s with a 0; a client asks for the servers of its gamedir",
        requires: "a 0 with the challenge in decimal is the reply to an s, and its server is listed",
        citation: "001 10.3, 001 10.1",
        needs: &[&ASKED],
        run: |ctx| {
            let server = XashServer::new(ctx)?;
            server.register()?;
            let listed = XashClient::new(ctx)?.wait_listed(&server);
            if listed.is_err() && !ctx.is_wide() {
                let why = "no server of this address is listed: the limit of servers of one address \
                           may be reached, which is 14 in xash3d-master";
                return Err(Failure::blocked(why));
            }
            listed.map(drop)
        },
        ..MUST
    },
    Case {
        id: "xash3d/0/unsigned",
        title: "a server is sent a challenge from 2147483648 on and answers without a sign",
        requires: "the challenge is a number of 32 bits; servers write it without a sign",
        citation: "001 10.1, 001 10.3",
        needs: &[&LISTED],
        run: |ctx| {
            let client = XashClient::new(ctx)?;
            for _ in 0..MANY {
                let server = XashServer::new(ctx)?;
                let challenge = server.asked()?;
                if challenge > i32::MAX.cast_unsigned() {
                    server.answer(challenge)?;
                    return client.wait_listed(&server).map(drop);
                }
            }
            Err(Failure::skipped(format!("{MANY} challenges are all below 2147483648")))
        },
        ..MUST
    },
    Case {
        id: "xash3d/0/line-feed",
        title: "a server ends its 0 in a line feed, as the document's does",
        requires: "the document's 0 ends in a line feed, that of Xash3D's servers does not; both \
                   are taken",
        citation: "001 10.3",
        needs: &[&LISTED],
        run: |ctx| {
            let server = XashServer::new(ctx)?;
            let challenge = server.asked()?.to_string();
            server.end.send_bytes(&voice::reply(&server.persona, Some(&challenge)))?;
            XashClient::new(ctx)?.wait_listed(&server).map(drop)
        },
        ..SHOULD
    },
    Case {
        id: "xash3d/0/none",
        title: "a server sends q FF and does not answer the s; a client asks for its gamedir",
        requires: "the 0 tells what the server is; without one the master lists nobody",
        citation: "001 10.1, 001 10.3",
        needs: &[&LISTED],
        run: |ctx| {
            let (server, client) = (XashServer::new(ctx)?, XashClient::new(ctx)?);
            server.asked()?;
            client.list(&server.filter())?.expect_unlisted(&server)?;
            if !ctx.is_wide() {
                // Another case may have used its endpoint as a server.
                return Ok(());
            }
            client.list("")?.expect_unlisted(&server)
        },
        ..MUST
    },
    Case {
        id: "xash3d/0/unasked",
        title: "a server that sent no q sends two replies; a client asks for its gamedir",
        requires: "a 0 is the reply to an s; without an s it lists nobody",
        citation: "001 10.3",
        needs: &[&LISTED],
        run: |ctx| {
            let (server, client) = (XashServer::new(ctx)?, XashClient::new(ctx)?);
            server.answer(0)?;
            // The document's challenge.
            server.answer(2_100_453_449)?;
            client.list(&server.filter())?.expect_unlisted(&server)
        },
        ..MUST
    },
    Case {
        id: "xash3d/0/no-challenge",
        title: "a server answers without the key challenge; a client asks for its gamedir",
        requires: "the reply has the challenge of the s that it answers",
        citation: "001 10.3, 001 10.1",
        needs: &[&LISTED],
        run: |ctx| {
            let (server, client) = (XashServer::new(ctx)?, XashClient::new(ctx)?);
            server.asked()?;
            server.end.send_bytes(&voice::xash_reply(&server.persona, None))?;
            client.list(&server.filter())?.expect_unlisted(&server)
        },
        ..MUST
    },
    Case {
        id: "xash3d/0/wrong-challenge",
        title: "a server answers with another challenge than it was sent, and with its own",
        requires: "the reply has the challenge of the s that it answers",
        citation: "001 10.3, 001 10.1",
        needs: &[&LISTED],
        run: |ctx| {
            let (server, client) = (XashServer::new(ctx)?, XashClient::new(ctx)?);
            let challenge = server.asked()?;
            server.answer(challenge ^ 1)?;
            server.answer(KEY)?;
            client.list(&server.filter())?.expect_unlisted(&server)
        },
        ..MUST
    },
    Case {
        id: "xash3d/0/foreign-challenge",
        title: "a server answers with the challenge of another server; a client asks for its gamedir",
        requires: "the reply has the challenge that this very server was sent",
        citation: "001 10.3, 001 10.1",
        needs: &[&LISTED],
        run: |ctx| {
            let (server, client) = (XashServer::new(ctx)?, XashClient::new(ctx)?);
            let other = XashServer::new(ctx)?;
            let (own, foreign) = (server.asked()?, other.asked()?);
            if own == foreign {
                return Err(Failure::skipped("both servers were sent the same challenge"));
            }
            server.answer(foreign)?;
            client.list(&server.filter())?.expect_unlisted(&server)
        },
        ..MUST
    },
    Case {
        id: "xash3d/0/replayed-challenge",
        title: "a listed server sends another reply with the challenge that it answered before",
        requires: "whether a challenge counts a second time stands in no document",
        citation: OBSERVED,
        needs: &[&LISTED],
        run: |ctx| {
            let (server, client) = (XashServer::new(ctx)?, XashClient::new(ctx)?);
            let challenge = server.asked()?;
            server.answer(challenge)?;
            ctx.setup(|| client.wait_listed(&server))?;
            let server = server.with("gamedir", &ctx.game());
            server.answer(challenge)?;
            ctx.sync(LISTS)?;
            let counts = client.list(&server.filter())?.expect_unlisted(&server).is_err();
            ctx.note(if counts { "it counts" } else { "it does not count" });
            Ok(())
        },
        ..INFO
    },
    Case {
        id: "xash3d/0/stale-challenge",
        title: "a server answers after the challenge's time is over; a client asks for its gamedir",
        requires: "a challenge is valid for a while: 10 seconds in 0.2, up to 120 in later versions",
        citation: OBSERVED,
        needs: &[&LISTED],
        slow: Some("challenge-timeout"),
        run: |ctx| {
            let timeout = challenge_quality::known_timeout(ctx)?;
            let (server, client) = (XashServer::new(ctx)?, XashClient::new(ctx)?);
            let challenge = server.asked()?;
            ctx.wait(challenge_quality::beyond(timeout));
            server.answer(challenge)?;
            client.list(&server.filter())?.expect_unlisted(&server)
        },
        ..SHOULD
    },
    Case {
        id: "xash3d/0/late-renewal",
        title: "a listed server sends q FF and answers, with another gamedir, after the challenge's \
                time is over",
        requires: "a challenge is valid for a while, for listed servers too",
        citation: OBSERVED,
        needs: &[&LISTED],
        slow: Some("challenge-timeout"),
        run: |ctx| {
            let timeout = challenge_quality::known_timeout(ctx)?;
            let (server, client) = XashServer::listed(ctx)?;
            let challenge = server.asked()?;
            ctx.wait(challenge_quality::beyond(timeout));
            let server = server.with("gamedir", &ctx.game());
            server.answer(challenge)?;
            client.list(&server.filter())?.expect_unlisted(&server)
        },
        ..SHOULD
    },
    Case {
        id: "xash3d/0/kept",
        title: "a server registers and is silent for 7 seconds; a client asks for its gamedir",
        requires: "servers send q every 300 seconds, and are listed in between",
        citation: "001 10.2",
        needs: &[&LISTED],
        waits: QUIET,
        run: |ctx| {
            let quiet = Duration::from_secs(QUIET.into());
            challenge_quality::keeps_longer(ctx, quiet)?;
            let (server, client) = XashServer::listed(ctx)?;
            ctx.wait(quiet);
            client.list(&server.filter())?.expect_listed(&server)
        },
        ..MUST
    },
    Case {
        id: "xash3d/0/forgotten",
        title: "a server registers and is silent for the server's time",
        requires: "a server that sends no q is listed no more: after 300 seconds by default",
        citation: OBSERVED,
        needs: &[&LISTED],
        slow: Some("server-timeout"),
        run: |ctx| {
            let timeout = ctx.time("server-timeout")?;
            let (server, client) = XashServer::listed(ctx)?;
            ctx.wait(timeout);
            ctx.until(|| client.list(&server.filter())?.expect_unlisted(&server))
        },
        ..SHOULD
    },
    Case {
        id: "xash3d/0/new-state",
        title: "a listed server registers again with another gamedir; clients ask for both",
        requires: "the reply to the last s is what holds",
        citation: OBSERVED,
        needs: &[&LISTED],
        run: |ctx| {
            let (server, client) = XashServer::listed(ctx)?;
            let before = server.filter();
            let server = server.with("gamedir", &ctx.game());
            ctx.setup(|| server.register())?;
            client.wait_listed(&server)?;
            client.list(&before)?.expect_unlisted(&server)
        },
        ..SHOULD
    },
    Case {
        id: "xash3d/b/leaves",
        title: "a listed server sends b; a client asks for its gamedir",
        requires: "xash3d-master knows b and ignores it; other masters take the server off",
        citation: OBSERVED,
        needs: &[&LISTED],
        run: |ctx| {
            let (server, client) = XashServer::listed(ctx)?;
            server.end.send_bytes(&voice::log_off())?;
            ctx.sync(LISTS)?;
            let is_gone = client.list(&server.filter())?.expect_unlisted(&server).is_ok();
            ctx.note(if is_gone { "the server is gone" } else { "the server is listed still" });
            Ok(())
        },
        ..INFO
    },
];

pub(super) static SENTENCES: &[Sentence] = &[
    Sentence {
        game: &HALF_LIFE,
        citation: "001 10.1, 001 10.2",
        says: "the master sends an s on every q; Xash3D's q has a byte FF and the server's \
               challenge more, and its s that challenge",
        proven: Proven::By(&["xash3d/q/*", "xash3d/s/*"]),
    },
    Sentence {
        game: &HALF_LIFE,
        citation: "001 10.3",
        says: "0 answers the s of Xash3D's master too, with its challenge in decimal without a sign",
        proven: Proven::By(&["xash3d/0/*"]),
    },
];
