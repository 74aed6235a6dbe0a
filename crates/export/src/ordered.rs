//! Sorts rows of exchanges by the begin of the exchange, although they arrive at its end.
//!
//! Exchanges are numbered from 1, and each number arrives once: with its row, or without one. Rows
//! that wait for a lower number are kept in memory, and in a temporary file if they are many.

use std::cmp::Ordering;
use std::collections::VecDeque;
use std::fs::File;
use std::io;

use capture::{ByteRange, PayloadStore, SpoolBlocks};

/// The maximum bytes of waiting rows in the file.
const STORED: u64 = 1 << 40;
/// The maximum bytes of waiting rows in memory.
const HELD: usize = 12 << 20;
/// The maximum distance of numbers that are waited for.
const WAITING: usize = 1 << 20;

/// Rows waiting to be written.
pub(super) struct Ordered {
    /// The number of the first of `rows`.
    next: u64,
    rows: VecDeque<WaitingRow>,
    waiting: usize,
    /// The maximum bytes that `rows` may hold, and those that they hold.
    room: usize,
    held: usize,
    /// The numbers of rows that were held since the last ones were stored; some were written.
    held_numbers: Vec<u64>,
    store: PayloadStore,
    /// What was read of it: rows leave it in nearly the order in which they came.
    blocks: SpoolBlocks,
    /// Rows in the store.
    stored: u64,
    late: u64,
}

#[derive(Debug, PartialEq, Eq)]
enum WaitingRow {
    /// Its exchange is open.
    Open,
    /// It has no row, or has been written.
    Done,
    Held(Box<[u8]>),
    Stored {
        length: u32,
        offset: u64,
    },
}

impl WaitingRow {
    /// Its bytes in memory.
    fn held(&self) -> usize {
        if let Self::Held(row) = self { row.len() } else { 0 }
    }
}

impl Ordered {
    /// An empty queue. Where the file cannot be written, rows may be out of order.
    pub fn new(file: Option<File>) -> Self {
        let store = PayloadStore::spool_only(STORED);
        if let Some(file) = file {
            store.prepare(file);
        }
        let (rows, blocks) = (VecDeque::new(), SpoolBlocks::default());
        let (waiting, room, held) = (WAITING, HELD, 0);
        let (next, held_numbers, stored, late) = (1, Vec::new(), 0, 0);
        Self { next, rows, waiting, room, held, held_numbers, store, blocks, stored, late }
    }

    /// The same with fewer bytes in memory, where there is a file for the others.
    pub fn holding(self, bytes: usize) -> Self {
        Self { room: bytes.min(self.room), ..self }
    }

    /// Records that a number has no row.
    pub fn skip<E: From<io::Error>>(
        &mut self,
        number: u64,
        mut write: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        self.set(number, WaitingRow::Done);
        self.release(&mut write)
    }

    /// Takes the row of a number; passes it and later ones to `write` once no lower one is missing.
    pub fn add_row<E: From<io::Error>>(
        &mut self,
        number: u64,
        row: &[u8],
        mut write: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        if number > self.next {
            if let Some(row) = self.hold(number, row) {
                self.set(number, row);
                return self.release(&mut write);
            }
            // No row can wait any longer.
            self.finish(&mut write)?;
            self.next = number;
        }
        if number.cmp(&self.next) == Ordering::Less {
            self.late += 1;
        }
        write(row)?;
        self.skip(number, write)
    }

    /// Ends the input: passes all waiting rows to `write`.
    pub fn finish<E: From<io::Error>>(
        &mut self,
        mut write: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        while !self.rows.is_empty() {
            self.pop(&mut write)?;
        }
        Ok(())
    }

    /// How many rows were written out of order.
    pub fn late(&self) -> u64 {
        self.late
    }

    /// Keeps the row of a number; `None` if there is no room for it.
    fn hold(&mut self, number: u64, row: &[u8]) -> Option<WaitingRow> {
        if self.held + row.len() > self.room {
            self.store_latest();
        }
        if self.held + row.len() > self.room {
            return self.store_row(row);
        }
        self.held += row.len();
        // At most one number in two is of a row that was written.
        if self.held_numbers.len() > 2 * self.rows.len() + 64 {
            self.held_numbers.retain(|number| *number >= self.next);
        }
        self.held_numbers.push(number);
        Some(WaitingRow::Held(row.into()))
    }

    /// Stores those of the held rows that will wait longest, half of the bytes: one row after the
    /// other, as they will be read. Rows that are stored as they come are read from many places.
    fn store_latest(&mut self) {
        let mut numbers = std::mem::take(&mut self.held_numbers);
        numbers.sort_unstable();
        let (most, mut left) = (self.held / 2, self.held);
        let later = numbers.iter().rev().take_while(|number| {
            let is_stored = left > most;
            let row = self.place_of(**number).and_then(|at| self.rows.get(at));
            left -= row.map_or(0, WaitingRow::held);
            is_stored
        });
        let later = later.count();
        for number in numbers.drain(numbers.len() - later..) {
            let slot = self.place_of(number).and_then(|at| self.rows.get_mut(at));
            let Some(slot) = slot else { continue };
            if let WaitingRow::Held(row) = slot
                && let Some(ByteRange { length, offset, .. }) = self.store.keep(row)
            {
                self.held -= row.len();
                self.stored += 1;
                *slot = WaitingRow::Stored { length, offset };
            }
        }
        self.held_numbers = numbers;
    }

    /// Stores a row; `None` if there is no room for it.
    fn store_row(&mut self, row: &[u8]) -> Option<WaitingRow> {
        let ByteRange { length, offset, .. } = self.store.keep(row)?;
        self.stored += 1;
        Some(WaitingRow::Stored { length, offset })
    }

    /// The index in `rows` of a number, unless later rows were written already.
    fn place_of(&self, number: u64) -> Option<usize> {
        number.checked_sub(self.next).and_then(|at| usize::try_from(at).ok())
    }

    /// Sets the state of a number, unless later rows were written already.
    fn set(&mut self, number: u64, row: WaitingRow) {
        let Some(at) = self.place_of(number) else { return };
        if at >= self.rows.len() {
            self.rows.resize_with(at + 1, || WaitingRow::Open);
        }
        if let Some(slot) = self.rows.get_mut(at) {
            *slot = row;
        }
    }

    /// Writes rows for which no lower number is missing, and those that exceed the limit.
    fn release<E: From<io::Error>>(
        &mut self,
        write: &mut impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        while self.rows.front().is_some_and(|first| *first != WaitingRow::Open)
            || self.rows.len() > self.waiting
        {
            self.pop(write)?;
        }
        Ok(())
    }

    /// Writes the first row, if it has one.
    fn pop<E: From<io::Error>>(
        &mut self,
        write: &mut impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        self.next += 1;
        let (length, offset) = match self.rows.pop_front() {
            Some(WaitingRow::Stored { length, offset }) => (length, offset),
            Some(WaitingRow::Held(row)) => {
                self.held -= row.len();
                return write(&row);
            }
            Some(WaitingRow::Open | WaitingRow::Done) | None => return Ok(()),
        };
        let range = ByteRange { source: ByteRange::SPOOL, length, offset };
        write(self.blocks.read_range(&self.store, range)?)?;
        self.stored -= 1;
        if self.stored == 0 {
            self.store.clear();
            self.blocks.clear();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
