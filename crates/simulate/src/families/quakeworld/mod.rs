//! QuakeWorld and HexenWorld.

pub mod messages;
mod watch;

use crate::families::{AnswerFn, Family};
use protocols::quakeworld::PROTOCOL;

/// Its roles.
pub static FAMILY: Family =
    Family { server: Some((&PROTOCOL, AnswerFn::One(messages::server))), watched: watch::KINDS };
