//! The servers of a case: new ones, those that earlier cases have used, and many of one address.
#![allow(clippy::missing_errors_doc, reason = "a failure is the result of the case")]

use std::net::{IpAddr, SocketAddr};

use super::context::{TestContext, counted};
use super::endpoint::TestEndpoint;
use super::failure::Failure;

impl TestContext<'_> {
    /// A server for this service, with its own address if possible, else with its own port. If few
    /// may be registered, other cases may have used the endpoint.
    pub fn server(&self, service: &str) -> Result<TestEndpoint<'_>, Failure> {
        self.open_server(service, self.env.at(service)?, None)
    }

    /// Another server on the same machine: same address, its own port.
    pub fn server_beside(
        &self,
        service: &str,
        other: &TestEndpoint<'_>,
    ) -> Result<TestEndpoint<'_>, Failure> {
        self.open_server(service, self.env.at(service)?, Some(other.address().ip()))
    }

    /// Many servers at once; skipped if so many may not be registered. Other cases may have
    /// registered them before, so they prove that they are listed, but never that they are not.
    pub fn servers(&self, service: &str, count: usize) -> Result<Vec<TestEndpoint<'_>>, Failure> {
        let to = self.env.at(service)?;
        let sockets = self.env.servers(service, to, count)?;
        let named = sockets.into_iter().map(|socket| (counted("server", &self.servers), socket));
        Ok(named.map(|(name, socket)| TestEndpoint::new(self, name, service, socket, to)).collect())
    }

    /// Several servers on one machine: one address, and a port for each.
    pub fn servers_of_an_address(
        &self,
        service: &str,
        count: usize,
    ) -> Result<Vec<TestEndpoint<'_>>, Failure> {
        let to = self.env.at(service)?;
        let sockets = self.env.servers_of_an_address(service, to, count)?;
        let named = sockets.into_iter().map(|socket| (counted("server", &self.servers), socket));
        Ok(named.map(|(name, socket)| TestEndpoint::new(self, name, service, socket, to)).collect())
    }

    /// A server that never registers: if every endpoint has its own address, it is none of those that
    /// later cases use again.
    pub(crate) fn unregistered_server(&self, service: &str) -> Result<TestEndpoint<'_>, Failure> {
        if !self.is_wide() {
            return self.server(service);
        }
        self.end(counted("server", &self.servers), service, None)
    }

    /// Several servers on one machine that never register: an address that no other case has, and a
    /// port for each.
    pub(crate) fn unregistered_servers(
        &self,
        service: &str,
        count: usize,
    ) -> Result<Vec<TestEndpoint<'_>>, Failure> {
        let mut ends: Vec<TestEndpoint<'_>> = Vec::with_capacity(count);
        for _ in 0..count {
            let ip = ends.first().map(|end| end.address().ip());
            let name = counted("server", &self.servers);
            ends.push(self.open(name, service, self.env.at(service)?, ip)?);
        }
        Ok(ends)
    }

    /// How many servers may be registered with a service at once from here.
    pub fn most_servers(&self, service: &str) -> Result<usize, Failure> {
        Ok(self.env.most_servers(self.env.at(service)?))
    }

    /// A server with this address, if the machine has it.
    pub fn server_at(&self, service: &str, ip: IpAddr) -> Result<TestEndpoint<'_>, Failure> {
        self.open_server(service, self.env.at(service)?, Some(ip))
    }

    /// A server with this address and port, if the machine has it and it is free. Other cases may
    /// have used the endpoint.
    pub(crate) fn server_on(
        &self,
        service: &str,
        address: SocketAddr,
    ) -> Result<Option<TestEndpoint<'_>>, Failure> {
        let to = self.env.at(service)?;
        let Some(socket) = self.env.server_on(service, to, address)? else { return Ok(None) };
        let name = counted("server", &self.servers);
        Ok(Some(TestEndpoint::new(self, name, service, socket, to)))
    }

    /// A server at an address of the other family; skipped if the target has one family.
    pub fn server_of_other_family(&self, service: &str) -> Result<TestEndpoint<'_>, Failure> {
        self.open_server(service, self.env.at_other(service)?, None)
    }

    /// A server that cases of this run have used and none uses now, at an address that fits.
    pub(crate) fn idle_server(
        &self,
        service: &str,
        fits: impl Fn(SocketAddr) -> bool,
    ) -> Result<Option<TestEndpoint<'_>>, Failure> {
        let to = self.env.at(service)?;
        let socket = self.env.idle_server(service, to, fits)?;
        let named = socket.map(|socket| (counted("server", &self.servers), socket));
        Ok(named.map(|(name, socket)| TestEndpoint::new(self, name, service, socket, to)))
    }

    /// Whether a server of this run has this address.
    pub(crate) fn is_server(&self, service: &str, address: SocketAddr) -> bool {
        self.env.at(service).is_ok_and(|to| self.env.side(to).servers.has(service, address))
    }

    fn open_server(
        &self,
        service: &str,
        to: SocketAddr,
        ip: Option<IpAddr>,
    ) -> Result<TestEndpoint<'_>, Failure> {
        let socket = match ip {
            None if self.only_new => self.env.new_server(service, to)?,
            _ => self.env.server(service, to, ip)?,
        };
        Ok(TestEndpoint::new(self, counted("server", &self.servers), service, socket, to))
    }
}
