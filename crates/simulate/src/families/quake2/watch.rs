//! Watching a master of Quake 2 or Heretic 2.

use super::messages;
use crate::families::watch_messages::{PROBE_NAME, servers_of};
use crate::families::{
    HeartbeatMessages, ListMessages, ListPart, RegistrationMessages, WatchMessages,
};
use crate::{ServerInfo, written};
use protocols::quake2::{HERETIC2, QUAKE2, Status};

/// The kinds of masters that are watched.
pub static KINDS: &[&WatchMessages] = &[&QUAKE2_LIST, &HERETIC2_LIST];

/// A master of Quake 2.
static QUAKE2_LIST: WatchMessages = WatchMessages {
    profile: QUAKE2.id,
    port: 27900,
    variant_of: None,
    ipv4_only: true,
    list: ListMessages::Datagrams {
        request: |_, _| messages::query(),
        read: |packet| Some(ListPart::new(servers_of(messages::list_records(packet)?), false)),
    },
    registration: RegistrationMessages::Heartbeats(SERVER),
    query_port_above: 0,
    query: || written(Status { newline: 1, ..Status::default() }),
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
static HERETIC2_LIST: WatchMessages = WatchMessages {
    profile: HERETIC2.id,
    port: 28900,
    variant_of: Some(QUAKE2.id),
    list: ListMessages::Datagrams {
        request: |_, _| messages::query(),
        read: |packet| Some(ListPart::new(servers_of(messages::list_records(packet)?), false)),
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
