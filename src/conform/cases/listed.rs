//! A list of servers, in one datagram or in several: its servers, and their positions.

use std::net::SocketAddr;
use std::ops::Range;

use crate::conform::{Done, Failure, ReceivedDatagram, TestEndpoint};

/// The records of one packet, as its protocol decodes them.
pub struct PacketRecords {
    /// Where the first begins.
    pub at: usize,
    /// The bytes of one, including its separator.
    pub step: usize,
    pub servers: Vec<SocketAddr>,
}

/// All datagrams of a list.
pub struct ReceivedList {
    pub packets: Vec<ReceivedDatagram>,
    /// The records of each datagram.
    pub records: Vec<PacketRecords>,
}

impl ReceivedList {
    /// Sends a request and collects the response; one in which `read` finds no list is a failure.
    pub fn ask(
        client: &TestEndpoint<'_>,
        request: &[u8],
        read: impl Fn(&[u8]) -> Option<PacketRecords>,
    ) -> Result<Self, Failure> {
        Self::ask_beside(client, request, read, |_| false)
    }

    /// The same, if other datagrams, which `is_other` detects, may come besides the list: the
    /// client is a server too.
    pub fn ask_beside(
        client: &TestEndpoint<'_>,
        request: &[u8],
        read: impl Fn(&[u8]) -> Option<PacketRecords>,
        is_other: impl Fn(&[u8]) -> bool,
    ) -> Result<Self, Failure> {
        // A late response to an earlier request does not answer this one.
        client.drain()?;
        let answers = client.request("a list of servers", request)?;
        let first = answers.first().cloned();
        let (mut packets, mut records) = (Vec::new(), Vec::new());
        for packet in answers {
            if packet.from != client.master() {
                let what = format!("an answer from {}", client.master());
                return Err(Failure::new(what, format!("one from {}", packet.from)).at(&packet));
            }
            match read(&packet.bytes) {
                Some(found) => {
                    records.push(found);
                    packets.push(packet);
                }
                None if is_other(&packet.bytes) => {}
                None => {
                    let what = "a list of servers, and nothing else";
                    return Err(Failure::new(what, packet.named()).at(&packet));
                }
            }
        }
        match first {
            Some(other) if packets.is_empty() => {
                Err(Failure::new("a list of servers", other.named()).at(&other))
            }
            _ => Ok(Self { packets, records }),
        }
    }

    /// One datagram of the list, and its records.
    pub fn packet(&self, n: usize) -> Option<(&ReceivedDatagram, &PacketRecords)> {
        Some((self.packets.get(n)?, self.records.get(n)?))
    }

    /// Every server, its datagram, and its position there.
    pub fn servers(&self) -> impl Iterator<Item = (SocketAddr, &ReceivedDatagram, Range<usize>)> {
        self.packets.iter().zip(&self.records).flat_map(|(packet, records)| {
            let begin = move |n: usize| records.at + n * records.step;
            let servers = records.servers.iter().enumerate();
            servers.map(move |(n, server)| (*server, packet, begin(n)..begin(n + 1)))
        })
    }

    /// The bytes after the records of each datagram, with their positions.
    pub fn ends(&self) -> impl Iterator<Item = (&ReceivedDatagram, Range<usize>, &[u8])> {
        self.packets.iter().zip(&self.records).map(|(packet, records)| {
            let at = records.at + records.servers.len() * records.step;
            let end = packet.bytes.get(at..).unwrap_or_default();
            (packet, at..packet.bytes.len(), end)
        })
    }

    /// The server is listed.
    pub fn expect_listed(&self, server: SocketAddr) -> Done {
        let found = self.servers().any(|(listed, ..)| listed == server);
        if found { Ok(()) } else { Err(self.without(server)) }
    }

    /// The server is listed exactly once.
    pub fn expect_listed_once(&self, server: SocketAddr) -> Done {
        let mut found = self.servers().filter(|(listed, ..)| *listed == server);
        match (found.next(), found.next()) {
            (None, _) => Err(self.without(server)),
            (_, None) => Ok(()),
            (_, Some((_, packet, bytes))) => {
                let what = format!("a list that holds {server} once");
                Err(Failure::new(what, "it is there again").within(packet, bytes))
            }
        }
    }

    /// The server is not listed.
    pub fn expect_unlisted(&self, server: SocketAddr) -> Done {
        match self.servers().find(|(listed, ..)| *listed == server) {
            None => Ok(()),
            Some((_, packet, bytes)) => {
                let what = format!("a list without {server}");
                Err(Failure::new(what, "one that holds it").within(packet, bytes))
            }
        }
    }

    /// Whether a server is listed whose port has the two bytes swapped.
    pub fn has_swapped(&self, server: SocketAddr) -> bool {
        self.servers().any(|(listed, ..)| listed == swapped(server))
    }

    /// The failure of a list that lacks this server.
    pub fn without(&self, server: SocketAddr) -> Failure {
        let what = format!("a list that holds {server}");
        let swapped = swapped(server);
        if let Some((_, packet, bytes)) = self.servers().find(|(listed, ..)| *listed == swapped) {
            let came = format!("{swapped}: the bytes of the port are swapped");
            return Failure::new(what, came).within(packet, bytes);
        }
        let came = format!("one of {} servers without it", self.servers().count());
        let failure = Failure::new(what, came);
        match self.packets.first() {
            Some(packet) => failure.at(packet),
            None => failure,
        }
    }
}

/// The same address with the bytes of its port swapped.
fn swapped(server: SocketAddr) -> SocketAddr {
    SocketAddr::new(server.ip(), server.port().swap_bytes())
}
