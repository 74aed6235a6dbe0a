//! Malformed, over-long and random datagrams, and floods: servers get responses as before.

use super::preconditions::CHALLENGED_CASE;
use super::roles::{GamedirRole, HalfLifeRole};
use crate::server::TestServer;
use crate::shared::registration;
use crate::shared::robust::robust_cases;
use crate::{Case, Done, TestContext};
use simulate::families::half_life::messages::{self, ZERO_ADDRESS};

/// Bytes of a key or value that no game has.
const LONG: usize = 1000;

pub(super) static SHARED: &[Case] = robust_cases!(
    "half-life/", CHALLENGED_CASE,
    survives: registration::survives::<HalfLifeRole>,
    messages: [
        messages::reply(&messages::server_info(), Some("2100453449")),
        messages::get_servers([0; 3]),
        messages::get_region(ZERO_ADDRESS, r"\gamedir\valve"),
        messages::log_off(),
    ],
    longest: [&b""[..], b"q", b"0\n\\", b"1\xff", b"\xff\xff\xff\xffs\n"],
    noise: [&b"0\n\\challenge\\"[..], b"1", b"e", b"\xff\xff\xff\xff"],
    heartbeat: messages::heartbeat(), "two thousand q", malformed::FLOOD,
    long_values: long_values::<HalfLifeRole>,
);

/// A server has settings that no game has; others are challenged as before.
pub fn long_values<R: GamedirRole>(ctx: &TestContext<'_>) -> Done {
    let long = "x".repeat(LONG);
    let server = TestServer::<R>::new(ctx)?.with(&long, "1").with("map", &long);
    ctx.setup(|| server.with("gamedir", &long).register())?;
    registration::heartbeat_answered::<R>(ctx)
}
