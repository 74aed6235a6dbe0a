//! What is said to a master of Doom 3.

use super::messages::{self, Doom3ListRequest, RegisteringDoom3};
use super::query::SERVER_QUERY;
use crate::families::master_messages::PROBE_NAME;
use crate::families::{
    ClientListRequest as _, HeartbeatMessages, ListMessages, ListPart, ListSelection,
    MasterMessages, Probe, RegistrationMessages,
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
            let protocol = number(selection);
            let request = Doom3ListRequest { protocol, game: &selection.game, filter: 0 };
            request.encode(selection.over_ipv6)
        },
        // A list is one datagram: 001 9.8.
        read: |packet| Some(ListPart::new(messages::list_records(packet)?, true)),
    },
    registration: RegistrationMessages::Heartbeats(HeartbeatMessages::new(
        |selection, address| probe(selection).heartbeat(address),
        |selection, request| probe(selection).answer(request),
    )),
    servers: &SERVER_QUERY,
};

fn number(selection: &ListSelection) -> u32 {
    selection.protocol.unwrap_or(messages::FOURTH)
}

/// A server without players.
fn probe(selection: &ListSelection) -> Probe<RegisteringDoom3> {
    let info = messages::server_info().with("fs_game", &selection.game);
    let server = RegisteringDoom3 { protocol: number(selection), players: 0 };
    Probe { server, info: info.with("si_name", PROBE_NAME) }
}
