//! Builds the index of a session.

use std::net::SocketAddr;
use std::ops::{ControlFlow, Range};
use std::sync::Arc;

use parking_lot::Mutex;

use super::AnalysisIndex;
use super::kept::KeptExchanges;
use super::places::MessagePlaces;
use super::record::ExchangeRecord;
use super::source::IndexBatch;
use crate::ahead::work_ahead_in_order;
use crate::analyzer::Analyzer;
use crate::conclusions::Conclusions;
use crate::exchange::{Exchange, Placement};
use crate::frame_index::FrameIndex;
use crate::hosts::Hosts;
use crate::scan::{ScanMessages, ScanSource};
use crate::session::Session;
use crate::stages::both;
use crate::values::ValueReader;
use capture::PayloadStore;
use flow::Flows;
use text::numbered_lines;

/// Memory limit of the exchanges that are kept, in bytes. The first to end are kept; the rest are
/// only counted.
const EXCHANGES: usize = 96 << 20;
/// How many messages are in a batch.
const BATCH: usize = 128;

/// Builds the index of a session, some messages at a time.
pub struct IndexBuilder {
    source: ScanSource,
    payloads: Arc<PayloadStore>,
    batch: IndexBatch,
    analyzer: Analyzer,
    contents: IndexContents,
}

/// What an index is made of.
struct IndexContents {
    exchanges: KeptExchanges,
    /// The size of the exchanges in memory, in bytes.
    weight: usize,
    /// Exchanges that were not kept.
    left_out: u64,
    /// The messages of exchanges.
    places: MessagePlaces,
    unreadable: u64,
    /// The index of the first message, and how many have been processed.
    first: Option<usize>,
    reach: usize,
}

/// The addresses of servers and masters, in the order in which the index has them.
struct HostOrder {
    servers: Vec<SocketAddr>,
    masters: Vec<SocketAddr>,
}

impl IndexBuilder {
    /// A builder for the messages of a session before `end`, or for those of them that are still
    /// kept; there is room for `count` of them.
    pub fn until(end: usize, count: usize, payloads: Arc<PayloadStore>) -> Self {
        Self {
            source: ScanSource::new(ScanMessages::Range(0..end), true),
            payloads,
            batch: IndexBatch::default(),
            analyzer: Analyzer::with_frames(),
            contents: IndexContents::for_messages(count),
        }
    }

    /// Number of messages that have been processed.
    pub fn processed(&self) -> usize {
        self.contents.reach
    }

    /// Processes up to `messages` more messages; false when there are no more.
    pub fn advance(&mut self, session: &Session, messages: usize) -> bool {
        let Self { source, payloads, batch, analyzer, contents } = self;
        let flows = session.flows();
        let mut reader = ValueReader::new(flows.secrets(), analyzer.needs());
        let (exchanges, conclusions) = analyzer.stages();
        let more = source.begin(session, messages, &mut batch.scanned);
        batch.scanned.read_payloads(payloads);
        batch.read_values(&mut reader);
        batch.place(exchanges, flows);
        contents.add_batch(batch, conclusions, flows);
        more
    }

    /// Processes all messages of a session whose flows are final. The session is locked for short
    /// times; other threads read the next messages while this one analyses some. Calls `seen` with the
    /// number of messages that have been processed.
    pub fn run(
        &mut self,
        threads: usize,
        session: &Mutex<Session>,
        flows: &Flows,
        mut seen: impl FnMut(usize),
    ) {
        let Self { source, payloads, analyzer, contents, .. } = self;
        let payloads = &**payloads;
        let (secrets, needs) = (flows.secrets(), analyzer.needs());
        let (exchanges, conclusions) = analyzer.stages();
        work_ahead_in_order(
            threads,
            |batch: &mut IndexBatch| source.begin_locked(session, BATCH, &mut batch.scanned),
            || {
                let mut reader = ValueReader::new(secrets, needs);
                move |batch: &mut IndexBatch| {
                    batch.scanned.read_payloads(payloads);
                    batch.read_values(&mut reader);
                }
            },
            |batch| batch.place(exchanges, flows),
            |batch| {
                contents.add_batch(batch, conclusions, flows);
                seen(contents.reach);
                ControlFlow::Continue(())
            },
        );
    }

    /// Finishes the index with so many threads, and returns texts that say what it lacks. Calls
    /// `freed` where much memory has been freed; `frames` has the frames of the session's messages
    /// in a range, as far as it keeps them.
    pub fn finish(
        self,
        threads: usize,
        flows: &Flows,
        frames: impl Fn(Range<usize>) -> Vec<Option<u64>> + Sync,
        freed: impl FnOnce(),
    ) -> (AnalysisIndex, Vec<String>) {
        let Self { source, batch, analyzer, contents, .. } = self;
        drop((source, batch));
        contents.finish(threads, analyzer, flows, frames, freed)
    }
}

impl IndexContents {
    /// Empty contents with room for so many messages. Memory that is not used is not taken from the
    /// system, and nothing has to be moved.
    fn for_messages(messages: usize) -> Self {
        let exchanges = messages.min(EXCHANGES / size_of::<ExchangeRecord>());
        Self {
            exchanges: KeptExchanges::for_exchanges(exchanges),
            weight: 0,
            left_out: 0,
            places: MessagePlaces::for_messages(messages),
            unreadable: 0,
            first: None,
            reach: 0,
        }
    }

    /// Adds the messages of a batch, and the exchanges that they have ended.
    fn add_batch(&mut self, batch: &IndexBatch, conclusions: &mut Conclusions, flows: &Flows) {
        conclusions.show(flows.secrets());
        self.unreadable += batch.scanned.unreadable();
        self.reach = batch.scanned.reached;
        for ((index, message), (values, placed)) in batch.messages() {
            let first = *self.first.get_or_insert(index);
            let placement = placed.placement;
            placed.ended.clone().for_each(|exchange| self.keep(exchange));
            conclusions.conclude(&message, values, placed);
            if let Some(Placement { id, step: turn, .. }) = placement {
                self.places.add_message(index - first, id, turn);
            }
        }
    }

    fn finish(
        mut self,
        threads: usize,
        mut analyzer: Analyzer,
        flows: &Flows,
        frames_of: impl Fn(Range<usize>) -> Vec<Option<u64>> + Sync,
        freed: impl FnOnce(),
    ) -> (AnalysisIndex, Vec<String>) {
        analyzer.end_exchanges(flows, |exchange| self.keep(exchange));
        freed();
        let Self { exchanges, places, left_out, unreadable, first, reach, .. } = self;
        let (unplaced, first) = (places.left_out(), first.unwrap_or_default());
        let frames_of = |range: Range<usize>| frames_of(first + range.start..first + range.end);
        let (mut kept, mut frames, mut steps) = (Some((exchanges, places)), None, Vec::new());
        // What takes large blocks of memory, which the system gets back.
        let put_in_order = || {
            let Some((exchanges, places)) = kept.take() else { return };
            let mut exchanges = exchanges.into_sorted();
            let (all, members) = places.into_steps(&mut exchanges, &frames_of);
            (frames, steps) = (Some(FrameIndex::from_members(exchanges, members, unplaced)), all);
        };
        let HostOrder { servers, masters } = both(threads, put_in_order, || {
            analyzer.conclude(flows);
            HostOrder::from_hosts(analyzer.hosts())
        });
        let mut frames = frames.unwrap_or_default();
        frames.add_findings(&analyzer);
        let mut warnings = analyzer.warnings();
        warnings.extend(numbered_lines(&[
            (left_out, "exchanges were not kept: there are too many"),
            (frames.left_out(), "messages have an exchange that is not known: there are too many"),
            (unreadable, "messages could not be read again: no exchange has them"),
        ]));
        let (hosts, registrations) = analyzer.into_hosts();
        let index =
            AnalysisIndex { frames, steps, hosts, registrations, servers, masters, first, reach };
        (index, warnings)
    }

    /// Keeps an exchange that has ended, within the limit.
    fn keep(&mut self, exchange: &Exchange) {
        let record = ExchangeRecord::from_exchange(exchange);
        let weight = self.weight + record.weigh();
        if weight <= EXCHANGES && self.exchanges.keep(exchange.id, record) {
            self.weight = weight;
        } else {
            self.left_out += 1;
        }
    }
}

impl HostOrder {
    fn from_hosts(hosts: &Hosts) -> Self {
        let mut servers = hosts.servers();
        servers.sort_by_key(|server| !server.has_sent());
        let servers = servers.into_iter().map(|server| server.address).collect();
        let masters = hosts.masters().into_iter().map(|master| master.address).collect();
        Self { servers, masters }
    }
}
