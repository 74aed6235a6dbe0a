//! GameSpy's query and reporting 2: servers that register at a master.

pub mod messages;

use crate::families::Family;
use crate::protocols::qr2::PROTOCOL;

pub static FAMILY: Family =
    Family { server: Some((&PROTOCOL, messages::server)), services: &[], suites: &[] };
