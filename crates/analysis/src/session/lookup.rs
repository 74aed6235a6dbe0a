//! Messages of a session by their frames and times.

use std::ops::Range;

use super::Session;
use flow::FlowId;

impl Session {
    /// The index of the message in frame `number`.
    pub fn find(&self, number: u64) -> Option<usize> {
        self.records.find(number)
    }

    /// When a message came, in nanoseconds since the Unix epoch.
    pub fn time(&self, index: usize) -> Option<i64> {
        self.records.get(index).map(|record| record.time)
    }

    /// The frame of the first message at a time, in nanoseconds since the Unix epoch, or after it;
    /// messages are taken to be in the order of time.
    pub fn number_at(&self, time: i64) -> Option<u64> {
        let (mut low, mut high) = (self.gone(), self.len());
        while low < high {
            let middle = low.midpoint(high);
            if self.time(middle)? < time {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        self.frame_of(low).map(|(number, _)| number)
    }

    /// The frame and the flow of a message.
    pub fn frame_of(&self, index: usize) -> Option<(u64, FlowId)> {
        self.records.get(index).map(|record| (record.number, record.flow))
    }

    /// The frames of the messages in a range, as far as they are kept.
    pub(super) fn frames_of(&self, messages: Range<usize>) -> Vec<Option<u64>> {
        messages.map(|index| self.records.number(index)).collect()
    }
}
