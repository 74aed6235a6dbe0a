//! A client that requests lists of servers, in any protocol.

use std::marker::PhantomData;

use super::context::TestContext;
use super::endpoint::TestEndpoint;
use super::failure::{Done, Failure};
use super::list::{Addressed, ReceivedList};
use super::server::TestMessages;

/// A client of the games whose messages these are.
pub struct ListClient<'s, M> {
    pub end: TestEndpoint<'s>,
    messages: PhantomData<M>,
}

impl<'s, M: TestMessages> ListClient<'s, M> {
    /// A client; skipped if the target is on IPv6 and lists hold IPv4 addresses only.
    pub fn new(ctx: &'s TestContext<'_>) -> Result<Self, Failure> {
        if let Some(why) = M::MASTER.ipv4_only.filter(|_| !ctx.is_over_ipv4()) {
            return Err(Failure::skipped(why));
        }
        Ok(Self { end: ctx.client(M::SERVICE)?, messages: PhantomData })
    }

    /// A list: the setup of a case.
    pub fn list(&self, list: M::List<'_>) -> Result<ReceivedList, Failure> {
        self.end.ctx().setup(|| self.request(list))
    }

    /// Requests a list and collects all of it.
    pub fn request(&self, list: M::List<'_>) -> Result<ReceivedList, Failure> {
        M::collect(self, list)
    }

    /// Sends these bytes and collects the whole list.
    pub fn request_bytes(&self, request: &[u8]) -> Result<ReceivedList, Failure> {
        ReceivedList::request(&self.end, request, M::read_list_packet)
    }

    /// The same; the list may be empty, and then the target may not respond.
    pub fn request_any(&self, request: &[u8]) -> Result<ReceivedList, Failure> {
        self.end.drain()?;
        ReceivedList::from_packets(&self.end, self.end.request_all(request)?, M::read_list_packet)
    }

    /// Sends a list request, without waiting for a response.
    pub fn send(&self, list: M::List<'_>) -> Done {
        self.end.send_bytes(&M::request(self.end.ctx(), list))
    }

    /// Repeats the request until this server is listed.
    pub fn wait_listed(
        &self,
        server: &impl Addressed,
        list: M::List<'_>,
    ) -> Result<ReceivedList, Failure> {
        self.end.ctx().until(|| {
            let listed = self.request(list)?;
            listed.expect_listed(server)?;
            Ok(listed)
        })
    }

    /// This server is not listed.
    pub fn expect_unlisted(&self, server: &impl Addressed, list: M::List<'_>) -> Done {
        M::collect_any(self, list)?.expect_unlisted(server)
    }

    /// Repeats the request until this server is not listed.
    pub fn wait_unlisted(&self, server: &impl Addressed, list: M::List<'_>) -> Done {
        self.end.ctx().until(|| self.expect_unlisted(server, list))
    }

    /// Exactly the expected ones of these servers are listed.
    pub fn expect_exactly<'a, A: Addressed + 'a>(
        &self,
        list: M::List<'_>,
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
