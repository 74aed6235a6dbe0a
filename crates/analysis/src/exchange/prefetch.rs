//! Reads the memory of exchanges shortly before they are needed, several at once: waiting for all
//! takes little longer than for one.

use std::hint::black_box;

use super::Exchange;
use super::ended::EndedExchanges;
use super::open::OpenExchange;
use super::pairing::Exchanges;

/// How many exchanges of each queue of timers are read: about those that a batch of messages ends.
const QUEUED: usize = 256;

impl EndedExchanges {
    /// Reads the memory of all of them, which another thread has written.
    pub fn prefetch(&self) {
        black_box(self.range(0..self.len()).fold(0, |sum, exchange| sum ^ exchange.touch()));
    }
}

impl Exchanges {
    /// Reads the memory of exchanges that probably end before a time, in nanoseconds since the Unix
    /// epoch.
    pub fn prefetch(&self, end: i64) {
        let ending = self.timers.queued_before(end, QUEUED).filter_map(|slot| self.get(slot));
        black_box(ending.fold(0, |sum, open| sum ^ open.touch()));
    }
}

impl Exchange {
    /// Reads fields from all parts of its memory; the sum has no meaning.
    fn touch(&self) -> u64 {
        let Self { id, begin, requester, server, last, bytes: [requests, _], .. } = self;
        let ends = requester.port() ^ server.map_or(0, |server| server.port());
        let steps = self.steps.first().map_or(0, |step| step.number);
        let rest = self.observed_for ^ *last ^ i64::from(self.messages);
        id ^ begin.number ^ u64::from(ends) ^ requests ^ steps ^ rest.cast_unsigned()
    }
}

impl OpenExchange {
    /// Reads fields from all parts of its memory; the sum has no meaning.
    fn touch(&self) -> u64 {
        self.exchange.touch() ^ self.generation ^ self.keys.len() as u64
    }
}
