//! What is said to a master of Quake 2 or Heretic 2.

use super::messages;
use super::query::SERVER_QUERY;
use crate::ServerInfo;
use crate::families::master_messages::PROBE_NAME;
use crate::families::{
    HeartbeatMessages, ListMessages, ListPart, MasterMessages, RegistrationMessages,
};
use protocols::quake2::{HERETIC2, QUAKE2};

/// The kinds of masters.
pub static KINDS: &[&MasterMessages] = &[&QUAKE2_LIST, &HERETIC2_LIST];

/// A master of Quake 2.
pub static QUAKE2_LIST: MasterMessages = MasterMessages {
    profile: QUAKE2.id,
    port: 27900,
    variant_of: None,
    ipv4_only: Some("the records of these lists hold IPv4 addresses only"),
    list: ListMessages::Datagrams {
        request: |_, _| messages::query(),
        read: |packet| Some(ListPart::new(messages::list_records(packet)?, false)),
    },
    registration: RegistrationMessages::Heartbeats(SERVER),
    servers: &SERVER_QUERY,
};

/// A server of Quake 2.
const SERVER: HeartbeatMessages = HeartbeatMessages {
    are_answered: false,
    start: Some(messages::ping),
    shutdown: Some(|_, _| messages::shutdown()),
    ..HeartbeatMessages::new(
        |_, _| messages::heartbeat(&named(messages::server_info()), &[]),
        |_, request| messages::answer(&named(messages::server_info()), request),
    )
};

/// A master of Heretic 2.
pub static HERETIC2_LIST: MasterMessages = MasterMessages {
    profile: HERETIC2.id,
    port: 28900,
    variant_of: Some(QUAKE2.id),
    list: ListMessages::Datagrams {
        request: |_, _| messages::query(),
        read: |packet| Some(ListPart::new(messages::list_records(packet)?, false)),
    },
    registration: RegistrationMessages::Heartbeats(HeartbeatMessages {
        heartbeat: |_, _| messages::heartbeat(&named(messages::heretic2_server_info()), &[]),
        answer: |_, request| messages::answer(&named(messages::heretic2_server_info()), request),
        ..SERVER
    }),
    ..QUAKE2_LIST
};

fn named(info: ServerInfo) -> ServerInfo {
    info.with("hostname", PROBE_NAME)
}
