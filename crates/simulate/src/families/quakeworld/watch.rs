//! Watching a master of QuakeWorld or HexenWorld.

use super::messages;
use crate::families::watch_messages::{PROBE_NAME, servers_of};
use crate::families::{
    HeartbeatMessages, ListMessages, ListPart, RegistrationMessages, WatchMessages,
};
use crate::written;
use protocols::quakeworld::{HEXENWORLD, QUAKEWORLD, Status};

/// The kinds of masters that are watched.
pub static KINDS: &[&WatchMessages] = &[&QUAKEWORLD_LIST, &HEXENWORLD_LIST];

/// A master of QuakeWorld.
static QUAKEWORLD_LIST: WatchMessages = WatchMessages {
    profile: QUAKEWORLD.id,
    port: 27000,
    variant_of: None,
    ipv4_only: true,
    list: ListMessages::Datagrams {
        request: |_, _| messages::get_servers(),
        read: read_list_packet,
    },
    registration: RegistrationMessages::Heartbeats(SERVER),
    query_port_above: 0,
    query: || written(Status { end: 1, ..Status::default() }),
};

/// A server of QuakeWorld.
const SERVER: HeartbeatMessages = HeartbeatMessages {
    are_answered: false,
    start: Some(messages::ping),
    shutdown: Some(|_, _| messages::shutdown()),
    ..HeartbeatMessages::new(
        |_, _| messages::heartbeat(1, 0),
        |_, request| {
            messages::answer(&messages::server_info().with("hostname", PROBE_NAME), request)
        },
    )
};

/// A master of HexenWorld.
static HEXENWORLD_LIST: WatchMessages = WatchMessages {
    profile: HEXENWORLD.id,
    port: 26900,
    list: ListMessages::Datagrams {
        request: |_, _| messages::HEXENWORLD_QUERY.to_vec(),
        read: read_list_packet,
    },
    registration: RegistrationMessages::Heartbeats(HeartbeatMessages {
        start: Some(|| messages::uncompressed(&messages::ping())),
        heartbeat: |_, _| messages::uncompressed(&messages::heartbeat(1, 0)),
        shutdown: Some(|_, _| messages::uncompressed(&messages::shutdown())),
        ..SERVER
    }),
    query: || written(Status { mark: 1, end: 1, ..Status::default() }),
    ..QUAKEWORLD_LIST
};

fn read_list_packet(packet: &[u8]) -> Option<ListPart> {
    Some(ListPart::new(servers_of(messages::list_records(packet)?), false))
}
