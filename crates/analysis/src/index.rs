//! The index of a session: its exchanges in order, its hosts and findings, and which message
//! belongs to which.
//!
//! It is built after everything has been read, because names and roles are final only then: an
//! [`IndexBuilder`] goes through the messages a second time and passes them to an
//! [`Analyzer`](super::Analyzer). During a live capture it can be built from the messages so far, as
//! often as requested.

mod builder;
mod kept;
mod places;
mod record;
mod source;
#[cfg(test)]
mod tests;

use std::net::SocketAddr;
use std::ops::Deref;

use super::exchange::{Exchange, ExchangeStep, MessageTurn};
use super::frame_index::FrameIndex;
use super::host::{MasterHost, ServerHost};
use super::hosts::Hosts;
use super::registrations::{Registration, RegistrationSummary, RegistrationView, Registrations};
use super::session::Session;

pub use builder::IndexBuilder;
pub use record::ExchangeRecord;

use record::NumberedTurn;

/// The result of analysing all messages: an index of all exchanges, in the order of their first
/// messages, with the hosts. Of listed servers, an exchange has only the number.
pub struct AnalysisIndex {
    frames: FrameIndex<ExchangeRecord>,
    /// The messages of all exchanges, one exchange after the other.
    steps: Vec<NumberedTurn>,
    hosts: Hosts,
    registrations: Registrations,
    /// The addresses of servers and masters, in the order in which they were first seen; servers
    /// that sent something come first, those that were only listed follow.
    servers: Vec<SocketAddr>,
    masters: Vec<SocketAddr>,
    /// The index of the first message, and the number of messages in the session when the index was
    /// finished.
    first: usize,
    reach: usize,
}

impl Deref for AnalysisIndex {
    type Target = FrameIndex<ExchangeRecord>;

    fn deref(&self) -> &Self::Target {
        &self.frames
    }
}

impl AnalysisIndex {
    /// Number of messages in the session when the index was finished; it covers those still kept
    /// then.
    pub fn reach(&self) -> usize {
        self.reach
    }

    /// An exchange by its index in [`FrameIndex::exchanges`], with those of its messages that the
    /// session still has.
    pub fn exchange(&self, at: usize, session: &Session) -> Option<Exchange> {
        let step = |step: &NumberedTurn| {
            let header = session.header(self.first + step.number()?)?;
            Some(ExchangeStep::from_header(&header, step.turn()))
        };
        let steps = self.records_of(at).iter().filter_map(step).collect();
        self.exchanges().get(at)?.exchange(session.flows(), steps)
    }

    /// The session indices of the messages of an exchange, as far as it keeps them, and what each
    /// does there.
    pub fn steps_of(&self, at: usize) -> impl Iterator<Item = (usize, MessageTurn)> {
        let steps = self.records_of(at).iter();
        steps.filter_map(|step| Some((self.first + step.number()?, step.turn())))
    }

    /// The same indices alone.
    pub fn messages_of(&self, at: usize) -> impl Iterator<Item = usize> {
        self.steps_of(at).map(|(message, _)| message)
    }

    fn records_of(&self, at: usize) -> &[NumberedTurn] {
        let begin = |at: usize| self.exchanges().get(at).map(|exchange| exchange.steps() as usize);
        let end = begin(at + 1).unwrap_or(self.steps.len());
        begin(at).and_then(|begin| self.steps.get(begin..end)).unwrap_or_default()
    }

    /// Servers and masters by their addresses.
    pub fn hosts(&self) -> &Hosts {
        &self.hosts
    }

    /// Every server's registration with each of its masters, step by step, as `explain` gives them.
    pub fn registrations(&self) -> RegistrationView<'_> {
        RegistrationView::new(&self.registrations, &self.hosts, self.findings())
    }

    /// The same for one server.
    pub fn registrations_of(&self, server: &ServerHost) -> Vec<Registration> {
        self.registrations_about(server).of_server(server).collect()
    }

    /// What came of the registrations of one server.
    pub fn registration_summary(&self, server: &ServerHost) -> RegistrationSummary {
        self.registrations_about(server).summary(server)
    }

    fn registrations_about(&self, server: &ServerHost) -> RegistrationView<'_> {
        let findings = self.findings().iter().filter(|of| of.subject == server.address);
        RegistrationView::new(&self.registrations, &self.hosts, findings)
    }

    /// How many servers there are.
    pub fn servers(&self) -> usize {
        self.servers.len()
    }

    /// A server by its index: those that sent something, then those that were only listed, each in
    /// the order in which they were first seen.
    pub fn server(&self, at: usize) -> Option<&ServerHost> {
        self.hosts().server(*self.servers.get(at)?)
    }

    /// The index of the server at an address.
    pub fn server_at(&self, address: SocketAddr) -> Option<usize> {
        self.servers.iter().position(|server| *server == address)
    }

    /// The index of the master at an address.
    pub fn master_at(&self, address: SocketAddr) -> Option<usize> {
        self.masters.iter().position(|master| *master == address)
    }

    /// How many masters there are.
    pub fn masters(&self) -> usize {
        self.masters.len()
    }

    /// A master by its index in the same order.
    pub fn master(&self, at: usize) -> Option<&MasterHost> {
        self.hosts().master(*self.masters.get(at)?)
    }
}
