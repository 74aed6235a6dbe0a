//! Lists. No document has the request of Half-Life's clients; its cases follow open-source programs,
//! and a master that differs gets a warning, not a failure. Steam's master has the same cases.

use super::preconditions::{CHALLENGED_CASE, LISTED_CASE};
use super::roles::{
    HalfLifeGame, HalfLifeRole, HalfLifeServer, RegionGame, RegionRole, is_complete,
};
use crate::client::ListClient;
use crate::list::ReceivedList;
use crate::server::{TestServer, register_all};
use crate::shared::boundaries::boundary_cases;
use crate::shared::lists;
use crate::{Case, Done, Failure, TestContext};
use simulate::families::half_life::messages::{LIST_HEAD, LIST_RECORD, ZERO_ADDRESS, filter_of};
use simulate::families::half_life::registering::{RegionRequest, ServerFilter};

/// A server's settings besides the usual ones.
pub type ServerChanges = [(&'static str, &'static str)];

/// Servers that a master with small packets lists in more than one.
const MANY: usize = 150;
/// Servers of one gamedir.
pub const FEW: usize = 3;
/// Servers without players, with one, and without a free place.
pub const LOADS: [&ServerChanges; 3] = [
    &[("players", "0"), ("max", "6")],
    &[("players", "1"), ("max", "6")],
    &[("players", "6"), ("max", "6")],
];

/// The cases of a game whose lists are requested by region.
macro_rules! region_cases {
    ($game:literal, $of:ty) => {{
        use $crate::{CASE, Case};
        use $crate::shared::{lists, registration};
        use $crate::families::half_life::lists as regions;
        use $crate::families::half_life::roles::RegionRole;

        const SHARED: &[Case] = &[
            Case {
                id: concat!($game, "s/challenge-differs"),
                title: "48 servers send q",
                run: registration::challenges_unpredictable::<RegionRole<$of>>,
                ..CHALLENGED_CASE
            },
            Case {
                id: concat!($game, "0/right-challenge"),
                decides: &[concat!($game, "listed")],
                title: "a server answers the s with a 0 and its challenge; a client asks for its \
                        gamedir",
                run: registration::registers::<RegionRole<$of>>,
                ..CHALLENGED_CASE
            },
            Case {
                id: concat!($game, "0/wrong-challenge"),
                title: "a server answers with another challenge than it was sent; a client asks for \
                        its gamedir",
                requires: concat!($game, "0/no-challenge"),
                run: |ctx| {
                    registration::refused::<RegionRole<$of>>(ctx, |server, right| {
                        server.answer(&(right ^ 1))
                    })
                },
                ..LISTED_CASE
            },
            Case {
                id: concat!($game, "b/leaves"),
        early: true,
                title: "a listed server sends b; a client asks for its gamedir",
                run: regions::leaves::<$of>,
                ..LISTED_CASE
            },
            Case {
                id: concat!($game, "1/answered"),
                title: "a client asks with 1, all regions, 0.0.0.0:0 and an empty filter",
                run: regions::answered::<$of>,
                ..CASE
            },
            Case {
                id: concat!($game, "1/gamedir"),
                title: "servers of two gamedirs register; a client asks for those of one",
                run: regions::of_one_gamedir::<$of>,
                ..LISTED_CASE
            },
            Case {
                id: concat!($game, "1/empty-and-full"),
                title: "a client asks for servers that are not empty, and for those that are not \
                        full",
                run: regions::empty_and_full::<$of>,
                ..LISTED_CASE
            },
            Case {
                id: concat!($game, "f/byte-order"),
                title: "a server registers whose port has two bytes that differ; a client asks for \
                        its gamedir",
                run: lists::byte_order::<RegionRole<$of>>,
                ..CHALLENGED_CASE
            },
            Case {
                id: concat!($game, "f/whole-records"),
                title: "three servers of one gamedir register; a client asks for that gamedir",
                run: regions::whole_records::<$of>,
                ..CHALLENGED_CASE
            },
            Case {
                id: concat!($game, "f/no-doubles"),
                title: "a server registers twice; a client asks for its gamedir",
                run: lists::once_each::<RegionRole<$of>>,
                ..LISTED_CASE
            },
            Case {
                id: concat!($game, "f/steady"),
                title: "three servers register; a client asks for them six times",
                // Lists of other cases would interfere.
                exclusive: true,
                run: regions::steady::<$of>,
                ..LISTED_CASE
            },
            Case {
                id: concat!($game, "f/complete"),
                title: "a client asks for a list to its end",
                run: regions::complete::<$of>,
                ..CHALLENGED_CASE
            },
            Case {
                id: concat!($game, "f/goes-on"),
                title: "a client asks for a list of more servers than fit into a packet",
                // The list must not change between its packets.
                exclusive: true,
                run: regions::goes_on::<$of>,
                ..LISTED_CASE
            },
        ];
        SHARED
    }};
}
pub(crate) use region_cases;

pub(super) static SHARED: &[Case] = region_cases!("half-life/", HalfLifeGame);

/// Addresses, several servers of one, and answers to each request.
pub(super) static BOUNDARIES: &[Case] = boundary_cases!("half-life/f/"; "byte-order", "no-doubles"; HalfLifeServer<'_>, LISTED_CASE; boundaries::one_listed_each_time::<HalfLifeRole>);

pub(super) static CASES: &[Case] = &[Case {
    id: "half-life/e/listed",
    title: "a server registers; a client asks with e and the cursor 0",
    run: |ctx| {
        let (server, client) = HalfLifeServer::listed(ctx)?;
        let listed = client.request(RegionRequest::Cursor).is_ok_and(|list| list.has(&server));
        ctx.report(if listed { "it lists by e" } else { "it does not list by e" })
    },
    ..LISTED_CASE
}];

type RegionServer<'s, G> = TestServer<'s, RegionRole<G>>;
type RegionClient<'s, G> = ListClient<'s, RegionRole<G>>;

/// A server that says so is listed no more.
pub fn leaves<G: RegionGame>(ctx: &TestContext<'_>) -> Done {
    let (server, client) = RegionServer::<G>::listed(ctx)?;
    server.end.send_bytes(&simulate::families::half_life::messages::log_off())?;
    client.wait_unlisted(&server, server.list())
}

/// A request for all servers is answered.
pub fn answered<G: RegionGame>(ctx: &TestContext<'_>) -> Done {
    // Some masters do not respond if they have no server to list.
    let server = RegionServer::<G>::new(ctx)?;
    if server.send_heartbeat().is_ok()
        && let Ok(request) = server.recv_challenge()
    {
        server.answer_request(&request)?;
    }
    let request = RegionRequest::everywhere(ServerFilter::Text("")).behind(ZERO_ADDRESS);
    RegionClient::<G>::new(ctx)?.request_bytes(&request).map(drop)
}

/// Servers of another gamedir are not listed.
pub fn of_one_gamedir<G: RegionGame>(ctx: &TestContext<'_>) -> Done {
    let ((server, client), (stranger, _)) =
        (RegionServer::<G>::listed(ctx)?, RegionServer::<G>::listed(ctx)?);
    client.wait_listed(&server, server.list())?.expect_unlisted(&stranger)
}

/// Conditions on the number of players hold, alone and together.
pub fn empty_and_full<G: RegionGame>(ctx: &TestContext<'_>) -> Done {
    let words: &[_] = &[
        ("", [true, true, true]),
        (r"\empty\1", [false, true, true]),
        (r"\full\1", [true, true, false]),
        (r"\empty\1\full\1", [false, true, false]),
    ];
    expect_filtered::<G, _>(ctx, LOADS, words)
}

/// The list has a record for each server, and one of zeros.
pub fn whole_records<G: RegionGame>(ctx: &TestContext<'_>) -> Done {
    let (servers, filter) = registered::<G, _>(ctx, [&[]; FEW])?;
    let query = RegionRequest::everywhere(ServerFilter::Text(&filter));
    let listed = ctx.setup(|| RegionClient::<G>::new(ctx)?.request(query))?;
    if listed.count() == 0 {
        return Err(Failure::blocked("no server is listed"));
    }
    expect_whole(&listed, FEW)?;
    ctx.setup(|| servers.iter().try_for_each(|server| listed.expect_listed(server)))
}

/// The list stays the same while nothing changes.
pub fn steady<G: RegionGame>(ctx: &TestContext<'_>) -> Done {
    let (servers, filter) = of_one::<G, _>(ctx, [&[]; FEW])?;
    let query = RegionRequest::everywhere(ServerFilter::Text(&filter));
    lists::steady(ctx, &servers, query, |client| client.request(query))
}

/// The list ends with a record of zeros.
pub fn complete<G: RegionGame>(ctx: &TestContext<'_>) -> Done {
    let (server, client) = (RegionServer::<G>::new(ctx)?, RegionClient::<G>::new(ctx)?);
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
    let rest = client.request_bytes(&server.list().behind(server.address()))?;
    if is_complete(&rest) {
        return Ok(());
    }
    Err(Failure::new("a last record of zeros", "neither list nor rest has it"))
}

/// The packets of a long list have each server once.
pub fn goes_on<G: RegionGame>(ctx: &TestContext<'_>) -> Done {
    let (game, many) = (ctx.game(), MANY.min(ctx.most_servers(G::SERVICE)?));
    let servers = ctx.servers(G::SERVICE, many)?.into_iter();
    let servers: Vec<_> =
        servers.map(|end| RegionServer::<G>::at(end).with("gamedir", &game)).collect();
    ctx.setup(|| register_all(&servers))?;
    let listed = RegionClient::<G>::new(ctx)?
        .list(RegionRequest::everywhere(ServerFilter::Gamedir(&game)))?;
    servers.iter().try_for_each(|server| listed.expect_listed_once(server))?;
    if listed.packets.len() > 1 {
        return Ok(());
    }
    let why = format!("all {} servers fit into one packet of the target's", listed.count());
    Err(Failure::skipped(why))
}

/// The servers of one gamedir, one for each of these settings, and its filter.
fn of_one<'s, G: RegionGame, const N: usize>(
    ctx: &'s TestContext<'_>,
    settings: [&ServerChanges; N],
) -> Result<([RegionServer<'s, G>; N], String), Failure> {
    let game = ctx.game();
    let mut servers = Vec::new();
    for settings in settings {
        let server = RegionServer::<G>::new(ctx)?.with("gamedir", &game);
        servers.push(settings.iter().fold(server, |server, (key, value)| server.with(key, value)));
    }
    let servers = servers.try_into().map_err(|_| Failure::error("a server is missing"))?;
    Ok((servers, filter_of(&game)))
}

/// The same, registered.
pub fn registered<'s, G: RegionGame, const N: usize>(
    ctx: &'s TestContext<'_>,
    settings: [&ServerChanges; N],
) -> Result<([RegionServer<'s, G>; N], String), Failure> {
    let (servers, filter) = of_one(ctx, settings)?;
    ctx.setup(|| servers.iter().try_for_each(RegionServer::<G>::register))?;
    Ok((servers, filter))
}

/// Of servers with these settings, each of these filters lists exactly the expected ones.
pub fn expect_filtered<G: RegionGame, const N: usize>(
    ctx: &TestContext<'_>,
    settings: [&ServerChanges; N],
    filters: &[(&str, [bool; N])],
) -> Done {
    let (servers, gamedir) = registered::<G, _>(ctx, settings)?;
    let client = RegionClient::<G>::new(ctx)?;
    // All of them are listed, so a filter leaves out whoever is missing.
    ctx.setup(|| {
        let all = servers.iter().map(|server| (server, true));
        client.expect_exactly(RegionRequest::everywhere(ServerFilter::Text(&gamedir)), all)
    })?;
    for (words, expected) in filters {
        let filter = format!("{gamedir}{words}");
        client.expect_exactly(
            RegionRequest::everywhere(ServerFilter::Text(&filter)),
            servers.iter().zip(*expected),
        )?;
    }
    Ok(())
}

/// The list is one packet with this many records and one of zeros.
fn expect_whole(listed: &ReceivedList, count: usize) -> Done {
    let expected = format!("{} records of 6 bytes, the last of zeros", count + 1);
    let (packet, _) = listed.single(&expected)?;
    let bytes = LIST_HEAD..packet.bytes.len();
    if bytes.len() == (count + 1) * LIST_RECORD && is_complete(listed) {
        return Ok(());
    }
    let came = format!("{} bytes", bytes.len());
    Err(Failure::new(expected, came).within(packet, bytes))
}
