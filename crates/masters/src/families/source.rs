//! Source's server queries, and Steam's master, which has Half-Life's messages.

use super::half_life::handle;
use crate::Service;
use protocols::source::SOURCE;

/// Its services.
pub static SERVICES: &[Service] = &[Service {
    means: "servers of games on Steam",
    source: "007",
    ..Service::udp(&SOURCE, 27011, handle)
}];
