//! Games with All-Seeing Eye's queries.

pub mod messages;

use crate::families::{AnswerFn, Family};
use protocols::eye::PROTOCOL;

/// Its roles.
pub static FAMILY: Family =
    Family { server: Some((&PROTOCOL, AnswerFn::One(messages::server))), watched: &[] };
