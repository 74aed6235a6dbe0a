//! The lifelines of hosts: found by a hash, collected message by message.

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};

use foldhash::fast::RandomState;

use super::arrow::Arrow;
use super::lifelines::{Lifeline, index_of};
use protocol::Role;

/// The maximum number of hosts with a lifeline; arrows name all others.
const HOSTS: usize = 1 << 16;

/// One lifeline for each host: servers, then masters, clients, and hosts of unknown role, each in
/// the order in which they first sent or received a message in that role.
///
/// A host is an endpoint, but all ports of a client's address are one host, because clients use a
/// new port for each query. An endpoint that is a server or master stays one when it sends requests
/// as a client does.
#[derive(Debug, Clone, Default)]
pub struct HostLifelines {
    hosts: Vec<LadderHost>,
    /// The indices of hosts by role, from left to right.
    groups: [Vec<u32>; 4],
    /// Servers, masters and hosts of unknown role.
    endpoints: HashMap<SocketAddr, u32, RandomState>,
    clients: HashMap<IpAddr, u32, RandomState>,
    /// Whether a host has left the group of its former role.
    has_gaps: bool,
}

#[derive(Debug, Clone, Copy)]
struct LadderHost {
    role: Option<Role>,
    /// The endpoint that was seen first.
    head: SocketAddr,
    /// Whether a client has several ports.
    has_ports: bool,
    /// Whether it turned out to be the same as another host.
    is_merged: bool,
    /// Its position among the hosts of its role.
    position: u32,
}

impl HostLifelines {
    /// Those of the hosts of these arrows.
    pub fn from_arrows<'a>(arrows: impl IntoIterator<Item = Arrow<'a>>) -> Self {
        let mut hosts = Self::default();
        hosts.extend(arrows);
        hosts
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.groups.iter().map(Vec::len).sum()
    }

    /// Whether further hosts get no lifeline.
    pub fn is_full(&self) -> bool {
        self.hosts.len() >= HOSTS
    }

    /// The lifeline at a position.
    pub(super) fn get(&self, mut at: usize) -> Option<Lifeline> {
        for group in &self.groups {
            if let Some(host) = group.get(at) {
                let LadderHost { role, head, .. } = *self.hosts.get(*host as usize)?;
                return Some(Lifeline { role, head: Some(head) });
            }
            at = at.checked_sub(group.len())?;
        }
        None
    }

    /// The position of an endpoint's lifeline.
    pub(super) fn find(&self, end: SocketAddr) -> Option<usize> {
        let host = self.endpoints.get(&end).or_else(|| self.clients.get(&end.ip()))?;
        let host = self.hosts.get(*host as usize)?;
        let before = self.groups.iter().take(group_of(host.role)).map(Vec::len);
        Some(before.sum::<usize>() + host.position as usize)
    }

    /// Takes one end of an arrow.
    fn add_endpoint(&mut self, end: SocketAddr, role: Option<Role>) {
        let known = self.endpoints.get(&end).copied();
        let is_unknown = known.is_some_and(|at| self.role(at).is_none());
        match (known, role) {
            (Some(_), None) => {}
            (Some(_), Some(_)) if !is_unknown => {}
            (None, None) if self.clients.contains_key(&end.ip()) => self.take_client(end),
            (None, Some(Role::Client)) => self.take_client(end),
            (Some(host), Some(Role::Client)) => {
                self.merge(host);
                self.endpoints.remove(&end);
                self.take_client(end);
            }
            (Some(host), Some(_)) => {
                self.has_gaps = true;
                self.set_role(host, role);
            }
            (None, role) => {
                if let Some(host) = self.push(role, end) {
                    self.endpoints.insert(end, host);
                    self.replace_client(end);
                }
            }
        }
    }

    fn take_client(&mut self, end: SocketAddr) {
        if let Some(host) = self.clients.get(&end.ip()) {
            if let Some(host) = self.hosts.get_mut(*host as usize) {
                host.has_ports |= host.head != end;
            }
        } else if let Some(host) = self.push(Some(Role::Client), end) {
            self.clients.insert(end.ip(), host);
        }
    }

    /// A client whose only port is that of a server or master is that one.
    fn replace_client(&mut self, end: SocketAddr) {
        let host = self.clients.get(&end.ip()).copied();
        let is_same = |host: &LadderHost| host.head == end && !host.has_ports;
        if let Some(at) = host
            && self.hosts.get(at as usize).is_some_and(is_same)
        {
            self.merge(at);
            self.clients.remove(&end.ip());
        }
    }

    fn role(&self, host: u32) -> Option<Role> {
        self.hosts.get(host as usize)?.role
    }

    /// Appends a host, if there is room for it.
    fn push(&mut self, role: Option<Role>, head: SocketAddr) -> Option<u32> {
        if self.is_full() {
            return None;
        }
        let host = self.hosts.len() as u32;
        let (has_ports, is_merged, position) = (false, false, 0);
        self.hosts.push(LadderHost { role, head, has_ports, is_merged, position });
        self.set_role(host, role);
        Some(host)
    }

    /// Moves a host to the end of those of a role; its former position is free until
    /// [`Self::close_gaps`].
    fn set_role(&mut self, host: u32, role: Option<Role>) {
        let group = self.groups.get_mut(group_of(role));
        if let (Some(known), Some(group)) = (self.hosts.get_mut(host as usize), group) {
            (known.role, known.position) = (role, group.len() as u32);
            group.push(host);
        }
    }

    fn merge(&mut self, host: u32) {
        if let Some(host) = self.hosts.get_mut(host as usize) {
            host.is_merged = true;
            self.has_gaps = true;
        }
    }

    /// Removes hosts from the groups that they have left.
    fn close_gaps(&mut self) {
        let Self { groups, hosts, .. } = self;
        for (at, group) in groups.iter_mut().enumerate() {
            group.retain(|host| {
                let host = hosts.get(*host as usize);
                host.is_some_and(|host| !host.is_merged && group_of(host.role) == at)
            });
            for (position, host) in (0..).zip(group.iter()) {
                if let Some(host) = hosts.get_mut(*host as usize) {
                    host.position = position;
                }
            }
        }
    }
}

impl<'a> Extend<Arrow<'a>> for HostLifelines {
    fn extend<T: IntoIterator<Item = Arrow<'a>>>(&mut self, arrows: T) {
        for arrow in arrows {
            self.add_endpoint(arrow.source, arrow.direction.from);
            self.add_endpoint(arrow.destination, arrow.direction.to);
        }
        if std::mem::take(&mut self.has_gaps) {
            self.close_gaps();
        }
    }
}

fn group_of(role: Option<Role>) -> usize {
    role.map_or(3, index_of)
}
