//! Rows, and the formats that they are written in: the output for other programs.
//!
//! A table is one row type, declared once ([`Row`]): its columns with their types, units and
//! meanings, and its cells. CSV, NDJSON, the lines of `decode` and `docs/reference/export-columns.md` use that
//! declaration, so they cannot disagree. A row is written and dropped: this module keeps no more
//! than the current row, and does not decide what a row says of a game or a role. Packets are
//! written back too; rows and packets can have pseudonyms instead of names. Messages are drawn as
//! diagrams.
//!
//! *Invariant:* the output of this module holds no control character but the line feed that ends a
//! line, no secret unless requested, and in CSV no text that a spreadsheet would evaluate.
#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[cfg(feature = "parquet")]
mod arrow;
mod catalogue;
mod chosen;
mod columns;
mod counts;
mod csv;
mod directory;
mod ecs;
mod exchange_messages;
mod exchange_queue;
mod exchanges;
mod export_form;
mod fields;
mod findings;
mod flows;
mod formatter;
mod hosts;
mod join;
mod json;
mod knowledge;
pub mod ladder;
mod list;
mod listing;
mod message;
mod message_blocks;
mod message_reader;
mod message_tables;
mod names;
mod ndjson;
mod ordered;
mod origin;
mod output;
mod packets;
mod pipeline_source;
mod players;
mod redact;
mod registrations;
mod row;
mod row_ids;
mod session_export;
mod session_row;
#[cfg(feature = "parquet")]
mod stored_row;
mod table_set;
mod tables;
mod time;
mod transcript_heading;
mod writer;

pub use catalogue::Catalogue;
pub use chosen::{ChoiceOptions, PassObserver, RowChoice, choose_rows};
pub use counts::{CountsJson, CountsText};
pub use directory::{Manifest, ManifestEntry, TableDirectory, set_name};
pub use export_form::ExportForm;
pub(crate) use fields::Fields;
pub(crate) use findings::FindingRow;
pub(crate) use flows::{FlowRow, FlowRows};
pub(crate) use hosts::{MasterRow, ServerRow};
pub use json::{JsonWriter, Quotes};
pub use list::{NumberList, TextList};
pub use listing::{LineStyle, Listing, write_listing};
pub use message::{MessageRow, MessageRows};
pub use names::{COLUMN_NAMES, ColumnNames};
pub use origin::TableOrigin;
pub use output::{Existing, NamedFile, Output, OutputError, compressed, folder_of, is_input};
pub use packets::{Packets, notes};
pub use players::{PlayerRow, PlayerRows};
pub use redact::Redactor;
pub use row::{Cell, CellSink, Column, ColumnType, Row};
pub use session_export::{ExportProgress, ExportSummary, Selection, SessionExport};
pub(crate) use session_row::SessionRow;
pub use tables::{ExportError, Select, TABLES, Table, TableOptions, WrittenTables, write_tables};
pub use transcript_heading::transcript_heading;
pub use writer::TableFormat;
pub use writer::TableWriter;
