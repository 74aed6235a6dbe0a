//! Malformed, over-long and random datagrams, and floods: servers get responses as before.

use super::super::malformed;
use super::LISTS;
use super::ends::{HalfLifeServer, NOBODY};
use super::preconditions::ASKED;
use crate::conform::{Case, Done, MUST, Proven, SHOULD, Sentence, TestContext};
use crate::families::half_life::messages as voice;
use crate::protocols::half_life::HALF_LIFE;

/// Bytes of a key or value that no game has.
const LONG: usize = 1000;

pub(super) static CASES: &[Case] = &[
    Case {
        id: "half-life/robust/cut-short",
        title: "a client sends every beginning of every message, the empty one included",
        requires: "every q is answered, whatever was sent before",
        citation: "001 10.1",
        needs: &[&ASKED],
        run: |ctx| {
            let messages = [
                voice::reply(&voice::persona(), Some("2100453449")),
                voice::get_servers([0; 3]),
                voice::get_region(NOBODY, r"\gamedir\valve"),
                voice::log_off(),
            ];
            survives(ctx, &malformed::truncations(&messages))
        },
        ..MUST
    },
    Case {
        id: "half-life/robust/long-values",
        title: "a server registers with a key and a value of a thousand bytes",
        requires: "every q is answered, whatever a server says of itself",
        citation: "001 10.1, 001 10.3",
        needs: &[&ASKED],
        harsh: true,
        run: |ctx| {
            let long = "x".repeat(LONG);
            let server = HalfLifeServer::new(ctx)?.with(&long, "1").with("map", &long);
            ctx.setup(|| server.with("gamedir", &long).register())?;
            is_asked(ctx)
        },
        ..MUST
    },
    Case {
        id: "half-life/robust/longest",
        title: "a client sends datagrams of 65,507 bytes",
        requires: "every q is answered, whatever was sent before",
        citation: "001 10.1",
        needs: &[&ASKED],
        harsh: true,
        run: |ctx| {
            let beginnings: [&[u8]; 5] = [b"", b"q", b"0\n\\", b"1\xff", b"\xff\xff\xff\xffs\n"];
            survives(ctx, &malformed::longest(&beginnings))
        },
        ..MUST
    },
    Case {
        id: "half-life/robust/noise",
        title: "a client sends hundreds of datagrams of random bytes",
        requires: "every q is answered, whatever was sent before",
        citation: "001 10.1",
        needs: &[&ASKED],
        exclusive: true,
        harsh: true,
        run: |ctx| {
            let beginnings: [&[u8]; 4] = [b"0\n\\challenge\\", b"1", b"e", b"\xff\xff\xff\xff"];
            survives(ctx, &malformed::noise(&beginnings))
        },
        ..MUST
    },
    Case {
        id: "half-life/robust/many-heartbeats",
        title: "a client sends two thousand q",
        requires: "every q is answered; a flood from one address keeps no other server away",
        citation: "001 10.1, 001 10.2",
        needs: &[&ASKED],
        exclusive: true,
        harsh: true,
        run: |ctx| survives(ctx, &vec![voice::heartbeat(); malformed::FLOOD]),
        ..SHOULD
    },
];

/// Sends all of these; a server's heartbeats are answered as before.
fn survives(ctx: &TestContext<'_>, datagrams: &[Vec<u8>]) -> Done {
    malformed::survives(ctx, LISTS, datagrams, || is_asked(ctx))
}

/// The target answers a server's heartbeat.
fn is_asked(ctx: &TestContext<'_>) -> Done {
    let server = HalfLifeServer::new(ctx)?;
    server.send_heartbeat()?;
    server.recv_challenge().map(drop)
}

pub(super) static SENTENCES: &[Sentence] = &[Sentence {
    game: &HALF_LIFE,
    citation: "001 10.1",
    says: "an s is sent on every q, whatever others send",
    proven: Proven::By(&["half-life/robust/*"]),
}];
