//! Parquet: columns in groups of rows that are written as soon as they are full, so that memory
//! does not grow with the table.
//!
//! Every column has the logical type of its kind, and is optional only if the declaration says so.

use std::io::{self, Write};
use std::sync::Arc;

use ::parquet::basic::{
    Compression, LogicalType, Repetition, TimeUnit, Type as Physical, ZstdLevel,
};
use ::parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use ::parquet::errors::ParquetError;
use ::parquet::file::properties::{EnabledStatistics, WriterProperties};
use ::parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use ::parquet::schema::types::Type;

use super::{Cell, Column, ColumnType, Row};
use crate::text::digits::push_ip;

/// A group ends at this many rows, or at this many bytes of text.
const ROWS: usize = 1 << 16;
const BYTES: usize = 8 << 20;

pub(super) struct Parquet<W: Write + Send> {
    out: SerializedFileWriter<W>,
    columns: Vec<ColumnValues>,
    rows: usize,
}

/// The cells of one column in the group at hand.
struct ColumnValues {
    kind: ColumnType,
    of: Store,
    /// For an optional column: whether each cell has a value.
    present: Option<Vec<i16>>,
}

enum Store {
    Numbers(Vec<i64>),
    Flags(Vec<bool>),
    Decimals(Vec<f64>),
    /// All texts concatenated, and the end of each.
    Texts(Vec<u8>, Vec<usize>),
}

impl<W: Write + Send> Parquet<W> {
    /// Starts a file; it is not readable before it is finished.
    pub fn new(columns: &[Column], out: W) -> io::Result<Self> {
        let fields = columns.iter().map(|c| schema(c).map(Arc::new)).collect::<Result<_, _>>();
        let root = Type::group_type_builder("row").with_fields(fields.map_err(io_error)?).build();
        let properties = columns.iter().filter(|c| c.kind == ColumnType::Json).fold(
            WriterProperties::builder()
                .set_compression(Compression::ZSTD(ZstdLevel::default()))
                .set_statistics_enabled(EnabledStatistics::Chunk)
                // The index that would be kept of each page until the end.
                .set_offset_index_disabled(true),
            // A dictionary is of no use: no two messages are equal.
            |properties, column| {
                properties.set_column_dictionary_enabled(column.name.into(), false)
            },
        );
        let root = Arc::new(root.map_err(io_error)?);
        let out = SerializedFileWriter::new(out, root, Arc::new(properties.build()));
        let columns = columns.iter().map(ColumnValues::of).collect();
        Ok(Self { out: out.map_err(io_error)?, columns, rows: 0 })
    }

    pub fn write<R: Row>(&mut self, row: &R) -> io::Result<()> {
        for (column, cell) in self.columns.iter_mut().zip(row.cells()) {
            column.push(cell);
        }
        self.rows += 1;
        let bytes: usize = self.columns.iter().map(ColumnValues::bytes).sum();
        if self.rows >= ROWS || bytes >= BYTES { self.group().map_err(io_error) } else { Ok(()) }
    }

    /// Writes the buffered rows as a group.
    fn group(&mut self) -> Result<(), ParquetError> {
        if self.rows == 0 {
            return Ok(());
        }
        self.rows = 0;
        let mut group = self.out.next_row_group()?;
        for values in &mut self.columns {
            if let Some(mut column) = group.next_column()? {
                values.write(&mut column)?;
                column.close()?;
            }
        }
        group.close()?;
        Ok(())
    }

    /// Writes the rest, and the footer without which the file is invalid.
    pub fn finish(mut self) -> io::Result<()> {
        self.group().and_then(|()| self.out.finish().map(drop)).map_err(io_error)
    }
}

impl ColumnValues {
    fn of(column: &Column) -> Self {
        let of = match column.kind {
            ColumnType::Number | ColumnType::Integer | ColumnType::Time | ColumnType::Duration => {
                Store::Numbers(Vec::new())
            }
            ColumnType::Flag => Store::Flags(Vec::new()),
            ColumnType::Decimal => Store::Decimals(Vec::new()),
            ColumnType::Text | ColumnType::Word | ColumnType::Address | ColumnType::Json => {
                Store::Texts(Vec::new(), Vec::new())
            }
        };
        Self { kind: column.kind, of, present: column.optional.then(Vec::new) }
    }

    fn push(&mut self, cell: Cell<'_>) {
        let is_nothing = cell == Cell::Nothing;
        if let Some(present) = &mut self.present {
            present.push(i16::from(!is_nothing));
        }
        match (&mut self.of, cell) {
            // The same bits as an unsigned number.
            (Store::Numbers(all), Cell::Number(number)) => all.push(number.cast_signed()),
            (Store::Numbers(all), Cell::Integer(n) | Cell::Time(n) | Cell::Duration(n)) => {
                all.push(n);
            }
            (Store::Flags(all), Cell::Flag(flag)) => all.push(flag),
            (Store::Decimals(all), Cell::Decimal(number)) => all.push(number),
            (Store::Texts(all, ends), Cell::Text(text) | Cell::Word(text)) => {
                all.extend_from_slice(text.as_bytes());
                ends.push(all.len());
            }
            (Store::Texts(all, ends), Cell::Address(address)) => {
                push_ip(all, address);
                ends.push(all.len());
            }
            (Store::Texts(all, ends), Cell::Json(json)) => {
                all.extend_from_slice(json.text().as_bytes());
                ends.push(all.len());
            }
            // By the declaration, a column only gets cells of its own kind.
            _ => debug_assert!(is_nothing && self.present.is_some(), "{:?}", self.kind),
        }
    }

    fn bytes(&self) -> usize {
        match &self.of {
            Store::Texts(all, _) => all.len(),
            Store::Numbers(_) | Store::Flags(_) | Store::Decimals(_) => 0,
        }
    }

    fn write(&mut self, out: &mut SerializedColumnWriter<'_>) -> Result<(), ParquetError> {
        let present = self.present.as_deref();
        match &mut self.of {
            Store::Numbers(all) => put::<Int64Type>(out, all, present)?,
            Store::Flags(all) => put::<BoolType>(out, all, present)?,
            Store::Decimals(all) => put::<DoubleType>(out, all, present)?,
            Store::Texts(all, ends) => {
                let bytes = ByteArray::from(std::mem::take(all));
                let mut start = 0;
                let texts = ends.drain(..).map(|end| {
                    let text = bytes.slice(start, end - start);
                    start = end;
                    text
                });
                put::<ByteArrayType>(out, &mut texts.collect(), present)?;
            }
        }
        if let Some(present) = &mut self.present {
            present.clear();
        }
        Ok(())
    }
}

/// Writes and clears values.
fn put<T: DataType>(
    out: &mut SerializedColumnWriter<'_>,
    values: &mut Vec<T::T>,
    present: Option<&[i16]>,
) -> Result<(), ParquetError> {
    out.typed::<T>().write_batch(values, present, None)?;
    values.clear();
    Ok(())
}

fn schema(column: &Column) -> Result<Type, ParquetError> {
    let (physical, logical) = match column.kind {
        ColumnType::Number => (Physical::INT64, Some(LogicalType::integer(64, false))),
        ColumnType::Time => (Physical::INT64, Some(LogicalType::timestamp(true, TimeUnit::NANOS))),
        ColumnType::Integer | ColumnType::Duration => (Physical::INT64, None),
        ColumnType::Flag => (Physical::BOOLEAN, None),
        ColumnType::Decimal => (Physical::DOUBLE, None),
        ColumnType::Text | ColumnType::Word | ColumnType::Address => {
            (Physical::BYTE_ARRAY, Some(LogicalType::String))
        }
        ColumnType::Json => (Physical::BYTE_ARRAY, Some(LogicalType::Json)),
    };
    let repetition = if column.optional { Repetition::OPTIONAL } else { Repetition::REQUIRED };
    Type::primitive_type_builder(column.name, physical)
        .with_repetition(repetition)
        .with_logical_type(logical)
        .build()
}

/// The original error: callers must recognise a closed pipe.
fn io_error(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(source) => match source.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(source) => io::Error::other(source),
        },
        other => io::Error::other(other),
    }
}
