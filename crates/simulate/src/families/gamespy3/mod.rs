//! The games with GameSpy's third query protocol.

pub mod messages;

use crate::families::{AnswerFn, Family};
use protocols::gamespy3::PROTOCOL;

/// Its roles.
pub static FAMILY: Family =
    Family { server: Some((&PROTOCOL, AnswerFn::One(messages::server))), watched: &[] };
