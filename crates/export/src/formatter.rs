//! Formats rows, without a header or a footer.
//!
//! Rows can be formatted on one thread and written on another: a [`RowFormatter`] gives blocks, and
//! a [`TableWriter`](super::TableWriter) of the same format and columns takes them in order.

use std::io;

#[cfg(feature = "parquet")]
use arrow_array::RecordBatch;

#[cfg(feature = "parquet")]
use super::arrow::BatchBuilder;
use super::csv::Csv;
use super::ecs::Ecs;
use super::ndjson::Ndjson;
#[cfg(feature = "parquet")]
use super::stored_row::{Stored, store};
use super::{Column, ColumnType, Row, TableFormat};

/// How many bytes of lines make a block.
const LINES: usize = 1 << 16;

/// Collects rows into blocks.
pub(super) enum RowFormatter {
    Csv(Csv, Vec<u8>),
    Ndjson(Ndjson, Vec<u8>),
    Ecs(Box<Ecs>, Vec<u8>),
    #[cfg(feature = "parquet")]
    Arrow(Box<BatchBuilder>),
}

/// Formatted rows.
pub(super) enum RowBlock {
    /// Whole lines.
    Lines(Vec<u8>),
    #[cfg(feature = "parquet")]
    Batch(RecordBatch),
}

impl RowFormatter {
    /// Fails with [`io::ErrorKind::Unsupported`] if the format is not in this build.
    pub fn new(format: TableFormat, table: &str, columns: &[Column]) -> io::Result<Self> {
        Ok(match format {
            TableFormat::Ecs => Self::Ecs(Box::new(Ecs::new(table, columns)), Vec::new()),
            TableFormat::Csv => Self::Csv(Csv::default(), Vec::new()),
            TableFormat::Ndjson => Self::Ndjson(Ndjson::default(), Vec::new()),
            #[cfg(feature = "parquet")]
            TableFormat::Parquet | TableFormat::Arrow => {
                Self::Arrow(Box::new(BatchBuilder::new(columns)))
            }
            #[cfg(not(feature = "parquet"))]
            TableFormat::Parquet | TableFormat::Arrow => {
                let why = "this build has no Parquet and Arrow; build it with `--features parquet`";
                return Err(io::Error::new(io::ErrorKind::Unsupported, why));
            }
        })
    }

    /// Leaves out the columns that `has` does not name; only lines of JSON can lack one.
    pub fn choose_columns(&mut self, columns: &[Column], has: impl Fn(&Column) -> bool) {
        if let Self::Ndjson(ndjson, _) = self {
            *ndjson = Ndjson::of_columns(columns, has);
        }
    }

    /// Whether rows have the one of these columns with this name.
    pub fn has_column(&self, columns: &[Column], name: &str) -> bool {
        match self {
            Self::Ndjson(ndjson, _) => ndjson.has(columns, |column| column.name == name),
            _ => columns.iter().any(|column| column.name == name),
        }
    }

    /// Whether rows have one of these columns that is JSON.
    pub fn has_json(&self, columns: &[Column]) -> bool {
        match self {
            Self::Ndjson(ndjson, _) => ndjson.has(columns, |of| of.kind == ColumnType::Json),
            _ => columns.iter().any(|column| column.kind == ColumnType::Json),
        }
    }

    /// Adds a row.
    pub fn push<R: Row>(&mut self, row: &R) {
        match self {
            Self::Csv(csv, lines) => csv.push(row, lines),
            Self::Ndjson(ndjson, lines) => ndjson.push(row, lines),
            Self::Ecs(ecs, lines) => ecs.push(row, lines),
            #[cfg(feature = "parquet")]
            Self::Arrow(batch) => batch.push(row),
        }
    }

    /// Appends a row to `kept`, to be added later by [`Self::push_kept`]: as its line, or as its
    /// cells where there are no lines.
    pub fn keep<R: Row>(&mut self, row: &R, kept: &mut Vec<u8>) {
        match self {
            Self::Csv(csv, _) => csv.push(row, kept),
            Self::Ndjson(ndjson, _) => ndjson.push(row, kept),
            Self::Ecs(ecs, _) => ecs.push(row, kept),
            #[cfg(feature = "parquet")]
            Self::Arrow(_) => store(row, kept),
        }
    }

    /// Adds a row of `R` that was kept.
    #[cfg_attr(
        not(feature = "parquet"),
        allow(clippy::extra_unused_type_parameters, reason = "for cells")
    )]
    pub fn push_kept<R: Row>(&mut self, kept: &[u8]) {
        match self {
            Self::Csv(_, lines) | Self::Ndjson(_, lines) | Self::Ecs(_, lines) => {
                lines.extend_from_slice(kept);
            }
            #[cfg(feature = "parquet")]
            Self::Arrow(batch) => batch.push(&Stored::<R>::new(kept)),
        }
    }

    /// Whether there are enough rows for a block.
    pub fn is_full(&self) -> bool {
        match self {
            Self::Csv(_, lines) | Self::Ndjson(_, lines) | Self::Ecs(_, lines) => {
                lines.len() >= LINES
            }
            #[cfg(feature = "parquet")]
            Self::Arrow(batch) => batch.is_full(),
        }
    }

    /// The rows so far; `None` if there are none.
    pub fn take_block(&mut self) -> io::Result<Option<RowBlock>> {
        Ok(match self {
            Self::Csv(_, lines) | Self::Ndjson(_, lines) | Self::Ecs(_, lines) => {
                let next = Vec::with_capacity(lines.len() + lines.len() / 8);
                let block = std::mem::replace(lines, next);
                (!block.is_empty()).then_some(RowBlock::Lines(block))
            }
            #[cfg(feature = "parquet")]
            Self::Arrow(batch) if batch.is_empty() => None,
            #[cfg(feature = "parquet")]
            Self::Arrow(batch) => Some(RowBlock::Batch(batch.take_batch()?)),
        })
    }
}
