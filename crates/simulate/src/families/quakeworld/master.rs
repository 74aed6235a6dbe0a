//! What is said to a master of QuakeWorld or HexenWorld.

use super::messages;
use super::query::{HEXENWORLD_QUERY, SERVER_QUERY};
use crate::families::master_messages::PROBE_NAME;
use crate::families::{
    HeartbeatMessages, ListMessages, ListPart, MasterMessages, RegistrationMessages,
};
use protocols::quakeworld::{HEXENWORLD, QUAKEWORLD};

/// The kinds of masters.
pub static KINDS: &[&MasterMessages] = &[&QUAKEWORLD_LIST, &HEXENWORLD_LIST];

/// A master of QuakeWorld.
pub static QUAKEWORLD_LIST: MasterMessages = MasterMessages {
    profile: QUAKEWORLD.id,
    port: 27000,
    variant_of: None,
    ipv4_only: Some("the records of these lists hold IPv4 addresses only"),
    list: ListMessages::Datagrams {
        request: |_, _| messages::get_servers(),
        read: read_list_packet,
    },
    registration: RegistrationMessages::Heartbeats(SERVER),
    servers: &SERVER_QUERY,
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
pub static HEXENWORLD_LIST: MasterMessages = MasterMessages {
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
    servers: &HEXENWORLD_QUERY,
    ..QUAKEWORLD_LIST
};

fn read_list_packet(packet: &[u8]) -> Option<ListPart> {
    Some(ListPart::new(messages::list_records(packet)?, false))
}
