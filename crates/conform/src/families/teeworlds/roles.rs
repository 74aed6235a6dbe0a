//! Teeworlds' servers and clients, and the lists that clients get.

use std::collections::BTreeSet;
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use super::LISTS;
use crate::list::{Addressed, ReceivedList};
use crate::shared::boundaries::BoundaryServer;
use crate::{Done, Failure, ReceivedDatagram, TestContext, TestEndpoint};
use codec::PLAIN_LITTLE;
use protocols::teeworlds::Teeworlds;
use simulate::PacketRecords;
use simulate::families::teeworlds::messages::{self, LIST_HEAD, LIST_RECORD, list_records};

/// How much longer than others a released master takes: it checks servers and makes its list anew
/// every five seconds.
const EVERY: Duration = Duration::from_secs(6);
/// How long the released master lists a server, and how long after the begin of a run a server of it
/// is taken again: what cases do then ends before that time.
const LISTED_FOR: Duration = Duration::from_secs(90);
const TAKEN_AGAIN: Duration = Duration::from_secs(45);
/// The pause between two requests for a list.
const PAUSE: Duration = Duration::from_millis(50);
/// Bytes of a record of version 0.5.
const OLD_RECORD: usize = 4 + 2;

/// A server.
pub struct TeeServer<'s> {
    pub end: TestEndpoint<'s>,
}

/// A client.
pub struct TeeClient<'s> {
    pub end: TestEndpoint<'s>,
}

impl Addressed for TeeServer<'_> {
    fn address(&self) -> SocketAddr {
        self.end.address()
    }
}

/// Repeats until it does not fail, for as long as a released master may take.
pub fn until<T>(
    ctx: &TestContext<'_>,
    mut tried: impl FnMut() -> Result<T, Failure>,
) -> Result<T, Failure> {
    let deadline = ctx.now() + ctx.timeout() + EVERY;
    loop {
        match tried() {
            Err(_) if ctx.now() < deadline => ctx.wait(PAUSE),
            done => return done,
        }
    }
}

/// Whether servers that have registered in this run stay listed while a case runs.
fn stay_listed(ctx: &TestContext<'_>) -> Result<bool, Failure> {
    Ok(ctx.time("server-timeout")? >= LISTED_FOR && ctx.since_begin() < TAKEN_AGAIN)
}

impl<'s> TeeServer<'s> {
    pub fn new(ctx: &'s TestContext<'_>) -> Result<Self, Failure> {
        Ok(Self { end: ctx.server(LISTS)? })
    }

    /// A listed server, and a client that has seen it. A server of an earlier case that is still
    /// listed spares the ten seconds that a released master takes to list another.
    pub fn listed(ctx: &'s TestContext<'_>) -> Result<(Self, TeeClient<'s>), Failure> {
        let (servers, client) = Self::some_listed(ctx, 1)?;
        let server = servers.into_iter().next();
        let server = server.ok_or_else(|| Failure::error("a list of one server has none"))?;
        Ok((server, client))
    }

    /// The same for several.
    pub fn some_listed(
        ctx: &'s TestContext<'_>,
        count: usize,
    ) -> Result<(Vec<Self>, TeeClient<'s>), Failure> {
        ctx.setup(|| {
            let client = TeeClient::new(ctx)?;
            let mut servers = Vec::new();
            if stay_listed(ctx)? {
                let listed = client.list()?;
                while servers.len() < count
                    && let Some(end) = ctx.idle_server(LISTS, |at| listed.has(&at))?
                {
                    servers.push(Self { end });
                }
            }
            let known = servers.len();
            while servers.len() < count {
                servers.push(Self::new(ctx)?);
            }
            Self::register_all(servers.get(known..).unwrap_or_default())?;
            servers.iter().try_for_each(|server| client.wait_listed(server).map(drop))?;
            Ok((servers, client))
        })
    }

    /// Several listed servers and, as long as none is forgotten meanwhile, all others of the run that
    /// are in one of two lists; and a client that has seen them.
    pub fn all_listed(
        ctx: &'s TestContext<'_>,
        count: usize,
    ) -> Result<(Vec<SocketAddr>, TeeClient<'s>), Failure> {
        let (servers, client) = Self::some_listed(ctx, count)?;
        let mut all: BTreeSet<_> = servers.iter().map(Addressed::address).collect();
        if stay_listed(ctx)? {
            for _ in 0..2 {
                let listed = ctx.setup(|| client.list())?;
                let of_run = listed.servers().map(|(at, ..)| at);
                all.extend(of_run.filter(|at| ctx.is_server(LISTS, *at)));
            }
        }
        Ok((all.into_iter().collect(), client))
    }

    /// Sends a heartbeat with its own port.
    pub fn send_heartbeat(&self) -> Done {
        self.end.drain()?;
        self.end.send_bytes(&messages::heartbeat(self.end.address().port()))
    }

    /// Receives one of these messages, from any port of the target.
    fn recv(&self, what: &str, is_it: fn(&[u8]) -> bool) -> Result<ReceivedDatagram, Failure> {
        let deadline = self.end.ctx().now() + self.end.ctx().timeout() + EVERY;
        let mut other: Option<ReceivedDatagram> = None;
        loop {
            let left = deadline.saturating_duration_since(self.end.ctx().now());
            match self.end.recv(left)? {
                Some(datagram) if is_it(&datagram.bytes) => return Ok(datagram),
                Some(datagram) => other = Some(datagram),
                None => {
                    return Err(match other {
                        Some(other) => Failure::new(what, other.named()).at(&other),
                        None => Failure::new(what, "nothing"),
                    });
                }
            }
        }
    }

    /// The check after a heartbeat.
    pub fn recv_check(&self) -> Result<ReceivedDatagram, Failure> {
        self.recv("a check (fw??) in answer to the heartbeat", messages::is_check)
    }

    /// Sends a heartbeat; the check after it.
    pub fn checked(&self) -> Result<ReceivedDatagram, Failure> {
        self.send_heartbeat()?;
        self.recv_check()
    }

    /// Answers a check, to where it came from.
    pub fn answer(&self, check: &ReceivedDatagram) -> Done {
        self.end.send_bytes_to(check.from, &messages::check_response())
    }

    /// Waits for the message that it is listed.
    pub fn recv_listed(&self) -> Result<ReceivedDatagram, Failure> {
        self.recv("fwok in answer to the fwresponse", messages::is_listed)
    }

    /// Sends a heartbeat, and answers the check.
    pub fn register(&self) -> Done {
        self.answer(&self.checked()?)
    }
}

impl<'s> BoundaryServer<'s> for TeeServer<'s> {
    const SERVICE: &'static str = LISTS;
    const IS_LISTED_LATE: bool = true;

    fn at(end: TestEndpoint<'s>) -> Self {
        Self { end }
    }

    fn end(&self) -> &TestEndpoint<'s> {
        &self.end
    }

    fn register(&self) -> Done {
        self.register()
    }

    fn register_all(servers: &[Self]) -> Done {
        servers.iter().try_for_each(Self::send_heartbeat)?;
        servers.iter().try_for_each(|server| server.answer(&server.recv_check()?))
    }

    fn wait_listed_once(&self) -> Done {
        TeeClient::new(self.end.ctx())?.wait_listed(self)?.expect_listed_once(self)
    }
}

impl<'s> TeeClient<'s> {
    pub fn new(ctx: &'s TestContext<'_>) -> Result<Self, Failure> {
        Ok(Self { end: ctx.client(LISTS)? })
    }

    /// Requests the list; without servers it has no datagram.
    pub fn list(&self) -> Result<ReceivedList, Failure> {
        self.request(&messages::list_request(), list_records)
    }

    /// The same in version 0.5.
    pub fn old_list(&self) -> Result<ReceivedList, Failure> {
        self.request(&messages::old_list_request(), read_old)
    }

    fn request(
        &self,
        request: &[u8],
        read: fn(&[u8]) -> Option<PacketRecords>,
    ) -> Result<ReceivedList, Failure> {
        self.end.drain()?;
        ReceivedList::from_packets(&self.end, self.end.request_all(request)?, read)
    }

    /// Repeats the request until this server is listed.
    pub fn wait_listed(&self, server: &TeeServer<'_>) -> Result<ReceivedList, Failure> {
        until(self.end.ctx(), || {
            let listed = self.list()?;
            listed.expect_listed(server)?;
            Ok(listed)
        })
    }

    /// The number in the answer to a request for the count, and the datagram.
    pub fn count(&self) -> Result<(usize, ReceivedDatagram), Failure> {
        self.end.drain()?;
        self.end.send_bytes(&messages::count_request())?;
        self.end.expect("a count (siz2) in answer to cou2", |datagram| {
            messages::count(&datagram.bytes).map(|count| (count.into(), datagram.clone()))
        })
    }
}

fn read_old(packet: &[u8]) -> Option<PacketRecords> {
    messages::with_message(packet, |message| match message {
        Teeworlds::List5(list) => {
            Some(PacketRecords::new(LIST_HEAD, OLD_RECORD, list.servers.iter(PLAIN_LITTLE)))
        }
        _ => None,
    })
}

/// Where a record has the bytes of a server's IPv4 address at its beginning, not at its end.
pub fn misplaced<'l>(
    listed: &'l ReceivedList,
    server: &TeeServer<'_>,
) -> Option<(&'l ReceivedDatagram, usize)> {
    let IpAddr::V4(ip) = server.address().ip() else { return None };
    let port = server.address().port().to_be_bytes();
    let is_it = |record: &[u8]| record.starts_with(&ip.octets()) && record.ends_with(&port);
    listed.packets.iter().find_map(|packet| {
        let at = packet.bytes.get(LIST_HEAD..)?.chunks(LIST_RECORD).position(is_it)?;
        Some((packet, LIST_HEAD + at * LIST_RECORD))
    })
}
