//! Statistics of a session, some messages at a time.

use std::sync::Arc;

use super::SessionStatistics;
use super::exchanges::ExchangeFacts;
use crate::index::AnalysisIndex;
use crate::session::Session;
use flow::VerdictCache;

/// Counts the messages of a session and then the exchanges of its index, some at a time.
pub struct StatisticsBuilder {
    statistics: SessionStatistics,
    selected: Option<SelectedMessages>,
    /// The session index of the next message.
    next: usize,
    /// What is to be counted; `None` before the first step.
    source: Option<CountedSource>,
    cache: VerdictCache,
}

/// What is to be counted of a session.
struct CountedSource {
    /// How many messages it had at the beginning.
    messages: usize,
    index: Option<Arc<AnalysisIndex>>,
    /// The next exchange.
    exchange: usize,
}

/// Selected messages: a bit for each message, by its session index.
struct SelectedMessages(Vec<u64>);

impl StatisticsBuilder {
    /// Statistics of these messages, by their session indices, in order; without them, of all.
    pub fn new(selected: Option<Vec<u32>>) -> Self {
        let is_selection = selected.is_some();
        Self {
            statistics: SessionStatistics { is_selection, ..SessionStatistics::default() },
            selected: selected.map(|selected| SelectedMessages::new(&selected)),
            next: 0,
            source: None,
            cache: VerdictCache::default(),
        }
    }

    /// Counts up to `count` more messages or exchanges; false when there are no more. The session is
    /// locked meanwhile; some thousands take a few milliseconds.
    pub fn advance(&mut self, session: &Session, count: usize) -> bool {
        let source = self.source.get_or_insert_with(|| CountedSource {
            messages: session.len(),
            index: session.shared_index(),
            exchange: 0,
        });
        if self.next == 0 {
            self.next = session.gone();
        }
        let index = source.index.as_deref();
        let end = source.messages.min(self.next.saturating_add(count));
        let mut left = count;
        for at in self.next..end {
            // Before everything has been read, verdicts still change.
            let cache = session.is_done().then_some(&mut self.cache);
            let header = session.header_with(cache, at);
            left -= 1;
            let Some(header) = header else { continue };
            let is_selected = self.selected.as_ref().is_none_or(|selected| selected.has(at));
            self.statistics.add_message((&header, is_selected), || {
                let index = index?;
                let exchange = index.exchanges().get(index.exchange_of(header.number)?)?;
                Some((exchange.kind(), exchange.server(session.flows())))
            });
        }
        self.next = self.next.max(end);
        let Some(index) = index else {
            return self.next < source.messages;
        };
        self.statistics.exchanges.get_or_insert_default();
        let exchanges = index.exchanges();
        let end = exchanges.len().min(source.exchange + left);
        for at in source.exchange..end {
            let is_selected = |selected: &SelectedMessages| {
                index.messages_of(at).any(|message| selected.has(message))
            };
            if self.selected.as_ref().is_none_or(is_selected)
                && let Some(record) = exchanges.get(at)
            {
                self.statistics.add_exchange(&ExchangeFacts::from_record(record, session.flows()));
            }
        }
        source.exchange = end;
        self.next < source.messages || end < exchanges.len()
    }

    /// The statistics of what was counted.
    pub fn finish(mut self) -> SessionStatistics {
        self.statistics.finish();
        self.statistics
    }
}

impl SelectedMessages {
    /// The messages with these session indices, in order.
    fn new(all: &[u32]) -> Self {
        let words = all.last().map_or(0, |last| *last as usize / 64 + 1);
        let mut bits = vec![0_u64; words];
        for message in all {
            if let Some(word) = bits.get_mut(*message as usize / 64) {
                *word |= 1 << (message % 64);
            }
        }
        Self(bits)
    }

    fn has(&self, message: usize) -> bool {
        self.0.get(message / 64).is_some_and(|word| word >> (message % 64) & 1 == 1)
    }
}
