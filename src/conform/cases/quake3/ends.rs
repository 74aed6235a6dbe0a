//! Servers and clients of the Quake III family, and the lists that clients get.

use std::net::SocketAddr;
use std::ops::Range;

use super::LISTS;
use crate::codec::{Scratch, View as _};
use crate::conform::{Done, Failure, ReceivedDatagram, TestContext, TestEndpoint};
use crate::families::quake3::messages::{self as voice, Quake3ListRequest};
use crate::protocols::quake3::{GetServersExtResponse, GetServersResponse, Quake3};
use crate::simulate::ServerInfo;

/// Quake III's protocol.
const PROTOCOL: u32 = 68;

/// A request for all Quake III servers of this case's protocol: 68, if servers have their own
/// endpoints, else a number that no other case has.
pub fn all(ctx: &TestContext<'_>) -> Quake3ListRequest<'static> {
    of_protocol(ctx, PROTOCOL)
}

/// The same for another protocol.
pub fn of_protocol(ctx: &TestContext<'_>, protocol: u32) -> Quake3ListRequest<'static> {
    Quake3ListRequest {
        game: "",
        protocol: ctx.protocol(protocol),
        words: "empty full",
        line_feed: false,
    }
}

/// A server: its values, and the tag of its heartbeats.
pub struct Quake3Server<'s> {
    pub end: TestEndpoint<'s>,
    pub tag: &'static str,
    pub persona: ServerInfo,
}

/// The master's request to a server.
pub struct Quake3Request {
    pub heard: ReceivedDatagram,
    pub challenge: Vec<u8>,
}

impl<'s> Quake3Server<'s> {
    /// A Quake III server with one player on eight places.
    pub fn quake3(ctx: &'s TestContext<'_>) -> Result<Self, Failure> {
        Self::of_protocol(ctx, PROTOCOL)
    }

    /// A Quake III server of another protocol.
    pub fn of_protocol(ctx: &'s TestContext<'_>, protocol: u32) -> Result<Self, Failure> {
        Self::of(ctx, voice::QUAKE, voice::persona(&ctx.protocol(protocol).to_string()))
    }

    /// A server of the DarkPlaces family, of a game of this name and protocol 3.
    pub fn darkplaces(ctx: &'s TestContext<'_>, game: &str) -> Result<Self, Failure> {
        Self::of(ctx, voice::DARKPLACES, voice::persona("3").with("gamename", game))
    }

    /// A server with this tag and these values.
    pub fn of(
        ctx: &'s TestContext<'_>,
        tag: &'static str,
        persona: ServerInfo,
    ) -> Result<Self, Failure> {
        Ok(Self { end: ctx.server(LISTS)?, tag, persona })
    }

    /// The same server without a value.
    #[must_use]
    pub fn without(self, key: &str) -> Self {
        Self { persona: self.persona.without(key), ..self }
    }

    /// The same server, with other values from now on.
    #[must_use]
    pub fn with(self, key: &str, value: &str) -> Self {
        Self { persona: self.persona.with(key, value), ..self }
    }

    pub fn address(&self) -> SocketAddr {
        self.end.address()
    }

    /// Sends a heartbeat.
    pub fn send_heartbeat(&self) -> Done {
        self.end.send_bytes(&voice::heartbeat(self.tag))
    }

    /// Receives the request after a heartbeat.
    pub fn recv_challenge(&self) -> Result<Quake3Request, Failure> {
        let what = "a getinfo or a getstatus in answer to the heartbeat";
        self.end.expect(what, |heard| {
            let challenge = voice::challenge(&heard.bytes)?;
            Some(Quake3Request { heard: heard.clone(), challenge })
        })
    }

    /// Answers the request.
    pub fn answer(&self, asked: &Quake3Request) -> Done {
        let answer = voice::answer(&self.persona, &asked.heard.bytes);
        self.end.send_bytes(&answer.unwrap_or_default())
    }

    /// Answers with this challenge, whatever the master's was.
    pub fn answer_with(&self, challenge: &[u8]) -> Done {
        self.end.send_bytes(&voice::info_response(&self.persona, challenge))
    }

    /// Sends a heartbeat, and answers the request.
    pub fn register(&self) -> Done {
        self.send_heartbeat()?;
        let asked = self.recv_challenge()?;
        self.answer(&asked)
    }
}

/// All servers of a game of protocol 3.
pub fn of_game(game: &str) -> Quake3ListRequest<'_> {
    Quake3ListRequest { game, protocol: 3, words: "empty full", line_feed: false }
}

/// Registers a server that a master has to refuse: none of these lists has it.
pub fn is_refused(server: &Quake3Server<'_>, lists: &[Quake3ListRequest<'_>]) -> Done {
    let client = Quake3Client::new(server.end.ctx())?;
    let asked = client.setup_asked(server, lists)?;
    server.answer(&asked)?;
    lists.iter().try_for_each(|list| client.expect_unlisted(server, *list))
}

/// A client.
pub struct Quake3Client<'s>(pub TestEndpoint<'s>);

/// A received list, in one datagram or several.
pub struct Quake3List {
    pub packets: Vec<ReceivedDatagram>,
    /// Each server, the index of its packet, and its position there.
    pub servers: Vec<(SocketAddr, usize, Range<usize>)>,
    /// The end mark of each packet; empty if it has none.
    pub ends: Vec<Vec<u8>>,
}

impl<'s> Quake3Client<'s> {
    pub fn new(ctx: &'s TestContext<'_>) -> Result<Self, Failure> {
        Ok(Self(ctx.client(LISTS)?))
    }

    /// Requests a list and collects all of it.
    pub fn asks(&self, list: Quake3ListRequest<'_>) -> Result<Quake3List, Failure> {
        self.lists(&self.request(list))
    }

    /// The same with a getserversExt.
    pub fn asks_extended(&self, list: Quake3ListRequest<'_>) -> Result<Quake3List, Failure> {
        self.lists(&list.extended())
    }

    /// The list request: a getservers, or over IPv6, for whose addresses it has no records, a
    /// getserversExt with dpmaster's name of the game.
    pub fn request(&self, list: Quake3ListRequest<'_>) -> Vec<u8> {
        if self.0.ctx().is_over_ipv4() {
            return list.plain();
        }
        let game = match (list.game, list.protocol) {
            ("", 60) => "wolfmp",
            ("", 82) => "et",
            ("", _) => "Quake3Arena",
            (game, _) => game,
        };
        Quake3ListRequest { game, ..list }.extended()
    }

    /// A server registers and is listed: the setup of a case.
    pub fn setup_listed(
        &self,
        server: &Quake3Server<'_>,
        list: Quake3ListRequest<'_>,
    ) -> Result<Quake3List, Failure> {
        self.0.ctx().setup(|| {
            server.register()?;
            self.wait_listed(server, list)
        })
    }

    /// A server sends a heartbeat and gets a getinfo; before it answers, none of these lists has
    /// it: the setup of a case about its answer.
    pub fn setup_asked(
        &self,
        server: &Quake3Server<'_>,
        lists: &[Quake3ListRequest<'_>],
    ) -> Result<Quake3Request, Failure> {
        self.0.ctx().setup(|| {
            server.send_heartbeat()?;
            let asked = server.recv_challenge()?;
            lists.iter().try_for_each(|list| self.expect_unlisted(server, *list))?;
            Ok(asked)
        })
    }

    /// The list does not have this server. A target may not respond if it lists no server.
    pub fn expect_unlisted(&self, server: &Quake3Server<'_>, list: Quake3ListRequest<'_>) -> Done {
        Quake3List::read(self.0.request_all(&self.request(list))?)?.expect_unlisted(server)
    }

    /// Sends these bytes and collects the whole list.
    pub fn lists(&self, request: &[u8]) -> Result<Quake3List, Failure> {
        let packets = self.0.request("a list of servers", request)?;
        let master = self.0.master();
        if let Some(stray) = packets.iter().find(|packet| packet.from != master) {
            let came = format!("one from {}", stray.from);
            return Err(Failure::new(format!("answers from {master}"), came).at(stray));
        }
        Quake3List::read(packets)
    }

    /// Repeats the request until this server is listed.
    pub fn wait_listed(
        &self,
        server: &Quake3Server<'_>,
        list: Quake3ListRequest<'_>,
    ) -> Result<Quake3List, Failure> {
        self.0.ctx().until(|| {
            let listed = self.asks(list)?;
            listed.expect_listed(server)?;
            Ok(listed)
        })
    }

    /// Repeats the request until this server is not listed any more.
    pub fn wait_unlisted(&self, server: &Quake3Server<'_>, list: Quake3ListRequest<'_>) -> Done {
        self.0.ctx().until(|| self.expect_unlisted(server, list))
    }
}

impl Quake3List {
    /// Parses the packets of a list; any other packet is a failure.
    pub fn read(packets: Vec<ReceivedDatagram>) -> Result<Self, Failure> {
        let (mut servers, mut ends) = (Vec::new(), Vec::new());
        for (number, packet) in packets.iter().enumerate() {
            let mut scratch = Scratch::default();
            let found = voice::read(&packet.bytes, &mut scratch, |message| {
                Some(match message {
                    Quake3::GetServersResponse(list) => {
                        let form = GetServersResponse::FORM;
                        let all = list.servers.iter(form).collect::<Vec<_>>();
                        (all, list.servers.raw().len(), list.end)
                    }
                    Quake3::GetServersExtResponse(list) => {
                        let form = GetServersExtResponse::FORM;
                        let all = list.servers.iter(form).collect::<Vec<_>>();
                        (all, list.servers.raw().len(), list.end)
                    }
                    _ => return None,
                })
            });
            let Some((all, length, _)) = found.flatten() else {
                let what = "a list of servers, and nothing else";
                return Err(Failure::new(what, packet.named()).at(packet));
            };
            let end = end_of(&packet.bytes);
            let mut at = packet.bytes.len() - end.len() - length;
            for server in all {
                let record = if server.is_ipv4() { 7 } else { 19 };
                servers.push((server, number, at..at + record));
                at += record;
            }
            ends.push(end.to_vec());
        }
        Ok(Self { packets, servers, ends })
    }

    /// Any server is listed.
    pub fn expect_any(&self) -> Done {
        if self.servers.is_empty() {
            return Err(Failure::new("a list with a server", "a list without any"));
        }
        Ok(())
    }

    /// Only whole records are between the command and the end of a packet.
    pub fn whole_records(&self) -> Done {
        for (number, packet) in self.packets.iter().enumerate() {
            let of_packet = self.servers.iter().filter(|(_, packet, _)| *packet == number);
            let records: usize = of_packet.map(|(.., bytes)| bytes.len()).sum();
            let end = self.ends.get(number).map_or(&b""[..], Vec::as_slice);
            let head = b"\xff\xff\xff\xff".len() + command(&packet.bytes).len();
            let over = packet.bytes.len().saturating_sub(head + records + end.len());
            let is_mark = end.is_empty() || end.starts_with(b"\\");
            if over > 0 || !is_mark {
                let came = format!("{} bytes that belong to no record", over + end.len());
                return Err(Failure::new("whole records to the end mark", came).at(packet));
            }
        }
        Ok(())
    }

    /// How often a server is listed.
    pub fn count(&self, server: SocketAddr) -> usize {
        self.servers.iter().filter(|(listed, ..)| *listed == server).count()
    }

    /// The server is listed.
    pub fn expect_listed(&self, server: &Quake3Server<'_>) -> Done {
        if self.count(server.address()) > 0 {
            return Ok(());
        }
        let count = self.servers.len();
        let what = format!("a list that holds {}", server.address());
        let mut swapped = server.address();
        swapped.set_port(swapped.port().swap_bytes());
        let came = match self.count(swapped) {
            0 => format!("one of {count} servers without it"),
            _ => "one that holds it with the two bytes of its port swapped".to_owned(),
        };
        let failure = Failure::new(what, came);
        Err(match self.packets.first() {
            Some(packet) => failure.at(packet),
            None => failure,
        })
    }

    /// The server is not listed.
    pub fn expect_unlisted(&self, server: &Quake3Server<'_>) -> Done {
        let found = self.servers.iter().find(|(listed, ..)| *listed == server.address());
        let Some((_, packet, bytes)) = found else {
            return Ok(());
        };
        let what = format!("a list without {}", server.address());
        let failure = Failure::new(what, "one that holds it");
        Err(match self.packets.get(*packet) {
            Some(heard) => failure.within(heard, bytes.clone()),
            None => failure,
        })
    }
}

/// The end mark of a list's packet.
fn end_of(bytes: &[u8]) -> &[u8] {
    let mut scratch = Scratch::default();
    let length = voice::read(bytes, &mut scratch, |message| match message {
        Quake3::GetServersResponse(list) => list.servers.raw().len() + b"getserversResponse".len(),
        Quake3::GetServersExtResponse(list) => {
            list.servers.raw().len() + b"getserversExtResponse".len()
        }
        _ => bytes.len(),
    });
    bytes.get(length.unwrap_or(bytes.len()) + b"\xff\xff\xff\xff".len()..).unwrap_or_default()
}

/// The command of a list.
fn command(packet: &[u8]) -> &'static [u8] {
    let extended: &[u8] = b"getserversExtResponse";
    let begins = packet.get(4..).is_some_and(|bytes| bytes.starts_with(extended));
    if begins { extended } else { b"getserversResponse" }
}
