//! GameSpy's query and reporting 2: servers that register at a master.

pub mod messages;

use crate::families::{AnswerFn, Family};
use crate::protocols::qr2::PROTOCOL;

pub static FAMILY: Family = Family {
    server: Some((&PROTOCOL, AnswerFn::One(messages::server))),
    services: &[],
    suites: &[],
};
