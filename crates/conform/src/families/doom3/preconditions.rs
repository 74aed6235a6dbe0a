//! The preconditions of Doom 3's cases.

use super::roles::{Doom3Client, Doom3Role, Doom3Server, all};
use super::{LISTS, UNUSED_PROTOCOL};
use crate::shared::preconditions::preconditions;
use crate::{Done, TestContext};
use simulate::families::doom3::messages;

preconditions! {
    "doom3/", LISTS, Doom3Role,
    answers: [messages::get_servers(UNUSED_PROTOCOL, "", 0), messages::heartbeat()],
    else "the target answers neither getServers nor heartbeats",
    asked: else "the target sends no getInfo to a new server (its list may be full, or the limit of \
                 servers of one address may be reached)",
    listed: three_listed,
    else "no server is listed"
}

/// Servers of version 1.3 that register are listed.
fn three_listed(ctx: &TestContext<'_>) -> Done {
    // Three, so that records of another length than six bytes make at least one invisible.
    let servers = [Doom3Server::new(ctx)?, Doom3Server::new(ctx)?, Doom3Server::new(ctx)?];
    servers.iter().try_for_each(Doom3Server::register)?;
    let client = Doom3Client::new(ctx)?;
    servers.iter().try_for_each(|server| client.wait_listed(server, all(ctx)).map(drop))
}
