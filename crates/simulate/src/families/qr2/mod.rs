//! GameSpy's query and reporting 2: servers that register at a master, and the lists that clients
//! get there.

pub mod messages;
mod watch;

use crate::families::{AnswerFn, Family};
use protocols::qr2::PROTOCOL;

/// Its roles.
pub static FAMILY: Family = Family {
    server: Some((&PROTOCOL, AnswerFn::One(messages::server))),
    watched: &[&watch::QR2_MASTER],
};
