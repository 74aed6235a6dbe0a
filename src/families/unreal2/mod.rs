//! The games of Unreal's second engine.

mod messages;

use crate::families::{AnswerFn, Family};
use crate::protocols::unreal2::PROTOCOL;

pub static FAMILY: Family = Family {
    server: Some((&PROTOCOL, AnswerFn::Several(messages::server))),
    services: &[],
    suites: &[],
};
