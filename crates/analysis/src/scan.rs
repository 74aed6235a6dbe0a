//! Messages of a session that are read again by several threads while others use the session: for
//! filters, searches and sorting. What is done with a message is the caller's.
//!
//! The session is locked to copy the headers of a batch, a fraction of a millisecond; payloads are
//! read without it.

#[cfg(test)]
mod tests;

use std::ops::{ControlFlow, Range};

use parking_lot::{Mutex, MutexGuard};

use super::ahead::work_ahead;
use super::message::{CapturedMessage, MessageHeader};
use super::session::Session;
use capture::{GatheredPayloads, PayloadStore};
use flow::VerdictCache;

/// How many messages are in a batch.
const BATCH: usize = 512;
/// How many bytes of payload, unless its first message has more.
const BYTES: u64 = 1 << 20;

/// Reads messages of a session again.
#[derive(Debug, Clone)]
pub struct SessionScan {
    /// Which messages, in which order.
    pub messages: ScanMessages,
    /// Whether their payloads are read too.
    pub needs_payload: bool,
    /// How many threads may work, the calling one included.
    pub threads: usize,
}

/// Messages of a session, by their indices in it.
#[derive(Debug, Clone)]
pub enum ScanMessages {
    /// Consecutive ones, as far as the session has them when the scan comes to them.
    Range(Range<usize>),
    /// The same from the last one that the session has when the scan begins, back to the first.
    Back(Range<usize>),
    /// These, in this order.
    List(Vec<u32>),
}

impl SessionScan {
    /// Reads the messages in batches. Each thread has a worker of its own, which makes a result of
    /// each batch; what an earlier batch left in the result is the worker's to clear. The calling
    /// thread passes the results to `take`, in order, each with the number of messages so far, until
    /// `take` breaks. Messages that were dropped are skipped.
    ///
    /// While a loader still reads, names are current, not final; a second pass may give other
    /// messages these indices.
    pub fn run<R: Default + Send, W: FnMut(&ScanBatch, &mut R)>(
        self,
        session: &Mutex<Session>,
        worker: impl Fn() -> W + Sync,
        mut take: impl FnMut(&mut R, usize) -> ControlFlow<()>,
    ) {
        let Self { messages, needs_payload, threads } = self;
        let mut source = ScanSource::new(messages, needs_payload);
        let payloads = session.lock().payloads();
        work_ahead(
            threads,
            |(batch, _): &mut (ScanBatch, R)| source.begin_locked(session, BATCH, batch),
            || {
                let mut work = worker();
                let payloads = &*payloads;
                move |(batch, result): &mut (ScanBatch, R)| {
                    batch.read_payloads(payloads);
                    work(batch, result);
                }
            },
            |(batch, result)| take(result, batch.reached),
        );
    }
}

/// Gives the messages of a session in batches.
pub(super) struct ScanSource {
    messages: ScanMessages,
    needs_payload: bool,
    /// The verdicts on flows, once these are final.
    verdicts: Option<VerdictCache>,
    /// How many messages have been passed.
    next: usize,
}

/// Some messages of a session, in the order of the scan.
#[derive(Default)]
pub struct ScanBatch {
    headers: Vec<(usize, MessageHeader)>,
    payloads: GatheredPayloads,
    needs_payload: bool,
    /// How many messages of the scan have been passed after this batch.
    pub(super) reached: usize,
}

impl ScanSource {
    pub fn new(messages: ScanMessages, needs_payload: bool) -> Self {
        Self { messages, needs_payload, verdicts: None, next: 0 }
    }

    /// Begins a batch with the headers of up to `messages` messages; false when there are no more.
    /// The session is locked meanwhile.
    pub fn begin_locked(
        &mut self,
        session: &Mutex<Session>,
        messages: usize,
        batch: &mut ScanBatch,
    ) -> bool {
        let session = session.lock();
        let more = self.begin(&session, messages, batch);
        // Who waits for the session gets it before this thread begins the next batch.
        MutexGuard::unlock_fair(session);
        more
    }

    /// The same with a session that is locked.
    pub fn begin(&mut self, session: &Session, messages: usize, batch: &mut ScanBatch) -> bool {
        if session.is_done() {
            self.verdicts.get_or_insert_default();
        }
        batch.headers.clear();
        batch.needs_payload = self.needs_payload;
        let (begin, end) = self.messages.held(session, self.next);
        let until = begin.saturating_add(messages).min(end);
        let (mut at, mut bytes) = (begin, 0);
        while at < until && (bytes <= BYTES || !self.needs_payload) {
            let index = self.messages.index(at);
            let header = index.and_then(|index| {
                Some((index, session.header_with(self.verdicts.as_mut(), index)?))
            });
            bytes += header.map_or(0, |(_, header)| u64::from(header.length));
            batch.headers.extend(header);
            at += 1;
        }
        self.next = at;
        batch.reached = at;
        at < end
    }
}

impl ScanMessages {
    /// Where those begin and end that the session has, at or behind `next`.
    fn held(&mut self, session: &Session, next: usize) -> (usize, usize) {
        match self {
            Self::Range(range) => {
                let end = range.end.min(session.len()).saturating_sub(range.start);
                let begin = next.max(session.gone().saturating_sub(range.start));
                (begin.min(end).max(next), end)
            }
            Self::Back(range) => {
                range.end = range.end.min(session.len());
                // The oldest ones come last.
                let held = range.end.saturating_sub(range.start.max(session.gone()));
                (next, held.max(next))
            }
            Self::List(list) => (next, list.len()),
        }
    }

    /// The index of the message at a position of the scan.
    fn index(&self, at: usize) -> Option<usize> {
        match self {
            Self::Range(range) => range.start.checked_add(at),
            Self::Back(range) => range.end.checked_sub(at + 1),
            Self::List(list) => list.get(at).map(|index| *index as usize),
        }
    }
}

impl ScanBatch {
    /// Reads the payloads, if they are needed.
    pub(super) fn read_payloads(&mut self, payloads: &PayloadStore) {
        if self.needs_payload {
            let ranges = self.headers.iter().map(|(_, header)| header.byte_range);
            self.payloads.read_payloads(payloads, ranges);
        }
    }

    /// The messages with their indices in the session. The payload is empty if it is not needed, or
    /// cannot be read again.
    pub fn messages(&self) -> impl Iterator<Item = (usize, CapturedMessage<'_>)> {
        self.headers.iter().enumerate().map(|(at, (index, header))| {
            let payload = self.payload(at).unwrap_or_default();
            (*index, CapturedMessage { header: *header, payload })
        })
    }

    /// Those whose payloads could be read again.
    pub(super) fn readable(&self) -> impl Iterator<Item = (usize, CapturedMessage<'_>)> {
        self.headers.iter().enumerate().filter_map(|(at, (index, header))| {
            let payload = self.payload(at)?;
            Some((*index, CapturedMessage { header: *header, payload }))
        })
    }

    /// The time of the last message, in nanoseconds since the Unix epoch.
    pub(super) fn end(&self) -> Option<i64> {
        Some(self.headers.last()?.1.time)
    }

    /// How many payloads could not be read again.
    pub(super) fn unreadable(&self) -> u64 {
        (0..self.headers.len()).filter(|at| self.payload(*at).is_none()).count() as u64
    }

    fn payload(&self, at: usize) -> Option<&[u8]> {
        self.payloads.get(at).filter(|_| self.needs_payload)
    }
}
