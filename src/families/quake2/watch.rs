//! Watching a master of Quake 2 or Heretic 2.

use super::cases::{OF_HERETIC2, OF_QUAKE2};
use super::messages;
use crate::families::watch_messages::{PROBE_NAME, servers_of};
use crate::families::{ListPart, WatchMessages};
use crate::protocols::quake2::{HERETIC2, QUAKE2, Status};
use crate::simulate::{ServerInfo, written};

/// The kinds of masters that are watched.
pub static KINDS: &[&WatchMessages] = &[&QUAKE2_LIST, &HERETIC2_LIST];

/// A master of Quake 2.
static QUAKE2_LIST: WatchMessages = WatchMessages {
    profile: QUAKE2.id,
    port: 27900,
    is_variant: false,
    ipv4_only: true,
    answers_heartbeats: false,
    start: Some(messages::ping),
    heartbeat: |_, _| messages::heartbeat(&named(messages::server_info()), &[]),
    shutdown: Some(|_, _| messages::shutdown()),
    answer: |_, request| messages::answer(&named(messages::server_info()), request),
    request: |_, _| (OF_QUAKE2.query)(),
    read: |packet| Some(ListPart::new(servers_of((OF_QUAKE2.read)(packet)?), false)),
    query: || written(Status { newline: 1, ..Status::default() }),
};

/// A master of Heretic 2.
static HERETIC2_LIST: WatchMessages = WatchMessages {
    profile: HERETIC2.id,
    port: 28900,
    // Its requests and lists are Quake 2's.
    is_variant: true,
    heartbeat: |_, _| messages::heartbeat(&named(messages::heretic2_server_info()), &[]),
    answer: |_, request| messages::answer(&named(messages::heretic2_server_info()), request),
    request: |_, _| (OF_HERETIC2.query)(),
    ..QUAKE2_LIST
};

fn named(info: ServerInfo) -> ServerInfo {
    info.with("hostname", PROBE_NAME)
}
