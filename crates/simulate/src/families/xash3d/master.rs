//! What is said to Xash3D's master, which has a key in its requests and lists.

use crate::families::half_life::master::{HALF_LIFE_LIST, filter, of_game};
use crate::families::half_life::messages;
use crate::families::half_life::registering::{RegisteringXash, XashListRequest};
use crate::families::source;
use crate::families::{
    ClientListRequest as _, HeartbeatMessages, ListMessages, ListPart, ListSelection,
    MasterMessages, Probe, RegistrationMessages,
};
use protocols::half_life::XASH3D;

/// Xash3D's master.
pub static XASH_LIST: MasterMessages = MasterMessages {
    profile: XASH3D.id,
    ipv4_only: None,
    list: ListMessages::Datagrams {
        request: |selection, _| XashListRequest(filter(selection)).encode(selection.over_ipv6),
        read: |packet| {
            let records = messages::xash_list_records(packet)?;
            Some(ListPart::new(records, packet.ends_with(&[0; 6])))
        },
    },
    // The master knows b, the shutdown message, and ignores it.
    registration: RegistrationMessages::Heartbeats(HeartbeatMessages::new(
        |selection, address| probe(selection).heartbeat(address),
        |selection, request| probe(selection).answer(request),
    )),
    servers: &source::query::SERVER_QUERY,
    ..HALF_LIFE_LIST
};

fn probe(selection: &ListSelection) -> Probe<RegisteringXash> {
    let info = of_game(messages::xash_server_info(), selection);
    Probe { server: RegisteringXash, info }
}
