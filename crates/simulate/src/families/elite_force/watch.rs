//! Watching a master of Elite Force.

use super::messages;
use crate::families::quake3::messages::Quake3ListRequest;
use crate::families::watch_messages::{PROBE_NAME, servers_of};
use crate::families::{
    HeartbeatMessages, ListMessages, ListPart, RegistrationMessages, WatchMessages,
};
use crate::written;
use protocols::quake3::{ELITE_FORCE, GetInfo};

/// Raven Software's master of Elite Force.
pub static ELITE_FORCE_LIST: WatchMessages = WatchMessages {
    profile: ELITE_FORCE.id,
    port: 27953,
    variant_of: None,
    ipv4_only: true,
    list: ListMessages::Datagrams {
        request: |selection, _| {
            let protocol = selection.protocol.unwrap_or(messages::PROTOCOL).into();
            let words = "full empty";
            Quake3ListRequest { protocol, words, ..Quake3ListRequest::default() }.plain()
        },
        read: |packet| {
            let records = messages::list_records(packet)?;
            let is_last = packet.ends_with(b"\\EOT") || packet.ends_with(b"EOT\0\0\0");
            Some(ListPart::new(servers_of(records), is_last))
        },
    },
    registration: RegistrationMessages::Heartbeats(HeartbeatMessages {
        shutdown: Some(|_, server| messages::heartstop(server.port())),
        ..HeartbeatMessages::new(
            |_, server| messages::heartbeat(server.port(), messages::GAME),
            |selection, request| {
                let number = selection.protocol.unwrap_or(messages::PROTOCOL).to_string();
                let info = messages::server_info().with("protocol", number).with("clients", "0");
                messages::answer(&info.with("hostname", PROBE_NAME), request)
            },
        )
    }),
    query_port_above: 0,
    query: || written(GetInfo { blank: 1, challenge: b"fragshark", ..GetInfo::default() }),
};
