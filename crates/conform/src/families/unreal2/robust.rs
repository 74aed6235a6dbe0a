//! Whatever one connection sends, the others get their answers.

use super::MASTER;
use super::preconditions::{LIST_CASE, LISTED_CASE};
use super::roles::{UnrealConnection, UnrealServer, list};
use crate::{Case, Done, TestContext};
use simulate::families::unreal2::frames::{self, CLIENT, VERSION};

/// Bytes that a client sends without ever ending a frame.
const ENDLESS: usize = 1 << 20;
/// How many of them it sends at once.
const PIECE: usize = 4096;

pub(super) static CASES: &[Case] = &[
    Case {
        id: "ut2004/robust/cut-short",
        title: "clients connect, send the beginning of a frame, and disconnect",
        run: |ctx| {
            let whole = frames::login(CLIENT, VERSION);
            for length in [0, 1, 3, 4, 5, whole.len() / 2, whole.len() - 1] {
                let mut client = ctx.setup(|| UnrealConnection::new(ctx))?;
                _ = client.stream.send_bytes(whole.get(..length).unwrap_or_default());
            }
            let request = frames::list_request(&[]);
            for length in [1, 4, request.len() - 1] {
                let mut client = UnrealConnection::verified(ctx)?;
                _ = client.stream.send_bytes(request.get(..length).unwrap_or_default());
            }
            list(ctx, &[]).map(drop)
        },
        ..LIST_CASE
    },
    Case {
        id: "ut2004/robust/wrong-lengths",
        title: "clients send frames of no byte, and lengths that no frame has",
        requires: "ut2004/robust/cut-short",
        run: |ctx| {
            for bytes in [
                &b"\0\0\0\0"[..],
                b"\xff\xff\xff\xff\0",
                b"\0\0\0\x80\0",
                b"\xff\xff\xff\x7f\0",
                b"\x01\0\0\0\0",
                b"\x02\0\0\0\x40\xff",
                b"\x06\0\0\0\x7f\xff\xff\xff\x0f\0",
            ] {
                foreign(ctx, bytes)?;
            }
            list(ctx, &[]).map(drop)
        },
        ..LIST_CASE
    },
    Case {
        id: "ut2004/robust/wrong-counts",
        title: "clients ask with more filters than they send; a server's heartbeat has wrong counts",
        requires: "ut2004/robust/cut-short",
        run: |ctx| {
            for request in [&b"\x02\0\0\0\0\xff"[..], b"\x05\0\0\0\0\x02\x02a\0", b"\x01\0\0\0\0"] {
                let mut client = UnrealConnection::verified(ctx)?;
                _ = client.stream.send_bytes(request);
            }
            for heartbeat in [&b"\x02\0\0\0\x01\xff"[..], b"\x06\0\0\0\x01\0\0\0\0\0"] {
                let mut server = ctx.setup(|| UnrealServer::new(ctx))?;
                _ = server.stream.send_bytes(heartbeat);
            }
            list(ctx, &[]).map(drop)
        },
        ..LISTED_CASE
    },
    Case {
        id: "ut2004/robust/foreign",
        title: "clients connect, send what is no frame, and disconnect",
        requires: "ut2004/robust/cut-short",
        run: |ctx| {
            for bytes in
                [&b"GET / HTTP/1.1\r\n\r\n"[..], b"\xff\xff\xff\xffgetservers", b"\\list\\"]
            {
                foreign(ctx, bytes)?;
            }
            list(ctx, &[]).map(drop)
        },
        ..LIST_CASE
    },
    Case {
        id: "ut2004/robust/endless",
        title: "a client sends a megabyte without ever ending a frame",
        requires: "ut2004/robust/cut-short",
        harsh: true,
        run: |ctx| {
            let mut client = ctx.setup(|| UnrealConnection::new(ctx))?;
            _ = client.stream.send_bytes(b"\xff\xff\xff\x00");
            for _ in 0..ENDLESS / PIECE {
                if client.stream.send_bytes(&[b'x'; PIECE]).is_err() {
                    break;
                }
            }
            list(ctx, &[]).map(drop)
        },
        ..LIST_CASE
    },
    Case {
        id: "ut2004/robust/in-pieces",
        title: "a client logs in and asks byte by byte",
        run: |ctx| {
            let mut client = ctx.setup(|| UnrealConnection::new(ctx))?;
            client.stream.send_in_pieces(&frames::login(CLIENT, VERSION))?;
            let verdict = client.recv_verdict("a verdict");
            ctx.report(if verdict.is_ok() { "a verdict" } else { "no verdict" })
        },
        ..LIST_CASE
    },
    Case {
        id: "ut2004/robust/at-once",
        title: "a client sends what it answers to its approval and its request in one segment",
        run: |ctx| {
            let mut client = UnrealConnection::approved(ctx)?;
            let both = [frames::approved_response(), frames::list_request(&[])].concat();
            client.stream.send_bytes(&both)?;
            client.recv_verdict("VERIFIED")?;
            let listed = client.recv_list();
            ctx.report(if listed.is_ok() { "a list" } else { "no list" })
        },
        ..LIST_CASE
    },
];

/// A client sends something after the challenge, and disconnects.
fn foreign(ctx: &TestContext<'_>, bytes: &[u8]) -> Done {
    let mut stream = ctx.stream(MASTER)?;
    // A master may have closed before all is sent.
    _ = stream.send_bytes(bytes);
    Ok(())
}
