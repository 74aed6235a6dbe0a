//! A list that came, in one datagram or in several: which servers stand in it, and where.

use std::net::SocketAddr;
use std::ops::Range;

use crate::conform::{Datagram, Done, Endpoint, Failure};

/// The records of one packet, as its protocol reads them.
pub struct Records {
    /// Where the first begins.
    pub at: usize,
    /// Bytes of one, with whatever begins it.
    pub step: usize,
    pub servers: Vec<SocketAddr>,
}

/// A list, whole.
pub struct Listed {
    pub packets: Vec<Datagram>,
    /// What each packet has.
    pub records: Vec<Records>,
}

impl Listed {
    /// Asks and takes everything that comes; whatever `read` finds no list in is at fault.
    pub fn ask(
        client: &Endpoint<'_>,
        request: &[u8],
        read: impl Fn(&[u8]) -> Option<Records>,
    ) -> Result<Self, Failure> {
        // What came late for an earlier request is no answer to this one.
        client.drain()?;
        let packets = client.request("a list of servers", request)?;
        let mut records = Vec::with_capacity(packets.len());
        for packet in &packets {
            if packet.from != client.master() {
                let what = format!("an answer from {}", client.master());
                return Err(Failure::new(what, format!("one from {}", packet.from)).at(packet));
            }
            let Some(found) = read(&packet.bytes) else {
                let what = "a list of servers, and nothing else";
                return Err(Failure::new(what, packet.named()).at(packet));
            };
            records.push(found);
        }
        Ok(Self { packets, records })
    }

    /// Every server, the packet in which it stands, and where.
    pub fn servers(&self) -> impl Iterator<Item = (SocketAddr, &Datagram, Range<usize>)> {
        self.packets.iter().zip(&self.records).flat_map(|(packet, records)| {
            let begin = move |n: usize| records.at + n * records.step;
            let servers = records.servers.iter().enumerate();
            servers.map(move |(n, server)| (*server, packet, begin(n)..begin(n + 1)))
        })
    }

    /// What stands behind the records of each packet, and where.
    pub fn ends(&self) -> impl Iterator<Item = (&Datagram, Range<usize>, &[u8])> {
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

    /// The server is listed, and not twice.
    pub fn expect_listed_once(&self, server: SocketAddr) -> Done {
        let mut found = self.servers().filter(|(listed, ..)| *listed == server);
        match (found.next(), found.next()) {
            (None, _) => Err(self.without(server)),
            (_, None) => Ok(()),
            (_, Some((_, packet, bytes))) => {
                let what = format!("a list that holds {server} once");
                Err(Failure::new(what, "it stands there again").within(packet, bytes))
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

    /// It should be listed. Where another stands there whose port has the same two bytes the other
    /// way round, that is it.
    fn without(&self, server: SocketAddr) -> Failure {
        let what = format!("a list that holds {server}");
        let swapped = SocketAddr::new(server.ip(), server.port().swap_bytes());
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
