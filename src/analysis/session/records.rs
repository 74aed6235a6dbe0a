//! Compact records of messages, for captures without end: a few dozen bytes each, only the latest.

use std::collections::{HashMap, VecDeque};
use std::num::NonZeroU32;

use foldhash::fast::RandomState;

use crate::analysis::reassembler::PipelineStep;
use crate::capture::{ByteRange, PayloadStore};
use crate::flow::FlowId;
use crate::protocol::{Entry, MessageId, Part, Validation};
use crate::protocols::registry;

/// How many kinds of messages are distinguished.
const KINDS: usize = 1 << 16;

/// Where a message is and its name when it came. There are millions of these.
#[derive(Debug, Clone, Copy)]
pub(super) struct MessageRecord {
    pub number: u64,
    pub time: i64,
    pub byte_range: ByteRange,
    pub flow: FlowId,
    /// How many frames before this one its request came; 0 if it answers none.
    pub answers: u32,
    pub missing: u32,
    /// The number of its TCP connection, truncated to 32 bits.
    pub connection: Option<NonZeroU32>,
    /// Which part of an answer it is.
    pub part: Option<Part>,
    /// Its index in the list of kinds.
    kind: u16,
    pub fragments: u16,
    /// The index of its input.
    pub input: u16,
    pub overlap: bool,
    pub forward: bool,
}

/// Data that many messages have in common.
#[derive(Debug, Clone, Copy)]
pub(super) struct RecordClass {
    pub entry: &'static Entry,
    pub name: &'static str,
    pub validation: Option<Validation>,
}

/// The records of all messages.
#[derive(Debug)]
pub(super) struct MessageRecords {
    pub all: VecDeque<MessageRecord>,
    /// How many earlier messages were dropped.
    pub gone: usize,
    /// How many of them were dropped because of the limit.
    pub dropped: u64,
    /// How many are kept; beyond that the oldest are dropped.
    pub limit: usize,
    kinds: Vec<RecordClass>,
    /// Indices in the list of kinds, by the index of the entry and by name.
    indices: HashMap<(MessageId, &'static str, Option<Validation>), u16, RandomState>,
}

impl Default for MessageRecords {
    fn default() -> Self {
        Self::keeping(usize::MAX)
    }
}

impl MessageRecords {
    /// An empty list with a limit.
    pub fn keeping(limit: usize) -> Self {
        let (kinds, indices) = (Vec::new(), HashMap::default());
        Self { all: VecDeque::new(), gone: 0, dropped: 0, limit, kinds, indices }
    }

    /// The record at an index among all messages; nothing if it was dropped.
    pub fn get(&self, index: usize) -> Option<&MessageRecord> {
        self.all.get(index.checked_sub(self.gone)?)
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
        };
        let Some(kind) = self.kind_of(kind) else {
            *lost += 1;
            return;
        };
        let before = recognised.answers.map_or(0, |request| payload.meta.number - request);
        let connection = payload.connection.and_then(|number| u32::try_from(number).ok());
        self.all.push_back(MessageRecord {
            number: payload.meta.number,
            time: payload.meta.time,
            byte_range,
            flow: classified.flow,
            answers: u32::try_from(before).unwrap_or(0),
            missing: payload.missing,
            connection: connection.and_then(NonZeroU32::new),
            part: recognised.part,
            kind,
            fragments: payload.fragments,
            input: payload.meta.input,
            overlap: payload.overlap,
            forward: classified.forward,
        });
        self.forget(payloads);
    }

    fn kind_of(&mut self, kind: RecordClass) -> Option<u16> {
        let key = (registry().id_of(kind.entry)?, kind.name, kind.validation);
        if let Some(known) = self.indices.get(&key) {
            return Some(*known);
        }
        let byte_range =
            u16::try_from(self.kinds.len()).ok().filter(|_| self.kinds.len() < KINDS)?;
        self.kinds.push(kind);
        self.indices.insert(key, byte_range);
        Some(byte_range)
    }

    /// Drops the oldest if there are too many, or if their payloads are gone.
    fn forget(&mut self, payloads: &PayloadStore) {
        while let Some(oldest) = self.all.front()
            && (self.all.len() > self.limit || !payloads.holds(oldest.byte_range))
        {
            self.dropped += u64::from(payloads.holds(oldest.byte_range));
            self.all.pop_front();
            self.gone += 1;
        }
    }
}
