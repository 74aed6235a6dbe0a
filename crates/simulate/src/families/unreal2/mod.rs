//! The games of Unreal's second engine.

pub mod frames;
pub mod master;
pub mod messages;
pub mod query;

use crate::families::{FamilyMessages, ServerAnswers};
use protocols::unreal2::PROTOCOL;

/// Its roles.
pub static FAMILY: FamilyMessages = FamilyMessages {
    answers: Some((&PROTOCOL, ServerAnswers::Several(messages::server))),
    questions: &[&query::SERVER_QUERY],
    masters: &[&master::UT2004_MASTER],
};
