//! A made-up game with all roles, as a family of its own: the smallest example of a protocol, a
//! server, a master and cases.

mod cases;
mod master;
mod messages;
pub mod protocol;

use simulate::families::{AnswerFn, Family};
use masters::Service;
use master::handle;
use protocol::{GAME, PROTOCOL};

pub static FAMILY: Family = Family {
    server: Some((&PROTOCOL, AnswerFn::One(messages::server))),
    services: &[Service {
        means: "servers of the made-up game",
        source: "in no document",
        ..Service::udp(&GAME, 47_000, handle)
    }],
    suites: &[&cases::SUITE],
    watched: &[],
};
