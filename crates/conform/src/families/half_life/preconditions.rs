//! The preconditions of Half-Life's cases.

use super::LISTS;
use super::roles::HalfLifeRole;
use crate::shared::preconditions::preconditions;
use crate::shared::registration;
use simulate::families::half_life::messages::{self, ZERO_ADDRESS};

preconditions! {
    "half-life/", LISTS, HalfLifeRole,
    answers: [
        messages::get_region(ZERO_ADDRESS, ""),
        messages::get_servers([0; 3]),
        messages::heartbeat(),
    ],
    else "the target answers neither q nor requests for lists",
    asked: else "the target sends no s to a new server (its list may be full, or the limit of servers \
                 of one address may be reached)",
    listed: registration::registers::<HalfLifeRole>,
    else "no server is listed to a client that asks with 1, a region, 0.0.0.0:0 and its gamedir"
}
