//! Quake 2 and Heretic 2.

pub mod master;
pub mod messages;
pub mod query;

use crate::families::{FamilyMessages, ServerAnswers};
use protocols::quake2::PROTOCOL;

/// Its roles.
pub static FAMILY: FamilyMessages = FamilyMessages {
    answers: Some((&PROTOCOL, ServerAnswers::One(messages::server))),
    questions: &[&query::SERVER_QUERY],
    masters: master::KINDS,
};
