//! Whatever one sender sends, the others get their responses.

use super::preconditions::{LIST_READ, QUERIED_CASE};
use super::roles::{GamespyClient, GamespyServer, list};
use super::{LISTS, SERVERS};
use crate::shared::malformed;
use crate::{CASE, Case, Done, TestContext};
use simulate::families::gamespy::messages::{self, CHANGED};

/// Bytes of a key or value that no game has.
const LONG: usize = 1000;
/// Bytes that a client sends without ever ending a message.
const ENDLESS: usize = 1 << 20;
/// A port on which no test's server gets queries.
const PORT: u16 = 65_535;

pub(super) static CASES: &[Case] = &[
    Case {
        id: "gamespy/robust/cut-short",
        title: "somebody sends every beginning of every message, and empty datagrams",
        run: |ctx| {
            let messages = [
                messages::heartbeat(PORT, messages::UNREAL, CHANGED),
                messages::reply(br"\gamename\ut\gamever\451\location\0\validate\2/TYFMRc"),
                messages::part(br"\gamename\ut", 1, false),
            ];
            survives(ctx, &malformed::truncations(&messages))
        },
        ..QUERIED_CASE
    },
    Case {
        id: "gamespy/robust/long-values",
        title: "a server answers with a key and a value of a thousand bytes beside the proof",
        harsh: true,
        run: |ctx| {
            let long = "x".repeat(LONG);
            let (server, query) = GamespyServer::with_query(ctx, messages::UNREAL)?;
            let proof = messages::proof(&server.game, &query.request.proof);
            let pairs = format!(r"\{long}\1\gamever\{long}");
            server.answer_with(&query, &[proof.as_slice(), pairs.as_bytes()].concat())?;
            GamespyServer::new(ctx)?.queried().map(drop)
        },
        ..QUERIED_CASE
    },
    Case {
        id: "gamespy/robust/longest",
        title: "somebody sends the longest datagrams that there are",
        requires: "gamespy/robust/cut-short",
        harsh: true,
        run: |ctx| {
            let beginnings: [&[u8]; 4] = [
                b"",
                br"\heartbeat\8777\gamename\",
                br"\gamename\ut\validate\",
                br"\heartbeat\8777\gamename\ut\",
            ];
            survives(ctx, &malformed::longest(&beginnings))
        },
        ..QUERIED_CASE
    },
    Case {
        id: "gamespy/robust/noise",
        title: "somebody sends hundreds of datagrams of noise",
        requires: "gamespy/robust/cut-short",
        exclusive: true,
        harsh: true,
        run: |ctx| {
            let beginnings: [&[u8]; 4] =
                [br"\heartbeat\", br"\gamename\", br"\validate\", br"\queryid\"];
            survives(ctx, &malformed::noise(&beginnings))
        },
        ..QUERIED_CASE
    },
    Case {
        id: "gamespy/robust/many-heartbeats",
        title: "somebody sends two thousand heartbeats of a server that does not answer",
        exclusive: true,
        harsh: true,
        run: |ctx| {
            let heartbeat = messages::heartbeat(PORT, messages::UNREAL, CHANGED);
            survives(ctx, &vec![heartbeat; malformed::FLOOD])
        },
        ..QUERIED_CASE
    },
    Case {
        id: "gamespy/robust/foreign-words",
        title: "clients connect, send what is no message, or nothing, and disconnect",
        needs: &[&LIST_READ],
        run: |ctx| {
            for words in [&b""[..], b"GET / HTTP/1.1\r\n\r\n", b"\0\xff\0\xff", br"\final\"] {
                let mut stream = ctx.stream(LISTS)?;
                // A master may have closed before all is sent.
                _ = stream.send_bytes(words);
            }
            list(ctx, messages::UNREAL).map(drop)
        },
        ..CASE
    },
    Case {
        id: "gamespy/robust/endless",
        title: "a client sends a megabyte without ever ending a message",
        requires: "gamespy/robust/foreign-words",
        harsh: true,
        needs: &[&LIST_READ],
        run: |ctx| {
            let mut client = ctx.setup(|| GamespyClient::new(ctx))?;
            _ = client.stream.send_bytes(br"\gamename\");
            for _ in 0..ENDLESS / LONG {
                if client.stream.send_bytes(&[b'x'; LONG]).is_err() {
                    break;
                }
            }
            list(ctx, messages::UNREAL).map(drop)
        },
        ..CASE
    },
];

/// Sends all of these; a server's first heartbeat is answered as before.
fn survives(ctx: &TestContext<'_>, datagrams: &[Vec<u8>]) -> Done {
    malformed::survives(ctx, SERVERS, datagrams, || ctx.sync(SERVERS))?;
    GamespyServer::new(ctx)?.queried().map(drop)
}
