//! The Quake III family: Quake III Arena, RtCW, Enemy Territory, and the games of dpmaster.

pub mod messages;
mod watch;

use crate::families::{AnswerFn, Family};
use protocols::quake3::PROTOCOL;

/// Its roles.
pub static FAMILY: Family =
    Family { server: Some((&PROTOCOL, AnswerFn::One(messages::server))), watched: watch::KINDS };
