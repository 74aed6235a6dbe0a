//! The table of servers.

use std::collections::HashMap;
use std::hash::BuildHasher as _;
use std::net::SocketAddr;

use foldhash::fast::RandomState;
use hashbrown::HashTable;

use super::super::endpoint_key::EndpointKey;
use super::super::host::ServerHost;
use super::super::registration_stats::Moment;
use super::listed::{ListMoments, ListedServer};

/// The index of a server, in the order in which servers were added.
pub(crate) type ServerIndex = u32;

/// All servers. What the entries of lists need is kept apart from the rest, so that it stays in the
/// processor's cache.
#[derive(Default)]
pub(super) struct ServerTable {
    /// The indices of IPv4 endpoints, by the key in `listed`: so small that it stays in the cache.
    v4: HashTable<ServerIndex>,
    hasher: RandomState,
    others: HashMap<EndpointKey, ServerIndex, RandomState>,
    #[expect(clippy::vec_box, reason = "after the list has grown, half of it is empty")]
    all: Vec<Box<ServerHost>>,
    listed: Vec<ListedServer>,
}

impl ServerTable {
    /// Bytes per server, beside the server itself.
    pub const ENTRY: usize = 2 * size_of::<(EndpointKey, ServerIndex)>()
        + size_of::<Box<ServerHost>>()
        + size_of::<ListedServer>();

    /// The index of the server at an address.
    pub fn find(&self, key: EndpointKey) -> Option<ServerIndex> {
        match key {
            EndpointKey::V4(end) => {
                let is_it =
                    |index: &ServerIndex| self.listed(*index).is_some_and(|of| of.v4 == end);
                self.v4.find(self.hasher.hash_one(end), is_it).copied()
            }
            EndpointKey::V6(..) => self.others.get(&key).copied(),
        }
    }

    /// The first server whose hash fits the address, which is mostly the server at the address:
    /// found without reading any server.
    pub fn candidate(&self, key: EndpointKey) -> Option<ServerIndex> {
        match key {
            EndpointKey::V4(end) => self.v4.iter_hash(self.hasher.hash_one(end)).next().copied(),
            EndpointKey::V6(..) => self.find(key),
        }
    }

    /// The server at an address, where a candidate is known.
    pub fn confirm(&self, key: EndpointKey, candidate: Option<ServerIndex>) -> Option<ServerIndex> {
        match (key, candidate.map(|index| self.listed(index))) {
            (EndpointKey::V4(end), Some(Some(of))) if of.v4 == end => candidate,
            (EndpointKey::V4(_), Some(_)) => self.find(key),
            (EndpointKey::V6(..), _) | (_, None) => candidate,
        }
    }

    /// Adds a server that is not there yet.
    pub fn add_server(&mut self, address: SocketAddr, seen: Moment) -> ServerIndex {
        let index = self.all.len() as ServerIndex;
        let mut listed = ListedServer::default();
        match EndpointKey::from(address) {
            EndpointKey::V4(end) => {
                listed.v4 = end;
                let Self { v4, hasher, listed: all, .. } = self;
                let key_of = |index: &ServerIndex| all.get(*index as usize).map_or(end, |of| of.v4);
                v4.insert_unique(hasher.hash_one(end), index, |of| hasher.hash_one(key_of(of)));
            }
            key @ EndpointKey::V6(..) => _ = self.others.insert(key, index),
        }
        self.all.push(Box::new(ServerHost::new(address, seen)));
        self.listed.push(listed);
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
