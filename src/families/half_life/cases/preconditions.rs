//! The preconditions of Half-Life's cases.

use super::LISTS;
use super::roles::{HalfLifeMessages, ZERO_ADDRESS};
use crate::conform::shared::registration;
use crate::conform::{CASE, Case, Precondition};
use crate::families::half_life::messages;

/// The target answers any request.
pub static ANSWERS: Precondition = Precondition {
    id: "half-life/answers",
    otherwise: "the target answers neither q nor requests for lists",
    needs: &[],
    check: |ctx| {
        let list = messages::get_region(ZERO_ADDRESS, "");
        ctx.expect_any_answer(LISTS, &[list, messages::get_servers([0; 3]), messages::heartbeat()])
    },
};

/// The target answers a heartbeat with an `s`.
pub static CHALLENGED: Precondition = Precondition {
    id: "half-life/asked",
    otherwise: "the target sends no s to a new server (its list may be full, or the limit of \
                servers of one address may be reached)",
    needs: &[&ANSWERS],
    check: registration::heartbeat_answered::<HalfLifeMessages>,
};

/// A server that registers is listed to a client that asks with `1`.
pub static LISTED: Precondition = Precondition {
    id: "half-life/listed",
    otherwise: "no server is listed to a client that asks with 1, a region, 0.0.0.0:0 and its \
                gamedir",
    needs: &[&CHALLENGED],
    check: registration::registers::<HalfLifeMessages>,
};

/// A case that needs [`CHALLENGED`].
pub const CHALLENGED_CASE: Case = Case { needs: &[&CHALLENGED], ..CASE };

/// A case that needs [`LISTED`].
pub const LISTED_CASE: Case = Case { needs: &[&LISTED], ..CASE };
