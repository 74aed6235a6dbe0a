//! Compact records of messages, for captures without end: 24 bytes each, only the latest.

mod chunk;
#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::num::NonZeroU32;

use smallvec::SmallVec;

use chunk::{CHUNK, RecordChunk};

use crate::payload::{FrameHeaders, PipelineStep};
use capture::{ByteRange, PayloadStore};
use flow::FlowId;
use protocol::{Entry, MessageId, Part, Validation};
use protocols::{registry, unknown};

/// How many kinds of messages are distinguished.
const KINDS: usize = 1 << 16;
/// How many neighbours are searched for a message that is out of order.
const NEAR: usize = 256;

/// Where a message is and its name when it came.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct MessageRecord {
    pub number: u64,
    pub time: i64,
    pub byte_range: ByteRange,
    pub flow: FlowId,
    /// How many frames before this one its request came; 0 if it answers none.
    pub answers: u32,
    /// Its index in the list of kinds.
    kind: u16,
    /// The index of its input.
    pub input: u16,
    pub forward: bool,
    pub rare: RareParts,
}

/// What few messages have.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct RareParts {
    pub missing: u32,
    /// The number of its TCP connection, truncated to 32 bits.
    pub connection: Option<NonZeroU32>,
    /// Which part of an answer it is.
    pub part: Option<Part>,
    pub fragments: u16,
    pub overlap: bool,
}

/// Data that many messages have in common.
#[derive(Debug, Clone, Copy)]
pub(super) struct RecordClass {
    pub entry: &'static Entry,
    pub name: &'static str,
    pub validation: Option<Validation>,
    pub headers: Option<FrameHeaders>,
}

impl RecordClass {
    /// Whether two classes of one message are the same. Equal names mostly have one address, so that
    /// their bytes need not be compared.
    fn is(&self, other: &Self) -> bool {
        let is_named = std::ptr::eq(self.name, other.name) || self.name == other.name;
        is_named && (self.validation, self.headers) == (other.validation, other.headers)
    }
}

/// The records of all messages.
#[derive(Debug, Clone)]
pub(super) struct MessageRecords {
    /// All but the last one are full; the first one has dropped records too.
    chunks: VecDeque<RecordChunk>,
    /// The time of the first message that has one, even if it was dropped.
    pub begin: Option<i64>,
    /// How many messages no protocol reads, dropped ones included.
    pub unknown: usize,
    /// How many earlier messages were dropped.
    pub gone: usize,
    /// How many of them were dropped because of the limit.
    pub dropped: u64,
    /// How many are kept; beyond that the oldest are dropped.
    pub limit: usize,
    kinds: Vec<RecordClass>,
    /// Indices in the list of kinds, by the number of the message in the registry: most have one.
    indices: Vec<SmallVec<[u16; 8]>>,
}

impl Default for MessageRecords {
    fn default() -> Self {
        Self::keeping(usize::MAX)
    }
}

impl MessageRecords {
    /// An empty list with a limit.
    pub fn keeping(limit: usize) -> Self {
        let (kinds, indices) = (Vec::new(), Vec::new());
        let chunks = VecDeque::new();
        Self { chunks, begin: None, unknown: 0, gone: 0, dropped: 0, limit, kinds, indices }
    }

    /// How many messages there were, dropped ones included.
    pub fn len(&self) -> usize {
        let Some(last) = self.chunks.back() else {
            return self.gone;
        };
        self.dropped_chunks() + (self.chunks.len() - 1) * CHUNK + last.len()
    }

    /// The record at an index among all messages; nothing if it was dropped.
    pub fn get(&self, index: usize) -> Option<MessageRecord> {
        if index < self.gone {
            return None;
        }
        let at = index - self.dropped_chunks();
        self.chunks.get(at / CHUNK)?.get(at % CHUNK)
    }

    /// The index of the message in frame `number`.
    pub fn find(&self, number: u64) -> Option<usize> {
        let (mut low, mut high) = (self.gone, self.len());
        while low < high {
            let middle = low.midpoint(high);
            if self.number(middle)? < number {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        // A message of a stream is complete only after later frames: it is out of order, but
        // usually not far from its position.
        let is_it = |index: &usize| self.number(*index) == Some(number);
        let near = low.saturating_sub(NEAR).max(self.gone)..(low + NEAR).min(self.len());
        Some(low)
            .filter(is_it)
            .or_else(|| near.into_iter().find(is_it))
            .or_else(|| (self.gone..self.len()).find(is_it))
    }

    /// The frame of the message at an index; nothing if it was dropped.
    pub fn number(&self, index: usize) -> Option<u64> {
        let at = index.checked_sub(self.dropped_chunks())?;
        self.chunks.get(at / CHUNK)?.number(at % CHUNK)
    }

    /// How many records were in chunks that were dropped.
    fn dropped_chunks(&self) -> usize {
        self.gone - self.gone % CHUNK
    }

    /// The data that a message has in common with others.
    pub fn kind(&self, record: &MessageRecord) -> Option<&RecordClass> {
        self.kinds.get(usize::from(record.kind))
    }

    /// Adds the message in a payload, if there is one and the spool has its bytes.
    pub fn keep(&mut self, step: &PipelineStep<'_>, payloads: &PayloadStore, lost: &mut u64) {
        let PipelineStep { payload, classified, .. } = step;
        let Some(recognised) = classified.message else {
            return;
        };
        let byte_range = payload.byte_range.or_else(|| payloads.keep(payload.bytes));
        // Messages beyond the spool or the flow table are counted, and reported at the end.
        let (Some(byte_range), true) = (byte_range, classified.flow != FlowId(0)) else {
            *lost += 1;
            return;
        };
        let kind = RecordClass {
            entry: recognised.entry,
            name: recognised.name,
            validation: recognised.validation,
            headers: payload.headers,
        };
        let Some(kind) = self.kind_of(kind) else {
            *lost += 1;
            return;
        };
        self.unknown += usize::from(recognised.entry == unknown::DATAGRAM);
        let before = recognised.answers.map_or(0, |request| payload.meta.number - request);
        let connection = payload.connection.and_then(|number| u32::try_from(number).ok());
        let rare = RareParts {
            missing: payload.missing,
            connection: connection.and_then(NonZeroU32::new),
            part: recognised.part,
            fragments: payload.fragments,
            overlap: payload.overlap,
        };
        self.push(&MessageRecord {
            number: payload.meta.number,
            time: payload.meta.time,
            byte_range,
            flow: classified.flow,
            answers: u32::try_from(before).unwrap_or(0),
            kind,
            input: payload.meta.input,
            forward: classified.forward,
            rare,
        });
        // Only what is written to the spool makes room there.
        if byte_range.source == ByteRange::SPOOL || self.len() - self.gone > self.limit {
            self.forget(payloads);
        }
    }

    fn push(&mut self, record: &MessageRecord) {
        self.begin = self.begin.or(Some(record.time).filter(|time| text::has_time(*time)));
        if self.chunks.back().is_none_or(|last| last.len() == CHUNK) {
            self.chunks.push_back(RecordChunk::new());
        }
        if let Some(last) = self.chunks.back_mut() {
            last.push(record);
        }
    }

    fn kind_of(&mut self, kind: RecordClass) -> Option<u16> {
        // What no protocol reads is in no registry: it comes after all others.
        let known = registry().entries().len();
        let message = registry().id_of(kind.entry).map_or(known, MessageId::index);
        if self.indices.len() <= message {
            self.indices.resize(message + 1, SmallVec::new());
        }
        let of_message = self.indices.get_mut(message)?;
        let kinds = &mut self.kinds;
        let is_it = |at: &&u16| kinds.get(usize::from(**at)).is_some_and(|known| known.is(&kind));
        if let Some(known) = of_message.iter().find(is_it) {
            return Some(*known);
        }
        let index = u16::try_from(kinds.len()).ok().filter(|_| kinds.len() < KINDS)?;
        kinds.push(kind);
        of_message.push(index);
        Some(index)
    }

    /// Drops the oldest if there are too many, or if their payloads are gone.
    fn forget(&mut self, payloads: &PayloadStore) {
        while let Some(oldest) = self.get(self.gone)
            && (self.len() - self.gone > self.limit || !payloads.holds(oldest.byte_range))
        {
            self.dropped += u64::from(payloads.holds(oldest.byte_range));
            self.gone += 1;
            if self.gone.is_multiple_of(CHUNK) {
                self.chunks.pop_front();
            }
        }
    }
}
