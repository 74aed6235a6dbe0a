//! Servers and clients of Doom 3, and the lists that clients get.

use std::net::SocketAddr;
use std::ops::Range;

use super::LISTS;
use crate::conform::{Done, Failure, ReceivedDatagram, TestContext, TestEndpoint};
use crate::families::doom3::messages as voice;
use crate::protocols::doom3::{Doom3, Servers};
use crate::simulate::ServerInfo;

/// A list request.
#[derive(Debug, Clone, Copy)]
pub struct Doom3ListRequest<'a> {
    pub protocol: u32,
    pub game: &'a str,
    pub filter: u8,
}

/// All servers of version 1.3, or of the case's own protocol instead.
pub fn all(ctx: &TestContext<'_>) -> Doom3ListRequest<'static> {
    Doom3ListRequest { protocol: protocol(ctx, voice::FOURTH), game: "", filter: 0 }
}

/// The protocol for servers of a case: that of the game, or the case's own if the endpoints of
/// servers are reused.
pub fn protocol(ctx: &TestContext<'_>, number: u32) -> u32 {
    u32::try_from(ctx.protocol(number)).unwrap_or(number)
}

/// Servers that register in parallel.
const AT_ONCE: usize = 32;

/// A server: its protocol, number of players, and settings.
pub struct Doom3Server<'s> {
    pub end: TestEndpoint<'s>,
    pub protocol: u32,
    pub players: u8,
    pub persona: ServerInfo,
}

/// The master's challenge to a server.
pub struct Doom3Request {
    pub heard: ReceivedDatagram,
    pub challenge: i32,
}

/// A client.
pub struct Doom3Client<'s>(pub TestEndpoint<'s>);

/// A received list.
pub struct Doom3List {
    pub packet: ReceivedDatagram,
    pub servers: Vec<SocketAddr>,
}

/// Bytes of the mark, the command and its NUL, and of one record.
const HEAD: usize = b"\xff\xffservers\0".len();
const RECORD: usize = 6;

impl<'s> Doom3Server<'s> {
    /// A server of version 1.3 with one player on eight places.
    pub fn new(ctx: &'s TestContext<'_>) -> Result<Self, Failure> {
        Ok(Self::at(ctx.server(LISTS)?))
    }

    /// The same with an existing endpoint.
    pub fn at(end: TestEndpoint<'s>) -> Self {
        let protocol = protocol(end.ctx(), voice::FOURTH);
        Self { end, protocol, players: 1, persona: voice::persona() }
    }

    /// A listed server, and a client that has seen it.
    pub fn listed(ctx: &'s TestContext<'_>) -> Result<(Self, Doom3Client<'s>), Failure> {
        ctx.setup(|| {
            let (server, client) = (Self::new(ctx)?, Doom3Client::new(ctx)?);
            server.register()?;
            client.wait_listed(&server, all(ctx))?;
            Ok((server, client))
        })
    }

    /// The same server, with other settings from now on.
    #[must_use]
    pub fn with(self, key: &str, value: &str) -> Self {
        Self { persona: self.persona.with(key, value), ..self }
    }

    /// The same with this number of players from now on.
    #[must_use]
    pub fn played_by(self, players: u8) -> Self {
        Self { players, ..self }
    }

    pub fn address(&self) -> SocketAddr {
        self.end.address()
    }

    /// Sends a heartbeat.
    pub fn send_heartbeat(&self) -> Done {
        self.end.send_bytes(&voice::heartbeat())
    }

    /// Receives the challenge after a heartbeat.
    pub fn recv_challenge(&self) -> Result<Doom3Request, Failure> {
        self.end.expect("a getInfo in answer to the heartbeat", |heard| {
            let challenge = voice::challenge(&heard.bytes)?;
            Some(Doom3Request { heard: heard.clone(), challenge })
        })
    }

    /// The challenge after a heartbeat: the setup of a case.
    pub fn asked(&self) -> Result<i32, Failure> {
        self.end.ctx().setup(|| {
            // A challenge for an earlier heartbeat is not that of this one.
            self.end.drain()?;
            self.send_heartbeat()?;
            Ok(self.recv_challenge()?.challenge)
        })
    }

    /// Answers with this challenge, whatever the master's was.
    pub fn answer(&self, challenge: i32) -> Done {
        let (protocol, players) = (self.protocol, self.players);
        self.end.send_bytes(&voice::info_response(&self.persona, protocol, players, challenge))
    }

    /// Sends a heartbeat, and answers the challenge.
    pub fn register(&self) -> Done {
        self.send_heartbeat()?;
        let asked = self.recv_challenge()?.heard.bytes;
        let answer = voice::answer(&self.persona, self.protocol, self.players, &asked);
        self.end.send_bytes(&answer.unwrap_or_default())
    }
}

/// Registers all of these, a few at a time, so that no challenge expires.
pub fn register(servers: &[Doom3Server<'_>]) -> Done {
    for few in servers.chunks(AT_ONCE) {
        few.iter().try_for_each(Doom3Server::send_heartbeat)?;
        for server in few {
            server.answer(server.recv_challenge()?.challenge)?;
        }
    }
    Ok(())
}

impl<'s> Doom3Client<'s> {
    /// A client; skipped if the target is on IPv6.
    pub fn new(ctx: &'s TestContext<'_>) -> Result<Self, Failure> {
        if !ctx.is_over_ipv4() {
            let why = "the records of Doom 3's lists hold IPv4 addresses only";
            return Err(Failure::skipped(why));
        }
        Ok(Self(ctx.client(LISTS)?))
    }

    /// A list: the setup of a case.
    pub fn list(&self, list: Doom3ListRequest<'_>) -> Result<Doom3List, Failure> {
        self.0.ctx().setup(|| self.asks(list))
    }

    /// Requests a list.
    pub fn asks(&self, list: Doom3ListRequest<'_>) -> Result<Doom3List, Failure> {
        self.lists(&voice::get_servers(list.protocol, list.game, list.filter))
    }

    /// Sends these bytes; a list is one packet, from the addressed port.
    pub fn lists(&self, request: &[u8]) -> Result<Doom3List, Failure> {
        // A late response to an earlier request does not answer this one.
        self.0.drain()?;
        let packets = self.0.request("a list of servers", request)?;
        let master = self.0.master();
        if let Some(stray) = packets.iter().find(|packet| packet.from != master) {
            let came = format!("one from {}", stray.from);
            return Err(Failure::new(format!("an answer from {master}"), came).at(stray));
        }
        match <[ReceivedDatagram; 1]>::try_from(packets) {
            Ok([packet]) => Doom3List::read(packet),
            Err(several) => {
                let came = format!("{} packets", several.len());
                Err(Failure::new("a list in one packet", came))
            }
        }
    }

    /// Repeats the request until this server is listed.
    pub fn wait_listed(
        &self,
        server: &Doom3Server<'_>,
        list: Doom3ListRequest<'_>,
    ) -> Result<Doom3List, Failure> {
        self.0.ctx().until(|| {
            let listed = self.asks(list)?;
            listed.expect_listed(server)?;
            Ok(listed)
        })
    }
}

impl Doom3List {
    fn read(packet: ReceivedDatagram) -> Result<Self, Failure> {
        let servers = voice::read(&packet.bytes, |message| match message {
            Doom3::Servers(list) => Some(list.servers.iter(Servers::FORM).collect()),
            _ => None,
        });
        match servers.flatten() {
            Some(servers) => Ok(Self { packet, servers }),
            None => Err(Failure::new("a list of servers", packet.named()).at(&packet)),
        }
    }

    /// How often a server is listed.
    pub fn count(&self, server: SocketAddr) -> usize {
        self.servers.iter().filter(|listed| **listed == server).count()
    }

    /// The bytes of the first record of this server.
    pub fn place(&self, server: SocketAddr) -> Option<Range<usize>> {
        let at = self.servers.iter().position(|listed| *listed == server)?;
        Some(HEAD + at * RECORD..HEAD + (at + 1) * RECORD)
    }

    /// The server is listed.
    pub fn expect_listed(&self, server: &Doom3Server<'_>) -> Done {
        if self.count(server.address()) > 0 {
            return Ok(());
        }
        let what = format!("a list that holds {}", server.address());
        let came = format!("one of {} servers without it", self.servers.len());
        Err(Failure::new(what, came).at(&self.packet))
    }

    /// The server is listed exactly once.
    pub fn expect_once(&self, server: &Doom3Server<'_>) -> Done {
        self.expect_listed(server)?;
        match self.count(server.address()) {
            1 => Ok(()),
            count => {
                let what = format!("{} once", server.address());
                let bytes = self.place(server.address()).unwrap_or_default();
                Err(Failure::new(what, format!("{count} times")).within(&self.packet, bytes))
            }
        }
    }

    /// The server is not listed.
    pub fn expect_unlisted(&self, server: &Doom3Server<'_>) -> Done {
        let Some(bytes) = self.place(server.address()) else {
            return Ok(());
        };
        let what = format!("a list without {}", server.address());
        Err(Failure::new(what, "one that holds it").within(&self.packet, bytes))
    }
}
