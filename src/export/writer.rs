//! Writes a table in one of the formats.

use std::io::{self, Write};

use super::csv::Csv;
use super::ndjson::Ndjson;
#[cfg(feature = "parquet")]
use super::parquet::Parquet;
use super::{Column, Quotes, Row};

/// The format of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableFormat {
    /// RFC 4180, with LF.
    Csv,
    /// One JSON object per line.
    Ndjson,
    /// Only in a build with the feature `parquet`.
    Parquet,
}

impl TableFormat {
    /// The quoting of JSON cells in this format.
    pub fn quotes(self) -> Quotes {
        match self {
            Self::Csv => Quotes::Doubled,
            Self::Ndjson | Self::Parquet => Quotes::Single,
        }
    }
}

/// A table being written, row by row; no rows are kept but, in Parquet, the current group.
pub struct TableWriter<W: Write + Send>(FormatWriter<W>);

enum FormatWriter<W: Write + Send> {
    Csv(Box<Csv<W>>),
    Ndjson(Ndjson<W>),
    #[cfg(feature = "parquet")]
    Parquet(Box<Parquet<W>>),
}

impl<W: Write + Send> TableWriter<W> {
    /// Starts a table of `R`; CSV starts with its header line, rows or none. Fails with
    /// [`io::ErrorKind::Unsupported`] if the format is not in this build.
    pub fn new<R: Row>(format: TableFormat, out: W) -> io::Result<Self> {
        Self::with_columns(format, R::COLUMNS, out)
    }

    /// The same by the columns of the rows.
    pub fn with_columns(format: TableFormat, columns: &[Column], out: W) -> io::Result<Self> {
        Ok(Self(match format {
            TableFormat::Csv => FormatWriter::Csv(Box::new(Csv::new(columns, out)?)),
            TableFormat::Ndjson => FormatWriter::Ndjson(Ndjson::new(out)),
            #[cfg(feature = "parquet")]
            TableFormat::Parquet => FormatWriter::Parquet(Box::new(Parquet::new(columns, out)?)),
            #[cfg(not(feature = "parquet"))]
            TableFormat::Parquet => {
                let why = "this build has no parquet; build it with `--features parquet`";
                return Err(io::Error::new(io::ErrorKind::Unsupported, why));
            }
        }))
    }

    /// Writes a row; all rows of a table have the type that it was started with.
    pub fn write<R: Row>(&mut self, row: &R) -> io::Result<()> {
        match &mut self.0 {
            FormatWriter::Csv(csv) => csv.write(row),
            FormatWriter::Ndjson(ndjson) => ndjson.write(row),
            #[cfg(feature = "parquet")]
            FormatWriter::Parquet(parquet) => parquet.write(row),
        }
    }

    /// Writes out everything that is buffered; Parquet keeps the current group.
    pub fn flush(&mut self) -> io::Result<()> {
        match &mut self.0 {
            FormatWriter::Csv(csv) => csv.flush(),
            FormatWriter::Ndjson(ndjson) => ndjson.flush(),
            #[cfg(feature = "parquet")]
            FormatWriter::Parquet(_) => Ok(()),
        }
    }

    /// Ends the table and writes out everything.
    pub fn finish(self) -> io::Result<()> {
        match self.0 {
            FormatWriter::Csv(mut csv) => csv.flush(),
            FormatWriter::Ndjson(mut ndjson) => ndjson.flush(),
            #[cfg(feature = "parquet")]
            FormatWriter::Parquet(parquet) => parquet.finish(),
        }
    }
}
