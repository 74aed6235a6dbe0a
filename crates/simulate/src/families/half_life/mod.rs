//! Half-Life before Steam, Xash3D, and what servers and clients say to Steam's master.

pub mod messages;
pub(crate) mod watch;

use crate::families::{AnswerFn, Family};
use protocols::half_life::PROTOCOL;

/// Its roles.
pub static FAMILY: Family = Family {
    server: Some((&PROTOCOL, AnswerFn::One(messages::server))),
    watched: &[&watch::HALF_LIFE_LIST],
};
