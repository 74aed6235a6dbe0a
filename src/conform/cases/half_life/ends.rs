//! Servers and clients of Half-Life, and the lists that clients get.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::ops::Range;

use super::LISTS;
use crate::conform::{Done, Failure, ReceivedDatagram, TestContext, TestEndpoint};
use crate::families::half_life::messages as voice;
use crate::protocols::half_life::{HalfLife, ListHead, Servers};
use crate::simulate::ServerInfo;

/// The maximum requested packets of one list.
const PACKETS: usize = 64;
/// Bytes of the mark, the letter and the line feed.
const HEAD: usize = b"\xff\xff\xff\xfff\n".len();

/// The protocol of servers since Steam; some masters do not list older ones.
const PROTOCOL: &str = "47";

/// Servers that register in parallel.
const AT_ONCE: usize = 32;

/// A server, and its values.
pub struct HalfLifeServer<'s> {
    pub end: TestEndpoint<'s>,
    pub persona: ServerInfo,
    /// The client's filter for its modification.
    filter: String,
}

/// The master's challenge to a server: the datagram, and the number.
pub struct HalfLifeChallenge {
    pub heard: ReceivedDatagram,
    pub challenge: u32,
}

/// The form of a list request.
#[derive(Debug, Clone, Copy)]
pub enum By<'a> {
    /// With `e` and a cursor.
    Cursor,
    /// With `1`, the last server that it knows and a filter.
    Filter(&'a str),
}

/// The cursor of the first request.
pub const NOBODY: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::UNSPECIFIED), 0);

/// A client.
pub struct HalfLifeClient<'s>(pub TestEndpoint<'s>);

/// A received list, packet by packet.
pub struct HalfLifeList {
    pub packets: Vec<ReceivedDatagram>,
    /// Each server, the index of its packet, and its position there.
    pub servers: Vec<(SocketAddr, usize, Range<usize>)>,
    /// Whether its last record was all zeros.
    pub complete: bool,
}

impl<'s> HalfLifeServer<'s> {
    /// A server with one player on six places, of a modification of its own.
    pub fn new(ctx: &'s TestContext<'_>) -> Result<Self, Failure> {
        Ok(Self::of(ctx.server(LISTS)?, &ctx.game()))
    }

    /// A server of this modification with an existing endpoint.
    pub fn of(end: TestEndpoint<'s>, game: &str) -> Self {
        let persona = voice::persona().with("protocol", PROTOCOL);
        Self { end, persona, filter: String::new() }.with("gamedir", game)
    }

    /// The request for the servers of its modification.
    pub fn by(&self) -> By<'_> {
        By::Filter(&self.filter)
    }

    /// A listed server, and a client that has seen it.
    pub fn listed(ctx: &'s TestContext<'_>) -> Result<(Self, HalfLifeClient<'s>), Failure> {
        Self::new(ctx)?.with_client(ctx)
    }

    /// The same server, listed, and a client that has seen it.
    pub fn with_client(
        self,
        ctx: &'s TestContext<'_>,
    ) -> Result<(Self, HalfLifeClient<'s>), Failure> {
        ctx.setup(|| {
            let client = HalfLifeClient::new(ctx)?;
            self.register()?;
            client.wait_listed(&self, self.by())?;
            Ok((self, client))
        })
    }

    /// The same server, with other values from now on.
    #[must_use]
    pub fn with(self, key: &str, value: &str) -> Self {
        let filter = if key == "gamedir" { format!(r"\gamedir\{value}") } else { self.filter };
        Self { persona: self.persona.with(key, value), filter, ..self }
    }

    pub fn address(&self) -> SocketAddr {
        self.end.address()
    }

    /// Sends a heartbeat.
    pub fn send_heartbeat(&self) -> Done {
        self.end.send_bytes(&voice::heartbeat())
    }

    /// Receives the challenge after a heartbeat.
    pub fn recv_challenge(&self) -> Result<HalfLifeChallenge, Failure> {
        self.end.expect("an s in answer to the heartbeat", |heard| {
            let challenge = voice::challenge(&heard.bytes)?;
            Some(HalfLifeChallenge { heard: heard.clone(), challenge })
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
        self.end.send_bytes(&voice::reply(&self.persona, Some(&challenge.to_string())))
    }

    /// Sends a heartbeat, and answers the challenge.
    pub fn register(&self) -> Done {
        self.send_heartbeat()?;
        let answer = voice::answer(&self.persona, &self.recv_challenge()?.heard.bytes);
        self.end.send_bytes(&answer.unwrap_or_default())
    }
}

/// Skipped if the target is on IPv6: a record holds an IPv4 address.
fn only_ipv4(ctx: &TestContext<'_>) -> Done {
    if ctx.is_over_ipv4() {
        return Ok(());
    }
    Err(Failure::skipped("the records of Half-Life's lists hold IPv4 addresses only"))
}

/// Registers all of these, a few at a time, so that no challenge expires.
pub fn register(servers: &[HalfLifeServer<'_>]) -> Done {
    for few in servers.chunks(AT_ONCE) {
        few.iter().try_for_each(HalfLifeServer::send_heartbeat)?;
        for server in few {
            server.answer(server.recv_challenge()?.challenge)?;
        }
    }
    Ok(())
}

impl<'s> HalfLifeClient<'s> {
    /// A client; skipped if the target is on IPv6.
    pub fn new(ctx: &'s TestContext<'_>) -> Result<Self, Failure> {
        only_ipv4(ctx)?;
        Ok(Self(ctx.client(LISTS)?))
    }

    /// A list: the setup of a case.
    pub fn list(&self, by: By<'_>) -> Result<HalfLifeList, Failure> {
        self.0.ctx().setup(|| self.asks(by))
    }

    /// Requests a list, packet by packet, until it is complete.
    pub fn asks(&self, by: By<'_>) -> Result<HalfLifeList, Failure> {
        let mut all = HalfLifeList { packets: Vec::new(), servers: Vec::new(), complete: false };
        let mut last = NOBODY;
        for _ in 0..PACKETS {
            let request = match (by, last) {
                (By::Filter(filter), _) => voice::get_region(last, filter),
                (By::Cursor, SocketAddr::V4(last)) => {
                    let [low, middle, high, _] = last.ip().octets();
                    voice::get_servers([low, middle, high])
                }
                (By::Cursor, SocketAddr::V6(_)) => break,
            };
            last = all.add(self.packet(&request)?, by)?;
            if all.complete {
                break;
            }
        }
        Ok(all)
    }

    /// Sends these bytes; the response is one packet, from the addressed port.
    fn packet(&self, request: &[u8]) -> Result<ReceivedDatagram, Failure> {
        // A late response to an earlier request does not answer this one.
        self.0.drain()?;
        let packets = self.0.request("a list of servers", request)?;
        let master = self.0.master();
        if let Some(stray) = packets.iter().find(|packet| packet.from != master) {
            let came = format!("one from {}", stray.from);
            return Err(Failure::new(format!("an answer from {master}"), came).at(stray));
        }
        match <[ReceivedDatagram; 1]>::try_from(packets) {
            Ok([packet]) => Ok(packet),
            Err(several) => {
                let came = format!("{} packets", several.len());
                Err(Failure::new("a packet for each request", came))
            }
        }
    }

    /// Repeats the request until this server is listed.
    pub fn wait_listed(
        &self,
        server: &HalfLifeServer<'_>,
        by: By<'_>,
    ) -> Result<HalfLifeList, Failure> {
        self.0.ctx().until(|| {
            let listed = self.asks(by)?;
            listed.expect_listed(server)?;
            Ok(listed)
        })
    }
}

impl HalfLifeList {
    /// Bytes of one record.
    pub const RECORD: usize = 6;

    /// The positions of a packet's records.
    pub fn records_at(packet: &ReceivedDatagram) -> Range<usize> {
        HEAD..packet.bytes.len()
    }

    /// Adds a packet; returns the next cursor.
    fn add(&mut self, packet: ReceivedDatagram, by: By<'_>) -> Result<SocketAddr, Failure> {
        let records = voice::read(&packet.bytes, |message| match message {
            HalfLife::Servers(list) if list.head == ListHead::None => {
                Some(list.servers.iter(Servers::FORM).collect::<Vec<_>>())
            }
            _ => None,
        });
        let Some(records) = records.flatten() else {
            return Err(Failure::new("a list of servers", packet.named()).at(&packet));
        };
        let Some(last) = records.last().copied() else {
            let what = "a record that says whether the list goes on";
            return Err(Failure::new(what, "none").at(&packet));
        };
        self.complete = last == NOBODY;
        // A numeric cursor is no server; a server as cursor is.
        let is_server = matches!(by, By::Filter(_)) && !self.complete;
        let count = records.len() - usize::from(!is_server);
        for (at, server) in records.into_iter().take(count).enumerate() {
            let start = HEAD + at * Self::RECORD;
            self.servers.push((server, self.packets.len(), start..start + Self::RECORD));
        }
        self.packets.push(packet);
        Ok(last)
    }

    /// How often a server is listed.
    pub fn count(&self, server: SocketAddr) -> usize {
        self.servers.iter().filter(|(listed, ..)| *listed == server).count()
    }

    /// The server is listed.
    pub fn expect_listed(&self, server: &HalfLifeServer<'_>) -> Done {
        if self.count(server.address()) > 0 {
            return Ok(());
        }
        let what = format!("a list that holds {}", server.address());
        let came = format!("one of {} servers without it", self.servers.len());
        let failure = Failure::new(what, came);
        Err(match self.packets.first() {
            Some(packet) => failure.at(packet),
            None => failure,
        })
    }

    /// The server is listed exactly once.
    pub fn expect_once(&self, server: &HalfLifeServer<'_>) -> Done {
        self.expect_listed(server)?;
        match self.count(server.address()) {
            1 => Ok(()),
            count => {
                let what = format!("{} once", server.address());
                self.not(server.address(), Failure::new(what, format!("{count} times")))
            }
        }
    }

    /// The server is not listed.
    pub fn expect_unlisted(&self, server: &HalfLifeServer<'_>) -> Done {
        let what = format!("a list without {}", server.address());
        self.not(server.address(), Failure::new(what, "one that holds it"))
    }

    /// The address is not listed; else this failure, at its record.
    pub fn not(&self, server: SocketAddr, failure: Failure) -> Done {
        let found = self.servers.iter().find(|(listed, ..)| *listed == server);
        let Some((_, packet, bytes)) = found else {
            return Ok(());
        };
        Err(match self.packets.get(*packet) {
            Some(heard) => failure.within(heard, bytes.clone()),
            None => failure,
        })
    }
}
