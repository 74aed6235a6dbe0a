//! Clients request lists, and the responses: 001 4.1.1 and 4.1.2.

use super::LISTS;
use super::preconditions::{CHALLENGED_CASE, LISTED_CASE};
use super::roles::{EliteForceClient, EliteForceRole, EliteForceServer, of_words};
use crate::list::ReceivedList;
use crate::server::register_all;
use crate::shared::boundaries::boundary_cases;
use crate::shared::{lists, registration};
use crate::{CASE, Case, Done, Failure, TestContext};
use simulate::families::quake3::messages::Quake3ListRequest;

/// The words that select all servers.
pub(super) const ALL: &str = "empty full";
/// Servers, and bytes, that a packet holds at most (001 4.1.2).
const RECORDS: usize = 97;
const LENGTH: usize = 1288;
/// More servers than one packet has room for.
const MANY: usize = 100;

pub(super) static CASES: &[Case] = &[
    Case {
        id: "elite-force/getservers/answered",
        title: "a client sends the request of the document",
        run: |ctx| EliteForceClient::new(ctx)?.request(of_words(ctx, ALL)).map(drop),
        ..CASE
    },
    Case {
        id: "elite-force/getservers/line-feed",
        title: "a client sends a request that ends in a line feed, as Quake III's does",
        run: |ctx| {
            let list = Quake3ListRequest {
                protocol: 24,
                words: ALL,
                line_feed: true,
                ..Quake3ListRequest::default()
            };
            EliteForceClient::new(ctx)?.request(list).map(drop)
        },
        ..CASE
    },
    Case {
        id: "elite-force/getservers/unknown-word",
        title: "a client asks with a word that no document has",
        run: |ctx| {
            let (server, client) = EliteForceServer::listed(ctx)?;
            client.wait_listed(&server, of_words(ctx, "empty full sharks")).map(drop)
        },
        ..LISTED_CASE
    },
    Case {
        id: "elite-force/getservers/protocol",
        title: "clients ask for servers of two protocols, and there is one of each",
        run: |ctx| {
            let (server, client) = (EliteForceServer::new(ctx)?, EliteForceClient::new(ctx)?);
            let other = EliteForceServer::new(ctx)?.with("protocol", &ctx.protocol(25).to_string());
            ctx.setup(|| server.register().and_then(|()| other.register()))?;
            client.wait_listed(&server, of_words(ctx, ALL))?.expect_unlisted(&other)?;
            let list = Quake3ListRequest {
                protocol: ctx.protocol(25),
                words: ALL,
                ..Quake3ListRequest::default()
            };
            ctx.until(|| client.request(list)?.expect_listed(&other))?;
            client.request(list)?.expect_unlisted(&server)
        },
        ..LISTED_CASE
    },
    Case {
        id: "elite-force/getservers/neither",
        title: "a client asks with neither empty nor full",
        run: |ctx| loads(ctx, "", [false, true, false]),
        ..LISTED_CASE
    },
    Case {
        id: "elite-force/getservers/empty",
        title: "a client asks with empty alone",
        run: |ctx| loads(ctx, "empty", [true, true, false]),
        ..LISTED_CASE
    },
    Case {
        id: "elite-force/getservers/full",
        title: "a client asks with full alone",
        run: |ctx| loads(ctx, "full", [false, true, true]),
        ..LISTED_CASE
    },
    Case {
        id: "elite-force/getservers/empty-and-full",
        title: "a client asks with both words",
        run: |ctx| loads(ctx, ALL, [true, true, true]),
        ..LISTED_CASE
    },
    Case {
        id: "elite-force/getservers/private-places",
        title: "a client asks without full, and on a server only places are left that need a \
                password",
        run: |ctx| {
            let (server, client) = (EliteForceServer::new(ctx)?, EliteForceClient::new(ctx)?);
            let server = server.with("clients", "6").with("sv_privateClients", "2");
            ctx.setup(|| server.register())?;
            ctx.setup(|| client.wait_listed(&server, of_words(ctx, "full")))?;
            client.list(of_words(ctx, ""))?.expect_unlisted(&server)
        },
        ..LISTED_CASE
    },
    Case {
        id: "elite-force/getservers/game-types",
        title: "clients ask with ffa, tourney, team and ctf, and there is a server of each",
        run: game_types,
        ..LISTED_CASE
    },
    Case {
        id: "elite-force/getserversResponse/hex",
        decides: &["elite-force/listed"],
        title: "a server registers, and a client asks for the list",
        run: registration::registers::<EliteForceRole>,
        ..CHALLENGED_CASE
    },
    Case {
        id: "elite-force/getserversResponse/byte-order",
        title: "a server registers whose port has two bytes that differ",
        run: lists::byte_order::<EliteForceRole>,
        ..CHALLENGED_CASE
    },
    Case {
        id: "elite-force/getserversResponse/end-mark",
        title: "a client asks for the list",
        run: |ctx| {
            let listed = EliteForceClient::new(ctx)?.request(of_words(ctx, ALL))?;
            match listed.ends().find(|(.., end)| *end != b"\\EOT") {
                None => Ok(()),
                Some((packet, bytes, end)) => {
                    let what = "\\EOT at the end of each packet";
                    let came = format!("\"{}\"", render::quoted(end, usize::MAX));
                    Err(Failure::new(what, came).within(packet, bytes))
                }
            }
        },
        ..LISTED_CASE
    },
    Case {
        id: "elite-force/getserversResponse/once-each",
        title: "a server registers twice, and a client asks for the list",
        run: lists::once_each::<EliteForceRole>,
        ..LISTED_CASE
    },
    Case {
        id: "elite-force/getserversResponse/whole-records",
        title: "three servers of a protocol of their own register; a client asks for that protocol",
        run: |ctx| {
            let (few, client) = (three_servers(ctx)?, EliteForceClient::new(ctx)?);
            ctx.setup(|| few.iter().try_for_each(EliteForceServer::register))?;
            let expected = few.each_ref().map(EliteForceServer::address);
            ctx.until(|| {
                let listed = client.request(few[0].list())?;
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
        ..CHALLENGED_CASE
    },
    Case {
        id: "elite-force/getserversResponse/steady",
        title: "three servers register; a client asks for them six times",
        // Lists of other cases would interfere.
        exclusive: true,
        run: |ctx| {
            let few = three_servers(ctx)?;
            let list = few[0].list();
            lists::steady(ctx, &few, list, |client| client.request(list))
        },
        ..LISTED_CASE
    },
    Case {
        id: "elite-force/getserversResponse/all",
        title: "a hundred servers register, more than fit into a packet, and a client asks",
        exclusive: true,
        run: |ctx| many(ctx).map(drop),
        ..LISTED_CASE
    },
    Case {
        id: "elite-force/getserversResponse/packet-size",
        title: "a hundred servers register, and a client asks for the list",
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
        ..LISTED_CASE
    },
    Case {
        id: "elite-force/getserversResponse/no-empty-packet",
        title: "a hundred servers register, and a client asks for the list",
        exclusive: true,
        run: |ctx| lists::expect_no_empty_packet(&many(ctx)?),
        ..LISTED_CASE
    },
];

/// Addresses, several servers of one, and answers to each request.
pub(super) static BOUNDARIES: &[Case] = boundary_cases!(
    "elite-force/getserversResponse/"; "byte-order", "once-each"; EliteForceServer<'_>, LISTED_CASE; boundaries::one_listed_each_time::<EliteForceRole>
);

/// Three servers of a protocol that no others have.
fn three_servers<'s>(ctx: &'s TestContext<'_>) -> Result<[EliteForceServer<'s>; 3], Failure> {
    let number = ctx.own_protocol().to_string();
    let server = || Ok::<_, Failure>(EliteForceServer::new(ctx)?.with("protocol", &number));
    Ok([server()?, server()?, server()?])
}

/// An empty server, one with a place left and a full one: which of them are listed for these words.
fn loads(ctx: &TestContext<'_>, words: &str, expected: [bool; 3]) -> Done {
    let server = |clients| Ok::<_, Failure>(EliteForceServer::new(ctx)?.with("clients", clients));
    let servers = [server("0")?, server("1")?, server("8")?];
    ctx.setup(|| servers.iter().try_for_each(EliteForceServer::register))?;
    ctx.sync(LISTS)?;
    EliteForceClient::new(ctx)?.expect_exactly(of_words(ctx, words), servers.iter().zip(expected))
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
        client.expect_exactly(of_words(ctx, word), servers.iter().zip(expected))?;
    }
    Ok(())
}

/// The list of many servers.
fn many(ctx: &TestContext<'_>) -> Result<ReceivedList, Failure> {
    let ends = ctx.servers(LISTS, MANY)?;
    let servers: Vec<_> = ends.into_iter().map(EliteForceServer::at).collect();
    ctx.setup(|| register_all(&servers))?;
    let client = EliteForceClient::new(ctx)?;
    ctx.until(|| {
        let listed = client.request(of_words(ctx, ALL))?;
        servers.iter().try_for_each(|server| listed.expect_listed(server))?;
        Ok(listed)
    })
}
