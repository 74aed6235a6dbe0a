//! Lists: 1 with a filter that has the client's version and a key, f with the key before its
//! records.

use super::LISTS;
use super::preconditions::{CHALLENGED_CASE, LISTED_CASE};
use super::roles::{XashClient, XashRole, XashServer, packets};
use crate::families::half_life::roles::filter;
use crate::list::ReceivedList;
use crate::server::register_all;
use crate::shared::boundaries::boundary_cases;
use crate::shared::lists;
use crate::{Case, Done, Failure, TestContext};
use protocols::half_life::ListFamily;
use simulate::families::half_life::messages::{self, LIST_KEY, is_zero, xash_filter};
use simulate::families::half_life::registering::{ServerFilter, XashListRequest};

/// Addresses, several servers of one, and answers to each request.
pub(super) static BOUNDARIES: &[Case] = boundary_cases!("xash3d/f/"; "byte-order", "no-doubles"; XashServer<'_>, LISTED_CASE; boundaries::one_listed_each_time::<XashRole>);

/// Servers of one gamedir.
const FEW: usize = 3;
/// Servers that do not fit into a packet of 512 bytes.
const MANY: usize = 120;

pub(super) static CASES: &[Case] = &[
    Case {
        id: "xash3d/1/gamedir",
        title: "servers of two gamedirs register; a client asks for those of one",
        run: |ctx| {
            let ((server, client), (stranger, _)) =
                (XashServer::listed(ctx)?, XashServer::listed(ctx)?);
            client.wait_listed(&server, server.list())?.expect_unlisted(&stranger)
        },
        ..LISTED_CASE
    },
    Case {
        id: "xash3d/1/final-nul",
        title: "clients ask with a NUL behind the filter, and without",
        run: |ctx| {
            let (server, client) = XashServer::listed(ctx)?;
            let filter = filter(&server);
            let filter = format!(r"\clver\{}\key\1{filter}", messages::XASH_VERSION);
            let zero_address = std::net::SocketAddr::from(([0; 4], 0));
            client
                .request_bytes(&messages::get_region(zero_address, &filter))?
                .expect_listed(&server)?;
            client.wait_listed(&server, server.list()).map(drop)
        },
        ..LISTED_CASE
    },
    Case {
        id: "xash3d/1/empty-list",
        title: "a client asks for a gamedir that no server has",
        run: |ctx| {
            let listed = XashClient::new(ctx)?
                .request(XashListRequest(ServerFilter::Gamedir(&ctx.game())))?;
            ctx.report(match listed.packets.len() {
                0 => "it says nothing",
                _ => "it sends an empty list",
            })
        },
        ..LISTED_CASE
    },
    Case {
        id: "xash3d/1/old-client",
        title: "a server registers; a client of version 0.1 asks for its gamedir",
        run: |ctx| {
            let (server, client) = XashServer::listed(ctx)?;
            let filter = format!(r"\clver\0.1\nat\0\key\{LIST_KEY:x}{}", filter(&server));
            let listed = client.request_filter(&filter)?;
            let servers: Vec<_> = listed.servers().map(|(server, ..)| server.to_string()).collect();
            ctx.report(match servers.as_slice() {
                [] => "it is sent no server".to_owned(),
                _ if listed.has(&server) => "it is sent the same list".to_owned(),
                others => format!("it is sent {} instead", others.join(", ")),
            })
        },
        ..LISTED_CASE
    },
    Case {
        id: "xash3d/f/key",
        title: "a server registers; clients ask with the keys 0, 1, 80000000 and FFFFFFFF",
        run: |ctx| {
            let (server, client) = XashServer::listed(ctx)?;
            for key in [0, 1, 0x8000_0000, 0xffff_ffff, LIST_KEY] {
                let begin = format!(r"\clver\{}\key\{key:x}", messages::XASH_VERSION);
                let listed = client.list_of_some(&(begin + &filter(&server)))?;
                expect_key(&listed, Some(key))?;
            }
            Ok(())
        },
        ..LISTED_CASE
    },
    Case {
        id: "xash3d/f/no-key",
        title: "a server registers; a client asks without a key",
        run: |ctx| {
            let (server, client) = XashServer::listed(ctx)?;
            let filter = format!(r"\clver\{}{}", messages::XASH_VERSION, filter(&server));
            let listed = client.list_of_some(&filter)?;
            expect_key(&listed, None)?;
            listed.expect_listed(&server)
        },
        ..LISTED_CASE
    },
    Case {
        id: "xash3d/f/family",
        title: "a server registers; a client asks for its gamedir over the same family of addresses",
        run: |ctx| {
            let (server, client) = (XashServer::new(ctx)?, XashClient::new(ctx)?);
            ctx.setup(|| server.register())?;
            let listed = client.list_of_some(&xash_filter(&filter(&server)))?;
            let family = if ctx.is_over_ipv4() { ListFamily::Ipv4 } else { ListFamily::Ipv6 };
            match packets(&listed).find(|packet| packet.family != family) {
                None => Ok(()),
                Some(packet) => {
                    let what = format!("records of {family:?} addresses");
                    Err(Failure::new(what, "others").at(&packet.datagram))
                }
            }
        },
        ..CHALLENGED_CASE
    },
    Case {
        id: "xash3d/f/byte-order",
        title: "a server registers whose port has two bytes that differ; a client asks for its gamedir",
        run: lists::byte_order::<XashRole>,
        ..CHALLENGED_CASE
    },
    Case {
        id: "xash3d/f/whole-records",
        title: "three servers of one gamedir register; a client asks for that gamedir",
        run: |ctx| {
            let (servers, client) = registered_few(ctx)?;
            let expected: Vec<_> = servers.iter().map(XashServer::address).collect();
            ctx.until(|| {
                let listed = list_of(&client, &servers)?;
                let records = packets(&listed).flat_map(|packet| packet.records);
                let (zeros, rest): (Vec<_>, Vec<_>) = records.partition(is_zero);
                let foreign = rest.iter().find(|record| !expected.contains(record));
                let failure = |came: String| {
                    let failure = Failure::new(format!("{FEW} records and one of zeros"), came);
                    match listed.packets.first() {
                        Some(packet) => failure.at(packet),
                        None => failure,
                    }
                };
                if let Some(foreign) = foreign {
                    return Err(failure(format!("{foreign}, which never registered")));
                }
                ctx.setup(|| servers.iter().try_for_each(|server| listed.expect_listed(server)))?;
                if let Some((packet, at, more)) = listed.ends().find(|(.., more)| !more.is_empty())
                {
                    let came = format!("{} bytes behind them", more.len());
                    return Err(failure(came).within(packet, at));
                }
                match (rest.len(), zeros.len()) {
                    (FEW, 1) => Ok(()),
                    (count, zeros) => Err(failure(format!("{count}, and {zeros} of zeros"))),
                }
            })
        },
        ..CHALLENGED_CASE
    },
    Case {
        id: "xash3d/f/zero-record",
        title: "three servers register; a client asks for the list",
        run: |ctx| {
            let (servers, client) = registered_few(ctx)?;
            for packet in packets(&list_of(&client, &servers)?) {
                let zeros = packet.records.iter().filter(|record| is_zero(record)).count();
                if zeros != 1 || !packet.records.last().is_some_and(is_zero) {
                    let what = "one record of zeros, the last";
                    let came = format!("{zeros} records of zeros");
                    return Err(Failure::new(what, came).at(&packet.datagram));
                }
            }
            Ok(())
        },
        ..LISTED_CASE
    },
    Case {
        id: "xash3d/f/no-doubles",
        title: "a server registers twice; a client asks for its gamedir",
        run: |ctx| {
            let (server, client) = XashServer::listed(ctx)?;
            ctx.setup(|| server.register())?;
            client.wait_listed(&server, server.list())?.expect_listed_once(&server)
        },
        ..LISTED_CASE
    },
    Case {
        id: "xash3d/f/steady",
        title: "three servers register; a client asks for them six times",
        // Lists of other cases would interfere.
        exclusive: true,
        run: |ctx| {
            let servers = few(ctx)?;
            let words = servers.first().map(filter).unwrap_or_default();
            let list = XashListRequest(ServerFilter::Text(&words));
            let filter = xash_filter(&words);
            lists::steady(ctx, &servers, list, |client| client.list_of_some(&filter))
        },
        ..LISTED_CASE
    },
    Case {
        id: "xash3d/f/several-packets",
        title: "120 servers of one gamedir register; a client asks for that gamedir",
        run: |ctx| {
            let game = ctx.game();
            let ends = ctx.servers(LISTS, MANY)?;
            let servers: Vec<_> =
                ends.into_iter().map(|end| XashServer::at(end).with("gamedir", &game)).collect();
            ctx.setup(|| register_all(&servers))?;
            let client = XashClient::new(ctx)?;
            let listed = ctx.until(|| {
                let listed = client.list(XashListRequest(ServerFilter::Gamedir(&game)))?;
                servers.iter().try_for_each(|server| listed.expect_listed(server))?;
                Ok(listed)
            })?;
            servers.iter().try_for_each(|server| listed.expect_listed_once(server))?;
            expect_key(&listed, Some(LIST_KEY))?;
            ctx.report(format!("it comes in {} packets", listed.packets.len()))
        },
        exclusive: true,
        ..LISTED_CASE
    },
];

/// Servers of one gamedir.
fn few<'s>(ctx: &'s TestContext<'_>) -> Result<Vec<XashServer<'s>>, Failure> {
    let game = ctx.game();
    (0..FEW).map(|_| Ok(XashServer::new(ctx)?.with("gamedir", &game))).collect()
}

/// The same, registered, and a client.
fn registered_few<'s>(
    ctx: &'s TestContext<'_>,
) -> Result<(Vec<XashServer<'s>>, XashClient<'s>), Failure> {
    let (servers, client) = (few(ctx)?, XashClient::new(ctx)?);
    ctx.setup(|| servers.iter().try_for_each(XashServer::register))?;
    Ok((servers, client))
}

/// The list of these servers' gamedir, which must not be empty.
fn list_of(client: &XashClient<'_>, servers: &[XashServer<'_>]) -> Result<ReceivedList, Failure> {
    let words = servers.first().map(filter).unwrap_or_default();
    client.list_of_some(&xash_filter(&words))
}

/// Every packet begins with this key, or with none.
fn expect_key(listed: &ReceivedList, key: Option<u32>) -> Done {
    let named =
        |key: Option<u32>| key.map_or("no key".to_owned(), |key| format!("the key {key:x}"));
    match packets(listed).find(|packet| packet.key != key) {
        None => Ok(()),
        Some(packet) => {
            let failure = Failure::new(format!("a list with {}", named(key)), named(packet.key));
            Err(failure.field(&packet.datagram, "key"))
        }
    }
}
