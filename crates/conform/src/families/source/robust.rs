//! Malformed, over-long and random datagrams, and floods: servers get responses as before.

use super::preconditions::CHALLENGED_CASE;
use super::roles::SteamRole;
use crate::Case;
use crate::families::half_life::robust::long_values;
use crate::shared::registration;
use crate::shared::robust::robust_cases;
use simulate::families::half_life::messages::{self, ZERO_ADDRESS};

pub(super) static SHARED: &[Case] = robust_cases!(
    "source/", CHALLENGED_CASE,
    survives: registration::survives::<SteamRole>,
    messages: [
        messages::reply(&messages::steam_server_info(), Some("2100453449")),
        messages::get_region(ZERO_ADDRESS, r"\appid\440\nor\2\map\ctf_2fort\empty\1"),
        messages::log_off(),
    ],
    longest: [
        &b""[..], b"q", b"0\n\\", b"1\xff0.0.0.0:0\0\\nor\\9\\", b"\xff\xff\xff\xffs\n",
    ],
    noise: [&b"0\n\\challenge\\"[..], b"1", b"\xff\xff\xff\xff"],
    heartbeat: messages::heartbeat(), "two thousand q", malformed::FLOOD,
    long_values: long_values::<SteamRole>
);

pub(super) static CASES: &[Case] = &[Case {
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
        registration::survives::<SteamRole>(ctx, &asked)
    },
    ..CHALLENGED_CASE
}];
