//! A table on its way out, in one of the formats.

use std::io::{self, Write};

use super::Row;
use super::csv::Csv;
use super::ndjson::Ndjson;

/// How a table is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Csv,
    Ndjson,
}

/// A table that is being written, row by row; nothing is kept of the rows.
pub struct Sheet<W: Write>(Kind<W>);

enum Kind<W: Write> {
    Csv(Box<Csv<W>>),
    Ndjson(Ndjson<W>),
}

impl<W: Write> Sheet<W> {
    /// Begins a table of `R`; CSV begins with its header line, rows or none.
    pub fn new<R: Row>(format: Format, out: W) -> io::Result<Self> {
        Ok(Self(match format {
            Format::Csv => Kind::Csv(Box::new(Csv::new::<R>(out)?)),
            Format::Ndjson => Kind::Ndjson(Ndjson::new(out)),
        }))
    }

    /// Writes a row; all rows of a table are of the type that it was begun with.
    pub fn write<R: Row>(&mut self, row: &R) -> io::Result<()> {
        match &mut self.0 {
            Kind::Csv(csv) => csv.write(row),
            Kind::Ndjson(ndjson) => ndjson.write(row),
        }
    }

    /// Gives everything written so far to the receiver.
    pub fn flush(&mut self) -> io::Result<()> {
        match &mut self.0 {
            Kind::Csv(csv) => csv.flush(),
            Kind::Ndjson(ndjson) => ndjson.flush(),
        }
    }
}
