//! CSV as RFC 4180 has it, but for lines that end in LF alone: UTF-8, no byte order mark, a
//! header line, quotes where they are needed.
//!
//! A spreadsheet runs a cell that begins with `=`, `+`, `-` or `@`, also behind a tab or a carriage
//! return. Text that came from the net may begin so, and gets a `'` in front; numbers, times and
//! JSON cannot.

use std::io::{self, Write};

use super::digits::{push_decimal, push_flag, push_number, push_signed};
use super::stamp::Stamp;
use super::{Cell, Row};

pub(super) struct Csv<W> {
    out: W,
    stamp: Stamp,
    line: Vec<u8>,
}

impl<W: Write> Csv<W> {
    /// Writes the header line.
    pub fn new<R: Row>(mut out: W) -> io::Result<Self> {
        let mut line = Vec::new();
        for column in R::COLUMNS {
            push_text(&mut line, column.name);
            line.push(b',');
        }
        end(&mut line);
        out.write_all(&line)?;
        Ok(Self { out, stamp: Stamp::new(), line })
    }

    pub fn write<R: Row>(&mut self, row: &R) -> io::Result<()> {
        self.line.clear();
        for cell in row.cells() {
            match cell {
                Cell::Nothing => {}
                Cell::Number(number) => push_number(&mut self.line, number),
                Cell::Integer(number) | Cell::Duration(number) => {
                    push_signed(&mut self.line, number);
                }
                Cell::Decimal(number) => push_decimal(&mut self.line, number),
                Cell::Flag(flag) => push_flag(&mut self.line, flag),
                Cell::Time(nanos) => {
                    self.line.extend_from_slice(self.stamp.write(nanos).as_bytes());
                }
                Cell::Text(text) => push_text(&mut self.line, text),
                Cell::Json(value) => push_cell(&mut self.line, value.as_bytes()),
            }
            self.line.push(b',');
        }
        end(&mut self.line);
        self.out.write_all(&self.line)
    }

    pub fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Makes the last comma the end of the line.
fn end(line: &mut [u8]) {
    if let Some(last) = line.last_mut() {
        *last = b'\n';
    }
}

/// Appends a cell that no spreadsheet takes for a formula.
fn push_text(line: &mut Vec<u8>, text: &str) {
    let bytes = text.as_bytes();
    match bytes.first() {
        Some(b'=' | b'+' | b'-' | b'@' | b'\t' | b'\r') => {
            push_cell(line, &[b"'", bytes].concat());
        }
        _ => push_cell(line, bytes),
    }
}

/// Appends a cell, in quotes where it must be.
fn push_cell(line: &mut Vec<u8>, cell: &[u8]) {
    let parts = |b: u8| matches!(b, b'"' | b',' | b'\n' | b'\r');
    // Looks at every byte: that is faster than to stop early.
    if cell.iter().fold(false, |any, b| any | parts(*b)) {
        push_quoted(line, cell);
    } else {
        line.extend_from_slice(cell);
    }
}

/// Appends a cell in quotes, those inside doubled.
fn push_quoted(line: &mut Vec<u8>, cell: &[u8]) {
    let begin = line.len();
    line.resize(begin + 2 * cell.len() + 2, b'"');
    let mut at = begin + 1;
    for byte in cell {
        // Behind a quote, the one that stands there already is its double.
        if let Some(room) = line.get_mut(at) {
            *room = *byte;
        }
        at += 1 + usize::from(*byte == b'"');
    }
    line.truncate(at + 1);
}
