//! The order of many rows by one value of each, in little memory: a million messages have texts of
//! fifty bytes.
//!
//! Rows are sorted in runs. In a run, a key is stored as the bytes in which it differs from the key
//! before it; the runs are merged at the end. Of a long text only the beginning counts, so that texts
//! of 60,000 bytes, as a hostile capture has them, take no more memory.

#[cfg(test)]
mod tests;

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::net::{IpAddr, SocketAddr};

/// How many rows a run has.
const RUN: usize = 1 << 14;
/// How many bytes of a row stand before those of its key.
const HEAD: usize = 8;
/// How many bytes of a key are compared; rows whose keys begin alike stay in the order of their
/// numbers.
const KEY: usize = 128;

/// The value by which a row is sorted: numbers, addresses, texts; missing values are last in either
/// direction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SortKey {
    /// In any unit, the same for the whole column.
    Number(i128),
    /// By address, then by port.
    Address(SocketAddr),
    /// In lower case.
    Text(String),
    /// There is no value.
    Missing,
}

impl SortKey {
    /// A text, ignoring case; an empty one is missing.
    pub fn text(text: &str) -> Self {
        if text.is_empty() { Self::Missing } else { Self::Text(text.to_lowercase()) }
    }

    /// A number, or missing.
    pub fn number(number: Option<impl Into<i128>>) -> Self {
        number.map_or(Self::Missing, |number| Self::Number(number.into()))
    }

    /// Replaces `bytes` by bytes that have the order of the keys.
    fn encode(&self, bytes: &mut Vec<u8>) {
        bytes.clear();
        match self {
            Self::Number(number) => {
                bytes.push(0);
                bytes.extend((number ^ i128::MIN).to_be_bytes());
            }
            Self::Address(end) => {
                match end.ip() {
                    IpAddr::V4(ip) => {
                        bytes.push(1);
                        bytes.extend(ip.octets());
                    }
                    IpAddr::V6(ip) => {
                        bytes.push(2);
                        bytes.extend(ip.octets());
                    }
                }
                bytes.extend(end.port().to_be_bytes());
            }
            Self::Text(text) => {
                bytes.push(3);
                bytes.extend(text.bytes().take(KEY - 1));
            }
            Self::Missing => bytes.push(MISSING),
        }
    }
}

/// The first byte of a missing key.
const MISSING: u8 = 4;

/// Puts rows into the order of their keys; those with equal keys stay in the order of their numbers.
pub struct RowSorter {
    is_descending: bool,
    /// Rows that wait to become a run.
    pending: Vec<SortedRow>,
    runs: Vec<SortedRun>,
}

impl RowSorter {
    /// A sorter without rows.
    pub fn new(is_descending: bool) -> Self {
        Self { is_descending, pending: Vec::new(), runs: Vec::new() }
    }

    /// Adds a row by its number.
    pub fn add_row(&mut self, key: &SortKey, row: u32) {
        let mut added =
            SortedRow { row, is_descending: self.is_descending, ..SortedRow::default() };
        key.encode(&mut added.key);
        self.pending.push(added);
        if self.pending.len() == RUN {
            self.end_run();
        }
    }

    fn end_run(&mut self) {
        self.pending.sort_unstable();
        self.runs.extend(SortedRun::from_rows(&self.pending));
        self.pending.clear();
    }

    /// The numbers of the rows, in order.
    pub fn finish(mut self) -> Vec<u32> {
        self.end_run();
        let len = self.runs.iter().map(|run| run.len).sum();
        let (mut runs, mut order) = (BinaryHeap::from(self.runs), Vec::with_capacity(len));
        while let Some(mut first) = runs.peek_mut() {
            order.push(first.row.row);
            if !first.advance() {
                PeekMut::pop(first);
            }
        }
        order
    }
}

/// A row and the bytes of its key.
#[derive(Debug, Default, PartialEq, Eq)]
struct SortedRow {
    key: Vec<u8>,
    row: u32,
    is_descending: bool,
}

impl Ord for SortedRow {
    fn cmp(&self, other: &Self) -> Ordering {
        let is_missing = |row: &Self| row.key == [MISSING];
        let keys = self.key.cmp(&other.key);
        let is_reversed = self.is_descending && !is_missing(self) && !is_missing(other);
        let keys = if is_reversed { keys.reverse() } else { keys };
        keys.then(self.row.cmp(&other.row))
    }
}

impl PartialOrd for SortedRow {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Sorted rows, and the first of them that was not taken. Runs are compared by it; in a heap, the
/// greatest is the one to take next.
#[derive(Debug, PartialEq, Eq)]
struct SortedRun {
    row: SortedRow,
    /// Of each row: how many bytes its key has in common with the one before, how many follow, the
    /// row, and those bytes.
    bytes: Vec<u8>,
    /// Where the next row begins.
    at: usize,
    len: usize,
}

impl SortedRun {
    /// A run of sorted rows; nothing if there are none.
    fn from_rows(rows: &[SortedRow]) -> Option<Self> {
        let mut before = &[][..];
        let parts = rows.iter().map(|SortedRow { key, row, .. }| {
            let common = key.iter().zip(before).take_while(|(a, b)| a == b).count();
            before = key;
            (common, key.get(common..).unwrap_or_default(), *row)
        });
        let parts: Vec<_> = parts.collect();
        // A buffer that grows leaves holes in the memory behind it.
        let mut bytes = Vec::with_capacity(parts.iter().map(|(_, own, _)| HEAD + own.len()).sum());
        for (common, own, row) in parts {
            bytes.extend((common as u16).to_le_bytes());
            bytes.extend((own.len() as u16).to_le_bytes());
            bytes.extend(row.to_le_bytes());
            bytes.extend(own);
        }
        let is_descending = rows.first()?.is_descending;
        let row = SortedRow { is_descending, ..SortedRow::default() };
        let mut run = Self { row, bytes, at: 0, len: rows.len() };
        run.advance().then_some(run)
    }

    /// Goes to the next row; false after the last.
    fn advance(&mut self) -> bool {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let Some((&[a, b, c, d, e, f, g, h], rest)) = rest.split_first_chunk() else {
            return false;
        };
        let (common, own) = (u16::from_le_bytes([a, b]), u16::from_le_bytes([c, d]));
        self.row.row = u32::from_le_bytes([e, f, g, h]);
        self.row.key.truncate(usize::from(common));
        self.row.key.extend(rest.iter().take(usize::from(own)));
        self.at += HEAD + usize::from(own);
        true
    }
}

impl Ord for SortedRun {
    fn cmp(&self, other: &Self) -> Ordering {
        other.row.cmp(&self.row)
    }
}

impl PartialOrd for SortedRun {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
