//! What is said to a master of Half-Life before Steam, or one with the same lists.

use std::net::SocketAddr;

use super::messages::{self, EVERYWHERE, ZERO_ADDRESS, filter_of};
use super::query::SERVER_QUERY;
use crate::ServerInfo;
use crate::families::{
    HeartbeatMessages, ListMessages, ListPart, ListProgress, ListSelection, MasterMessages,
    RegistrationMessages,
};
use protocols::half_life::HALF_LIFE;

/// The protocol of servers since Steam; some masters do not list older ones.
const PROTOCOL: u32 = 47;

/// A master of Half-Life before Steam.
pub static HALF_LIFE_LIST: MasterMessages = MasterMessages {
    profile: HALF_LIFE.id,
    port: 27010,
    variant_of: None,
    ipv4_only: Some("the records of Half-Life's lists hold IPv4 addresses only"),
    list: ListMessages::Datagrams { request, read: read_list_packet },
    registration: RegistrationMessages::Heartbeats(HeartbeatMessages {
        shutdown: Some(|_, _| messages::log_off()),
        ..HeartbeatMessages::new(
            |_, _| messages::heartbeat(),
            |selection, request| {
                let info = messages::server_info().with("players", "0");
                let number = selection.protocol.unwrap_or(PROTOCOL).to_string();
                messages::answer(&of_game(info, selection).with("protocol", number), request)
            },
        )
    }),
    servers: &SERVER_QUERY,
};

/// A server of the selected folder, else of its own.
pub fn of_game(info: ServerInfo, selection: &ListSelection) -> ServerInfo {
    if selection.game.is_empty() { info } else { info.with("gamedir", &selection.game) }
}

/// The filter for the selected folder; empty for all.
pub fn filter(selection: &ListSelection) -> String {
    if selection.game.is_empty() { String::new() } else { filter_of(&selection.game) }
}

/// The request for the servers of all regions, behind this one.
fn request(selection: &ListSelection, behind: Option<SocketAddr>) -> Vec<u8> {
    messages::get_servers_of(EVERYWHERE, behind.unwrap_or(ZERO_ADDRESS), &filter(selection))
}

/// The servers of a datagram. It ends the list if its last record is zeros.
fn read_list_packet(packet: &[u8]) -> Option<ListPart> {
    let records = messages::list_records(packet)?;
    let end = match records.servers.last() {
        Some((last, _)) if *last != ZERO_ADDRESS => ListProgress::Behind(*last),
        _ => ListProgress::Whole,
    };
    Some(ListPart { records, end })
}
