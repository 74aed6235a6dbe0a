//! Servers register: 001 10.2 q, 10.1 s, 10.3 0. The result is visible in lists.

use super::preconditions::{CHALLENGED_CASE, LISTED_CASE};
use super::roles::{
    GamedirRole, HalfLifeRole, HalfLifeServer, expect_unlisted, gamedir, with_other_game,
};
use crate::server::TestServer;
use crate::shared::registration;
use crate::{Case, Done, TestContext};
use simulate::families::half_life::registering::{GamedirServer as _, ServerFilter};

/// The cases of a game whose servers register so. `$heartbeat` is what they send, and the answer has
/// `$length` bytes.
macro_rules! register_cases {
    ($game:literal, $role:ty, $heartbeat:literal, answer: $length:literal) => {{
        use $crate::{CASE, Case};
        use $crate::shared::registration;
        use $crate::families::half_life::register;

        const SHARED: &[Case] = &[
            Case {
                id: concat!($game, "q/asked"),
                decides: &[concat!($game, "asked")],
                title: concat!("a server sends ", $heartbeat),
                run: registration::heartbeat_answered::<$role>,
                ..CASE
            },
            Case {
                id: concat!($game, "q/each-time"),
                title: concat!("a server registers and sends two more ", $heartbeat),
                run: registration::each_heartbeat_answered::<$role>,
                ..CHALLENGED_CASE
            },
            Case {
                id: concat!($game, "s/form"),
                title: concat!("a server sends ", $heartbeat, " and receives an s"),
                run: |ctx| registration::request_has_length::<$role>(ctx, "an s", $length),
                ..CHALLENGED_CASE
            },
            Case {
                id: concat!($game, "0/unsigned"),
                title: "servers are sent challenges from 2147483648 on and answer in decimal \
                        without a sign",
                run: registration::unsigned_challenge::<$role>,
                ..LISTED_CASE
            },
            Case {
                id: concat!($game, "0/none"),
                title: concat!(
                    "a server sends ", $heartbeat,
                    " and does not answer the s; a client asks for the list"
                ),
                run: register::unanswered::<$role>,
                ..LISTED_CASE
            },
            Case {
                id: concat!($game, "0/unasked"),
                title: "a server that sent no q sends two replies; a client asks for its gamedir",
                // The second is the document's.
                run: |ctx| registration::unasked::<$role>(ctx, &[0, 2_100_453_449]),
                ..LISTED_CASE
            },
            Case {
                id: concat!($game, "0/no-challenge"),
                title: "a server answers without the key challenge; a client asks for its gamedir",
                run: register::without_challenge::<$role>,
                ..LISTED_CASE
            },
            Case {
                id: concat!($game, "0/foreign-challenge"),
                title: "a server answers with the challenge of another server; a client asks for \
                        its gamedir",
                run: registration::foreign_challenge::<$role>,
                ..LISTED_CASE
            },
            Case {
                id: concat!($game, "0/replayed-challenge"),
                title: "a listed server sends another reply with the challenge that it answered \
                        before",
                run: register::replayed_challenge::<$role>,
                ..LISTED_CASE
            },
            Case {
                id: concat!($game, "0/stale-challenge"),
                title: "a server answers after the challenge's time is over; a client asks for its \
                        gamedir",
                slow: Some("challenge-timeout"),
                run: registration::stale_challenge::<$role>,
                ..LISTED_CASE
            },
            Case {
                id: concat!($game, "0/late-renewal"),
                title: concat!(
                    "a listed server sends ", $heartbeat,
                    " and answers, with another gamedir, after the challenge's time is over"
                ),
                slow: Some("challenge-timeout"),
                run: register::late_renewal::<$role>,
                ..LISTED_CASE
            },
            Case {
                id: concat!($game, "0/kept"),
                title: "a server registers and is silent for 7 seconds; a client asks for its gamedir",
                waits: registration::QUIET,
                run: registration::kept::<$role>,
                ..LISTED_CASE
            },
        ];
        SHARED
    }};
}
pub(crate) use register_cases;

pub(super) static SHARED: &[Case] = register_cases!("half-life/", HalfLifeRole, "q", answer: 10);

pub(super) static CASES: &[Case] = &[
    Case {
        id: "half-life/0/document",
        title: "a server of protocol 46, as the document's, registers; a client asks for its gamedir",
        run: |ctx| registration::registered(ctx, &HalfLifeServer::new(ctx)?.with("protocol", "46")),
        ..LISTED_CASE
    },
    Case {
        id: "half-life/0/no-places",
        title: "a server registers whose max is 0; a client asks for its gamedir",
        run: |ctx| {
            let server = HalfLifeServer::new(ctx)?.with("players", "0").with("max", "0");
            registration::note_listed(ctx, &server)
        },
        ..LISTED_CASE
    },
    Case {
        id: "half-life/0/new-state",
        title: "a listed server registers again with another gamedir; clients ask for both",
        run: new_state::<HalfLifeRole>,
        ..LISTED_CASE
    },
];

/// A server that does not answer the `s` is in no list.
pub fn unanswered<R: GamedirRole>(ctx: &TestContext<'_>) -> Done {
    registration::unanswered::<R>(ctx, R::matching(ServerFilter::Text("")))
}

/// A server whose reply has no key `challenge` is not listed.
pub fn without_challenge<R: GamedirRole>(ctx: &TestContext<'_>) -> Done {
    registration::refused::<R>(ctx, |server, _| {
        server.end.send_bytes(&server.state.reply(&server.info, None))
    })
}

/// Reports whether a challenge counts a second time.
pub fn replayed_challenge<R: GamedirRole>(ctx: &TestContext<'_>) -> Done {
    registration::replayed_challenge::<R>(ctx, with_other_game, expect_unlisted)
}

/// A listed server's late answer does not count.
pub fn late_renewal<R: GamedirRole>(ctx: &TestContext<'_>) -> Done {
    registration::late_renewal::<R>(ctx, with_other_game, expect_unlisted)
}

/// A listed server that registers again is listed with its new gamedir, and not with the old one.
pub fn new_state<R: GamedirRole>(ctx: &TestContext<'_>) -> Done {
    let (server, client) = TestServer::<R>::listed(ctx)?;
    let before = gamedir(&server).to_owned();
    let server = with_other_game(server);
    ctx.setup(|| server.register())?;
    client.wait_listed(&server, server.list())?;
    client.expect_unlisted(&server, R::matching(ServerFilter::Gamedir(&before)))
}
