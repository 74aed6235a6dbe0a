//! Statistics of a pipeline, message by message.

use std::collections::VecDeque;
use std::net::SocketAddr;

use super::SessionStatistics;
use super::exchanges::ExchangeFacts;
use super::heartbeats::ReportCandidate;
use crate::exchange::Exchange;
use crate::message::MessageHeader;
use protocol::ExchangeKind;

/// How many reports of servers wait for the ends of their exchanges; the oldest of more are counted
/// by their own kind.
const WAITING: usize = 1 << 16;

/// Counts messages as they come, and exchanges as they end. The result is that of
/// [`StatisticsBuilder`](super::StatisticsBuilder) on a session of the same messages.
pub struct StatisticsStream {
    statistics: SessionStatistics,
    /// What may be a heartbeat or a shutdown, in order: only the exchange tells, when it ends.
    waiting: VecDeque<WaitingReport>,
}

/// A message of a server, and the kind and the server of its exchange once that has ended.
struct WaitingReport {
    sent: ReportCandidate,
    is_selected: bool,
    exchange: Option<(ExchangeKind, Option<SocketAddr>)>,
}

impl StatisticsStream {
    /// Nothing is counted yet; `is_selection` says whether only selected messages will be.
    pub fn new(is_selection: bool) -> Self {
        let mut statistics = SessionStatistics { is_selection, ..SessionStatistics::default() };
        statistics.exchanges = Some(super::ExchangeStatistics::default());
        Self { statistics, waiting: VecDeque::new() }
    }

    /// Counts the next message if it is selected.
    pub fn add_message(&mut self, header: &MessageHeader, is_selected: bool) {
        self.statistics.count(header, is_selected);
        if let Some(sent) = ReportCandidate::from_header(header) {
            self.waiting.push_back(WaitingReport { sent, is_selected, exchange: None });
        }
        if self.waiting.len() > WAITING {
            self.report_first();
        }
    }

    /// Counts an exchange that has ended, if one of its messages is selected. All of them were added
    /// before.
    pub fn add_exchange(&mut self, exchange: &Exchange, is_selected: bool) {
        if is_selected {
            self.statistics.add_exchange(&ExchangeFacts::from(exchange));
        }
        for number in exchange.numbers() {
            let from = self.waiting.partition_point(|report| report.sent.number < number);
            let of_frame = self.waiting.iter_mut().skip(from);
            for report in of_frame.take_while(|report| report.sent.number == number) {
                report.exchange = Some((exchange.kind, exchange.server));
            }
        }
        while self.waiting.front().is_some_and(|report| report.exchange.is_some()) {
            self.report_first();
        }
    }

    /// The statistics of what was counted.
    pub fn finish(mut self) -> SessionStatistics {
        while !self.waiting.is_empty() {
            self.report_first();
        }
        self.statistics.finish();
        self.statistics
    }

    fn report_first(&mut self) {
        if let Some(WaitingReport { sent, is_selected, exchange }) = self.waiting.pop_front() {
            self.statistics.heartbeats.add_candidate(&sent, exchange, is_selected);
        }
    }
}
