//! The lifelines of hosts: found by a hash, collected message by message.

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};

use foldhash::fast::RandomState;

use super::arrow::Arrow;
use super::lifelines::Lifeline;
use protocol::Role;

/// The maximum number of hosts with a lifeline; arrows name all others.
const HOSTS: usize = 1 << 16;

/// One lifeline for each host, in the order in which they first sent or received a message.
///
/// A host is an endpoint, but all ports of a client's address are one host, because clients use a
/// new port for each query. An endpoint that is a server or master stays one when it sends requests
/// as a client does.
#[derive(Debug, Clone, Default)]
pub struct HostLifelines {
    hosts: Vec<LadderHost>,
    /// The indices of hosts from left to right.
    order: Vec<u32>,
    /// Servers, masters and hosts of unknown role.
    endpoints: HashMap<SocketAddr, u32, RandomState>,
    clients: HashMap<IpAddr, u32, RandomState>,
    /// Whether a host of them turned out to be another one.
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
    /// Its position from left to right.
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
        self.order.len()
    }

    /// Whether further hosts get no lifeline.
    pub fn is_full(&self) -> bool {
        self.hosts.len() >= HOSTS
    }

    /// The lifeline at a position.
    pub(super) fn get(&self, at: usize) -> Option<Lifeline> {
        let host = *self.order.get(at)?;
        let LadderHost { role, head, .. } = *self.hosts.get(host as usize)?;
        Some(Lifeline { role, head: Some(head) })
    }

    /// The position of an endpoint's lifeline.
    pub(super) fn find(&self, end: SocketAddr) -> Option<usize> {
        let host = self.endpoints.get(&end).or_else(|| self.clients.get(&end.ip()))?;
        self.hosts.get(*host as usize).map(|host| host.position as usize)
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
                self.endpoints.remove(&end);
                if self.clients.contains_key(&end.ip()) {
                    self.merge(host);
                    self.take_client(end);
                } else {
                    self.set_role(host, role);
                    self.clients.insert(end.ip(), host);
                }
            }
            (Some(host), Some(_)) => self.set_role(host, role),
            (None, role) => {
                let same = self.take_same_client(end);
                if let Some(host) = same.or_else(|| self.push(role, end)) {
                    self.set_role(host, role);
                    self.endpoints.insert(end, host);
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

    /// Removes a client whose only port is that of a server or master from the clients: it is that
    /// one.
    fn take_same_client(&mut self, end: SocketAddr) -> Option<u32> {
        let at = *self.clients.get(&end.ip())?;
        let is_same = |host: &LadderHost| host.head == end && !host.has_ports;
        self.hosts.get(at as usize).filter(|host| is_same(host))?;
        self.clients.remove(&end.ip());
        Some(at)
    }

    fn set_role(&mut self, host: u32, role: Option<Role>) {
        if let Some(host) = self.hosts.get_mut(host as usize) {
            host.role = role;
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
        let (has_ports, is_merged, position) = (false, false, self.order.len() as u32);
        self.hosts.push(LadderHost { role, head, has_ports, is_merged, position });
        self.order.push(host);
        Some(host)
    }

    fn merge(&mut self, host: u32) {
        if let Some(host) = self.hosts.get_mut(host as usize) {
            host.is_merged = true;
            self.has_gaps = true;
        }
    }

    /// Removes hosts that turned out to be others.
    fn close_gaps(&mut self) {
        let Self { order, hosts, .. } = self;
        order.retain(|host| hosts.get(*host as usize).is_some_and(|host| !host.is_merged));
        for (position, host) in (0..).zip(order.iter()) {
            if let Some(host) = hosts.get_mut(*host as usize) {
                host.position = position;
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
