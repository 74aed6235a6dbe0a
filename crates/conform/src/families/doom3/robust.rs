//! Malformed, over-long and random datagrams, and floods: clients get responses as before.

use std::net::{Ipv4Addr, SocketAddrV4};

use super::LISTS;
use super::preconditions::CHALLENGED_CASE;
use super::roles::{Doom3Client, Doom3Server, all};
use crate::shared::malformed;
use crate::shared::robust::robust_cases;
use crate::{CASE, Case, Done, TestContext};
use simulate::families::doom3::messages;

/// Bytes of a key or value that no game has.
const LONG: usize = 1000;

pub(super) static SHARED: &[Case] = robust_cases!(
    "doom3/", CASE,
    survives: survives,
    messages: [
        messages::heartbeat(),
        messages::info_response(&messages::server_info(), messages::FOURTH, 3, 1),
        messages::get_servers(messages::FOURTH, "", 0),
        messages::version_check(messages::FIRST, "DOOM"),
        messages::srv_auth(messages::FOURTH, CLIENT, 1, Some(0)),
    ],
    longest: [
        &b""[..], b"\xff\xffheartbeat\0", b"\xff\xffgetServers\0", b"\xff\xffinfoResponse\0",
    ],
    noise: [
        &b"\xff\xff"[..], b"\xff\xffinfoResponse\0", b"\xff\xffgetServers\0",
        b"\xff\xffsrvAuth\0",
    ],
    heartbeat: messages::heartbeat(), "two thousand heartbeats", malformed::FLOOD,
);

pub(super) static CASES: &[Case] = &[Case {
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
}];

/// A client that is not there.
const CLIENT: SocketAddrV4 = SocketAddrV4::new(Ipv4Addr::new(192, 0, 2, 55), 1031);

/// Sends all of these; lists are sent as before.
fn survives(ctx: &TestContext<'_>, datagrams: &[Vec<u8>]) -> Done {
    malformed::survives(ctx, LISTS, datagrams, || ctx.sync(LISTS))
}
