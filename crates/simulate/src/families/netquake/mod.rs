//! Quake before QuakeWorld. Its servers register at no master.

pub mod messages;

use crate::families::{AnswerFn, Family};
use protocols::netquake::PROTOCOL;

/// Its roles.
pub static FAMILY: Family =
    Family { server: Some((&PROTOCOL, AnswerFn::One(messages::server))), watched: &[] };
