//! Quake 2 and Heretic 2.

pub mod messages;
mod watch;

use crate::families::{AnswerFn, Family};
use protocols::quake2::PROTOCOL;

/// Its roles.
pub static FAMILY: Family =
    Family { server: Some((&PROTOCOL, AnswerFn::One(messages::server))), watched: watch::KINDS };
