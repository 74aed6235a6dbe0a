//! What is said to a master of Half-Life before Steam, or one with the same lists.

use std::net::SocketAddr;

use super::messages::{self, ZERO_ADDRESS};
use super::query::SERVER_QUERY;
use super::registering::{RegionRequest, RegisteringHalfLife, ServerFilter};
use crate::ServerInfo;
use crate::families::{
    HeartbeatMessages, ListMessages, ListPart, ListProgress, ListSelection, MasterMessages, Probe,
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
            |selection, address| probe(selection).heartbeat(address),
            |selection, request| probe(selection).answer(request),
        )
    }),
    servers: &SERVER_QUERY,
};

/// A server without players.
fn probe(selection: &ListSelection) -> Probe<RegisteringHalfLife> {
    let number = selection.protocol.unwrap_or(PROTOCOL).to_string();
    let info = of_game(messages::server_info(), selection).with("protocol", number);
    Probe { server: RegisteringHalfLife, info }
}

/// The same server without players, of the selected folder, else of its own.
pub(crate) fn of_game(info: ServerInfo, selection: &ListSelection) -> ServerInfo {
    let info = info.with("players", "0");
    if selection.game.is_empty() { info } else { info.with("gamedir", &selection.game) }
}

/// The filter for the selected folder; empty for all.
pub(crate) fn filter(selection: &ListSelection) -> ServerFilter<'_> {
    let game = &selection.game;
    if game.is_empty() { ServerFilter::Text("") } else { ServerFilter::Gamedir(game) }
}

/// The request for the servers of all regions, behind this one.
fn request(selection: &ListSelection, behind: Option<SocketAddr>) -> Vec<u8> {
    RegionRequest::everywhere(filter(selection)).behind(behind.unwrap_or(ZERO_ADDRESS))
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
