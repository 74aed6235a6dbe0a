//! Quake before QuakeWorld. Its servers register at no master.

mod messages;

use crate::families::Family;
use crate::protocols::netquake::PROTOCOL;

pub static FAMILY: Family =
    Family { server: Some((&PROTOCOL, messages::server)), services: &[], suites: &[] };
