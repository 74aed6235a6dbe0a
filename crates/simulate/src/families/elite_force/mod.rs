//! Star Trek: Elite Force.

pub mod master;
pub mod messages;

use crate::families::{FamilyMessages, quake3};

/// Its roles.
pub static FAMILY: FamilyMessages = FamilyMessages {
    answers: None,
    questions: &[&quake3::query::SERVER_QUERY],
    masters: &[&master::ELITE_FORCE_LIST],
};
