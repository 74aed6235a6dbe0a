//! QuakeWorld and HexenWorld.

mod cases;
mod master;
pub mod messages;
mod watch;

use crate::families::{AnswerFn, Family};
use crate::master::Service;
use master::handle;
use protocols::quakeworld::{HEXENWORLD, PROTOCOL, QUAKEWORLD};

pub static FAMILY: Family = Family {
    server: Some((&PROTOCOL, AnswerFn::One(messages::server))),
    services: &[
        Service {
            means: "servers of QuakeWorld",
            source: "001 6",
            ..Service::udp(&QUAKEWORLD, 27000, handle)
        },
        Service {
            means: "servers of HexenWorld",
            source: "001 7",
            ..Service::udp(&HEXENWORLD, 26900, handle)
        },
    ],
    suites: &[&cases::quakeworld_game::SUITE, &cases::hexenworld_game::SUITE],
    watched: watch::KINDS,
};
