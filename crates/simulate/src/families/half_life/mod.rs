//! Half-Life before Steam, Xash3D, and what servers and clients say to Steam's master.

pub mod master;
pub mod messages;
pub mod query;
pub mod registering;

use crate::families::{FamilyMessages, ServerAnswers, source};
use protocols::half_life::PROTOCOL;

/// Its roles.
pub static FAMILY: FamilyMessages = FamilyMessages {
    answers: Some((&PROTOCOL, ServerAnswers::One(messages::server))),
    questions: &[&source::query::SERVER_QUERY, &query::SERVER_QUERY],
    masters: &[&master::HALF_LIFE_LIST],
};
