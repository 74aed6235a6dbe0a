//! Teeworlds and DDNet.

mod cases;
mod master;
pub mod messages;
mod watch;

use crate::families::{AnswerFn, Family};
use crate::master::Service;
use protocols::teeworlds::{PROTOCOL, TEEWORLDS};

pub static FAMILY: Family = Family {
    server: Some((&PROTOCOL, AnswerFn::One(messages::server))),
    services: &[Service {
        means: "servers of Teeworlds",
        source: "011 mastersrv.cpp",
        ..Service::udp(&TEEWORLDS, 8300, master::handle)
    }],
    suites: &[&cases::SUITE],
    watched: &[&watch::TEEWORLDS_LIST],
};
