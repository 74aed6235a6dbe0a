//! The exchange and the findings of each message, by its frame.

use super::analyzer::Analyzer;
use super::finding::Finding;

/// The maximum number of messages whose exchange is stored, and of different exchanges.
pub(super) const MESSAGES: usize = 1 << 23;
const EXCHANGES: usize = 1 << 19;

/// Exchanges and findings, found by the frames of their messages. `E` is what is kept of an
/// exchange.
#[derive(Debug)]
pub struct FrameIndex<E> {
    exchanges: Vec<E>,
    /// Each frame and the index of its exchange, sorted once all are known.
    members: Vec<(u32, u32)>,
    findings: Vec<Finding>,
    /// Each frame at fault and the index of its finding, sorted.
    faults: Vec<(u32, u32)>,
    /// Messages whose exchange was not stored.
    left_out: u64,
}

impl<E> Default for FrameIndex<E> {
    fn default() -> Self {
        let (exchanges, members) = (Vec::new(), Vec::new());
        Self { exchanges, members, findings: Vec::new(), faults: Vec::new(), left_out: 0 }
    }
}

impl<E: PartialEq> FrameIndex<E> {
    /// Adds an exchange with the frames of its messages. An exchange equal to the one before is
    /// stored once.
    pub fn add_exchange(&mut self, exchange: E, frames: impl Iterator<Item = u64>) {
        let is_known = self.exchanges.last() == Some(&exchange);
        if !is_known && self.exchanges.len() >= EXCHANGES {
            self.left_out += frames.count() as u64;
            return;
        }
        if !is_known {
            self.exchanges.push(exchange);
        }
        self.join(self.exchanges.len() - 1, frames);
    }
}

impl<E> FrameIndex<E> {
    /// An index of exchanges, and of frames with the indices of their exchanges; of so many more
    /// messages the exchange is not known.
    pub(super) fn from_members(
        exchanges: Vec<E>,
        mut members: Vec<(u32, u32)>,
        left_out: u64,
    ) -> Self {
        members.sort_unstable();
        Self { exchanges, members, left_out, ..Self::default() }
    }

    /// Takes the findings of an analyzer that keeps their frames, after the whole input was read.
    pub fn finish(&mut self, analyzer: &Analyzer) {
        self.members.sort_unstable();
        self.add_findings(analyzer);
    }

    /// The same, after all messages of exchanges are sorted.
    pub(super) fn add_findings(&mut self, analyzer: &Analyzer) {
        self.findings = analyzer.findings().into_iter().cloned().collect();
        self.faults = analyzer.faults();
    }

    /// The exchanges.
    pub fn exchanges(&self) -> &[E] {
        &self.exchanges
    }

    /// What is wrong, in the order of the first messages at fault.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// The index of the exchange that the message of a frame belongs to. Of very long exchanges
    /// only the first messages are known.
    pub fn exchange_of(&self, number: u64) -> Option<usize> {
        let number = u32::try_from(number).ok()?;
        let at = self.members.partition_point(|(member, _)| *member < number);
        let found = self.members.get(at).filter(|(member, _)| *member == number);
        found.map(|(_, exchange)| *exchange as usize)
    }

    /// The indices of the findings that name the message of a frame.
    pub fn findings_of(&self, number: u64) -> impl Iterator<Item = usize> {
        let is_before = |(frame, _): &(u32, u32)| u64::from(*frame) < number;
        let faults = self.faults.iter().skip(self.faults.partition_point(is_before));
        let same = faults.take_while(move |(frame, _)| u64::from(*frame) == number);
        same.map(|(_, finding)| *finding as usize)
    }

    /// The frame of each message that belongs to an exchange, and the index of that exchange.
    pub fn members(&self) -> impl Iterator<Item = (u32, u32)> {
        self.members.iter().copied()
    }

    /// The frame of each message at fault, and the index of the finding.
    pub fn faults(&self) -> impl Iterator<Item = (u32, u32)> {
        self.faults.iter().copied()
    }

    /// Number of messages whose exchange was not stored because there are too many.
    pub fn left_out(&self) -> u64 {
        self.left_out
    }

    fn join(&mut self, exchange: usize, frames: impl Iterator<Item = u64>) {
        for frame in frames {
            match u32::try_from(frame) {
                Ok(frame) if self.members.len() < MESSAGES => {
                    self.members.push((frame, exchange as u32));
                }
                _ => self.left_out += 1,
            }
        }
    }
}
