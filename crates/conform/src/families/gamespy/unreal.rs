//! Unreal Tournament's own: 001 5.1 heartbeat, 5.6 Master Server Traffic.

use super::SERVERS;
use super::preconditions::LISTED_CASE;
use super::roles::{GamespyClient, GamespyServer};
use crate::{Case, Done, TestContext};
use simulate::families::gamespy::messages;

pub(super) static CASES: &[Case] = &[
    Case {
        id: "unreal-tournament/heartbeat/epic",
        title: "a server sends the heartbeat for Epic's master, which tells its version",
        run: |ctx| registers(ctx, r"\gamever\451"),
        ..LISTED_CASE
    },
    Case {
        id: "unreal-tournament/heartbeat/gamespy",
        title: "a server sends the heartbeat for GameSpy's master",
        run: |ctx| registers(ctx, ""),
        ..LISTED_CASE
    },
    Case {
        id: "unreal-tournament/list/in-order",
        title: "a client goes through the documented exchange, each message behind the other",
        run: |ctx| {
            let server = GamespyServer::listed(ctx)?;
            let mut client = ctx.setup(|| GamespyClient::new(ctx))?;
            let proof = client.proof();
            client.stream.send_bytes(&proof)?;
            // Nothing may come in between, and a server with a proof can wait.
            ctx.sync(SERVERS)?;
            client.stream.send_bytes(&messages::list_request("", messages::UNREAL))?;
            client.recv_list()?.expect_listed(&server)
        },
        ..LISTED_CASE
    },
];

/// A server of the game sends this heartbeat from another port than it names, and is listed by the
/// named port. Other cases test at which of the two it gets the query.
fn registers(ctx: &TestContext<'_>, more: &str) -> Done {
    let server = GamespyServer::new(ctx)?;
    let other = ctx.server_beside(SERVERS, &server.end)?;
    other.send_bytes(&server.heartbeat(more))?;
    server.answer_at(&other)?;
    server.wait_listed()
}
