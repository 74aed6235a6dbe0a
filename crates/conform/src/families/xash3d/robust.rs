//! Malformed, over-long and random datagrams, and floods: servers get responses as before.

use super::preconditions::CHALLENGED_CASE;
use super::roles::XashRole;
use crate::Case;
use crate::families::half_life::robust::long_values;
use crate::shared::registration;
use crate::shared::robust::robust_cases;
use simulate::families::half_life::messages::{self, XASH_KEY};

pub(super) static SHARED: &[Case] = robust_cases!(
    "xash3d/", CHALLENGED_CASE,
    survives: registration::survives::<XashRole>,
    messages: [
        messages::xash_heartbeat(Some(XASH_KEY)),
        messages::xash_reply(&messages::xash_server_info(), Some("2100453449")),
        messages::get_xash_region(r"\clver\0.21\gamedir\nobody\key\1"),
        messages::log_off(),
    ],
    longest: [&b"q\xff"[..], b"0\n\\", b"1\xff", b"\xff\xff\xff\xffs\n"],
    noise: [
        &b"0\n\\challenge\\"[..], b"1\xff0.0.0.0:0\0\\", b"q\xff", b"\xff\xff\xff\xffinfo ",
    ],
    heartbeat: messages::xash_heartbeat(Some(XASH_KEY)), "two thousand q FF", malformed::FLOOD,
    long_values: long_values::<XashRole>,
);
