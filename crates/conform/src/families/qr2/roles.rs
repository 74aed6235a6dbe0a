//! Servers and clients of query and reporting 2, and the lists that clients get.

use std::net::SocketAddr;

use super::{LISTS, SERVERS};
use crate::client::ListClient;
use crate::list::ReceivedList;
use crate::server::{TestRole, TestServer};
use crate::{Done, Failure, ReceivedDatagram, TestContext, TestStream};
use codec::{Scratch, decode};
use protocols::gamespy_list::{self, BrowseRequest, ListBody, ServerForm};
use simulate::PacketRecords;
use simulate::ServerInfo;
use simulate::families::MasterMessages;
use simulate::families::qr2::messages::{self, Qr2ListRequest, RegisteringQr2, StateChange};

/// A server, and a client.
pub type Qr2Server<'s> = TestServer<'s, Qr2Role>;
pub type Qr2Client<'s> = ListClient<'s, Qr2Role>;

/// The option that asks for the keys of all servers.
pub const OF_ALL: u32 = 1;
/// What a list is expected to be.
pub const WHOLE: &str = "a list of servers to its end";

/// The servers of cases, and the lists that hold them.
pub struct Qr2Role;

/// A list that a client has received.
pub struct BrowseList {
    /// The deciphered bytes, with the index in the log of the last of them.
    pub packet: ReceivedDatagram,
    pub own_address: [u8; 4],
    /// The keys that it tells of each server.
    pub keys: Vec<Vec<u8>>,
    /// Every server, and the values of the keys, if it has some.
    pub servers: Vec<(SocketAddr, Option<Vec<Vec<u8>>>)>,
    /// Every server, and how clients reach it, in words.
    pub reached: Vec<(SocketAddr, String)>,
}

/// What an answer to a request is, by its first bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerKind {
    /// A list with a header, enciphered with the key of the asking game.
    List,
    /// The same with a reason in place of servers.
    Refusal,
    /// Other bytes.
    Other,
}

/// A client that has connected and sent a request.
pub struct BrowseClient<'s> {
    pub stream: TestStream<'s>,
    pub request: Vec<u8>,
}

impl TestRole for Qr2Role {
    const SERVICE: &'static str = SERVERS;
    const REQUEST: &'static str = "a challenge in answer to the heartbeat";
    const MASTER: &'static MasterMessages = &simulate::families::qr2::master::QR2_MASTER;
    type Server = RegisteringQr2<'static>;
    type List<'l> = Qr2ListRequest<'l>;

    /// A server of the example program that begins, with one player on sixteen places.
    fn new(_: &TestContext<'_>) -> (RegisteringQr2<'static>, ServerInfo) {
        (RegisteringQr2 { game: messages::TEST }, messages::server_info())
    }

    fn list<'l>(server: &'l Qr2Server<'_>) -> Qr2ListRequest<'l> {
        of_game(server.state.game)
    }

    fn collect(client: &Qr2Client<'_>, list: Qr2ListRequest<'_>) -> Result<ReceivedList, Failure> {
        Ok(browse(client.end.ctx(), list.game)?.received())
    }

    fn collect_any(
        client: &Qr2Client<'_>,
        list: Qr2ListRequest<'_>,
    ) -> Result<ReceivedList, Failure> {
        Self::collect(client, list)
    }
}

/// The heartbeat of a server with these settings.
pub fn heartbeat(server: &Qr2Server<'_>, state: StateChange) -> Vec<u8> {
    server.state.heartbeat_with(state, &server.info, server.address())
}

/// A server of a game.
pub fn server_of<'s>(
    ctx: &'s TestContext<'_>,
    game: &'static str,
) -> Result<Qr2Server<'s>, Failure> {
    let server = Qr2Server::new(ctx)?;
    Ok(TestServer { state: RegisteringQr2 { game }, ..server })
}

/// A request for the servers of a game that asks for the keys of all.
pub fn of_game(game: &str) -> Qr2ListRequest<'_> {
    Qr2ListRequest { game, options: OF_ALL }
}

/// A client's request for the servers of a game.
pub fn request(game: &str, filter: &str, fields: &str) -> Vec<u8> {
    request_with(
        game,
        BrowseRequest {
            filter: filter.as_bytes(),
            fields: fields.as_bytes(),
            ..BrowseRequest::default()
        },
    )
}

/// The same with other values.
pub fn request_with(game: &str, request: BrowseRequest<'_>) -> Vec<u8> {
    of_game(game).with(request)
}

/// The list of a game.
pub fn browse(ctx: &TestContext<'_>, game: &str) -> Result<BrowseList, Failure> {
    BrowseClient::new(ctx, request(game, "", r"\hostname"))?.recv_list()
}

impl<'s> BrowseClient<'s> {
    /// Connects and sends a request.
    pub fn new(ctx: &'s TestContext<'_>, request: Vec<u8>) -> Result<Self, Failure> {
        let mut stream = ctx.stream(LISTS)?;
        stream.send_bytes(&request)?;
        Ok(Self { stream, request })
    }

    /// Receives something that is not empty; its content does not matter.
    pub fn expect_answer(&mut self) -> Done {
        self.stream.expect("a list", |bytes| (!bytes.is_empty()).then_some((0, ())))
    }

    /// Receives the beginning of an answer; nothing is consumed.
    pub fn recv_beginning(&mut self) -> Result<AnswerKind, Failure> {
        let (request, own) = (&self.request, self.stream.address());
        self.stream.expect("an answer", |bytes| {
            (!bytes.is_empty()).then(|| (0, kind(request, bytes, own).unwrap_or(AnswerKind::Other)))
        })
    }

    /// Receives so many deciphered bytes, and what has come with them.
    pub fn recv_plain(&mut self, count: usize) -> Result<Vec<u8>, Failure> {
        let request = &self.request;
        self.stream.expect("the beginning of a list", |bytes| {
            let plain = messages::deciphered(request, bytes)?;
            (plain.len() >= count).then_some((bytes.len(), plain))
        })
    }

    /// Reads the first list of the connection to its end.
    pub fn recv_list(&mut self) -> Result<BrowseList, Failure> {
        let request = &self.request;
        let (plain, mut list) = self.stream.expect(WHOLE, |bytes| decipher_list(request, bytes))?;
        list.packet = self.stream.received(plain);
        Ok(list)
    }
}

/// The kind of an answer that has a header and the client's address; `None` for other bytes.
fn kind(request: &[u8], bytes: &[u8], own: SocketAddr) -> Option<AnswerKind> {
    let [a, b, c, d, port @ ..] = *messages::deciphered(request, bytes)?.first_chunk::<6>()?;
    let is_own = std::net::IpAddr::from([a, b, c, d]) == own.ip();
    is_own.then_some(if port == [0xff; 2] { AnswerKind::Refusal } else { AnswerKind::List })
}

/// What is read of a list: how many bytes are consumed, the deciphered bytes, and the list.
type ReadList = (usize, (Vec<u8>, BrowseList));

/// A whole list that is enciphered with the key of the asking game; `None` if it is none, or if its end
/// did not come yet.
fn decipher_list(request: &[u8], bytes: &[u8]) -> Option<ReadList> {
    let plain = messages::deciphered(request, bytes)?;
    let mut scratch = Scratch::default();
    let decoded = decode::<ListBody<'_>, _>(&plain, &mut scratch, &mut ());
    let body = decoded.message;
    if decoded.fault.is_some() || body.end != 0 || !body.reason.is_empty() {
        return None;
    }
    let form = ServerForm { keys: body.keys };
    let record = |record: gamespy_list::ServerRecord<'_>| {
        (record.address(body.port).into(), record.values(form, body.popular))
    };
    let list = BrowseList {
        packet: ReceivedDatagram { index: 0, from: ([0; 4], 0).into(), bytes: Vec::new() },
        own_address: body.address,
        keys: body.keys.iter().map(|(_, name)| name.to_vec()).collect(),
        servers: body.servers.records(form).map(record).collect(),
        reached: body
            .servers
            .records(form)
            .map(|record| (record.address(body.port).into(), reached(record)))
            .collect(),
    };
    Some((bytes.len(), (plain, list)))
}

/// How clients reach a server, in words.
fn reached(record: gamespy_list::ServerRecord<'_>) -> String {
    let way = if record.negotiates() { "by NAT negotiation" } else { "directly" };
    match record.private_address() {
        Some((ip, Some(port))) => format!("{way}, {ip}:{port} in its own network"),
        Some((ip, None)) => format!("{way}, {ip} in its own network"),
        None => way.to_owned(),
    }
}

impl BrowseList {
    /// The same for what all lists have in common; a mark is always the whole.
    fn received(self) -> ReceivedList {
        let servers = self.servers.into_iter().map(|(server, _)| (server, 0..0)).collect();
        let records = vec![PacketRecords { at: 0, servers, end: 0 }];
        ReceivedList { packets: vec![self.packet], records }
    }

    /// The value that the list tells of a server, for a key.
    pub fn value(&self, server: SocketAddr, key: &str) -> Option<&[u8]> {
        let at = self.keys.iter().position(|known| known == key.as_bytes())?;
        let (_, values) = self.servers.iter().find(|(listed, _)| *listed == server)?;
        values.as_ref()?.get(at).map(Vec::as_slice)
    }

    /// Whether a server is listed.
    pub fn has(&self, server: SocketAddr) -> bool {
        self.servers.iter().any(|(listed, _)| *listed == server)
    }
}
