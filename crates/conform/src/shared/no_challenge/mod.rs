//! Masters whose protocol has no challenge, as those of Quake 2 and QuakeWorld: a server sends a
//! ping and heartbeats and is listed, sends a shutdown message and is not listed any more.
//!
//! Their cases are the same; [`GameMessages`] has the bytes of each game.

mod game;
mod lists;
mod register;
mod robust;
mod shutdown;
pub mod traits;

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::Duration;

pub(crate) use game::game;
pub use lists::{
    all, byte_order, listed_at, listed_each_time, once_each, requested_by_a_server, unchanged,
    whole_records,
};
pub use register::{
    again, forgotten, kept, listed, other_games, other_games_unlisted, register_all, registers,
    renewed, still_listed,
};
pub use robust::{flooded, survives, survives_all};
pub use shutdown::{registers_again, shutdown_removes, shutdown_removes_no_other};

use crate::list::ReceivedList;
use crate::{Done, Failure, ReceivedDatagram, TestContext, TestEndpoint};
use simulate::PacketRecords;
use simulate::families::{
    HeartbeatMessages, ListMessages, ListSelection, MasterMessages, RegistrationMessages,
};

/// Why these protocols cannot be tested over IPv6.
const NEEDS_IPV4: &str = "records of 6 bytes hold no IPv6 address, and the target is on IPv6";

/// What the cases of one game vary, in addition to what its servers and clients say to a master.
pub struct GameMessages {
    pub service: &'static str,
    /// What is said to its master by datagrams, whatever the server's settings.
    pub master: &'static MasterMessages,
    /// The heartbeat of a server.
    pub heartbeat: fn() -> Vec<u8>,
    /// Heartbeats with other contents: other settings, other players.
    pub heartbeats: fn() -> Vec<Vec<u8>>,
    /// A server's answer to the master; `None` if there is no request.
    pub answer: fn(&[u8]) -> Option<Vec<u8>>,
    /// Whether this acknowledges a ping.
    pub is_ack: fn(&[u8]) -> bool,
    /// Datagrams of these messages, and of replies to them.
    pub beginnings: fn() -> Vec<Vec<u8>>,
}

/// Where servers and clients are is in none of these messages.
const ANYWHERE: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::UNSPECIFIED), 0);

impl GameMessages {
    /// A server's message at its start, which it may repeat; empty if it has none.
    pub fn ping(&self) -> Vec<u8> {
        self.registration().and_then(|server| server.start).map(|start| start()).unwrap_or_default()
    }

    /// The shutdown message of a server; empty if it has none.
    pub fn shutdown(&self) -> Vec<u8> {
        let shutdown = self.registration().and_then(|server| server.shutdown);
        let all = ListSelection::default();
        shutdown.map(|shutdown| shutdown(&all, ANYWHERE)).unwrap_or_default()
    }

    /// A client's list request.
    pub fn query(&self) -> Vec<u8> {
        match self.master.list {
            ListMessages::Datagrams { request, .. } => request(&ListSelection::default(), None),
            ListMessages::Connection(_) => Vec::new(),
        }
    }

    /// The records of one packet of a list; `None` for another message.
    pub fn read(&self, packet: &[u8]) -> Option<PacketRecords> {
        match self.master.list {
            ListMessages::Datagrams { read, .. } => read(packet).map(|part| part.records),
            ListMessages::Connection(_) => None,
        }
    }

    fn registration(&self) -> Option<HeartbeatMessages> {
        match self.master.registration {
            RegistrationMessages::Heartbeats(server) => Some(server),
            RegistrationMessages::Connection { .. } => None,
        }
    }

    /// A server; skipped if the target is on IPv6.
    pub fn server<'s>(&self, ctx: &'s TestContext<'_>) -> Result<TestEndpoint<'s>, Failure> {
        needs_ipv4(ctx)?;
        ctx.server(self.service)
    }

    /// A client; skipped if the target is on IPv6.
    pub fn client<'s>(&self, ctx: &'s TestContext<'_>) -> Result<TestEndpoint<'s>, Failure> {
        needs_ipv4(ctx)?;
        ctx.client(self.service)
    }

    /// A server in its initial state: if an earlier case used it, it has shut down.
    pub fn restarted<'s>(&self, ctx: &'s TestContext<'_>) -> Result<TestEndpoint<'s>, Failure> {
        let server = self.server(ctx)?;
        self.shut_down(&server)?;
        Ok(server)
    }

    /// The same, after a check that it is not listed.
    pub fn new_server<'s>(&self, ctx: &'s TestContext<'_>) -> Result<TestEndpoint<'s>, Failure> {
        let server = self.server(ctx)?;
        self.unlist(&server)?;
        Ok(server)
    }

    /// Another new server on the same machine.
    fn new_server_beside<'s>(&self, other: &TestEndpoint<'s>) -> Result<TestEndpoint<'s>, Failure> {
        let server = other.ctx().server_beside(self.service, other)?;
        self.unlist(&server)?;
        Ok(server)
    }

    /// Shuts down a server that an earlier case may have registered.
    fn shut_down(&self, server: &TestEndpoint<'_>) -> Done {
        let ctx = server.ctx();
        ctx.setup(|| {
            server.send_bytes(&self.shutdown())?;
            ctx.sync(self.service)?;
            self.answer_for(server, Duration::ZERO)
        })
    }

    /// The same, until it is not listed.
    fn unlist(&self, server: &TestEndpoint<'_>) -> Done {
        let ctx = server.ctx();
        self.shut_down(server)?;
        ctx.setup(|| {
            let client = self.client(ctx)?;
            ctx.until(|| self.ask(&client)?.expect_unlisted(&server))
        })
    }

    /// Starts a server like the released engines: a ping, and the first heartbeat. The master
    /// chooses which of them registers it.
    pub fn start(&self, server: &TestEndpoint<'_>) -> Done {
        self.start_with(server, &(self.heartbeat)())
    }

    /// The same with another heartbeat.
    fn start_with(&self, server: &TestEndpoint<'_>, heartbeat: &[u8]) -> Done {
        server.send_bytes(&self.ping())?;
        server.send_bytes(heartbeat)
    }

    /// Answers the master's requests to a server for this long.
    pub fn answer_for(&self, server: &TestEndpoint<'_>, span: Duration) -> Done {
        let over = server.ctx().now() + span;
        while let Some(datagram) =
            server.recv(over.saturating_duration_since(server.ctx().now()))?
        {
            if let Some(answer) = (self.answer)(&datagram.bytes) {
                server.send_bytes(&answer)?;
            }
        }
        Ok(())
    }

    /// A client requests the list, once. Datagrams for a server are ignored.
    pub fn ask(&self, client: &TestEndpoint<'_>) -> Result<ReceivedList, Failure> {
        let is_other = |bytes: &[u8]| (self.is_ack)(bytes) || (self.answer)(bytes).is_some();
        ReceivedList::request_beside(client, &self.query(), |packet| self.read(packet), is_other)
    }

    /// The same as part of a setup.
    fn list(&self, client: &TestEndpoint<'_>) -> Result<ReceivedList, Failure> {
        client.ctx().setup(|| self.ask(client))
    }

    /// A client repeats its request until this server is listed. Half way, the server sends another
    /// heartbeat, in case the first was lost.
    pub fn wait_listed(
        &self,
        client: &TestEndpoint<'_>,
        server: &TestEndpoint<'_>,
    ) -> Result<ReceivedList, Failure> {
        let ctx = client.ctx();
        let half = ctx.now() + ctx.timeout() / 2;
        let mut again = Some((self.heartbeat)());
        ctx.until(|| {
            self.answer_for(server, Duration::ZERO)?;
            if ctx.now() > half
                && let Some(heartbeat) = again.take()
            {
                server.send_bytes(&heartbeat)?;
            }
            let listed = self.list(client)?;
            listed.expect_listed(&server)?;
            Ok(listed)
        })
    }

    /// The server is in a list within the timeout, without sending anything.
    fn expect_listed(&self, client: &TestEndpoint<'_>, server: &TestEndpoint<'_>) -> Done {
        client.ctx().until(|| {
            self.answer_for(server, Duration::ZERO)?;
            self.list(client)?.expect_listed(&server)
        })
    }

    /// Repeats the request until this server is not listed. Half way, the shutdown is sent again.
    fn wait_unlisted(&self, client: &TestEndpoint<'_>, server: &TestEndpoint<'_>) -> Done {
        let ctx = client.ctx();
        let half = ctx.now() + ctx.timeout() / 2;
        let mut again = Some(self.shutdown());
        ctx.until(|| {
            if ctx.now() > half
                && let Some(shutdown) = again.take()
            {
                server.send_bytes(&shutdown)?;
            }
            self.list(client)?.expect_unlisted(&server)
        })
    }

    /// Whether the server is in a list that is requested within this time.
    pub fn is_listed(
        &self,
        client: &TestEndpoint<'_>,
        server: &TestEndpoint<'_>,
        span: Duration,
    ) -> Result<bool, Failure> {
        let deadline = client.ctx().now() + span;
        loop {
            client.ctx().sync(self.service)?;
            self.answer_for(server, Duration::ZERO)?;
            if self.list(client)?.expect_listed(&server).is_ok() {
                return Ok(true);
            }
            let left = deadline.saturating_duration_since(client.ctx().now());
            if left.is_zero() {
                return Ok(false);
            }
            self.answer_for(server, left.min(Duration::from_millis(20)))?;
        }
    }

    /// The target acknowledges the server's ping.
    pub fn acknowledged(&self, server: &TestEndpoint<'_>) -> Result<ReceivedDatagram, Failure> {
        server.send_bytes(&self.ping())?;
        server.expect("an acknowledgement", |datagram| {
            (self.is_ack)(&datagram.bytes).then(|| datagram.clone())
        })
    }

    /// The setup of most cases: a listed server, and a client that has seen it.
    fn registered<'s>(
        &self,
        ctx: &'s TestContext<'_>,
    ) -> Result<(TestEndpoint<'s>, TestEndpoint<'s>), Failure> {
        ctx.setup(|| {
            let (server, client) = (self.new_server(ctx)?, self.client(ctx)?);
            self.start(&server)?;
            self.wait_listed(&client, &server)?;
            Ok((server, client))
        })
    }
}

/// The protocols of this module list IPv4 addresses alone.
fn needs_ipv4(ctx: &TestContext<'_>) -> Done {
    if ctx.is_over_ipv4() { Ok(()) } else { Err(Failure::skipped(NEEDS_IPV4)) }
}

/// Whether a client gets a list, whatever its servers.
pub fn is_answered(ctx: &TestContext<'_>, messages: &GameMessages) -> Done {
    messages.ask(&messages.client(ctx)?).map(drop)
}

/// The target answers a list request, or a ping, with anything.
pub fn any_answer(ctx: &TestContext<'_>, messages: &GameMessages) -> Done {
    needs_ipv4(ctx)?;
    ctx.expect_any_answer(messages.service, &[messages.query(), messages.ping()])
}
