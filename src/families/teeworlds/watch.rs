//! Watching a master of Teeworlds.

use super::cases::roles::read;
use super::messages;
use crate::families::watch_messages::{PROBE_NAME, servers_of};
use crate::families::{ListPart, WatchMessages};
use crate::protocols::teeworlds::{InfoRequest, TEEWORLDS};
use crate::simulate::written;

/// A master of Teeworlds.
pub static TEEWORLDS_LIST: WatchMessages = WatchMessages {
    profile: TEEWORLDS.id,
    port: 8300,
    is_variant: false,
    ipv4_only: false,
    answers_heartbeats: true,
    start: None,
    heartbeat: |_, port| messages::heartbeat(port),
    shutdown: None,
    answer: |_, request| {
        messages::answer(&messages::server_info().with("name", PROBE_NAME), request)
    },
    request: |_, _| messages::list_request(),
    // No datagram says that it is the last.
    read: |packet| Some(ListPart::new(servers_of(read(packet)?), false)),
    query: || written(InfoRequest::default()),
};
