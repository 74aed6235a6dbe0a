//! A simulated server that registers with a challenge, in any protocol.

use std::net::SocketAddr;

use super::client::ListClient;
use super::context::TestContext;
use super::datagram::ReceivedDatagram;
use super::endpoint::TestEndpoint;
use super::failure::{Done, Failure};
use super::list::{Addressed, ReceivedList};
use simulate::PacketRecords;
use simulate::ServerInfo;
use simulate::families::{ListMessages, MasterMessages};

/// Servers that register in parallel.
const AT_ONCE: usize = 32;

/// The messages of a game's servers and clients. A value is what a server has besides its settings:
/// the tag of its heartbeats, for example.
pub trait TestMessages: Sized + 'static {
    /// The service that lists servers.
    const SERVICE: &'static str;
    /// The request that answers a heartbeat: `a getInfo in answer to the heartbeat`.
    const REQUEST: &'static str;
    /// What servers and clients say to this kind of master, without a case.
    const MASTER: &'static MasterMessages;
    /// What a server has to return.
    type Challenge;
    /// A client's list request.
    type List<'l>: Copy;

    /// A new server of the case.
    fn new(ctx: &TestContext<'_>) -> (Self, ServerInfo);

    /// Takes note of a changed setting.
    fn set(&mut self, _key: &str, _value: &str) {}

    /// The heartbeat of a server at this address.
    fn heartbeat(&self, address: SocketAddr) -> Vec<u8>;

    /// The challenge of the master's request; `None` for another message.
    fn challenge(request: &[u8]) -> Option<Self::Challenge>;

    /// The answer to another message, which the master sends before its request.
    fn answer_before(&self, _info: &ServerInfo, _message: &[u8]) -> Option<Vec<u8>> {
        None
    }

    /// The answer of a server with these settings to a challenge.
    fn answer(&self, info: &ServerInfo, challenge: &Self::Challenge) -> Vec<u8>;

    /// The answer to the master's request.
    fn answer_request(&self, info: &ServerInfo, request: &MasterRequest<Self>) -> Vec<u8> {
        self.answer(info, &request.challenge)
    }

    /// The request for a list that holds this server.
    fn list<'l>(server: &'l TestServer<'_, Self>) -> Self::List<'l>;

    /// The bytes of a list request.
    fn request(ctx: &TestContext<'_>, list: Self::List<'_>) -> Vec<u8>;

    /// The records of one packet of a list; `None` for another message, and where lists come over
    /// TCP.
    fn read_list_packet(packet: &[u8]) -> Option<PacketRecords> {
        match Self::MASTER.list {
            ListMessages::Datagrams { read, .. } => Some(read(packet)?.records),
            ListMessages::Connection(_) => None,
        }
    }

    /// Requests a list and collects all of it.
    fn collect(
        client: &ListClient<'_, Self>,
        list: Self::List<'_>,
    ) -> Result<ReceivedList, Failure> {
        client.request_bytes(&Self::request(client.end.ctx(), list))
    }

    /// The same for a list that may be empty, which the target may not answer; the setup of a case.
    fn collect_any(
        client: &ListClient<'_, Self>,
        list: Self::List<'_>,
    ) -> Result<ReceivedList, Failure> {
        client.list(list)
    }
}

/// A server, and its settings.
pub struct TestServer<'s, M> {
    pub end: TestEndpoint<'s>,
    pub info: ServerInfo,
    pub messages: M,
}

/// The master's request to a server.
pub struct MasterRequest<M: TestMessages> {
    pub datagram: ReceivedDatagram,
    pub challenge: M::Challenge,
}

impl<'s, M: TestMessages> TestServer<'s, M> {
    /// A new server.
    pub fn new(ctx: &'s TestContext<'_>) -> Result<Self, Failure> {
        Ok(Self::at(ctx.server(M::SERVICE)?))
    }

    /// The same with an existing endpoint.
    pub fn at(end: TestEndpoint<'s>) -> Self {
        let (messages, info) = M::new(end.ctx());
        Self { end, info, messages }
    }

    /// A listed server, and a client that has seen it.
    pub fn listed(ctx: &'s TestContext<'_>) -> Result<(Self, ListClient<'s, M>), Failure> {
        Self::new(ctx)?.with_client(ctx)
    }

    /// The same server, listed, and a client that has seen it.
    pub fn with_client(
        self,
        ctx: &'s TestContext<'_>,
    ) -> Result<(Self, ListClient<'s, M>), Failure> {
        ctx.setup(|| {
            let client = ListClient::new(ctx)?;
            self.register()?;
            client.wait_listed(&self, self.list())?;
            Ok((self, client))
        })
    }

    /// The same server, with other settings from now on.
    #[must_use]
    pub fn with(mut self, key: &str, value: &str) -> Self {
        self.messages.set(key, value);
        Self { info: self.info.with(key, value), ..self }
    }

    /// The same without this setting.
    #[must_use]
    pub fn without(self, key: &str) -> Self {
        Self { info: self.info.without(key), ..self }
    }

    pub fn address(&self) -> SocketAddr {
        self.end.address()
    }

    /// The request for a list that holds it.
    pub fn list(&self) -> M::List<'_> {
        M::list(self)
    }

    /// Sends a heartbeat.
    pub fn send_heartbeat(&self) -> Done {
        // Requests after an earlier one are not those of this one.
        self.end.drain()?;
        self.end.send_bytes(&self.messages.heartbeat(self.address()))
    }

    /// Receives the request after a heartbeat.
    pub fn recv_challenge(&self) -> Result<MasterRequest<M>, Failure> {
        let mut sent = Ok(());
        let request = self.end.expect(M::REQUEST, |datagram| {
            if let Some(answer) = self.messages.answer_before(&self.info, &datagram.bytes) {
                sent = self.end.send_bytes(&answer);
            }
            let challenge = M::challenge(&datagram.bytes)?;
            Some(MasterRequest { datagram: datagram.clone(), challenge })
        })?;
        sent.map(|()| request)
    }

    /// The target answers a heartbeat.
    pub fn is_challenged(&self) -> Done {
        self.send_heartbeat()?;
        self.recv_challenge().map(drop)
    }

    /// The request after a heartbeat: the setup of a case.
    pub fn challenged(&self) -> Result<MasterRequest<M>, Failure> {
        self.end.ctx().setup(|| {
            self.send_heartbeat()?;
            self.recv_challenge()
        })
    }

    /// Answers with this challenge, whatever the master's was.
    pub fn answer(&self, challenge: &M::Challenge) -> Done {
        self.end.send_bytes(&self.messages.answer(&self.info, challenge))
    }

    /// Answers the master's request.
    pub fn answer_request(&self, request: &MasterRequest<M>) -> Done {
        self.end.send_bytes(&self.messages.answer_request(&self.info, request))
    }

    /// Sends a heartbeat, and answers the request.
    pub fn register(&self) -> Done {
        self.send_heartbeat()?;
        self.answer_request(&self.recv_challenge()?)
    }
}

impl<M> Addressed for TestServer<'_, M> {
    fn address(&self) -> SocketAddr {
        self.end.address()
    }
}

/// Registers all of these, a few at a time, so that no challenge expires.
pub fn register_all<M: TestMessages>(servers: &[TestServer<'_, M>]) -> Done {
    for few in servers.chunks(AT_ONCE) {
        few.iter().try_for_each(TestServer::send_heartbeat)?;
        for server in few {
            server.answer_request(&server.recv_challenge()?)?;
        }
    }
    Ok(())
}

/// Sends a heartbeat of each of these, and answers the requests that come: of a message that the
/// target has dropped nothing follows.
pub fn register_again<M: TestMessages>(servers: &[&TestServer<'_, M>]) -> Done {
    for few in servers.chunks(AT_ONCE) {
        few.iter().try_for_each(|server| server.send_heartbeat())?;
        few.first().map_or(Ok(()), |server| server.end.ctx().sync(M::SERVICE))?;
        for server in few {
            for datagram in server.end.drain()? {
                if let Some(challenge) = M::challenge(&datagram.bytes) {
                    server.answer_request(&MasterRequest { datagram, challenge })?;
                }
            }
        }
    }
    Ok(())
}
