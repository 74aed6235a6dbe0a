//! How records are stored: what all messages have, and beside it what few have.

use super::{MessageRecord, RareParts};
use capture::ByteRange;
use flow::FlowId;

/// Number of records in a chunk.
pub(super) const CHUNK: usize = 1 << 12;

/// A record as it is stored. There are millions of these.
#[derive(Debug, Clone, Copy)]
struct StoredRecord {
    time: i64,
    /// The lower bits of its number, of its offset (with those above), of its length and of the
    /// distance to its request.
    number: u32,
    offset: u32,
    length: u16,
    answers: u16,
    offset_above: u8,
    flags: u8,
    flow: FlowId,
    source: u16,
    kind: u16,
    input: u16,
}

/// Flags of a record: it goes the way of its flow; its chunk has more of it.
const FORWARD: u8 = 1;
const MORE: u8 = 2;

/// The rest of a record.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct StoredRest {
    rare: RareParts,
    /// The upper bits of its number, its offset, its length and of the distance to its request.
    number: u32,
    offset: u32,
    length: u16,
    answers: u16,
}

/// Consecutive records. It never grows beyond its size, so no record is ever moved.
#[derive(Debug, Clone)]
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
        let record = self.records.get(at)?;
        Some(u64::from(self.rest_of(at, record).number) << 32 | u64::from(record.number))
    }

    pub fn push(&mut self, record: &MessageRecord) {
        let MessageRecord { number, byte_range, answers, .. } = *record;
        let ByteRange { source, length, offset } = byte_range;
        let rest = StoredRest {
            rare: record.rare,
            number: (number >> 32) as u32,
            offset: (offset >> 40) as u32,
            length: (length >> 16) as u16,
            answers: (answers >> 16) as u16,
        };
        let has_more = rest != StoredRest::default();
        if has_more {
            self.rest.push((self.records.len() as u16, rest));
        }
        self.records.push(StoredRecord {
            time: record.time,
            number: number as u32,
            offset: offset as u32,
            length: length as u16,
            answers: answers as u16,
            offset_above: (offset >> 32) as u8,
            flags: if record.forward { FORWARD } else { 0 } | if has_more { MORE } else { 0 },
            flow: record.flow,
            source,
            kind: record.kind,
            input: record.input,
        });
    }

    pub fn get(&self, at: usize) -> Option<MessageRecord> {
        let record = self.records.get(at)?;
        let rest = self.rest_of(at, record);
        let whole = |upper: u16, lower: u16| u32::from(upper) << 16 | u32::from(lower);
        let offset = u64::from(rest.offset) << 40
            | u64::from(record.offset_above) << 32
            | u64::from(record.offset);
        Some(MessageRecord {
            number: u64::from(rest.number) << 32 | u64::from(record.number),
            time: record.time,
            byte_range: ByteRange {
                source: record.source,
                length: whole(rest.length, record.length),
                offset,
            },
            flow: record.flow,
            answers: whole(rest.answers, record.answers),
            kind: record.kind,
            input: record.input,
            forward: record.flags & FORWARD != 0,
            rare: rest.rare,
        })
    }

    fn rest_of(&self, at: usize, record: &StoredRecord) -> StoredRest {
        if record.flags & MORE == 0 {
            return StoredRest::default();
        }
        let found = self.rest.binary_search_by_key(&at, |(of, _)| usize::from(*of));
        found.ok().and_then(|found| self.rest.get(found)).map(|(_, rest)| *rest).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_small() {
        assert!(size_of::<StoredRecord>() <= 32);
        assert!(size_of::<(u16, StoredRest)>() <= 40);
    }
}
