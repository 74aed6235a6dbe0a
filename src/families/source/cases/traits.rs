//! The traits of masters of games on Steam.

use super::LISTS;
use super::roles::{SteamClient, SteamMessages, SteamServer, Wanted, ZERO_ADDRESS};
use crate::conform::shared::registration;
use crate::conform::{Failure, TestContext, Trait};

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
            let filter = format!(r"\gamedir\{}", ctx.game());
            let request = Wanted::everywhere(&filter).behind(ZERO_ADDRESS);
            let is_silent = SteamClient::new(ctx)?.request_any(&request)?.packets.is_empty();
            Ok(if is_silent { "nothing" } else { "a list of zeros" }.to_owned())
        },
    },
    Trait {
        name: "list without a filter",
        observe: |ctx| {
            let (server, client) = SteamServer::listed(ctx)?;
            let has = client.wait_listed(&server, Wanted::everywhere("")).is_ok();
            Ok(if has { "all servers" } else { "not all servers" }.to_owned())
        },
    },
    // Clients of Half-Life before Steam send it.
    Trait { name: "list by e", observe: |ctx| is_answered(ctx, b"e\0\0\0") },
    Trait {
        name: "order of lists",
        observe: |ctx| {
            let game = ctx.game();
            registration::order_of_lists(ctx, || Ok(SteamServer::new(ctx)?.with("gamedir", &game)))
        },
    },
];

fn is_answered(ctx: &TestContext<'_>, request: &[u8]) -> Result<String, Failure> {
    let datagram = ctx.client(LISTS)?.request_all(request)?;
    Ok(if datagram.is_empty() { "nothing" } else { "an answer" }.to_owned())
}
