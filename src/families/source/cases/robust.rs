//! Malformed, over-long and random datagrams, and floods: servers get responses as before.

use super::preconditions::CHALLENGED_CASE;
use super::roles::{SteamMessages, SteamServer, ZERO_ADDRESS};
use crate::conform::Case;
use crate::conform::shared::{malformed, registration};
use crate::families::half_life::messages;

/// Bytes of a key or value that no game has.
const LONG: usize = 1000;

pub(super) static CASES: &[Case] = &[
    Case {
        id: "source/robust/cut-short",
        title: "a client sends every beginning of every message, the empty one included",
        run: |ctx| {
            let messages = [
                messages::reply(&messages::steam_server_info(), Some("2100453449")),
                messages::get_region(ZERO_ADDRESS, r"\appid\440\nor\2\map\ctf_2fort\empty\1"),
                messages::log_off(),
            ];
            registration::survives::<SteamMessages>(ctx, &malformed::truncations(&messages))
        },
        ..CHALLENGED_CASE
    },
    Case {
        id: "source/robust/odd-filters",
        title: "a client asks with groups of more conditions than there are, of none, in groups, and \
                with thousands of conditions",
        requires: "source/robust/cut-short",
        run: |ctx| {
            let filters = [
                r"\nor\9\map\a".to_owned(),
                r"\nand\0\nor\0".to_owned(),
                r"\nor\4294967296\map\a\nand\-1\map\b".to_owned(),
                r"\nor\1".repeat(300),
                r"\nand\2\map\a".repeat(100),
                r"\map\a".repeat(2000),
                r"\gametype\,,,,\name_match\*****a".to_owned(),
                "\\\\\\\\".to_owned(),
            ];
            let asked = filters.map(|filter| messages::get_region(ZERO_ADDRESS, &filter));
            registration::survives::<SteamMessages>(ctx, &asked)
        },
        ..CHALLENGED_CASE
    },
    Case {
        id: "source/robust/long-values",
        title: "a server registers with a key and values of a thousand bytes",
        harsh: true,
        run: |ctx| {
            let long = "x".repeat(LONG);
            let server = SteamServer::new(ctx)?.with(&long, "1").with("map", &long);
            ctx.setup(|| server.with("gamedir", &long).register())?;
            registration::heartbeat_answered::<SteamMessages>(ctx)
        },
        ..CHALLENGED_CASE
    },
    Case {
        id: "source/robust/longest",
        title: "a client sends datagrams of 65,507 bytes",
        requires: "source/robust/cut-short",
        harsh: true,
        run: |ctx| {
            let beginnings: [&[u8]; 5] =
                [b"", b"q", b"0\n\\", b"1\xff0.0.0.0:0\0\\nor\\9\\", b"\xff\xff\xff\xffs\n"];
            registration::survives::<SteamMessages>(ctx, &malformed::longest(&beginnings))
        },
        ..CHALLENGED_CASE
    },
    Case {
        id: "source/robust/noise",
        title: "a client sends hundreds of datagrams of random bytes",
        requires: "source/robust/cut-short",
        exclusive: true,
        harsh: true,
        run: |ctx| {
            let beginnings: [&[u8]; 3] = [b"0\n\\challenge\\", b"1", b"\xff\xff\xff\xff"];
            registration::survives::<SteamMessages>(ctx, &malformed::noise(&beginnings))
        },
        ..CHALLENGED_CASE
    },
    Case {
        id: "source/robust/many-heartbeats",
        title: "a client sends two thousand q",
        exclusive: true,
        harsh: true,
        run: |ctx| {
            let flood = vec![messages::heartbeat(); malformed::FLOOD];
            registration::survives::<SteamMessages>(ctx, &flood)
        },
        ..CHALLENGED_CASE
    },
];
