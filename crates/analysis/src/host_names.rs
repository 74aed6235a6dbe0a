//! Names for addresses: from hosts files, and from the answers of DNS servers in a capture (RFC 1035).
//! Nobody is asked.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;

use simple_dns::Packet;
use simple_dns::rdata::RData;

/// How many addresses have names; later ones have none.
const MOST: usize = 1 << 16;
/// The longest name, as in DNS.
const LONGEST: usize = 253;
/// The port of DNS servers.
const DNS: u16 = 53;

/// The names of addresses.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HostNames {
    all: BTreeMap<IpAddr, Box<str>>,
}

impl HostNames {
    /// The names of a hosts file, as hosts(5) describes it: an address in each line, then its names, of
    /// which the first one counts; `#` begins a comment. Other lines are left out.
    pub fn from_hosts(text: &str) -> Self {
        let mut names = Self::default();
        for line in text.lines() {
            let line = line.split('#').next().unwrap_or_default();
            let mut words = line.split_whitespace();
            let address = words.next().and_then(|word| word.parse().ok());
            if let (Some(address), Some(name)) = (address, words.next()) {
                names.add(address, name);
            }
        }
        names
    }

    /// Whether a payload may be an answer of a DNS server with addresses, by its port and its header:
    /// the bit of answers, and how many there are (RFC 1035, section 4.1.1).
    fn may_answer(from: SocketAddr, payload: &[u8]) -> bool {
        let header = payload.first_chunk();
        let has_answers = |[_, _, flags, _, _, _, high, low]: &[u8; 8]| {
            flags & 0x80 > 0 && (*high, *low) != (0, 0)
        };
        from.port() == DNS && header.is_some_and(has_answers)
    }

    /// Adds the addresses in an answer of a DNS server, under the name that was asked for. What is no
    /// such answer adds nothing. Who shares the names keeps them as they were.
    pub(super) fn add_answer(names: &mut Arc<Self>, from: SocketAddr, payload: &[u8]) {
        if !Self::may_answer(from, payload) || names.all.len() >= MOST {
            return;
        }
        let Ok(packet) = Packet::parse(payload) else { return };
        let Some(question) = packet.questions.first() else { return };
        let (names, name) = (Arc::make_mut(names), question.qname.to_string());
        for answer in &packet.answers {
            match &answer.rdata {
                RData::A(a) => names.add(Ipv4Addr::from(a.address).into(), &name),
                RData::AAAA(a) => names.add(Ipv6Addr::from(a.address).into(), &name),
                _ => {}
            }
        }
    }

    /// Adds a name, unless the address has one, or it has signs that no name has.
    fn add(&mut self, address: IpAddr, name: &str) {
        let is_name = |c: char| c.is_ascii_alphanumeric() || "-._".contains(c);
        let is_good = !name.is_empty() && name.len() <= LONGEST && name.chars().all(is_name);
        if is_good && self.all.len() < MOST {
            self.all.entry(address).or_insert_with(|| name.to_ascii_lowercase().into());
        }
    }

    /// Adds those of others where there are none.
    pub fn add_all(&mut self, others: &Self) {
        for (address, name) in &others.all {
            self.add(*address, name);
        }
    }

    /// The name of an address.
    pub fn name(&self, address: IpAddr) -> Option<&str> {
        self.all.get(&address).map(AsRef::as_ref)
    }

    /// The addresses that have names, in order.
    pub fn addresses(&self) -> impl Iterator<Item = IpAddr> {
        self.all.keys().copied()
    }

    /// How many addresses have names.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether none has.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_files_name_addresses() {
        let names = HostNames::from_hosts(
            "127.0.0.1 localhost\n# a comment\n192.0.2.1\tMaster.example  alias # here\n\n\
             2001:db8::1 six\nnowhere x\n192.0.2.2\n192.0.2.3 b\u{1b}d\n192.0.2.1 other\n",
        );
        let name = |text: &str| names.name(text.parse().unwrap());
        assert_eq!(name("192.0.2.1"), Some("master.example"));
        assert_eq!(name("2001:db8::1"), Some("six"));
        assert_eq!([name("192.0.2.2"), name("192.0.2.3")], [None, None]);
        assert_eq!(names.len(), 3);
    }

    /// An answer with an alias, and the address of that (RFC 1035, section 4.1).
    const ANSWER: &[u8] =
        b"\x12\x34\x81\x80\0\x01\0\x02\0\0\0\0\x06master\x07example\0\0\x01\0\x01\
        \xc0\x0c\0\x05\0\x01\0\0\x0e\x10\0\x07\x04real\xc0\x13\
        \xc0\x2c\0\x01\0\x01\0\0\x0e\x10\0\x04\xc0\0\x02\x01";

    #[test]
    fn answers_of_dns_servers_name_addresses() {
        let server = SocketAddr::from(([192, 0, 2, 53], 53));
        let mut names = Arc::<HostNames>::default();
        let before = Arc::clone(&names);
        HostNames::add_answer(&mut names, server, ANSWER);
        assert!(before.is_empty(), "who shares the names keeps them");
        assert_eq!(names.name("192.0.2.1".parse().unwrap()), Some("master.example"));
        let mut others = Arc::<HostNames>::default();
        HostNames::add_answer(&mut others, SocketAddr::new(server.ip(), 27950), ANSWER);
        for cut in 0..ANSWER.len() {
            HostNames::add_answer(&mut others, server, &ANSWER[..cut]);
        }
        assert!(others.is_empty());
        Arc::make_mut(&mut others).add_all(&names);
        assert_eq!(others, names);
    }
}
