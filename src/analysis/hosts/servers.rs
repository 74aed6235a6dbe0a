//! The table of servers.

use std::collections::HashMap;
use std::net::SocketAddr;

use foldhash::fast::RandomState;

use super::super::endpoint_key::EndpointKey;
use super::super::host::ServerHost;
use super::super::registration_stats::Moment;
use super::listed::{ListMoments, ListedServer};

/// The index of a server, in the order in which servers were added.
pub(in crate::analysis) type ServerIndex = u32;

/// All servers. What the entries of lists need is kept apart from the rest, so that it stays in the
/// processor's cache.
#[derive(Default)]
pub(super) struct ServerTable {
    /// IPv4 endpoints have a table of their own, which is half as large.
    v4: HashMap<u64, ServerIndex, RandomState>,
    others: HashMap<EndpointKey, ServerIndex, RandomState>,
    /// Boxed: after the list has grown, half of it is empty.
    all: Vec<Box<ServerHost>>,
    listed: Vec<ListedServer>,
}

impl ServerTable {
    /// Bytes per server, beside the server itself.
    pub const ENTRY: usize = 2 * size_of::<(u64, ServerIndex)>()
        + size_of::<Box<ServerHost>>()
        + size_of::<ListedServer>();

    /// The index of the server at an address.
    pub fn find(&self, key: EndpointKey) -> Option<ServerIndex> {
        match key {
            EndpointKey::V4(end) => self.v4.get(&end).copied(),
            EndpointKey::V6(..) => self.others.get(&key).copied(),
        }
    }

    /// Adds a server that is not there yet.
    pub fn add(&mut self, address: SocketAddr, seen: Moment) -> ServerIndex {
        let index = self.all.len() as ServerIndex;
        match EndpointKey::from(address) {
            EndpointKey::V4(end) => self.v4.insert(end, index),
            key @ EndpointKey::V6(..) => self.others.insert(key, index),
        };
        self.all.push(Box::new(ServerHost::new(address, seen)));
        self.listed.push(ListedServer::default());
        index
    }

    pub fn len(&self) -> usize {
        self.all.len()
    }

    pub fn iter(&self) -> impl Iterator<Item = &ServerHost> {
        self.all.iter().map(Box::as_ref)
    }

    pub fn get(&self, index: ServerIndex) -> Option<&ServerHost> {
        self.all.get(index as usize).map(Box::as_ref)
    }

    pub fn get_mut(&mut self, index: ServerIndex) -> Option<&mut ServerHost> {
        self.all.get_mut(index as usize).map(Box::as_mut)
    }

    pub fn listed(&self, index: ServerIndex) -> Option<&ListedServer> {
        self.listed.get(index as usize)
    }

    pub fn listed_mut(&mut self, index: ServerIndex) -> Option<&mut ListedServer> {
        self.listed.get_mut(index as usize)
    }

    /// A server, and what its entries in lists need.
    pub fn both_mut(&mut self, index: ServerIndex) -> Option<(&mut ServerHost, &mut ListedServer)> {
        let at = index as usize;
        Some((self.all.get_mut(at)?.as_mut(), self.listed.get_mut(at)?))
    }

    /// Adds to all registrations what was counted of lists.
    pub fn settle(&mut self, moments: &ListMoments) {
        for (server, listed) in self.all.iter_mut().zip(&mut self.listed) {
            listed.settle(server, moments);
        }
    }
}
