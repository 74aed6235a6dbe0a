//! Tribes 2.

pub mod messages;
pub mod query;

use crate::families::{FamilyMessages, ServerAnswers};
use protocols::tribes2::PROTOCOL;

/// Its roles.
pub static FAMILY: FamilyMessages = FamilyMessages {
    answers: Some((&PROTOCOL, ServerAnswers::One(messages::server))),
    questions: &[&query::SERVER_QUERY],
    masters: &[],
};
