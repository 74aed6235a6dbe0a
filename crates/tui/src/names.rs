//! Names in place of addresses.

use std::net::SocketAddr;
use std::sync::Arc;

use analysis::HostNames;

/// The names of addresses: of hosts files, and of DNS answers in the capture.
#[derive(Debug, Clone, Default)]
pub struct ShownNames {
    pub all: Arc<HostNames>,
    /// Whether they are shown.
    pub are_shown: bool,
}

impl ShownNames {
    /// The names, if they are shown.
    pub fn shown(&self) -> Option<&HostNames> {
        self.are_shown.then_some(&*self.all)
    }
}

/// An endpoint with the name of its address, if it has one.
pub fn named(address: SocketAddr, names: Option<&HostNames>) -> String {
    match names.and_then(|names| names.name(address.ip())) {
        Some(name) => format!("{name}:{}", address.port()),
        None => address.to_string(),
    }
}
