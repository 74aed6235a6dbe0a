//! Registrations that are open, by server and master: a server tells several masters at once.

use std::collections::{HashMap, HashSet};
use std::net::SocketAddr;

use foldhash::fast::RandomState;
use smallvec::SmallVec;

use super::timers::TimerSlot;

/// How many masters of one server are looked through; games know up to eight, in two address
/// families. Of more, the first are forgotten here.
const MASTERS: usize = 16;
/// How many endpoints are remembered as masters.
const KNOWN: usize = 1 << 12;

/// Where each open registration is: the last one of a server and a master.
#[derive(Default)]
pub(super) struct OpenRegistrations {
    servers: HashMap<SocketAddr, Slots, RandomState>,
    /// Endpoints that heartbeats were sent to, or requests for lists.
    masters: HashSet<SocketAddr, RandomState>,
}

/// Masters with the places of their registrations, in the order of the heartbeats.
type Slots = SmallVec<[(SocketAddr, TimerSlot); 1]>;

impl OpenRegistrations {
    pub fn insert(&mut self, server: SocketAddr, master: SocketAddr, slot: TimerSlot) {
        let slots = self.servers.entry(server).or_default();
        slots.retain(|(known, _)| *known != master);
        if slots.len() >= MASTERS {
            slots.remove(0);
        }
        slots.push((master, slot));
    }

    /// Forgets one, unless a later one has taken its place.
    pub fn forget(&mut self, server: SocketAddr, master: SocketAddr, slot: TimerSlot) {
        if let Some(slots) = self.servers.get_mut(&server) {
            slots.retain(|known| *known != (master, slot));
            if slots.is_empty() {
                self.servers.remove(&server);
            }
        }
    }

    /// Somebody takes this endpoint for a master.
    pub fn learn(&mut self, master: SocketAddr) {
        if self.masters.len() < KNOWN {
            self.masters.insert(master);
        }
    }

    /// Whether an endpoint is a master of its own.
    pub fn is_master(&self, endpoint: SocketAddr) -> bool {
        self.masters.contains(&endpoint)
    }

    /// That of a server with a master.
    pub fn of(&self, server: SocketAddr, master: SocketAddr) -> Option<TimerSlot> {
        let slots = self.servers.get(&server)?;
        slots.iter().find(|(known, _)| *known == master).map(|(_, slot)| *slot)
    }

    /// All of a server, in the order of the heartbeats.
    pub fn all_of(&self, server: SocketAddr) -> impl Iterator<Item = TimerSlot> + '_ {
        self.servers.get(&server).into_iter().flatten().map(|(_, slot)| *slot)
    }
}
