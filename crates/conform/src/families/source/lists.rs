//! The form of lists, and how they go on (document 007).

use super::preconditions::{CHALLENGED_CASE, LISTED_CASE};
use super::roles::{SteamClient, SteamGame, SteamRole, SteamServer};
use crate::families::half_life::lists::{FEW, region_cases, registered};
use crate::shared::boundaries::boundary_cases;
use crate::{Case, Failure};
use simulate::families::half_life::registering::{RegionRequest, ServerFilter};

pub(super) static SHARED: &[Case] = region_cases!("source/", SteamGame);

/// Addresses, several servers of one, and answers to each request.
pub(super) static BOUNDARIES: &[Case] = boundary_cases!("source/f/"; "byte-order", "no-doubles"; SteamServer<'_>, LISTED_CASE; boundaries::one_listed_each_time::<SteamRole>);

pub(super) static CASES: &[Case] = &[
    Case {
        id: "source/f/behind-a-server",
        title: "three servers of one gamedir register; a client asks for those behind the first of \
                the list",
        run: |ctx| {
            let (servers, filter) = registered::<SteamGame, _>(ctx, [&[]; FEW])?;
            let (client, wanted) =
                (SteamClient::new(ctx)?, RegionRequest::everywhere(ServerFilter::Text(&filter)));
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
