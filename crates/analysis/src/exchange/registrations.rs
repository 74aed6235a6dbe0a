//! Open registrations by server and master: a server sends heartbeats to several masters at once.

use std::collections::HashSet;
use std::net::SocketAddr;

use foldhash::fast::RandomState;
use smallvec::SmallVec;

use super::timers::TimerSlot;
use crate::endpoint_key::{EndpointKey, EndpointMap};

/// How many masters of one server are kept; games know up to eight, in two address families. With
/// more, the first are removed here.
const MASTERS: usize = 16;
/// Maximum number of endpoints that are remembered as masters.
const KNOWN: usize = 1 << 12;

/// Slots of the open registrations: the latest of a server and a master.
#[derive(Default)]
pub(super) struct OpenRegistrations {
    servers: EndpointMap<Slots>,
    /// Endpoints that heartbeats or list requests were sent to.
    masters: HashSet<EndpointKey, RandomState>,
}

/// Masters with the slots of their registrations, in the order of the heartbeats.
type Slots = SmallVec<[(SocketAddr, TimerSlot); 1]>;

impl OpenRegistrations {
    /// Adds one; returns that of another master for which there is no room any more.
    pub fn insert(
        &mut self,
        server: SocketAddr,
        master: SocketAddr,
        slot: TimerSlot,
    ) -> Option<TimerSlot> {
        let slots = self.servers.entry(server.into()).or_default();
        slots.retain(|(known, _)| *known != master);
        let forgotten = (slots.len() >= MASTERS).then(|| slots.remove(0).1);
        slots.push((master, slot));
        forgotten
    }

    /// Removes one, unless a later one has replaced it.
    pub fn forget(&mut self, server: SocketAddr, master: SocketAddr, slot: TimerSlot) {
        if let Some(slots) = self.servers.get_mut(&server.into()) {
            slots.retain(|known| *known != (master, slot));
            if slots.is_empty() {
                self.servers.remove(&server.into());
            }
        }
    }

    /// Records that messages for a master went to this endpoint.
    pub fn learn(&mut self, master: SocketAddr) {
        if self.masters.len() < KNOWN {
            self.masters.insert(master.into());
        }
    }

    /// Whether an endpoint is known as a separate master.
    pub fn is_master(&self, endpoint: SocketAddr) -> bool {
        self.masters.contains(&endpoint.into())
    }

    /// Whether a server has none.
    pub fn has_none(&self, server: SocketAddr) -> bool {
        !self.servers.contains_key(&server.into())
    }

    /// The registration of a server with a master.
    pub fn slot_of(&self, server: SocketAddr, master: SocketAddr) -> Option<TimerSlot> {
        let slots = self.servers.get(&server.into())?;
        slots.iter().find(|(known, _)| *known == master).map(|(_, slot)| *slot)
    }

    /// All registrations of a server, in the order of the heartbeats.
    pub fn all_of(&self, server: SocketAddr) -> impl Iterator<Item = TimerSlot> + '_ {
        self.servers.get(&server.into()).into_iter().flatten().map(|(_, slot)| *slot)
    }
}
