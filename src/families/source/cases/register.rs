//! Servers register: 001 10.2 q, 10.1 s, 10.3 0.

use super::preconditions::{CHALLENGED_CASE, LISTED_CASE};
use super::roles::{SteamClient, SteamMessages, SteamServer, Wanted};
use crate::conform::shared::registration;
use crate::conform::{CASE, Case, Done};
use crate::families::half_life::messages;

pub(super) static CASES: &[Case] = &[
    Case {
        id: "source/q/asked",
        title: "a server sends q",
        run: registration::heartbeat_answered::<SteamMessages>,
        ..CASE
    },
    Case {
        id: "source/q/each-time",
        title: "a server registers and sends two more q",
        run: registration::each_heartbeat_answered::<SteamMessages>,
        ..CHALLENGED_CASE
    },
    Case {
        id: "source/s/form",
        title: "a server sends q and receives an s",
        run: |ctx| {
            let length = b"\xff\xff\xff\xffs\n".len() + 4;
            registration::request_has_length::<SteamMessages>(ctx, "an s", length)
        },
        ..CHALLENGED_CASE
    },
    Case {
        id: "source/s/challenge-differs",
        title: "48 servers send q",
        run: registration::challenges_unpredictable::<SteamMessages>,
        ..CHALLENGED_CASE
    },
    Case {
        id: "source/0/right-challenge",
        title: "a server answers the s with a 0 and its challenge; a client asks for its gamedir",
        run: registration::registers::<SteamMessages>,
        ..CHALLENGED_CASE
    },
    Case {
        id: "source/0/unsigned",
        title: "servers are sent challenges from 2147483648 on and answer in decimal without a sign",
        run: registration::unsigned_challenge::<SteamMessages>,
        ..LISTED_CASE
    },
    Case {
        id: "source/0/none",
        title: "a server sends q and does not answer the s; a client asks for the list",
        run: |ctx| registration::unanswered::<SteamMessages>(ctx, Wanted::everywhere("")),
        ..LISTED_CASE
    },
    Case {
        id: "source/0/unasked",
        title: "a server that sent no q sends two replies; a client asks for its gamedir",
        run: |ctx| registration::unasked::<SteamMessages>(ctx, &[0, 3_141_592_653]),
        ..LISTED_CASE
    },
    Case {
        id: "source/0/no-challenge",
        title: "a server answers without the key challenge; a client asks for its gamedir",
        run: |ctx| {
            registration::refused::<SteamMessages>(ctx, |server, _| {
                server.end.send_bytes(&messages::reply(&server.info, None))
            })
        },
        ..LISTED_CASE
    },
    Case {
        id: "source/0/wrong-challenge",
        title: "a server answers with another challenge than it was sent; a client asks for its \
                gamedir",
        requires: "source/0/no-challenge",
        run: |ctx| {
            registration::refused::<SteamMessages>(ctx, |server, right| server.answer(&(right ^ 1)))
        },
        ..LISTED_CASE
    },
    Case {
        id: "source/0/foreign-challenge",
        title: "a server answers with the challenge of another server; a client asks for its gamedir",
        run: registration::foreign_challenge::<SteamMessages>,
        ..LISTED_CASE
    },
    Case {
        id: "source/0/replayed-challenge",
        title: "a listed server sends another reply with the challenge that it answered before",
        run: |ctx| registration::replayed_challenge(ctx, with_other_game, expect_unlisted),
        ..LISTED_CASE
    },
    Case {
        id: "source/0/stale-challenge",
        title: "a server answers after the challenge's time is over; a client asks for its gamedir",
        slow: Some("challenge-timeout"),
        run: registration::stale_challenge::<SteamMessages>,
        ..LISTED_CASE
    },
    Case {
        id: "source/0/late-renewal",
        title: "a listed server sends q and answers, with another gamedir, after the challenge's \
                time is over",
        slow: Some("challenge-timeout"),
        run: |ctx| registration::late_renewal(ctx, with_other_game, expect_unlisted),
        ..LISTED_CASE
    },
    Case {
        id: "source/0/kept",
        title: "a server registers and is silent for 7 seconds; a client asks for its gamedir",
        waits: registration::QUIET,
        run: registration::kept::<SteamMessages>,
        ..LISTED_CASE
    },
    Case {
        id: "source/0/new-state",
        title: "a listed server registers again with another map; a client asks for both maps",
        run: |ctx| {
            let server = SteamServer::new(ctx)?.with("map", "one");
            let (server, client) = server.with_client(ctx)?;
            let server = server.with("map", "two");
            ctx.setup(|| server.register())?;
            let of = |map: &str| format!(r"{}\map\{map}", server.messages.filter);
            let (before, after) = (of("one"), of("two"));
            client.wait_listed(&server, Wanted::everywhere(&after))?;
            client.expect_unlisted(&server, Wanted::everywhere(&before))
        },
        ..LISTED_CASE
    },
    Case {
        id: "source/b/leaves",
        title: "a listed server sends b; a client asks for its gamedir",
        run: |ctx| {
            let (server, client) = SteamServer::listed(ctx)?;
            server.end.send_bytes(&messages::log_off())?;
            client.wait_unlisted(&server, server.list())
        },
        ..LISTED_CASE
    },
];

/// The same server in another folder of its own.
fn with_other_game(server: SteamServer<'_>) -> SteamServer<'_> {
    let game = server.end.ctx().game();
    server.with("gamedir", &game)
}

/// It is not among the servers of its folder.
fn expect_unlisted(server: &SteamServer<'_>, client: &SteamClient<'_>) -> Done {
    client.expect_unlisted(server, server.list())
}
