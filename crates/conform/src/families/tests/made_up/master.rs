//! The master: a heartbeat is trusted.

use super::protocol::{GAME, MadeUp, MadeUpList, decode_made_up};
use codec::{Addrs, Scratch};
use masters::{IncomingRequest, MasterState, Namespace, ReplySink, ServerKey, ServerQuery};

static SERVERS: Namespace = Namespace::new(GAME.id);

pub fn handle(
    state: &mut MasterState,
    incoming: &IncomingRequest<'_>,
    scratch: &mut Scratch,
    out: ReplySink<'_>,
) {
    let server = ServerKey { namespace: &SERVERS, address: incoming.from };
    match decode_made_up(incoming.payload, scratch) {
        Some(MadeUp::MadeUpHeartbeat(_)) => state.list_plain(incoming, server),
        Some(MadeUp::MadeUpStop(_)) => state.unregister(incoming, &server),
        Some(MadeUp::MadeUpFind(_)) => {
            let query = ServerQuery { namespace: &SERVERS, protocol: None, game: None };
            let found = state.find(query, |kind| !kind.six);
            let raw = state.records(MadeUpList::FORM, &found);
            state.recycle(found);
            let list = MadeUpList { servers: Addrs::new(&raw), ..MadeUpList::default() };
            state.send(incoming.from, list, out);
        }
        _ => {}
    }
}
