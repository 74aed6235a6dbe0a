//! Arrow: rows in batches of columns, which become Parquet files or a stream of batches.
//!
//! One builder makes the batches of both, so that they have the same columns and types. Types are
//! those that every reader takes without a setting: signed integers, times in microseconds of UTC,
//! strings, and lists of them; JSON is a string. An absent or empty text is null.

mod batch;
mod parquet;
mod stream;

use std::io;
use std::sync::Arc;

use arrow_schema::{ArrowError, DataType, Field, Schema, TimeUnit};

pub(super) use self::batch::BatchBuilder;
pub(super) use self::parquet::ParquetFile;
pub(super) use self::stream::ArrowStream;
use super::{Column, ColumnType};

/// The number of this schema: the columns of all tables, and their types.
const SCHEMA: &str = "1";

/// The time zone of all times.
const UTC: &str = "UTC";

fn schema(columns: &[Column]) -> Schema {
    Schema::new(columns.iter().map(field).collect::<Vec<_>>())
}

fn field(column: &Column) -> Field {
    let (kind, may_be_missing) = match column.kind {
        ColumnType::Number | ColumnType::Integer | ColumnType::Duration => (DataType::Int64, false),
        ColumnType::Port => (DataType::Int32, false),
        ColumnType::Decimal => (DataType::Float64, false),
        ColumnType::Flag => (DataType::Boolean, false),
        // A frame may have no time.
        ColumnType::Time => (DataType::Timestamp(TimeUnit::Microsecond, Some(UTC.into())), true),
        ColumnType::Text | ColumnType::Line | ColumnType::Word | ColumnType::Json => {
            (DataType::Utf8, true)
        }
        ColumnType::Address => (DataType::Utf8, false),
        ColumnType::Texts => (DataType::List(element(DataType::Utf8)), false),
        ColumnType::Numbers => (DataType::List(element(DataType::Int64)), false),
    };
    Field::new(column.name, kind, column.optional || may_be_missing)
}

/// What a list holds; the name is that of the Parquet specification.
fn element(kind: DataType) -> Arc<Field> {
    Arc::new(Field::new("element", kind, false))
}

/// What a file or a stream says of itself at its beginning: names and values.
fn described(table: &str) -> [(String, String); 3] {
    [("version", env!("CARGO_PKG_VERSION")), ("table", table), ("schema", SCHEMA)]
        .map(|(name, value)| (format!("fragshark.{name}"), value.to_owned()))
}

/// The original error: callers must recognise a closed pipe.
fn io_error(error: ArrowError) -> io::Error {
    match error {
        ArrowError::IoError(_, source) => source,
        ArrowError::ExternalError(source) => match source.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(source) => io::Error::other(source),
        },
        other => io::Error::other(other),
    }
}
