//! Malformed, over-long and random datagrams, and floods: servers get responses as before.

use super::preconditions::CHALLENGED_CASE;
use super::roles::{HalfLifeMessages, HalfLifeServer, ZERO_ADDRESS};
use crate::conform::Case;
use crate::conform::shared::{malformed, registration};
use crate::families::half_life::messages;

/// Bytes of a key or value that no game has.
const LONG: usize = 1000;

pub(super) static CASES: &[Case] = &[
    Case {
        id: "half-life/robust/cut-short",
        title: "a client sends every beginning of every message, the empty one included",
        run: |ctx| {
            let messages = [
                messages::reply(&messages::server_info(), Some("2100453449")),
                messages::get_servers([0; 3]),
                messages::get_region(ZERO_ADDRESS, r"\gamedir\valve"),
                messages::log_off(),
            ];
            registration::survives::<HalfLifeMessages>(ctx, &malformed::truncations(&messages))
        },
        ..CHALLENGED_CASE
    },
    Case {
        id: "half-life/robust/long-values",
        title: "a server registers with a key and a value of a thousand bytes",
        harsh: true,
        run: |ctx| {
            let long = "x".repeat(LONG);
            let server = HalfLifeServer::new(ctx)?.with(&long, "1").with("map", &long);
            ctx.setup(|| server.with("gamedir", &long).register())?;
            registration::heartbeat_answered::<HalfLifeMessages>(ctx)
        },
        ..CHALLENGED_CASE
    },
    Case {
        id: "half-life/robust/longest",
        title: "a client sends datagrams of 65,507 bytes",
        requires: "half-life/robust/cut-short",
        harsh: true,
        run: |ctx| {
            let beginnings: [&[u8]; 5] = [b"", b"q", b"0\n\\", b"1\xff", b"\xff\xff\xff\xffs\n"];
            registration::survives::<HalfLifeMessages>(ctx, &malformed::longest(&beginnings))
        },
        ..CHALLENGED_CASE
    },
    Case {
        id: "half-life/robust/noise",
        title: "a client sends hundreds of datagrams of random bytes",
        requires: "half-life/robust/cut-short",
        exclusive: true,
        harsh: true,
        run: |ctx| {
            let beginnings: [&[u8]; 4] = [b"0\n\\challenge\\", b"1", b"e", b"\xff\xff\xff\xff"];
            registration::survives::<HalfLifeMessages>(ctx, &malformed::noise(&beginnings))
        },
        ..CHALLENGED_CASE
    },
    Case {
        id: "half-life/robust/many-heartbeats",
        title: "a client sends two thousand q",
        exclusive: true,
        harsh: true,
        run: |ctx| {
            registration::survives::<HalfLifeMessages>(
                ctx,
                &vec![messages::heartbeat(); malformed::FLOOD],
            )
        },
        ..CHALLENGED_CASE
    },
];
