//! How records are stored: as differences to the first record of their chunk. What few records have is
//! in a list of the chunk.

use smallvec::SmallVec;

use super::{MessageRecord, RareParts};
use capture::ByteRange;
use flow::FlowId;

/// Number of records in a chunk.
pub(super) const CHUNK: usize = 1 << 12;

/// A record as it is stored. There are millions of these, so its numbers are bytes, the lowest first,
/// of which none is aligned.
#[derive(Debug, Clone, Copy, Default)]
struct StoredRecord {
    /// Nanoseconds after the first record of its chunk: 39 hours, or as many before it.
    time: [u8; 6],
    /// Frames after that of the first record.
    number: [u8; 3],
    offset: [u8; 5],
    length: [u8; 2],
    /// The distance to its request.
    answers: [u8; 2],
    /// Its flow, and above that the flags.
    flow: [u8; 3],
    kind: [u8; 2],
    /// The index of its input in the chunk.
    input: u8,
}

/// Flags of a record: it goes the way of its flow; its chunk has more of it.
const FORWARD: u32 = 1 << 23;
const MORE: u32 = 1 << 22;
/// The bits of its flow.
const FLOW: u32 = MORE - 1;

/// The rest of a record.
#[derive(Debug, Clone)]
enum StoredRest {
    Rare(RareParts),
    /// All of it, where a number does not fit.
    Whole(Box<MessageRecord>),
}

/// Consecutive records. It never grows beyond its size, so no record is ever moved.
#[derive(Debug, Clone)]
pub(super) struct RecordChunk {
    /// The time and the frame of the first record.
    base: (i64, u64),
    /// The sources of bytes, with their inputs; mostly one.
    inputs: SmallVec<[(u16, u16); 2]>,
    records: Vec<StoredRecord>,
    /// The positions of records with more, and the rest of them, in order.
    rest: Vec<(u16, StoredRest)>,
}

impl StoredRecord {
    fn pack(record: &MessageRecord, (time, number): (i64, u64), input: u8) -> Self {
        let ByteRange { length, offset, .. } = record.byte_range;
        let has_more = record.rare != RareParts::default();
        let flags = if record.forward { FORWARD } else { 0 } | if has_more { MORE } else { 0 };
        Self {
            time: lowest(record.time.wrapping_sub(time).cast_unsigned()),
            number: lowest(record.number.wrapping_sub(number)),
            offset: lowest(offset),
            length: lowest(length.into()),
            answers: lowest(record.answers.into()),
            flow: lowest((record.flow.0 & FLOW | flags).into()),
            kind: lowest(record.kind.into()),
            input,
        }
    }

    /// The record without its rare parts.
    fn unpack(&self, (time, number): (i64, u64), (source, input): (u16, u16)) -> MessageRecord {
        // The upper bits of the time are those of its sign.
        let after = (whole(self.time) << 16).cast_signed() >> 16;
        MessageRecord {
            number: number.wrapping_add(whole(self.number)),
            time: time.wrapping_add(after),
            byte_range: ByteRange {
                source,
                length: whole(self.length) as u32,
                offset: whole(self.offset),
            },
            flow: FlowId(whole(self.flow) as u32 & FLOW),
            answers: whole(self.answers) as u32,
            kind: whole(self.kind) as u16,
            input,
            forward: self.has(FORWARD),
            rare: RareParts::default(),
        }
    }

    fn has(&self, flag: u32) -> bool {
        whole(self.flow) as u32 & flag != 0
    }
}

/// The lowest bytes of a number.
fn lowest<const N: usize>(number: u64) -> [u8; N] {
    let bytes = number.to_le_bytes();
    bytes.first_chunk().copied().unwrap_or([0; N])
}

/// The number of some bytes.
fn whole<const N: usize>(bytes: [u8; N]) -> u64 {
    let mut number = [0; 8];
    number.iter_mut().zip(bytes).for_each(|(to, byte)| *to = byte);
    u64::from_le_bytes(number)
}

impl RecordChunk {
    pub fn new() -> Self {
        Self {
            base: (0, 0),
            inputs: SmallVec::new(),
            records: Vec::with_capacity(CHUNK),
            rest: Vec::new(),
        }
    }

    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// The frame of a record.
    pub fn number(&self, at: usize) -> Option<u64> {
        let record = self.records.get(at)?;
        match self.rest_of(at, record) {
            Some(StoredRest::Whole(record)) => Some(record.number),
            _ => Some(self.base.1.wrapping_add(whole(record.number))),
        }
    }

    pub fn push(&mut self, record: &MessageRecord) {
        if self.records.is_empty() {
            self.base = (record.time, record.number);
        }
        let stored =
            self.input_of(record).map(|input| StoredRecord::pack(record, self.base, input));
        let fits = |stored: &StoredRecord| {
            self.unpack(stored)
                .is_some_and(|plain| MessageRecord { rare: record.rare, ..plain } == *record)
        };
        let stored = stored.filter(fits);
        let rest = match stored {
            None => Some(StoredRest::Whole(Box::new(*record))),
            Some(stored) => stored.has(MORE).then_some(StoredRest::Rare(record.rare)),
        };
        if let Some(rest) = rest {
            self.rest.push((self.records.len() as u16, rest));
        }
        let empty = StoredRecord { flow: lowest(MORE.into()), ..StoredRecord::default() };
        self.records.push(stored.unwrap_or(empty));
        if self.records.len() == CHUNK {
            self.rest.shrink_to_fit();
        }
    }

    pub fn get(&self, at: usize) -> Option<MessageRecord> {
        let record = self.records.get(at)?;
        match self.rest_of(at, record) {
            None => self.unpack(record),
            Some(StoredRest::Rare(rare)) => {
                Some(MessageRecord { rare: *rare, ..self.unpack(record)? })
            }
            Some(StoredRest::Whole(record)) => Some(**record),
        }
    }

    fn unpack(&self, record: &StoredRecord) -> Option<MessageRecord> {
        Some(record.unpack(self.base, *self.inputs.get(usize::from(record.input))?))
    }

    /// The index of a record's input, which is added; nothing if there are too many.
    fn input_of(&mut self, record: &MessageRecord) -> Option<u8> {
        let input = (record.byte_range.source, record.input);
        let known = self.inputs.iter().position(|known| *known == input);
        let index = u8::try_from(known.unwrap_or(self.inputs.len())).ok()?;
        if known.is_none() {
            self.inputs.push(input);
        }
        Some(index)
    }

    fn rest_of(&self, at: usize, record: &StoredRecord) -> Option<&StoredRest> {
        if !record.has(MORE) {
            return None;
        }
        let found = self.rest.binary_search_by_key(&at, |(of, _)| usize::from(*of));
        found.ok().and_then(|found| self.rest.get(found)).map(|(_, rest)| rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_small() {
        assert!(size_of::<StoredRecord>() <= 24);
        assert!(size_of::<(u16, StoredRest)>() <= 40);
    }
}
