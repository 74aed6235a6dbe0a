//! Numbers on messages for charts: messages over time, heartbeats, latencies, list sizes, and the
//! shares of games.
//!
//! Messages come in order, and each is counted once. Memory does not grow with their number: time is
//! divided into a limited number of buckets, numbers into a limited number of classes, and hosts
//! beyond a limit are counted as left out. Nothing here reads a capture: [`StatisticsBuilder`] takes
//! headers and the analysis index from a session, [`StatisticsStream`] what a pipeline passes on.

mod bins;
mod builder;
mod exchanges;
mod games;
mod heartbeats;
mod histogram;
mod stream;
#[cfg(test)]
mod tests;
mod time_buckets;

use std::net::SocketAddr;

use super::message::MessageHeader;
use protocol::ExchangeKind;

pub use bins::NumberBin;
pub use builder::StatisticsBuilder;
pub use exchanges::{ExchangeStatistics, Latencies, ListSizes};
pub use games::{GameCounts, GameStatistics};
pub use heartbeats::{HeartbeatMarks, HeartbeatSeries, HeartbeatStatistics};
pub use histogram::Histogram;
pub use stream::StatisticsStream;

use exchanges::ExchangeFacts;
use heartbeats::ReportCandidate;

/// Numbers on selected messages.
#[derive(Debug, Clone, Default)]
pub struct SessionStatistics {
    /// Whether only selected messages count.
    pub is_selection: bool,
    /// How many messages there are, and bytes of payload.
    pub messages: u64,
    /// Their payload bytes.
    pub bytes: u64,
    /// Counts by game.
    pub games: GameStatistics,
    /// Intervals between heartbeats.
    pub heartbeats: HeartbeatStatistics,
    /// Exchanges with a selected message; `None` if exchanges are not known.
    pub exchanges: Option<ExchangeStatistics>,
    /// The time of the last message of all.
    end: Option<i64>,
}

impl SessionStatistics {
    /// Counts the next message if it is selected; `exchange` is the kind and the server of its
    /// exchange, if known. Of other messages only the time matters: whether a heartbeat is late
    /// depends on the one before, selected or not.
    fn add_message(
        &mut self,
        (header, is_selected): (&MessageHeader, bool),
        exchange: impl FnOnce() -> Option<(ExchangeKind, Option<SocketAddr>)>,
    ) {
        self.count(header, is_selected);
        if let Some(sent) = ReportCandidate::from_header(header) {
            self.heartbeats.add_candidate(&sent, exchange(), is_selected);
        }
    }

    /// The same without what the message reports.
    fn count(&mut self, header: &MessageHeader, is_selected: bool) {
        self.end = self.end.max(Some(header.time));
        if is_selected {
            self.messages += 1;
            self.bytes += u64::from(header.length);
            self.games.add_message(header);
        }
    }

    fn add_exchange(&mut self, facts: &ExchangeFacts) {
        self.exchanges.get_or_insert_default().add_exchange(facts);
    }

    /// Everything has been counted.
    fn finish(&mut self) {
        self.games.finish();
        if let Some(end) = self.end {
            self.heartbeats.finish(end);
        }
        if let Some(exchanges) = &mut self.exchanges {
            exchanges.finish();
        }
    }
}
