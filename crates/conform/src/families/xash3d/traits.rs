//! The traits of Xash3D's masters: xash3d-master 0.2, its later versions, and others.

use super::LISTS;
use super::roles::{XashClient, XashRole, XashServer};
use crate::families::half_life::roles::{filter, order_of_lists};
use crate::shared::registration::{self, is_answered};
use crate::{Failure, TestContext, Trait};
use simulate::families::half_life::messages;
use simulate::families::half_life::registering::{ServerFilter, XashListRequest};

pub(super) static TRAITS: &[Trait] = &[
    Trait {
        name: "second challenge of a server",
        observe: registration::second_challenge::<XashRole>,
    },
    Trait { name: "q without FF", observe: |ctx| is_answered(ctx, LISTS, &messages::heartbeat()) },
    Trait {
        name: "empty list",
        observe: |ctx| {
            let listed = XashClient::new(ctx)?
                .request(XashListRequest(ServerFilter::Gamedir(&ctx.game())))?;
            let is_silent = listed.packets.is_empty();
            Ok(if is_silent { "nothing" } else { "a list of zeros" }.to_owned())
        },
    },
    Trait { name: "list to a client of version 0.1", observe: |ctx| list_to(ctx, r"\clver\0.1") },
    Trait { name: "list to a client without a version", observe: |ctx| list_to(ctx, "") },
    Trait {
        name: "server that sent b",
        observe: |ctx| {
            let (server, client) = XashServer::listed(ctx)?;
            server.end.send_bytes(&messages::log_off())?;
            ctx.sync(LISTS)?;
            let is_gone = !client.request(server.list())?.has(&server);
            Ok(if is_gone { "gone" } else { "listed still" }.to_owned())
        },
    },
    Trait { name: "order of lists", observe: order_of_lists::<XashRole> },
];

/// What a client whose filter begins so is sent instead of the list of a server.
fn list_to(ctx: &TestContext<'_>, begin: &str) -> Result<String, Failure> {
    let (server, client) = XashServer::listed(ctx)?;
    let listed = client.request_filter(&format!(r"{begin}\key\1{}", filter(&server)))?;
    Ok(match listed.count() {
        _ if listed.has(&server) => "as to others",
        0 => "none",
        _ => "a made-up server",
    }
    .to_owned())
}
