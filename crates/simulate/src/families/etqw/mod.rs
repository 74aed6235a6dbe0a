//! Enemy Territory: Quake Wars. Its masters are not reached over UDP.

pub mod messages;
pub mod query;

use crate::families::{FamilyMessages, ServerAnswers};
use protocols::etqw::PROTOCOL;

/// Its roles.
pub static FAMILY: FamilyMessages = FamilyMessages {
    answers: Some((&PROTOCOL, ServerAnswers::One(messages::server))),
    questions: &[&query::SERVER_QUERY],
    masters: &[],
};
