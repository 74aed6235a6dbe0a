//! Addresses in a narrow column: never without the part that tells one from another.

use crate::text::width;

/// An address and a port as text: `192.0.2.10:27960`, `[2001:db8::5c]:27960`.
pub struct AddressText<'a> {
    host: &'a str,
    /// With its colon.
    port: &'a str,
}

/// What the addresses of a column have in common.
#[derive(Debug, Clone, Default)]
pub struct SharedAddress {
    /// The beginning of all hosts, up to a dot or a colon.
    front: Option<String>,
    widest_host: usize,
    /// Some addresses, to see whether ports tell them apart.
    seen: Vec<(String, String)>,
    has_differing_ports: bool,
}

/// How many addresses of a column are compared with each other.
const SEEN: usize = 64;
/// The width of a column of hosts at most, while others need space.
const HOST: usize = 20;

impl SharedAddress {
    /// Adds an address of the column.
    pub fn add(&mut self, text: &str) {
        let AddressText { host, port } = AddressText::of(text);
        self.widest_host = self.widest_host.max(width(host));
        let front = self.front.get_or_insert_with(|| host.to_owned());
        let same = front.bytes().zip(host.bytes()).take_while(|(a, b)| a == b).count();
        if same < front.len() {
            // Up to a separator, so that no number is torn apart.
            let end = front.get(..same).and_then(|front| front.rfind(['.', ':']));
            front.truncate(end.map_or(0, |at| at + 1));
        }
        let known = self.seen.iter().find(|(other, _)| other == host);
        match known {
            Some((_, other)) => self.has_differing_ports |= other != port,
            None if self.seen.len() < SEEN => {
                self.seen.push((host.to_owned(), port.to_owned()));
            }
            None => {}
        }
    }

    /// The width in which all addresses can be told apart.
    pub fn comfortable(&self) -> usize {
        if self.has_differing_ports { HOST } else { self.widest_host.min(HOST) }
    }

    fn len(&self) -> usize {
        self.front.as_ref().map_or(0, String::len)
    }
}

impl<'a> AddressText<'a> {
    pub fn of(text: &'a str) -> Self {
        let colon =
            text.rfind(':').filter(|at| !text.get(at + 1..).is_some_and(|p| p.contains(']')));
        let (host, port) = text.split_at_checked(colon.unwrap_or(text.len())).unwrap_or((text, ""));
        Self { host, port }
    }

    /// The address in so many columns. First what all hosts share is shortened if ports tell the
    /// addresses apart, else the port is left out; then the beginning of the rest.
    pub fn fitted(&self, columns: usize, shared: &SharedAddress) -> String {
        let Self { host, port } = self;
        if width(host) + width(port) <= columns {
            return format!("{host}{port}");
        }
        let port = if shared.has_differing_ports { port } else { "" };
        if port.is_empty() && width(host) <= columns {
            return (*host).to_owned();
        }
        let own = host.get(shared.len()..).filter(|own| !own.is_empty()).unwrap_or(host);
        let rest = format!("{own}{port}");
        if width(&rest) < columns {
            // As much of the shared beginning as there is space for.
            let keep = columns - 1 - width(&rest);
            let front = host.get(..keep.min(shared.len())).unwrap_or_default();
            return format!("{front}…{rest}");
        }
        let tail = rest.char_indices().rev().nth(columns.saturating_sub(2)).map_or(0, |(at, _)| at);
        format!("…{}", rest.get(tail..).unwrap_or(&rest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fitted(all: &[&str], columns: usize) -> Vec<String> {
        let mut shared = SharedAddress::default();
        for text in all {
            shared.add(text);
        }
        all.iter().map(|text| AddressText::of(text).fitted(columns, &shared)).collect()
    }

    #[test]
    fn addresses_of_a_column_stay_apart() {
        let two_hosts = ["192.0.2.10:27960", "192.0.2.11:27960"];
        let two_ports = ["192.0.2.10:27960", "192.0.2.10:27961"];
        let far = ["192.0.2.10:27960", "198.51.100.1:27950"];
        let v6 = ["[2001:db8:aaaa:bbbb::5c]:27960", "[2001:db8:aaaa:bbbb::5d]:27960"];
        for (all, columns, shown) in [
            (two_hosts, 21, two_hosts),
            (two_hosts, 14, ["192.0.2.10", "192.0.2.11"]),
            (two_hosts, 8, ["192.0…10", "192.0…11"]),
            (two_ports, 14, ["….0.2.10:27960", "….0.2.10:27961"]),
            (two_ports, 8, ["…0:27960", "…0:27961"]),
            (far, 12, ["192.0.2.10", "198.51.100.1"]),
            (far, 8, ["….0.2.10", "….100.1"]),
            (v6, 15, ["[2001:db8:a…5c]", "[2001:db8:a…5d]"]),
        ] {
            let shown_now = fitted(&all, columns);
            assert!(shown_now.iter().all(|text| width(text) <= columns), "{shown_now:?}");
            assert_ne!(shown_now[0], shown_now[1], "{columns}");
            if columns != 8 || all == two_hosts {
                assert_eq!(shown_now, shown, "{columns}");
            }
        }
    }
}
