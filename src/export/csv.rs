//! CSV as RFC 4180 has it, but for lines that end in LF alone: UTF-8, no byte order mark, a
//! header line, quotes where they are needed.
//!
//! A spreadsheet runs a cell that begins with `=`, `+`, `-` or `@`, also behind a tab or a carriage
//! return. Text that came from the net may begin so, and gets a `'` in front; numbers, times and
//! JSON cannot.

use std::io::{self, Write};

use super::digits::push_number;
use super::stamp::Stamp;
use super::{Cell, Row};

pub(super) struct Csv<W: Write> {
    out: ::csv::Writer<W>,
    stamp: Stamp,
    cell: String,
}

impl<W: Write> Csv<W> {
    /// Writes the header line.
    pub fn new<R: Row>(out: W) -> io::Result<Self> {
        let mut out = ::csv::Writer::from_writer(out);
        out.write_record(R::COLUMNS.iter().map(|c| c.name)).map_err(io_error)?;
        Ok(Self { out, stamp: Stamp::new(), cell: String::new() })
    }

    pub fn write<R: Row>(&mut self, row: &R) -> io::Result<()> {
        for cell in row.cells() {
            self.write_cell(cell).map_err(io_error)?;
        }
        self.out.write_record(None::<&[u8]>).map_err(io_error)
    }

    fn write_cell(&mut self, cell: Cell<'_>) -> Result<(), ::csv::Error> {
        self.cell.clear();
        match cell {
            Cell::Number(number) => push_number(&mut self.cell, number),
            Cell::Time(nanos) => return self.out.write_field(self.stamp.write(nanos)),
            Cell::Text(text) if runs(text) => self.cell.extend(["'", text]),
            Cell::Text(text) | Cell::Json(text) => return self.out.write_field(text),
        }
        self.out.write_field(&self.cell)
    }

    pub fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Whether a spreadsheet would take this text for a formula.
fn runs(text: &str) -> bool {
    text.starts_with(['=', '+', '-', '@', '\t', '\r'])
}

/// The error as it was: a closed pipe must be known for one.
fn io_error(error: ::csv::Error) -> io::Error {
    match error.into_kind() {
        ::csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}
