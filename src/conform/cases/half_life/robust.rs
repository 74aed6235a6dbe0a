//! Whatever somebody says, the others get their answers.

use super::super::malformed;
use super::LISTS;
use super::ends::{By, Client, Server};
use crate::conform::{Case, Done, MUST, Proven, SHOULD, Sentence, TestContext};
use crate::peer::voice::half_life as voice;
use crate::proto::half_life::HALF_LIFE;

/// Bytes of a key or value that no game has.
const LONG: usize = 1000;

pub(super) static CASES: &[Case] = &[
    Case {
        id: "half-life/robust/cut-short",
        title: "somebody sends every beginning of every message, nothing at all among them",
        requires: "every q is answered, whatever was said before",
        citation: "001 10.1",
        run: |ctx| {
            let nobody = std::net::SocketAddr::from(([0; 4], 0));
            let messages = [
                voice::reply(&voice::persona(), Some("2100453449")),
                voice::get_servers([0; 3]),
                voice::get_region(nobody, r"\gamedir\valve"),
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
        harsh: true,
        run: |ctx| {
            let long = "x".repeat(LONG);
            let server = Server::new(ctx)?.with(&long, "1").with("map", &long);
            server.with("gamedir", &long).register()?;
            Client::new(ctx)?.asks(By::Cursor).map(drop)
        },
        ..MUST
    },
    Case {
        id: "half-life/robust/longest",
        title: "somebody sends the longest datagrams that there are",
        requires: "every q is answered, whatever was said before",
        citation: "001 10.1",
        harsh: true,
        run: |ctx| {
            let beginnings: [&[u8]; 5] = [b"", b"q", b"0\n\\", b"1\xff", b"\xff\xff\xff\xffs\n"];
            survives(ctx, &malformed::longest(&beginnings))
        },
        ..MUST
    },
    Case {
        id: "half-life/robust/noise",
        title: "somebody sends hundreds of datagrams of noise",
        requires: "every q is answered, whatever was said before",
        citation: "001 10.1",
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
        title: "a server sends two thousand heartbeats",
        requires: "who says too much keeps nobody else from being heard",
        citation: "001 10.1, 001 10.2",
        exclusive: true,
        harsh: true,
        run: |ctx| survives(ctx, &vec![voice::heartbeat(); malformed::FLOOD]),
        ..SHOULD
    },
];

/// Says all of these, and sees that heartbeats are answered as before.
fn survives(ctx: &TestContext<'_>, datagrams: &[Vec<u8>]) -> Done {
    let server = Server::new(ctx)?;
    malformed::survives(ctx, LISTS, datagrams, || {
        server.send_heartbeat()?;
        server.recv_challenge().map(drop)
    })
}

pub(super) static SENTENCES: &[Sentence] = &[Sentence {
    game: &HALF_LIFE,
    citation: "001 10.1",
    says: "an s is sent on every q, and so whatever others say",
    proven: Proven::By(&["half-life/robust/*"]),
}];
