//! The servers in lists, by their port: a router changes the address of a server, but mostly not its
//! port.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::net::SocketAddr;

use foldhash::fast::RandomState;
use smallvec::SmallVec;

use crate::host::ServerHost;
use crate::hosts::Hosts;

/// Few ports occur at several addresses.
type ListedAddresses = SmallVec<[SocketAddr; 1]>;

/// The servers in the lists of each master, by port; put together when it is asked for.
#[derive(Default)]
pub(super) struct SamePort {
    servers: OnceCell<HashMap<(SocketAddr, u16), ListedAddresses, RandomState>>,
}

impl SamePort {
    /// The servers with this port that a master lists, in the order in which they were added.
    pub fn listed_by<'a>(
        &self,
        master: SocketAddr,
        port: u16,
        hosts: &'a Hosts,
    ) -> impl Iterator<Item = &'a ServerHost> {
        let servers = self.servers.get_or_init(|| {
            let mut servers: HashMap<_, ListedAddresses, RandomState> = HashMap::default();
            for server in hosts.as_added() {
                let listed = server.registrations.iter().filter(|of| of.first_listed.is_some());
                for of in listed {
                    let key = (of.master, server.address.port());
                    servers.entry(key).or_default().push(server.address);
                }
            }
            servers
        });
        let addresses = servers.get(&(master, port)).into_iter().flatten();
        addresses.filter_map(|address| hosts.server(*address))
    }
}
