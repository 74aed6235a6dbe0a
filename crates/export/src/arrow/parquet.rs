//! Parquet: groups of rows that are written as soon as they are full, so that memory does not grow
//! with the table.
//!
//! Each column has the encoding that suits its kind. Numbers and times are written as differences,
//! which do not get smaller when they are compressed; texts that come again with a dictionary. No
//! two messages have the same values, so JSON gets none. Only numbers and times have their smallest
//! and largest value written: games and addresses are everywhere in a capture.

use std::io::{self, Write};

use ::parquet::arrow::ArrowWriter;
use ::parquet::arrow::arrow_writer::ArrowWriterOptions;
use ::parquet::basic::{Compression, Encoding, ZstdLevel};
use ::parquet::errors::ParquetError;
use ::parquet::file::metadata::KeyValue;
use ::parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesBuilder};
use ::parquet::schema::types::ColumnPath;
use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;

use super::{described, io_error as arrow_error};
use crate::{Column, ColumnType};

/// A group ends at this many rows, or when it takes this many bytes of memory, encoded: those of all
/// files that are written at a time, and at least those of one.
const ROWS: usize = 1 << 17;
const BYTES: usize = 8 << 20;
const LEAST: usize = 1 << 20;
/// A page ends at this many bytes, before it is compressed.
const PAGE: usize = 1 << 18;

/// A file that is being written; it is not readable before it is finished.
pub(crate) struct ParquetFile<W: Write + Send> {
    out: ArrowWriter<W>,
    /// After how many bytes a group ends.
    group: usize,
}

impl<W: Write + Send> ParquetFile<W> {
    pub fn new(table: &str, columns: &[Column], schema: &SchemaRef, out: W) -> io::Result<Self> {
        let about = described(table).map(|(name, value)| KeyValue::new(name, value)).to_vec();
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_statistics_enabled(EnabledStatistics::None)
            .set_data_page_size_limit(PAGE)
            // The index that would be kept of each page until the end.
            .set_offset_index_disabled(true)
            .set_max_row_group_row_count(None)
            .set_key_value_metadata(Some(about));
        let properties = columns.iter().fold(properties, encoded).build();
        let options = ArrowWriterOptions::new()
            .with_properties(properties)
            // The types of Parquet say everything.
            .with_skip_arrow_metadata(true)
            .with_schema_root("row".to_owned());
        let out = ArrowWriter::try_new_with_options(out, schema.clone(), options);
        Ok(Self { out: out.map_err(io_error)?, group: BYTES })
    }

    /// The same as one of so many files that are written at a time: its groups are smaller.
    pub fn among(&mut self, files: usize) {
        self.group = (BYTES / files.max(1)).max(LEAST);
    }

    pub fn write(&mut self, batch: &RecordBatch) -> io::Result<()> {
        self.out.write(batch).map_err(io_error)?;
        if self.out.in_progress_rows() >= ROWS || self.out.memory_size() >= self.group {
            self.out.flush().map_err(io_error)?;
        }
        Ok(())
    }

    /// Ends the current group.
    pub fn end_group(&mut self) -> io::Result<()> {
        self.out.flush().map_err(io_error)
    }

    /// Writes the rest, and the footer with these facts. Without it the file is invalid.
    pub fn finish(&mut self, facts: &[(&str, String)]) -> io::Result<()> {
        for (name, value) in facts {
            let fact = KeyValue::new(format!("fragshark.{name}"), value.clone());
            self.out.append_key_value_metadata(fact);
        }
        self.out.finish().map(drop).map_err(io_error)
    }
}

/// Sets the encoding of a column.
fn encoded(properties: WriterPropertiesBuilder, column: &Column) -> WriterPropertiesBuilder {
    let path = ColumnPath::from(column.name);
    let encoding = match column.kind {
        ColumnType::Number
        | ColumnType::Port
        | ColumnType::Integer
        | ColumnType::Duration
        | ColumnType::Time => Encoding::DELTA_BINARY_PACKED,
        ColumnType::Decimal | ColumnType::Flag => Encoding::PLAIN,
        ColumnType::Line | ColumnType::Json => {
            return properties
                .set_column_encoding(path.clone(), Encoding::DELTA_LENGTH_BYTE_ARRAY)
                .set_column_dictionary_enabled(path, false);
        }
        ColumnType::Text
        | ColumnType::Word
        | ColumnType::Address
        | ColumnType::Texts
        | ColumnType::Numbers => return properties,
    };
    properties
        .set_column_encoding(path.clone(), encoding)
        .set_column_dictionary_enabled(path.clone(), false)
        .set_column_compression(path.clone(), Compression::UNCOMPRESSED)
        .set_column_statistics_enabled(path, EnabledStatistics::Chunk)
}

/// The original error: callers must recognise a closed pipe.
fn io_error(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(source) => match source.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(source) => io::Error::other(source),
        },
        other => arrow_error(other.into()),
    }
}
