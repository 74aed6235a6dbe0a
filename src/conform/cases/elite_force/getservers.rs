//! Clients request lists, and the responses: 001 4.1.1 and 4.1.2.

use super::super::listed::ReceivedList;
use super::LISTS;
use super::ends::{EliteForceClient, EliteForceServer};
use super::preconditions::{ANSWERS, ASKED, LISTED};
use crate::conform::{Case, Done, Failure, MUST, SHOULD, TestContext};
use crate::families::elite_force::messages as voice;
use crate::families::quake3::messages::Quake3ListRequest;
use crate::render;

/// The words that select all servers.
pub(super) const ALL: &str = "empty full";
/// Servers, and bytes, that a packet holds at most (001 4.1.2).
const RECORDS: usize = 97;
const LENGTH: usize = 1288;
/// More servers than one packet has room for.
const MANY: usize = 100;
/// How often a list is requested that has to stay the same.
const TIMES: usize = 6;

pub(super) static CASES: &[Case] = &[
    Case {
        id: "elite-force/getservers/answered",
        title: "a client sends the request of the document",
        requires: "getservers, a protocol's number and options ask the master for a list",
        citation: "001 4.1.1, 001 4.1.2",
        needs: &[&ANSWERS],
        run: |ctx| EliteForceClient::new(ctx)?.asks(ALL).map(drop),
        ..MUST
    },
    Case {
        id: "elite-force/getservers/line-feed",
        title: "a client sends a request that ends in a line feed, as Quake III's does",
        requires: "the first request of the document ends in a line feed, those of Elite Force \
                   almost look like it",
        citation: "001 1.1.1",
        needs: &[&ANSWERS],
        run: |ctx| {
            let list = Quake3ListRequest {
                protocol: 24,
                words: ALL,
                line_feed: true,
                ..Quake3ListRequest::default()
            };
            EliteForceClient::new(ctx)?.lists(list).map(drop)
        },
        ..SHOULD
    },
    Case {
        id: "elite-force/getservers/unknown-word",
        title: "a client asks with a word that no document has",
        requires: "options are optional, and what a master does not know does not silence it",
        citation: "001 4.1.1",
        needs: &[&LISTED],
        run: |ctx| {
            let (server, client) = EliteForceServer::listed(ctx)?;
            client.wait_listed(&server, "empty full sharks").map(drop)
        },
        ..SHOULD
    },
    Case {
        id: "elite-force/getservers/protocol",
        title: "clients ask for servers of two protocols, and there is one of each",
        requires: "the number behind getservers is the protocol of the servers that are listed",
        citation: "001 4.1.1, 001 1.1.1",
        needs: &[&LISTED],
        run: |ctx| {
            let (server, client) = (EliteForceServer::new(ctx)?, EliteForceClient::new(ctx)?);
            let other = EliteForceServer::new(ctx)?.with("protocol", &ctx.protocol(25).to_string());
            ctx.setup(|| server.register().and_then(|()| other.register()))?;
            client.wait_listed(&server, ALL)?.expect_unlisted(other.address())?;
            let list = Quake3ListRequest {
                protocol: ctx.protocol(25),
                words: ALL,
                ..Quake3ListRequest::default()
            };
            ctx.until(|| client.lists(list)?.expect_listed(other.address()))?;
            client.lists(list)?.expect_unlisted(server.address())
        },
        ..MUST
    },
    Case {
        id: "elite-force/getservers/neither",
        title: "a client asks with neither empty nor full",
        requires: "the options may be omitted, and then servers are listed that are neither",
        citation: "001 4.1.1, 001 1.1.1",
        needs: &[&LISTED],
        run: |ctx| loads(ctx, "", [false, true, false]),
        ..MUST
    },
    Case {
        id: "elite-force/getservers/empty",
        title: "a client asks with empty alone",
        requires: "empty shows empty servers",
        citation: "001 4.1.1",
        needs: &[&LISTED],
        run: |ctx| loads(ctx, "empty", [true, true, false]),
        ..MUST
    },
    Case {
        id: "elite-force/getservers/full",
        title: "a client asks with full alone",
        requires: "full shows servers whose places are all taken",
        citation: "001 4.1.1",
        needs: &[&LISTED],
        run: |ctx| loads(ctx, "full", [false, true, true]),
        ..MUST
    },
    Case {
        id: "elite-force/getservers/empty-and-full",
        title: "a client asks with both words",
        requires: "the options say which servers are shown, and each adds to them",
        citation: "001 4.1.1",
        needs: &[&LISTED],
        run: |ctx| loads(ctx, ALL, [true, true, true]),
        ..MUST
    },
    Case {
        id: "elite-force/getservers/private-places",
        title: "a client asks without full, and on a server only places are left that need a \
                password",
        requires: "a server is full when all places but the private ones are taken",
        citation: "001 4.1.1",
        needs: &[&LISTED],
        run: |ctx| {
            let (server, client) = (EliteForceServer::new(ctx)?, EliteForceClient::new(ctx)?);
            let server = server.with("clients", "6").with("sv_privateClients", "2");
            ctx.setup(|| server.register())?;
            ctx.setup(|| client.wait_listed(&server, "full"))?;
            client.list("")?.expect_unlisted(server.address())
        },
        ..SHOULD
    },
    Case {
        id: "elite-force/getservers/game-types",
        title: "clients ask with ffa, tourney, team and ctf, and there is a server of each",
        requires: "these words show servers that play so, and no others",
        citation: "001 4.1.1",
        needs: &[&LISTED],
        run: game_types,
        ..MUST
    },
    Case {
        id: "elite-force/getserversResponse/hex",
        title: "a server registers, and a client asks for the list",
        requires: "behind the word and a blank stand a backslash and 12 hex digits for each server",
        citation: "001 4.1.2",
        needs: &[&ASKED],
        run: |ctx| {
            let (server, client) = (EliteForceServer::new(ctx)?, EliteForceClient::new(ctx)?);
            ctx.setup(|| server.register())?;
            client.wait_listed(&server, ALL).map(drop)
        },
        ..MUST
    },
    Case {
        id: "elite-force/getserversResponse/byte-order",
        title: "a server registers whose port has two bytes that differ",
        requires: "the digits are those of address and port in network byte order",
        citation: "001 4.1.2",
        needs: &[&ASKED],
        run: |ctx| {
            let (server, client) = (EliteForceServer::new(ctx)?, EliteForceClient::new(ctx)?);
            ctx.setup(|| server.register())?;
            let Err(failure) = client.wait_listed(&server, ALL) else {
                return Ok(());
            };
            let mut swapped = server.address();
            swapped.set_port(swapped.port().swap_bytes());
            let is_swapped = client.list(ALL)?.expect_listed(swapped).is_ok();
            // Another case tests whether it is listed at all.
            Err(if is_swapped { failure } else { failure.in_setup() })
        },
        ..MUST
    },
    Case {
        id: "elite-force/getserversResponse/end-mark",
        title: "a client asks for the list",
        requires: "each packet ends in a backslash and EOT",
        citation: "001 4.1.2, 001 1.1.2",
        needs: &[&LISTED],
        run: |ctx| {
            let listed = EliteForceClient::new(ctx)?.asks(ALL)?;
            match listed.ends().find(|(.., end)| *end != b"\\EOT") {
                None => Ok(()),
                Some((packet, bytes, end)) => {
                    let what = "\\EOT at the end of each packet";
                    let came = format!("\"{}\"", render::quoted(end, usize::MAX));
                    Err(Failure::new(what, came).within(packet, bytes))
                }
            }
        },
        ..MUST
    },
    Case {
        id: "elite-force/getserversResponse/once-each",
        title: "a server registers twice, and a client asks for the list",
        requires: "a server is one record of the list",
        citation: "001 4.1.2",
        needs: &[&LISTED],
        run: |ctx| {
            let (server, client) = EliteForceServer::listed(ctx)?;
            ctx.setup(|| server.register())?;
            ctx.sync(LISTS)?;
            client.list(ALL)?.expect_listed_once(server.address())
        },
        ..MUST
    },
    Case {
        id: "elite-force/getserversResponse/whole-records",
        title: "three servers of a protocol of their own register; a client asks for that protocol",
        requires: "the list has a backslash and 12 hex digits for each of them, and nothing else \
                   before \\EOT",
        citation: "001 4.1.2",
        needs: &[&ASKED],
        run: |ctx| {
            let few = ThreeServers::new(ctx)?;
            let expected = few.servers.each_ref().map(EliteForceServer::address);
            ctx.until(|| {
                let listed = few.list()?;
                match listed.servers().find(|(server, ..)| !expected.contains(server)) {
                    None => {}
                    Some((server, packet, bytes)) => {
                        let what = "records of the 3 servers that registered";
                        return Err(Failure::new(what, server.to_string()).within(packet, bytes));
                    }
                }
                for (packet, bytes, end) in listed.ends() {
                    if end != b"\\EOT" {
                        let came = format!("\"{}\"", render::quoted(end, usize::MAX));
                        let what = "records of 13 bytes up to \\EOT";
                        return Err(Failure::new(what, came).within(packet, bytes));
                    }
                }
                Ok(())
            })
        },
        ..MUST
    },
    Case {
        id: "elite-force/getserversResponse/steady",
        title: "three servers register; a client asks for them six times",
        requires: "a list holds the same servers each time while nothing changes",
        citation: "001 4.1.2",
        needs: &[&LISTED],
        // Lists of other cases would interfere.
        exclusive: true,
        run: |ctx| {
            let few = ThreeServers::new(ctx)?;
            let are_listed = |listed: &ReceivedList| {
                few.servers.iter().try_for_each(|server| listed.expect_listed(server.address()))
            };
            ctx.setup(|| ctx.until(|| are_listed(&few.list()?)))?;
            let other = EliteForceClient::new(ctx)?;
            for n in 0..TIMES {
                if n % 2 == 1 {
                    // Other clients' requests between those of the client change nothing.
                    other.send(few.request())?;
                }
                are_listed(&ctx.setup(|| few.list())?)?;
            }
            Ok(())
        },
        ..SHOULD
    },
    Case {
        id: "elite-force/getserversResponse/all",
        title: "a hundred servers register, more than fit into a packet, and a client asks",
        requires: "a list of many servers comes in as many packets as it needs",
        citation: "001 4.1.2, 001 1.1.2",
        needs: &[&LISTED],
        exclusive: true,
        run: |ctx| many(ctx).map(drop),
        ..MUST
    },
    Case {
        id: "elite-force/getserversResponse/packet-size",
        title: "a hundred servers register, and a client asks for the list",
        requires: "a packet has at most 97 servers and 1288 bytes",
        citation: "001 4.1.2",
        needs: &[&LISTED],
        exclusive: true,
        run: |ctx| {
            let listed = many(ctx)?;
            for (packet, records) in listed.packets.iter().zip(&listed.records) {
                let (count, length) = (records.servers.len(), packet.bytes.len());
                if count > RECORDS || length > LENGTH {
                    let what = format!("at most {RECORDS} servers and {LENGTH} bytes");
                    let came = format!("{count} servers and {length} bytes");
                    return Err(Failure::new(what, came).at(packet));
                }
            }
            Ok(())
        },
        ..MUST
    },
    Case {
        id: "elite-force/getserversResponse/no-empty-packet",
        title: "a hundred servers register, and a client asks for the list",
        requires: "more packets are sent where there are more servers, not without any",
        citation: "001 4.1.2, 001 1.1.2",
        needs: &[&LISTED],
        exclusive: true,
        run: |ctx| {
            let listed = many(ctx)?;
            let mut packets = listed.packets.iter().zip(&listed.records);
            match packets.find(|(_, records)| records.servers.is_empty()) {
                None => Ok(()),
                Some((packet, _)) => {
                    let came = "one without any";
                    Err(Failure::new("packets with servers", came).at(packet))
                }
            }
        },
        ..MUST
    },
];

/// Three servers of a protocol that no others have, and a client.
struct ThreeServers<'s> {
    servers: [EliteForceServer<'s>; 3],
    client: EliteForceClient<'s>,
    protocol: i64,
}

impl<'s> ThreeServers<'s> {
    fn new(ctx: &'s TestContext<'_>) -> Result<Self, Failure> {
        let protocol = ctx.own_protocol();
        let number = protocol.to_string();
        let server = || Ok::<_, Failure>(EliteForceServer::new(ctx)?.with("protocol", &number));
        let (servers, client) = ([server()?, server()?, server()?], EliteForceClient::new(ctx)?);
        ctx.setup(|| servers.iter().try_for_each(EliteForceServer::register))?;
        Ok(Self { servers, client, protocol })
    }

    fn request(&self) -> Quake3ListRequest<'static> {
        Quake3ListRequest { protocol: self.protocol, words: ALL, ..Quake3ListRequest::default() }
    }

    fn list(&self) -> Result<ReceivedList, Failure> {
        self.client.lists(self.request())
    }
}

/// An empty server, one with a place left and a full one: which of them are listed for these words.
fn loads(ctx: &TestContext<'_>, words: &str, expected: [bool; 3]) -> Done {
    let server = |clients| Ok::<_, Failure>(EliteForceServer::new(ctx)?.with("clients", clients));
    let servers = [server("0")?, server("1")?, server("8")?];
    ctx.setup(|| servers.iter().try_for_each(EliteForceServer::register))?;
    ctx.sync(LISTS)?;
    are_listed(&EliteForceClient::new(ctx)?, words, servers.iter().zip(expected))
}

fn game_types(ctx: &TestContext<'_>) -> Done {
    let numbers = ["0", "1", "3", "4"];
    let server = |number: &&str| Ok(EliteForceServer::new(ctx)?.with("gametype", number));
    let servers = numbers.iter().map(server).collect::<Result<Vec<_>, Failure>>()?;
    ctx.setup(|| servers.iter().try_for_each(EliteForceServer::register))?;
    ctx.sync(LISTS)?;
    let client = EliteForceClient::new(ctx)?;
    for (word, number) in ["ffa", "tourney", "team", "ctf"].into_iter().zip(numbers) {
        let expected = numbers.map(|other| other == number);
        are_listed(&client, word, servers.iter().zip(expected))?;
    }
    Ok(())
}

/// Exactly the expected ones of these servers are listed for these words.
fn are_listed<'a, 's: 'a>(
    client: &EliteForceClient<'_>,
    words: &str,
    servers: impl Iterator<Item = (&'a EliteForceServer<'s>, bool)> + Clone,
) -> Done {
    let mut expected = servers.clone().filter(|(_, is)| *is);
    expected.try_for_each(|(server, _)| client.wait_listed(server, words).map(drop))?;
    let listed = client.list(words)?;
    let mut others = servers.filter(|(_, is)| !*is);
    others.try_for_each(|(server, _)| listed.expect_unlisted(server.address()))
}

/// The list of many servers.
fn many(ctx: &TestContext<'_>) -> Result<ReceivedList, Failure> {
    let ends = ctx.servers(LISTS, MANY)?;
    let servers: Vec<_> =
        ends.into_iter().map(|end| EliteForceServer { end, persona: voice::persona() }).collect();
    ctx.setup(|| servers.iter().try_for_each(EliteForceServer::register))?;
    let client = EliteForceClient::new(ctx)?;
    ctx.until(|| {
        let listed = client.asks(ALL)?;
        servers.iter().try_for_each(|server| listed.expect_listed(server.address()))?;
        Ok(listed)
    })
}
