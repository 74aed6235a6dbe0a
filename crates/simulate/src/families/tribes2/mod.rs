//! Tribes 2.

pub mod messages;

use crate::families::{AnswerFn, Family};
use protocols::tribes2::PROTOCOL;

/// Its roles.
pub static FAMILY: Family =
    Family { server: Some((&PROTOCOL, AnswerFn::One(messages::server))), watched: &[] };
