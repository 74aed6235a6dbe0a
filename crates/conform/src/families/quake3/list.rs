//! Masters list servers: 001 1.1.2, 000 "response format", 004 5) getserversResponse.

use std::ops::Range;
use std::time::Duration;

use super::LISTS;
use super::getservers::only_over_ipv4;
use super::preconditions::{
    ANSWERED_CASE, LIST_ANSWERED, LIST_COMES, LISTED_CASE, RTCW_LISTED, TERRITORY_LIST,
    TERRITORY_LISTED, WOLF_LIST, or_filled,
};
use super::roles::{
    Quake3Client, Quake3Role, Quake3Server, all, expect_whole_records, if_listed, of_protocol,
    own_game,
};
use crate::list::ReceivedList;
use crate::shared::{boundaries, lists};
use crate::{CASE, Case, Done, Failure, ReceivedDatagram};
use simulate::ListForm;
use simulate::families::quake3::messages::{self, Quake3ListRequest};

/// Bytes of a record.
const RECORD: usize = 7;
/// An address whose last two bytes have their highest bits set, and a port of two such bytes.
const HIGH_BITS: &[([u8; 4], u16)] = &[([127, 0, 170, 213], 0xd5aa)];
/// How long a listed server sends nothing, and its minimum timeout for that.
pub const KEPT: Duration = Duration::from_millis(6300);
pub const LONG: Duration = Duration::from_secs(10);

pub(super) static CASES: &[Case] = &[
    Case {
        id: "quake3/getserversResponse/source",
        title: "a client asks for a list",
        run: |ctx| {
            let client = Quake3Client::new(ctx)?;
            or_filled(ctx, || {
                client.send(all(ctx))?;
                client.end.expect("a list", |datagram| Some(datagram.bytes.len())).map(drop)
            })
        },
        needs: &[&LIST_COMES],
        decides: &["quake3/list-answered"],
        ..CASE
    },
    Case {
        id: "quake3/getserversResponse/head",
        title: "a client asks for a list with a server in it",
        run: |ctx| {
            let (_server, client) = Quake3Server::listed(ctx)?;
            let listed = ctx.setup(|| client.request(all(ctx)))?;
            let word =
                if ctx.is_over_ipv4() { "getserversResponse" } else { "getserversExtResponse" };
            let head = [b"\xff\xff\xff\xff", word.as_bytes()].concat();
            match listed.packets.iter().find(|packet| !packet.bytes.starts_with(&head)) {
                Some(packet) => {
                    let begin = packet.bytes.get(..head.len()).unwrap_or_default();
                    let came = render::quoted(begin, usize::MAX);
                    let what = format!("four bytes FF and {word}, in these letters");
                    Err(Failure::new(what, came).within(packet, 0..head.len()))
                }
                None => Ok(()),
            }
        },
        ..LISTED_CASE
    },
    Case {
        id: "quake3/getserversResponse/records",
        title: "a server at a known address and port is listed",
        run: |ctx| {
            let client = Quake3Client::new(ctx)?;
            let mut servers = vec![Quake3Server::of_protocol(ctx, 66)?];
            let list = of_protocol(ctx, 66);
            if let Ok(ends) = boundaries::servers_at(ctx, LISTS, HIGH_BITS) {
                let high = ends.into_iter().map(Quake3Server::at);
                let protocol = list.protocol.to_string();
                servers.extend(high.map(|server| server.with("protocol", &protocol)));
            }
            for server in &servers {
                ctx.setup(|| server.register())?;
                let Err(failure) = client.wait_listed(server, list) else { continue };
                let listed = client.list(list)?;
                if let Some((other, packet, at)) = listed.find_altered(server) {
                    let came = format!("one that holds {other} in its place");
                    return Err(Failure::new(failure.expected, came).within(packet, at));
                }
                // If it is not listed at all: other cases test that.
                let is_swapped = listed.has_swapped(server);
                return Err(if is_swapped { failure } else { failure.in_setup() });
            }
            Ok(())
        },
        ..ANSWERED_CASE
    },
    Case {
        id: "quake3/getserversResponse/backslash-in-address",
        title: "a server whose address is made of backslashes is listed",
        run: |ctx| {
            if !ctx.is_on_loopback() || !ctx.is_over_ipv4() {
                return Err(Failure::skipped("127.92.92.92 reaches no target that is elsewhere"));
            }
            let client = Quake3Client::new(ctx)?;
            let server =
                Quake3Server::at(ctx.server_at(LISTS, [ctx.first_byte(), 92, 92, 92].into())?);
            ctx.setup(|| server.register())?;
            client.wait_listed(&server, all(ctx)).map(drop)
        },
        ..LISTED_CASE
    },
    Case {
        id: "quake3/getserversResponse/doubles",
        title: "a server registers twice, and is listed",
        run: lists::once_each::<Quake3Role>,
        ..LISTED_CASE
    },
    Case {
        id: "quake3/getserversResponse/whole-records",
        title: "a client asks for a list with a server in it",
        run: |ctx| {
            let (server, client) = (Quake3Server::of_protocol(ctx, 67)?, Quake3Client::new(ctx)?);
            ctx.setup(|| server.register())?;
            ctx.until(|| {
                let listed = client.request(of_protocol(ctx, 67))?;
                expect_whole_records(&listed)?;
                match listed.count() {
                    0 => Err(Failure::new("a list with a server", "a list without any").in_setup()),
                    _ => Ok(()),
                }
            })
        },
        ..ANSWERED_CASE
    },
    Case {
        id: "quake3/getserversResponse/steady",
        title: "a client asks six times for a list of eight servers",
        exclusive: true,
        run: |ctx| {
            let (client, list) = (Quake3Client::new(ctx)?, of_protocol(ctx, 67));
            let server = |_| Quake3Server::of_protocol(ctx, 67);
            let servers = (0..8).map(server).collect::<Result<Vec<_>, _>>()?;
            servers.iter().try_for_each(|server| client.setup_listed(server, list).map(drop))?;
            (0..6).try_for_each(|n| {
                if n % 2 == 1 {
                    // A list for another client, to detect a server missing in every second one.
                    ctx.sync(LISTS)?;
                }
                let listed = client.request(list)?;
                servers.iter().try_for_each(|server| listed.expect_listed(server))
            })
        },
        ..LISTED_CASE
    },
    Case {
        id: "quake3/getserversResponse/kept",
        title: "a server is listed and says nothing for six seconds",
        waits: 7,
        run: |ctx| {
            let (server, client) = Quake3Server::listed(ctx)?;
            if ctx.time("server-timeout")? < LONG {
                return Err(Failure::skipped("servers are assumed to be forgotten sooner"));
            }
            ctx.wait(KEPT);
            client.request(all(ctx))?.expect_listed(&server)
        },
        ..LISTED_CASE
    },
    Case {
        id: "quake3/getserversResponse/nobody",
        title: "a client asks for a protocol that no server has",
        needs: &[&LIST_ANSWERED],
        run: |ctx| {
            let client = Quake3Client::new(ctx)?;
            let listed = client.request(Quake3ListRequest { protocol: 7_654_321, ..all(ctx) })?;
            if let Some((_, packet, bytes)) = listed.servers().next() {
                let failure = Failure::new("a list without servers", "one with servers");
                return Err(failure.within(packet, bytes).in_setup());
            }
            ends_with(&listed, |end| end.starts_with(b"\\EOT"), "\\EOT at the end of the list")
        },
        ..CASE
    },
    Case {
        id: "quake3/getserversResponse/end-mark",
        title: "a client asks for servers of protocol 48 and later",
        run: |ctx| {
            let (server, client) = (Quake3Server::of_protocol(ctx, 48)?, Quake3Client::new(ctx)?);
            let listed = client.setup_listed(&server, of_protocol(ctx, 48))?;
            ends_with(&listed, |end| end.starts_with(b"\\EOT"), "\\EOT at the end of the list")
        },
        ..LISTED_CASE
    },
    Case {
        id: "q3master/getserversResponse/end-mark",
        title: "a client asks for servers of protocol 48 and later",
        run: |ctx| {
            if ctx.assumed().settings().list_form != ListForm::Dpmaster {
                let why = "the target is not assumed to end lists as dpmaster does";
                return Err(Failure::skipped(why));
            }
            let (server, client) = (Quake3Server::of_protocol(ctx, 48)?, Quake3Client::new(ctx)?);
            let listed = client.setup_listed(&server, of_protocol(ctx, 48))?;
            let what = "\\EOT and three NUL at the end of the list";
            ends_with(&listed, |end| end == b"\\EOT\0\0\0", what)
        },
        ..LISTED_CASE
    },
    Case {
        id: "q3master/getserversResponse/old-end-mark",
        title: "a client asks for servers of protocol 43, and of 45",
        run: |ctx| {
            only_over_ipv4(ctx)?;
            let client = Quake3Client::new(ctx)?;
            for protocol in [43, 45] {
                if_listed(ctx, protocol)?;
                let server = Quake3Server::new(ctx)?.with("protocol", &protocol.to_string());
                let listed =
                    client.setup_listed(&server, Quake3ListRequest { protocol, ..all(ctx) })?;
                ends_with(&listed, |end| end == b"\\\0", "a backslash and NUL at the end")?;
            }
            Ok(())
        },
        ..LISTED_CASE
    },
    Case {
        id: "rtcw/getservers/listed",
        title: "a client of Return to Castle Wolfenstein sends its request, with a line feed",
        needs: &[&RTCW_LISTED],
        run: |ctx| {
            own_game(ctx)?;
            let client = Quake3Client::new(ctx)?;
            let server = Quake3Server::with_info(ctx, messages::WOLF, messages::server_info("60"))?;
            client.setup_listed(&server, WOLF_LIST)?;
            let words = "empty full demo";
            client
                .wait_listed(&server, Quake3ListRequest { words, line_feed: true, ..WOLF_LIST })
                .map(drop)
        },
        ..CASE
    },
    Case {
        id: "rtcw/getservers/empty-and-full",
        title: "clients of Return to Castle Wolfenstein ask with empty, with full and with neither",
        needs: &[&RTCW_LISTED],
        run: |ctx| {
            own_game(ctx)?;
            let client = Quake3Client::new(ctx)?;
            let server = |clients: &str| {
                let server_info = messages::server_info("60").with("clients", clients);
                let server = Quake3Server::with_info(ctx, messages::WOLF, server_info)?;
                ctx.setup(|| server.register()).map(|()| server)
            };
            let (empty, full) = (server("0")?, server("8")?);
            let with = |words| Quake3ListRequest { words, ..WOLF_LIST };
            client.wait_listed(&empty, with("empty"))?.expect_unlisted(&full)?;
            client.wait_listed(&full, with("full"))?.expect_unlisted(&empty)?;
            let neither = client.request(with(""))?;
            neither.expect_unlisted(&empty)?;
            neither.expect_unlisted(&full)
        },
        ..CASE
    },
    Case {
        id: "enemy-territory/getservers/listed",
        title: "a client of Enemy Territory sends its request, full before empty",
        needs: &[&TERRITORY_LISTED],
        run: |ctx| {
            own_game(ctx)?;
            let client = Quake3Client::new(ctx)?;
            let server =
                Quake3Server::with_info(ctx, messages::TERRITORY, messages::server_info("82"))?;
            client.setup_listed(&server, TERRITORY_LIST)?;
            let list = Quake3ListRequest { words: "full empty", ..TERRITORY_LIST };
            let listed = client.wait_listed(&server, list)?;
            ends_with(&listed, |end| end.starts_with(b"\\EOT"), "\\EOT at the end of the list")
        },
        ..CASE
    },
];

/// The list's last packet has a matching end.
pub fn ends_with(listed: &ReceivedList, fits: impl Fn(&[u8]) -> bool, what: &str) -> Done {
    match listed.ends().next_back() {
        Some((.., end)) if fits(end) => Ok(()),
        Some((packet, at, end)) => Err(wrong_end(packet, at, end, what)),
        None => Err(Failure::new(what, "no list")),
    }
}

/// The end of a packet is not as it should be.
pub fn wrong_end(packet: &ReceivedDatagram, at: Range<usize>, end: &[u8], what: &str) -> Failure {
    if end.is_empty() {
        let at = at.end.saturating_sub(RECORD)..at.end;
        return Failure::new(what, "no end mark").within(packet, at);
    }
    Failure::new(what, render::quoted(end, usize::MAX)).within(packet, at)
}
