//! The form of lists, and how they go on (document 007).

use super::preconditions::{CHALLENGED_CASE, LISTED_CASE};
use super::roles::{
    HEAD, RECORD, SteamClient, SteamMessages, SteamServer, Wanted, ZERO_ADDRESS, is_complete,
};
use crate::conform::list::ReceivedList;
use crate::conform::server::register_all;
use crate::conform::shared::lists;
use crate::conform::{CASE, Case, Done, Failure, TestContext};

/// Servers that a master with small packets lists in more than one.
const MANY: usize = 150;
/// Servers of one folder.
const FEW: usize = 3;

pub(super) static CASES: &[Case] = &[
    Case {
        id: "source/1/answered",
        title: "a client asks with 1, all regions, 0.0.0.0:0 and an empty filter",
        run: |ctx| {
            // Some masters do not respond if they have no server to list.
            let server = SteamServer::new(ctx)?;
            if server.send_heartbeat().is_ok()
                && let Ok(request) = server.recv_challenge()
            {
                server.answer_request(&request)?;
            }
            let request = Wanted::everywhere("").behind(ZERO_ADDRESS);
            SteamClient::new(ctx)?.request_bytes(&request).map(drop)
        },
        ..CASE
    },
    Case {
        id: "source/f/byte-order",
        title: "a server registers whose port has two bytes that differ; a client asks for its \
                gamedir",
        run: lists::byte_order::<SteamMessages>,
        ..CHALLENGED_CASE
    },
    Case {
        id: "source/f/whole-records",
        title: "three servers of one folder register; a client asks for that folder",
        run: |ctx| {
            let (servers, filter) = few(ctx)?;
            ctx.setup(|| servers.iter().try_for_each(SteamServer::register))?;
            let wanted = Wanted::everywhere(&filter);
            let listed = ctx.setup(|| SteamClient::new(ctx)?.request(wanted))?;
            if listed.count() == 0 {
                return Err(Failure::blocked("no server is listed"));
            }
            expect_whole(&listed, FEW)?;
            ctx.setup(|| servers.iter().try_for_each(|server| listed.expect_listed(server)))
        },
        ..CHALLENGED_CASE
    },
    Case {
        id: "source/f/no-doubles",
        title: "a server registers twice; a client asks for its gamedir",
        run: lists::once_each::<SteamMessages>,
        ..LISTED_CASE
    },
    Case {
        id: "source/f/steady",
        title: "three servers register; a client asks for them six times",
        // Lists of other cases would interfere.
        exclusive: true,
        run: |ctx| {
            let (servers, filter) = few(ctx)?;
            let wanted = Wanted::everywhere(&filter);
            lists::steady(ctx, &servers, wanted, |client| client.request(wanted))
        },
        ..LISTED_CASE
    },
    Case {
        id: "source/f/complete",
        title: "a client asks for a list to its end",
        run: |ctx| {
            let (server, client) = (SteamServer::new(ctx)?, SteamClient::new(ctx)?);
            ctx.setup(|| server.register())?;
            let request = server.list().behind(ZERO_ADDRESS);
            let listed = ctx.until(|| {
                let listed = ctx.setup(|| client.request_bytes(&request))?;
                ctx.setup(|| listed.expect_listed(&server))?;
                Ok(listed)
            })?;
            if is_complete(&listed) {
                return Ok(());
            }
            // A server may stand at the end of a list that goes on with nothing but the end.
            let behind = server.list().behind(server.address());
            let rest = client.request_bytes(&behind)?;
            if is_complete(&rest) {
                return Ok(());
            }
            Err(Failure::new("a last record of zeros", "neither list nor rest has it"))
        },
        ..CHALLENGED_CASE
    },
    Case {
        id: "source/f/goes-on",
        title: "a client asks for a list of more servers than fit into a packet",
        run: |ctx| {
            let (game, many) = (ctx.game(), MANY.min(ctx.most_servers(super::LISTS)?));
            let (servers, filter) = (ctx.servers(super::LISTS, many)?, format!(r"\gamedir\{game}"));
            let server = |end| SteamServer::at(end).with("gamedir", &game);
            let servers: Vec<_> = servers.into_iter().map(server).collect();
            ctx.setup(|| register_all(&servers))?;
            let listed = SteamClient::new(ctx)?.list(Wanted::everywhere(&filter))?;
            servers.iter().try_for_each(|server| listed.expect_listed_once(server))?;
            if listed.packets.len() > 1 {
                return Ok(());
            }
            let why = format!("all {} servers fit into one packet of the target's", listed.count());
            Err(Failure::skipped(why))
        },
        // The list must not change between its packets.
        exclusive: true,
        ..LISTED_CASE
    },
    Case {
        id: "source/f/behind-a-server",
        title: "three servers of one folder register; a client asks for those behind the first of \
                the list",
        run: |ctx| {
            let (servers, filter) = few(ctx)?;
            ctx.setup(|| servers.iter().try_for_each(SteamServer::register))?;
            let (client, wanted) = (SteamClient::new(ctx)?, Wanted::everywhere(&filter));
            let all = ctx.setup(|| {
                ctx.until(|| {
                    let listed = client.request(wanted)?;
                    servers.iter().try_for_each(|server| listed.expect_listed(server))?;
                    Ok(listed)
                })
            })?;
            let mut order = all.servers().map(|(server, ..)| server);
            let Some(first) = order.next() else {
                return Err(Failure::blocked("no server is listed"));
            };
            let rest: Vec<_> = order.collect();
            let behind = client.request_bytes(&wanted.behind(first))?;
            behind.expect_absent(&first, "one that begins anew")?;
            rest.iter().try_for_each(|server| behind.expect_listed(server))
        },
        ..LISTED_CASE
    },
    Case {
        id: "source/f/behind-a-stranger",
        title: "a server registers; a client asks for those behind an address that is not listed",
        run: |ctx| {
            let (server, client) = SteamServer::listed(ctx)?;
            let stranger = SteamServer::new(ctx)?.address();
            let listed = client.request_any(&server.list().behind(stranger))?;
            ctx.report(match listed.packets.len() {
                0 => "it says nothing",
                _ if listed.has(&server) => "the list begins anew",
                _ => "it sends no server",
            })
        },
        ..LISTED_CASE
    },
];

/// Servers of one folder, and its filter.
fn few<'s>(ctx: &'s TestContext<'_>) -> Result<(Vec<SteamServer<'s>>, String), Failure> {
    let game = ctx.game();
    let server = |_| Ok(SteamServer::new(ctx)?.with("gamedir", &game));
    Ok(((0..FEW).map(server).collect::<Result<_, _>>()?, format!(r"\gamedir\{game}")))
}

/// The list is one packet with this many records and one of zeros.
fn expect_whole(listed: &ReceivedList, count: usize) -> Done {
    let expected = format!("{} records of 6 bytes, the last of zeros", count + 1);
    let (packet, _) = listed.single(&expected)?;
    let bytes = HEAD..packet.bytes.len();
    if bytes.len() == (count + 1) * RECORD && is_complete(listed) {
        return Ok(());
    }
    let came = format!("{} bytes", bytes.len());
    Err(Failure::new(expected, came).within(packet, bytes))
}
