//! Masters list servers: 001 1.1.2, 000 "response format", 004 5) getserversResponse.

use std::collections::BTreeSet;

use super::LISTS;
use super::ends::{ALL, Client, Listed, Server};
use crate::conform::{Case, Datagram, Done, Failure, MUST, SHOULD, TestContext};
use crate::dump;
use crate::master::ListForm;
use crate::peer::voice::quake3::{self as voice, List};

/// More servers than any packet holds.
const CROWD: usize = 230;
/// Bytes of a record.
const RECORD: usize = 7;

pub(super) static CASES: &[Case] = &[
    Case {
        id: "quake3/getserversResponse/source",
        title: "a client asks for a list",
        requires: "the answer comes from the address and port that was asked",
        citation: "001 1.1.2",
        run: |ctx| {
            let client = Client::new(ctx)?;
            client.0.send_bytes(&ALL.plain())?;
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
        run: |ctx| {
            let (server, client) = (Server::quake3(ctx)?.with("protocol", "66"), Client::new(ctx)?);
            server.register()?;
            let list = List { protocol: 66, ..ALL };
            let Err(failure) = client.wait_listed(&server, list) else {
                return Ok(());
            };
            let listed = client.asks(list)?;
            let mut swapped = server.address();
            swapped.set_port(swapped.port().swap_bytes());
            match listed.servers.iter().find(|(server, ..)| *server == swapped) {
                Some((_, packet, bytes)) => {
                    let came = "its port with the two bytes swapped".to_owned();
                    Err(listed.blame(Failure { came, ..failure }, *packet, bytes.clone()))
                }
                None => Err(failure),
            }
        },
        ..MUST
    },
    Case {
        id: "quake3/getserversResponse/backslash-in-address",
        title: "a server whose address is made of backslashes is listed",
        requires: "records have a fixed length, whatever bytes they hold",
        citation: "001 1.1.2, 000 getserversResponse",
        run: |ctx| {
            if !ctx.is_on_loopback() || !ctx.is_over_ipv4() {
                return Err(Failure::skipped("127.92.92.92 reaches no target that is elsewhere"));
            }
            let client = Client::new(ctx)?;
            let end = ctx.server_at(LISTS, [127, 92, 92, 92].into())?;
            let server = Server { end, ..Server::quake3(ctx)? };
            server.register()?;
            client.wait_listed(&server, ALL).map(drop)
        },
        ..MUST
    },
    Case {
        id: "quake3/getserversResponse/doubles",
        title: "a server registers twice, and is listed",
        requires: "a list holds every server once",
        citation: "001 1.1.2",
        run: |ctx| {
            let (server, client) = (Server::quake3(ctx)?, Client::new(ctx)?);
            server.register()?;
            server.register()?;
            let listed = client.wait_listed(&server, ALL)?;
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
        id: "quake3/getserversResponse/nobody",
        title: "a client asks for a protocol that no server has",
        requires: "a list without servers is answered too, with its end mark",
        citation: "001 1.1.2, 000 getserversResponse",
        run: |ctx| {
            let client = Client::new(ctx)?;
            let listed = client.asks(List { protocol: 7_654_321, ..ALL })?;
            if let Some((_, packet, bytes)) = listed.servers.first() {
                let failure = Failure::new("a list of nobody", "servers");
                return Err(listed.blame(failure, *packet, bytes.clone()));
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
        run: |ctx| {
            let (server, client) = (Server::quake3(ctx)?.with("protocol", "48"), Client::new(ctx)?);
            server.register()?;
            let listed = client.wait_listed(&server, List { protocol: 48, ..ALL })?;
            ends_with(&listed, |end| end.starts_with(b"\\EOT"), "\\EOT at the end of the list")
        },
        ..MUST
    },
    Case {
        id: "q3master/getserversResponse/end-mark",
        title: "a client asks for servers of protocol 48 and later",
        requires: "behind the last backslash stand EOT and three NUL",
        citation: "000 getserversResponse, 004 5) getserversResponse",
        run: |ctx| {
            if ctx.assumed().settings().list_form == ListForm::Id {
                return Err(Failure::skipped("the target is assumed to end lists as id's does"));
            }
            let (server, client) = (Server::quake3(ctx)?.with("protocol", "48"), Client::new(ctx)?);
            server.register()?;
            let listed = client.wait_listed(&server, List { protocol: 48, ..ALL })?;
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
        run: |ctx| {
            let client = Client::new(ctx)?;
            for protocol in [43, 45] {
                let server = Server::quake3(ctx)?.with("protocol", &protocol.to_string());
                server.register()?;
                let listed = client.wait_listed(&server, List { protocol, ..ALL })?;
                ends_with(&listed, |end| end == b"\\\0", "a backslash and NUL at the end")?;
            }
            Ok(())
        },
        ..MUST
    },
    Case {
        id: "quake3/getserversResponse/split",
        title: "a client asks for more servers than one packet holds",
        requires: "the master sends several packets if there are too many servers for one",
        citation: "001 1.1.2, 000 getserversResponse",
        run: |ctx| crowd(ctx).map(drop),
        ..MUST
    },
    Case {
        id: "quake3/getserversResponse/size",
        title: "a client asks for more servers than one packet holds",
        requires: "no packet is larger than 1536 bytes, to avoid fragments",
        citation: "000 getserversResponse",
        run: |ctx| no_longer(&crowd(ctx)?, 1536),
        ..SHOULD
    },
    Case {
        id: "quake3/getserversResponse/no-empty-packet",
        title: "a client asks for more servers than one packet holds",
        requires: "several packets are sent where the servers need them, and each holds some",
        citation: "001 1.1.2",
        run: |ctx| {
            let listed = crowd(ctx)?;
            let used: BTreeSet<_> = listed.servers.iter().map(|(_, packet, _)| *packet).collect();
            let mut idle = (0..listed.packets.len()).filter(|packet| !used.contains(packet));
            match idle.next() {
                Some(packet) => {
                    let failure = Failure::new("servers in every packet", "a packet without any");
                    Err(listed.blame(failure, packet, 0..0))
                }
                None => Ok(()),
            }
        },
        ..SHOULD
    },
    Case {
        id: "quake3/getserversResponse/packets",
        title: "a client asks for more servers than one packet holds",
        requires: "a packet holds 112 servers at most and 810 bytes, and ends in a backslash and EOT",
        citation: "001 1.1.2",
        run: |ctx| {
            if ctx.assumed().settings().list_form == ListForm::Dpmaster {
                let why = "the target is assumed to pack lists as dpmaster does";
                return Err(Failure::skipped(why));
            }
            let listed = crowd(ctx)?;
            no_longer(&listed, 810)?;
            for (number, end) in listed.ends.iter().enumerate() {
                if end != b"\\EOT" {
                    return Err(listed.wrong_end(number, "\\EOT at the end of every packet"));
                }
            }
            Ok(())
        },
        ..MUST
    },
    Case {
        id: "dpmaster/getserversResponse/end-mark",
        title: "a client asks for more servers than one packet holds",
        requires: "the list ends with EOT and three NUL; packets before the last have no end mark",
        citation: "004 5) getserversResponse",
        run: |ctx| {
            if ctx.assumed().settings().list_form == ListForm::Id {
                return Err(Failure::skipped("the target is assumed to pack lists as id's does"));
            }
            let listed = crowd(ctx)?;
            let what = "\\EOT and three NUL at the end of the list";
            ends_with(&listed, |end| end == b"\\EOT\0\0\0", what)?;
            let last = listed.ends.len().saturating_sub(1);
            let mut early = listed.ends.iter().take(last);
            match early.position(|end| !end.is_empty()) {
                Some(packet) => Err(listed.wrong_end(packet, "no end mark before the last packet")),
                None => Ok(()),
            }
        },
        ..MUST
    },
    Case {
        id: "dpmaster/getserversResponse/size",
        title: "a client asks for more servers than one packet holds",
        requires: "dpmaster's packets have 1400 bytes at most",
        citation: "dpmaster's, in no document",
        run: |ctx| no_longer(&crowd(ctx)?, ctx.assumed().settings().packet_size),
        ..SHOULD
    },
    Case {
        id: "rtcw/getservers/listed",
        title: "a client of Return to Castle Wolfenstein sends its request, with a line feed",
        requires: "a request holds the protocol and the words empty, full and demo",
        citation: "001 8.8",
        run: |ctx| {
            let client = Client::new(ctx)?;
            let server = Server::of(ctx, voice::WOLF, voice::persona("60"))?;
            server.register()?;
            let words = "empty full demo";
            client
                .wait_listed(&server, List { protocol: 60, words, line_feed: true, game: "" })
                .map(drop)
        },
        ..MUST
    },
    Case {
        id: "rtcw/getservers/empty-and-full",
        title: "clients of Return to Castle Wolfenstein ask with empty, with full and with neither",
        requires: "empty includes servers without players, full those that are full",
        citation: "001 8.8",
        run: |ctx| {
            let client = Client::new(ctx)?;
            let server = |clients: &str| {
                let persona = voice::persona("60").with("clients", clients);
                let server = Server::of(ctx, voice::WOLF, persona)?;
                server.register().map(|()| server)
            };
            let (empty, full) = (server("0")?, server("8")?);
            let with = |words| List { protocol: 60, words, ..ALL };
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
        run: |ctx| {
            let client = Client::new(ctx)?;
            let server = Server::of(ctx, voice::TERRITORY, voice::persona("82"))?;
            server.register()?;
            let list = List { protocol: 82, words: "full empty", ..List::default() };
            let listed = client.wait_listed(&server, list)?;
            ends_with(&listed, |end| end.starts_with(b"\\EOT"), "\\EOT at the end of the list")
        },
        ..MUST
    },
];

/// Registers so many servers that no packet holds them, and gives the list with all of them.
pub fn crowd(ctx: &TestContext<'_>) -> Result<Listed, Failure> {
    let client = Client::new(ctx)?;
    let ends = ctx.servers(LISTS, CROWD)?;
    let persona = voice::persona("68");
    let server = |end| Server { end, tag: voice::QUAKE, persona: persona.clone() };
    let servers: Vec<_> = ends.into_iter().map(server).collect();
    for server in &servers {
        server.register()?;
    }
    let listed = ctx.until(|| {
        let listed = client.asks(ALL)?;
        let there: BTreeSet<_> = listed.servers.iter().map(|(server, ..)| *server).collect();
        let missing = servers.iter().filter(|s| !there.contains(&s.address())).count();
        if missing > 0 {
            let what = format!("a list that holds all of {CROWD} servers");
            let came = format!("{} packets without {missing} of them", listed.packets.len());
            let failure = Failure::new(what, came);
            let last = listed.packets.len().saturating_sub(1);
            return Err(listed.blame(failure, last, 0..0));
        }
        Ok(listed)
    })?;
    Ok(listed)
}

/// No packet of the list is longer.
fn no_longer(listed: &Listed, most: usize) -> Done {
    let is_longer = |packet: &Datagram| packet.bytes.len() > most;
    let Some((number, packet)) = listed.packets.iter().enumerate().find(|(_, p)| is_longer(p))
    else {
        return Ok(());
    };
    let length = packet.bytes.len();
    let failure = Failure::new(format!("packets of {most} bytes at most"), format!("{length}"));
    Err(listed.blame(failure, number, most..length))
}

/// The list's last packet has a fitting end.
fn ends_with(listed: &Listed, fits: impl Fn(&[u8]) -> bool, what: &str) -> Done {
    match listed.ends.last() {
        Some(end) if fits(end) => Ok(()),
        _ => Err(listed.wrong_end(listed.ends.len().saturating_sub(1), what)),
    }
}

impl Listed {
    /// A failure for which a packet is to blame.
    fn blame(&self, failure: Failure, packet: usize, bytes: std::ops::Range<usize>) -> Failure {
        match self.packets.get(packet) {
            Some(heard) => failure.within(heard, bytes),
            None => failure,
        }
    }

    /// The end of a packet is not as it should be.
    fn wrong_end(&self, packet: usize, what: &str) -> Failure {
        let end = self.ends.get(packet).map_or(&b""[..], Vec::as_slice);
        let length = self.packets.get(packet).map_or(0, |heard| heard.bytes.len());
        let came = match end {
            [] => "no end mark".to_owned(),
            end => dump::shown(end),
        };
        let at = if end.is_empty() {
            length.saturating_sub(RECORD)..length
        } else {
            length - end.len()..length
        };
        self.blame(Failure::new(what, came), packet, at)
    }
}
