//! Watching a master of QuakeWorld or HexenWorld.

use super::cases::{OF_HEXENWORLD, OF_QUAKEWORLD};
use super::messages;
use crate::families::watch_messages::{PROBE_NAME, servers_of};
use crate::families::{ListPart, WatchMessages};
use crate::protocols::quakeworld::{HEXENWORLD, QUAKEWORLD, Status};
use crate::simulate::written;

/// The kinds of masters that are watched.
pub static KINDS: &[&WatchMessages] = &[&QUAKEWORLD_LIST, &HEXENWORLD_LIST];

/// A master of QuakeWorld.
static QUAKEWORLD_LIST: WatchMessages = WatchMessages {
    profile: QUAKEWORLD.id,
    port: 27000,
    is_variant: false,
    ipv4_only: true,
    answers_heartbeats: false,
    start: Some(OF_QUAKEWORLD.messages.ping),
    heartbeat: |_, _| (OF_QUAKEWORLD.messages.heartbeat)(),
    shutdown: Some(|_, _| (OF_QUAKEWORLD.messages.shutdown)()),
    answer: |_, request| {
        messages::answer(&messages::server_info().with("hostname", PROBE_NAME), request)
    },
    request: |_, _| (OF_QUAKEWORLD.messages.query)(),
    read: |packet| Some(ListPart::new(servers_of((OF_QUAKEWORLD.messages.read)(packet)?), false)),
    query: || written(Status { end: 1, ..Status::default() }),
};

/// A master of HexenWorld.
static HEXENWORLD_LIST: WatchMessages = WatchMessages {
    profile: HEXENWORLD.id,
    port: 26900,
    start: Some(OF_HEXENWORLD.messages.ping),
    heartbeat: |_, _| (OF_HEXENWORLD.messages.heartbeat)(),
    shutdown: Some(|_, _| (OF_HEXENWORLD.messages.shutdown)()),
    request: |_, _| (OF_HEXENWORLD.messages.query)(),
    query: || written(Status { mark: 1, end: 1, ..Status::default() }),
    ..QUAKEWORLD_LIST
};
