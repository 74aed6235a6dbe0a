//! The Quake III family: Quake III Arena, RtCW, Enemy Territory, and the games of dpmaster.

pub mod master;
pub mod messages;
pub mod query;

use crate::families::{FamilyMessages, ServerAnswers};
use protocols::quake3::PROTOCOL;

/// Its roles.
pub static FAMILY: FamilyMessages = FamilyMessages {
    answers: Some((&PROTOCOL, ServerAnswers::One(messages::server))),
    questions: &[&query::SERVER_QUERY],
    masters: master::KINDS,
};
