//! The preconditions of the cases for Steam's master.

use super::LISTS;
use super::roles::SteamRole;
use crate::shared::preconditions::preconditions;
use crate::shared::registration;
use simulate::families::half_life::messages::{self, ZERO_ADDRESS};

preconditions! {
    "source/", LISTS, SteamRole,
    answers: [messages::get_region(ZERO_ADDRESS, ""), messages::heartbeat()],
    else "the target answers neither q nor requests for lists",
    asked: else "the target sends no s to a new server (its list may be full, or the limit of servers \
                 of one address may be reached)",
    listed: registration::registers::<SteamRole>,
    else "no server is listed to a client that asks with 1, all regions, 0.0.0.0:0 and its gamedir \
          (the target may know of some games only)"
}
