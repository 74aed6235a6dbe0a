//! Counts how often masters list servers.
//!
//! Lists are most of what masters send, and each names a hundred servers. So what every entry of a
//! list changes is kept in a small record for each server, beside each other in memory, and added
//! to the server's [`RegistrationStats`] later.

use super::super::host::ServerHost;
use super::super::registration_stats::Moment;

/// How many endpoints that send lists are told apart; entries of others are counted one by one.
pub(super) const LISTERS: usize = 1 << 12;
/// How many of them are remembered for each server.
const SLOTS: usize = 4;
/// How many packets of lists are remembered.
const PACKETS: usize = 1 << 14;

/// The number of an endpoint that sends lists, from 1.
pub(crate) type ListerId = u16;

/// What is needed of a server at each of its entries in lists: a line of the cache.
#[derive(Debug, Clone, Copy, Default)]
#[repr(align(64))]
pub(crate) struct ListedServer {
    /// Its endpoint as a key, if it is one of IPv4.
    pub v4: u64,
    slots: [ListedSlot; SLOTS],
    /// The slot to be used next.
    next: u8,
    /// The input of the last packet that listed it.
    pub input: u16,
    pub traits: ListedTraits,
}

const _: () = assert!(size_of::<ListedServer>() == 64, "a listed server is a line of the cache");

/// What the rules on lists need of a server.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ListedTraits {
    /// It sent a heartbeat or an answer.
    pub is_known: bool,
    /// Its first heartbeat to one of its masters came long after other messages to that master.
    pub came_late: bool,
}

/// The packets of one lister that listed a server, and were not added to its registration yet.
#[derive(Debug, Clone, Copy, Default)]
struct ListedSlot {
    /// 0 for an unused slot.
    lister: ListerId,
    /// The index of the registration.
    registration: u8,
    count: u32,
    /// The last of them.
    last: u32,
}

/// The moments of packets with lists; servers refer to them by their positions.
#[derive(Default)]
pub(crate) struct ListMoments(Vec<Moment>);

impl ListMoments {
    /// Adds a packet and returns its position; `None` if there is no room.
    pub fn add_moment(&mut self, moment: Moment) -> Option<u32> {
        if self.0.len() >= PACKETS {
            return None;
        }
        self.0.push(moment);
        u32::try_from(self.0.len() - 1).ok()
    }

    /// Removes all; no server may refer to one any more.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    fn get(&self, position: u32) -> Option<Moment> {
        self.0.get(position as usize).copied()
    }
}

impl ListedServer {
    /// Counts an entry in a packet of a lister that is known for this server; whether it is, and the
    /// packet is of the same input as the last.
    pub fn count(&mut self, lister: ListerId, packet: u32, input: u16) -> bool {
        if self.input != input {
            return false;
        }
        let Some(slot) = self.slots.iter_mut().find(|slot| slot.lister == lister) else {
            return false;
        };
        slot.count += 1;
        slot.last = packet;
        true
    }

    /// Remembers that a lister's entries belong to a registration.
    pub fn remember(
        &mut self,
        (lister, registration): (ListerId, u8),
        server: &mut ServerHost,
        moments: &ListMoments,
    ) {
        if let Some(slot) = self.slots.get_mut(usize::from(self.next) % SLOTS) {
            slot.settle(server, moments);
            *slot = ListedSlot { lister, registration, ..ListedSlot::default() };
        }
        self.next = self.next.wrapping_add(1);
    }

    /// Adds what was counted to the registrations, and forgets which belong to which lister.
    pub fn forget(&mut self, server: &mut ServerHost, moments: &ListMoments) {
        for slot in &mut self.slots {
            slot.settle(server, moments);
            *slot = ListedSlot::default();
        }
    }

    /// The same for one registration.
    pub fn forget_one(&mut self, registration: u8, server: &mut ServerHost, moments: &ListMoments) {
        for slot in self.slots.iter_mut().filter(|slot| slot.registration == registration) {
            slot.settle(server, moments);
            *slot = ListedSlot::default();
        }
    }

    /// Adds what was counted to the registrations.
    pub fn settle(&mut self, server: &mut ServerHost, moments: &ListMoments) {
        self.slots.iter_mut().for_each(|slot| slot.settle(server, moments));
    }
}

impl ListedSlot {
    fn settle(&mut self, server: &mut ServerHost, moments: &ListMoments) {
        let count = std::mem::take(&mut self.count);
        let stats = server.registrations.get_mut(usize::from(self.registration));
        let (Some(stats), Some(last)) = (stats.filter(|_| count > 0), moments.get(self.last))
        else {
            return;
        };
        stats.listed += count;
        stats.last_listed = Some(last);
    }
}
