//! The preconditions of Xash3D's cases.

use super::LISTS;
use super::roles::XashRole;
use crate::shared::preconditions::preconditions;
use crate::shared::registration;
use simulate::families::half_life::messages::{self, XASH_KEY};

preconditions! {
    "xash3d/", LISTS, XashRole,
    answers: [messages::get_xash_region(r"\clver\0.21"), messages::xash_heartbeat(Some(XASH_KEY))],
    else "the target answers neither q FF with a challenge nor requests for lists",
    asked: else "the target sends no s to a new server",
    listed: registration::registers::<XashRole>,
    else "no server is listed (the limit of servers of one address may be reached; xash3d-master \
          takes 14)"
}
