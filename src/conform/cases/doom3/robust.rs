//! Malformed, over-long and random datagrams, and floods: clients get responses as before.

use super::super::malformed;
use super::LISTS;
use super::ends::{Doom3Client, Doom3Server, all};
use super::preconditions::{ANSWERS, ASKED};
use crate::conform::{Case, Done, MUST, Proven, SHOULD, Sentence, TestContext};
use crate::families::doom3::messages as voice;
use crate::protocols::doom3::DOOM3;

/// Bytes of a key or value that no game has.
const LONG: usize = 1000;

pub(super) static CASES: &[Case] = &[
    Case {
        id: "doom3/robust/cut-short",
        title: "a client sends every beginning of every message, the empty one included",
        requires: "getServers is answered, whatever was sent before",
        citation: "001 9.1",
        needs: &[&ANSWERS],
        run: |ctx| {
            let persona = voice::persona();
            let client = std::net::SocketAddrV4::new([192, 0, 2, 55].into(), 1031);
            let messages = [
                voice::heartbeat(),
                voice::info_response(&persona, voice::FOURTH, 3, 1),
                voice::get_servers(voice::FOURTH, "", 0),
                voice::version_check(voice::FIRST, "DOOM"),
                voice::srv_auth(voice::FOURTH, client, 1, Some(0)),
            ];
            survives(ctx, &malformed::truncations(&messages))
        },
        ..MUST
    },
    Case {
        id: "doom3/robust/long-values",
        title: "a server registers with a key and a value of a thousand bytes",
        requires: "getServers is answered, whatever a server says of itself",
        citation: "001 9.1, 001 9.5",
        needs: &[&ASKED],
        harsh: true,
        run: |ctx| {
            let long = "x".repeat(LONG);
            let server = Doom3Server::new(ctx)?.with(&long, "1").with("si_name", &long);
            ctx.setup(|| server.with("fs_game", &long).register())?;
            Doom3Client::new(ctx)?.asks(all(ctx)).map(drop)
        },
        ..MUST
    },
    Case {
        id: "doom3/robust/longest",
        title: "a client sends datagrams of 65,507 bytes",
        requires: "getServers is answered, whatever was sent before",
        citation: "001 9.1",
        needs: &[&ANSWERS],
        harsh: true,
        run: |ctx| {
            let beginnings: [&[u8]; 4] =
                [b"", b"\xff\xffheartbeat\0", b"\xff\xffgetServers\0", b"\xff\xffinfoResponse\0"];
            survives(ctx, &malformed::longest(&beginnings))
        },
        ..MUST
    },
    Case {
        id: "doom3/robust/noise",
        title: "a client sends hundreds of datagrams of random bytes",
        requires: "getServers is answered, whatever was sent before",
        citation: "001 9.1",
        needs: &[&ANSWERS],
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
        ..MUST
    },
    Case {
        id: "doom3/robust/many-heartbeats",
        title: "a client sends two thousand heartbeats",
        requires: "getServers is answered; a flood from one address keeps no other client away",
        citation: "001 9.1, 001 9.7",
        needs: &[&ANSWERS],
        exclusive: true,
        harsh: true,
        run: |ctx| survives(ctx, &vec![voice::heartbeat(); malformed::FLOOD]),
        ..SHOULD
    },
];

/// Sends all of these; lists are sent as before.
fn survives(ctx: &TestContext<'_>, datagrams: &[Vec<u8>]) -> Done {
    malformed::survives(ctx, LISTS, datagrams, || ctx.sync(LISTS))
}

pub(super) static SENTENCES: &[Sentence] = &[Sentence {
    game: &DOOM3,
    citation: "001 9.1",
    says: "getServers asks for the list, and is answered, whatever others send",
    proven: Proven::By(&["doom3/robust/*"]),
}];
