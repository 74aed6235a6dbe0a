//! Doom 3 and Quake 4.

mod cases;
mod master;
pub mod messages;
mod watch;

use crate::families::{AnswerFn, Family};
use crate::master::Service;
use master::handle;
use protocols::doom3::{DOOM3, PROTOCOL};

pub static FAMILY: Family = Family {
    server: Some((&PROTOCOL, AnswerFn::One(messages::server))),
    services: &[Service {
        means: "servers of Doom 3, versions and players' keys",
        source: "001 9",
        ..Service::udp(&DOOM3, 27650, handle)
    }],
    suites: &[&cases::SUITE],
    watched: &[&watch::DOOM3_LIST],
};
