//! Tribes 2.

mod messages;

use crate::families::Family;
use crate::protocols::tribes2::PROTOCOL;

pub static FAMILY: Family =
    Family { server: Some((&PROTOCOL, messages::server)), services: &[], suites: &[] };
