//! Starsiege: Tribes.

pub mod messages;

use crate::families::{AnswerFn, Family};
use protocols::tribes::PROTOCOL;

/// Its roles.
pub static FAMILY: Family =
    Family { server: Some((&PROTOCOL, AnswerFn::One(messages::server))), watched: &[] };
