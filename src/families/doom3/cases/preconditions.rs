//! The preconditions of Doom 3's cases.

use super::roles::{Doom3Client, Doom3Messages, Doom3Server, all};
use super::{LISTS, UNUSED_PROTOCOL};
use crate::conform::shared::registration;
use crate::conform::{CASE, Case, Precondition};
use crate::families::doom3::messages;

/// The target answers any request.
pub static ANSWERS: Precondition = Precondition {
    id: "doom3/answers",
    otherwise: "the target answers neither getServers nor heartbeats",
    needs: &[],
    check: |ctx| {
        let list = messages::get_servers(UNUSED_PROTOCOL, "", 0);
        ctx.expect_any_answer(LISTS, &[list, messages::heartbeat()])
    },
};

/// A heartbeat is answered by a getInfo.
pub static CHALLENGED: Precondition = Precondition {
    id: "doom3/asked",
    otherwise: "the target sends no getInfo to a new server (its list may be full, or the limit of \
                servers of one address may be reached)",
    needs: &[&ANSWERS],
    check: registration::heartbeat_answered::<Doom3Messages>,
};

/// A server of version 1.3 that registers is listed.
pub static LISTED: Precondition = Precondition {
    id: "doom3/listed",
    otherwise: "no server is listed",
    needs: &[&CHALLENGED],
    check: |ctx| {
        // Three, so that records of another length than six bytes make at least one invisible.
        let servers = [Doom3Server::new(ctx)?, Doom3Server::new(ctx)?, Doom3Server::new(ctx)?];
        servers.iter().try_for_each(Doom3Server::register)?;
        let client = Doom3Client::new(ctx)?;
        servers.iter().try_for_each(|server| client.wait_listed(server, all(ctx)).map(drop))
    },
};

/// A case that needs [`CHALLENGED`].
pub const CHALLENGED_CASE: Case = Case { needs: &[&CHALLENGED], ..CASE };

/// A case that needs [`LISTED`].
pub const LISTED_CASE: Case = Case { needs: &[&LISTED], ..CASE };
