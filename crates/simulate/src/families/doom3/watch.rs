//! Watching a master of Doom 3.

use super::messages;
use crate::families::watch_messages::{PROBE_NAME, servers_of};
use crate::families::{
    HeartbeatMessages, ListMessages, ListPart, RegistrationMessages, WatchMessages,
};
use crate::written;
use protocols::doom3::{DOOM3, GetInfo};

/// id Software's master of Doom 3.
pub static DOOM3_LIST: WatchMessages = WatchMessages {
    profile: DOOM3.id,
    port: 27650,
    variant_of: None,
    ipv4_only: true,
    list: ListMessages::Datagrams {
        request: |selection, _| {
            let protocol = selection.protocol.unwrap_or(messages::FOURTH);
            messages::get_servers(protocol, &selection.game, 0)
        },
        // A list is one datagram: 001 9.8.
        read: |packet| Some(ListPart::new(servers_of(messages::list_records(packet)?), true)),
    },
    registration: RegistrationMessages::Heartbeats(HeartbeatMessages::new(
        |_, _| messages::heartbeat(),
        |selection, request| {
            let info = messages::server_info().with("fs_game", &selection.game);
            let info = info.with("si_name", PROBE_NAME);
            messages::answer(&info, selection.protocol.unwrap_or(messages::FOURTH), 0, request)
        },
    )),
    query_port_above: 0,
    query: || written(GetInfo { challenge: 1, ..GetInfo::default() }),
};
