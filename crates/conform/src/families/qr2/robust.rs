//! Malformed, over-long and random messages, and floods: servers and clients get answers as before.

use super::preconditions::{CHALLENGED_CASE, LIST_READ};
use super::roles::{BrowseClient, Qr2Role, Qr2Server, request};
use super::{LISTS, SERVERS};
use crate::shared::registration;
use crate::shared::robust::robust_cases;
use crate::{CASE, Case};
use simulate::ServerInfo;
use simulate::families::qr2::messages::{self, StateChange};

/// Bytes of a key or value that no game has.
const LONG: usize = 600;
/// Bytes that a client sends behind a length that is no message's.
const ENDLESS: usize = 1 << 20;
/// An address where nobody is asked.
const NOBODY: &str = "192.0.2.1:29900";

pub(super) static SHARED: &[Case] = robust_cases!(
    "qr2/", CHALLENGED_CASE,
    survives: registration::survives::<Qr2Role>,
    messages: [
        example(&messages::server_info()),
        messages::response(1, b"MU9aQCni2j90asCRMKiMkkbqSsf0ugAA"),
        messages::keepalive(1),
        messages::available(messages::TEST),
        b"\x07\0\0\0\x01\0\0\0\x07".to_vec(),
    ],
    longest: BEGINNINGS,
    noise: BEGINNINGS,
    heartbeat: example(&messages::server_info()), "two thousand heartbeats of a server that does not answer", malformed::FLOOD,
);

pub(super) static CASES: &[Case] = &[
    Case {
        id: "qr2/robust/wrong-counts",
        title: "somebody sends heartbeats whose tables have other counts than rows",
        requires: "qr2/robust/cut-short",
        run: |ctx| {
            let heartbeat = example(&messages::server_info());
            let settings = heartbeat.get(..heartbeat.len().saturating_sub(4)).unwrap_or_default();
            let tables: [&[u8]; 5] = [
                b"\0\x40player_\0score_\0\0Alfa\0",
                b"\xff\xffplayer_\0\0",
                b"\0\x01\0\0\0",
                b"\xff",
                b"\0\0\xff\xffteam_t\0",
            ];
            let datagrams: Vec<_> =
                tables.iter().map(|table| [settings, *table].concat()).collect();
            registration::survives::<Qr2Role>(ctx, &datagrams)
        },
        ..CHALLENGED_CASE
    },
    Case {
        id: "qr2/robust/long-values",
        title: "somebody sends a heartbeat with a key and a value of 600 bytes",
        harsh: true,
        run: |ctx| {
            let long = "x".repeat(LONG);
            let info = messages::server_info().with(&long, "1").with("mapname", &long);
            registration::survives::<Qr2Role>(ctx, &[example(&info)])
        },
        ..CHALLENGED_CASE
    },
    Case {
        id: "qr2/robust/list-cut-short",
        title: "clients connect, send the beginning of a request, and disconnect",
        needs: &[&LIST_READ],
        run: |ctx| {
            let whole = request(messages::TEST, "", r"\hostname");
            for length in [0, 1, 2, 3, 5, 9, whole.len() / 2, whole.len() - 1] {
                let begins = whole.get(..length).unwrap_or_default().to_vec();
                drop(BrowseClient::new(ctx, begins)?);
            }
            BrowseClient::new(ctx, request(messages::TEST, "", r"\hostname"))?.expect_answer()
        },
        ..CASE
    },
    Case {
        id: "qr2/robust/list-foreign",
        title: "clients connect, send what is no request, and disconnect",
        requires: "qr2/robust/list-cut-short",
        needs: &[&LIST_READ],
        run: |ctx| {
            for bytes in [
                &b"GET / HTTP/1.1\r\n\r\n"[..],
                b"\0\0",
                b"\0\x02\0\x02",
                b"\0\x09\0\x01\x03\0\0\0\0",
                b"\0\x14\0\x01\x03\0\0\0\0no end of text",
                b"\0\x0a\x7f\x01\x03\0\0\0\0\0",
                b"\\gamename\\gmtest\\final\\",
            ] {
                let mut stream = ctx.stream(LISTS)?;
                // A master may have closed before all is sent.
                _ = stream.send_bytes(bytes);
            }
            BrowseClient::new(ctx, request(messages::TEST, "", r"\hostname"))?.expect_answer()
        },
        ..CASE
    },
    Case {
        id: "qr2/robust/list-endless",
        title: "a client sends a megabyte that is no request",
        requires: "qr2/robust/list-cut-short",
        harsh: true,
        needs: &[&LIST_READ],
        run: |ctx| {
            let mut stream = ctx.stream(LISTS)?;
            _ = stream.send_bytes(b"\xff\xff\0\x01\x03");
            for _ in 0..ENDLESS / 4096 {
                if stream.send_bytes(&[b'x'; 4096]).is_err() {
                    break;
                }
            }
            BrowseClient::new(ctx, request(messages::TEST, "", r"\hostname"))?.expect_answer()
        },
        ..CASE
    },
    Case {
        id: "qr2/robust/others-messages",
        title: "a server registers after somebody sent it what only masters send",
        requires: "qr2/robust/cut-short",
        run: |ctx| {
            let server = Qr2Server::new(ctx)?;
            for bytes in [
                &b"\xfe\xfd\x01\0\0\0\x01LabChal000CB00713274CC\0"[..],
                b"\xfe\xfd\x0a\0\0\0\x01",
                b"\xfe\xfd\x04\0\0\0\x01\x01no\0",
            ] {
                server.end.send_bytes(bytes)?;
            }
            ctx.sync(SERVERS)?;
            server.is_challenged()
        },
        ..CHALLENGED_CASE
    },
];

/// How messages begin.
const BEGINNINGS: [&[u8]; 5] = [
    b"\x03\0\0\0\x01localip0\0",
    b"\x03\0\0\0\x01gamename\0gmtest\0",
    b"\x01\0\0\0\x01",
    b"\x09\0\0\0\0",
    b"\xfe\xfd\x06",
];

/// The heartbeat of a server where nobody is asked.
fn example(info: &ServerInfo) -> Vec<u8> {
    let at = NOBODY.parse().unwrap_or(([192, 0, 2, 1], 29900).into());
    messages::heartbeat(1, at, StateChange::Begins, messages::TEST, info)
}
