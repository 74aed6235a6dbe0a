//! Star Trek: Elite Force.

mod cases;
mod master;
pub mod messages;
mod watch;

use crate::families::Family;
use crate::master::Service;
use master::handle;
use protocols::quake3::ELITE_FORCE;

pub static FAMILY: Family = Family {
    server: None,
    services: &[Service {
        means: "servers of Elite Force",
        source: "001 4",
        ..Service::udp(&ELITE_FORCE, 27953, handle)
    }],
    suites: &[&cases::SUITE],
    watched: &[&watch::ELITE_FORCE_LIST],
};
