//! The Quake III family: Quake III Arena, RtCW, Enemy Territory, and the games of dpmaster.

mod cases;
pub(crate) mod master;
pub mod messages;
mod watch;

use crate::families::{AnswerFn, Family};
use crate::master::Service;
use master::{authorize, handle, motd};
use protocols::quake3::{PROTOCOL, QUAKE3};

pub static FAMILY: Family = Family {
    server: Some((&PROTOCOL, AnswerFn::One(messages::server))),
    services: &[
        Service {
            means: "servers of Quake III, RtCW, Enemy Territory, DarkPlaces' games, Q3Master",
            source: "001 1, 001 8, 001 11, 004",
            ..Service::udp(&QUAKE3, 27950, handle)
        },
        Service {
            name: "motd",
            means: "messages of the day, and Enemy Territory's updates",
            source: "001 1.1.4, 001 8.6, 001 11.3",
            ..Service::udp(&QUAKE3, 27951, motd::handle)
        },
        Service {
            name: "authorize",
            means: "keys of players, and servers that ask about them",
            source: "001 1.1.3, 001 8.3",
            ..Service::udp(&QUAKE3, 27952, authorize::handle)
        },
        Service {
            name: "update",
            means: "Enemy Territory's updates, on the port that its servers have too",
            source: "001 11.1",
            usual: false,
            ..Service::udp(&QUAKE3, 27960, motd::handle)
        },
    ],
    suites: &[&cases::SUITE],
    watched: watch::KINDS,
};
