//! Doom 3 and Quake 4.

pub mod messages;
mod watch;

use crate::families::{AnswerFn, Family};
use protocols::doom3::PROTOCOL;

/// Its roles.
pub static FAMILY: Family = Family {
    server: Some((&PROTOCOL, AnswerFn::One(messages::server))),
    watched: &[&watch::DOOM3_LIST],
};
