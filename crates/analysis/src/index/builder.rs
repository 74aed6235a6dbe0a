//! Builds the index of a session.

use std::net::SocketAddr;
use std::ops::ControlFlow;
use std::sync::Arc;

use parking_lot::Mutex;

use super::AnalysisIndex;
use super::kept::KeptExchanges;
use super::record::{ExchangeRecord, StepRecord};
use super::source::IndexBatch;
use crate::ahead::work_ahead_in_order;
use crate::analyzer::Analyzer;
use crate::conclusions::Conclusions;
use crate::exchange::{Exchange, Placement, STEPS};
use crate::frame_index::{FrameIndex, MESSAGES};
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
const BATCH: usize = 256;

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
    /// The messages of exchanges, in order.
    placed: Vec<StepOfExchange>,
    /// Messages beyond them.
    unplaced: u64,
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

/// A message in its exchange.
struct StepOfExchange {
    step: StepRecord,
    /// Its frame, and the number of its exchange.
    frame: u32,
    exchange: u32,
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

    /// Finishes the index with so many threads, and returns texts that say what it lacks.
    pub fn finish(self, threads: usize, flows: &Flows) -> (AnalysisIndex, Vec<String>) {
        self.contents.finish(threads, self.analyzer, flows)
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
            placed: Vec::with_capacity(messages.min(MESSAGES)),
            unplaced: 0,
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
            let (number, placement) = (message.header.number, placed.placement);
            conclusions.conclude(&message, values, placed, |exchange| self.keep(exchange));
            let Some(Placement { id, step: turn, .. }) = placement else { continue };
            let step = StepRecord::new(index - first, turn);
            let frame = u32::try_from(number).ok();
            let exchange = u32::try_from(id).ok();
            match (step, frame, exchange) {
                (Some(step), Some(frame), Some(exchange)) if self.placed.len() < MESSAGES => {
                    self.placed.push(StepOfExchange { step, frame, exchange });
                }
                _ => self.unplaced += 1,
            }
        }
    }

    fn finish(
        mut self,
        threads: usize,
        mut analyzer: Analyzer,
        flows: &Flows,
    ) -> (AnalysisIndex, Vec<String>) {
        analyzer.end_exchanges(flows);
        analyzer.ended().for_each(|exchange| self.keep(exchange));
        let Self { exchanges, placed, left_out, unplaced, unreadable, first, reach, .. } = self;
        let (mut kept, mut frames, mut steps) = (Some((exchanges, placed)), None, Vec::new());
        // What takes large blocks of memory, which the system gets back.
        let put_in_order = || {
            let Some((exchanges, placed)) = kept.take() else { return };
            let mut exchanges = exchanges.into_sorted();
            let (all, members) = steps_and_members(&mut exchanges, placed);
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
        let first = first.unwrap_or_default();
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

/// The steps of the exchanges, one exchange after the other, and the frame of each with the index
/// of its exchange. Of a long exchange only the first messages are steps.
fn steps_and_members(
    exchanges: &mut [ExchangeRecord],
    mut placed: Vec<StepOfExchange>,
) -> (Vec<StepRecord>, Vec<(u32, u32)>) {
    let last = exchanges.iter().map(ExchangeRecord::id).max().unwrap_or(0) as usize;
    let mut positions = vec![u32::MAX; last + 1];
    for (at, exchange) in (0..).zip(exchanges.iter()) {
        if let Some(position) = positions.get_mut(exchange.id() as usize) {
            *position = at;
        }
    }
    let position = |placed: &StepOfExchange| {
        positions.get(placed.exchange as usize).copied().filter(|at| *at != u32::MAX)
    };
    let mut counts = vec![0; exchanges.len()];
    placed.retain_mut(|placed| {
        let Some(at) = position(placed) else { return false };
        let is_step = counts.get_mut(at as usize).is_some_and(|count: &mut u32| {
            *count += 1;
            *count <= STEPS as u32
        });
        placed.exchange = at;
        is_step
    });
    let mut begin = 0;
    for (exchange, count) in exchanges.iter_mut().zip(&mut counts) {
        exchange.steps = begin;
        begin += (*count).min(STEPS as u32);
        // From now on, the position of the next step.
        *count = exchange.steps;
    }
    let mut steps = vec![StepRecord::default(); placed.len()];
    for StepOfExchange { step, exchange, .. } in &placed {
        let Some(next) = counts.get_mut(*exchange as usize) else { continue };
        if let Some(slot) = steps.get_mut(*next as usize) {
            *slot = *step;
        }
        *next += 1;
    }
    let members = placed.into_iter().map(|placed| (placed.frame, placed.exchange)).collect();
    (steps, members)
}
