//! The formats of answers.

use clap::ValueEnum;

use super::super::file_format::{FileFormat, JSON, NDJSON, TEXT};
use export::TableFormat;

/// The formats of answers.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum QueryFormat {
    Text,
    Json,
    Ndjson,
    Csv,
    Parquet,
    Arrow,
}

impl FileFormat for QueryFormat {
    const USUAL: Self = Self::Text;
    const ENDINGS: &'static [(Self, &'static [&'static str])] = &[
        (Self::Text, TEXT),
        (Self::Json, JSON),
        (Self::Ndjson, NDJSON),
        (Self::Csv, &["csv"]),
        (Self::Parquet, &["parquet"]),
        (Self::Arrow, &["arrows", "arrow"]),
    ];
}

impl QueryFormat {
    /// The format of its table; `None` for text. JSON is made of NDJSON.
    pub fn table(self) -> Option<TableFormat> {
        Some(match self {
            Self::Text => return None,
            Self::Json | Self::Ndjson => TableFormat::Ndjson,
            Self::Csv => TableFormat::Csv,
            Self::Parquet => TableFormat::Parquet,
            Self::Arrow => TableFormat::Arrow,
        })
    }
}
