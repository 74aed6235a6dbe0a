//! Names in place of addresses.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use analysis::HostNames;

/// The names of addresses: of hosts files, and of DNS answers in the capture.
#[derive(Debug, Clone, Default)]
pub struct ShownNames {
    /// Those of hosts files, which count first.
    pub hosts: HostNames,
    /// Those of the capture, shared with its session.
    found: Arc<HostNames>,
    /// Whether they are shown.
    pub are_shown: bool,
}

impl ShownNames {
    /// The names, if they are shown.
    pub fn shown(&self) -> Option<&Self> {
        self.are_shown.then_some(self)
    }

    /// Takes the names that a capture has by now. A session that still reads has to copy them before
    /// it adds one, so a few new ones among many have to wait.
    pub fn take(&mut self, found: &Arc<HostNames>, is_done: bool) {
        let known = self.found.len();
        let are_few = (known..=known + known / 16).contains(&found.len());
        if is_done || !are_few {
            self.found = Arc::clone(found);
        }
    }

    /// The name of an address.
    pub fn name(&self, address: IpAddr) -> Option<&str> {
        self.hosts.name(address).or_else(|| self.found.name(address))
    }

    /// How many addresses have names.
    pub fn len(&self) -> usize {
        let added = self.hosts.addresses().filter(|address| self.found.name(*address).is_none());
        self.found.len() + added.count()
    }

    /// Whether no address has one.
    pub fn is_empty(&self) -> bool {
        self.hosts.is_empty() && self.found.is_empty()
    }
}

/// An endpoint with the name of its address, if it has one.
pub fn named(address: SocketAddr, names: Option<&ShownNames>) -> String {
    match names.and_then(|names| names.name(address.ip())) {
        Some(name) => format!("{name}:{}", address.port()),
        None => address.to_string(),
    }
}
