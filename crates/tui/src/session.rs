//! Counters and progress of the session, as the screens show them.

use analysis::{AnalysisIndex, Session};
use flow::FlowId;
use text::{TimeDisplay, Zone};

/// Counters and progress of the session.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SessionSummary {
    pub messages: usize,
    /// How many of them no protocol reads.
    pub unknown: usize,
    /// How many of the oldest are dropped.
    pub gone: usize,
    /// Packets dropped by the kernel and by fragshark, in a live capture.
    pub dropped: Option<[u64; 2]>,
    pub packets: u64,
    pub flows: usize,
    /// The time of the first message, even if it was dropped.
    pub first: Option<i64>,
    /// The time of the first packet of a flow, and of the last message.
    pub first_packet: Option<i64>,
    pub last: Option<i64>,
    /// Bytes read, and the total.
    pub read: u64,
    pub of: Option<u64>,
    pub is_done: bool,
    pub warnings: Vec<String>,
    pub index: IndexProgress,
}

/// The index of exchanges, hosts and findings.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct IndexProgress {
    /// How many messages the last one has, and whether these are all.
    pub reach: Option<usize>,
    pub is_final: bool,
    /// Whether one was requested, and is being built.
    pub is_requested: bool,
    /// The progress of building it, in percent.
    pub percent: usize,
}

/// What has changed with a session's growth.
#[derive(Debug, Clone, Copy)]
pub struct Growth {
    /// Whether these are the first messages.
    pub is_first: bool,
    /// Whether everything has been read now, and was not before.
    pub is_end: bool,
    /// Whether there is a new index.
    pub is_indexed: bool,
}

impl SessionSummary {
    /// The state of a session; `before` is the last one that was taken.
    pub fn new(session: &Session, before: &Self) -> Self {
        let progress = session.progress();
        let reach = session.index().map(AnalysisIndex::reach);
        let is_done = session.is_done();
        Self {
            messages: session.len(),
            unknown: session.unknown(),
            gone: session.gone(),
            dropped: session.counters().map(|c| [c.dropped_by_kernel, c.dropped_by_us]),
            packets: session.packets(),
            flows: session.flows().len(),
            first: session.begin_time(),
            first_packet: session.flows().flow(FlowId(1)).map(|flow| flow.first),
            last: session.len().checked_sub(1).and_then(|last| session.time(last)),
            read: progress.read,
            of: progress.of,
            is_done,
            warnings: session.warnings().to_vec(),
            index: IndexProgress {
                reach,
                is_final: session.is_index_final(),
                is_requested: before.index.is_requested && before.index.reach == reach && !is_done,
                percent: 100 * session.indexed().min(session.len()) / session.len().max(1),
            },
        }
    }

    /// Whether the first and the last message are of different days, in UTC or in a zone.
    pub fn has_days(&self, zone: &Zone) -> bool {
        let ends = self.first.zip(self.last);
        [TimeDisplay::Utc, TimeDisplay::Local].into_iter().any(|times| {
            ends.is_some_and(|(first, last)| times.date(first, zone) != times.date(last, zone))
        })
    }

    /// Takes the state of the session.
    pub fn update(&mut self, session: &Session) -> Growth {
        let before = std::mem::take(self);
        *self = Self::new(session, &before);
        let known = |index: IndexProgress| (index.reach, index.is_final);
        Growth {
            is_first: before.messages == 0 && self.messages > 0,
            is_end: self.is_done && !before.is_done,
            is_indexed: known(self.index) != known(before.index),
        }
    }
}
