//! Malformed, over-long and random datagrams, and floods: servers get responses as before.

use super::super::malformed;
use super::LISTS;
use super::ends::{KEY, XashServer};
use super::preconditions::ASKED;
use crate::conform::{Case, Done, MUST, Proven, SHOULD, Sentence, TestContext};
use crate::families::half_life::messages as voice;
use crate::protocols::half_life::HALF_LIFE;

/// Bytes of a key or value that no game has.
const LONG: usize = 1000;

pub(super) static CASES: &[Case] = &[
    Case {
        id: "xash3d/robust/cut-short",
        title: "a client sends every beginning of every message, the empty one included",
        requires: "every q is answered, whatever was sent before",
        citation: "001 10.1",
        needs: &[&ASKED],
        run: |ctx| {
            let messages = [
                voice::xash_heartbeat(Some(KEY)),
                voice::xash_reply(&voice::xash_persona(), Some("2100453449")),
                voice::get_xash_region(r"\clver\0.21\gamedir\nobody\key\1"),
                voice::log_off(),
            ];
            survives(ctx, &malformed::truncations(&messages))
        },
        ..MUST
    },
    Case {
        id: "xash3d/robust/long-values",
        title: "a server answers with a key and a value of a thousand bytes",
        requires: "every q is answered, whatever a server says of itself",
        citation: "001 10.1, 001 10.3",
        needs: &[&ASKED],
        harsh: true,
        run: |ctx| {
            let long = "x".repeat(LONG);
            let server = XashServer::new(ctx)?.with(&long, "1").with("map", &long);
            let challenge = server.asked()?;
            server.answer(challenge)?;
            is_asked(ctx)
        },
        ..MUST
    },
    Case {
        id: "xash3d/robust/longest",
        title: "a client sends datagrams of 65,507 bytes",
        requires: "every q is answered, whatever was sent before",
        citation: "001 10.1",
        needs: &[&ASKED],
        harsh: true,
        run: |ctx| {
            let beginnings: [&[u8]; 4] = [b"q\xff", b"0\n\\", b"1\xff", b"\xff\xff\xff\xffs\n"];
            survives(ctx, &malformed::longest(&beginnings))
        },
        ..MUST
    },
    Case {
        id: "xash3d/robust/noise",
        title: "a client sends hundreds of datagrams of random bytes",
        requires: "every q is answered, whatever was sent before",
        citation: "001 10.1",
        needs: &[&ASKED],
        exclusive: true,
        harsh: true,
        run: |ctx| {
            let beginnings: [&[u8]; 4] =
                [b"0\n\\challenge\\", b"1\xff0.0.0.0:0\0\\", b"q\xff", b"\xff\xff\xff\xffinfo "];
            survives(ctx, &malformed::noise(&beginnings))
        },
        ..MUST
    },
    Case {
        id: "xash3d/robust/many-heartbeats",
        title: "a client sends two thousand q FF",
        requires: "every q is answered; a flood from one address keeps no other server away",
        citation: "001 10.1, 001 10.2",
        needs: &[&ASKED],
        exclusive: true,
        harsh: true,
        run: |ctx| survives(ctx, &vec![voice::xash_heartbeat(Some(KEY)); malformed::FLOOD]),
        ..SHOULD
    },
];

/// Sends all of these; a server's heartbeats are answered as before.
fn survives(ctx: &TestContext<'_>, datagrams: &[Vec<u8>]) -> Done {
    malformed::survives(ctx, LISTS, datagrams, || is_asked(ctx))
}

/// The target answers a server's heartbeat.
fn is_asked(ctx: &TestContext<'_>) -> Done {
    let server = XashServer::new(ctx)?;
    server.send_heartbeat()?;
    server.recv_challenge().map(drop)
}

pub(super) static SENTENCES: &[Sentence] = &[Sentence {
    game: &HALF_LIFE,
    citation: "001 10.1",
    says: "an s is sent on every q of Xash3D's servers, whatever others send",
    proven: Proven::By(&["xash3d/robust/*"]),
}];
