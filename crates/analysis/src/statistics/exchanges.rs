//! Latencies of exchanges by kind, and the sizes of the lists of each master.

use std::collections::BTreeMap;
use std::net::SocketAddr;

use super::histogram::Histogram;
use crate::exchange::{Exchange, ExchangeState};
use crate::index::ExchangeRecord;
use flow::Flows;
use protocol::{ExchangeKind, Game};

/// How many masters with lists are kept; the lists of others are only counted.
const MASTERS: usize = 1_024;

/// Latencies and lists.
#[derive(Debug, Clone, Default)]
pub struct ExchangeStatistics {
    /// The exchanges of all kinds together, when finished.
    pub all: Latencies,
    kinds: BTreeMap<ExchangeKind, Latencies>,
    masters: BTreeMap<SocketAddr, ListSizes>,
    left_out: u64,
}

/// Exchanges of one kind, or of all.
#[derive(Debug, Clone, Default)]
pub struct Latencies {
    /// How many exchanges have each state.
    pub states: BTreeMap<ExchangeState, u64>,
    /// Nanoseconds from the request to the first response, of those that have one.
    pub latency: Histogram,
}

/// The lists of a master.
#[derive(Debug, Clone)]
pub struct ListSizes {
    /// The game of the lists.
    pub game: &'static Game,
    /// How many servers a list has.
    pub servers: Histogram,
}

/// What counts of an exchange.
#[derive(Debug, Clone, Copy)]
pub(super) struct ExchangeFacts {
    pub kind: ExchangeKind,
    pub state: ExchangeState,
    pub game: &'static Game,
    /// Nanoseconds to the first response.
    pub latency: Option<i64>,
    /// The master, and how many servers are in its list.
    pub list: Option<(SocketAddr, u32)>,
}

impl ExchangeFacts {
    pub fn from_record(record: &ExchangeRecord, flows: &Flows) -> Self {
        let list = record.listed_servers().zip(record.master(flows));
        Self {
            kind: record.kind(),
            state: record.state(),
            game: record.game(),
            latency: record.latency(),
            list: list.map(|(servers, master)| (master, servers)),
        }
    }
}

impl From<&Exchange> for ExchangeFacts {
    fn from(exchange: &Exchange) -> Self {
        let list = exchange.listing().map(|listing| listing.count).zip(exchange.master());
        Self {
            kind: exchange.kind,
            state: exchange.state,
            game: exchange.verdict.game,
            latency: exchange.latency(),
            list: list.map(|(servers, master)| (master, servers)),
        }
    }
}

impl Latencies {
    /// How many exchanges there are.
    pub fn exchanges(&self) -> u64 {
        self.states.values().sum()
    }

    /// How many of them are due an answer.
    pub fn due(&self) -> u64 {
        let is_due = |state: &ExchangeState| {
            !matches!(state, ExchangeState::OneWay | ExchangeState::Unsolicited)
        };
        self.states.iter().filter(|(state, _)| is_due(state)).map(|(_, count)| count).sum()
    }
}

impl ExchangeStatistics {
    pub(super) fn add_exchange(&mut self, facts: &ExchangeFacts) {
        let kind = self.kinds.entry(facts.kind).or_default();
        *kind.states.entry(facts.state).or_default() += 1;
        // Where clocks differ, a response may seem to come before its request.
        if let Some(latency) = facts.latency {
            kind.latency.add_number(u64::try_from(latency).unwrap_or(0));
        }
        let Some((master, servers)) = facts.list else { return };
        if self.masters.len() >= MASTERS && !self.masters.contains_key(&master) {
            self.left_out += 1;
            return;
        }
        let new = || ListSizes { game: facts.game, servers: Histogram::default() };
        self.masters.entry(master).or_insert_with(new).servers.add_number(servers.into());
    }

    /// The exchanges of each kind.
    pub fn kinds(&self) -> impl Iterator<Item = (ExchangeKind, &Latencies)> {
        self.kinds.iter().map(|(kind, latencies)| (*kind, latencies))
    }

    /// All exchanges, if there are several kinds, and those of each kind, by name.
    pub fn rows(&self) -> Vec<(&'static str, &Latencies)> {
        let all = Some(("all", &self.all)).filter(|_| self.kinds.len() > 1);
        all.into_iter().chain(self.kinds().map(|(kind, of)| (kind.name(), of))).collect()
    }

    /// No more exchanges come: adds those of all kinds.
    pub(super) fn finish(&mut self) {
        for latencies in self.kinds.values() {
            self.all.latency.merge(&latencies.latency);
            for (state, count) in &latencies.states {
                *self.all.states.entry(*state).or_default() += count;
            }
        }
    }

    /// The lists of each master, by its address.
    pub fn masters(&self) -> impl ExactSizeIterator<Item = (SocketAddr, &ListSizes)> {
        self.masters.iter().map(|(master, lists)| (*master, lists))
    }

    /// How many lists are of masters that were not kept, because there are too many.
    pub fn lists_left_out(&self) -> u64 {
        self.left_out
    }
}
