//! The servers in lists, by their port: a router changes the address of a server, but mostly not its
//! port.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::net::SocketAddr;

use foldhash::fast::RandomState;

use crate::host::ServerHost;
use crate::hosts::Hosts;

/// The servers in the lists of each master, by port; put together when it is asked for.
#[derive(Default)]
pub(super) struct SamePort {
    servers: OnceCell<HashMap<(SocketAddr, u16), Vec<SocketAddr>, RandomState>>,
}

impl SamePort {
    /// The servers with this port that a master lists, in the order in which they were first seen.
    pub fn listed_by<'a>(
        &self,
        master: SocketAddr,
        port: u16,
        hosts: &'a Hosts,
    ) -> impl Iterator<Item = &'a ServerHost> {
        let servers = self.servers.get_or_init(|| {
            let mut servers: HashMap<_, Vec<_>, RandomState> = HashMap::default();
            for server in hosts.servers() {
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
