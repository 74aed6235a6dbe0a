//! A list of servers, in one datagram or in several: its servers, and their positions.

use std::net::{IpAddr, SocketAddr};
use std::ops::Range;

use super::datagram::ReceivedDatagram;
use super::endpoint::TestEndpoint;
use super::failure::{Done, Failure};
use simulate::PacketRecords;

/// All datagrams of a list.
pub struct ReceivedList {
    pub packets: Vec<ReceivedDatagram>,
    /// The records of each datagram.
    pub records: Vec<PacketRecords>,
}

/// What has the address of a server.
pub trait Addressed {
    fn address(&self) -> SocketAddr;
}

impl Addressed for SocketAddr {
    fn address(&self) -> SocketAddr {
        *self
    }
}

impl Addressed for TestEndpoint<'_> {
    fn address(&self) -> SocketAddr {
        TestEndpoint::address(self)
    }
}

impl<A: Addressed> Addressed for &A {
    fn address(&self) -> SocketAddr {
        (*self).address()
    }
}

impl ReceivedList {
    /// Sends a request and collects the response; one in which `read` finds no list is a failure.
    pub fn request(
        client: &TestEndpoint<'_>,
        request: &[u8],
        read: impl Fn(&[u8]) -> Option<PacketRecords>,
    ) -> Result<Self, Failure> {
        Self::request_beside(client, request, read, |_| false)
    }

    /// The same, if other datagrams, which `is_other` detects, may come besides the list: the
    /// client is a server too.
    pub fn request_beside(
        client: &TestEndpoint<'_>,
        request: &[u8],
        read: impl Fn(&[u8]) -> Option<PacketRecords>,
        is_other: impl Fn(&[u8]) -> bool,
    ) -> Result<Self, Failure> {
        // A late response to an earlier request does not answer this one.
        client.drain()?;
        let mut answers = client.request("a list of servers", request)?;
        let first = answers.first().cloned();
        answers.retain(|packet| read(&packet.bytes).is_some() || !is_other(&packet.bytes));
        match first {
            Some(other) if answers.is_empty() => {
                Err(Failure::new("a list of servers", other.named()).at(&other))
            }
            _ => Self::from_packets(client, answers, read),
        }
    }

    /// Parses the responses to a request: packets of a list, from the addressed port.
    pub fn from_packets(
        client: &TestEndpoint<'_>,
        packets: Vec<ReceivedDatagram>,
        read: impl Fn(&[u8]) -> Option<PacketRecords>,
    ) -> Result<Self, Failure> {
        let records = packets.iter().map(|packet| {
            if packet.from != client.target() {
                let what = format!("an answer from {}", client.target());
                return Err(Failure::new(what, format!("one from {}", packet.from)).at(packet));
            }
            let what = "a list of servers, and nothing else";
            read(&packet.bytes).ok_or_else(|| Failure::new(what, packet.named()).at(packet))
        });
        let records = records.collect::<Result<_, _>>()?;
        Ok(Self { packets, records })
    }

    /// Its only packet, with the records.
    pub fn single(&self, what: &str) -> Result<(&ReceivedDatagram, &PacketRecords), Failure> {
        match (self.packets.as_slice(), self.records.as_slice()) {
            ([packet], [records]) => Ok((packet, records)),
            (packets, _) => Err(Failure::new(what, format!("{} packets", packets.len()))),
        }
    }

    /// Every server, its datagram, and its position there.
    pub fn servers(&self) -> impl Iterator<Item = (SocketAddr, &ReceivedDatagram, Range<usize>)> {
        self.packets.iter().zip(&self.records).flat_map(|(packet, records)| {
            records.servers.iter().map(move |(server, at)| (*server, packet, at.clone()))
        })
    }

    /// The bytes after the records of each datagram, with their positions.
    pub fn ends(
        &self,
    ) -> impl DoubleEndedIterator<Item = (&ReceivedDatagram, Range<usize>, &[u8])> {
        self.packets.iter().zip(&self.records).map(|(packet, records)| {
            let end = packet.bytes.get(records.end..).unwrap_or_default();
            (packet, records.end..packet.bytes.len(), end)
        })
    }

    /// The first record of a server.
    pub fn find(&self, server: &impl Addressed) -> Option<(&ReceivedDatagram, Range<usize>)> {
        let found = self.servers().find(|(listed, ..)| *listed == server.address());
        found.map(|(_, packet, at)| (packet, at))
    }

    /// The datagram, its records, and the offset of the bytes of a server, wherever they are among
    /// or behind the records, and with the port in either byte order: to distinguish records that
    /// cannot be read from missing ones.
    pub fn find_block(
        &self,
        server: SocketAddr,
    ) -> Option<(&ReceivedDatagram, &PacketRecords, usize)> {
        let mut block = match server.ip() {
            IpAddr::V4(ip) => ip.octets().to_vec(),
            IpAddr::V6(ip) => ip.octets().to_vec(),
        };
        let mut swapped = block.clone();
        block.extend(server.port().to_be_bytes());
        swapped.extend(server.port().to_le_bytes());
        self.packets.iter().zip(&self.records).find_map(|(datagram, records)| {
            let body = datagram.bytes.get(records.at..)?;
            let mut windows = body.windows(block.len());
            let at = windows.position(|bytes| bytes == block || bytes == swapped)?;
            Some((datagram, records, records.at + at))
        })
    }

    /// Whether a server is listed.
    pub fn has(&self, server: &impl Addressed) -> bool {
        self.find(server).is_some()
    }

    /// The number of servers.
    pub fn count(&self) -> usize {
        self.servers().count()
    }

    /// The server is listed.
    pub fn expect_listed(&self, server: &impl Addressed) -> Done {
        if self.has(server) { Ok(()) } else { Err(self.without(server)) }
    }

    /// The server is listed exactly once.
    pub fn expect_listed_once(&self, server: &impl Addressed) -> Done {
        let server = server.address();
        let mut found = self.servers().filter(|(listed, ..)| *listed == server);
        match (found.next(), found.next()) {
            (None, _) => Err(self.without(&server)),
            (_, None) => Ok(()),
            (_, Some((_, packet, bytes))) => {
                let what = format!("a list that holds {server} once");
                Err(Failure::new(what, "it is there again").within(packet, bytes))
            }
        }
    }

    /// The server is not listed.
    pub fn expect_unlisted(&self, server: &impl Addressed) -> Done {
        self.expect_absent(server, "one that holds it")
    }

    /// The same; `came` says what a list that holds it is.
    pub fn expect_absent(&self, server: &impl Addressed, came: &str) -> Done {
        let Some((packet, bytes)) = self.find(server) else { return Ok(()) };
        let what = format!("a list without {}", server.address());
        Err(Failure::new(what, came).within(packet, bytes))
    }

    /// A listed server with this one's port at another address, where this one is not listed: its
    /// address, its datagram, and its position there.
    pub fn find_altered(
        &self,
        server: &impl Addressed,
    ) -> Option<(SocketAddr, &ReceivedDatagram, Range<usize>)> {
        let server = server.address();
        let mut others = self.servers();
        others.find(|(listed, ..)| listed.port() == server.port() && listed.ip() != server.ip())
    }

    /// Whether a server is listed whose port has the two bytes swapped.
    pub fn has_swapped(&self, server: &impl Addressed) -> bool {
        self.has(&swapped(server))
    }

    /// The failure of a list that lacks this server.
    pub fn without(&self, server: &impl Addressed) -> Failure {
        let what = format!("a list that holds {}", server.address());
        if let Some((packet, bytes)) = self.find(&swapped(server)) {
            let came = "one that holds its port with the two bytes swapped";
            return Failure::new(what, came).within(packet, bytes);
        }
        let came = match self.packets.len() {
            0 => "no list".to_owned(),
            _ => format!("one of {} servers without it", self.count()),
        };
        let failure = Failure::new(what, came);
        match self.packets.first() {
            Some(packet) => failure.at(packet),
            None => failure,
        }
    }
}

/// The same address with the bytes of its port swapped.
fn swapped(server: &impl Addressed) -> SocketAddr {
    let server = server.address();
    SocketAddr::new(server.ip(), server.port().swap_bytes())
}
