//! One address of a target, and what talks to it.

use std::sync::Mutex;

use super::assumed::Assumed;
use super::env::TargetEnvError;
use super::pool::ServerPool;
use simulate::{AddressPool, Network, Target};

/// The maximum servers of one service that a run registers, if each has its own address: with one
/// of the other family 300.
const MOST_SERVERS: usize = 299;
/// The same if they share one address: dpmaster accepts 32 of an address.
const MOST_OF_AN_ADDRESS: usize = 30;

/// The target's address of one family, and our endpoints that can reach it.
pub(super) struct TargetSide {
    pub target: Target,
    pub addresses: Mutex<AddressPool>,
    /// Whether every endpoint has its own address.
    pub wide: bool,
    pub servers: ServerPool,
}

impl TargetSide {
    pub fn new(
        target: Target,
        assumed: &Assumed,
        network: &Network,
    ) -> Result<Self, TargetEnvError> {
        let cannot = |why| TargetEnvError::Unreachable { target: target.to_string(), why };
        let addresses = match network {
            Network::System => AddressPool::near(target.clone()).map_err(cannot)?,
            Network::Memory(network) => AddressPool::in_memory(target.clone(), network),
        };
        let (wide, settings) = (addresses.has_many_addresses(), assumed.settings());
        let most = if wide {
            MOST_SERVERS.min(settings.max_servers)
        } else if assumed.is_given("max-per-address") {
            MOST_SERVERS.min(settings.max_per_address)
        } else {
            MOST_OF_AN_ADDRESS.min(settings.max_per_address)
        };
        let servers = ServerPool::new(most, settings.max_per_address);
        Ok(Self { target, addresses: Mutex::new(addresses), wide, servers })
    }
}
