//! GameSpy's query and reporting 2: servers that register at a master, and the lists that clients
//! get there.

pub mod master;
pub mod messages;

use crate::families::{FamilyMessages, ServerAnswers, gamespy2};
use protocols::qr2::PROTOCOL;

/// Its roles.
pub static FAMILY: FamilyMessages = FamilyMessages {
    answers: Some((&PROTOCOL, ServerAnswers::One(messages::server))),
    questions: &[&gamespy2::query::SERVER_QUERY],
    masters: &[&master::QR2_MASTER],
};
