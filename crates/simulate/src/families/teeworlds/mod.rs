//! Teeworlds and DDNet.

pub mod master;
pub mod messages;
pub mod query;

use crate::families::{FamilyMessages, ServerAnswers};
use protocols::teeworlds::PROTOCOL;

/// Its roles.
pub static FAMILY: FamilyMessages = FamilyMessages {
    answers: Some((&PROTOCOL, ServerAnswers::One(messages::server))),
    questions: &[&query::SERVER_QUERY, &query::SEVEN_QUERY],
    masters: &[&master::TEEWORLDS_LIST],
};
