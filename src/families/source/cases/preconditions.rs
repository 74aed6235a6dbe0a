//! The preconditions of the cases for Steam's master.

use super::LISTS;
use super::roles::{SteamMessages, ZERO_ADDRESS};
use crate::conform::shared::registration;
use crate::conform::{CASE, Case, Precondition};
use crate::families::half_life::messages;

/// The target answers any request.
pub static ANSWERS: Precondition = Precondition {
    id: "source/answers",
    otherwise: "the target answers neither q nor requests for lists",
    needs: &[],
    check: |ctx| {
        let list = messages::get_region(ZERO_ADDRESS, "");
        ctx.expect_any_answer(LISTS, &[list, messages::heartbeat()])
    },
};

/// The target answers a heartbeat with an `s`.
pub static CHALLENGED: Precondition = Precondition {
    id: "source/asked",
    otherwise: "the target sends no s to a new server (its list may be full, or the limit of \
                servers of one address may be reached)",
    needs: &[&ANSWERS],
    check: registration::heartbeat_answered::<SteamMessages>,
};

/// A server that registers is listed to a client that asks for its folder.
pub static LISTED: Precondition = Precondition {
    id: "source/listed",
    otherwise: "no server is listed to a client that asks with 1, all regions, 0.0.0.0:0 and its \
                gamedir (the target may know of some games only)",
    needs: &[&CHALLENGED],
    check: registration::registers::<SteamMessages>,
};

/// A case that needs [`CHALLENGED`].
pub const CHALLENGED_CASE: Case = Case { needs: &[&CHALLENGED], ..CASE };

/// A case that needs [`LISTED`].
pub const LISTED_CASE: Case = Case { needs: &[&LISTED], ..CASE };
