//! The target master, and the permission to send to it.

use std::fmt;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV6, ToSocketAddrs as _};

use thiserror::Error;

use super::address_pool::is_here_as_all;

/// Packets per second to a target on the internet, if the user sets no rate.
pub const LIMIT: u32 = 100;

/// What the user has permitted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Consent {
    /// The target's operator permits it; needed outside of loopback and private networks.
    pub authorized: bool,
    /// The maximum packets per second; `None`: `LIMIT` where it applies, else no limit.
    pub rate: Option<u32>,
}

/// A permitted target. One that is not permitted cannot be constructed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// As the user gave it.
    name: String,
    /// Port 0 stands for every port.
    address: SocketAddr,
    /// Whether nothing that is sent to it leaves this machine, and hosts have many addresses from
    /// which it can be reached.
    is_loopback: bool,
    limit: Option<u32>,
}

/// Why nothing may be sent.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the text of each error says it")]
pub enum TargetError {
    #[error("{text}: not a target; HOST, HOST:PORT, ADDRESS:PORT or [ADDRESS]:PORT is one")]
    Form { text: String },
    #[error("{host}: {why}")]
    Unknown { host: String, why: io::Error },
    #[error("{host} has no address")]
    NoAddress { host: String },
    #[error("{host} has {} addresses; say which is meant: {}", addresses.len(), listed(addresses))]
    Ambiguous { host: String, addresses: Vec<IpAddr> },
    #[error("{address} is not the address of one machine")]
    NotUnicast { address: IpAddr },
    #[error(
        "{address} is neither on this machine nor in a private network; --authorized says that \
         whoever runs it agrees"
    )]
    Unauthorized { address: IpAddr },
    #[error(
        "{first} and {also} are addresses of one family; one of IPv4 and one of IPv6 are wanted"
    )]
    OneFamily { first: IpAddr, also: IpAddr },
}

impl Target {
    /// The target in `text`: an address or a host name, with a port or without. A name must resolve
    /// to one address.
    ///
    /// # Errors
    /// If the text names no machine, or one to which nothing may be sent.
    pub fn find(text: &str, consent: Consent) -> Result<Self, TargetError> {
        let (host, port) =
            split(text).ok_or_else(|| TargetError::Form { text: text.to_owned() })?;
        let address = match literal(host) {
            Some(address) => address,
            None => choose(host, look_up(host)?)?,
        };
        Self::new(text, SocketAddr::new(address.ip(), port.unwrap_or(0)), consent)
            .map(|target| target.scoped(address))
    }

    /// A target by address, such as a master in the same process. Port 0 stands for every port.
    ///
    /// # Errors
    /// If the address is not that of one machine, or nothing may be sent to it.
    pub fn new(name: &str, address: SocketAddr, consent: Consent) -> Result<Self, TargetError> {
        let ip = address.ip().to_canonical();
        if ip.is_unspecified() || ip.is_multicast() || ip == IpAddr::V4(Ipv4Addr::BROADCAST) {
            return Err(TargetError::NotUnicast { address: ip });
        }
        let is_loopback = match ip {
            IpAddr::V4(ip) => ip.is_loopback() || is_here_as_all(ip),
            IpAddr::V6(ip) => ip.is_loopback(),
        };
        let local = is_loopback || is_local(ip);
        if !local && !consent.authorized {
            return Err(TargetError::Unauthorized { address: ip });
        }
        let limit = consent.rate.or((!local).then_some(LIMIT));
        let address = SocketAddr::new(ip, address.port());
        Ok(Self { name: name.to_owned(), address, is_loopback, limit })
    }

    /// The same with the scope of a link-local address.
    fn scoped(mut self, found: SocketAddr) -> Self {
        if let (SocketAddr::V6(own), SocketAddr::V6(found)) = (&mut self.address, found) {
            own.set_scope_id(found.scope_id());
        }
        self
    }

    /// As the user gave it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Where to send datagrams for `port`: there, if the target has no port of its own.
    pub fn at(&self, port: u16) -> SocketAddr {
        let mut address = self.address;
        if address.port() == 0 {
            address.set_port(port);
        }
        address
    }

    /// The target's own port; `None` if every port is meant.
    pub fn port(&self) -> Option<u16> {
        Some(self.address.port()).filter(|port| *port != 0)
    }

    /// Another port of the same machine, to which the same may be sent.
    #[must_use]
    pub fn with_port(&self, port: u16) -> Self {
        let mut other = self.clone();
        other.address.set_port(port);
        other
    }

    /// Whether `address` is the target's, on any port: it may be replied to.
    pub fn is(&self, address: SocketAddr) -> bool {
        address.ip().to_canonical() == self.address.ip()
    }

    /// Whether it is on this machine's loopback, where every 127.x.y.z may be a source address, or in
    /// a network namespace where every IPv4 address is this machine's.
    pub fn is_loopback(&self) -> bool {
        self.is_loopback
    }

    /// Whether it is on this machine or in a private network.
    pub fn is_local(&self) -> bool {
        self.is_loopback || is_local(self.address.ip())
    }

    /// Whether it has an IPv6 address.
    pub fn is_ipv6(&self) -> bool {
        self.address.is_ipv6()
    }

    /// The maximum packets per second.
    pub fn limit(&self) -> Option<u32> {
        self.limit
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.name)
    }
}

/// The host and the port in `HOST`, `HOST:PORT`, `[ADDRESS]:PORT` and a bare IPv6 address.
fn split(text: &str) -> Option<(&str, Option<u16>)> {
    let port = |text: &str| text.parse().ok().filter(|port| *port != 0);
    if let Some(rest) = text.strip_prefix('[') {
        let (host, rest) = rest.split_once(']')?;
        return match rest.strip_prefix(':') {
            Some(number) => Some((host, Some(port(number)?))),
            None => rest.is_empty().then_some((host, None)),
        };
    }
    if literal(text).is_some() {
        return Some((text, None));
    }
    match text.split_once(':') {
        None => Some((text, None)),
        Some((host, number)) => Some((host, Some(port(number)?))),
    }
    .filter(|(host, _)| !host.is_empty())
}

/// A literal address; a link-local one with a numeric scope: `fe80::1%2`.
fn literal(host: &str) -> Option<SocketAddr> {
    let plain = host.parse::<IpAddr>().ok().map(|ip| SocketAddr::new(ip, 0));
    plain.or_else(|| format!("[{host}]:0").parse::<SocketAddrV6>().ok().map(SocketAddr::V6))
}

fn look_up(host: &str) -> Result<Vec<SocketAddr>, TargetError> {
    let found = (host, 0).to_socket_addrs();
    let found = found.map_err(|why| TargetError::Unknown { host: host.to_owned(), why })?;
    Ok(found.collect())
}

/// The only address found; if there are several, the user has to choose.
fn choose(host: &str, mut found: Vec<SocketAddr>) -> Result<SocketAddr, TargetError> {
    found.sort();
    found.dedup();
    match found.as_slice() {
        [] => Err(TargetError::NoAddress { host: host.to_owned() }),
        [one] => Ok(*one),
        several => Err(TargetError::Ambiguous {
            host: host.to_owned(),
            addresses: several.iter().map(SocketAddr::ip).collect(),
        }),
    }
}

/// Whether an address is on this machine or in a private network: RFC 1918, RFC 3927, RFC 4193 and
/// IPv6 link-local ones. Shared addresses of providers (RFC 6598) are not.
fn is_local(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => ip.is_loopback() || ip.is_private() || ip.is_link_local(),
        IpAddr::V6(ip) => {
            ip == Ipv6Addr::LOCALHOST || ip.is_unique_local() || ip.is_unicast_link_local()
        }
    }
}

fn listed(addresses: &[IpAddr]) -> String {
    let texts: Vec<_> = addresses.iter().map(IpAddr::to_string).collect();
    texts.join(", ")
}

/// A service of a target, as the cases that test it know it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TargetService {
    /// Its name, by which cases ask for it.
    pub name: &'static str,
    /// The documented port.
    pub port: u16,
    /// Whether it lists servers.
    pub is_list: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    const AGREED: Consent = Consent { authorized: true, rate: None };

    fn found(text: &str, consent: Consent) -> Result<String, String> {
        let target = Target::find(text, consent).map_err(|error| error.to_string())?;
        Ok(format!("{} {:?}", target.at(1), target.limit()))
    }

    #[test]
    fn targets_are_near_or_agreed_to() {
        let cases = [
            ("127.0.0.1:27950", Ok("127.0.0.1:27950 None")),
            ("127.9.8.7", Ok("127.9.8.7:1 None")),
            ("[::1]:27950", Ok("[::1]:27950 None")),
            ("::1", Ok("[::1]:1 None")),
            ("10.1.2.3:5", Ok("10.1.2.3:5 None")),
            ("172.31.0.1:5", Ok("172.31.0.1:5 None")),
            ("192.168.0.1:5", Ok("192.168.0.1:5 None")),
            ("169.254.1.1:5", Ok("169.254.1.1:5 None")),
            ("fd00::1", Ok("[fd00::1]:1 None")),
            ("[fe80::1%7]:5", Ok("[fe80::1%7]:5 None")),
            ("[::ffff:127.0.0.1]:5", Ok("127.0.0.1:5 None")),
            ("192.0.2.1:5", Err("192.0.2.1 is neither on this machine")),
            ("172.32.0.1:5", Err("172.32.0.1 is neither")),
            ("100.64.0.1:5", Err("100.64.0.1 is neither")),
            ("[::ffff:192.0.2.1]:5", Err("192.0.2.1 is neither")),
            ("[2001:db8::1]:5", Err("2001:db8::1 is neither")),
        ];
        for (text, expected) in cases {
            match (found(text, Consent::default()), expected) {
                (Ok(is), Ok(expected)) => assert_eq!(is, expected, "{text}"),
                (Err(is), Err(start)) => assert!(is.starts_with(start), "{text}: {is}"),
                (is, _) => panic!("{text}: {is:?}"),
            }
        }
    }

    #[test]
    fn far_targets_are_spoken_to_slowly() {
        assert_eq!(found("192.0.2.1:5", AGREED).unwrap(), "192.0.2.1:5 Some(100)");
        let faster = Consent { rate: Some(5000), ..AGREED };
        assert_eq!(found("192.0.2.1:5", faster).unwrap(), "192.0.2.1:5 Some(5000)");
        let local = Consent { rate: Some(7), authorized: false };
        assert_eq!(found("127.0.0.1:5", local).unwrap(), "127.0.0.1:5 Some(7)");
    }

    #[test]
    fn what_is_no_single_machine_is_refused() {
        for text in ["0.0.0.0:5", "[::]:5", "224.0.0.1:5", "[ff02::1]:5", "255.255.255.255:5"] {
            let refused = found(text, AGREED).unwrap_err();
            assert!(refused.ends_with("is not the address of one machine"), "{text}: {refused}");
        }
        for text in ["", ":5", "host:", "host:0", "host:65536", "[::1", "[::1]x", "[::1]:x"] {
            let refused = found(text, AGREED).unwrap_err();
            assert!(refused.contains("not a target"), "{text}: {refused}");
        }
    }

    #[test]
    fn a_name_with_several_addresses_wants_a_choice() {
        let found = ["192.0.2.7:0", "[2001:db8::7]:0", "192.0.2.7:0"].map(|a| a.parse().unwrap());
        let refused = choose("master.example", found.to_vec()).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "master.example has 2 addresses; say which is meant: 192.0.2.7, 2001:db8::7"
        );
        assert_eq!(choose("one", vec![found[0], found[2]]).unwrap(), found[0]);
        let nowhere = choose("none", Vec::new()).unwrap_err();
        assert_eq!(nowhere.to_string(), "none has no address");
    }

    #[test]
    fn only_the_target_itself_is_answered() {
        let target = Target::find("127.0.0.1:27950", Consent::default()).unwrap();
        assert!(target.is("127.0.0.1:9".parse().unwrap()));
        assert!(target.is("[::ffff:127.0.0.1]:9".parse().unwrap()));
        assert!(!target.is("127.0.0.2:27950".parse().unwrap()));
    }
}
