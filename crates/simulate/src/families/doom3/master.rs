//! What is said to a master of Doom 3.

use super::messages;
use super::query::SERVER_QUERY;
use crate::families::master_messages::PROBE_NAME;
use crate::families::{
    HeartbeatMessages, ListMessages, ListPart, MasterMessages, RegistrationMessages,
};
use protocols::doom3::DOOM3;

/// id Software's master of Doom 3.
pub static DOOM3_LIST: MasterMessages = MasterMessages {
    profile: DOOM3.id,
    port: 27650,
    variant_of: None,
    ipv4_only: Some("the records of Doom 3's lists hold IPv4 addresses only"),
    list: ListMessages::Datagrams {
        request: |selection, _| {
            let protocol = selection.protocol.unwrap_or(messages::FOURTH);
            messages::get_servers(protocol, &selection.game, 0)
        },
        // A list is one datagram: 001 9.8.
        read: |packet| Some(ListPart::new(messages::list_records(packet)?, true)),
    },
    registration: RegistrationMessages::Heartbeats(HeartbeatMessages::new(
        |_, _| messages::heartbeat(),
        |selection, request| {
            let info = messages::server_info().with("fs_game", &selection.game);
            let info = info.with("si_name", PROBE_NAME);
            messages::answer(&info, selection.protocol.unwrap_or(messages::FOURTH), 0, request)
        },
    )),
    servers: &SERVER_QUERY,
};
