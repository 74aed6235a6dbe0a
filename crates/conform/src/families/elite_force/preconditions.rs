//! The preconditions of Elite Force's cases.

use super::getservers::ALL;
use super::roles::EliteForceRole;
use super::{LISTS, MOTD};
use crate::shared::registration;
use crate::{CASE, Case, Precondition};
use simulate::families::quake3::messages::{Quake3ListRequest, getmotd};

/// The target answers any request.
pub static ANSWERS: Precondition = Precondition {
    id: "elite-force/answers",
    otherwise: "the target answers no getservers",
    needs: &[],
    check: |ctx| {
        // Some masters only answer if the list is empty, some only if it is not.
        let list = |protocol| {
            Quake3ListRequest { protocol, words: ALL, ..Quake3ListRequest::default() }.plain()
        };
        ctx.expect_any_answer(LISTS, &[list(1), list(24)])
    },
};

/// The target answers a heartbeat with a getstatus or a getinfo.
pub static CHALLENGED: Precondition = Precondition {
    id: "elite-force/asked",
    otherwise: "the target sends no getstatus or getinfo to a new server (its list may be full, or \
                the limit of servers of one address may be reached)",
    needs: &[&ANSWERS],
    check: registration::heartbeat_answered::<EliteForceRole>,
};

/// A server that registers is listed.
pub static LISTED: Precondition = Precondition {
    id: "elite-force/listed",
    otherwise: "no server is listed",
    needs: &[&CHALLENGED],
    check: registration::registers::<EliteForceRole>,
};

/// The target sends messages of the day.
pub static MOTD_ANSWERED: Precondition = Precondition {
    id: "elite-force/motd-answered",
    otherwise: "the service of messages of the day answers nothing",
    needs: &[],
    check: |ctx| ctx.expect_any_answer(MOTD, &[getmotd("1", "none")]),
};

/// A case that needs [`CHALLENGED`].
pub const CHALLENGED_CASE: Case = Case { needs: &[&CHALLENGED], ..CASE };

/// A case that needs [`LISTED`].
pub const LISTED_CASE: Case = Case { needs: &[&LISTED], ..CASE };
