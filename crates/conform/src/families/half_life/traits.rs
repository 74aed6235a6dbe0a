//! The traits of Half-Life's masters.

use super::LISTS;
use super::roles::{HalfLifeRole, HalfLifeServer, order_of_lists};
use crate::client::ListClient;
use crate::shared::registration::{self, is_answered};
use crate::{Failure, TestContext, Trait};
use simulate::families::half_life::registering::{RegionRequest, ServerFilter};

pub(super) static TRAITS: &[Trait] = &[
    Trait {
        name: "challenges of two servers",
        observe: registration::challenges_of_two::<HalfLifeRole>,
    },
    Trait {
        name: "second challenge of a server",
        observe: registration::second_challenge::<HalfLifeRole>,
    },
    Trait {
        name: "list by 1",
        observe: |ctx| lists(ctx, RegionRequest::everywhere(ServerFilter::Text(""))),
    },
    Trait { name: "list by e", observe: |ctx| lists(ctx, RegionRequest::Cursor) },
    // quakestat sends this; no document has it.
    Trait {
        name: "list by 1 and four bytes",
        observe: |ctx| is_answered(ctx, LISTS, b"1\0\0\0\0"),
    },
    // anzz1/hlmaster answers a ping with a j.
    Trait { name: "ping by i", observe: |ctx| is_answered(ctx, LISTS, b"i") },
    Trait { name: "order of lists", observe: order_of_lists::<HalfLifeRole> },
];

/// Whether a registered server is listed for this request.
fn lists(ctx: &TestContext<'_>, by: RegionRequest<'_>) -> Result<String, Failure> {
    let (server, client) = (HalfLifeServer::new(ctx)?, ListClient::<HalfLifeRole>::new(ctx)?);
    server.register()?;
    let listed = client.wait_listed(&server, by);
    Ok(if listed.is_ok() { "yes" } else { "no" }.to_owned())
}
