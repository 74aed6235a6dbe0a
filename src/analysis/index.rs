//! The index of a session: its exchanges in order, its hosts and findings, and which message
//! belongs to which.
//!
//! It is built after everything has been read, because names and roles are final only then: an
//! [`IndexBuilder`] goes through the messages a second time and passes them to an [`Analyzer`].
//! During a live capture it can be built from the messages so far, as often as requested.

use std::net::SocketAddr;
use std::ops::Deref;

use super::analyzer::Analyzer;
use super::exchange::Exchange;
use super::frame_index::FrameIndex;
use super::host::{MasterHost, ServerHost};
use super::hosts::Hosts;
use super::reader::counted;
use super::session::Session;
use crate::flow::Flows;

/// Memory limit of the exchanges that are kept, in bytes. The first to end are kept; the rest are
/// only counted.
const EXCHANGES: usize = 96 << 20;

/// The result of analysing all messages: an index of all exchanges, in the order of their first
/// messages, with the hosts. Of listed servers, an exchange has only the number.
pub struct AnalysisIndex {
    frames: FrameIndex<Exchange>,
    hosts: Hosts,
    /// The addresses of servers and masters, in the order in which they were first seen; servers
    /// that sent something come first, those that were only listed follow.
    servers: Vec<SocketAddr>,
    masters: Vec<SocketAddr>,
    /// Number of messages in the session when the index was finished.
    reach: usize,
}

impl Deref for AnalysisIndex {
    type Target = FrameIndex<Exchange>;

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

    /// Servers and masters by their addresses.
    pub fn hosts(&self) -> &Hosts {
        &self.hosts
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

    /// How many masters there are.
    pub fn masters(&self) -> usize {
        self.masters.len()
    }

    /// A master by its index in the same order.
    pub fn master(&self, at: usize) -> Option<&MasterHost> {
        self.hosts().master(*self.masters.get(at)?)
    }
}

/// Builds the index of a session, a few messages at a time.
pub struct IndexBuilder {
    analyzer: Analyzer,
    exchanges: BoundedExchanges,
    unreadable: u64,
    /// The index of the next message, and the index at which to stop.
    next: usize,
    end: usize,
    payload: Vec<u8>,
}

impl IndexBuilder {
    /// A builder for the first `end` messages, or for those of them that are still kept.
    pub(super) fn until(end: usize) -> Self {
        Self {
            analyzer: Analyzer::with_frames(),
            exchanges: BoundedExchanges::default(),
            unreadable: 0,
            next: 0,
            end,
            payload: Vec::new(),
        }
    }

    /// Number of messages that have been processed.
    pub fn processed(&self) -> usize {
        self.next
    }

    /// Processes up to `messages` more messages; false when there are no more.
    pub fn advance(&mut self, session: &Session, messages: usize) -> bool {
        let Self { analyzer, exchanges, unreadable, payload, .. } = self;
        for _ in 0..messages {
            // In a long live capture the oldest messages keep their index but have no content.
            self.next = self.next.max(session.gone());
            if self.next >= session.len().min(self.end) {
                return false;
            }
            match session.message(self.next, payload) {
                Ok(Some(message)) => {
                    analyzer.take(&message, session.flows());
                    analyzer.ended().for_each(|exchange| exchanges.add(exchange));
                }
                Ok(None) => {}
                Err(_) => *unreadable += 1,
            }
            self.next += 1;
        }
        true
    }

    /// Finishes the index, and returns texts that say what it lacks.
    pub(super) fn finish(self, flows: &Flows) -> (AnalysisIndex, Vec<String>) {
        let Self { mut analyzer, mut exchanges, unreadable, next: reach, .. } = self;
        analyzer.finish(flows);
        analyzer.ended().for_each(|exchange| exchanges.add(exchange));
        let BoundedExchanges { mut exchanges, left_out, .. } = exchanges;
        exchanges.sort_by_key(|exchange| (exchange.first, exchange.number()));
        let numbers = |exchange: &Exchange| exchange.numbers().collect::<Vec<_>>().into_iter();
        let frames = FrameIndex::of(exchanges, numbers, &analyzer);
        let mut servers = analyzer.hosts().servers();
        servers.sort_by_key(|server| !server.has_sent());
        let servers = servers.into_iter().map(|server| server.address).collect();
        let masters = analyzer.hosts().masters().into_iter().map(|master| master.address).collect();
        let mut warnings = analyzer.warnings();
        warnings.extend(counted(&[
            (left_out, "exchanges were not kept: there are too many"),
            (frames.left_out(), "messages have an exchange that is not known: there are too many"),
            (unreadable, "messages could not be read again: no exchange has them"),
        ]));
        let hosts = analyzer.into_hosts();
        (AnalysisIndex { frames, hosts, servers, masters, reach }, warnings)
    }
}

/// Exchanges that have ended, up to the memory limit.
#[derive(Default)]
struct BoundedExchanges {
    exchanges: Vec<Exchange>,
    /// Their size in memory, in bytes.
    weight: usize,
    left_out: u64,
}

impl BoundedExchanges {
    /// Keeps an exchange without the servers of its list, in as much memory as it needs.
    fn add(&mut self, exchange: &Exchange) {
        let mut exchange = exchange.clone();
        if let Some(listing) = &mut exchange.listing {
            listing.servers = Vec::new();
        }
        let weight = exchange.weigh();
        if self.weight + weight > EXCHANGES {
            self.left_out += 1;
            return;
        }
        self.weight += weight;
        self.exchanges.push(exchange);
    }
}
