//! Blocks of the spool that were read: what is read again in nearly the order in which it was kept is
//! read with few reads.

use std::io;

use super::{ByteRange, PayloadStore};

/// How many bytes are read at a time, and how many blocks are kept.
const BLOCK: u64 = 32 << 10;
const BLOCKS: usize = 32;

/// The latest blocks of the spool of one store.
#[derive(Default)]
pub struct SpoolBlocks {
    /// By their number, the latest last.
    blocks: Vec<(u64, Vec<u8>)>,
    /// The last range that is in no block of its own.
    range: Vec<u8>,
}

impl SpoolBlocks {
    /// The bytes of a range of the spool.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or if the store never returned the range.
    pub fn read_range(&mut self, store: &PayloadStore, range: ByteRange) -> io::Result<&[u8]> {
        let number = range.offset / BLOCK;
        let begin = (range.offset % BLOCK) as usize;
        let within = begin..begin + range.length as usize;
        if within.end as u64 > BLOCK || !self.fetch(store, number)? {
            store.read_range(range, &mut self.range)?;
            return Ok(&self.range);
        }
        let block = self.blocks.last().and_then(|(_, block)| block.get(within));
        Ok(block.unwrap_or_default())
    }

    /// Forgets all, because the store was cleared.
    pub fn clear(&mut self) {
        self.blocks.clear();
    }

    /// Makes a block the last of those that are kept; false if the file does not have all of it.
    fn fetch(&mut self, store: &PayloadStore, number: u64) -> io::Result<bool> {
        if let Some(at) = self.blocks.iter().rposition(|(known, _)| *known == number) {
            if let Some(later) = self.blocks.get_mut(at..) {
                later.rotate_left(1);
            }
            return Ok(true);
        }
        let is_full = self.blocks.len() >= BLOCKS;
        let mut block = if is_full { self.blocks.remove(0).1 } else { vec![0; BLOCK as usize] };
        let is_there = store.read_spooled(number * BLOCK, &mut block)?;
        if is_there {
            self.blocks.push((number, block));
        }
        Ok(is_there)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_have_the_bytes_that_the_store_reads() {
        let store = PayloadStore::spool_only(u64::MAX);
        let mut blocks = SpoolBlocks::default();
        let (mut other, mut ranges) = (Vec::new(), Vec::new());
        for n in 0..3_000_u32 {
            let length = if n % 500 == 7 { 70_000 } else { n as usize % 1_500 };
            ranges.push(store.keep(&n.to_be_bytes().repeat(length / 4)).unwrap());
            // In order, from behind, and from anywhere.
            for at in [n / 2, n, n * 211 % (n + 1)] {
                let range = ranges[at as usize];
                store.read_range(range, &mut other).unwrap();
                let read = blocks.read_range(&store, range).unwrap();
                assert_eq!(read, other, "{range:?}");
            }
        }
        store.clear();
        blocks.clear();
        let range = store.keep(b"after clear").unwrap();
        assert_eq!(blocks.read_range(&store, range).unwrap(), b"after clear");
    }
}
