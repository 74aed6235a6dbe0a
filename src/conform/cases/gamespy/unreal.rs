//! Unreal Tournament's own: 001 5.1 heartbeat, 5.6 Master Server Traffic.

use super::SERVERS;
use super::ends::{GamespyClient, GamespyServer};
use super::preconditions::LISTED;
use crate::conform::{Case, Done, MUST, Proven, Sentence, TestContext};
use crate::families::gamespy::messages as voice;
use crate::protocols::gamespy::UNREAL_TOURNAMENT;

pub(super) static CASES: &[Case] = &[
    Case {
        id: "unreal-tournament/heartbeat/epic",
        title: "a server sends the heartbeat for Epic's master, which tells its version",
        requires: "the heartbeat has the port, gamename and gamever, and comes from another port",
        citation: "001 5.1",
        needs: &[&LISTED],
        run: |ctx| registers(ctx, r"\gamever\451"),
        ..MUST
    },
    Case {
        id: "unreal-tournament/heartbeat/gamespy",
        title: "a server sends the heartbeat for GameSpy's master",
        requires: "the heartbeat has the port and gamename, and comes from another port",
        citation: "001 5.1",
        needs: &[&LISTED],
        run: |ctx| registers(ctx, ""),
        ..MUST
    },
    Case {
        id: "unreal-tournament/list/in-order",
        title: "a client goes through the documented exchange, each message behind the other",
        requires: "the master's challenge, the client's validate, its list request, and the list",
        citation: "001 5.6",
        needs: &[&LISTED],
        run: |ctx| {
            let server = GamespyServer::listed(ctx)?;
            let mut client = ctx.setup(|| GamespyClient::new(ctx))?;
            let proof = client.proof();
            client.stream.send_bytes(&proof)?;
            // Nothing may come in between, and a server with a proof can wait.
            ctx.sync(SERVERS)?;
            client.stream.send_bytes(&voice::list_request("", voice::UNREAL))?;
            client.takes()?.expect_listed(&server)
        },
        ..MUST
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

pub(super) static SENTENCES: &[Sentence] = &[
    Sentence {
        game: &UNREAL_TOURNAMENT,
        citation: "001 5.1",
        says: "the heartbeat to Epic's master names the port, the game and its version, the one to \
               GameSpy's the port and the game",
        proven: Proven::By(&["unreal-tournament/heartbeat/*"]),
    },
    Sentence {
        game: &UNREAL_TOURNAMENT,
        citation: "001 5.1",
        says: "60 seconds lie between two heartbeats",
        proven: Proven::Not("servers wait so long; 003 says five minutes"),
    },
    Sentence {
        game: &UNREAL_TOURNAMENT,
        citation: "001 5.2, 001 5.3, 001 5.4",
        says: "servers answer info, status and REPORTQUERY",
        proven: Proven::Not("no master has a part in it"),
    },
    Sentence {
        game: &UNREAL_TOURNAMENT,
        citation: "001 5.5",
        says: "clients fetch the message of the day and lists of masters over HTTP",
        proven: Proven::Not("only requests are documented, what has to come back is not"),
    },
    Sentence {
        game: &UNREAL_TOURNAMENT,
        citation: "001 5.6",
        says: "challenge, validate, list request and list follow each other in this order",
        proven: Proven::By(&["unreal-tournament/list/in-order"]),
    },
];
