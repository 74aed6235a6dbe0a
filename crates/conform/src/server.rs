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
use simulate::families::{ClientListRequest, ListMessages, MasterMessages, RegisteringServer};

/// Servers that register in parallel.
const AT_ONCE: usize = 32;

/// What the cases of one kind of master vary: which server registers, and which list holds it. What
/// servers and clients say is in its [`MasterMessages`], its [`RegisteringServer`] and its [`ClientListRequest`].
pub trait TestRole: Sized + 'static {
    /// The service that lists servers.
    const SERVICE: &'static str;
    /// The request that answers a heartbeat: `a getInfo in answer to the heartbeat`.
    const REQUEST: &'static str;
    /// Whether servers answer a request of the master that comes from another port than the one
    /// that they sent their heartbeat to, as game servers do.
    const ANSWERS_ANY_PORT: bool = false;
    /// What servers and clients say to this kind of master.
    const MASTER: &'static MasterMessages;
    /// A server that registers with it.
    type Server: RegisteringServer;
    /// A client's list request.
    type List<'l>: ClientListRequest;

    /// A new server of the case, and its settings.
    fn new(ctx: &TestContext<'_>) -> (Self::Server, ServerInfo);

    /// The request for a list that holds this server.
    fn list<'l>(server: &'l TestServer<'_, Self>) -> Self::List<'l>;

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
        client.request_bytes(&client.encode(list))
    }

    /// The same for a list that may be empty, which the target may not answer; the setup of a case.
    fn collect_any(
        client: &ListClient<'_, Self>,
        list: Self::List<'_>,
    ) -> Result<ReceivedList, Failure> {
        client.list(list)
    }
}

/// What a server has to return.
pub type ChallengeOf<R> = <<R as TestRole>::Server as RegisteringServer>::Challenge;

/// A server, its settings, and what it has besides them.
pub struct TestServer<'s, R: TestRole> {
    pub end: TestEndpoint<'s>,
    pub info: ServerInfo,
    pub state: R::Server,
}

/// The master's request to a server.
pub struct MasterRequest<R: TestRole> {
    pub datagram: ReceivedDatagram,
    pub challenge: ChallengeOf<R>,
}

impl<'s, R: TestRole> TestServer<'s, R> {
    /// A new server.
    pub fn new(ctx: &'s TestContext<'_>) -> Result<Self, Failure> {
        Ok(Self::at(ctx.server(R::SERVICE)?))
    }

    /// The same with an existing endpoint.
    pub fn at(end: TestEndpoint<'s>) -> Self {
        let (state, info) = R::new(end.ctx());
        Self { end, info, state }
    }

    /// A listed server, and a client that has seen it.
    pub fn listed(ctx: &'s TestContext<'_>) -> Result<(Self, ListClient<'s, R>), Failure> {
        Self::new(ctx)?.with_client(ctx)
    }

    /// The same server, listed, and a client that has seen it.
    pub fn with_client(
        self,
        ctx: &'s TestContext<'_>,
    ) -> Result<(Self, ListClient<'s, R>), Failure> {
        ctx.setup(|| {
            let client = ListClient::new(ctx)?;
            self.register()?;
            client.wait_listed(&self, self.list())?;
            Ok((self, client))
        })
    }

    /// The same server, with other settings from now on.
    #[must_use]
    pub fn with(self, key: &str, value: &str) -> Self {
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
    pub fn list(&self) -> R::List<'_> {
        R::list(self)
    }

    /// Sends a heartbeat.
    pub fn send_heartbeat(&self) -> Done {
        // Requests after an earlier one are not those of this one.
        self.end.drain()?;
        self.end.send_bytes(&self.state.heartbeat(&self.info, self.address()))
    }

    /// Receives the request after a heartbeat.
    pub fn recv_challenge(&self) -> Result<MasterRequest<R>, Failure> {
        let mut sent = Ok(());
        let request = self.end.expect_from(R::REQUEST, R::ANSWERS_ANY_PORT, |datagram| {
            if let Some(answer) = self.state.answer_before(&self.info, &datagram.bytes) {
                sent = self.end.send_bytes(&answer);
            }
            let challenge = R::Server::challenge(&datagram.bytes)?;
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
    pub fn challenged(&self) -> Result<MasterRequest<R>, Failure> {
        self.end.ctx().setup(|| {
            self.send_heartbeat()?;
            self.recv_challenge()
        })
    }

    /// Answers with this challenge, whatever the master's was.
    pub fn answer(&self, challenge: &ChallengeOf<R>) -> Done {
        self.end.send_bytes(&self.state.answer(&self.info, challenge))
    }

    /// Answers the master's request.
    pub fn answer_request(&self, request: &MasterRequest<R>) -> Done {
        let answer = self.state.answer_request(&self.info, &request.datagram.bytes);
        answer.map_or(Ok(()), |answer| self.end.reply(&request.datagram, &answer))
    }

    /// Sends a heartbeat, and answers the request.
    pub fn register(&self) -> Done {
        self.send_heartbeat()?;
        self.answer_request(&self.recv_challenge()?)
    }
}

impl<R: TestRole> Addressed for TestServer<'_, R> {
    fn address(&self) -> SocketAddr {
        self.end.address()
    }
}

/// Registers all of these, a few at a time, so that no challenge expires.
pub fn register_all<R: TestRole>(servers: &[TestServer<'_, R>]) -> Done {
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
pub fn register_again<R: TestRole>(servers: &[&TestServer<'_, R>]) -> Done {
    for few in servers.chunks(AT_ONCE) {
        few.iter().try_for_each(|server| server.send_heartbeat())?;
        few.first().map_or(Ok(()), |server| server.end.ctx().sync(R::SERVICE))?;
        for server in few {
            for datagram in server.end.drain()? {
                if let Some(challenge) = R::Server::challenge(&datagram.bytes) {
                    server.answer_request(&MasterRequest { datagram, challenge })?;
                }
            }
        }
    }
    Ok(())
}
