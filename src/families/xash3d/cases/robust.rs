//! Malformed, over-long and random datagrams, and floods: servers get responses as before.

use super::preconditions::CHALLENGED_CASE;
use super::roles::{KEY, XashMessages, XashServer};
use crate::conform::Case;
use crate::conform::shared::{malformed, registration};
use crate::families::half_life::messages;

/// Bytes of a key or value that no game has.
const LONG: usize = 1000;

pub(super) static CASES: &[Case] = &[
    Case {
        id: "xash3d/robust/cut-short",
        title: "a client sends every beginning of every message, the empty one included",
        run: |ctx| {
            let messages = [
                messages::xash_heartbeat(Some(KEY)),
                messages::xash_reply(&messages::xash_server_info(), Some("2100453449")),
                messages::get_xash_region(r"\clver\0.21\gamedir\nobody\key\1"),
                messages::log_off(),
            ];
            registration::survives::<XashMessages>(ctx, &malformed::truncations(&messages))
        },
        ..CHALLENGED_CASE
    },
    Case {
        id: "xash3d/robust/long-values",
        title: "a server answers with a key and a value of a thousand bytes",
        harsh: true,
        run: |ctx| {
            let long = "x".repeat(LONG);
            let server = XashServer::new(ctx)?.with(&long, "1").with("map", &long);
            server.answer_request(&server.challenged()?)?;
            registration::heartbeat_answered::<XashMessages>(ctx)
        },
        ..CHALLENGED_CASE
    },
    Case {
        id: "xash3d/robust/longest",
        title: "a client sends datagrams of 65,507 bytes",
        requires: "xash3d/robust/cut-short",
        harsh: true,
        run: |ctx| {
            let beginnings: [&[u8]; 4] = [b"q\xff", b"0\n\\", b"1\xff", b"\xff\xff\xff\xffs\n"];
            registration::survives::<XashMessages>(ctx, &malformed::longest(&beginnings))
        },
        ..CHALLENGED_CASE
    },
    Case {
        id: "xash3d/robust/noise",
        title: "a client sends hundreds of datagrams of random bytes",
        requires: "xash3d/robust/cut-short",
        exclusive: true,
        harsh: true,
        run: |ctx| {
            let beginnings: [&[u8]; 4] =
                [b"0\n\\challenge\\", b"1\xff0.0.0.0:0\0\\", b"q\xff", b"\xff\xff\xff\xffinfo "];
            registration::survives::<XashMessages>(ctx, &malformed::noise(&beginnings))
        },
        ..CHALLENGED_CASE
    },
    Case {
        id: "xash3d/robust/many-heartbeats",
        title: "a client sends two thousand q FF",
        exclusive: true,
        harsh: true,
        run: |ctx| {
            registration::survives::<XashMessages>(
                ctx,
                &vec![messages::xash_heartbeat(Some(KEY)); malformed::FLOOD],
            )
        },
        ..CHALLENGED_CASE
    },
];
