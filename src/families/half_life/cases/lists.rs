//! Lists. No document has the request; these cases follow open-source programs, and a master that
//! differs gets a warning, not a failure.

use super::preconditions::{CHALLENGED_CASE, LISTED_CASE};
use super::roles::{
    HEAD, HalfLifeClient, HalfLifeMessages, HalfLifeServer, ListQuery, RECORD, is_complete,
};
use crate::conform::list::ReceivedList;
use crate::conform::server::register_all;
use crate::conform::shared::lists;
use crate::conform::{CASE, Case, Done, Failure, TestContext};

/// Servers that a master with small packets lists in more than one.
const MANY: usize = 150;
/// Servers of one modification.
const FEW: usize = 3;

pub(super) static CASES: &[Case] = &[
    Case {
        id: "half-life/e/listed",
        title: "a server registers; a client asks with e and the cursor 0",
        run: |ctx| {
            let (server, client) = HalfLifeServer::listed(ctx)?;
            let listed = client.request(ListQuery::Cursor).is_ok_and(|list| list.has(&server));
            ctx.report(if listed { "it lists by e" } else { "it does not list by e" })
        },
        ..LISTED_CASE
    },
    Case {
        id: "half-life/1/answered",
        title: "a client asks with 1, all regions, 0.0.0.0:0 and an empty filter",
        run: |ctx| {
            // Some masters do not respond if they have no server to list.
            let server = HalfLifeServer::new(ctx)?;
            if server.send_heartbeat().is_ok()
                && let Ok(request) = server.recv_challenge()
            {
                server.answer_request(&request)?;
            }
            HalfLifeClient::new(ctx)?.request(ListQuery::Filter("")).map(drop)
        },
        ..CASE
    },
    Case {
        id: "half-life/1/gamedir",
        title: "servers of two modifications register; a client asks for those of one",
        run: |ctx| {
            let ((server, client), (stranger, _)) =
                (HalfLifeServer::listed(ctx)?, HalfLifeServer::listed(ctx)?);
            client.wait_listed(&server, server.list())?.expect_unlisted(&stranger)
        },
        ..LISTED_CASE
    },
    Case {
        id: "half-life/1/empty-and-full",
        title: "a client asks for servers that are not empty, and for those that are not full",
        run: |ctx| {
            let game = ctx.game();
            let server = |players: &str| {
                let server = HalfLifeServer::new(ctx)?.with("gamedir", &game);
                Ok::<_, Failure>(server.with("players", players))
            };
            let servers = [server("0")?, server("1")?, server("6")?];
            ctx.setup(|| servers.iter().try_for_each(HalfLifeServer::register))?;
            let client = HalfLifeClient::new(ctx)?;
            for (words, expected) in [
                ("", [true, true, true]),
                (r"\empty\1", [false, true, true]),
                (r"\full\1", [true, true, false]),
                (r"\empty\1\full\1", [false, true, false]),
            ] {
                let filter = format!(r"\gamedir\{game}{words}");
                client.expect_exactly(ListQuery::Filter(&filter), servers.iter().zip(expected))?;
            }
            Ok(())
        },
        ..LISTED_CASE
    },
    Case {
        id: "half-life/f/byte-order",
        title: "a server registers whose port has two bytes that differ; a client asks for the list",
        run: lists::byte_order::<HalfLifeMessages>,
        ..CHALLENGED_CASE
    },
    Case {
        id: "half-life/f/whole-records",
        title: "three servers of one modification register; a client asks for that modification",
        run: |ctx| {
            let (servers, filter) = few(ctx)?;
            ctx.setup(|| servers.iter().try_for_each(HalfLifeServer::register))?;
            let listed =
                ctx.setup(|| HalfLifeClient::new(ctx)?.request(ListQuery::Filter(&filter)))?;
            if listed.count() == 0 {
                return Err(Failure::blocked("no server is listed"));
            }
            expect_whole(&listed, FEW)?;
            ctx.setup(|| servers.iter().try_for_each(|server| listed.expect_listed(server)))
        },
        ..CHALLENGED_CASE
    },
    Case {
        id: "half-life/f/no-doubles",
        title: "a server registers twice; a client asks for the list",
        run: lists::once_each::<HalfLifeMessages>,
        ..LISTED_CASE
    },
    Case {
        id: "half-life/f/steady",
        title: "three servers register; a client asks for them six times",
        // Lists of other cases would interfere.
        exclusive: true,
        run: |ctx| {
            let (servers, filter) = few(ctx)?;
            let list = ListQuery::Filter(&filter);
            lists::steady(ctx, &servers, list, |client| client.request(list))
        },
        ..LISTED_CASE
    },
    Case {
        id: "half-life/f/complete",
        title: "a client asks for a list to its end",
        run: |ctx| {
            let (server, client) = HalfLifeServer::listed(ctx)?;
            let listed = client.list(server.list())?;
            if is_complete(&listed) {
                return Ok(());
            }
            let came = format!("{} packets without it", listed.packets.len());
            Err(Failure::new("a last record of zeros", came))
        },
        ..LISTED_CASE
    },
    Case {
        id: "half-life/f/goes-on",
        title: "a client asks for a list of more servers than fit into a packet",
        run: |ctx| {
            let (game, many) = (ctx.game(), MANY.min(ctx.most_servers(super::LISTS)?));
            let (servers, filter) = (ctx.servers(super::LISTS, many)?, format!(r"\gamedir\{game}"));
            let server = |end| HalfLifeServer::at(end).with("gamedir", &game);
            let servers: Vec<_> = servers.into_iter().map(server).collect();
            ctx.setup(|| register_all(&servers))?;
            let listed = HalfLifeClient::new(ctx)?.list(ListQuery::Filter(&filter))?;
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
];

/// Servers of one modification, and its filter.
fn few<'s>(ctx: &'s TestContext<'_>) -> Result<(Vec<HalfLifeServer<'s>>, String), Failure> {
    let game = ctx.game();
    let server = |_| Ok(HalfLifeServer::new(ctx)?.with("gamedir", &game));
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
