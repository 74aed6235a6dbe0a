//! Watching a master of Teeworlds.

use super::messages;
use crate::families::watch_messages::{PROBE_NAME, servers_of};
use crate::families::{
    HeartbeatMessages, ListMessages, ListPart, RegistrationMessages, WatchMessages,
};
use crate::written;
use protocols::teeworlds::{InfoRequest, TEEWORLDS};

/// A master of Teeworlds.
pub static TEEWORLDS_LIST: WatchMessages = WatchMessages {
    profile: TEEWORLDS.id,
    port: 8300,
    variant_of: None,
    ipv4_only: false,
    list: ListMessages::Datagrams {
        request: |_, _| messages::list_request(),
        // No datagram says that it is the last.
        read: |packet| Some(ListPart::new(servers_of(messages::list_records(packet)?), false)),
    },
    registration: RegistrationMessages::Heartbeats(HeartbeatMessages::new(
        |_, server| messages::heartbeat(server.port()),
        |_, request| messages::answer(&messages::server_info().with("name", PROBE_NAME), request),
    )),
    query_port_above: 0,
    query: || written(InfoRequest::default()),
};
