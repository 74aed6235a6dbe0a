//! The games with GameSpy's third query protocol.

pub mod messages;

use crate::families::Family;
use crate::protocols::gamespy3::PROTOCOL;

pub static FAMILY: Family =
    Family { server: Some((&PROTOCOL, messages::server)), services: &[], suites: &[] };
