//! Servers register: 001 10.2 q, 10.1 s, 10.3 0. The result is visible in lists, which are
//! observed.

use super::preconditions::{CHALLENGED_CASE, LISTED_CASE};
use super::roles::{HalfLifeClient, HalfLifeMessages, HalfLifeServer, ListQuery};
use crate::conform::shared::registration;
use crate::conform::{CASE, Case, Done};
use crate::families::half_life::messages;

pub(super) static CASES: &[Case] = &[
    Case {
        id: "half-life/q/asked",
        title: "a server sends q",
        run: registration::heartbeat_answered::<HalfLifeMessages>,
        ..CASE
    },
    Case {
        id: "half-life/q/each-time",
        title: "a server registers and sends two more q",
        run: registration::each_heartbeat_answered::<HalfLifeMessages>,
        ..CHALLENGED_CASE
    },
    Case {
        id: "half-life/s/form",
        title: "a server sends q and receives an s",
        run: |ctx| {
            let length = b"\xff\xff\xff\xffs\n".len() + 4;
            registration::request_has_length::<HalfLifeMessages>(ctx, "an s", length)
        },
        ..CHALLENGED_CASE
    },
    Case {
        id: "half-life/s/challenge-differs",
        title: "48 servers send q",
        run: registration::challenges_unpredictable::<HalfLifeMessages>,
        ..CHALLENGED_CASE
    },
    Case {
        id: "half-life/0/right-challenge",
        title: "a server answers the s with a 0 and its challenge; a client asks for the list",
        run: registration::registers::<HalfLifeMessages>,
        ..CHALLENGED_CASE
    },
    Case {
        id: "half-life/0/document",
        title: "a server of protocol 46, as the document's, registers; a client asks for the list",
        run: |ctx| registration::registered(ctx, &HalfLifeServer::new(ctx)?.with("protocol", "46")),
        ..LISTED_CASE
    },
    Case {
        id: "half-life/0/unsigned",
        title: "servers are sent challenges from 2147483648 on and answer in decimal without a sign",
        run: registration::unsigned_challenge::<HalfLifeMessages>,
        ..LISTED_CASE
    },
    Case {
        id: "half-life/0/none",
        title: "a server sends q and does not answer the s; a client asks for the list",
        run: |ctx| registration::unanswered::<HalfLifeMessages>(ctx, ListQuery::Filter("")),
        ..LISTED_CASE
    },
    Case {
        id: "half-life/0/unasked",
        title: "a server that sent no q sends two replies; a client asks for the list",
        run: |ctx| {
            // The second is the document's.
            registration::unasked::<HalfLifeMessages>(ctx, &[0, 2_100_453_449])
        },
        ..LISTED_CASE
    },
    Case {
        id: "half-life/0/no-challenge",
        title: "a server answers without the key challenge; a client asks for the list",
        run: |ctx| {
            registration::refused::<HalfLifeMessages>(ctx, |server, _| {
                server.end.send_bytes(&messages::reply(&server.info, None))
            })
        },
        ..LISTED_CASE
    },
    Case {
        id: "half-life/0/wrong-challenge",
        title: "a server answers with another challenge than it was sent; a client asks for the list",
        requires: "half-life/0/no-challenge",
        run: |ctx| {
            registration::refused::<HalfLifeMessages>(ctx, |server, right| {
                server.answer(&(right ^ 1))
            })
        },
        ..LISTED_CASE
    },
    Case {
        id: "half-life/0/foreign-challenge",
        title: "a server answers with the challenge of another server; a client asks for the list",
        run: registration::foreign_challenge::<HalfLifeMessages>,
        ..LISTED_CASE
    },
    Case {
        id: "half-life/0/replayed-challenge",
        title: "a listed server sends another reply with the challenge that it answered before",
        run: |ctx| registration::replayed_challenge(ctx, with_other_game, expect_unlisted),
        ..LISTED_CASE
    },
    Case {
        id: "half-life/0/stale-challenge",
        title: "a server answers after the challenge's time is over; a client asks for the list",
        slow: Some("challenge-timeout"),
        run: registration::stale_challenge::<HalfLifeMessages>,
        ..LISTED_CASE
    },
    Case {
        id: "half-life/0/late-renewal",
        title: "a listed server sends q and answers, with another gamedir, after the challenge's \
                time is over",
        slow: Some("challenge-timeout"),
        run: |ctx| registration::late_renewal(ctx, with_other_game, expect_unlisted),
        ..LISTED_CASE
    },
    Case {
        id: "half-life/0/kept",
        title: "a server registers and is silent for 7 seconds; a client asks for the list",
        waits: registration::QUIET,
        run: registration::kept::<HalfLifeMessages>,
        ..LISTED_CASE
    },
    Case {
        id: "half-life/0/new-state",
        title: "a listed server registers again with another gamedir; clients ask for both",
        run: |ctx| {
            let (server, client) = HalfLifeServer::listed(ctx)?;
            let before = server.messages.filter.clone();
            let server = with_other_game(server);
            ctx.setup(|| server.register())?;
            client.wait_listed(&server, server.list())?;
            client.list(ListQuery::Filter(&before))?.expect_unlisted(&server)
        },
        ..LISTED_CASE
    },
    Case {
        id: "half-life/0/no-places",
        title: "a server registers whose max is 0; a client asks for the list",
        run: |ctx| {
            let server = HalfLifeServer::new(ctx)?.with("players", "0").with("max", "0");
            registration::note_listed(ctx, &server)
        },
        ..LISTED_CASE
    },
    Case {
        id: "half-life/b/leaves",
        title: "a listed server sends b; a client asks for the list",
        run: |ctx| {
            let (server, client) = HalfLifeServer::listed(ctx)?;
            server.end.send_bytes(&messages::log_off())?;
            client.wait_unlisted(&server, server.list())
        },
        ..LISTED_CASE
    },
];

/// The same server with another modification of its own.
fn with_other_game(server: HalfLifeServer<'_>) -> HalfLifeServer<'_> {
    let game = server.end.ctx().game();
    server.with("gamedir", &game)
}

/// It is not among the servers of its modification.
fn expect_unlisted(server: &HalfLifeServer<'_>, client: &HalfLifeClient<'_>) -> Done {
    client.expect_unlisted(server, server.list())
}
