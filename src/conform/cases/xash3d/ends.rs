//! Servers and clients of Xash3D, and the lists that clients get.

use std::net::SocketAddr;

use super::LISTS;
use crate::conform::{Done, Failure, ReceivedDatagram, TestContext, TestEndpoint};
use crate::families::half_life::messages as voice;
use crate::protocols::half_life::{HalfLife, ListFamily, ListHead};
use crate::simulate::ServerInfo;

/// The challenge that servers send with their heartbeats; all four bytes differ.
pub const KEY: u32 = 0x8a1b_2c3d;
/// The key of clients' list requests.
pub const LIST_KEY: u32 = 0xdead_beef;
/// Servers that register in parallel.
const AT_ONCE: usize = 32;

/// A server, and its values: with a gamedir of its own.
pub struct XashServer<'s> {
    pub end: TestEndpoint<'s>,
    pub persona: ServerInfo,
}

/// The master's challenge to a server: the datagram, the master's number, the server's own.
pub struct XashChallenge {
    pub heard: ReceivedDatagram,
    pub challenge: u32,
    pub key: Option<u32>,
}

/// A client.
pub struct XashClient<'s>(pub TestEndpoint<'s>);

/// One packet of a list.
pub struct XashListPacket {
    pub heard: ReceivedDatagram,
    pub key: Option<u32>,
    pub family: ListFamily,
    /// Every record, including the last of zeros.
    pub records: Vec<SocketAddr>,
}

/// A received list; without packets if the target does not respond with an empty one.
pub struct XashList {
    pub packets: Vec<XashListPacket>,
}

impl<'s> XashServer<'s> {
    /// A server of version 0.21 with one player on six places, and a gamedir of its own.
    pub fn new(ctx: &'s TestContext<'_>) -> Result<Self, Failure> {
        Ok(Self::of(ctx.server(LISTS)?, &ctx.game()))
    }

    /// A server of this gamedir with an existing endpoint.
    pub fn of(end: TestEndpoint<'s>, game: &str) -> Self {
        Self { end, persona: voice::xash_persona().with("gamedir", game) }
    }

    /// A listed server, and a client that has seen it.
    pub fn listed(ctx: &'s TestContext<'_>) -> Result<(Self, XashClient<'s>), Failure> {
        ctx.setup(|| {
            let (server, client) = (Self::new(ctx)?, XashClient::new(ctx)?);
            server.register()?;
            client.wait_listed(&server)?;
            Ok((server, client))
        })
    }

    /// The same server, with other values from now on.
    #[must_use]
    pub fn with(self, key: &str, value: &str) -> Self {
        Self { persona: self.persona.with(key, value), ..self }
    }

    pub fn address(&self) -> SocketAddr {
        self.end.address()
    }

    /// A filter for servers of its gamedir.
    pub fn filter(&self) -> String {
        let game = self.persona.get("gamedir").unwrap_or_default();
        format!(r"\gamedir\{}", String::from_utf8_lossy(game))
    }

    /// Sends a heartbeat with its challenge.
    pub fn send_heartbeat(&self) -> Done {
        self.end.send_bytes(&voice::xash_heartbeat(Some(KEY)))
    }

    /// Receives the challenge after a heartbeat.
    pub fn recv_challenge(&self) -> Result<XashChallenge, Failure> {
        self.end.expect("an s in answer to the heartbeat", |heard| {
            let (challenge, key) = voice::challenges(&heard.bytes)?;
            Some(XashChallenge { heard: heard.clone(), challenge, key })
        })
    }

    /// The challenge after a heartbeat: the setup of a case.
    pub fn asked(&self) -> Result<u32, Failure> {
        self.end.ctx().setup(|| {
            // A challenge for an earlier heartbeat is not that of this one.
            self.end.drain()?;
            self.send_heartbeat()?;
            Ok(self.recv_challenge()?.challenge)
        })
    }

    /// Answers with this challenge, whatever the master's was.
    pub fn answer(&self, challenge: u32) -> Done {
        self.end.send_bytes(&voice::xash_reply(&self.persona, Some(&challenge.to_string())))
    }

    /// Sends a heartbeat, and answers the challenge.
    pub fn register(&self) -> Done {
        self.end.drain()?;
        self.send_heartbeat()?;
        self.answer(self.recv_challenge()?.challenge)
    }
}

/// Registers all of these, a few at a time, so that no challenge expires.
pub fn register(servers: &[XashServer<'_>]) -> Done {
    for few in servers.chunks(AT_ONCE) {
        few.iter().try_for_each(XashServer::send_heartbeat)?;
        for server in few {
            server.answer(server.recv_challenge()?.challenge)?;
        }
    }
    Ok(())
}

impl<'s> XashClient<'s> {
    pub fn new(ctx: &'s TestContext<'_>) -> Result<Self, Failure> {
        Ok(Self(ctx.client(LISTS)?))
    }

    /// Requests a list as a client of version 0.21 that is not behind NAT, with a key and these
    /// further words. The list may be empty; then the target may not respond.
    pub fn asks(&self, words: &str) -> Result<XashList, Failure> {
        self.lists(&format!(r"\clver\{}\nat\0\key\{LIST_KEY:x}{words}", voice::XASH_VERSION))
    }

    /// The same, as the setup of a case.
    pub fn list(&self, words: &str) -> Result<XashList, Failure> {
        self.0.ctx().setup(|| self.asks(words))
    }

    /// Requests with this filter and nothing else.
    pub fn lists(&self, filter: &str) -> Result<XashList, Failure> {
        // A late response to an earlier request does not answer this one.
        self.0.drain()?;
        self.read(self.0.request_all(&voice::get_xash_region(filter))?)
    }

    /// Parses the responses to a request: packets of a list, from the addressed port.
    pub fn read(&self, all: Vec<ReceivedDatagram>) -> Result<XashList, Failure> {
        let master = self.0.master();
        let packets = all.into_iter().map(|heard| {
            if heard.from != master {
                let came = format!("one from {}", heard.from);
                return Err(Failure::new(format!("an answer from {master}"), came).at(&heard));
            }
            match XashListPacket::read(&heard) {
                Some(packet) => Ok(packet),
                None => Err(Failure::new("a list of servers", heard.named()).at(&heard)),
            }
        });
        Ok(XashList { packets: packets.collect::<Result<_, _>>()? })
    }

    /// Repeats the request for its gamedir until this server is listed.
    pub fn wait_listed(&self, server: &XashServer<'_>) -> Result<XashList, Failure> {
        self.0.ctx().until(|| {
            let listed = self.asks(&server.filter())?;
            listed.expect_listed(server)?;
            Ok(listed)
        })
    }
}

impl XashListPacket {
    fn read(heard: &ReceivedDatagram) -> Option<Self> {
        let found = voice::read(&heard.bytes, |message| match message {
            HalfLife::Servers(list) => Some(Self {
                heard: heard.clone(),
                key: (list.head == ListHead::Key).then_some(list.key),
                family: list.family,
                records: list.servers.iter(list.family.form()).collect(),
            }),
            _ => None,
        });
        found.flatten()
    }
}

impl XashList {
    /// Every server: each record but those of zeros.
    pub fn servers(&self) -> impl Iterator<Item = (SocketAddr, &XashListPacket)> {
        let records = self
            .packets
            .iter()
            .flat_map(|packet| packet.records.iter().map(move |record| (*record, packet)));
        records.filter(|(record, _)| !is_zero(record))
    }

    /// How often a server is listed.
    pub fn count(&self, server: SocketAddr) -> usize {
        self.servers().filter(|(listed, _)| *listed == server).count()
    }

    /// The server is listed.
    pub fn expect_listed(&self, server: &XashServer<'_>) -> Done {
        if self.count(server.address()) > 0 {
            return Ok(());
        }
        let what = format!("a list that holds {}", server.address());
        let came = match self.packets.as_slice() {
            [] => "no list".to_owned(),
            _ => format!("one of {} servers without it", self.servers().count()),
        };
        let failure = Failure::new(what, came);
        Err(match self.packets.first() {
            Some(packet) => failure.at(&packet.heard),
            None => failure,
        })
    }

    /// The server is listed exactly once.
    pub fn expect_once(&self, server: &XashServer<'_>) -> Done {
        self.expect_listed(server)?;
        let what = || format!("{} once", server.address());
        match self.servers().filter(|(listed, _)| *listed == server.address()).nth(1) {
            None => Ok(()),
            Some((_, packet)) => Err(Failure::new(what(), "it twice").at(&packet.heard)),
        }
    }

    /// The server is not listed.
    pub fn expect_unlisted(&self, server: &XashServer<'_>) -> Done {
        self.not(server.address(), "one that holds it")
    }

    /// No record holds this address.
    pub fn not(&self, server: SocketAddr, came: &str) -> Done {
        match self.servers().find(|(listed, _)| *listed == server) {
            None => Ok(()),
            Some((_, packet)) => {
                let what = format!("a list without {server}");
                Err(Failure::new(what, came).at(&packet.heard))
            }
        }
    }
}

/// Whether a record is all zeros.
pub fn is_zero(record: &SocketAddr) -> bool {
    record.ip().is_unspecified() && record.port() == 0
}
