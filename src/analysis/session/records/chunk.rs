//! How records are stored: what all messages have, and beside it what few have.

use super::{MessageRecord, RareParts};
use crate::capture::ByteRange;
use crate::flow::FlowId;

/// Number of records in a chunk.
pub(super) const CHUNK: usize = 1 << 12;

/// A record as it is stored. There are millions of these.
#[derive(Debug, Clone, Copy)]
struct StoredRecord {
    number: u64,
    time: i64,
    offset: u64,
    flow: FlowId,
    /// The lower bits of its length, and of the distance to its request.
    length: u16,
    answers: u16,
    source: u16,
    kind: u16,
    input: u16,
    forward: bool,
    /// Whether its chunk has more of it.
    has_more: bool,
}

/// The rest of a record.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct StoredRest {
    rare: RareParts,
    /// The upper bits of its length, and of the distance to its request.
    length: u16,
    answers: u16,
}

/// Consecutive records. It never grows beyond its size, so no record is ever moved.
#[derive(Debug)]
pub(super) struct RecordChunk {
    records: Vec<StoredRecord>,
    /// The positions of records with more, and the rest of them, in order.
    rest: Vec<(u16, StoredRest)>,
}

impl RecordChunk {
    pub fn new() -> Self {
        Self { records: Vec::with_capacity(CHUNK), rest: Vec::new() }
    }

    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// The frame of a record.
    pub fn number(&self, at: usize) -> Option<u64> {
        Some(self.records.get(at)?.number)
    }

    pub fn push(&mut self, record: &MessageRecord) {
        let MessageRecord { byte_range, answers, .. } = *record;
        let rest = StoredRest {
            rare: record.rare,
            length: (byte_range.length >> 16) as u16,
            answers: (answers >> 16) as u16,
        };
        let has_more = rest != StoredRest::default();
        if has_more {
            self.rest.push((self.records.len() as u16, rest));
        }
        self.records.push(StoredRecord {
            number: record.number,
            time: record.time,
            offset: byte_range.offset,
            flow: record.flow,
            length: byte_range.length as u16,
            answers: answers as u16,
            source: byte_range.source,
            kind: record.kind,
            input: record.input,
            forward: record.forward,
            has_more,
        });
    }

    pub fn get(&self, at: usize) -> Option<MessageRecord> {
        let record = self.records.get(at)?;
        let rest = if record.has_more { self.rest_of(at) } else { StoredRest::default() };
        let whole = |upper: u16, lower: u16| u32::from(upper) << 16 | u32::from(lower);
        Some(MessageRecord {
            number: record.number,
            time: record.time,
            byte_range: ByteRange {
                source: record.source,
                length: whole(rest.length, record.length),
                offset: record.offset,
            },
            flow: record.flow,
            answers: whole(rest.answers, record.answers),
            kind: record.kind,
            input: record.input,
            forward: record.forward,
            rare: rest.rare,
        })
    }

    fn rest_of(&self, at: usize) -> StoredRest {
        let found = self.rest.binary_search_by_key(&at, |(of, _)| usize::from(*of));
        found.ok().and_then(|found| self.rest.get(found)).map(|(_, rest)| *rest).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_small() {
        assert!(size_of::<StoredRecord>() <= 40);
        assert!(size_of::<(u16, StoredRest)>() <= 40);
    }
}
