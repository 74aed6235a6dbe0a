//! Servers register: q FF with a challenge of the server's own, s with both challenges, 0.

use super::LISTS;
use super::preconditions::{CHALLENGED_CASE, LISTED_CASE};
use super::roles::{KEY, XashClient, XashMessages, XashServer};
use crate::conform::server::MasterRequest;
use crate::conform::shared::registration;
use crate::conform::{CASE, Case, Done, Failure};
use crate::families::half_life::messages;

pub(super) static CASES: &[Case] = &[
    Case {
        id: "xash3d/q/asked",
        title: "a server sends q FF with a challenge of its own",
        run: registration::heartbeat_answered::<XashMessages>,
        ..CASE
    },
    Case {
        id: "xash3d/q/each-time",
        title: "a server registers and sends two more q FF",
        run: registration::each_heartbeat_answered::<XashMessages>,
        ..CHALLENGED_CASE
    },
    Case {
        id: "xash3d/q/without-challenge",
        title: "an old server sends q FF alone",
        run: |ctx| {
            let server = XashServer::new(ctx)?;
            server.end.send_bytes(&messages::xash_heartbeat(None))?;
            let request = server.recv_challenge()?;
            match server_key(&request) {
                None => Ok(()),
                Some(key) => {
                    let failure = Failure::new("an s of 10 bytes", format!("{key:08x} behind it"));
                    Err(failure.field(&request.datagram, "server challenge"))
                }
            }
        },
        ..CHALLENGED_CASE
    },
    Case {
        id: "xash3d/s/server-challenge",
        title: "a server sends q FF with the challenges 0, 1, 7FFFFFFF, 80000000 and FFFFFFFF",
        run: |ctx| {
            let server = XashServer::new(ctx)?;
            for key in [0, 1, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, KEY] {
                server.end.drain()?;
                server.end.send_bytes(&messages::xash_heartbeat(Some(key)))?;
                let request = ctx.setup(|| server.recv_challenge())?;
                let came = server_key(&request);
                if came != Some(key) {
                    let came = came.map_or("none".to_owned(), |key| format!("{key:08x}"));
                    let failure = Failure::new(format!("the server's challenge {key:08x}"), came);
                    return Err(failure.field(&request.datagram, "server challenge"));
                }
            }
            Ok(())
        },
        ..CHALLENGED_CASE
    },
    Case {
        id: "xash3d/s/form",
        title: "a server sends q FF with a challenge and receives an s",
        run: |ctx| {
            let length = b"\xff\xff\xff\xffs\n".len() + 8;
            registration::request_has_length::<XashMessages>(ctx, "an s", length)
        },
        ..CHALLENGED_CASE
    },
    Case {
        id: "xash3d/s/challenge-differs",
        title: "48 servers send q FF",
        run: registration::challenges_unpredictable::<XashMessages>,
        // A target that accepts few servers of an address has no room for more.
        exclusive: true,
        ..CHALLENGED_CASE
    },
    Case {
        id: "xash3d/0/right-challenge",
        title: "a server answers the s with a 0; a client asks for the servers of its gamedir",
        run: |ctx| {
            let server = XashServer::new(ctx)?;
            server.register()?;
            let listed = registration::is_listed(ctx, &server);
            if listed.is_err() && !ctx.is_wide() {
                let why = "no server of this address is listed: the limit of servers of one address \
                           may be reached, which is 14 in xash3d-master";
                return Err(Failure::blocked(why));
            }
            listed
        },
        ..CHALLENGED_CASE
    },
    Case {
        id: "xash3d/0/unsigned",
        title: "a server is sent a challenge from 2147483648 on and answers without a sign",
        run: registration::unsigned_challenge::<XashMessages>,
        ..LISTED_CASE
    },
    Case {
        id: "xash3d/0/line-feed",
        title: "a server ends its 0 in a line feed, as the document's does",
        run: |ctx| {
            let server = XashServer::new(ctx)?;
            let challenge = server.challenged()?.challenge.to_string();
            server.end.send_bytes(&messages::reply(&server.info, Some(&challenge)))?;
            let list = server.list();
            XashClient::new(ctx)?.wait_listed(&server, list).map(drop)
        },
        ..LISTED_CASE
    },
    Case {
        id: "xash3d/0/none",
        title: "a server sends q FF and does not answer the s; a client asks for its gamedir",
        run: |ctx| registration::unanswered::<XashMessages>(ctx, ""),
        ..LISTED_CASE
    },
    Case {
        id: "xash3d/0/unasked",
        title: "a server that sent no q sends two replies; a client asks for its gamedir",
        run: |ctx| {
            // The second is the document's.
            registration::unasked::<XashMessages>(ctx, &[0, 2_100_453_449])
        },
        ..LISTED_CASE
    },
    Case {
        id: "xash3d/0/no-challenge",
        title: "a server answers without the key challenge; a client asks for its gamedir",
        run: |ctx| {
            registration::refused::<XashMessages>(ctx, |server, _| {
                server.end.send_bytes(&messages::xash_reply(&server.info, None))
            })
        },
        ..LISTED_CASE
    },
    Case {
        id: "xash3d/0/wrong-challenge",
        title: "a server answers with another challenge than it was sent, and with its own",
        requires: "xash3d/0/no-challenge",
        run: |ctx| {
            registration::refused::<XashMessages>(ctx, |server, right| {
                server.answer(&(right ^ 1))?;
                server.answer(&KEY)
            })
        },
        ..LISTED_CASE
    },
    Case {
        id: "xash3d/0/foreign-challenge",
        title: "a server answers with the challenge of another server; a client asks for its gamedir",
        run: registration::foreign_challenge::<XashMessages>,
        ..LISTED_CASE
    },
    Case {
        id: "xash3d/0/replayed-challenge",
        title: "a listed server sends another reply with the challenge that it answered before",
        run: |ctx| registration::replayed_challenge(ctx, with_other_game, expect_unlisted),
        ..LISTED_CASE
    },
    Case {
        id: "xash3d/0/stale-challenge",
        title: "a server answers after the challenge's time is over; a client asks for its gamedir",
        slow: Some("challenge-timeout"),
        run: registration::stale_challenge::<XashMessages>,
        ..LISTED_CASE
    },
    Case {
        id: "xash3d/0/late-renewal",
        title: "a listed server sends q FF and answers, with another gamedir, after the challenge's \
                time is over",
        slow: Some("challenge-timeout"),
        run: |ctx| registration::late_renewal(ctx, with_other_game, expect_unlisted),
        ..LISTED_CASE
    },
    Case {
        id: "xash3d/0/kept",
        title: "a server registers and is silent for 7 seconds; a client asks for its gamedir",
        waits: registration::QUIET,
        run: registration::kept::<XashMessages>,
        ..LISTED_CASE
    },
    Case {
        id: "xash3d/0/forgotten",
        title: "a server registers and is silent for the server's time",
        slow: Some("server-timeout"),
        run: registration::forgotten::<XashMessages>,
        ..LISTED_CASE
    },
    Case {
        id: "xash3d/0/new-state",
        title: "a listed server registers again with another gamedir; clients ask for both",
        run: |ctx| {
            let (server, client) = XashServer::listed(ctx)?;
            let before = server.messages.filter.clone();
            let server = with_other_game(server);
            ctx.setup(|| server.register())?;
            client.wait_listed(&server, server.list())?;
            client.list(&before)?.expect_unlisted(&server)
        },
        ..LISTED_CASE
    },
    Case {
        id: "xash3d/b/leaves",
        title: "a listed server sends b; a client asks for its gamedir",
        run: |ctx| {
            let (server, client) = XashServer::listed(ctx)?;
            server.end.send_bytes(&messages::log_off())?;
            ctx.sync(LISTS)?;
            let is_gone = !client.list(server.list())?.has(&server);
            ctx.report(if is_gone { "the server is gone" } else { "the server is listed still" })
        },
        ..LISTED_CASE
    },
];

/// The server's own challenge in an `s`.
fn server_key(request: &MasterRequest<XashMessages>) -> Option<u32> {
    messages::challenges(&request.datagram.bytes).and_then(|(_, key)| key)
}

/// The same server with another gamedir of its own.
fn with_other_game(server: XashServer<'_>) -> XashServer<'_> {
    let game = server.end.ctx().game();
    server.with("gamedir", &game)
}

/// It is not among the servers of its gamedir.
fn expect_unlisted(server: &XashServer<'_>, client: &XashClient<'_>) -> Done {
    client.expect_unlisted(server, server.list())
}
