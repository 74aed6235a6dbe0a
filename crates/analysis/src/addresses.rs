//! What addresses are for.

use std::net::{IpAddr, Ipv4Addr};

/// Whether an address is not globally routable: private (RFC 1918), shared (RFC 6598), link-local,
/// unique local.
pub fn is_private(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(four) => {
            let shared = u32::from(four) & 0xffc0_0000 == u32::from(Ipv4Addr::new(100, 64, 0, 0));
            four.is_private() || four.is_link_local() || shared
        }
        IpAddr::V6(six) => six.is_unique_local() || six.is_unicast_link_local(),
    }
}
