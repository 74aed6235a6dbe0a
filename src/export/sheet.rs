//! A table on its way out, in one of the formats.

use std::io::{self, Write};

use super::csv::Csv;
use super::ndjson::Ndjson;
#[cfg(feature = "parquet")]
use super::parquet::Parquet;
use super::{Quotes, Row};

/// How a table is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Csv,
    Ndjson,
    /// Only in a build with the feature `parquet`.
    Parquet,
}

impl Format {
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
pub struct Sheet<W: Write + Send>(Kind<W>);

enum Kind<W: Write + Send> {
    Csv(Box<Csv<W>>),
    Ndjson(Ndjson<W>),
    #[cfg(feature = "parquet")]
    Parquet(Box<Parquet<W>>),
}

impl<W: Write + Send> Sheet<W> {
    /// Begins a table of `R`; CSV begins with its header line, rows or none. Fails with
    /// [`io::ErrorKind::Unsupported`] where the format is not in this build.
    pub fn new<R: Row>(format: Format, out: W) -> io::Result<Self> {
        Ok(Self(match format {
            Format::Csv => Kind::Csv(Box::new(Csv::new::<R>(out)?)),
            Format::Ndjson => Kind::Ndjson(Ndjson::new(out)),
            #[cfg(feature = "parquet")]
            Format::Parquet => Kind::Parquet(Box::new(Parquet::new::<R>(out)?)),
            #[cfg(not(feature = "parquet"))]
            Format::Parquet => {
                let why = "this build has no parquet; build it with `--features parquet`";
                return Err(io::Error::new(io::ErrorKind::Unsupported, why));
            }
        }))
    }

    /// Writes a row; all rows of a table are of the type that it was begun with.
    pub fn write<R: Row>(&mut self, row: &R) -> io::Result<()> {
        match &mut self.0 {
            Kind::Csv(csv) => csv.write(row),
            Kind::Ndjson(ndjson) => ndjson.write(row),
            #[cfg(feature = "parquet")]
            Kind::Parquet(parquet) => parquet.write(row),
        }
    }

    /// Gives everything written so far to the receiver; a format of groups keeps the group at
    /// hand.
    pub fn flush(&mut self) -> io::Result<()> {
        match &mut self.0 {
            Kind::Csv(csv) => csv.flush(),
            Kind::Ndjson(ndjson) => ndjson.flush(),
            #[cfg(feature = "parquet")]
            Kind::Parquet(_) => Ok(()),
        }
    }

    /// Ends the table: all of it is with the receiver.
    pub fn finish(self) -> io::Result<()> {
        match self.0 {
            Kind::Csv(mut csv) => csv.flush(),
            Kind::Ndjson(mut ndjson) => ndjson.flush(),
            #[cfg(feature = "parquet")]
            Kind::Parquet(parquet) => parquet.finish(),
        }
    }
}
