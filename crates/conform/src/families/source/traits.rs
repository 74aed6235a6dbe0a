//! The traits of masters of games on Steam.

use super::LISTS;
use super::roles::{SteamClient, SteamMessages, SteamServer};
use crate::Trait;
use crate::families::half_life::roles::{ListQuery, order_of_lists};
use crate::shared::registration::{self, is_answered};
use simulate::families::half_life::messages::{ZERO_ADDRESS, filter_of};

pub(super) static TRAITS: &[Trait] = &[
    Trait {
        name: "challenges of two servers",
        observe: registration::challenges_of_two::<SteamMessages>,
    },
    Trait {
        name: "second challenge of a server",
        observe: registration::second_challenge::<SteamMessages>,
    },
    Trait {
        name: "empty list",
        observe: |ctx| {
            let request = ListQuery::everywhere(&filter_of(&ctx.game())).behind(ZERO_ADDRESS);
            let is_silent = SteamClient::new(ctx)?.request_any(&request)?.packets.is_empty();
            Ok(if is_silent { "nothing" } else { "a list of zeros" }.to_owned())
        },
    },
    Trait {
        name: "list without a filter",
        observe: |ctx| {
            let (server, client) = SteamServer::listed(ctx)?;
            let has = client.wait_listed(&server, ListQuery::everywhere("")).is_ok();
            Ok(if has { "all servers" } else { "not all servers" }.to_owned())
        },
    },
    // Clients of Half-Life before Steam send it.
    Trait { name: "list by e", observe: |ctx| is_answered(ctx, LISTS, b"e\0\0\0") },
    Trait { name: "order of lists", observe: order_of_lists::<SteamMessages> },
];
