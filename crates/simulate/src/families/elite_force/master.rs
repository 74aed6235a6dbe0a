//! What is said to a master of Elite Force.

use super::messages::{self, RegisteringEliteForce};
use crate::families::master_messages::PROBE_NAME;
use crate::families::quake3::messages::Quake3ListRequest;
use crate::families::quake3::query::SERVER_QUERY;
use crate::families::{
    ClientListRequest as _, HeartbeatMessages, ListMessages, ListPart, ListSelection,
    MasterMessages, Probe, RegistrationMessages,
};
use protocols::quake3::ELITE_FORCE;

/// Raven Software's master of Elite Force.
pub static ELITE_FORCE_LIST: MasterMessages = MasterMessages {
    profile: ELITE_FORCE.id,
    port: 27953,
    variant_of: None,
    ipv4_only: Some("the records of Elite Force's lists hold IPv4 addresses only"),
    list: ListMessages::Datagrams {
        request: |selection, _| {
            let protocol = selection.protocol.unwrap_or(messages::PROTOCOL).into();
            let words = "full empty";
            let request = Quake3ListRequest { protocol, words, ..Quake3ListRequest::default() };
            request.encode(selection.over_ipv6)
        },
        read: |packet| {
            let records = messages::list_records(packet)?;
            let is_last = packet.ends_with(b"\\EOT") || packet.ends_with(b"EOT\0\0\0");
            Some(ListPart::new(records, is_last))
        },
    },
    registration: RegistrationMessages::Heartbeats(HeartbeatMessages {
        shutdown: Some(|_, server| messages::heartstop(server.port())),
        ..HeartbeatMessages::new(
            |selection, address| probe(selection).heartbeat(address),
            |selection, request| probe(selection).answer(request),
        )
    }),
    servers: &SERVER_QUERY,
};

/// A server without players.
fn probe(selection: &ListSelection) -> Probe<RegisteringEliteForce> {
    let number = selection.protocol.unwrap_or(messages::PROTOCOL).to_string();
    let info = messages::server_info().with("protocol", number).with("clients", "0");
    Probe { server: RegisteringEliteForce, info: info.with("hostname", PROBE_NAME) }
}
