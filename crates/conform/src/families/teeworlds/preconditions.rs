//! The preconditions of the cases for Teeworlds' master.

use super::LISTS;
use super::roles::{TeeClient, TeeServer};
use crate::shared::boundaries::BoundaryServer as _;
use crate::{CASE, Case, Precondition};
use simulate::families::teeworlds::messages;

/// Servers that register at once, so that several cases have one that is listed.
const AT_FIRST: usize = 12;

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
        let client = TeeClient::new(ctx)?;
        let servers = (0..AT_FIRST).map(|_| TeeServer::new(ctx));
        let servers = servers.collect::<Result<Vec<_>, _>>()?;
        TeeServer::register_all(&servers)?;
        servers.first().map_or(Ok(()), |server| client.wait_listed(server).map(drop))
    },
};

/// A case that needs [`CHECKED`]; the released master checks every five seconds.
pub const CHECKED_CASE: Case = Case { needs: &[&CHECKED], waits: 5, ..CASE };

/// A case that needs [`LISTED`]; the released master lists a server with its next check.
pub const LISTED_CASE: Case = Case { needs: &[&LISTED], waits: 10, ..CASE };
