//! Builds batches: cells become values of columns.

use std::io;
use std::slice;
use std::sync::Arc;

use arrow_array::builder::{
    ArrayBuilder, BooleanBuilder, Float64Builder, Int32Builder, Int64Builder, ListBuilder,
    StringBuilder, TimestampMicrosecondBuilder,
};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, SchemaRef};

use super::{UTC, element, io_error, schema};
use crate::{Cell, CellSink, Column, ColumnType, Row};
use text::digits::push_ip;

/// A batch ends at this many rows, or at this many bytes of text: few enough to stay in the cache
/// until they are encoded.
const ROWS: usize = 2048;
const BYTES: usize = 1 << 20;

/// Nanoseconds of a microsecond.
const MICROSECOND: i64 = 1_000;

/// Builds batches of one table.
pub(crate) struct BatchBuilder {
    schema: SchemaRef,
    columns: Vec<ColumnBuilder>,
    rows: usize,
    /// Bytes of text in the current batch.
    bytes: usize,
    /// An address as text.
    address: Vec<u8>,
}

enum ColumnBuilder {
    Numbers(Int64Builder),
    Ports(Int32Builder),
    Decimals(Float64Builder),
    Flags(BooleanBuilder),
    Times(TimestampMicrosecondBuilder),
    Texts(StringBuilder),
    TextLists(ListBuilder<StringBuilder>),
    NumberLists(ListBuilder<Int64Builder>),
}

impl BatchBuilder {
    pub fn new(columns: &[Column]) -> Self {
        let schema = Arc::new(schema(columns));
        let columns = columns.iter().map(|column| ColumnBuilder::new(column.kind)).collect();
        Self { schema, columns, rows: 0, bytes: 0, address: Vec::new() }
    }

    /// The schema of the batches.
    pub fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// Adds a row.
    pub fn push<R: Row>(&mut self, row: &R) {
        let Self { columns, bytes, address, .. } = self;
        row.pass_cells(&mut BatchRow { columns: columns.iter_mut(), bytes, address });
        self.rows += 1;
    }

    /// Whether the batch should be taken.
    pub fn is_full(&self) -> bool {
        self.rows >= ROWS || self.bytes >= BYTES
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// The rows so far.
    pub fn take_batch(&mut self) -> io::Result<RecordBatch> {
        (self.rows, self.bytes) = (0, 0);
        let arrays = self.columns.iter_mut().map(ColumnBuilder::take_array).collect();
        RecordBatch::try_new(Arc::clone(&self.schema), arrays).map_err(io_error)
    }
}

/// A row that is being added.
struct BatchRow<'a> {
    columns: slice::IterMut<'a, ColumnBuilder>,
    bytes: &'a mut usize,
    address: &'a mut Vec<u8>,
}

impl CellSink for BatchRow<'_> {
    #[expect(clippy::inline_always, reason = "the kind of cell is known where it is called")]
    #[inline(always)]
    fn add_cell(&mut self, _: &'static Column, cell: Cell<'_>) {
        if let Some(column) = self.columns.next() {
            *self.bytes += column.push(cell, self.address);
        }
    }
}

impl ColumnBuilder {
    fn new(kind: ColumnType) -> Self {
        match kind {
            ColumnType::Number | ColumnType::Integer | ColumnType::Duration => {
                Self::Numbers(Int64Builder::with_capacity(ROWS))
            }
            ColumnType::Port => Self::Ports(Int32Builder::with_capacity(ROWS)),
            ColumnType::Decimal => Self::Decimals(Float64Builder::with_capacity(ROWS)),
            ColumnType::Flag => Self::Flags(BooleanBuilder::with_capacity(ROWS)),
            ColumnType::Time => {
                Self::Times(TimestampMicrosecondBuilder::with_capacity(ROWS).with_timezone(UTC))
            }
            ColumnType::Text
            | ColumnType::Line
            | ColumnType::Word
            | ColumnType::Address
            | ColumnType::Json => Self::Texts(StringBuilder::with_capacity(ROWS, 0)),
            ColumnType::Texts => Self::TextLists(
                ListBuilder::new(StringBuilder::new()).with_field(element(DataType::Utf8)),
            ),
            ColumnType::Numbers => Self::NumberLists(
                ListBuilder::new(Int64Builder::new()).with_field(element(DataType::Int64)),
            ),
        }
    }

    /// Adds a cell; returns how many bytes of text it has.
    #[expect(clippy::inline_always, reason = "the kind of cell is known where it is called")]
    #[inline(always)]
    fn push(&mut self, cell: Cell<'_>, address: &mut Vec<u8>) -> usize {
        match (self, cell) {
            (Self::Texts(all), Cell::Text(text) | Cell::Word(text)) if !text.is_empty() => {
                all.append_value(text);
                return text.len();
            }
            (Self::Texts(all), Cell::Json(json)) => {
                let text = json.text();
                all.append_value(&text);
                return text.len();
            }
            (Self::Texts(all), Cell::Address(ip)) => {
                address.clear();
                push_ip(address, ip);
                all.append_value(str::from_utf8(address).unwrap_or_default());
                return address.len();
            }
            (Self::Numbers(all), Cell::Number(number)) => all.append_value(signed(number)),
            (Self::Numbers(all), Cell::Integer(number) | Cell::Duration(number)) => {
                all.append_value(number);
            }
            (Self::Ports(all), Cell::Port(port)) => all.append_value(port.into()),
            (Self::Decimals(all), Cell::Decimal(number)) => all.append_value(number),
            (Self::Flags(all), Cell::Flag(flag)) => all.append_value(flag),
            (Self::Times(all), Cell::Time(nanos)) => {
                all.append_value(nanos.div_euclid(MICROSECOND));
            }
            (Self::TextLists(all), Cell::Texts(texts)) => {
                texts.iter().for_each(|text| all.values().append_value(text));
                all.append(true);
                return texts.stored().len();
            }
            (Self::NumberLists(all), Cell::Numbers(numbers)) => {
                numbers.iter().for_each(|number| all.values().append_value(signed(number)));
                all.append(true);
                return numbers.stored().len();
            }
            (column, cell) => {
                // By the declaration, a column only gets cells of its own kind.
                debug_assert!(
                    matches!(cell, Cell::Nothing | Cell::Text(_) | Cell::Word(_)),
                    "{cell:?}"
                );
                column.push_null();
            }
        }
        0
    }

    fn push_null(&mut self) {
        match self {
            Self::Numbers(all) => all.append_null(),
            Self::Ports(all) => all.append_null(),
            Self::Decimals(all) => all.append_null(),
            Self::Flags(all) => all.append_null(),
            Self::Times(all) => all.append_null(),
            Self::Texts(all) => all.append_null(),
            Self::TextLists(all) => all.append_null(),
            Self::NumberLists(all) => all.append_null(),
        }
    }

    /// The column so far. The next batch has about as much text as this one.
    fn take_array(&mut self) -> ArrayRef {
        match self {
            Self::Texts(all) => {
                let bytes = all.values_slice().len();
                let next = StringBuilder::with_capacity(ROWS, bytes + bytes / 8);
                Arc::new(std::mem::replace(all, next).finish())
            }
            Self::Numbers(all) => ArrayBuilder::finish(all),
            Self::Ports(all) => ArrayBuilder::finish(all),
            Self::Decimals(all) => ArrayBuilder::finish(all),
            Self::Flags(all) => ArrayBuilder::finish(all),
            Self::Times(all) => ArrayBuilder::finish(all),
            Self::TextLists(all) => ArrayBuilder::finish(all),
            Self::NumberLists(all) => ArrayBuilder::finish(all),
        }
    }
}

/// A number in 64 bits with a sign; one that is too large is the largest.
fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
