//! Source's server queries, and Steam's master, which has Half-Life's messages.

mod cases;
pub mod messages;
mod watch;

use super::half_life::master;
use crate::families::{AnswerFn, Family};
use crate::master::Service;
use protocols::source::{PROTOCOL, SOURCE};

pub static FAMILY: Family = Family {
    server: Some((&PROTOCOL, AnswerFn::One(messages::server))),
    services: &[Service {
        means: "servers of games on Steam",
        source: "007",
        ..Service::udp(&SOURCE, 27011, master::handle)
    }],
    suites: &[&cases::SUITE],
    watched: &[&watch::STEAM_LIST],
};
