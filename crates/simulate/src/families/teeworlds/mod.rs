//! Teeworlds and DDNet.

pub mod messages;
mod watch;

use crate::families::{AnswerFn, Family};
use protocols::teeworlds::PROTOCOL;

/// Its roles.
pub static FAMILY: Family = Family {
    server: Some((&PROTOCOL, AnswerFn::One(messages::server))),
    watched: &[&watch::TEEWORLDS_LIST],
};
