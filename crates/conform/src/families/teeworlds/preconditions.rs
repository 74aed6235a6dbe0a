//! The preconditions of the cases for Teeworlds' master.

use super::LISTS;
use super::roles::{TeeClient, TeeServer};
use crate::{CASE, Case, Precondition};
use simulate::families::teeworlds::messages;

/// The target answers any request.
pub static ANSWERS: Precondition = Precondition {
    id: "teeworlds/answers",
    otherwise: "the target answers neither cou2 nor heartbeats",
    needs: &[],
    check: |ctx| {
        ctx.expect_any_answer(LISTS, &[messages::count_request(), messages::heartbeat(8303)])
    },
};

/// The target checks a new server.
pub static CHECKED: Precondition = Precondition {
    id: "teeworlds/checked",
    otherwise: "the target sends no fw?? to a new server",
    needs: &[&ANSWERS],
    check: |ctx| TeeServer::new(ctx)?.checked().map(drop),
};

/// A server that answers the check is listed.
pub static LISTED: Precondition = Precondition {
    id: "teeworlds/listed",
    otherwise: "no server is listed to a client that asks with req2",
    needs: &[&CHECKED],
    check: |ctx| {
        let (server, client) = (TeeServer::new(ctx)?, TeeClient::new(ctx)?);
        server.register()?;
        client.wait_listed(&server).map(drop)
    },
};

/// A case that needs [`CHECKED`].
pub const CHECKED_CASE: Case = Case { needs: &[&CHECKED], ..CASE };

/// A case that needs [`LISTED`].
pub const LISTED_CASE: Case = Case { needs: &[&LISTED], ..CASE };
