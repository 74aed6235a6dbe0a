//! Source's server queries. Its masters are those of Half-Life's protocol.

pub mod messages;

use crate::families::{AnswerFn, Family};
use crate::protocols::source::PROTOCOL;

pub static FAMILY: Family = Family {
    server: Some((&PROTOCOL, AnswerFn::One(messages::server))),
    services: &[],
    suites: &[],
};
