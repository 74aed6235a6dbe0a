//! The preconditions of GameSpy's cases.

use super::roles::{GamespyClient, GamespyServer, list, register_any};
use super::secure::secure;
use super::{LISTS, SERVERS};
use crate::{CASE, Case, Done, Failure, Precondition, TestContext};
use simulate::families::gamespy::messages;
use text::duration_of;

/// The target answers any of these: a heartbeat, a query, or a connection.
pub static ANSWERS: Precondition = Precondition {
    id: "gamespy/answers",
    otherwise: "the target answers neither heartbeats nor connections",
    needs: &[],
    check: |ctx| {
        let Err(silent) = answers_datagrams(ctx) else { return ctx.sync(SERVERS) };
        let mut stream = ctx.stream(LISTS).map_err(|_| silent.clone())?;
        let first = stream.expect("a first byte", |bytes| (!bytes.is_empty()).then_some((0, ())));
        first.map_err(|_| silent)
    },
};

/// The target answers a heartbeat with a query, whatever that asks for.
pub static QUERIED: Precondition = Precondition {
    id: "gamespy/asked",
    otherwise: "the target sends no query to a server that sends its first heartbeat",
    needs: &[&ANSWERS],
    check: |ctx| GamespyServer::new(ctx)?.queried().map(drop),
};

/// That query has a challenge that the game's key answers.
pub static CHALLENGED: Precondition = Precondition {
    id: "gamespy/challenged",
    otherwise: "the target sends no secure challenge to a server of Unreal Tournament",
    needs: &[&QUERIED],
    check: |ctx| secure(&GamespyServer::new(ctx)?.queried()?).map(drop),
};

/// Clients can connect.
pub static CONNECTED: Precondition = Precondition {
    id: "gamespy/connected",
    otherwise: "the target takes no connection for lists (TCP)",
    needs: &[&ANSWERS],
    check: |ctx| ctx.stream(LISTS).map(drop),
};

/// The master starts a connection with a challenge.
pub static GREETED: Precondition = Precondition {
    id: "gamespy/greeted",
    otherwise: "the target sends no challenge to a client that connects (TCP)",
    needs: &[&CONNECTED],
    check: |ctx| GamespyClient::new(ctx).map(drop),
};

/// The target answers a client that proves itself.
pub static LIST_ANSWERED: Precondition = Precondition {
    id: "gamespy/list-answered",
    otherwise: "no list is answered",
    needs: &[&GREETED],
    check: |ctx| {
        register_any(ctx)?;
        let mut client = GamespyClient::new(ctx)?;
        client.request_list("", messages::UNREAL)?;
        client.expect_answer()
    },
};

/// That response has the form of a list.
pub static LIST_READ: Precondition = Precondition {
    id: "gamespy/list-read",
    otherwise: "lists cannot be read to their end",
    needs: &[&LIST_ANSWERED],
    check: |ctx| list(ctx, messages::UNREAL).map(drop),
};

/// A server that answers its query is listed.
pub static LISTED: Precondition = Precondition {
    id: "gamespy/listed",
    otherwise: "no server is listed",
    needs: &[&QUERIED, &LIST_READ],
    check: |ctx| GamespyServer::new(ctx)?.register_listed(),
};

/// A server of another game than Unreal Tournament is listed.
pub static OTHER_LISTED: Precondition = Precondition {
    id: "gamespy/other-game-listed",
    otherwise: "no server of gmtest is listed",
    needs: &[&LISTED],
    check: |ctx| GamespyServer::of_game(ctx, messages::TEST)?.register_listed(),
};

/// A server that does not answer its query is not listed.
pub static PROOF_REQUIRED: Precondition = Precondition {
    id: "gamespy/proof-wanted",
    otherwise: "the target lists servers that do not answer its query",
    needs: &[&CHALLENGED, &LISTED],
    check: |ctx| {
        let server = GamespyServer::new(ctx)?;
        server.queried()?;
        server.expect_unlisted_server()
    },
};

/// A server with a wrong proof is not listed.
pub static PROOF_CHECKED: Precondition = Precondition {
    id: "gamespy/proof-checked",
    otherwise: "the target lists servers whose proof is wrong",
    needs: &[&PROOF_REQUIRED],
    check: |ctx| super::proof::refused(ctx, |_| super::proof::NO_PROOF.to_vec()),
};

/// A listed server that sends that its state has changed gets a query.
pub static QUERIED_AGAIN: Precondition = Precondition {
    id: "gamespy/asked-again",
    otherwise: "the target does not query a listed server whose state has changed",
    needs: &[&LISTED],
    check: |ctx| {
        let server = GamespyServer::new(ctx)?;
        server.register_listed()?;
        server.send_state_changed()?;
        server.recv_query().map(drop)
    },
};

/// A listed server can be removed by its shutdown.
pub static LEAVES: Precondition = Precondition {
    id: "gamespy/leaves",
    otherwise: "the target keeps a server that says that it is exiting",
    needs: &[&QUERIED_AGAIN],
    check: |ctx| {
        let server = GamespyServer::new(ctx)?;
        server.register_listed()?;
        server.shut_down()
    },
};

/// A server of an unknown game gets a query.
pub static UNKNOWN_QUERIED: Precondition = Precondition {
    id: "gamespy/unknown-game-asked",
    otherwise: "the target sends no query to a server of a game that it does not know",
    needs: &[&QUERIED],
    check: |ctx| GamespyServer::of_game(ctx, &ctx.game())?.queried().map(drop),
};

/// A server of an unknown game is listed.
pub static UNKNOWN_LISTED: Precondition = Precondition {
    id: "gamespy/unknown-game-listed",
    otherwise: "no server of a game that the target does not know is listed",
    needs: &[&UNKNOWN_QUERIED, &LISTED],
    check: |ctx| GamespyServer::of_game(ctx, &ctx.game())?.register_listed(),
};

/// A client without a proof gets no list with a server in it.
pub static CLIENT_PROOF_REQUIRED: Precondition = Precondition {
    id: "gamespy/client-proof-wanted",
    otherwise: "the target gives lists to clients that prove nothing",
    needs: &[&LISTED],
    check: |ctx| super::validate::refused(ctx, |_| Vec::new()),
};

/// Any datagram comes back for a heartbeat or a query.
fn answers_datagrams(ctx: &TestContext<'_>) -> Done {
    let server = GamespyServer::new(ctx)?;
    for part in [4, 4, 2] {
        server.send_heartbeat()?;
        server.end.send_bytes(&messages::query("basic"))?;
        if server.end.recv(ctx.timeout() / part)?.is_some() {
            return Ok(());
        }
    }
    let came = format!("nothing in {}, asked three times", duration_of(ctx.timeout()));
    Err(Failure::new("an answer to a heartbeat or a query", came))
}

/// A case that needs [`QUERIED`].
pub const QUERIED_CASE: Case = Case { needs: &[&QUERIED], ..CASE };

/// A case that needs [`LISTED`].
pub const LISTED_CASE: Case = Case { needs: &[&LISTED], ..CASE };
