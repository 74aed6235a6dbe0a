//! The preconditions of Xash3D's cases.

use super::LISTS;
use super::roles::{KEY, XashMessages};
use crate::conform::shared::registration;
use crate::conform::{CASE, Case, Precondition};
use crate::families::half_life::messages;

/// The target answers any request.
pub static ANSWERS: Precondition = Precondition {
    id: "xash3d/answers",
    otherwise: "the target answers neither q FF with a challenge nor requests for lists",
    needs: &[],
    check: |ctx| {
        let list = messages::get_xash_region(r"\clver\0.21");
        ctx.expect_any_answer(LISTS, &[list, messages::xash_heartbeat(Some(KEY))])
    },
};

/// The target answers a heartbeat with an `s`.
pub static CHALLENGED: Precondition = Precondition {
    id: "xash3d/asked",
    otherwise: "the target sends no s to a new server",
    needs: &[&ANSWERS],
    check: registration::heartbeat_answered::<XashMessages>,
};

/// A server that registers is listed to a client that requests its gamedir.
pub static LISTED: Precondition = Precondition {
    id: "xash3d/listed",
    otherwise: "no server is listed (the limit of servers of one address may be reached; \
                xash3d-master takes 14)",
    needs: &[&CHALLENGED],
    check: registration::registers::<XashMessages>,
};

/// A case that needs [`CHALLENGED`].
pub const CHALLENGED_CASE: Case = Case { needs: &[&CHALLENGED], ..CASE };

/// A case that needs [`LISTED`].
pub const LISTED_CASE: Case = Case { needs: &[&LISTED], ..CASE };
