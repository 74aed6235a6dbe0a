//! Half-Life before Steam, and Xash3D.

mod cases;
mod master;
pub mod messages;

use crate::families::{AnswerFn, Family};
use crate::master::Service;
use crate::protocols::half_life::{HALF_LIFE, PROTOCOL};
use master::handle;

pub static FAMILY: Family = Family {
    server: Some((&PROTOCOL, AnswerFn::One(messages::server))),
    services: &[Service {
        means: "servers of Half-Life",
        source: "001 10",
        ..Service::udp(&HALF_LIFE, 27010, handle)
    }],
    suites: &[&cases::SUITE],
};
