//! Rows of exchanges in the order in which these began, though they come when these end.
//!
//! An exchange has a number from 1, and each number comes once: with its row, or with none. Rows
//! that have to wait for the number before them do so in a temporary file, or where there is none
//! in memory, as far as that goes.

use std::cmp::Ordering;
use std::collections::{HashMap, VecDeque};
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;

use super::row::Row;
use super::stored::{Stored, store};

/// How many bytes of rows wait in memory where there is no file.
const MEMORY: usize = 4 << 20;
/// How many bytes are written to the file at once.
const TAIL: usize = 1 << 18;
/// How many numbers may be waited for at once.
const WAITING: usize = 1 << 20;

/// Rows that wait.
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
    /// The last bytes of the file, which are not written yet, and where they begin. Rows of their
    /// own in memory would lie between what lives longer, and leave gaps there.
    tail: Vec<u8>,
    tail_at: u64,
    tail_most: usize,
    file: Option<File>,
    late: u64,
    bytes: Vec<u8>,
}

/// Where the row of a number is, in one word, for many may wait.
#[derive(Clone, Copy, PartialEq, Eq)]
struct RowPosition(u64);

impl RowPosition {
    /// Its exchange is open.
    const OPEN: Self = Self(u64::MAX);
    /// It has none.
    const NOWHERE: Self = Self(u64::MAX - 1);
    const MEMORY: Self = Self(u64::MAX - 2);
    // All others: in the file, at the byte of the upper bits; the lower ones are its length.

    const LENGTH_BITS: u32 = 24;

    /// Where a row stands in the file; `None` if that is too long, or too far.
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
    /// None wait. Without a file rows that have no room in memory are out of order.
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

    /// A number has no row.
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

    /// A number has this row; `write` gets it, and others, as soon as nothing has to come before.
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
            // Those behind it could not wait any longer.
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

    /// Nothing more comes: `write` gets all that waits.
    pub fn finish<R: Row>(
        &mut self,
        mut write: impl FnMut(&Stored<'_, R>) -> io::Result<()>,
    ) -> io::Result<()> {
        while !self.rows.is_empty() {
            self.pop(&mut write)?;
        }
        Ok(())
    }

    /// How many rows came too late for their place.
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

    /// Writes a row to the file; nothing where there is none, or it takes no more.
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

    /// Writes what nothing has to come before; and what has no room to wait.
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

    /// Writes the first row, where it has one.
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

    /// A row of the file, which is empty behind the last.
    fn take_back(&mut self, place: RowPosition) -> io::Result<Vec<u8>> {
        let (offset, length) = place.offset_and_length();
        // It was written here, and no longer than it was in memory.
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
