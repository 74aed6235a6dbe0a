//! The games of GameSpy.

mod cases;
mod master;
pub mod messages;
mod watch;

use crate::families::{AnswerFn, Family};
use crate::master::{Handler, Service};
use master::{handle, lists};
use protocols::gamespy::{GAMESPY, PROTOCOL};
use protocols::gamespy_list::GAMESPY_LIST;

pub static FAMILY: Family = Family {
    server: Some((&PROTOCOL, AnswerFn::One(messages::server))),
    services: &[
        Service {
            means: "heartbeats of GameSpy's games, on the port that Quake 2's master has too",
            source: "003 Heartbeat, 001 5.1",
            ..Service::udp(&GAMESPY, 27900, handle)
        },
        Service {
            // The later lists, on another port, are a game's that has the name of this service.
            name: GAMESPY_LIST.id,
            game: &GAMESPY,
            handler: Handler::Stream(lists::open),
            port: 28900,
            usual: true,
            means: "lists of GameSpy's games",
            source: "001 5.6",
        },
    ],
    suites: &[&cases::SUITE],
    watched: watch::KINDS,
};
