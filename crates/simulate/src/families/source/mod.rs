//! Source's server queries, and Steam's master, which has Half-Life's messages.

pub mod messages;
mod watch;

use crate::families::{AnswerFn, Family};
use protocols::source::PROTOCOL;

/// Its roles.
pub static FAMILY: Family = Family {
    server: Some((&PROTOCOL, AnswerFn::One(messages::server))),
    watched: &[&watch::STEAM_LIST],
};
