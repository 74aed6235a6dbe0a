//! The servers that `--server` selects: by address, by a part of it, or by name.

use std::fmt;
use std::net::{IpAddr, SocketAddr};

use analysis::{Focus, Hosts, ServerHost};
use protocol::Colours;
use render::uncoloured;

/// How many servers are named if none matches.
const NAMED: usize = 4;

/// A selected server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ServerSelector {
    /// Every server.
    All,
    Endpoint(SocketAddr),
    Address(IpAddr),
    /// A part of an address or a name, in lower case.
    Part(String),
}

/// Parses `--server`: a text that is no whole address is a part of one, or of a name.
pub(super) fn parse(text: &str) -> Result<ServerSelector, String> {
    if let Ok(endpoint) = text.parse() {
        return Ok(ServerSelector::Endpoint(endpoint));
    }
    let bare = text.strip_prefix('[').and_then(|t| t.strip_suffix(']')).unwrap_or(text);
    if let Ok(address) = bare.parse() {
        return Ok(ServerSelector::Address(address));
    }
    if text.trim().is_empty() {
        return Err("expected an address, a name, or a part of one".to_owned());
    }
    Ok(ServerSelector::Part(text.trim().to_lowercase()))
}

impl ServerSelector {
    /// The selected servers, as far as addresses tell; with those at their address with the bytes
    /// of the port swapped, as some masters list them.
    pub fn focus(&self) -> Focus {
        let selector = self.clone();
        if selector == Self::All {
            return Focus::default();
        }
        Focus::on(move |server| {
            let swapped = SocketAddr::new(server.ip(), server.port().swap_bytes());
            [server, swapped].into_iter().any(|server| match &selector {
                Self::All => true,
                Self::Endpoint(endpoint) => server == *endpoint,
                Self::Address(address) => server.ip() == *address,
                Self::Part(part) => is_part(part, &server.to_string()),
            })
        })
    }

    pub fn fits(&self, server: &ServerHost) -> bool {
        match self {
            Self::All => true,
            Self::Endpoint(endpoint) => server.address == *endpoint,
            Self::Address(address) => server.address.ip() == *address,
            Self::Part(part) => {
                is_part(part, &server.address.to_string())
                    || names(server).any(|name| name.to_lowercase().contains(part))
            }
        }
    }

    /// The error if no server matches that sent a heartbeat to a master.
    pub fn not_found(&self, hosts: &Hosts) -> String {
        let servers = hosts.servers();
        let known = servers.iter().filter(|s| self.fits(s)).map(|s| s.address.to_string());
        let known: Vec<_> = known.take(NAMED).collect();
        if let (Self::Part(_), false) = (self, known.is_empty()) {
            let known = known.join(", ");
            return format!("no heartbeat of {known} was captured, and no list has it");
        }
        let is_local = |server: &&&ServerHost| match self {
            Self::Endpoint(endpoint) => server.address.ip() == endpoint.ip(),
            Self::All | Self::Address(_) | Self::Part(_) => true,
        };
        let others = servers.iter().filter(|s| s.heartbeats() > 0).filter(is_local);
        let others: Vec<_> = others.map(|s| s.address.to_string()).take(NAMED).collect();
        let not_found = match self {
            Self::All => "no heartbeat was captured, and no list has a server".to_owned(),
            Self::Part(_) => format!("no server matches {self}"),
            _ => format!("no heartbeat of {self} was captured, and no list has it"),
        };
        if others.is_empty() {
            return not_found;
        }
        format!("{not_found}; the capture has {}", others.join(", "))
    }
}

impl fmt::Display for ServerSelector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => f.write_str("all servers"),
            Self::Endpoint(endpoint) => endpoint.fmt(f),
            Self::Address(address) => address.fmt(f),
            Self::Part(part) => write!(f, "\"{part}\""),
        }
    }
}

/// A server's name without colour codes.
pub(super) fn plain_name(server: &ServerHost) -> Option<String> {
    let colours = server.verdict.map_or(Colours::None, |v| v.game.colours());
    Some(uncoloured(server.name.as_ref()?, colours))
}

/// A server's name without colour codes, and as it was sent.
fn names(server: &ServerHost) -> impl Iterator<Item = String> {
    let sent = server.name.as_deref().map(|name| text::latin(name).into_owned());
    plain_name(server).into_iter().chain(sent)
}

/// Whether a text occurs in an address as whole numbers: `192.0.2` does in `192.0.2.10:27960`, and
/// not in `192.0.20.1:27960`.
fn is_part(part: &str, address: &str) -> bool {
    let is_number = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
    let [begins, ends] = [part.chars().next(), part.chars().next_back()].map(is_number);
    address.match_indices(part).any(|(at, _)| {
        let (before, rest) = address.split_at(at);
        let after = rest.get(part.len()..).unwrap_or_default();
        let goes_on = [(begins, before.chars().next_back()), (ends, after.chars().next())];
        !goes_on.into_iter().any(|(edge, next)| edge && is_number(next))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_addresses_differ_from_parts() {
        let endpoint = |text: &str| ServerSelector::Endpoint(text.parse().unwrap());
        let address = |text: &str| ServerSelector::Address(text.parse().unwrap());
        let part = |text: &str| ServerSelector::Part(text.to_owned());
        for (text, selector) in [
            ("192.0.2.10", address("192.0.2.10")),
            ("192.0.2.10:27960", endpoint("192.0.2.10:27960")),
            ("2001:db8::1", address("2001:db8::1")),
            ("[2001:db8::1]", address("2001:db8::1")),
            ("[2001:db8::1]:1", endpoint("[2001:db8::1]:1")),
            ("192.0.2", part("192.0.2")),
            (":27960", part(":27960")),
            ("192.0.2.10:", part("192.0.2.10:")),
            (" Longest YARD ", part("longest yard")),
        ] {
            assert_eq!(parse(text), Ok(selector), "{text}");
        }
        assert!(parse(" ").is_err());
    }

    #[test]
    fn a_part_of_an_address_is_of_whole_numbers() {
        for (part, address, fits) in [
            ("192.0.2", "192.0.2.10:27960", true),
            ("192.0.2.", "192.0.2.10:27960", true),
            ("192.0.2", "192.0.20.1:27960", false),
            ("2.0.2", "192.0.2.10:27960", false),
            ("2.10:27960", "192.0.2.10:27960", true),
            (":27960", "192.0.2.10:27960", true),
            ("27960", "192.0.2.10:27960", true),
            (":2796", "192.0.2.10:27960", false),
            ("192.0.2.10:", "192.0.2.10:27960", true),
            ("192.0.2.1", "192.0.2.10:27960", false),
            ("2001:db8", "[2001:db8::10]:27960", true),
            ("[2001:db8:", "[2001:db8::10]:27960", true),
            ("db8", "[2001:db8::10]:27960", true),
            ("b8", "[2001:db8::10]:27960", false),
        ] {
            assert_eq!(is_part(part, address), fits, "{part} in {address}");
        }
    }
}
