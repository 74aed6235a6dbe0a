//! Starsiege: Tribes.

mod messages;

use crate::families::Family;
use crate::protocols::tribes::PROTOCOL;

pub static FAMILY: Family =
    Family { server: Some((&PROTOCOL, messages::server)), services: &[], suites: &[] };
