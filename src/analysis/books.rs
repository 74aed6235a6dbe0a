//! The index of a session: its exchanges in order, its hosts and findings, and which message
//! belongs to which.
//!
//! It is built after everything has been read, because names and roles are final only then: an
//! [`IndexBuilder`] goes through the messages a second time and passes them to an [`Analyzer`].
//! During a live capture it can be built from the messages so far, as often as requested.

use super::exchange::Exchange;
use super::findings::Finding;
use super::host::{MasterHost, ServerHost};
use super::hosts::Hosts;
use super::ledger::Analyzer;
use super::store::Session;
use crate::flow::Flows;

/// Memory limit of the exchanges that are kept, in bytes. The first to end are kept; the rest are
/// only counted.
const EXCHANGES: usize = 96 << 20;

/// The result of analysing all messages.
pub struct AnalysisIndex {
    hosts: Hosts,
    exchanges: Vec<Exchange>,
    /// The addresses of servers and masters, in the order in which they were first seen; servers
    /// that sent something come first, those that were only listed follow.
    servers: Vec<std::net::SocketAddr>,
    masters: Vec<std::net::SocketAddr>,
    findings: Vec<Finding>,
    /// Which exchange each frame belongs to, and which frames have findings; both sorted by frame.
    members: Vec<(u64, u32)>,
    faults: Vec<(u64, u32)>,
    /// Number of messages in the session when the index was finished.
    reach: usize,
}

impl AnalysisIndex {
    /// Number of messages in the session when the index was finished; it covers those still kept
    /// then.
    pub fn reach(&self) -> usize {
        self.reach
    }

    /// The exchanges, in the order of their first messages. Of the listed servers only the number
    /// is kept.
    pub fn exchanges(&self) -> &[Exchange] {
        &self.exchanges
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

    /// What is wrong, in the order of the first messages at fault.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// The index of the exchange that the message of a frame belongs to. Of very long exchanges
    /// only the first messages are known.
    pub fn exchange_of(&self, number: u64) -> Option<usize> {
        let at = self.members.partition_point(|(member, _)| *member < number);
        let found = self.members.get(at).filter(|(member, _)| *member == number);
        found.map(|(_, exchange)| *exchange as usize)
    }

    /// The indices of the findings that name the message of a frame.
    pub fn findings_of(&self, number: u64) -> impl Iterator<Item = usize> {
        let at = self.faults.partition_point(|(frame, _)| *frame < number);
        let same = self.faults.iter().skip(at).take_while(move |(frame, _)| *frame == number);
        same.map(|(_, finding)| *finding as usize)
    }
}

/// Builds the index of a session, a few messages at a time.
pub struct IndexBuilder {
    ledger: Analyzer,
    kept: KeptExchanges,
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
            ledger: Analyzer::marking(),
            kept: KeptExchanges::default(),
            unreadable: 0,
            next: 0,
            end,
            payload: Vec::new(),
        }
    }

    /// Number of messages that have been processed.
    pub fn kept(&self) -> usize {
        self.next
    }

    /// Processes up to `messages` more messages; false when there are no more.
    pub fn keep(&mut self, session: &Session, messages: usize) -> bool {
        let Self { ledger, kept, unreadable, payload, .. } = self;
        for _ in 0..messages {
            // In a long live capture the oldest messages keep their index but have no content.
            self.next = self.next.max(session.gone());
            if self.next >= session.len().min(self.end) {
                return false;
            }
            match session.message(self.next, payload) {
                Ok(Some(message)) => {
                    ledger.take(&message, session.flows(), |exchange| kept.add(exchange));
                }
                Ok(None) => {}
                Err(_) => *unreadable += 1,
            }
            self.next += 1;
        }
        true
    }

    /// Finishes the index, and returns texts that say what it lacks.
    pub(super) fn close(self, flows: &Flows) -> (AnalysisIndex, Vec<String>) {
        let Self { mut ledger, mut kept, unreadable, next: reach, .. } = self;
        ledger.finish(flows, |exchange| kept.add(exchange));
        let KeptExchanges { mut exchanges, left_out, .. } = kept;
        exchanges.sort_by_key(|exchange| (exchange.first, exchange.number()));
        let mut members: Vec<_> = (0..)
            .zip(&exchanges)
            .flat_map(|(at, exchange)| exchange.numbers().map(move |number| (number, at)))
            .collect();
        members.sort_unstable();
        let faults = ledger.faults();
        let findings: Vec<_> = ledger.findings().into_iter().cloned().collect();
        let mut servers = ledger.hosts().servers();
        servers.sort_by_key(|server| !server.spoke());
        let servers = servers.into_iter().map(|server| server.address).collect();
        let masters = ledger.hosts().masters().into_iter().map(|master| master.address).collect();
        let mut said = ledger.complaints();
        for (count, what) in [
            (left_out, "exchanges were not kept: there are too many"),
            (unreadable, "messages could not be read again: no exchange has them"),
        ] {
            if count > 0 {
                said.push(format!("{count} {what}"));
            }
        }
        let books = AnalysisIndex {
            hosts: ledger.into_hosts(),
            exchanges,
            servers,
            masters,
            findings,
            members,
            faults,
            reach,
        };
        (books, said)
    }
}

/// Exchanges that have ended, up to the memory limit.
#[derive(Default)]
struct KeptExchanges {
    exchanges: Vec<Exchange>,
    /// Their size in memory, in bytes.
    weight: usize,
    left_out: u64,
}

impl KeptExchanges {
    /// Keeps an exchange, with its memory shrunk to fit.
    fn add(&mut self, mut exchange: Exchange) {
        exchange.steps.shrink_to_fit();
        if let Some(listing) = &mut exchange.listing {
            listing.servers = Vec::new();
            listing.packets.shrink_to_fit();
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
