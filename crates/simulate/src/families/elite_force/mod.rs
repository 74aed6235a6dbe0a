//! Star Trek: Elite Force.

pub mod messages;
mod watch;

use crate::families::Family;

/// Its roles.
pub static FAMILY: Family = Family { server: None, watched: &[&watch::ELITE_FORCE_LIST] };
