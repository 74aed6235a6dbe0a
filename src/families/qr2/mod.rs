//! GameSpy's query and reporting 2: servers that register at a master, and the lists that clients
//! get there.

mod cases;
mod master;
pub mod messages;
mod watch;

use crate::families::{AnswerFn, Family};
use crate::master::{Handler, Service};
use master::{handle, lists};
use protocols::gamespy_list::GAMESPY_LIST;
use protocols::qr2::{PROTOCOL, QR2};

pub static FAMILY: Family = Family {
    server: Some((&PROTOCOL, AnswerFn::One(messages::server))),
    services: &[
        Service {
            means: "servers of GameSpy's later games, on the port of the earlier ones",
            source: "008 qr2.c",
            ..Service::udp(&QR2, 27900, handle)
        },
        Service {
            name: "qr2-list",
            game: &GAMESPY_LIST,
            handler: Handler::Stream(lists::open),
            port: 28910,
            usual: true,
            means: "lists of GameSpy's later games",
            source: "008 sb_serverlist.c",
        },
    ],
    suites: &[&cases::SUITE],
    watched: &[&watch::QR2_MASTER],
};
