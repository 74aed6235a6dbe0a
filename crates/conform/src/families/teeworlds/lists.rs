//! Lists, and how many servers they have.

use super::preconditions::{CHECKED_CASE, LISTED_CASE};
use super::roles::{TeeClient, TeeServer, misplaced, until};
use crate::list::ReceivedList;
use crate::shared::boundaries::{BoundaryServer as _, boundary_cases};
use crate::{CASE, Case, Failure, TestContext};
use simulate::families::teeworlds::messages::{self, LIST_HEAD, LIST_RECORD};

/// Servers that a list has.
const FEW: usize = 3;
/// How often a list is requested that has to stay the same.
const TIMES: usize = 4;
/// The servers that the released master takes, which are not all in the list yet.
const MOST_SERVERS: usize = 1200;
/// The bytes before an IPv4 address in its record.
const MAPPED: usize = 12;
/// One server more than a packet of the released master holds, and the bytes of that packet.
const MANY: usize = 76;
const LONGEST: usize = LIST_HEAD + 75 * LIST_RECORD;

/// Both sides of what separates servers in lists.
pub(super) static BOUNDARIES: &[Case] = boundary_cases!("teeworlds/lis2/"; "byte-order", "no-doubles"; TeeServer<'_>, LISTED_CASE; |ctx| {
    let (servers, _) = TeeServer::all_listed(ctx, FEW)?;
    let request = messages::list_request();
    boundaries::answered_each_time(ctx, super::LISTS, &request, &servers, messages::list_records)
});

pub(super) static CASES: &[Case] = &[
    Case {
        id: "teeworlds/lis2/ipv4",
        title: "a server with an IPv4 address registers; a client asks for the list",
        run: |ctx| {
            if !ctx.is_over_ipv4() {
                return Err(Failure::skipped("the target is asked over IPv6"));
            }
            let (server, client) = (TeeServer::new(ctx)?, TeeClient::new(ctx)?);
            ctx.setup(|| server.register())?;
            let Err(failure) = client.wait_listed(&server) else { return Ok(()) };
            let listed = ctx.setup(|| client.list())?;
            let what = "a record of ten bytes 00, two bytes FF and the address";
            if let Some((datagram, at)) = misplaced(&listed, &server) {
                return Err(Failure::new(what, "one with the address first")
                    .within(datagram, at..at + LIST_RECORD));
            }
            let Some((datagram, _, at)) = listed.find_block(server.end.address()) else {
                return Err(failure.in_setup());
            };
            let record = at.saturating_sub(MAPPED)..at;
            let before = datagram.bytes.get(record.clone()).unwrap_or_default();
            if before == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff] {
                return Err(failure.in_setup());
            }
            let came = format!("the address behind {before:02x?}");
            Err(Failure::new(what, came).within(datagram, record))
        },
        ..CHECKED_CASE
    },
    Case {
        id: "teeworlds/lis2/byte-order",
        title: "a server registers whose port has two bytes that differ; a client asks for the list",
        run: |ctx| {
            let (server, client) = (TeeServer::new(ctx)?, TeeClient::new(ctx)?);
            ctx.setup(|| server.register())?;
            let Err(failure) = client.wait_listed(&server) else { return Ok(()) };
            let is_swapped = ctx.setup(|| client.list())?.has_swapped(&server);
            Err(if is_swapped { failure } else { failure.in_setup() })
        },
        ..CHECKED_CASE
    },
    Case {
        id: "teeworlds/lis2/whole-records",
        title: "a server registers; a client asks for the list",
        run: |ctx| {
            let (_, client) = TeeServer::listed(ctx)?;
            let listed = ctx.setup(|| client.list())?;
            for packet in &listed.packets {
                let length = packet.bytes.len().saturating_sub(LIST_HEAD);
                if length == 0 || !length.is_multiple_of(LIST_RECORD) {
                    let came = format!("{length} bytes behind the command");
                    return Err(Failure::new("records of 18 bytes", came).at(packet));
                }
            }
            Ok(())
        },
        ..LISTED_CASE
    },
    Case {
        id: "teeworlds/lis2/no-doubles",
        title: "a server registers twice; a client asks for the list",
        run: |ctx| {
            let (server, client) = TeeServer::listed(ctx)?;
            // A list that has a later server was made after both registrations.
            let both = [server, TeeServer::new(ctx)?];
            ctx.setup(|| TeeServer::register_all(&both))?;
            let [server, later] = &both;
            ctx.setup(|| client.wait_listed(later))?.expect_listed_once(server)
        },
        ..LISTED_CASE
    },
    Case {
        id: "teeworlds/lis2/steady",
        title: "three servers are listed; a client asks for the list four times: it has them, and all \
                others of the run",
        // Lists of other cases would interfere.
        exclusive: true,
        run: |ctx| {
            let (servers, client) = TeeServer::all_listed(ctx, FEW)?;
            for _ in 0..TIMES {
                let listed = ctx.setup(|| client.list())?;
                servers.iter().try_for_each(|server| listed.expect_listed(server))?;
            }
            Ok(())
        },
        ..LISTED_CASE
    },
    Case {
        id: "teeworlds/lis2/split",
        title: "76 servers register, one more than a packet of the released master has; a client \
                asks for the list",
        run: |ctx| {
            let (servers, listed) = many_listed(ctx)?;
            if let [packet] = listed.packets.as_slice() {
                let came = format!("one packet with {} servers", listed.count());
                return Err(Failure::new("a list of several packets", came).at(packet));
            }
            servers.iter().try_for_each(|server| listed.expect_listed_once(server))
        },
        ..LISTED_CASE
    },
    Case {
        id: "teeworlds/lis2/size",
        title: "76 servers are registered; a client asks for the list",
        // When others have registered so many.
        exclusive: true,
        run: |ctx| {
            let mut listed = ctx.setup(|| TeeClient::new(ctx)?.list())?;
            if listed.count() < MANY {
                (_, listed) = ctx.setup(|| many_listed(ctx))?;
            }
            let mut packets = listed.packets.iter();
            let Some(long) = packets.find(|packet| packet.bytes.len() > LONGEST) else {
                return Ok(());
            };
            let length = long.bytes.len();
            let what = format!("packets of {LONGEST} bytes at most");
            Err(Failure::new(what, length.to_string()).within(long, LONGEST..length))
        },
        ..LISTED_CASE
    },
    Case {
        id: "teeworlds/list/old",
        title: "a server registers; a client asks for the list of version 0.5",
        run: |ctx| {
            let (server, client) = TeeServer::listed(ctx)?;
            let listed = client.old_list()?;
            ctx.report(match listed.packets.len() {
                0 => "it says nothing",
                _ if listed.has(&server) => "the server is listed, the low byte of its port first",
                _ if listed.has_swapped(&server) => {
                    "the server is listed, the high byte of its port first"
                }
                _ => "the server is not listed",
            })
        },
        ..LISTED_CASE
    },
    Case {
        id: "teeworlds/siz2/answered",
        title: "a client asks with cou2",
        run: |ctx| TeeClient::new(ctx)?.count().map(drop),
        ..CASE
    },
    Case {
        id: "teeworlds/siz2/counts",
        title: "a server registers; a client asks for the list and for the count",
        // Servers of other cases would come in between.
        exclusive: true,
        run: |ctx| {
            let (_, client) = TeeServer::listed(ctx)?;
            // Released masters make the list every five seconds, and count at once.
            until(ctx, || {
                let listed = ctx.setup(|| client.list())?.count();
                let (count, datagram) = client.count()?;
                let most = listed + MOST_SERVERS;
                if (listed..=most).contains(&count) {
                    return Ok(());
                }
                let what = format!("a count of at least {listed}, and at most {most}");
                Err(Failure::new(what, count.to_string()).field(&datagram, "count"))
            })
        },
        ..LISTED_CASE
    },
    Case {
        id: "teeworlds/size/old",
        title: "a server registers; a client asks for the count of version 0.5",
        run: |ctx| {
            let (_, client) = TeeServer::listed(ctx)?;
            let answers = client.end.request_all(&messages::old_count_request())?;
            let count = answers.iter().find_map(|answer| messages::count(&answer.bytes));
            ctx.report(match count {
                None => "it says nothing",
                Some(0) => "it counts no server",
                Some(_) => "it counts servers",
            })
        },
        ..LISTED_CASE
    },
    Case {
        id: "teeworlds/req2/cut-short",
        title: "a client sends req2 and cou2 without their last letters, then whole",
        run: |ctx| {
            let (_, client) = TeeServer::listed(ctx)?;
            for request in [messages::list_request(), messages::count_request()] {
                let short = request.get(..request.len() - 1).unwrap_or_default();
                let answers = client.end.request_all(short)?;
                if let Some(answer) = answers.first() {
                    return Err(Failure::new("no answer", answer.named()).at(answer));
                }
            }
            client.count().map(drop)
        },
        ..LISTED_CASE
    },
];

/// Many servers, and a list that has all of them.
fn many_listed<'s>(
    ctx: &'s TestContext<'_>,
) -> Result<(Vec<TeeServer<'s>>, ReceivedList), Failure> {
    let most = ctx.most_servers(super::LISTS)?;
    if most < MANY {
        let why =
            format!("needs {MANY} servers at once; at most {most} are registered at this target");
        return Err(Failure::skipped(why));
    }
    let servers = (0..MANY).map(|_| TeeServer::new(ctx)).collect::<Result<Vec<_>, _>>()?;
    let client = TeeClient::new(ctx)?;
    ctx.setup(|| TeeServer::register_all(&servers))?;
    let listed = until(ctx, || {
        let listed = client.list()?;
        servers.iter().try_for_each(|server| listed.expect_listed(server)).map(|()| listed)
    })?;
    Ok((servers, listed))
}
