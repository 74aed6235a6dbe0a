//! What is said to Xash3D's master, which has a key in its requests and lists.

use crate::families::half_life::master::{HALF_LIFE_LIST, filter, of_game};
use crate::families::half_life::messages;
use crate::families::source;
use crate::families::{
    HeartbeatMessages, ListMessages, ListPart, MasterMessages, RegistrationMessages,
};
use protocols::half_life::XASH3D;

/// Xash3D's master.
pub static XASH_LIST: MasterMessages = MasterMessages {
    profile: XASH3D.id,
    ipv4_only: None,
    list: ListMessages::Datagrams {
        request: |selection, _| {
            messages::get_xash_region(&messages::xash_filter(&filter(selection)))
        },
        read: |packet| {
            let records = messages::xash_list_records(packet)?;
            Some(ListPart::new(records, packet.ends_with(&[0; 6])))
        },
    },
    // The master knows b, the shutdown message, and ignores it.
    registration: RegistrationMessages::Heartbeats(HeartbeatMessages::new(
        |_, _| messages::xash_heartbeat(Some(messages::XASH_KEY)),
        |selection, request| {
            let challenge = messages::challenge(request)?.to_string();
            let info = of_game(messages::xash_server_info().with("players", "0"), selection);
            Some(messages::xash_reply(&info, Some(&challenge)))
        },
    )),
    servers: &source::query::SERVER_QUERY,
    ..HALF_LIFE_LIST
};
