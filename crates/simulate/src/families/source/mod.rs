//! Source's server queries, and Steam's master, which has Half-Life's messages.

pub mod master;
pub mod messages;
pub mod query;

use crate::families::{FamilyMessages, ServerAnswers};
use protocols::source::PROTOCOL;

/// Its roles.
pub static FAMILY: FamilyMessages = FamilyMessages {
    answers: Some((&PROTOCOL, ServerAnswers::One(messages::server))),
    questions: &[&query::SERVER_QUERY],
    masters: &[&master::STEAM_LIST],
};
