//! CSV as RFC 4180 has it, but for lines that end in LF alone: UTF-8, no byte order mark, a
//! header line, quotes where they are needed.
//!
//! A spreadsheet runs a cell that begins with `=`, `+`, `-` or `@`, also behind a tab or a carriage
//! return. Text that came from the net may begin so, and gets a `'` in front; numbers, times and
//! JSON cannot.

use std::io::{self, Write};

use super::stamp::Stamp;
use super::{Cell, Row};

pub(super) struct Csv<W: Write> {
    out: ::csv::Writer<W>,
    stamp: Stamp,
    cell: Vec<u8>,
}

impl<W: Write> Csv<W> {
    /// Writes the header line.
    pub fn new<R: Row>(out: W) -> io::Result<Self> {
        let mut out = ::csv::Writer::from_writer(out);
        out.write_record(R::COLUMNS.iter().map(|c| c.name))?;
        Ok(Self { out, stamp: Stamp::new(), cell: Vec::new() })
    }

    pub fn write<R: Row>(&mut self, row: &R) -> io::Result<()> {
        for cell in row.cells() {
            match cell {
                Cell::Number(number) => {
                    self.cell.clear();
                    write!(self.cell, "{number}")?;
                    self.out.write_field(&self.cell)?;
                }
                Cell::Time(nanos) => self.out.write_field(self.stamp.write(nanos))?,
                Cell::Text(text) if runs(text) => {
                    self.cell.clear();
                    self.cell.push(b'\'');
                    self.cell.extend_from_slice(text.as_bytes());
                    self.out.write_field(&self.cell)?;
                }
                Cell::Text(text) | Cell::Json(text) => self.out.write_field(text)?,
            }
        }
        Ok(self.out.write_record(None::<&[u8]>)?)
    }

    pub fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Whether a spreadsheet would take this text for a formula.
fn runs(text: &str) -> bool {
    text.starts_with(['=', '+', '-', '@', '\t', '\r'])
}
