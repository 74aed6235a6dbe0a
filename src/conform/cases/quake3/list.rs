//! Masters list servers: 001 1.1.2, 000 "response format", 004 5) getserversResponse.

use std::collections::BTreeSet;
use std::time::Duration;

use super::LISTS;
use super::ends::{Client, Listed, Server, all, of_protocol};
use super::getservers::only_over_ipv4;
use super::preconditions::{
    ASKED, LIST_ANSWERED, LISTED, RTCW_LISTED, TERRITORY_LIST, TERRITORY_LISTED, WOLF_LIST,
};
use crate::conform::{Case, Datagram, Done, Failure, MUST, SHOULD, TestContext};
use crate::dump;
use crate::master::ListForm;
use crate::peer::voice::quake3::{self as voice, List};

/// More servers than any packet holds.
const CROWD: usize = 198;
/// Bytes of a record.
const RECORD: usize = 7;
/// How long a listed server says nothing, and the least time for which it stays listed by then.
pub const KEPT: Duration = Duration::from_millis(6300);
pub const LONG: Duration = Duration::from_secs(10);

pub(super) static CASES: &[Case] = &[
    Case {
        id: "quake3/getserversResponse/source",
        title: "a client asks for a list",
        requires: "the answer comes from the address and port that was asked",
        citation: "001 1.1.2",
        run: |ctx| {
            let client = Client::new(ctx)?;
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
            let (server, client) = (Server::of_protocol(ctx, 66)?, Client::new(ctx)?);
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
                // It is not listed at all: other cases tell of that.
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
            let client = Client::new(ctx)?;
            let end = ctx.server_at(LISTS, [127, 92, 92, 92].into())?;
            let server = Server { end, ..Server::quake3(ctx)? };
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
            let (server, client) = (Server::quake3(ctx)?, Client::new(ctx)?);
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
            let (server, client) = (Server::of_protocol(ctx, 67)?, Client::new(ctx)?);
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
        run: |ctx| {
            let (client, list) = (Client::new(ctx)?, of_protocol(ctx, 67));
            let server = |_| Server::of_protocol(ctx, 67);
            let servers = (0..8).map(server).collect::<Result<Vec<_>, _>>()?;
            servers.iter().try_for_each(|server| client.setup_listed(server, list).map(drop))?;
            (0..6).try_for_each(|_| {
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
            let (server, client) = (Server::quake3(ctx)?, Client::new(ctx)?);
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
            let client = Client::new(ctx)?;
            let listed = client.asks(List { protocol: 7_654_321, ..all(ctx) })?;
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
            let (server, client) = (Server::of_protocol(ctx, 48)?, Client::new(ctx)?);
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
            let (server, client) = (Server::of_protocol(ctx, 48)?, Client::new(ctx)?);
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
            let client = Client::new(ctx)?;
            for protocol in [43, 45] {
                let server = Server::quake3(ctx)?.with("protocol", &protocol.to_string());
                let listed = client.setup_listed(&server, List { protocol, ..all(ctx) })?;
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
        run: |ctx| {
            let client = Client::new(ctx)?;
            register_crowd(ctx)?;
            ctx.until(|| {
                let listed = client.asks(all(ctx))?;
                if listed.packets.len() > 1 {
                    return Ok(());
                }
                let came = format!("one packet with {} servers", listed.servers.len());
                Err(Failure::new(format!("several packets with {CROWD} servers"), came))
            })
        },
        ..CROWDED
    },
    Case {
        id: "quake3/getserversResponse/size",
        title: "a client asks for more servers than one packet holds",
        requires: "no packet is larger than 1536 bytes, to avoid fragments",
        citation: "000 getserversResponse",
        run: |ctx| no_longer(&ctx.setup(|| crowd(ctx))?, 1536),
        level: SHOULD.level,
        ..CROWDED
    },
    Case {
        id: "quake3/getserversResponse/no-empty-packet",
        title: "a client asks for more servers than one packet holds",
        requires: "several packets are sent where the servers need them, and each holds some",
        citation: "001 1.1.2",
        run: |ctx| {
            let listed = ctx.setup(|| crowd(ctx))?;
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
        level: SHOULD.level,
        ..CROWDED
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
            let listed = ctx.setup(|| crowd(ctx))?;
            no_longer(&listed, 810)?;
            for (number, end) in listed.ends.iter().enumerate() {
                if end != b"\\EOT" {
                    return Err(listed.wrong_end(number, "\\EOT at the end of every packet"));
                }
            }
            Ok(())
        },
        ..CROWDED
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
            let listed = ctx.setup(|| crowd(ctx))?;
            let what = "\\EOT and three NUL at the end of the list";
            ends_with(&listed, |end| end == b"\\EOT\0\0\0", what)?;
            let last = listed.ends.len().saturating_sub(1);
            let mut early = listed.ends.iter().take(last);
            match early.position(|end| !end.is_empty()) {
                Some(packet) => Err(listed.wrong_end(packet, "no end mark before the last packet")),
                None => Ok(()),
            }
        },
        ..CROWDED
    },
    Case {
        id: "dpmaster/getserversResponse/size",
        title: "a client asks for more servers than one packet holds",
        requires: "dpmaster's packets have 1400 bytes at most",
        citation: "dpmaster's, in no document",
        run: |ctx| no_longer(&ctx.setup(|| crowd(ctx))?, ctx.assumed().settings().packet_size),
        level: SHOULD.level,
        ..CROWDED
    },
    Case {
        id: "rtcw/getservers/listed",
        title: "a client of Return to Castle Wolfenstein sends its request, with a line feed",
        requires: "a request holds the protocol and the words empty, full and demo",
        citation: "001 8.8",
        needs: &[&RTCW_LISTED],
        run: |ctx| {
            let client = Client::new(ctx)?;
            let server = Server::of(ctx, voice::WOLF, voice::persona("60"))?;
            client.setup_listed(&server, WOLF_LIST)?;
            let words = "empty full demo";
            client.wait_listed(&server, List { words, line_feed: true, ..WOLF_LIST }).map(drop)
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
            let client = Client::new(ctx)?;
            let server = |clients: &str| {
                let persona = voice::persona("60").with("clients", clients);
                let server = Server::of(ctx, voice::WOLF, persona)?;
                ctx.setup(|| server.register()).map(|()| server)
            };
            let (empty, full) = (server("0")?, server("8")?);
            let with = |words| List { words, ..WOLF_LIST };
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
            let client = Client::new(ctx)?;
            let server = Server::of(ctx, voice::TERRITORY, voice::persona("82"))?;
            client.setup_listed(&server, TERRITORY_LIST)?;
            let list = List { words: "full empty", ..TERRITORY_LIST };
            let listed = client.wait_listed(&server, list)?;
            ends_with(&listed, |end| end.starts_with(b"\\EOT"), "\\EOT at the end of the list")
        },
        ..MUST
    },
];

/// A case that registers as many servers as a run may: alone, for it takes those of all others.
const CROWDED: Case = Case { needs: &[&LISTED], exclusive: true, ..MUST };

/// Registers so many servers that no packet holds them, and gives the list with all of them.
pub fn crowd(ctx: &TestContext<'_>) -> Result<Listed, Failure> {
    let client = Client::new(ctx)?;
    let servers = register_crowd(ctx)?;
    let listed = ctx.until(|| {
        let listed = client.asks(all(ctx))?;
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

/// Registers so many servers that no packet holds them.
fn register_crowd<'s>(ctx: &'s TestContext<'_>) -> Result<Vec<Server<'s>>, Failure> {
    let ends = ctx.servers(LISTS, CROWD)?;
    let persona = voice::persona(&all(ctx).protocol.to_string());
    let server = |end| Server { end, tag: voice::QUAKE, persona: persona.clone() };
    let servers: Vec<_> = ends.into_iter().map(server).collect();
    ctx.setup(|| servers.iter().try_for_each(Server::register))?;
    Ok(servers)
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
