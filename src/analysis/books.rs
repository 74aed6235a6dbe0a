//! The books of a session: its exchanges in order, its hosts and findings, and which message
//! belongs to which.
//!
//! They are made when everything has been read, for only then are names and roles those that stay:
//! a [`Keeper`] goes through the messages once more and puts them into a [`Ledger`]. Of a capture
//! that goes on they may be made of the messages so far, as often as somebody asks.

use super::exchange::Exchange;
use super::findings::Finding;
use super::host::{MasterHost, ServerHost};
use super::hosts::Hosts;
use super::ledger::Analyzer;
use super::store::Session;
use crate::flow::Flows;

/// How much memory the exchanges that are kept may take, in bytes: the first that ended; more are
/// counted.
const EXCHANGES: usize = 96 << 20;

/// What came of all messages together.
pub struct AnalysisIndex {
    hosts: Hosts,
    exchanges: Vec<Exchange>,
    /// The addresses of servers and masters, in the order in which they were first seen; of servers
    /// those first that spoke, behind them those that were only listed.
    servers: Vec<std::net::SocketAddr>,
    masters: Vec<std::net::SocketAddr>,
    findings: Vec<Finding>,
    /// Which exchange each frame belongs to, and which frames are at fault; both by frame.
    members: Vec<(u64, u32)>,
    faults: Vec<(u64, u32)>,
    /// How many messages had come when they were closed.
    reach: usize,
}

impl AnalysisIndex {
    /// How many messages had come when they were closed; they are of those that were still kept.
    pub fn reach(&self) -> usize {
        self.reach
    }

    /// The exchanges, in the order of their first messages. Of the servers that were listed only
    /// the number is kept.
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

    /// A server by its place: those that spoke, then those that were only listed, each in the order
    /// in which they were first seen.
    pub fn server(&self, at: usize) -> Option<&ServerHost> {
        self.hosts().server(*self.servers.get(at)?)
    }

    /// How many masters there are.
    pub fn masters(&self) -> usize {
        self.masters.len()
    }

    /// A master by its place in the same order.
    pub fn master(&self, at: usize) -> Option<&MasterHost> {
        self.hosts().master(*self.masters.get(at)?)
    }

    /// What is wrong, in the order of the first messages at fault.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// The exchange, by its place, that the message of a frame belongs to. Of very long exchanges
    /// only the first messages are known.
    pub fn exchange_of(&self, number: u64) -> Option<usize> {
        let at = self.members.partition_point(|(member, _)| *member < number);
        let found = self.members.get(at).filter(|(member, _)| *member == number);
        found.map(|(_, exchange)| *exchange as usize)
    }

    /// The findings, by their places, that name the message of a frame.
    pub fn findings_of(&self, number: u64) -> impl Iterator<Item = usize> {
        let at = self.faults.partition_point(|(frame, _)| *frame < number);
        let same = self.faults.iter().skip(at).take_while(move |(frame, _)| *frame == number);
        same.map(|(_, finding)| *finding as usize)
    }
}

/// Keeps the books of a session, a few messages at a time.
pub struct IndexBuilder {
    ledger: Analyzer,
    kept: KeptExchanges,
    unreadable: u64,
    /// The message that comes next, and the one before which it ends.
    next: usize,
    end: usize,
    payload: Vec<u8>,
}

impl IndexBuilder {
    /// One that takes the first `end` messages, or those of them that are not forgotten.
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

    /// How many messages have been gone through.
    pub fn kept(&self) -> usize {
        self.next
    }

    /// Takes up to `messages` messages more; false when there are no more.
    pub fn keep(&mut self, session: &Session, messages: usize) -> bool {
        let Self { ledger, kept, unreadable, payload, .. } = self;
        for _ in 0..messages {
            // What is forgotten, of a long live capture, has its place and nothing in it.
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

    /// Closes the books, and says in words what they lack.
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

/// Exchanges that are over, as far as there is room for them.
#[derive(Default)]
struct KeptExchanges {
    exchanges: Vec<Exchange>,
    /// How many bytes of memory they take.
    weight: usize,
    left_out: u64,
}

impl KeptExchanges {
    /// Keeps an exchange, as small as it can be.
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
