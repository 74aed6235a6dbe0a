//! Starsiege: Tribes.

pub mod messages;
pub mod query;

use crate::families::{FamilyMessages, ServerAnswers};
use protocols::tribes::PROTOCOL;

/// Its roles.
pub static FAMILY: FamilyMessages = FamilyMessages {
    answers: Some((&PROTOCOL, ServerAnswers::One(messages::server))),
    questions: &[&query::SERVER_QUERY],
    masters: &[],
};
