//! Malformed, over-long and random datagrams, and floods: clients get responses as before.

use super::LISTS;
use super::preconditions::CHALLENGED_CASE;
use super::roles::{Doom3Client, Doom3Server, all};
use crate::conform::shared::malformed;
use crate::conform::{CASE, Case, Done, TestContext};
use crate::families::doom3::messages;

/// Bytes of a key or value that no game has.
const LONG: usize = 1000;

pub(super) static CASES: &[Case] = &[
    Case {
        id: "doom3/robust/cut-short",
        title: "a client sends every beginning of every message, the empty one included",
        run: |ctx| {
            let server_info = messages::server_info();
            let client = std::net::SocketAddrV4::new([192, 0, 2, 55].into(), 1031);
            let messages = [
                messages::heartbeat(),
                messages::info_response(&server_info, messages::FOURTH, 3, 1),
                messages::get_servers(messages::FOURTH, "", 0),
                messages::version_check(messages::FIRST, "DOOM"),
                messages::srv_auth(messages::FOURTH, client, 1, Some(0)),
            ];
            survives(ctx, &malformed::truncations(&messages))
        },
        ..CASE
    },
    Case {
        id: "doom3/robust/long-values",
        title: "a server registers with a key and a value of a thousand bytes",
        harsh: true,
        run: |ctx| {
            let long = "x".repeat(LONG);
            let server = Doom3Server::new(ctx)?.with(&long, "1").with("si_name", &long);
            ctx.setup(|| server.with("fs_game", &long).register())?;
            Doom3Client::new(ctx)?.request(all(ctx)).map(drop)
        },
        ..CHALLENGED_CASE
    },
    Case {
        id: "doom3/robust/longest",
        title: "a client sends datagrams of 65,507 bytes",
        requires: "doom3/robust/cut-short",
        harsh: true,
        run: |ctx| {
            let beginnings: [&[u8]; 4] =
                [b"", b"\xff\xffheartbeat\0", b"\xff\xffgetServers\0", b"\xff\xffinfoResponse\0"];
            survives(ctx, &malformed::longest(&beginnings))
        },
        ..CASE
    },
    Case {
        id: "doom3/robust/noise",
        title: "a client sends hundreds of datagrams of random bytes",
        requires: "doom3/robust/cut-short",
        exclusive: true,
        harsh: true,
        run: |ctx| {
            let beginnings: [&[u8]; 4] = [
                b"\xff\xff",
                b"\xff\xffinfoResponse\0",
                b"\xff\xffgetServers\0",
                b"\xff\xffsrvAuth\0",
            ];
            survives(ctx, &malformed::noise(&beginnings))
        },
        ..CASE
    },
    Case {
        id: "doom3/robust/many-heartbeats",
        title: "a client sends two thousand heartbeats",
        exclusive: true,
        harsh: true,
        run: |ctx| survives(ctx, &vec![messages::heartbeat(); malformed::FLOOD]),
        ..CASE
    },
];

/// Sends all of these; lists are sent as before.
fn survives(ctx: &TestContext<'_>, datagrams: &[Vec<u8>]) -> Done {
    malformed::survives(ctx, LISTS, datagrams, || ctx.sync(LISTS))
}
