//! Masters list servers: 001 1.1.2, 000 "response format", 004 5) getserversResponse.

use std::time::Duration;

use super::LISTS;
use super::ends::{Quake3Client, Quake3List, Quake3Server, all, of_protocol};
use super::getservers::only_over_ipv4;
use super::preconditions::{
    ASKED, LIST_ANSWERED, LISTED, RTCW_LISTED, TERRITORY_LIST, TERRITORY_LISTED, WOLF_LIST,
};
use crate::conform::{Case, Done, Failure, MUST, SHOULD};
use crate::families::quake3::messages::{self as voice, Quake3ListRequest};
use crate::master::ListForm;
use crate::render;

/// Bytes of a record.
const RECORD: usize = 7;
/// How long a listed server sends nothing, and its minimum timeout for that.
pub const KEPT: Duration = Duration::from_millis(6300);
pub const LONG: Duration = Duration::from_secs(10);

pub(super) static CASES: &[Case] = &[
    Case {
        id: "quake3/getserversResponse/source",
        title: "a client asks for a list",
        requires: "the answer comes from the address and port that was asked",
        citation: "001 1.1.2",
        run: |ctx| {
            let client = Quake3Client::new(ctx)?;
            client.0.send_bytes(&client.request(all(ctx)))?;
            client.0.expect("a list", |heard| Some(heard.bytes.len())).map(drop)
        },
        ..MUST
    },
    Case {
        id: "quake3/getserversResponse/records",
        title: "a server at a known address and port is listed",
        requires: "a record is a backslash, four bytes of address and two of port, the most \
                   significant first",
        citation: "001 1.1.2, 000 getserversResponse, 004 5) getserversResponse",
        needs: &[&ASKED],
        run: |ctx| {
            let (server, client) = (Quake3Server::of_protocol(ctx, 66)?, Quake3Client::new(ctx)?);
            ctx.setup(|| server.register())?;
            let list = of_protocol(ctx, 66);
            let Err(failure) = client.wait_listed(&server, list) else {
                return Ok(());
            };
            let listed = ctx.setup(|| client.asks(list))?;
            let mut swapped = server.address();
            swapped.set_port(swapped.port().swap_bytes());
            match listed.servers.iter().find(|(server, ..)| *server == swapped) {
                Some((_, packet, bytes)) => {
                    let came = "its port with the two bytes swapped".to_owned();
                    Err(listed.blame(Failure { came, ..failure }, *packet, bytes.clone()))
                }
                // It is not listed at all: other cases test that.
                None => Err(failure.in_setup()),
            }
        },
        ..MUST
    },
    Case {
        id: "quake3/getserversResponse/backslash-in-address",
        title: "a server whose address is made of backslashes is listed",
        requires: "records have a fixed length, whatever bytes they hold",
        citation: "001 1.1.2, 000 getserversResponse",
        needs: &[&LISTED],
        run: |ctx| {
            if !ctx.is_on_loopback() || !ctx.is_over_ipv4() {
                return Err(Failure::skipped("127.92.92.92 reaches no target that is elsewhere"));
            }
            let client = Quake3Client::new(ctx)?;
            let end = ctx.server_at(LISTS, [127, 92, 92, 92].into())?;
            let server = Quake3Server { end, ..Quake3Server::quake3(ctx)? };
            ctx.setup(|| server.register())?;
            client.wait_listed(&server, all(ctx)).map(drop)
        },
        ..MUST
    },
    Case {
        id: "quake3/getserversResponse/doubles",
        title: "a server registers twice, and is listed",
        requires: "a list holds every server once",
        citation: "001 1.1.2",
        needs: &[&LISTED],
        run: |ctx| {
            let (server, client) = (Quake3Server::quake3(ctx)?, Quake3Client::new(ctx)?);
            ctx.setup(|| server.register())?;
            let listed = client.setup_listed(&server, all(ctx))?;
            let mut all = listed.servers.iter().filter(|(s, ..)| *s == server.address());
            match (all.next(), all.next()) {
                (Some(_), Some((_, packet, bytes))) => {
                    let failure = Failure::new("the server once", "it twice");
                    Err(listed.blame(failure, *packet, bytes.clone()))
                }
                _ => Ok(()),
            }
        },
        ..MUST
    },
    Case {
        id: "quake3/getserversResponse/whole-records",
        title: "a client asks for a list with a server in it",
        requires: "between the command and the end mark there are records of seven bytes (over IPv6 \
                   of nineteen), and nothing else",
        citation: "001 1.1.2, 000 getserversResponse, 004 5) getserversResponse",
        needs: &[&ASKED],
        run: |ctx| {
            let (server, client) = (Quake3Server::of_protocol(ctx, 67)?, Quake3Client::new(ctx)?);
            ctx.setup(|| server.register())?;
            ctx.until(|| {
                let listed = client.asks(of_protocol(ctx, 67))?;
                listed.whole_records()?;
                ctx.setup(|| listed.expect_any())
            })
        },
        ..MUST
    },
    Case {
        id: "quake3/getserversResponse/steady",
        title: "a client asks six times for a list of eight servers",
        requires: "a listed server is in every list until its time is over",
        citation: "004 BEHAVIOUR",
        needs: &[&LISTED],
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
                let listed = client.asks(list)?;
                servers.iter().try_for_each(|server| listed.expect_listed(server))
            })
        },
        ..MUST
    },
    Case {
        id: "quake3/getserversResponse/kept",
        title: "a server is listed and says nothing for six seconds",
        requires: "a listed server stays in the list for minutes: its next heartbeat comes after \
                   300 seconds",
        citation: "001 1.2.9, 004 BEHAVIOUR",
        needs: &[&LISTED],
        waits: 7,
        run: |ctx| {
            let (server, client) = (Quake3Server::quake3(ctx)?, Quake3Client::new(ctx)?);
            client.setup_listed(&server, all(ctx))?;
            if ctx.time("server-timeout")? < LONG {
                return Err(Failure::skipped("servers are assumed to be forgotten sooner"));
            }
            ctx.wait(KEPT);
            client.asks(all(ctx))?.expect_listed(&server)
        },
        ..MUST
    },
    Case {
        id: "quake3/getserversResponse/nobody",
        title: "a client asks for a protocol that no server has",
        requires: "a list without servers is answered too, with its end mark (id's master and \
                   dpmaster do; AlterWare's does not)",
        citation: "001 1.1.2, 000 getserversResponse",
        needs: &[&LIST_ANSWERED],
        run: |ctx| {
            let client = Quake3Client::new(ctx)?;
            let listed = client.asks(Quake3ListRequest { protocol: 7_654_321, ..all(ctx) })?;
            if let Some((_, packet, bytes)) = listed.servers.first() {
                let failure = Failure::new("a list without servers", "one with servers");
                return Err(listed.blame(failure, *packet, bytes.clone()).in_setup());
            }
            ends_with(&listed, |end| end.starts_with(b"\\EOT"), "\\EOT at the end of the list")
        },
        ..SHOULD
    },
    Case {
        id: "quake3/getserversResponse/end-mark",
        title: "a client asks for servers of protocol 48 and later",
        requires: "a backslash and EOT end the list",
        citation: "001 1.1.2, 000 getserversResponse, 004 5) getserversResponse",
        needs: &[&LISTED],
        run: |ctx| {
            let (server, client) = (Quake3Server::of_protocol(ctx, 48)?, Quake3Client::new(ctx)?);
            let listed = client.setup_listed(&server, of_protocol(ctx, 48))?;
            ends_with(&listed, |end| end.starts_with(b"\\EOT"), "\\EOT at the end of the list")
        },
        ..MUST
    },
    Case {
        id: "q3master/getserversResponse/end-mark",
        title: "a client asks for servers of protocol 48 and later",
        requires: "EOT and three NUL bytes follow the last backslash",
        citation: "000 getserversResponse, 004 5) getserversResponse",
        needs: &[&LISTED],
        run: |ctx| {
            if ctx.assumed().settings().list_form == ListForm::Id {
                return Err(Failure::skipped("the target is assumed to end lists as id's does"));
            }
            let (server, client) = (Quake3Server::of_protocol(ctx, 48)?, Quake3Client::new(ctx)?);
            let listed = client.setup_listed(&server, of_protocol(ctx, 48))?;
            let what = "\\EOT and three NUL at the end of the list";
            ends_with(&listed, |end| end == b"\\EOT\0\0\0", what)
        },
        ..MUST
    },
    Case {
        id: "q3master/getserversResponse/old-end-mark",
        title: "a client asks for servers of protocol 43, and of 45",
        requires: "for these protocols a backslash and a NUL end the packet",
        citation: "000 getserversResponse",
        needs: &[&LISTED],
        run: |ctx| {
            only_over_ipv4(ctx)?;
            let client = Quake3Client::new(ctx)?;
            for protocol in [43, 45] {
                let server = Quake3Server::quake3(ctx)?.with("protocol", &protocol.to_string());
                let listed =
                    client.setup_listed(&server, Quake3ListRequest { protocol, ..all(ctx) })?;
                ends_with(&listed, |end| end == b"\\\0", "a backslash and NUL at the end")?;
            }
            Ok(())
        },
        ..MUST
    },
    Case {
        id: "rtcw/getservers/listed",
        title: "a client of Return to Castle Wolfenstein sends its request, with a line feed",
        requires: "a request holds the protocol and the words empty, full and demo",
        citation: "001 8.8",
        needs: &[&RTCW_LISTED],
        run: |ctx| {
            let client = Quake3Client::new(ctx)?;
            let server = Quake3Server::of(ctx, voice::WOLF, voice::persona("60"))?;
            client.setup_listed(&server, WOLF_LIST)?;
            let words = "empty full demo";
            client
                .wait_listed(&server, Quake3ListRequest { words, line_feed: true, ..WOLF_LIST })
                .map(drop)
        },
        ..MUST
    },
    Case {
        id: "rtcw/getservers/empty-and-full",
        title: "clients of Return to Castle Wolfenstein ask with empty, with full and with neither",
        requires: "empty includes servers without players, full those that are full",
        citation: "001 8.8",
        needs: &[&RTCW_LISTED],
        run: |ctx| {
            let client = Quake3Client::new(ctx)?;
            let server = |clients: &str| {
                let persona = voice::persona("60").with("clients", clients);
                let server = Quake3Server::of(ctx, voice::WOLF, persona)?;
                ctx.setup(|| server.register()).map(|()| server)
            };
            let (empty, full) = (server("0")?, server("8")?);
            let with = |words| Quake3ListRequest { words, ..WOLF_LIST };
            client.wait_listed(&empty, with("empty"))?.expect_unlisted(&full)?;
            client.wait_listed(&full, with("full"))?.expect_unlisted(&empty)?;
            let neither = client.asks(with(""))?;
            neither.expect_unlisted(&empty)?;
            neither.expect_unlisted(&full)
        },
        ..MUST
    },
    Case {
        id: "enemy-territory/getservers/listed",
        title: "a client of Enemy Territory sends its request, full before empty",
        requires: "a request holds the protocol and the words full and empty, and is answered with \
                   records and an end mark",
        citation: "001 11.5, 001 11.6",
        needs: &[&TERRITORY_LISTED],
        run: |ctx| {
            let client = Quake3Client::new(ctx)?;
            let server = Quake3Server::of(ctx, voice::TERRITORY, voice::persona("82"))?;
            client.setup_listed(&server, TERRITORY_LIST)?;
            let list = Quake3ListRequest { words: "full empty", ..TERRITORY_LIST };
            let listed = client.wait_listed(&server, list)?;
            ends_with(&listed, |end| end.starts_with(b"\\EOT"), "\\EOT at the end of the list")
        },
        ..MUST
    },
];

/// The list's last packet has a matching end.
pub fn ends_with(listed: &Quake3List, fits: impl Fn(&[u8]) -> bool, what: &str) -> Done {
    match listed.ends.last() {
        Some(end) if fits(end) => Ok(()),
        _ => Err(listed.wrong_end(listed.ends.len().saturating_sub(1), what)),
    }
}

impl Quake3List {
    /// A failure with the packet at fault.
    pub fn blame(&self, failure: Failure, packet: usize, bytes: std::ops::Range<usize>) -> Failure {
        match self.packets.get(packet) {
            Some(heard) => failure.within(heard, bytes),
            None => failure,
        }
    }

    /// The end of a packet is not as it should be.
    pub fn wrong_end(&self, packet: usize, what: &str) -> Failure {
        let end = self.ends.get(packet).map_or(&b""[..], Vec::as_slice);
        let length = self.packets.get(packet).map_or(0, |heard| heard.bytes.len());
        let came = match end {
            [] => "no end mark".to_owned(),
            end => render::quoted(end, usize::MAX),
        };
        let at = if end.is_empty() {
            length.saturating_sub(RECORD)..length
        } else {
            length - end.len()..length
        };
        self.blame(Failure::new(what, came), packet, at)
    }
}
