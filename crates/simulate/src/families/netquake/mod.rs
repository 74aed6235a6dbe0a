//! Quake before QuakeWorld. Its servers register at no master.

pub mod messages;
pub mod query;

use crate::families::{FamilyMessages, ServerAnswers};
use protocols::netquake::PROTOCOL;

/// Its roles.
pub static FAMILY: FamilyMessages = FamilyMessages {
    answers: Some((&PROTOCOL, ServerAnswers::One(messages::server))),
    questions: &[&query::SERVER_QUERY, &query::HEXEN2_QUERY],
    masters: &[],
};
