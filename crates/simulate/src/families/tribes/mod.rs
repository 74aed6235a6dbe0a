//! Starsiege: Tribes.

pub mod messages;

use crate::families::{AnswerFn, Family};
use protocols::tribes::PROTOCOL;

pub static FAMILY: Family =
    Family { server: Some((&PROTOCOL, AnswerFn::One(messages::server))), watched: &[] };
