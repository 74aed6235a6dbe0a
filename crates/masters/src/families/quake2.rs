//! Quake 2's and Heretic 2's masters (document 001, sections 2 and 3).
//!
//! The protocol has no challenge: a heartbeat has all data, and its source address is trusted.

use crate::{
    Defect, IncomingRequest, ListKey, MasterState, Namespace, ReplySink, ServerKey, ServerQuery,
    Service,
};
use codec::{Addrs, Scratch};
use protocols::quake2::{Ack, HERETIC2, PROTOCOL, QUAKE2, Quake2, Servers};

/// Its services.
pub static SERVICES: &[Service] = &[
    Service {
        means: "servers of Quake 2",
        source: "001 3",
        ..Service::udp(&QUAKE2, 27900, handle)
    },
    Service {
        means: "servers of Heretic 2",
        source: "001 2",
        ..Service::udp(&HERETIC2, 28900, handle)
    },
];

static QUAKE2_SERVERS: Namespace = Namespace::new(QUAKE2.id);
static HERETIC2_SERVERS: Namespace = Namespace::new(HERETIC2.id);

pub(crate) fn handle(
    state: &mut MasterState,
    incoming: &IncomingRequest<'_>,
    scratch: &mut Scratch,
    out: ReplySink<'_>,
) {
    let Some(message) = state.message(incoming, &PROTOCOL, scratch, Quake2::decode) else {
        return;
    };
    let is_heretic2 = incoming.service.game == &HERETIC2;
    let namespace = if is_heretic2 { &HERETIC2_SERVERS } else { &QUAKE2_SERVERS };
    let server = ServerKey { namespace, address: incoming.from };
    match message {
        Quake2::Heartbeat(_) => state.list_plain(incoming, server),
        Quake2::Shutdown(_) => state.unregister(incoming, &server),
        Quake2::Ping(_) if !state.has(Defect::NeverAcknowledges) => {
            state.send(incoming.from, Ack::default(), out);
        }
        Quake2::Query(_) | Quake2::GetServers(_) if state.may_list(incoming) => {
            let query = ServerQuery { namespace, protocol: None, game: None };
            let found = state.find(query, |kind: &ListKey| !kind.six);
            let raw = state.records(Servers::FORM, &found);
            state.recycle(found);
            let list = Servers { servers: Addrs::new(&raw), ..Servers::default() };
            state.send(incoming.from, list, out);
        }
        _ => {}
    }
}
