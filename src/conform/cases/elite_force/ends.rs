//! Servers and clients of Elite Force.

use std::net::SocketAddr;

use super::super::listed::{PacketRecords, ReceivedList};
use super::LISTS;
use super::getservers::ALL;
use crate::codec::Scratch;
use crate::conform::{Done, Failure, ReceivedDatagram, TestContext, TestEndpoint};
use crate::families::elite_force::messages::{self as voice, EliteForceQuestion};
use crate::families::quake3::messages::{self, Quake3ListRequest};
use crate::protocols::quake3::{HexList, Quake3};
use crate::simulate::ServerInfo;

/// Bytes before the records: the mark, the word, a blank.
const HEADING: usize = b"\xff\xff\xff\xffgetserversResponse ".len();
/// A separator, and twelve hex digits.
const RECORD: usize = 13;

/// The protocol of version 1.20.
pub const PROTOCOL: u32 = 24;

/// A server: its endpoint, and its settings.
pub struct EliteForceServer<'s> {
    pub end: TestEndpoint<'s>,
    pub persona: ServerInfo,
}

/// A request for a server's settings.
pub struct InfoQuestion {
    pub heard: ReceivedDatagram,
    pub question: EliteForceQuestion,
}

impl<'s> EliteForceServer<'s> {
    /// A server of protocol 24 with one player on eight places.
    pub fn new(ctx: &'s TestContext<'_>) -> Result<Self, Failure> {
        Ok(Self::at(ctx.server(LISTS)?))
    }

    /// The same with an existing endpoint.
    pub fn at(end: TestEndpoint<'s>) -> Self {
        let protocol = end.ctx().protocol(PROTOCOL).to_string();
        Self { end, persona: voice::persona().with("protocol", protocol) }
    }

    /// A listed server, and a client that has seen it.
    pub fn listed(ctx: &'s TestContext<'_>) -> Result<(Self, EliteForceClient<'s>), Failure> {
        Self::new(ctx)?.with_client(ctx)
    }

    /// The same server, listed, and a client that has seen it.
    pub fn with_client(
        self,
        ctx: &'s TestContext<'_>,
    ) -> Result<(Self, EliteForceClient<'s>), Failure> {
        ctx.setup(|| {
            let client = EliteForceClient::new(ctx)?;
            self.register()?;
            client.wait_listed(&self, ALL)?;
            Ok((self, client))
        })
    }

    /// The same server, with other settings from now on.
    #[must_use]
    pub fn with(self, key: &str, value: &str) -> Self {
        Self { persona: self.persona.with(key, value), ..self }
    }

    /// The same without this setting.
    #[must_use]
    pub fn without(self, key: &str) -> Self {
        Self { persona: self.persona.without(key), ..self }
    }

    pub fn address(&self) -> SocketAddr {
        self.end.address()
    }

    /// Sends a heartbeat.
    pub fn send_heartbeat(&self) -> Done {
        // Requests after an earlier one are not those of this one.
        self.end.drain()?;
        self.end.send_bytes(&voice::heartbeat(self.address().port(), voice::GAME))
    }

    /// Receives the request after a heartbeat; if it gets a getchallenge first, it answers that.
    pub fn recv_challenge(&self) -> Result<InfoQuestion, Failure> {
        let what = "a getstatus or a getinfo in answer to the heartbeat";
        let mut said = Ok(());
        let asked = self.end.expect(what, |heard| match voice::question(&heard.bytes)? {
            EliteForceQuestion::Challenge => {
                said = self
                    .end
                    .send_bytes(&voice::reply(&self.persona, &EliteForceQuestion::Challenge));
                None
            }
            question => Some(InfoQuestion { heard: heard.clone(), question }),
        })?;
        said.map(|()| asked)
    }

    /// The request after a heartbeat: the setup of a case.
    pub fn asked(&self) -> Result<InfoQuestion, Failure> {
        self.end.ctx().setup(|| {
            self.send_heartbeat()?;
            self.recv_challenge()
        })
    }

    /// Answers a request.
    pub fn answer(&self, question: &EliteForceQuestion) -> Done {
        self.end.send_bytes(&voice::reply(&self.persona, question))
    }

    /// Sends a heartbeat, and answers the request.
    pub fn register(&self) -> Done {
        self.send_heartbeat()?;
        let asked = self.recv_challenge()?;
        self.answer(&asked.question)
    }

    /// Sends its shutdown message.
    pub fn shut_down(&self) -> Done {
        self.end.send_bytes(&voice::heartstop(self.address().port()))
    }
}

impl InfoQuestion {
    /// Its challenge; skipped if it has none, which the document allows.
    pub fn challenge(&self) -> Result<&[u8], Failure> {
        match &self.question {
            EliteForceQuestion::Info(challenge) | EliteForceQuestion::Status(challenge)
                if !challenge.is_empty() =>
            {
                Ok(challenge)
            }
            _ => Err(Failure::skipped("the master sends no challenge")),
        }
    }

    /// The same request with another challenge.
    pub fn with(&self, challenge: &[u8]) -> EliteForceQuestion {
        match &self.question {
            EliteForceQuestion::Status(_) => EliteForceQuestion::Status(challenge.to_vec()),
            _ => EliteForceQuestion::Info(challenge.to_vec()),
        }
    }
}

/// A client.
pub struct EliteForceClient<'s>(TestEndpoint<'s>);

impl<'s> EliteForceClient<'s> {
    /// A client; skipped if the target is on IPv6.
    pub fn new(ctx: &'s TestContext<'_>) -> Result<Self, Failure> {
        if !ctx.is_over_ipv4() {
            let why = "the records of Elite Force's lists hold IPv4 addresses only";
            return Err(Failure::skipped(why));
        }
        Ok(Self(ctx.client(LISTS)?))
    }

    /// A list of servers of protocol 24: the setup of a case.
    pub fn list(&self, words: &str) -> Result<ReceivedList, Failure> {
        self.0.ctx().setup(|| self.asks(words))
    }

    /// Requests servers of protocol 24 with these words.
    pub fn asks(&self, words: &str) -> Result<ReceivedList, Failure> {
        let protocol = self.0.ctx().protocol(PROTOCOL);
        self.lists(Quake3ListRequest { protocol, words, ..Quake3ListRequest::default() })
    }

    /// Sends a list request, without waiting for a response.
    pub fn send(&self, list: Quake3ListRequest<'_>) -> Done {
        self.0.send_bytes(&list.plain())
    }

    /// Requests a list.
    pub fn lists(&self, list: Quake3ListRequest<'_>) -> Result<ReceivedList, Failure> {
        ReceivedList::ask(&self.0, &list.plain(), read)
    }

    /// Repeats the request with these words until a server is listed.
    pub fn wait_listed(
        &self,
        server: &EliteForceServer<'_>,
        words: &str,
    ) -> Result<ReceivedList, Failure> {
        self.0.ctx().until(|| {
            let listed = self.asks(words)?;
            listed.expect_listed(server.address())?;
            Ok(listed)
        })
    }

    /// Repeats the request with these words until a server is not listed any more.
    pub fn wait_unlisted(&self, server: &EliteForceServer<'_>, words: &str) -> Done {
        self.0.ctx().until(|| self.asks(words)?.expect_unlisted(server.address()))
    }
}

fn read(bytes: &[u8]) -> Option<PacketRecords> {
    let records = messages::read(bytes, &mut Scratch::default(), |message| match message {
        Quake3::HexList(list) => Some(PacketRecords {
            at: HEADING,
            step: RECORD,
            servers: list.servers.iter(HexList::FORM).collect(),
        }),
        _ => None,
    });
    records.flatten()
}
