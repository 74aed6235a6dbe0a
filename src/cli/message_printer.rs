//! Prints messages as lines for people, or as NDJSON.

use std::io::{self, Write};

use export::{LineStyle, Listing, MessageRow, Row as _, TableFormat, TableWriter};

pub(super) enum MessagePrinter<W: Write + Send> {
    Text(Listing<W>),
    Ndjson(TableWriter<W>),
}

impl<W: Write + Send> MessagePrinter<W> {
    pub fn new(out: W, is_ndjson: bool, style: LineStyle) -> io::Result<Self> {
        Ok(if is_ndjson {
            Self::Ndjson(TableWriter::new(
                TableFormat::Ndjson,
                "messages",
                MessageRow::COLUMNS,
                out,
            )?)
        } else {
            Self::Text(Listing::new(out, style))
        })
    }

    pub fn write(&mut self, row: &MessageRow<'_>) -> io::Result<()> {
        match self {
            Self::Text(listing) => listing.write(row),
            Self::Ndjson(table) => table.write(row),
        }
    }

    pub fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Text(listing) => listing.flush(),
            Self::Ndjson(table) => table.flush(),
        }
    }
}
