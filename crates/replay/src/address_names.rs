//! The counterparts of addresses inside messages: recorded ones, and those that are used now.

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;

use codec::{FieldRole, Leaf, New, Scratch, Value};
use protocol::Entry;

/// An address, or an endpoint, and its counterpart in messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mapping {
    /// The recorded address; with a port only that endpoint.
    pub old: (IpAddr, Option<u16>),
    /// What stands in its place; without a port the recorded one is kept.
    pub new: (IpAddr, Option<u16>),
}

impl FromStr for Mapping {
    type Err = String;

    /// Parses `OLD=NEW`, two addresses, each with a port or without.
    fn from_str(text: &str) -> Result<Self, String> {
        let end = |text: &str| {
            let with_port = text.parse::<SocketAddr>().map(|end| (end.ip(), Some(end.port())));
            with_port.or_else(|_| text.parse::<IpAddr>().map(|ip| (ip, None)))
        };
        let (old, new) = text.split_once('=').ok_or("expected OLD=NEW, two addresses")?;
        let read =
            |text| end(text).map_err(|_| format!("expected ADDRESS or ADDRESS:PORT, not {text}"));
        Ok(Self { old: read(old)?, new: read(new)? })
    }
}

/// The counterparts of all hosts that no [`Mapping`] names: one address, or those of a network.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HostNetwork {
    ip: IpAddr,
    /// How many bits of a counterpart are those of `ip`; the others are those of the host.
    bits: u32,
}

impl FromStr for HostNetwork {
    type Err = String;

    /// Parses `ADDRESS` or `ADDRESS/BITS`.
    fn from_str(text: &str) -> Result<Self, String> {
        let (address, bits) = text.split_once('/').map_or((text, None), |(a, b)| (a, Some(b)));
        let ip: IpAddr = address.parse().map_err(|_| "expected ADDRESS or ADDRESS/BITS")?;
        let most = if ip.is_ipv6() { 128 } else { 32 };
        let bits = bits.map_or(Some(most), |bits| bits.parse().ok().filter(|bits| *bits <= most));
        let bits =
            bits.ok_or_else(|| format!("expected at most {most} bits behind the address"))?;
        Ok(Self { ip, bits })
    }
}

impl HostNetwork {
    /// Whether its addresses are IPv6 ones.
    pub fn is_ipv6(self) -> bool {
        self.ip.is_ipv6()
    }

    /// The counterpart of a host of the same family.
    fn network_of(self, host: IpAddr) -> Option<IpAddr> {
        match (self.ip, host) {
            (IpAddr::V4(ip), IpAddr::V4(host)) => {
                let kept = u32::MAX.checked_shr(self.bits).unwrap_or(0);
                Some(IpAddr::V4((ip.to_bits() & !kept | host.to_bits() & kept).into()))
            }
            (IpAddr::V6(ip), IpAddr::V6(host)) => {
                let kept = u128::MAX.checked_shr(self.bits).unwrap_or(0);
                Some(IpAddr::V6((ip.to_bits() & !kept | host.to_bits() & kept).into()))
            }
            _ => None,
        }
    }
}

/// The counterparts of addresses on the other side.
#[derive(Debug, Default)]
pub(super) struct AddressNames {
    pub ends: HashMap<SocketAddr, SocketAddr>,
    pub hosts: HashMap<IpAddr, IpAddr>,
    /// The counterparts of all other hosts, at most one of each family.
    pub others: Vec<HostNetwork>,
}

/// What happens to an address whose counterpart is of the other family.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Crossing {
    /// It is replaced: a text has room for it.
    Written,
    /// It is kept.
    Stays,
}

impl AddressNames {
    pub fn add_name(&mut self, old: (IpAddr, Option<u16>), new: (IpAddr, Option<u16>)) {
        match (old, new) {
            ((old, Some(port)), (new, own)) => {
                let new = SocketAddr::new(new, own.unwrap_or(port));
                self.ends.insert(SocketAddr::new(old, port), new);
            }
            ((old, None), (new, _)) => drop(self.hosts.insert(old, new)),
        }
    }

    fn end(&self, end: SocketAddr) -> SocketAddr {
        let other = self.ends.get(&end).copied();
        let host = || self.host(end.ip()).unwrap_or(end.ip());
        other.unwrap_or_else(|| SocketAddr::new(host(), end.port()))
    }

    /// The counterpart of a host. Zeros are the address of nobody, and stay.
    fn host(&self, ip: IpAddr) -> Option<IpAddr> {
        let other = || self.others.iter().find_map(|other| other.network_of(ip));
        let other = || other().filter(|_| !ip.is_unspecified());
        self.hosts.get(&ip).copied().or_else(other)
    }

    /// Rewrites `bytes` with all counterparts if they fit, else with those of the same family;
    /// unchanged if those do not fit either.
    pub fn write(&self, entry: &Entry, bytes: &[u8], host: IpAddr, out: &mut Vec<u8>) {
        let mut scratch = Scratch::default();
        let written = [Crossing::Written, Crossing::Stays].into_iter().any(|crossing| {
            let mut change = |leaf: &Leaf<'_>| self.change(leaf, host, crossing);
            entry.edit(bytes, &mut scratch, &mut change, out).is_ok()
        });
        if !written {
            bytes.clone_into(out);
        }
    }

    /// The replacement of a leaf with an address or a port. `host` is the address of the message's
    /// own endpoint, on this side.
    pub fn change(&self, leaf: &Leaf<'_>, host: IpAddr, crossing: Crossing) -> Option<New> {
        let fits = |one: IpAddr, other: IpAddr| {
            crossing == Crossing::Written || one.is_ipv6() == other.is_ipv6()
        };
        match leaf.field.role {
            FieldRole::Address => {
                let ip = match leaf.value() {
                    Value::Ip(ip) => ip,
                    Value::Bytes(text) => {
                        let text = std::str::from_utf8(text).ok()?;
                        if let Ok(end) = text.parse::<SocketAddr>() {
                            let other = Some(self.end(end)).filter(|other| *other != end)?;
                            return Some(New::Bytes(other.to_string().into_bytes()));
                        }
                        text.parse().ok()?
                    }
                    _ => return None,
                };
                let other = match leaf.endpoint {
                    Some(end) => self.end(end).ip(),
                    None => self.host(ip)?,
                };
                (other != ip && fits(ip, other)).then_some(New::Ip(other))
            }
            FieldRole::Port => {
                let Value::Int(port) = leaf.value() else {
                    return None;
                };
                let port = u16::try_from(port).ok()?;
                let other = match leaf.endpoint {
                    // Half of an endpoint must not be replaced alone.
                    Some(end) => Some(self.end(end)).filter(|other| fits(end.ip(), other.ip()))?,
                    None => self.end(SocketAddr::new(host, port)),
                };
                (other.port() != port).then_some(New::Int(other.port().into()))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mappings_are_parsed_or_refused() {
        let known: Mapping = "192.0.2.1=10.0.0.1:7".parse().unwrap();
        assert_eq!(known.old, ("192.0.2.1".parse().unwrap(), None));
        assert_eq!(known.new, ("10.0.0.1".parse().unwrap(), Some(7)));
        for wrong in ["192.0.2.1", "a=b", "192.0.2.1=", "=", "192.0.2.1:99999=10.0.0.1"] {
            assert!(wrong.parse::<Mapping>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn an_endpoint_has_the_nearest_counterpart() {
        let mut names = AddressNames::default();
        for mapping in ["192.0.2.1=10.0.0.1", "192.0.2.1:7=10.0.0.2", "192.0.2.2:7=10.0.0.3:8"] {
            let Mapping { old, new } = mapping.parse().unwrap();
            names.add_name(old, new);
        }
        names.others = vec!["127.0.0.1".parse().unwrap(), "fd00::/64".parse().unwrap()];
        for (old, new) in [
            ("192.0.2.1:6", "10.0.0.1:6"),
            ("192.0.2.1:7", "10.0.0.2:7"),
            ("192.0.2.2:7", "10.0.0.3:8"),
            ("192.0.2.3:7", "127.0.0.1:7"),
            ("0.0.0.0:0", "0.0.0.0:0"),
            ("[2001:db8::1]:7", "[fd00::1]:7"),
        ] {
            assert_eq!(names.end(old.parse().unwrap()), new.parse().unwrap(), "{old}");
        }
    }

    #[test]
    fn a_network_keeps_the_rest_of_an_address() {
        for (network, host, other) in [
            ("127.0.0.0/8", "192.0.2.10", Some("127.0.2.10")),
            ("127.0.0.1/8", "192.0.2.10", Some("127.0.2.10")),
            ("10.1.2.3/32", "192.0.2.10", Some("10.1.2.3")),
            ("10.1.2.3/0", "192.0.2.10", Some("192.0.2.10")),
            ("::1", "2001:db8::7", Some("::1")),
            ("::1", "192.0.2.10", None),
        ] {
            let network: HostNetwork = network.parse().unwrap();
            let other = other.map(|other| other.parse::<IpAddr>().unwrap());
            assert_eq!(network.network_of(host.parse().unwrap()), other, "{host}");
        }
        for wrong in ["", "127.0.0.1/33", "127.0.0.1/", "::/129", "localhost", "1.2.3.4:5"] {
            assert!(wrong.parse::<HostNetwork>().is_err(), "{wrong}");
        }
    }
}
