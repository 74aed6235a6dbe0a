//! Half-Life before Steam, Xash3D, and what servers and clients say to Steam's master.

pub mod cases;
pub mod master;
pub mod messages;
pub mod watch;

use crate::families::{AnswerFn, Family};
use crate::master::Service;
use protocols::half_life::{HALF_LIFE, PROTOCOL};

pub static FAMILY: Family = Family {
    server: Some((&PROTOCOL, AnswerFn::One(messages::server))),
    services: &[Service {
        means: "servers of Half-Life",
        source: "001 10",
        ..Service::udp(&HALF_LIFE, 27010, master::handle)
    }],
    suites: &[&cases::SUITE],
    watched: &[&watch::HALF_LIFE_LIST],
};
