//! Sorts rows of exchanges by the begin of the exchange, although they arrive at its end.
//!
//! Exchanges are numbered from 1, and each number arrives once: with its row, or without one. Rows
//! that wait for a lower number are stored in a temporary file; without one in memory, up to a
//! limit.

use std::cmp::Ordering;
use std::collections::{HashMap, VecDeque};
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;

use super::row::Row;
use super::stored::{Stored, store};

/// The maximum bytes of waiting rows in memory, if there is no file.
const MEMORY: usize = 4 << 20;
/// How many bytes are written to the file at once.
const TAIL: usize = 1 << 18;
/// The maximum distance of numbers that are waited for.
const WAITING: usize = 1 << 20;

/// Rows waiting to be written.
pub(super) struct Ordered {
    /// The number of the first of `rows`.
    next: u64,
    rows: VecDeque<RowPosition>,
    /// Rows in memory by their numbers, and their bytes.
    kept: HashMap<u64, Box<[u8]>>,
    held: usize,
    memory: usize,
    waiting: usize,
    /// Rows in the file.
    spilled: u64,
    /// The last bytes of the file, not written yet, and their offset. Separate allocations for rows
    /// would fragment the memory between objects that live longer.
    tail: Vec<u8>,
    tail_at: u64,
    tail_most: usize,
    file: Option<File>,
    late: u64,
    bytes: Vec<u8>,
}

/// The position of a row in one word, because many may wait.
#[derive(Clone, Copy, PartialEq, Eq)]
struct RowPosition(u64);

impl RowPosition {
    /// Its exchange is open.
    const OPEN: Self = Self(u64::MAX);
    /// It has no row.
    const NOWHERE: Self = Self(u64::MAX - 1);
    const MEMORY: Self = Self(u64::MAX - 2);
    // All others: an offset into the file in the upper bits, the length in the lower ones.

    const LENGTH_BITS: u32 = 24;

    /// A position in the file; `None` if the length or offset is too large.
    fn in_file(offset: u64, length: usize) -> Option<Self> {
        let length =
            u64::try_from(length).ok().filter(|length| length >> Self::LENGTH_BITS == 0)?;
        let fits = offset < u64::MAX >> (Self::LENGTH_BITS + 1);
        fits.then_some(Self(offset << Self::LENGTH_BITS | length))
    }

    fn offset_and_length(self) -> (u64, usize) {
        let length = self.0 & ((1 << Self::LENGTH_BITS) - 1);
        (self.0 >> Self::LENGTH_BITS, length as usize)
    }
}

impl Ordered {
    /// An empty queue. Without a file, rows that exceed the memory limit are out of order.
    pub fn new(file: Option<File>) -> Self {
        Self {
            next: 1,
            rows: VecDeque::new(),
            kept: HashMap::new(),
            held: 0,
            memory: MEMORY,
            waiting: WAITING,
            spilled: 0,
            tail: Vec::new(),
            tail_at: 0,
            tail_most: TAIL,
            file,
            late: 0,
            bytes: Vec::new(),
        }
    }

    /// Records that a number has no row.
    pub fn skip<R: Row>(
        &mut self,
        number: u64,
        write: impl FnMut(&Stored<'_, R>) -> io::Result<()>,
    ) -> io::Result<()> {
        if let Some(place) = self.place(number) {
            *place = RowPosition::NOWHERE;
        }
        self.release(write)
    }

    /// Takes the row of a number; passes it and later ones to `write` once no lower one is missing.
    pub fn take<R: Row>(
        &mut self,
        number: u64,
        row: &R,
        mut write: impl FnMut(&Stored<'_, R>) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut bytes = std::mem::take(&mut self.bytes);
        bytes.clear();
        store(row, &mut bytes);
        match number.cmp(&self.next) {
            // Later rows could not wait any longer.
            Ordering::Less => {
                self.late += 1;
                write(&Stored::of(&bytes))?;
            }
            Ordering::Equal => {
                write(&Stored::of(&bytes))?;
                if let Some(place) = self.place(number) {
                    *place = RowPosition::NOWHERE;
                }
            }
            Ordering::Greater => self.keep(number, &bytes),
        }
        self.bytes = bytes;
        self.release(write)
    }

    /// Ends the input: passes all waiting rows to `write`.
    pub fn finish<R: Row>(
        &mut self,
        mut write: impl FnMut(&Stored<'_, R>) -> io::Result<()>,
    ) -> io::Result<()> {
        while !self.rows.is_empty() {
            self.pop(&mut write)?;
        }
        Ok(())
    }

    /// How many rows were written out of order.
    pub fn late(&self) -> u64 {
        self.late
    }

    fn place(&mut self, number: u64) -> Option<&mut RowPosition> {
        let at = usize::try_from(number.checked_sub(self.next)?).ok()?;
        while self.rows.len() <= at {
            self.rows.push_back(RowPosition::OPEN);
        }
        self.rows.get_mut(at)
    }

    fn keep(&mut self, number: u64, bytes: &[u8]) {
        let place = self.spill(bytes).unwrap_or_else(|| {
            self.held += bytes.len();
            self.kept.insert(number, bytes.into());
            RowPosition::MEMORY
        });
        if let Some(at) = self.place(number) {
            *at = place;
        }
    }

    /// Writes a row to the file; `None` if there is no file, or writing fails.
    fn spill(&mut self, bytes: &[u8]) -> Option<RowPosition> {
        let file = self.file.as_ref()?;
        if self.tail.len() + bytes.len() > self.tail_most {
            file.write_all_at(&self.tail, self.tail_at).ok()?;
            self.tail_at += self.tail.len() as u64;
            self.tail.clear();
        }
        let place = RowPosition::in_file(self.tail_at + self.tail.len() as u64, bytes.len())?;
        self.tail.extend_from_slice(bytes);
        self.spilled += 1;
        Some(place)
    }

    /// Writes rows for which no lower number is missing, and those that exceed the limits.
    fn release<R: Row>(
        &mut self,
        mut write: impl FnMut(&Stored<'_, R>) -> io::Result<()>,
    ) -> io::Result<()> {
        loop {
            let is_known = self.rows.front().is_some_and(|place| *place != RowPosition::OPEN);
            let is_crowded = self.rows.len() > self.waiting || self.held > 2 * self.memory;
            if !is_known && !is_crowded {
                return Ok(());
            }
            self.pop(&mut write)?;
        }
    }

    /// Writes the first row, if it has one.
    fn pop<R: Row>(
        &mut self,
        write: &mut impl FnMut(&Stored<'_, R>) -> io::Result<()>,
    ) -> io::Result<()> {
        let Some(place) = self.rows.pop_front() else {
            return Ok(());
        };
        let number = self.next;
        self.next += 1;
        match place {
            RowPosition::OPEN | RowPosition::NOWHERE => Ok(()),
            RowPosition::MEMORY => {
                let bytes = self.kept.remove(&number).unwrap_or_default();
                self.held -= bytes.len();
                write(&Stored::of(&bytes))
            }
            place => write(&Stored::of(&self.take_back(place)?)),
        }
    }

    /// Reads a row back from the file; empty if it is past the end.
    fn take_back(&mut self, place: RowPosition) -> io::Result<Vec<u8>> {
        let (offset, length) = place.offset_and_length();
        // It was written by this program, and no longer than it was in memory.
        let mut bytes = vec![0; length];
        if let Some(Ok(at)) = offset.checked_sub(self.tail_at).map(usize::try_from) {
            let row = self.tail.get(at..at + length);
            bytes.copy_from_slice(row.ok_or(io::ErrorKind::UnexpectedEof)?);
        } else {
            let file = self.file.as_ref().ok_or(io::ErrorKind::NotFound)?;
            file.read_exact_at(&mut bytes, offset)?;
        }
        self.spilled -= 1;
        if self.spilled == 0 {
            self.tail.clear();
            self.tail_at = 0;
        }
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests;
