//! Writes a table in one of the formats.

use std::io::{self, Write};

#[cfg(feature = "parquet")]
use super::arrow::{ArrowStream, ParquetFile};
use super::formatter::{RowBlock, RowFormatter};
use super::{Column, Quotes, Row, csv};

/// The format of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableFormat {
    /// RFC 4180, with LF.
    Csv,
    /// One JSON object per line.
    Ndjson,
    /// The same with the names of the Elastic Common Schema, in nested objects.
    Ecs,
    /// Only in a build with the feature `parquet`.
    Parquet,
    /// A stream of Arrow IPC; only in a build with the feature `parquet`.
    Arrow,
}

impl TableFormat {
    /// The quoting of JSON cells in this format.
    pub fn quotes(self) -> Quotes {
        match self {
            Self::Csv => Quotes::Doubled,
            Self::Ndjson | Self::Ecs | Self::Parquet | Self::Arrow => Quotes::Single,
        }
    }

    /// Whether it is not text.
    pub fn is_binary(self) -> bool {
        matches!(self, Self::Parquet | Self::Arrow)
    }

    /// Whether this build writes it.
    pub fn is_supported(self) -> bool {
        cfg!(feature = "parquet") || !self.is_binary()
    }
}

/// A table being written, row by row. Rows are kept only until there are enough for a block; in
/// Parquet, encoded, until there are enough for a group.
pub struct TableWriter<W: Write + Send> {
    rows: RowFormatter,
    to: TableSink<W>,
}

enum TableSink<W: Write + Send> {
    Lines(W),
    #[cfg(feature = "parquet")]
    Parquet(Box<ParquetFile<W>>),
    #[cfg(feature = "parquet")]
    Arrow(Box<ArrowStream<W>>),
}

impl<W: Write + Send> TableWriter<W> {
    /// Starts a table of this name and these columns; CSV starts with its header line, rows or
    /// none. Fails with [`io::ErrorKind::Unsupported`] if the format is not in this build.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn new(format: TableFormat, table: &str, columns: &[Column], out: W) -> io::Result<Self> {
        let rows = RowFormatter::new(format, table, columns)?;
        let to = match (format, &rows) {
            (TableFormat::Csv, _) => {
                let mut out = out;
                out.write_all(&csv::header(columns)?)?;
                TableSink::Lines(out)
            }
            #[cfg(feature = "parquet")]
            (TableFormat::Parquet, RowFormatter::Arrow(batches)) => {
                let file = ParquetFile::new(table, columns, batches.schema(), out)?;
                TableSink::Parquet(Box::new(file))
            }
            #[cfg(feature = "parquet")]
            (TableFormat::Arrow, RowFormatter::Arrow(batches)) => {
                TableSink::Arrow(Box::new(ArrowStream::new(table, batches.schema(), out)?))
            }
            _ => TableSink::Lines(out),
        };
        Ok(Self { rows, to })
    }

    /// The same as one of so many tables that are written at a time: together they take the memory
    /// of one.
    #[must_use]
    #[cfg_attr(not(feature = "parquet"), allow(unused, reason = "for Parquet alone"))]
    pub fn among(mut self, tables: usize) -> Self {
        #[cfg(feature = "parquet")]
        if let TableSink::Parquet(file) = &mut self.to {
            file.among(tables);
        }
        self
    }

    /// The same with those columns alone that `has` names; only lines of JSON can lack one.
    #[must_use]
    pub(super) fn of_columns(mut self, columns: &[Column], has: impl Fn(&Column) -> bool) -> Self {
        self.rows.choose_columns(columns, has);
        self
    }

    /// Whether rows have the one of these columns with this name.
    pub(super) fn has_column(&self, columns: &[Column], name: &str) -> bool {
        self.rows.has_column(columns, name)
    }

    /// Whether rows have one of these columns that is JSON.
    pub(super) fn has_json(&self, columns: &[Column]) -> bool {
        self.rows.has_json(columns)
    }

    /// Writes a row; all rows of a table have the type that it was started with.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write<R: Row>(&mut self, row: &R) -> io::Result<()> {
        self.write_all(|rows| rows.push(row))
    }

    /// Writes the rows that `push` adds; returns what it returns.
    pub(super) fn write_all<T>(
        &mut self,
        push: impl FnOnce(&mut RowFormatter) -> T,
    ) -> io::Result<T> {
        let pushed = push(&mut self.rows);
        if self.rows.is_full() {
            self.write_out()?;
        }
        Ok(pushed)
    }

    /// Appends a row to `kept`, to be added later by [`RowFormatter::push_kept`].
    pub(super) fn keep<R: Row>(&mut self, row: &R, kept: &mut Vec<u8>) {
        self.rows.keep(row, kept);
    }

    /// Writes rows that a [`RowFormatter`] of the same format and columns has formatted, after
    /// those that were written before.
    pub(super) fn write_block(&mut self, block: &RowBlock) -> io::Result<()> {
        match (&mut self.to, block) {
            (TableSink::Lines(out), RowBlock::Lines(lines)) => out.write_all(lines),
            #[cfg(feature = "parquet")]
            (TableSink::Parquet(out), RowBlock::Batch(batch)) => out.write(batch),
            #[cfg(feature = "parquet")]
            (TableSink::Arrow(out), RowBlock::Batch(batch)) => out.write(batch),
            #[cfg(feature = "parquet")]
            _ => Err(io::Error::new(io::ErrorKind::InvalidInput, "rows of another format")),
        }
    }

    /// Writes out everything that is buffered; Parquet keeps the current group.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn flush(&mut self) -> io::Result<()> {
        self.write_out()?;
        match &mut self.to {
            TableSink::Lines(out) => out.flush(),
            #[cfg(feature = "parquet")]
            TableSink::Parquet(_) => Ok(()),
            // Written out with each batch.
            #[cfg(feature = "parquet")]
            TableSink::Arrow(_) => Ok(()),
        }
    }

    /// Writes out everything after the last row, and frees its memory; the table is not ended.
    ///
    /// # Errors
    /// Those of the writer.
    pub(super) fn end_rows(&mut self) -> io::Result<()> {
        self.flush()?;
        #[cfg(feature = "parquet")]
        if let TableSink::Parquet(out) = &mut self.to {
            out.end_group()?;
        }
        Ok(())
    }

    /// Ends the table and writes out everything. Parquet's footer gets these facts, which are known
    /// at the end: names without `fragshark.`, and values.
    ///
    /// # Errors
    /// Those of the writer.
    #[cfg_attr(not(feature = "parquet"), allow(unused_variables, reason = "for Parquet alone"))]
    pub fn finish(mut self, facts: &[(&str, String)]) -> io::Result<()> {
        self.write_out()?;
        match &mut self.to {
            TableSink::Lines(out) => out.flush(),
            #[cfg(feature = "parquet")]
            TableSink::Parquet(out) => out.finish(facts),
            #[cfg(feature = "parquet")]
            TableSink::Arrow(out) => out.finish(),
        }
    }

    /// Writes the rows that wait for others.
    fn write_out(&mut self) -> io::Result<()> {
        match self.rows.take_block()? {
            Some(block) => self.write_block(&block),
            None => Ok(()),
        }
    }
}

impl<W: Write + Send> Drop for TableWriter<W> {
    /// A table that is dropped early still writes its complete rows.
    fn drop(&mut self) {
        _ = self.write_out();
    }
}
