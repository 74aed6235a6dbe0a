//! Lists: 1 with a filter that has the client's version and a key, f with the key before its
//! records.

use super::LISTS;
use super::ends::{LIST_KEY, XashClient, XashList, XashServer, is_zero, register};
use super::preconditions::{ASKED, LISTED};
use crate::conform::{Case, Done, Failure, INFO, Proven, SHOULD, Sentence, TestContext};
use crate::families::half_life::messages as voice;
use crate::protocols::half_life::{HALF_LIFE, ListFamily};

/// The source of a requirement that no document has.
const OBSERVED: &str = "xash3d-master's, in no document";
/// Servers of one modification.
const FEW: usize = 3;
/// Servers that do not fit into a packet of 512 bytes.
const MANY: usize = 120;
/// How often a list is requested that has to stay the same.
const TIMES: usize = 6;

pub(super) static CASES: &[Case] = &[
    Case {
        id: "xash3d/1/gamedir",
        title: "servers of two modifications register; a client asks for those of one",
        requires: "the filter's gamedir leaves only that modification's servers in",
        citation: OBSERVED,
        needs: &[&LISTED],
        run: |ctx| {
            let ((server, client), (stranger, _)) =
                (XashServer::listed(ctx)?, XashServer::listed(ctx)?);
            client.wait_listed(&server)?.expect_unlisted(&stranger)
        },
        ..SHOULD
    },
    Case {
        id: "xash3d/1/final-nul",
        title: "clients ask with a NUL behind the filter, and without",
        requires: "the engine sends no NUL behind the filter, other clients do; both are answered",
        citation: OBSERVED,
        needs: &[&LISTED],
        run: |ctx| {
            let (server, client) = XashServer::listed(ctx)?;
            let filter = format!(r"\clver\{}\key\1{}", voice::XASH_VERSION, server.filter());
            let nobody = std::net::SocketAddr::from(([0; 4], 0));
            let request = voice::get_region(nobody, &filter);
            let listed = client.read(client.0.request("a list of servers", &request)?)?;
            listed.expect_listed(&server)?;
            client.wait_listed(&server).map(drop)
        },
        ..SHOULD
    },
    Case {
        id: "xash3d/1/empty-list",
        title: "a client asks for a modification that no server has",
        requires: "xash3d-master 0.2 says nothing, later versions send a list of zeros alone",
        citation: OBSERVED,
        needs: &[&LISTED],
        run: |ctx| {
            let listed = XashClient::new(ctx)?.asks(&format!(r"\gamedir\{}", ctx.game()))?;
            ctx.note(match listed.packets.len() {
                0 => "it says nothing",
                _ => "it sends an empty list",
            });
            Ok(())
        },
        ..INFO
    },
    Case {
        id: "xash3d/1/old-client",
        title: "a server registers; a client of version 0.1 asks for its gamedir",
        requires: "a client under the configured version is sent a made-up server, whose map and \
                   title ask for an update",
        citation: OBSERVED,
        needs: &[&LISTED],
        run: |ctx| {
            let (server, client) = XashServer::listed(ctx)?;
            let filter = format!(r"\clver\0.1\nat\0\key\{LIST_KEY:x}{}", server.filter());
            let listed = client.lists(&filter)?;
            let servers: Vec<_> = listed.servers().map(|(server, _)| server.to_string()).collect();
            ctx.note(match servers.as_slice() {
                [] => "it is sent no server".to_owned(),
                _ if listed.count(server.address()) > 0 => "it is sent the same list".to_owned(),
                others => format!("it is sent {} instead", others.join(", ")),
            });
            Ok(())
        },
        ..INFO
    },
    Case {
        id: "xash3d/f/key",
        title: "a server registers; clients ask with the keys 0, 1, 80000000 and FFFFFFFF",
        requires: "each packet of a list begins with 7F, the key of its request in four bytes, \
                   little-endian, and 08",
        citation: OBSERVED,
        needs: &[&LISTED],
        run: |ctx| {
            let (server, client) = XashServer::listed(ctx)?;
            for key in [0, 1, 0x8000_0000, 0xffff_ffff, LIST_KEY] {
                let filter = format!(r"\clver\{}\key\{key:x}", voice::XASH_VERSION);
                let listed = some(&client, &(filter + &server.filter()))?;
                expect_key(&listed, Some(key))?;
            }
            Ok(())
        },
        ..SHOULD
    },
    Case {
        id: "xash3d/f/no-key",
        title: "a server registers; a client asks without a key",
        requires: "a list that is asked for without a key begins with its records",
        citation: OBSERVED,
        needs: &[&LISTED],
        run: |ctx| {
            let (server, client) = XashServer::listed(ctx)?;
            let filter = format!(r"\clver\{}{}", voice::XASH_VERSION, server.filter());
            let listed = some(&client, &filter)?;
            expect_key(&listed, None)?;
            listed.expect_listed(&server)
        },
        ..SHOULD
    },
    Case {
        id: "xash3d/f/family",
        title: "a server registers; a client asks for its gamedir over the same family of addresses",
        requires: "over IPv4 a record is 4 bytes of address and 2 of port, over IPv6 16 and 2",
        citation: OBSERVED,
        needs: &[&ASKED],
        run: |ctx| {
            let (server, client) = (XashServer::new(ctx)?, XashClient::new(ctx)?);
            ctx.setup(|| server.register())?;
            let listed = ctx.setup(|| some(&client, &asked_for(&server)))?;
            let family = if ctx.is_over_ipv4() { ListFamily::Ipv4 } else { ListFamily::Ipv6 };
            match listed.packets.iter().find(|packet| packet.family != family) {
                None => Ok(()),
                Some(packet) => {
                    let what = format!("records of {family:?} addresses");
                    Err(Failure::new(what, "others").at(&packet.heard))
                }
            }
        },
        ..SHOULD
    },
    Case {
        id: "xash3d/f/byte-order",
        title: "a server registers whose port has two bytes that differ; a client asks for its gamedir",
        requires: "addresses and ports are in network order",
        citation: OBSERVED,
        needs: &[&ASKED],
        run: |ctx| {
            let (server, client) = (XashServer::new(ctx)?, XashClient::new(ctx)?);
            ctx.setup(|| server.register())?;
            let Err(failure) = client.wait_listed(&server) else {
                return Ok(());
            };
            let mut swapped = server.address();
            swapped.set_port(swapped.port().swap_bytes());
            client.list(&server.filter())?.not(swapped, "the port with swapped bytes")?;
            // Another case tests whether it is listed at all.
            Err(failure.in_setup())
        },
        ..SHOULD
    },
    Case {
        id: "xash3d/f/whole-records",
        title: "three servers of one modification register; a client asks for that modification",
        requires: "the list is a record for each of them and one of zeros, and nothing else",
        citation: OBSERVED,
        needs: &[&ASKED],
        run: |ctx| {
            let (servers, client, filter) = few(ctx)?;
            let expected: Vec<_> = servers.iter().map(XashServer::address).collect();
            ctx.until(|| {
                let listed = ctx.setup(|| some(&client, &filter))?;
                let records = listed.packets.iter().flat_map(|packet| &packet.records);
                let (zeros, rest): (Vec<_>, Vec<_>) = records.copied().partition(is_zero);
                let foreign = rest.iter().find(|record| !expected.contains(record));
                let what = format!("{FEW} records and one of zeros");
                let failure = |came: String| match listed.packets.first() {
                    Some(packet) => Failure::new(what.clone(), came).at(&packet.heard),
                    None => Failure::new(what.clone(), came),
                };
                if let Some(foreign) = foreign {
                    return Err(failure(format!("{foreign}, which never registered")));
                }
                ctx.setup(|| servers.iter().try_for_each(|server| listed.expect_listed(server)))?;
                match (rest.len(), zeros.len()) {
                    (FEW, 1) => Ok(()),
                    (count, zeros) => Err(failure(format!("{count}, and {zeros} of zeros"))),
                }
            })
        },
        ..SHOULD
    },
    Case {
        id: "xash3d/f/zero-record",
        title: "three servers register; a client asks for the list",
        requires: "the last record of each packet is all zeros, and no other is",
        citation: OBSERVED,
        needs: &[&LISTED],
        run: |ctx| {
            let (_, client, filter) = few(ctx)?;
            for packet in some(&client, &filter)?.packets {
                let zeros = packet.records.iter().filter(|record| is_zero(record)).count();
                if zeros != 1 || !packet.records.last().is_some_and(is_zero) {
                    let what = "one record of zeros, the last";
                    let came = format!("{zeros} records of zeros");
                    return Err(Failure::new(what, came).at(&packet.heard));
                }
            }
            Ok(())
        },
        ..SHOULD
    },
    Case {
        id: "xash3d/f/no-doubles",
        title: "a server registers twice; a client asks for its gamedir",
        requires: "each server stands in the list once",
        citation: OBSERVED,
        needs: &[&LISTED],
        run: |ctx| {
            let (server, client) = XashServer::listed(ctx)?;
            ctx.setup(|| server.register())?;
            client.wait_listed(&server)?.expect_once(&server)
        },
        ..SHOULD
    },
    Case {
        id: "xash3d/f/steady",
        title: "three servers register; a client asks for them six times",
        requires: "a list holds the same servers each time while nothing changes",
        citation: OBSERVED,
        needs: &[&LISTED],
        // Lists of other cases would interfere.
        exclusive: true,
        run: |ctx| {
            let (servers, client, filter) = few(ctx)?;
            ctx.setup(|| servers.iter().try_for_each(|one| client.wait_listed(one).map(drop)))?;
            let other = XashClient::new(ctx)?;
            for n in 0..TIMES {
                if n % 2 == 1 {
                    // Other clients' requests between those of the client change nothing.
                    other.0.send_bytes(&voice::get_xash_region(&filter))?;
                }
                let listed = some(&client, &filter)?;
                servers.iter().try_for_each(|server| listed.expect_listed(server))?;
            }
            Ok(())
        },
        ..SHOULD
    },
    Case {
        id: "xash3d/f/several-packets",
        title: "120 servers of one modification register; a client asks for that modification",
        requires: "a list of many servers comes in as many packets as it needs, 512 bytes each",
        citation: OBSERVED,
        needs: &[&LISTED],
        run: |ctx| {
            let game = ctx.game();
            let ends = ctx.servers(LISTS, MANY)?;
            let servers: Vec<_> = ends.into_iter().map(|end| XashServer::of(end, &game)).collect();
            ctx.setup(|| register(&servers))?;
            let client = XashClient::new(ctx)?;
            let listed = ctx.until(|| {
                let listed = client.list(&format!(r"\gamedir\{game}"))?;
                servers.iter().try_for_each(|server| listed.expect_listed(server))?;
                Ok(listed)
            })?;
            servers.iter().try_for_each(|server| listed.expect_once(server))?;
            expect_key(&listed, Some(LIST_KEY))?;
            ctx.note(format!("it comes in {} packets", listed.packets.len()));
            Ok(())
        },
        exclusive: true,
        ..SHOULD
    },
];

/// Servers of one modification, a client, and its filter for them.
type FewXashServers<'s> = (Vec<XashServer<'s>>, XashClient<'s>, String);

fn few<'s>(ctx: &'s TestContext<'_>) -> Result<FewXashServers<'s>, Failure> {
    let game = ctx.game();
    let server = |_| Ok(XashServer::of(ctx.server(LISTS)?, &game));
    let servers = (0..FEW).map(server).collect::<Result<Vec<_>, Failure>>()?;
    let client = XashClient::new(ctx)?;
    ctx.setup(|| servers.iter().try_for_each(XashServer::register))?;
    let filter = servers.first().map(asked_for).unwrap_or_default();
    Ok((servers, client, filter))
}

/// The filter of a client of version 0.21 for a server's modification.
fn asked_for(server: &XashServer<'_>) -> String {
    format!(r"\clver\{}\nat\0\key\{LIST_KEY:x}{}", voice::XASH_VERSION, server.filter())
}

/// A list that must not be empty: waits for the response, however late it is.
fn some(client: &XashClient<'_>, filter: &str) -> Result<XashList, Failure> {
    let request = voice::get_xash_region(filter);
    client.0.ctx().setup(|| {
        client.0.drain()?;
        client.read(client.0.request("a list of servers", &request)?)
    })
}

/// Every packet begins with this key, or with none.
fn expect_key(listed: &XashList, key: Option<u32>) -> Done {
    let named =
        |key: Option<u32>| key.map_or("no key".to_owned(), |key| format!("the key {key:x}"));
    match listed.packets.iter().find(|packet| packet.key != key) {
        None => Ok(()),
        Some(packet) => {
            let failure = Failure::new(format!("a list with {}", named(key)), named(packet.key));
            Err(failure.field(&packet.heard, "key"))
        }
    }
}

pub(super) static SENTENCES: &[Sentence] = &[Sentence {
    game: &HALF_LIFE,
    citation: "001 10",
    says: "Xash3D's clients ask with 1 and a filter that has their version and a key; each packet \
           of the list has the key first and a record of zeros last (observed)",
    proven: Proven::By(&["xash3d/1/*", "xash3d/f/*"]),
}];
