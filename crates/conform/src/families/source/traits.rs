//! The traits of masters of games on Steam.

use super::LISTS;
use super::roles::{SteamClient, SteamRole, SteamServer};
use crate::Trait;
use crate::families::half_life::roles::order_of_lists;
use crate::shared::registration::{self, is_answered};
use simulate::families::half_life::messages::ZERO_ADDRESS;
use simulate::families::half_life::registering::{RegionRequest, ServerFilter};

pub(super) static TRAITS: &[Trait] = &[
    Trait {
        name: "challenges of two servers",
        observe: registration::challenges_of_two::<SteamRole>,
    },
    Trait {
        name: "second challenge of a server",
        observe: registration::second_challenge::<SteamRole>,
    },
    Trait {
        name: "empty list",
        observe: |ctx| {
            let request =
                RegionRequest::everywhere(ServerFilter::Gamedir(&ctx.game())).behind(ZERO_ADDRESS);
            let is_silent = SteamClient::new(ctx)?.request_any(&request)?.packets.is_empty();
            Ok(if is_silent { "nothing" } else { "a list of zeros" }.to_owned())
        },
    },
    Trait {
        name: "list without a filter",
        observe: |ctx| {
            let (server, client) = SteamServer::listed(ctx)?;
            let has = client
                .wait_listed(&server, RegionRequest::everywhere(ServerFilter::Text("")))
                .is_ok();
            Ok(if has { "all servers" } else { "not all servers" }.to_owned())
        },
    },
    // Clients of Half-Life before Steam send it.
    Trait { name: "list by e", observe: |ctx| is_answered(ctx, LISTS, b"e\0\0\0") },
    Trait { name: "order of lists", observe: order_of_lists::<SteamRole> },
];
