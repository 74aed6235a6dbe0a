//! Enemy Territory: Quake Wars. Its masters are not reached over UDP.

pub mod messages;

use crate::families::{AnswerFn, Family};
use protocols::etqw::PROTOCOL;

/// Its roles.
pub static FAMILY: Family =
    Family { server: Some((&PROTOCOL, AnswerFn::One(messages::server))), watched: &[] };
