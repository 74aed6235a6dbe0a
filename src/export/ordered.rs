//! Rows of exchanges in the order in which these began, though they come when these end.
//!
//! An exchange has a number from 1, and each number comes once: with its row, or with none. Rows
//! that have to wait for the number before them do so in memory, as far as that goes, and behind
//! that in a temporary file.

use std::cmp::Ordering;
use std::collections::{HashMap, VecDeque};
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};

use super::row::Row;
use super::stored::{Stored, store};

/// How many bytes of rows wait in memory.
const MEMORY: usize = 4 << 20;
/// How many numbers may be waited for at once.
const WAITING: usize = 1 << 20;

/// Rows that wait.
pub(super) struct Ordered {
    /// The number of the first of `rows`.
    next: u64,
    rows: VecDeque<Place>,
    /// Rows in memory by their numbers, and their bytes.
    kept: HashMap<u64, Box<[u8]>>,
    held: usize,
    memory: usize,
    waiting: usize,
    /// Rows in the file, and where it ends.
    spilled: u64,
    end: u64,
    file: Option<File>,
    late: u64,
    bytes: Vec<u8>,
}

/// Where the row of a number is, in one word, for many may wait.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Place(u64);

impl Place {
    /// Its exchange is open.
    const OPEN: Self = Self(u64::MAX);
    /// It has none.
    const NOWHERE: Self = Self(u64::MAX - 1);
    const MEMORY: Self = Self(u64::MAX - 2);
    // All others: in the file, at this byte; its length comes first.
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
            end: 0,
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
            *place = Place::NOWHERE;
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
                    *place = Place::NOWHERE;
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

    fn place(&mut self, number: u64) -> Option<&mut Place> {
        let at = usize::try_from(number.checked_sub(self.next)?).ok()?;
        while self.rows.len() <= at {
            self.rows.push_back(Place::OPEN);
        }
        self.rows.get_mut(at)
    }

    fn keep(&mut self, number: u64, bytes: &[u8]) {
        let spilled = if self.held + bytes.len() > self.memory { self.spill(bytes) } else { None };
        let place = spilled.unwrap_or_else(|| {
            self.held += bytes.len();
            self.kept.insert(number, bytes.into());
            Place::MEMORY
        });
        if let Some(at) = self.place(number) {
            *at = place;
        }
    }

    /// Writes a row to the file; nothing where there is none, or it takes no more.
    fn spill(&mut self, bytes: &[u8]) -> Option<Place> {
        let length = u32::try_from(bytes.len()).ok()?;
        let (file, offset) = (self.file.as_mut()?, self.end);
        let row = [&length.to_le_bytes(), bytes].concat();
        let written = file.seek(SeekFrom::Start(offset)).and_then(|_| file.write_all(&row));
        if written.is_err() {
            return None;
        }
        self.end += row.len() as u64;
        self.spilled += 1;
        Some(Place(offset))
    }

    /// Writes what nothing has to come before; and what has no room to wait.
    fn release<R: Row>(
        &mut self,
        mut write: impl FnMut(&Stored<'_, R>) -> io::Result<()>,
    ) -> io::Result<()> {
        loop {
            let is_known = self.rows.front().is_some_and(|place| *place != Place::OPEN);
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
            Place::OPEN | Place::NOWHERE => Ok(()),
            Place::MEMORY => {
                let bytes = self.kept.remove(&number).unwrap_or_default();
                self.held -= bytes.len();
                write(&Stored::of(&bytes))
            }
            Place(offset) => write(&Stored::of(&self.take_back(offset)?)),
        }
    }

    /// A row of the file, which is empty behind the last.
    fn take_back(&mut self, offset: u64) -> io::Result<Vec<u8>> {
        let Some(file) = &mut self.file else {
            return Err(io::ErrorKind::NotFound.into());
        };
        let mut length = [0; 4];
        file.seek(SeekFrom::Start(offset))?;
        file.read_exact(&mut length)?;
        // It was written here, and no longer than it was in memory.
        let mut bytes = vec![0; u32::from_le_bytes(length) as usize];
        file.read_exact(&mut bytes)?;
        self.spilled -= 1;
        if self.spilled == 0 {
            self.end = 0;
        }
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests;
