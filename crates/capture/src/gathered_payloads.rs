//! Many payloads that are read again at once, with few large reads.

use std::ops::Range;

use super::{ByteRange, PayloadStore};

/// How many bytes between two ranges are read too, so that one read gives both.
const GAP: u64 = 8 << 10;
/// How many bytes one read gives, unless a range has more.
const READ: u64 = 256 << 10;

/// The bytes of several ranges, in the order in which they were asked for.
#[derive(Default)]
pub struct GatheredPayloads {
    bytes: Vec<u8>,
    /// Where the bytes of each range are; `None` if they cannot be read.
    found: Vec<Option<Range<usize>>>,
    /// The ranges with their positions in the order, by source and offset.
    sorted: Vec<(ByteRange, usize)>,
}

impl GatheredPayloads {
    /// Replaces the content by the bytes of these ranges, which may be anywhere.
    pub fn read_payloads(
        &mut self,
        payloads: &PayloadStore,
        ranges: impl Iterator<Item = Option<ByteRange>>,
    ) {
        let Self { bytes, found, sorted } = self;
        sorted.clear();
        found.clear();
        for (at, range) in ranges.enumerate() {
            found.push(None);
            sorted.extend(range.map(|range| (range, at)));
        }
        sorted.sort_unstable_by_key(|(range, _)| (range.source, range.offset));
        let mut filled = 0;
        let is_near = |(before, _): &(ByteRange, usize), (range, _): &(ByteRange, usize)| {
            range.source == before.source && range.offset <= before.end() + GAP
        };
        for near in sorted.chunk_by(is_near) {
            let mut rest = near;
            while let Some((first, _)) = rest.first() {
                // Offsets only grow: so many of the ranges fit into one read.
                let fits = |(range, _): &(ByteRange, usize)| range.end() - first.offset <= READ;
                let count = rest.iter().take_while(|range| fits(range)).count().max(1);
                let (together, others) = rest.split_at(count);
                rest = others;
                let end = together.iter().map(|(range, _)| range.end()).max();
                let length = (end.unwrap_or(first.offset) - first.offset) as usize;
                let begin = filled;
                filled += length;
                if bytes.len() < filled {
                    bytes.resize(filled, 0);
                }
                let Some(part) = bytes.get_mut(begin..filled) else { continue };
                let is_whole = payloads.read_exact(first.source, first.offset, part).is_ok();
                for (range, at) in together {
                    let offset = (range.offset - first.offset) as usize;
                    let within = offset..offset + range.length as usize;
                    let is_read = is_whole
                        || part.get_mut(within.clone()).is_some_and(|part| {
                            payloads.read_exact(range.source, range.offset, part).is_ok()
                        });
                    if let Some(found) = found.get_mut(*at).filter(|_| is_read) {
                        *found = Some(begin + within.start..begin + within.end);
                    }
                }
            }
        }
    }

    /// The bytes of the range at this position; `None` if they could not be read.
    #[inline]
    pub fn get(&self, at: usize) -> Option<&[u8]> {
        self.bytes.get(self.found.get(at)?.clone()?)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::payload_store::HeldInput;
    use super::*;

    /// A byte of an input.
    fn byte(source: u16, at: u64) -> u8 {
        (at % 251) as u8 ^ source as u8
    }

    fn compare(payloads: &PayloadStore, ranges: &[ByteRange]) -> usize {
        let mut gathered = GatheredPayloads::default();
        let (mut whole, mut read) = (Vec::new(), 0);
        for few in ranges.chunks(37).chain([ranges]) {
            gathered.read_payloads(payloads, few.iter().copied().map(Some));
            for (at, range) in few.iter().enumerate() {
                let should =
                    payloads.read_range(*range, &mut whole).ok().map(|()| whole.as_slice());
                assert!(gathered.get(at) == should, "{range:?}");
                read += usize::from(should.is_some());
            }
            assert_eq!(gathered.get(few.len()), None);
        }
        read
    }

    #[test]
    fn ranges_anywhere_have_the_bytes_that_the_store_reads() {
        let size = 2 * READ + 11;
        let input = |source| HeldInput::Memory((0..size).map(|at| byte(source, at)).collect());
        let payloads = PayloadStore::new((0..3).map(|source| Some(input(source))).collect(), 0);
        let mut ranges = Vec::new();
        for offset in (0..size).step_by(5_003).chain([7, size - 1, 0]).chain((0..900).rev()) {
            for source in 0..4 {
                let length = (offset as u32 * 7) % 70_000;
                ranges.push(ByteRange { source, length, offset });
            }
        }
        let read = compare(&payloads, &ranges);
        // Those of the fourth input do not exist, and some go on behind the end.
        assert!(read > ranges.len() && read < 3 * ranges.len() / 2, "{read}");
    }

    #[test]
    fn a_range_that_is_not_there_leaves_others() {
        let inputs = vec![Some(HeldInput::Memory(Arc::from(&b"0123456789"[..])))];
        let payloads = PayloadStore::new(inputs, 0);
        let at = |offset, length| Some(ByteRange { source: 0, length, offset });
        let mut gathered = GatheredPayloads::default();
        gathered
            .read_payloads(&payloads, [at(8, 4), None, at(2, 3), at(9, 0), at(0, 10)].into_iter());
        let all: Vec<_> = (0..5).map(|at| gathered.get(at)).collect();
        assert_eq!(all, [None, None, Some(&b"234"[..]), Some(b""), Some(b"0123456789")]);
    }

    #[test]
    fn the_spool_is_read_in_its_file_and_in_memory() {
        for (limit, is_ring) in [(u64::MAX, false), (300_000, true)] {
            let payloads = PayloadStore::spool_only(limit);
            if is_ring {
                payloads.make_ring();
            }
            let payload = |n: u32| n.to_be_bytes().repeat(997);
            let mut ranges = Vec::new();
            for n in 0..600 {
                ranges.push(payloads.keep(&payload(n)).unwrap());
                // Some are read while others come.
                if n % 100 == 3 {
                    compare(&payloads, &ranges);
                }
            }
            let read = compare(&payloads, &ranges);
            assert!(read > 120 && is_ring == (read < 2 * ranges.len()), "{read}");
        }
    }
}
