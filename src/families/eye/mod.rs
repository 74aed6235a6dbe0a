//! Games with All-Seeing Eye's queries.

mod messages;

use crate::families::Family;
use crate::protocols::eye::PROTOCOL;

pub static FAMILY: Family =
    Family { server: Some((&PROTOCOL, messages::server)), services: &[], suites: &[] };
