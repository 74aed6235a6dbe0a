//! The games of Unreal's second engine.

pub mod frames;
pub mod messages;
mod watch;

use crate::families::{AnswerFn, Family};
use protocols::unreal2::PROTOCOL;

/// Its roles.
pub static FAMILY: Family = Family {
    server: Some((&PROTOCOL, AnswerFn::Several(messages::server))),
    watched: &[&watch::UT2004_MASTER],
};
