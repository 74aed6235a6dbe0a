//! Games with All-Seeing Eye's queries.

pub mod messages;
pub mod query;

use crate::families::{FamilyMessages, ServerAnswers};
use protocols::eye::PROTOCOL;

/// Its roles.
pub static FAMILY: FamilyMessages = FamilyMessages {
    answers: Some((&PROTOCOL, ServerAnswers::One(messages::server))),
    questions: &[&query::SERVER_QUERY],
    masters: &[],
};
