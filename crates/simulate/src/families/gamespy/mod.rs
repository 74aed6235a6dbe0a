//! The games of GameSpy.

pub mod messages;
mod watch;

use crate::families::{AnswerFn, Family};
use protocols::gamespy::PROTOCOL;

/// Its roles.
pub static FAMILY: Family =
    Family { server: Some((&PROTOCOL, AnswerFn::One(messages::server))), watched: watch::KINDS };
