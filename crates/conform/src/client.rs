//! A client that requests lists of servers, in any protocol.

use std::marker::PhantomData;

use super::context::TestContext;
use super::endpoint::TestEndpoint;
use super::failure::{Done, Failure};
use super::list::{Addressed, ReceivedList};
use super::server::TestRole;
use simulate::families::ClientListRequest as _;

/// A client that requests the lists of one kind of master.
pub struct ListClient<'s, R> {
    pub end: TestEndpoint<'s>,
    role: PhantomData<R>,
}

impl<'s, R: TestRole> ListClient<'s, R> {
    /// A client; skipped if the target is on IPv6 and lists hold IPv4 addresses only.
    pub fn new(ctx: &'s TestContext<'_>) -> Result<Self, Failure> {
        if let Some(why) = R::MASTER.ipv4_only.filter(|_| !ctx.is_over_ipv4()) {
            return Err(Failure::skipped(why));
        }
        Ok(Self { end: ctx.client(R::SERVICE)?, role: PhantomData })
    }

    /// A list: the setup of a case.
    pub fn list(&self, list: R::List<'_>) -> Result<ReceivedList, Failure> {
        self.end.ctx().setup(|| self.request(list))
    }

    /// Requests a list and collects all of it.
    pub fn request(&self, list: R::List<'_>) -> Result<ReceivedList, Failure> {
        R::collect(self, list)
    }

    /// Sends these bytes and collects the whole list.
    pub fn request_bytes(&self, request: &[u8]) -> Result<ReceivedList, Failure> {
        ReceivedList::request(&self.end, request, R::read_list_packet)
    }

    /// The same; the list may be empty, and then the target may not respond.
    pub fn request_any(&self, request: &[u8]) -> Result<ReceivedList, Failure> {
        self.end.drain()?;
        ReceivedList::from_packets(&self.end, self.end.request_all(request)?, R::read_list_packet)
    }

    /// Sends a list request, without waiting for a response.
    pub fn send(&self, list: R::List<'_>) -> Done {
        self.end.send_bytes(&self.encode(list))
    }

    /// The bytes of a list request to this target.
    pub fn encode(&self, list: R::List<'_>) -> Vec<u8> {
        list.encode(!self.end.ctx().is_over_ipv4())
    }

    /// Repeats the request until this server is listed.
    pub fn wait_listed(
        &self,
        server: &impl Addressed,
        list: R::List<'_>,
    ) -> Result<ReceivedList, Failure> {
        self.end.ctx().until(|| {
            let listed = self.request(list)?;
            listed.expect_listed(server)?;
            Ok(listed)
        })
    }

    /// This server is not listed.
    pub fn expect_unlisted(&self, server: &impl Addressed, list: R::List<'_>) -> Done {
        R::collect_any(self, list)?.expect_unlisted(server)
    }

    /// Repeats the request until this server is not listed.
    pub fn wait_unlisted(&self, server: &impl Addressed, list: R::List<'_>) -> Done {
        self.end.ctx().until(|| self.expect_unlisted(server, list))
    }

    /// Exactly the expected ones of these servers are listed.
    pub fn expect_exactly<'a, A: Addressed + 'a>(
        &self,
        list: R::List<'_>,
        servers: impl IntoIterator<Item = (&'a A, bool), IntoIter: Clone>,
    ) -> Done {
        let servers = servers.into_iter();
        for (server, _) in servers.clone().filter(|(_, is)| *is) {
            self.wait_listed(server, list)?;
        }
        let listed = self.list(list)?;
        let mut others = servers.filter(|(_, is)| !*is);
        others.try_for_each(|(server, _)| listed.expect_unlisted(server))
    }
}
