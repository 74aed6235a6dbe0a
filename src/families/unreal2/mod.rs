//! The games of Unreal's second engine.

mod cases;
pub mod frames;
mod master;
mod messages;
mod watch;

use crate::families::{AnswerFn, Family};
use crate::master::{Handler, Service};
use protocols::unreal2::{PROTOCOL, UT2004};

pub static FAMILY: Family = Family {
    server: Some((&PROTOCOL, AnswerFn::Several(messages::server))),
    services: &[Service {
        name: UT2004.id,
        game: &UT2004,
        handler: Handler::Stream(master::open),
        port: 28902,
        usual: true,
        means: "servers and lists of Unreal's second engine",
        source: "010 ut2004.c",
    }],
    suites: &[&cases::SUITE],
    watched: &[&watch::UT2004_MASTER],
};
