//! Servers and clients of GameSpy's, and the lists that clients get.

use std::net::SocketAddr;

use super::{LISTS, SERVERS};
use crate::list::Addressed;
use crate::shared::boundaries::BoundaryServer;
use crate::{Done, Failure, ReceivedDatagram, TestContext, TestEndpoint, TestStream};
use codec::IP_PAIRS;
use protocol::Carrier;
use protocols::gamespy::GameSpy;
use simulate::ServerInfo;
use simulate::families::gamespy::messages::{self, CHANGED, FINAL, MasterQuery, secure_challenge};

/// Bytes of a record: an address and a port in network order.
const RECORD: usize = 6;
/// A server's shutdown message, as the later developer kits have it (observed).
pub const LEAVING: &str = r"\statechanged\2";

/// A server: its game, its query endpoint, its values.
pub struct GamespyServer<'s> {
    pub end: TestEndpoint<'s>,
    pub game: String,
    pub server_info: ServerInfo,
}

/// The master's query to a server.
pub struct GamespyQuery {
    pub datagram: ReceivedDatagram,
    pub request: MasterQuery,
}

/// A connected client that has received the master's challenge.
pub struct GamespyClient<'s> {
    pub stream: TestStream<'s>,
    /// The master's first message.
    pub greeting: Vec<u8>,
    pub challenge: Vec<u8>,
}

/// A received list.
#[derive(Debug)]
pub struct GamespyList {
    pub servers: Vec<SocketAddr>,
}

impl<'s> GamespyServer<'s> {
    /// A server of Unreal Tournament with one player on eight places.
    pub fn new(ctx: &'s TestContext<'_>) -> Result<Self, Failure> {
        Self::of_game(ctx, messages::UNREAL)
    }

    /// A server of a game.
    pub fn of_game(ctx: &'s TestContext<'_>, game: &str) -> Result<Self, Failure> {
        let end = ctx.server(SERVERS)?;
        Ok(Self { end, game: game.to_owned(), server_info: messages::server_info(game) })
    }

    /// A listed server of Unreal Tournament, for the setup of a case.
    pub fn listed(ctx: &'s TestContext<'_>) -> Result<Self, Failure> {
        ctx.setup(|| {
            let server = Self::new(ctx)?;
            server.register_listed()?;
            Ok(server)
        })
    }

    /// A server of a game with an unanswered query, for the setup of a case.
    pub fn with_query(
        ctx: &'s TestContext<'_>,
        game: &str,
    ) -> Result<(Self, GamespyQuery), Failure> {
        ctx.setup(|| {
            let server = Self::of_game(ctx, game)?;
            let query = server.queried()?;
            Ok((server, query))
        })
    }

    pub fn address(&self) -> SocketAddr {
        self.end.address()
    }

    /// The heartbeat of this server, with `more` after its game's name.
    pub fn heartbeat(&self, more: &str) -> Vec<u8> {
        messages::heartbeat(self.address().port(), &self.game, more)
    }

    /// Sends a heartbeat.
    pub fn send_heartbeat(&self) -> Done {
        self.end.send_bytes(&self.heartbeat(""))
    }

    /// Sends that its state has changed.
    pub fn send_state_changed(&self) -> Done {
        self.end.send_bytes(&self.heartbeat(CHANGED))
    }

    /// Receives the query after a heartbeat, whatever it asks for.
    pub fn recv_query(&self) -> Result<GamespyQuery, Failure> {
        self.end.expect("a query in answer to the heartbeat", question)
    }

    /// Receives the query after a heartbeat, at this server's port or at another endpoint, and
    /// answers it from there.
    pub fn answer_at(&self, other: &TestEndpoint<'_>) -> Done {
        let ends = [&self.end, other];
        let (end, query) = self.end.ctx().until(|| {
            for end in ends {
                if let Some(query) = end.drain()?.iter().find_map(question) {
                    return Ok((end, query));
                }
            }
            let what = "a query at the port that the heartbeat names, or that it came from";
            Err(Failure::new(what, "none"))
        })?;
        let answer = messages::answer(&self.server_info, &query.datagram.bytes);
        answer.map_or(Ok(()), |answer| end.send_bytes(&answer))
    }

    /// Sends a heartbeat, and receives the query.
    pub fn queried(&self) -> Result<GamespyQuery, Failure> {
        self.send_heartbeat()?;
        self.recv_query()
    }

    /// Answers a query.
    pub fn answer(&self, query: &GamespyQuery) -> Done {
        self.answer_bytes(&query.datagram.bytes)
    }

    /// Answers these bytes, if they are a query.
    pub fn answer_bytes(&self, bytes: &[u8]) -> Done {
        let answer = messages::answer(&self.server_info, bytes);
        answer.map_or(Ok(()), |answer| self.end.send_bytes(&answer))
    }

    /// Its address with the bytes of its port swapped.
    pub fn swapped(&self) -> SocketAddr {
        let address = self.address();
        SocketAddr::new(address.ip(), address.port().swap_bytes())
    }

    /// Answers a query with these pairs instead of the proof.
    pub fn answer_with(&self, query: &GamespyQuery, proof: &[u8]) -> Done {
        let reply = messages::answer_to(&self.server_info, &query.request);
        self.end.send_bytes(&messages::reply(&[&reply, proof].concat()))
    }

    /// Sends a heartbeat, and answers the query.
    pub fn register(&self) -> Done {
        let query = self.queried()?;
        self.answer(&query)
    }

    /// Registers, and is listed.
    pub fn register_listed(&self) -> Done {
        self.register()?;
        self.wait_listed()
    }

    /// Sends that its state has changed, and that it is exiting; it is not listed any more.
    pub fn shut_down(&self) -> Done {
        self.send_state_changed()?;
        let query = self.recv_query()?;
        let exiting = self.server_info.clone().with("gamemode", "exiting");
        let answer = messages::answer(&exiting, &query.datagram.bytes);
        answer.map_or(Ok(()), |answer| self.end.send_bytes(&answer))?;
        self.wait_unlisted()
    }

    /// A client finds it in a list within the timeout.
    pub fn wait_listed(&self) -> Done {
        let ctx = self.end.ctx();
        ctx.until(|| list(ctx, &self.game)?.expect_listed(self))
    }

    /// It is not listed any more within the timeout.
    pub fn wait_unlisted(&self) -> Done {
        let ctx = self.end.ctx();
        ctx.until(|| list(ctx, &self.game)?.expect_unlisted(self))
    }

    /// It is not listed, though the master has read everything.
    pub fn expect_unlisted_server(&self) -> Done {
        self.end.ctx().sync(SERVERS)?;
        list(self.end.ctx(), &self.game)?.expect_unlisted(self)
    }
}

impl Addressed for GamespyServer<'_> {
    fn address(&self) -> SocketAddr {
        self.end.address()
    }
}

impl<'s> BoundaryServer<'s> for GamespyServer<'s> {
    const SERVICE: &'static str = SERVERS;

    /// A server of Unreal Tournament.
    fn at(end: TestEndpoint<'s>) -> Self {
        let game = messages::UNREAL;
        Self { end, game: game.to_owned(), server_info: messages::server_info(game) }
    }

    fn end(&self) -> &TestEndpoint<'s> {
        &self.end
    }

    fn register(&self) -> Done {
        self.register()
    }

    fn wait_listed_once(&self) -> Done {
        let ctx = self.end.ctx();
        let listed = ctx.until(|| {
            let listed = list(ctx, &self.game)?;
            listed.expect_listed(self)?;
            Ok(listed)
        })?;
        match listed.count(self.address()) {
            1 => Ok(()),
            count => {
                let what = format!("{} once in a list", self.address());
                Err(Failure::new(what, format!("{count} times")))
            }
        }
    }
}

/// A server registers, if it can, so that a list is not empty.
pub fn register_any(ctx: &TestContext<'_>) -> Done {
    let server = GamespyServer::new(ctx)?;
    // Other cases test whether servers can register.
    if server.send_heartbeat().is_err() {
        return Ok(());
    }
    match server.end.recv(ctx.timeout() / 4) {
        Ok(Some(datagram)) => server.answer_bytes(&datagram.bytes),
        _ => Ok(()),
    }
}

/// The query in a datagram.
fn question(datagram: &ReceivedDatagram) -> Option<GamespyQuery> {
    let request = messages::request(&datagram.bytes)?;
    Some(GamespyQuery { datagram: datagram.clone(), request })
}

impl<'s> GamespyClient<'s> {
    /// Connects, and receives the challenge.
    pub fn new(ctx: &'s TestContext<'_>) -> Result<Self, Failure> {
        let mut stream = ctx.stream(LISTS)?;
        let what = "the master to speak first, with \\secure\\ and a challenge";
        let (greeting, challenge) = stream.expect(what, |bytes| {
            let challenge = secure_challenge(bytes)?;
            Some((bytes.len(), (bytes.to_vec(), challenge)))
        })?;
        Ok(Self { stream, greeting, challenge })
    }

    /// The proof that it has the key of Unreal Tournament.
    pub fn proof(&self) -> Vec<u8> {
        messages::validate(messages::UNREAL, &self.challenge)
    }

    /// Sends the proof and requests a game's servers.
    pub fn request_list(&mut self, form: &str, game: &str) -> Done {
        self.stream.send_bytes(&self.proof())?;
        self.stream.send_bytes(&messages::list_request(form, game))
    }

    /// Receives something that is not empty; its content does not matter.
    pub fn expect_answer(&mut self) -> Done {
        self.stream.expect("a list", |bytes| (!bytes.is_empty()).then_some((0, ())))
    }

    /// Reads a list to its end.
    pub fn recv_list(&mut self) -> Result<GamespyList, Failure> {
        let what = "a list of servers that ends in \\final\\";
        let bytes = self.stream.expect(what, |bytes| {
            let at = memchr::memmem::find(bytes, FINAL)?;
            let end = at + FINAL.len();
            Some((end, bytes.get(..end)?.to_vec()))
        })?;
        GamespyList::parse(&bytes)
    }

    /// Reads a list with six bytes per server.
    pub fn recv_compressed_list(&mut self) -> Result<GamespyList, Failure> {
        let what = "a list in six bytes a server that ends in \\final\\";
        // Nothing follows a list, and its end mark may also occur within a record.
        let bytes = self
            .stream
            .expect(what, |bytes| bytes.ends_with(FINAL).then(|| (bytes.len(), bytes.to_vec())))?;
        GamespyList::read_compressed(&bytes)
    }
}

/// The list of a game for a client that proves itself as Unreal Tournament's does.
pub fn list(ctx: &TestContext<'_>, game: &str) -> Result<GamespyList, Failure> {
    let mut client = GamespyClient::new(ctx)?;
    client.request_list("", game)?;
    client.recv_list()
}

impl GamespyList {
    /// Parses a list of `\ip\address:port` pairs.
    fn parse(bytes: &[u8]) -> Result<Self, Failure> {
        let found = messages::with_message(bytes, Carrier::Stream, |message| match message {
            GameSpy::ServerList(list) => {
                let others = list.pairs.pairs().any(|(key, _)| key != b"final" && !key.is_empty());
                (!others).then(|| list.servers.iter(IP_PAIRS).map(SocketAddr::V4).collect())
            }
            _ => None,
        });
        let servers = found.flatten().ok_or_else(|| {
            let head = bytes.get(..bytes.len().min(64)).unwrap_or_default();
            Failure::new(
                r"\ip\ADDRESS:PORT for each server and \final\",
                render::quoted(head, usize::MAX),
            )
        })?;
        Ok(Self { servers })
    }

    /// Parses a list of records of six bytes.
    fn read_compressed(bytes: &[u8]) -> Result<Self, Failure> {
        let records = bytes.strip_suffix(FINAL).unwrap_or(bytes);
        if records.starts_with(b"\\ip\\") {
            return Err(Failure::new("six bytes for each server", r"text, \ip\ADDRESS:PORT"));
        }
        if !records.len().is_multiple_of(RECORD) {
            let came = format!("{} bytes in front of \\final\\", records.len());
            return Err(Failure::new("whole records of six bytes", came));
        }
        let records = records.chunks_exact(RECORD).filter_map(<[u8]>::first_chunk);
        let server = |&[a, b, c, d, high, low]: &[u8; RECORD]| {
            SocketAddr::from(([a, b, c, d], u16::from_be_bytes([high, low])))
        };
        Ok(Self { servers: records.map(server).collect() })
    }

    /// How often a server is listed.
    pub fn count(&self, server: SocketAddr) -> usize {
        self.servers.iter().filter(|listed| **listed == server).count()
    }

    /// The server is listed.
    pub fn expect_listed(&self, server: &GamespyServer<'_>) -> Done {
        if self.count(server.address()) > 0 {
            return Ok(());
        }
        let what = format!("a list that holds {}", server.address());
        Err(Failure::new(
            what,
            match self.count(server.swapped()) {
                0 => format!("one of {} servers without it", self.servers.len()),
                _ => "one with its port backwards".to_owned(),
            },
        ))
    }

    /// The server is not listed.
    pub fn expect_unlisted(&self, server: &GamespyServer<'_>) -> Done {
        if self.count(server.address()) == 0 {
            return Ok(());
        }
        let what = format!("a list without {}", server.address());
        Err(Failure::new(what, "one that holds it"))
    }
}
