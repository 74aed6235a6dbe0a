//! The lists of masters: which servers they name.

use std::collections::hash_map::Entry as MapEntry;
use std::net::SocketAddr;

use super::Hosts;
use super::listed::{LISTERS, ListedServer, ListedTraits, ListerId};
use crate::exchange::Placement;
use crate::message::MessageHeader;
use crate::registration_stats::Moment;
use crate::values::MessageValues;
use flow::Transport;
use protocol::{ExchangeKind, Role};

impl Hosts {
    /// Finds the servers of a list from a master, once for all that is done with them.
    pub(crate) fn find_listed(&mut self, servers: &[SocketAddr]) {
        let Self { servers: table, found, listed, .. } = self;
        found.clear();
        // Read in loops that do nothing else, so that the cache misses overlap.
        found.extend(servers.iter().map(|server| table.candidate((*server).into())));
        for (index, server) in found.iter_mut().zip(servers) {
            *index = table.confirm((*server).into(), *index);
        }
        let traits = |index| table.listed(index).map_or_else(Default::default, |of| of.traits);
        listed.clear();
        listed.extend(found.iter().map(|index| index.map_or_else(Default::default, traits)));
    }

    /// What is known of the servers of the current list before it, in order.
    pub(crate) fn listed(&self) -> &[ListedTraits] {
        &self.listed
    }

    /// Completes the registrations: what was counted of lists is added to them.
    pub(crate) fn settle(&mut self) {
        self.servers.settle(&self.moments);
    }

    /// Records the servers of a list.
    pub(super) fn add_list(
        &mut self,
        header: &MessageHeader,
        values: &MessageValues<'_>,
        master: SocketAddr,
        moment: Moment,
    ) {
        let packet = self.moments.add_moment(moment).or_else(|| {
            self.settle();
            self.moments.clear();
            self.moments.add_moment(moment)
        });
        let lister = self.lister(master, header.transport).zip(packet);
        let found = std::mem::take(&mut self.found);
        for (server, index) in values.servers.iter().zip(&found) {
            let listed = index.and_then(|index| self.servers.listed_mut(index));
            let is_counted = |listed: &mut ListedServer| {
                lister.is_some_and(|(lister, packet)| listed.count(lister, packet, moment.input()))
            };
            if !listed.is_some_and(is_counted) {
                self.list(*server, (master, lister.map(|(lister, _)| lister)), header, moment);
            }
        }
        self.found = found;
    }

    /// Records a server of a list whose registration with the master is not remembered.
    fn list(
        &mut self,
        address: SocketAddr,
        (master, lister): (SocketAddr, Option<ListerId>),
        header: &MessageHeader,
        moment: Moment,
    ) {
        let Some(index) = self.find(address, moment) else {
            return;
        };
        let Some((server, listed)) = self.servers.both_mut(index) else {
            return;
        };
        server.verdict.get_or_insert(header.verdict);
        listed.input = moment.input();
        if let Some(registration) = server.listed_by(master, header.transport) {
            listed.forget_one(registration, server, &self.moments);
            server.add_listing(registration, moment);
            if let Some(lister) = lister {
                listed.remember((lister, registration), server, &self.moments);
            }
        }
        self.weigh(index);
    }

    /// The number of an endpoint that sends lists; `None` if there are too many.
    fn lister(&mut self, master: SocketAddr, transport: Transport) -> Option<ListerId> {
        let [udp, tcp] = &mut self.listers;
        let next = udp.len() + tcp.len() + 1;
        let listers = if transport == Transport::Udp { udp } else { tcp };
        match listers.entry(master.into()) {
            MapEntry::Occupied(known) => Some(*known.get()),
            MapEntry::Vacant(_) if next > LISTERS => None,
            MapEntry::Vacant(vacant) => Some(*vacant.insert(next as ListerId)),
        }
    }
}

/// Whether a message is a list, or a part of one, that comes from a master.
pub(crate) fn is_list_of_master(header: &MessageHeader, placement: &Placement) -> bool {
    placement.kind == ExchangeKind::List && header.direction.from == Some(Role::Master)
}
