//! The games with GameSpy's second query protocol.

pub mod messages;

use crate::families::Family;
use crate::protocols::gamespy2::PROTOCOL;

pub static FAMILY: Family =
    Family { server: Some((&PROTOCOL, messages::server)), services: &[], suites: &[] };
