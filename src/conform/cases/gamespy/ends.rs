//! Servers and clients of GameSpy's, and the lists that clients get.

use std::net::SocketAddr;

use super::{LISTS, SERVERS};
use crate::conform::{Datagram, Done, Endpoint, Failure, Stream, TestContext};
use crate::peer::voice::Persona;
use crate::peer::voice::gamespy::{self as voice, Asked};
use crate::proto::Carrier;
use crate::proto::gamespy::GameSpy;
use crate::wire::{IP_PAIRS, PLAIN_FINAL};

/// Letters of a challenge, at least; the document's has so many.
const LETTERS: usize = 6;
/// Ends what is said over TCP.
pub const FINAL: &[u8] = b"\\final\\";
/// What a server says that its state is another than before: 003 Heartbeat.
pub const CHANGED: &str = r"\statechanged\";

/// A server: its game, the end where it is asked, what it says of itself.
pub struct Server<'s> {
    pub end: Endpoint<'s>,
    pub game: String,
    pub persona: Persona,
}

/// What a server was asked.
pub struct Question {
    pub heard: Datagram,
    pub asked: Asked,
}

/// A client that has a connection, and has heard the master's challenge.
pub struct Client<'s> {
    pub stream: Stream<'s>,
    pub challenge: Vec<u8>,
}

/// A list that came.
#[derive(Debug)]
pub struct Listed {
    pub servers: Vec<SocketAddr>,
}

impl<'s> Server<'s> {
    /// A server of Unreal Tournament with one player on eight places.
    pub fn new(ctx: &'s TestContext<'_>) -> Result<Self, Failure> {
        Self::of(ctx, voice::UNREAL)
    }

    /// A server of a game.
    pub fn of(ctx: &'s TestContext<'_>, game: &str) -> Result<Self, Failure> {
        let end = ctx.server(SERVERS)?;
        Ok(Self { end, game: game.to_owned(), persona: voice::persona(game) })
    }

    /// The same server, which says something else of itself from now on.
    #[must_use]
    pub fn with(self, key: &str, value: &str) -> Self {
        Self { persona: self.persona.with(key, value), ..self }
    }

    pub fn address(&self) -> SocketAddr {
        self.end.address()
    }

    /// The heartbeat of this server, with `more` behind its game's name.
    pub fn heartbeat(&self, more: &str) -> Vec<u8> {
        voice::heartbeat(self.address().port(), &self.game, more)
    }

    /// Sends a heartbeat.
    pub fn send_heartbeat(&self) -> Done {
        self.end.send_bytes(&self.heartbeat(""))
    }

    /// Says that its state has changed.
    pub fn has_changed(&self) -> Done {
        self.end.send_bytes(&self.heartbeat(CHANGED))
    }

    /// Takes the query that a heartbeat is answered with.
    pub fn recv_challenge(&self) -> Result<Question, Failure> {
        self.end.expect("a basic query in answer to the heartbeat", |heard| {
            let asked = voice::asked(&heard.bytes)?;
            let basic = asked.queries.iter().any(|query| query == "basic");
            basic.then(|| Question { heard: heard.clone(), asked })
        })
    }

    /// Answers a query.
    pub fn answer(&self, question: &Question) -> Done {
        let answer = voice::answer(&self.persona, &question.heard.bytes);
        self.end.send_bytes(&answer.unwrap_or_default())
    }

    /// Answers a query with these pairs in place of the proof.
    pub fn answer_with(&self, question: &Question, proof: &[u8]) -> Done {
        let said = voice::said(&self.persona, &question.asked);
        self.end.send_bytes(&voice::reply(&[&said, proof].concat()))
    }

    /// Sends a heartbeat, and answers what it is asked.
    pub fn register(&self) -> Done {
        self.send_heartbeat()?;
        let question = self.recv_challenge()?;
        self.answer(&question)
    }

    /// Registers, and is listed.
    pub fn is_listed(&self) -> Done {
        self.register()?;
        self.is_found()
    }

    /// Some client finds it, if not at once.
    pub fn is_found(&self) -> Done {
        let ctx = self.end.ctx();
        ctx.until(|| list(ctx, &self.game)?.expect_listed(self))
    }

    /// It is listed no more, if not at once.
    pub fn is_missed(&self) -> Done {
        let ctx = self.end.ctx();
        ctx.until(|| list(ctx, &self.game)?.expect_unlisted(self))
    }

    /// It is not listed, though the master has heard everything: it has answered one more
    /// heartbeat, or had time enough to.
    pub fn is_not_listed(&self) -> Done {
        self.end.drain()?;
        self.send_heartbeat()?;
        _ = self.recv_challenge();
        list(self.end.ctx(), &self.game)?.expect_unlisted(self)
    }
}

impl<'s> Client<'s> {
    /// Connects, and hears the challenge.
    pub fn new(ctx: &'s TestContext<'_>) -> Result<Self, Failure> {
        let mut stream = ctx.stream(LISTS)?;
        let what = "the master to speak first, \\basic\\\\secure\\ and a challenge";
        let challenge = stream.expect(what, |bytes| {
            let challenge = challenge(bytes)?;
            Some((bytes.len(), challenge))
        })?;
        Ok(Self { stream, challenge })
    }

    /// The bytes that prove that it holds the key of Unreal Tournament.
    pub fn proof(&self) -> Vec<u8> {
        voice::validate(voice::UNREAL, &self.challenge)
    }

    /// Proves itself and asks for a game's servers.
    pub fn asks(&mut self, form: &str, game: &str) -> Done {
        self.stream.send_bytes(&self.proof())?;
        self.stream.send_bytes(&voice::list_request(form, game))
    }

    /// Takes a list to its end.
    pub fn takes(&mut self) -> Result<Listed, Failure> {
        let what = "a list of servers that ends in \\final\\";
        let bytes = self.stream.expect(what, |bytes| {
            let at = memchr::memmem::find(bytes, FINAL)?;
            let end = at + FINAL.len();
            Some((end, bytes.get(..end)?.to_vec()))
        })?;
        Listed::read(&bytes)
    }

    /// Takes a list that is written in six bytes a server.
    pub fn takes_compressed(&mut self) -> Result<Listed, Failure> {
        let what = "a list in six bytes a server that ends in \\final\\";
        let bytes = self.stream.expect(what, |bytes| {
            let mut ends = memchr::memmem::find_iter(bytes, FINAL);
            let end = ends.find(|at| at % 6 == 0)? + FINAL.len();
            Some((end, bytes.get(..end)?.to_vec()))
        })?;
        Listed::read_compressed(&bytes)
    }
}

/// The challenge behind `\secure\`, once it is whole.
pub fn challenge(bytes: &[u8]) -> Option<Vec<u8>> {
    let found = voice::read(bytes, Carrier::Stream, |message| match message {
        GameSpy::SecureChallenge(opened) => opened.pairs.get(b"secure").map(<[u8]>::to_vec),
        _ => None,
    });
    found.flatten().filter(|challenge| challenge.len() >= LETTERS)
}

/// The list of a game as a client gets it that proves itself as Unreal Tournament's does.
pub fn list(ctx: &TestContext<'_>, game: &str) -> Result<Listed, Failure> {
    let mut client = Client::new(ctx)?;
    client.asks("", game)?;
    client.takes()
}

impl Listed {
    /// Reads a list of `\ip\address:port` pairs.
    fn read(bytes: &[u8]) -> Result<Self, Failure> {
        let found = voice::read(bytes, Carrier::Stream, |message| match message {
            GameSpy::ServerList(list) => {
                let others = list.pairs.pairs().any(|(key, _)| key != b"final" && !key.is_empty());
                (!others).then(|| list.servers.iter(IP_PAIRS).map(SocketAddr::V4).collect())
            }
            _ => None,
        });
        let servers = found.flatten().ok_or_else(|| {
            let head = bytes.get(..bytes.len().min(64)).unwrap_or_default();
            Failure::new(r"\ip\ADDRESS:PORT for each server and \final\", crate::dump::shown(head))
        })?;
        Ok(Self { servers })
    }

    /// Reads a list of records of six bytes.
    fn read_compressed(bytes: &[u8]) -> Result<Self, Failure> {
        if bytes == FINAL {
            return Ok(Self { servers: Vec::new() });
        }
        let found = voice::read(bytes, Carrier::Stream, |message| match message {
            GameSpy::CompressedList(list) => Some(list.servers.iter(PLAIN_FINAL).collect()),
            _ => None,
        });
        let servers = found.flatten().ok_or_else(|| {
            let head = bytes.get(..bytes.len().min(64)).unwrap_or_default();
            Failure::new(r"six bytes for each server and \final\", crate::dump::shown(head))
        })?;
        Ok(Self { servers })
    }

    /// How often a server stands there.
    pub fn count(&self, server: SocketAddr) -> usize {
        self.servers.iter().filter(|listed| **listed == server).count()
    }

    /// The server is listed.
    pub fn expect_listed(&self, server: &Server<'_>) -> Done {
        if self.count(server.address()) > 0 {
            return Ok(());
        }
        let what = format!("a list that holds {}", server.address());
        let mut swapped = server.address();
        swapped.set_port(swapped.port().swap_bytes());
        Err(Failure::new(
            what,
            match self.count(swapped) {
                0 => format!("one of {} servers without it", self.servers.len()),
                _ => "one with its port backwards".to_owned(),
            },
        ))
    }

    /// The server is not listed.
    pub fn expect_unlisted(&self, server: &Server<'_>) -> Done {
        if self.count(server.address()) == 0 {
            return Ok(());
        }
        let what = format!("a list without {}", server.address());
        Err(Failure::new(what, "one that holds it"))
    }
}
