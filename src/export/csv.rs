//! CSV as RFC 4180 has it, but for lines that end in LF alone: UTF-8, no byte order mark, a
//! header line, quotes where they are needed.
//!
//! A spreadsheet runs a cell that begins with `=`, `+`, `-` or `@`, also behind a tab or a carriage
//! return. Text that came from the net may begin so, and gets a `'` in front; numbers, times and
//! JSON cannot.

use std::io::{self, Write};

use csv::{Terminator, Writer, WriterBuilder};

use super::digits::{push_decimal, push_flag, push_number, push_signed};
use super::stamp::Stamp;
use super::{Cell, Row};

pub(super) struct Csv<W: Write> {
    out: Writer<W>,
    stamp: Stamp,
    cell: Vec<u8>,
}

impl<W: Write> Csv<W> {
    /// Writes the header line.
    pub fn new<R: Row>(out: W) -> io::Result<Self> {
        let mut builder = WriterBuilder::new();
        builder.terminator(Terminator::Any(b'\n')).buffer_capacity(1 << 16);
        let mut out = builder.from_writer(out);
        out.write_record(R::COLUMNS.iter().map(|column| column.name)).map_err(failed)?;
        Ok(Self { out, stamp: Stamp::new(), cell: Vec::new() })
    }

    pub fn write<R: Row>(&mut self, row: &R) -> io::Result<()> {
        let Self { out, stamp, cell } = self;
        for value in row.cells() {
            cell.clear();
            match value {
                Cell::Nothing => {}
                Cell::Number(number) => push_number(cell, number),
                Cell::Integer(number) | Cell::Duration(number) => push_signed(cell, number),
                Cell::Decimal(number) => push_decimal(cell, number),
                Cell::Flag(flag) => push_flag(cell, flag),
                Cell::Time(nanos) => {
                    out.write_field(stamp.write(nanos)).map_err(failed)?;
                    continue;
                }
                Cell::Text(text) if is_formula(text) => {
                    cell.push(b'\'');
                    cell.extend_from_slice(text.as_bytes());
                }
                Cell::Text(text) | Cell::Json(text) => {
                    out.write_field(text).map_err(failed)?;
                    continue;
                }
            }
            out.write_field(&cell).map_err(failed)?;
        }
        out.write_record(None::<&[u8]>).map_err(failed)
    }

    pub fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// What the writer below could not do: whoever reads may have gone, and that is no error.
fn failed(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}

/// Whether a spreadsheet would take a text for a formula.
fn is_formula(text: &str) -> bool {
    matches!(text.as_bytes().first(), Some(b'=' | b'+' | b'-' | b'@' | b'\t' | b'\r'))
}
