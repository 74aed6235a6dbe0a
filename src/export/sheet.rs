//! A table on its way out, in one of the formats.

use std::io::{self, Write};

use super::csv::Csv;
use super::ndjson::Ndjson;
#[cfg(feature = "parquet")]
use super::parquet::Parquet;
use super::{Quotes, Row};

/// How a table is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableFormat {
    Csv,
    Ndjson,
    /// Only in a build with the feature `parquet`.
    Parquet,
}

impl TableFormat {
    /// How JSON is best written for it.
    pub fn quotes(self) -> Quotes {
        match self {
            Self::Csv => Quotes::Doubled,
            Self::Ndjson | Self::Parquet => Quotes::Single,
        }
    }
}

/// A table that is being written, row by row; nothing is kept of the rows but, in Parquet, the
/// group at hand.
pub struct TableWriter<W: Write + Send>(FormatWriter<W>);

enum FormatWriter<W: Write + Send> {
    Csv(Box<Csv<W>>),
    Ndjson(Ndjson<W>),
    #[cfg(feature = "parquet")]
    Parquet(Box<Parquet<W>>),
}

impl<W: Write + Send> TableWriter<W> {
    /// Begins a table of `R`; CSV begins with its header line, rows or none. Fails with
    /// [`io::ErrorKind::Unsupported`] where the format is not in this build.
    pub fn new<R: Row>(format: TableFormat, out: W) -> io::Result<Self> {
        Ok(Self(match format {
            TableFormat::Csv => FormatWriter::Csv(Box::new(Csv::new::<R>(out)?)),
            TableFormat::Ndjson => FormatWriter::Ndjson(Ndjson::new(out)),
            #[cfg(feature = "parquet")]
            TableFormat::Parquet => FormatWriter::Parquet(Box::new(Parquet::new::<R>(out)?)),
            #[cfg(not(feature = "parquet"))]
            TableFormat::Parquet => {
                let why = "this build has no parquet; build it with `--features parquet`";
                return Err(io::Error::new(io::ErrorKind::Unsupported, why));
            }
        }))
    }

    /// Writes a row; all rows of a table are of the type that it was begun with.
    pub fn write<R: Row>(&mut self, row: &R) -> io::Result<()> {
        match &mut self.0 {
            FormatWriter::Csv(csv) => csv.write(row),
            FormatWriter::Ndjson(ndjson) => ndjson.write(row),
            #[cfg(feature = "parquet")]
            FormatWriter::Parquet(parquet) => parquet.write(row),
        }
    }

    /// Gives everything written so far to the receiver; a format of groups keeps the group at
    /// hand.
    pub fn flush(&mut self) -> io::Result<()> {
        match &mut self.0 {
            FormatWriter::Csv(csv) => csv.flush(),
            FormatWriter::Ndjson(ndjson) => ndjson.flush(),
            #[cfg(feature = "parquet")]
            FormatWriter::Parquet(_) => Ok(()),
        }
    }

    /// Ends the table: all of it is with the receiver.
    pub fn finish(self) -> io::Result<()> {
        match self.0 {
            FormatWriter::Csv(mut csv) => csv.flush(),
            FormatWriter::Ndjson(mut ndjson) => ndjson.flush(),
            #[cfg(feature = "parquet")]
            FormatWriter::Parquet(parquet) => parquet.finish(),
        }
    }
}
