//! Quake 2 and Heretic 2.

mod cases;
mod master;
pub mod messages;
mod watch;

use crate::families::{AnswerFn, Family};
use crate::master::Service;
use master::handle;
use protocols::quake2::{HERETIC2, PROTOCOL, QUAKE2};

pub static FAMILY: Family = Family {
    server: Some((&PROTOCOL, AnswerFn::One(messages::server))),
    services: &[
        Service {
            means: "servers of Quake 2",
            source: "001 3",
            ..Service::udp(&QUAKE2, 27900, handle)
        },
        Service {
            means: "servers of Heretic 2",
            source: "001 2",
            ..Service::udp(&HERETIC2, 28900, handle)
        },
    ],
    suites: &[&cases::quake2_game::SUITE, &cases::heretic2_game::SUITE],
    watched: watch::KINDS,
};
