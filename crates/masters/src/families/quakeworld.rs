//! QuakeWorld's and HexenWorld's masters (document 001, sections 6 and 7).
//!
//! The protocol has no challenge: a heartbeat is trusted. HexenWorld's programs put another FF
//! before uncompressed datagrams, both to and from a master.

use crate::{
    Defect, IncomingRequest, ListKey, MasterState, Namespace, ReplySink, ServerKey, ServerQuery,
    Service,
};
use codec::{Addrs, Scratch};
use protocols::quakeworld::{
    Ack, HEXENWORLD, Heartbeat, PROTOCOL, QUAKEWORLD, QuakeWorld, ServerPing, Servers, Shutdown,
};

/// Its services.
pub static SERVICES: &[Service] = &[
    Service {
        means: "servers of QuakeWorld",
        source: "001 6",
        ..Service::udp(&QUAKEWORLD, 27000, handle)
    },
    Service {
        means: "servers of HexenWorld",
        source: "001 7",
        ..Service::udp(&HEXENWORLD, 26900, handle)
    },
];

static QUAKEWORLD_SERVERS: Namespace = Namespace::new(QUAKEWORLD.id);
static HEXENWORLD_SERVERS: Namespace = Namespace::new(HEXENWORLD.id);

/// The second spelling of the mark.
const FIVE: u8 = 1;
/// HexenWorld's list request, as quakestat sends it; no document has it.
const HEXENWORLD_QUERY: &[u8] = b"\xffc\0";

pub(crate) fn handle(
    state: &mut MasterState,
    incoming: &IncomingRequest<'_>,
    scratch: &mut Scratch,
    out: ReplySink<'_>,
) {
    let is_hexenworld = incoming.service.game == &HEXENWORLD;
    let namespace = if is_hexenworld { &HEXENWORLD_SERVERS } else { &QUAKEWORLD_SERVERS };
    let mark = if is_hexenworld && !state.has(Defect::FourBytesMark) { FIVE } else { 0 };
    if is_hexenworld && incoming.payload == HEXENWORLD_QUERY {
        return list(state, incoming, namespace, mark, out);
    }
    let payload = match incoming.payload {
        [0xff, rest @ ..] if is_hexenworld && !rest.starts_with(b"\xff") => rest,
        payload => payload,
    };
    let unmarked = IncomingRequest { payload, ..*incoming };
    let Some(message) = state.message(&unmarked, &PROTOCOL, scratch, QuakeWorld::decode) else {
        return;
    };
    let server = ServerKey { namespace, address: incoming.from };
    match message {
        // A master of QuakeWorld does not know HexenWorld's form; for HexenWorld it was removed.
        QuakeWorld::Heartbeat(Heartbeat { mark: 0, .. }) => state.list_plain(incoming, server),
        QuakeWorld::Shutdown(Shutdown { mark: 0, .. }) => state.unregister(incoming, &server),
        QuakeWorld::ServerPing(ServerPing { mark: 0, .. }) | QuakeWorld::Ping(_)
            if !state.has(Defect::NeverAcknowledges) =>
        {
            state.send(incoming.from, Ack { mark, ..Ack::default() }, out);
        }
        QuakeWorld::GetServers(_) => list(state, incoming, namespace, mark, out),
        _ => {}
    }
}

/// All servers of a namespace, in one datagram.
fn list(
    state: &mut MasterState,
    incoming: &IncomingRequest<'_>,
    namespace: &'static Namespace,
    mark: u8,
    out: ReplySink<'_>,
) {
    if !state.may_list(incoming) {
        return;
    }
    let query = ServerQuery { namespace, protocol: None, game: None };
    let found = state.find(query, |kind: &ListKey| !kind.six);
    let raw = state.records(Servers::FORM, &found);
    state.recycle(found);
    state.send(incoming.from, Servers { mark, servers: Addrs::new(&raw) }, out);
}
