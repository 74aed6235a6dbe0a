//! What is counted in the pass in which the tables are made.

use std::collections::HashSet;
use std::hash::BuildHasher as _;
use std::net::SocketAddr;

use foldhash::fast::RandomState;

use super::diagrams::host_of;
use super::outcomes::Outcomes;
use analysis::{Exchange, MessageHeader, SessionStatistics, StatisticsStream};
use export::PassObserver;

/// How many hosts are counted.
pub(super) const HOSTS: usize = 1 << 16;

/// Counts all messages and exchanges.
pub(super) struct PageCounts {
    statistics: StatisticsStream,
    hosts: HostCount,
    /// Of the messages of selected exchanges.
    outcomes: Outcomes,
}

/// Counts the servers of all selected messages, and the masters of those without a server: at most
/// [`HOSTS`], each by its hash.
#[derive(Default)]
struct HostCount {
    hasher: RandomState,
    seen: HashSet<u64, RandomState>,
}

impl HostCount {
    fn add_host(&mut self, host: SocketAddr) {
        if self.seen.len() < HOSTS {
            self.seen.insert(self.hasher.hash_one(host));
        }
    }
}

impl PageCounts {
    /// Nothing is counted yet; `is_selection` says whether only selected messages will be.
    pub fn new(is_selection: bool) -> Self {
        let statistics = StatisticsStream::new(is_selection);
        Self { statistics, hosts: HostCount::default(), outcomes: Outcomes::default() }
    }

    /// The statistics of what was counted, how many hosts there are, and the outcomes.
    pub fn finish(self) -> (SessionStatistics, usize, Outcomes) {
        (self.statistics.finish(), self.hosts.seen.len(), self.outcomes)
    }
}

impl PassObserver for PageCounts {
    fn see_message(&mut self, header: &MessageHeader, is_selected: bool) {
        self.statistics.add_message(header, is_selected);
        if is_selected {
            self.hosts.add_host(host_of(header));
        }
    }

    fn see_exchange(&mut self, exchange: &Exchange, is_selected: bool) {
        self.statistics.add_exchange(exchange, is_selected);
        if !is_selected {
            return;
        }
        for step in &exchange.steps {
            if let Some(outcome) = exchange.outcome(step) {
                self.outcomes.add_outcome(step.number, outcome);
            }
        }
    }
}
