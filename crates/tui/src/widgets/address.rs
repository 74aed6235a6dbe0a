//! Addresses in a narrow column: never without the part that tells one from another.

use std::collections::BTreeSet;

use text::{fit_address, fit_middle, width};

/// The addresses of a column, and what they have in common.
#[derive(Debug, Clone, Default)]
pub struct SharedAddress {
    /// Hosts and ports, each once; ports with their colon.
    seen: Vec<(String, String)>,
    widest: usize,
    widest_host: usize,
    /// How many bytes of the beginning all hosts have, up to a dot or a colon; the same of all
    /// ports, up to a digit.
    front: usize,
    port_front: usize,
    /// Whether ports tell addresses of one host apart.
    has_differing_ports: bool,
    /// The least width in which all addresses can be told apart.
    apart: usize,
}

/// How many addresses of a column are compared with each other.
const SEEN: usize = 64;
/// The width of a column of addresses at least, and at most while others need space: that of an
/// IPv4 address with its port.
const LEAST: usize = 10;
const WHOLE: usize = 21;
/// The width of an IPv4 address without its port.
const USUAL: usize = 15;

/// How wide a column of addresses is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AddressWidth {
    /// Addresses are shown in full, if they are not very long.
    Whole,
    /// Hosts are shown in full, or about as wide as an IPv4 address.
    Usual,
    /// Addresses can just be told apart.
    Apart,
}

/// How addresses are shortened: all of a column in the same way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AddressForm {
    Whole,
    Host,
    /// The end, as everywhere: of the host with its port, and without.
    Tail,
    TailOfHost,
    /// Without the beginning that all hosts have; with the port, and without.
    End,
    EndOfHost,
    /// The beginning of the host, and the port.
    Begin,
    /// The beginning and the end of the host; with the port, and without.
    Middle,
    MiddleOfHost,
    /// The host, or its beginning and end, and the digits in which ports differ.
    PortEnd,
}

/// The forms in the order in which they are tried, if ports tell addresses apart, and if not.
const WITH_PORT: &[AddressForm] = &[
    AddressForm::Whole,
    AddressForm::Tail,
    AddressForm::End,
    AddressForm::Begin,
    AddressForm::Middle,
    AddressForm::PortEnd,
    AddressForm::Host,
    AddressForm::MiddleOfHost,
];
const WITHOUT_PORT: &[AddressForm] = &[
    AddressForm::Whole,
    AddressForm::Host,
    AddressForm::TailOfHost,
    AddressForm::Tail,
    AddressForm::EndOfHost,
    AddressForm::Begin,
    AddressForm::MiddleOfHost,
    AddressForm::Middle,
    AddressForm::End,
];

impl SharedAddress {
    /// Adds an address of the column; returns whether it is another one.
    pub fn add_text(&mut self, text: &str) -> bool {
        let (host, port) = parts(text);
        self.widest = self.widest.max(width(text));
        self.widest_host = self.widest_host.max(width(host));
        if self.seen.len() >= SEEN
            || self.seen.iter().any(|seen| (&*seen.0, &*seen.1) == (host, port))
        {
            return false;
        }
        let Some((one, other)) = self.seen.first() else {
            (self.front, self.port_front) = (host.len(), port.len());
            self.seen.push((host.to_owned(), port.to_owned()));
            return true;
        };
        let same = shared(one.get(..self.front).unwrap_or_default(), host);
        if same < self.front {
            // Up to a separator, so that no number is torn apart.
            let end = host.get(..same).and_then(|front| front.rfind(['.', ':']));
            self.front = end.map_or(0, |at| at + 1);
        }
        self.port_front = shared(other.get(..self.port_front).unwrap_or_default(), port);
        self.has_differing_ports |= self.seen.iter().any(|(other, _)| other == host);
        self.seen.push((host.to_owned(), port.to_owned()));
        true
    }

    /// Finds the least width in which the addresses can be told apart.
    pub fn measure(&mut self) {
        let most = self.widest.min(WHOLE);
        let is_apart = |columns: &usize| self.faults(self.form(*columns), *columns) == [0; 3];
        self.apart = (LEAST..most).find(is_apart).unwrap_or(most);
        if !self.has_differing_ports {
            self.apart = self.apart.max(self.widest_host.min(USUAL));
        }
    }

    /// The width of a column with these addresses.
    pub fn width(&self, of: AddressWidth) -> usize {
        let whole = self.widest.min(WHOLE).max(self.apart);
        match of {
            AddressWidth::Whole => whole,
            AddressWidth::Usual if self.has_differing_ports => USUAL.min(whole).max(self.apart),
            AddressWidth::Usual => self.widest_host.min(WHOLE).max(self.apart),
            AddressWidth::Apart => self.apart,
        }
    }

    /// The form for so many columns: the first in which all addresses differ, or else that in which
    /// most hosts do.
    pub fn form(&self, columns: usize) -> AddressForm {
        let forms = if self.has_differing_ports { WITH_PORT } else { WITHOUT_PORT };
        let best = forms.iter().min_by_key(|form| self.faults(**form, columns));
        best.copied().unwrap_or(AddressForm::Whole)
    }

    /// How many hosts look like another one in a form, how many ports of a host do, and how many
    /// texts are too long.
    fn faults(&self, form: AddressForm, columns: usize) -> [usize; 3] {
        let (mut texts, mut pairs, mut too_long) = (BTreeSet::new(), BTreeSet::new(), 0);
        for (host, port) in &self.seen {
            let text = self.text(form, host, port, columns);
            too_long += usize::from(width(&text) > columns);
            let text = tail(&text, columns);
            pairs.insert((text.clone(), host));
            texts.insert(text);
        }
        // Ports need not be seen if each host has one.
        let alike = if self.has_differing_ports { self.seen.len() - pairs.len() } else { 0 };
        [pairs.len() - texts.len(), alike, too_long]
    }

    /// An address in so many columns.
    pub fn fitted(&self, text: &str, form: AddressForm, columns: usize) -> String {
        let (host, port) = parts(text);
        if width(text) <= columns {
            return text.to_owned();
        }
        tail(&self.text(form, host, port, columns), columns)
    }

    /// An address in a form, which may be too long.
    fn text(&self, form: AddressForm, host: &str, port: &str, columns: usize) -> String {
        let for_host = columns.saturating_sub(width(port));
        match form {
            _ if width(host) + width(port) <= columns => format!("{host}{port}"),
            AddressForm::Whole => format!("{host}{port}"),
            AddressForm::Host => host.to_owned(),
            AddressForm::Tail => fit_address(&format!("{host}{port}"), columns),
            AddressForm::TailOfHost => fit_address(host, columns),
            AddressForm::End => format!("{}{port}", self.end(host, for_host)),
            AddressForm::EndOfHost => self.end(host, columns),
            AddressForm::Begin => {
                format!("{}…{port}", whole_numbers(host, for_host.saturating_sub(1)))
            }
            AddressForm::Middle => format!("{}{port}", fit_middle(host, for_host)),
            AddressForm::MiddleOfHost => fit_middle(host, columns),
            AddressForm::PortEnd => {
                let own = port.get(self.port_front..).unwrap_or(port);
                let space = columns.saturating_sub(width(own) + 2);
                format!("{}:…{own}", fit_middle(host, space))
            }
        }
    }

    /// A host without as much as is needed of the beginning that all have.
    fn end(&self, host: &str, columns: usize) -> String {
        if width(host) <= columns {
            return host.to_owned();
        }
        let own = host.get(self.front..).filter(|own| !own.is_empty()).unwrap_or(host);
        // As much of the shared beginning as there is space for.
        let keep = columns.saturating_sub(1 + width(own)).min(self.front);
        let begin = if own.len() < host.len() { host.get(..keep) } else { None };
        format!("{}…{own}", begin.unwrap_or_default())
    }
}

/// An address as its host and its port with a colon: `192.0.2.10:27960`, `[2001:db8::5c]:27960`.
fn parts(text: &str) -> (&str, &str) {
    let colon = text.rfind(':').filter(|at| !text.get(at + 1..).is_some_and(|p| p.contains(']')));
    text.split_at_checked(colon.unwrap_or(text.len())).unwrap_or((text, ""))
}

/// The beginning of a host, of at most so many bytes, up to a separator if a number would be torn
/// apart.
fn whole_numbers(host: &str, most: usize) -> &str {
    let (begin, rest) = host.split_at_checked(most).unwrap_or((host, ""));
    let is_torn = rest.starts_with(|c: char| c.is_ascii_hexdigit());
    let end = begin.rfind(['.', ':']).filter(|_| is_torn).map(|at| at + 1);
    end.and_then(|end| begin.get(..end)).unwrap_or(begin)
}

/// How many bytes of their beginning two texts have in common.
fn shared(one: &str, other: &str) -> usize {
    one.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count()
}

/// The end of a text that is too long, behind a sign.
fn tail(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let end = text.char_indices().rev().nth(columns.saturating_sub(2)).map_or(0, |(at, _)| at);
    format!("…{}", text.get(end..).unwrap_or(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fitted(all: &[&str], columns: usize) -> Vec<String> {
        let mut shared = SharedAddress::default();
        for text in all {
            shared.add_text(text);
        }
        let form = shared.form(columns);
        all.iter().map(|text| shared.fitted(text, form, columns)).collect()
    }

    #[test]
    fn the_least_width_keeps_hosts_apart() {
        let three: Vec<_> = [192, 172, 182]
            .iter()
            .flat_map(|net| (27960..27963).map(move |port| format!("{net}.168.100.110:{port}")))
            .collect();
        let far = ["192.0.2.10:27960", "198.51.100.1:27950", "203.0.113.77:49152"];
        let far: Vec<_> = far.map(str::to_owned).into();
        for (all, apart) in [(three, 10), (far, 12)] {
            let mut shared = SharedAddress::default();
            for text in &all {
                shared.add_text(text);
            }
            shared.measure();
            assert_eq!(shared.width(AddressWidth::Apart), apart);
            for columns in apart..=WHOLE {
                let form = shared.form(columns);
                let shown: BTreeSet<_> =
                    all.iter().map(|text| shared.fitted(text, form, columns)).collect();
                assert_eq!(shown.len(), all.len(), "{columns}: {shown:?}");
                assert!(shown.iter().all(|text| width(text) <= columns), "{shown:?}");
            }
        }
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
            (two_hosts, 8, ["…0.2.10", "…0.2.11"]),
            (two_ports, 14, ["…0.2.10:27960", "…0.2.10:27961"]),
            (two_ports, 8, ["1…:27960", "1…:27961"]),
            (far, 12, ["192.0.2.10", "198.51.100.1"]),
            (far, 8, ["….0.2.10", "….100.1"]),
            (v6, 15, ["…aaaa:bbbb::5c]", "…aaaa:bbbb::5d]"]),
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
