//! The games of Unreal's second engine.

mod messages;

use crate::families::Family;
use crate::protocols::unreal2::PROTOCOL;

pub static FAMILY: Family =
    Family { server: Some((&PROTOCOL, messages::server)), services: &[], suites: &[] };
