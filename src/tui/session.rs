//! Counters and progress of the session, as the screens show them.

use crate::analysis::{AnalysisIndex, Session};

/// Counters and progress of the session.
#[derive(Debug, Clone, Default)]
pub struct SessionSummary {
    pub messages: usize,
    /// How many of the oldest are dropped.
    pub gone: usize,
    /// Packets dropped by the kernel and by fragshark, in a live capture.
    pub dropped: Option<[u64; 2]>,
    pub packets: u64,
    pub flows: usize,
    /// The time of the first message.
    pub first: Option<i64>,
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
    /// Takes the state of the session.
    pub fn update(&mut self, session: &Session) -> Growth {
        let (was_empty, was_done, before) = (self.messages == 0, self.is_done, self.index);
        self.messages = session.len();
        self.gone = session.gone();
        self.dropped = session.counters().map(|c| [c.dropped_by_kernel, c.dropped_by_us]);
        self.packets = session.packets();
        self.flows = session.flows().len();
        self.is_done = session.is_done();
        let progress = session.progress();
        (self.read, self.of) = (progress.read, progress.of);
        if self.warnings.len() != session.warnings().len() {
            self.warnings = session.warnings().to_vec();
        }
        let is_first = was_empty && self.messages > 0;
        if is_first {
            self.first = session.header(session.gone()).map(|header| header.time);
        }
        let reach = session.books().map(AnalysisIndex::reach);
        self.index = IndexProgress {
            reach,
            is_final: session.is_settled(),
            is_requested: before.is_requested && before.reach == reach && !self.is_done,
            percent: 100 * session.booked().min(session.len()) / session.len().max(1),
        };
        let known = |index: IndexProgress| (index.reach, index.is_final);
        let is_indexed = known(self.index) != known(before);
        Growth { is_first, is_end: self.is_done && !was_done, is_indexed }
    }

    /// Whether all messages are known only after more has been read.
    pub fn is_live(&self) -> bool {
        self.of.is_none()
    }
}
