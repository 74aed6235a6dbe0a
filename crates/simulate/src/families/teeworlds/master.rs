//! What is said to a master of Teeworlds.

use super::messages;
use super::query::SERVER_QUERY;
use crate::families::master_messages::PROBE_NAME;
use crate::families::{
    HeartbeatMessages, ListMessages, ListPart, MasterMessages, RegistrationMessages,
};
use protocols::teeworlds::TEEWORLDS;

/// A master of Teeworlds.
pub static TEEWORLDS_LIST: MasterMessages = MasterMessages {
    profile: TEEWORLDS.id,
    port: 8300,
    variant_of: None,
    ipv4_only: None,
    list: ListMessages::Datagrams {
        request: |_, _| messages::list_request(),
        // No datagram says that it is the last.
        read: |packet| Some(ListPart::new(messages::list_records(packet)?, false)),
    },
    registration: RegistrationMessages::Heartbeats(HeartbeatMessages::new(
        |_, server| messages::heartbeat(server.port()),
        |_, request| messages::answer(&messages::server_info().with("name", PROBE_NAME), request),
    )),
    servers: &SERVER_QUERY,
};
