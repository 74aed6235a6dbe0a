//! Servers register: 001 9.7 heartbeat, 9.4 getInfo, 9.5 infoResponse.

use super::preconditions::{CHALLENGED_CASE, LISTED_CASE};
use super::roles::{Doom3Client, Doom3Role, Doom3Server, all};
use crate::shared::registration;
use crate::{CASE, Case, Done};
use simulate::families::doom3::messages::Doom3ListRequest;

pub(super) static CASES: &[Case] = &[
    Case {
        id: "doom3/heartbeat/asked",
        decides: &["doom3/asked"],
        title: "a server sends a heartbeat",
        run: registration::heartbeat_answered::<Doom3Role>,
        ..CASE
    },
    Case {
        id: "doom3/heartbeat/each-time",
        title: "a server registers and sends two more heartbeats",
        run: registration::each_heartbeat_answered::<Doom3Role>,
        ..CHALLENGED_CASE
    },
    Case {
        id: "doom3/getInfo/form",
        title: "a server sends a heartbeat and receives a getInfo",
        run: |ctx| {
            let length = b"\xff\xffgetInfo\0".len() + 4;
            registration::request_has_length::<Doom3Role>(ctx, "a getInfo", length)
        },
        ..CHALLENGED_CASE
    },
    Case {
        id: "doom3/getInfo/challenge-differs",
        title: "48 servers send heartbeats",
        run: registration::challenges_unpredictable::<Doom3Role>,
        ..CHALLENGED_CASE
    },
    Case {
        id: "doom3/infoResponse/right-challenge",
        decides: &["doom3/listed"],
        title: "a server with seven players answers the getInfo; a client asks for the list",
        run: |ctx| registration::registered(ctx, &Doom3Server::new(ctx)?.played_by(7)),
        ..CHALLENGED_CASE
    },
    Case {
        id: "doom3/infoResponse/none",
        title: "a server sends a heartbeat and does not answer the getInfo; a client asks for the list",
        run: |ctx| {
            // A master that lists it may assume any version.
            let protocol = ctx.assumed().settings().newest;
            registration::unanswered::<Doom3Role>(ctx, Doom3ListRequest { protocol, ..all(ctx) })
        },
        ..LISTED_CASE
    },
    Case {
        id: "doom3/infoResponse/unasked",
        title: "a server that sent no heartbeat sends two answers; a client asks for the list",
        run: |ctx| registration::unasked::<Doom3Role>(ctx, &[0, 0x0101_0101]),
        ..LISTED_CASE
    },
    Case {
        id: "doom3/infoResponse/wrong-challenge",
        title: "a server answers with another challenge than it was sent; a client asks for the list",
        run: |ctx| {
            registration::refused::<Doom3Role>(ctx, |server, right| server.answer(&(right ^ 1)))
        },
        ..LISTED_CASE
    },
    Case {
        id: "doom3/infoResponse/foreign-challenge",
        title: "a server answers with the challenge of another server; a client asks for the list",
        run: registration::foreign_challenge::<Doom3Role>,
        ..LISTED_CASE
    },
    Case {
        id: "doom3/infoResponse/replayed-challenge",
        title: "a listed server sends another answer with the challenge that it answered before",
        run: |ctx| registration::replayed_challenge(ctx, with_password, expect_no_password),
        ..LISTED_CASE
    },
    Case {
        id: "doom3/infoResponse/stale-challenge",
        title: "a server answers after the challenge's time is over; a client asks for the list",
        slow: Some("challenge-timeout"),
        run: registration::stale_challenge::<Doom3Role>,
        ..LISTED_CASE
    },
    Case {
        id: "doom3/infoResponse/late-renewal",
        title: "a listed server answers, now with a password, after the challenge's time is over",
        slow: Some("challenge-timeout"),
        run: |ctx| registration::late_renewal(ctx, with_password, expect_no_password),
        ..LISTED_CASE
    },
    Case {
        id: "doom3/infoResponse/kept",
        title: "a server registers and is silent for 7 seconds; a client asks for the list",
        waits: registration::QUIET,
        run: registration::kept::<Doom3Role>,
        ..LISTED_CASE
    },
    Case {
        id: "doom3/infoResponse/new-state",
        title: "a listed server registers again, now with a password; clients ask for both kinds",
        run: |ctx| {
            let (server, client) = Doom3Server::listed(ctx)?;
            let server = with_password(server);
            ctx.setup(|| server.register())?;
            client.wait_listed(&server, Doom3ListRequest { filter: 1, ..all(ctx) })?;
            client.list(Doom3ListRequest { filter: 2, ..all(ctx) })?.expect_unlisted(&server)
        },
        ..LISTED_CASE
    },
    Case {
        id: "doom3/infoResponse/no-places",
        title: "a server registers whose si_maxPlayers is 0; a client asks for the list",
        run: |ctx| {
            let server = Doom3Server::new(ctx)?.played_by(0).with("si_maxPlayers", "0");
            registration::note_listed(ctx, &server)
        },
        ..LISTED_CASE
    },
];

/// The same server with a password.
fn with_password(server: Doom3Server<'_>) -> Doom3Server<'_> {
    server.with("si_usepass", "1")
}

/// It is not among the servers with a password.
fn expect_no_password(server: &Doom3Server<'_>, client: &Doom3Client<'_>) -> Done {
    let list = Doom3ListRequest { filter: 1, ..all(client.end.ctx()) };
    client.list(list)?.expect_unlisted(server)
}
