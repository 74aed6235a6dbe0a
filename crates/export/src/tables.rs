//! Every table that can be exported, one line each; the command line, its help, the interface and
//! `docs/reference/export-columns.md` use it.
//!
//! A table says what its rows are made of ([`RowsOf`]). A [`Pipeline`](analysis::Pipeline),
//! which reads captures, or a [`Session`](analysis::Session), which has read them, passes
//! that to all tables that are written, in one pass: a [`TableSet`](super::table_set::TableSet).

use std::cell::LazyCell;
use std::fs::File;
use std::io::{self, Write};

use super::chosen::RowChoice;
use super::formatter::{RowBlock, RowFormatter};
use super::hosts::{HostRowSource, ListedRow};
use super::knowledge::EndpointRow;
use super::pipeline_source::write_from;
use super::registrations::RegistrationRow;
use super::session_export::ExportProgress;
use super::table_set::{ExchangeOrder, TableSet};
use super::{
    Column, FindingRow, FlowRow, MasterRow, MessageRow, MessageRows, PlayerRow, PlayerRows,
    Redactor, Row, ServerRow, SessionRow, TableFormat, TableOrigin, TableWriter,
};
use analysis::{CapturedMessage, InputSet, Pipeline, Registration};
use capture::OpenError;
use text::Secrets;

/// A table by its name.
#[derive(Debug, Clone, Copy)]
pub struct Table {
    /// Its name for `--what`.
    pub name: &'static str,
    /// Another name of the same table.
    pub alias: Option<&'static str>,
    /// What one row stands for: `message`.
    pub row: &'static str,
    /// Its columns, in order.
    pub columns: &'static [Column],
    pub(super) rows: RowsOf,
    /// Whether one message may have thousands of rows.
    pub(super) has_many: bool,
}

/// What the rows of a table are made of; with a filter, only of what is selected.
#[derive(Debug, Clone, Copy)]
pub(super) enum RowsOf {
    /// Each message.
    Messages(MakeMessageTable),
    /// Exchanges, in the order in which they began.
    Exchanges,
    /// The servers and masters.
    Hosts(HostRows),
    /// Of servers and masters too, and what came of registrations.
    Registrations(HostRows),
    Findings,
    Flows,
    /// The endpoints of flows with messages.
    Endpoints,
}

/// Writes the rows of a table of hosts.
pub(super) type HostRows = fn(HostRowSource<'_>, &mut RowWriter<'_>) -> Result<(), ExportError>;

/// Makes the rows of a table of messages, in a format, with secrets or without.
pub(super) type MakeMessageTable = fn(TableFormat, Secrets, &InputSet) -> Box<dyn MessageTable>;

/// Formats the rows of a table of messages.
pub(super) trait MessageTable: Send {
    /// Adds the rows of the next message; returns how many.
    fn push(&mut self, message: &CapturedMessage<'_>, rows: &mut RowFormatter) -> u64;
}

/// All tables; the first is the default.
pub const TABLES: &[Table] = &[
    Table::new::<SessionRow>("sessions", "exchange", RowsOf::Exchanges).or("exchanges"),
    Table::new::<MessageRow>("messages", "message", RowsOf::Messages(messages)),
    Table::new::<ServerRow>("servers", "server that sent anything", RowsOf::Registrations(servers)),
    Table::new::<RegistrationRow>(
        "registrations",
        "server and master to which it sent heartbeats or that listed it",
        RowsOf::Registrations(registrations),
    ),
    Table::new::<ListedRow>("listed", "server that a master listed", RowsOf::Hosts(listed)),
    Table::new::<MasterRow>("masters", "master", RowsOf::Hosts(masters)),
    Table::new::<PlayerRow>(
        "players",
        "player in an answer of a server",
        RowsOf::Messages(players),
    )
    .many(),
    Table::new::<FlowRow>("flows", "flow", RowsOf::Flows),
    Table::new::<FindingRow>("findings", "finding", RowsOf::Findings),
    Table::new::<EndpointRow>("endpoints", "endpoint of flows with messages", RowsOf::Endpoints),
];

/// The options of the tables of a pipeline.
pub struct TableOptions<'a> {
    /// The file format.
    pub format: TableFormat,
    /// Whether secrets are shown.
    pub secrets: Secrets,
    /// Whether each row is written at once, for live input.
    pub live: bool,
    /// Replaces names, addresses and secrets by pseudonyms.
    pub redactor: Option<&'a mut Redactor>,
    /// An empty temporary file for waiting rows.
    pub scratch: Option<File>,
    /// Selects messages; without it, all.
    pub selects: Option<&'a mut Select<'a>>,
    /// What the footer of Parquet says of the inputs; without it, nothing.
    pub origin: Option<TableOrigin>,
}

/// Whether a message is selected; called for all messages in their order.
pub type Select<'a> = dyn FnMut(&CapturedMessage<'_>) -> bool + 'a;

/// Why an export was not completed.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The input cannot be opened again.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The destination takes no more.
    #[error("cannot write")]
    Write(#[from] io::Error),
    /// By `ExportProgress::stop`.
    #[error("stopped")]
    Stopped,
    /// The input has changed, or cannot be read.
    #[error("message #{number} cannot be read again")]
    Payload {
        /// The message's frame.
        number: u64,
        /// The system's error.
        source: io::Error,
    },
    /// Input from a pipe or a device keeps only messages.
    #[error("the packets of a pipe or a live capture are not kept")]
    NoPackets,
    /// Not everything has been read.
    #[error("exchanges, hosts and findings are not known yet")]
    NoIndex,
    /// Only messages have packets.
    #[error("packets are for messages")]
    NoMessages,
}

/// Writes the rows of a table.
pub(super) struct RowWriter<'a> {
    pub format: TableFormat,
    pub table: &'static Table,
    pub secrets: Secrets,
    /// Whether each row is written at once.
    pub live: bool,
    pub progress: Option<&'a ExportProgress>,
    /// How many rows were written.
    pub rows: u64,
    pub out: TableWriter<&'a mut (dyn Write + Send)>,
    /// Takes chosen rows alone, instead of all that are written.
    choice: Option<&'a mut dyn RowChoice>,
    /// The line of a chosen row.
    line: Vec<u8>,
}

impl<'a> RowWriter<'a> {
    /// What writes the rows of a table in a format, with secrets or without.
    pub fn new(
        (table, format, secrets): (&'static Table, TableFormat, Secrets),
        out: TableWriter<&'a mut (dyn Write + Send)>,
    ) -> Self {
        let (live, progress, rows) = (false, None, 0);
        Self { format, table, secrets, live, progress, rows, out, choice: None, line: Vec::new() }
    }

    /// The same that passes chosen rows on, and writes none.
    pub fn choosing(self, choice: &'a mut dyn RowChoice) -> Self {
        Self { choice: Some(choice), ..self }
    }

    /// Whether not all rows are made.
    pub fn chooses(&self) -> bool {
        self.choice.is_some()
    }

    /// Whether the next row is to be made and written: as [`RowChoice::wants_row`] has it.
    pub fn wants_row(
        &mut self,
        number: Option<u64>,
        game: &'static str,
        mut word: impl FnMut() -> &'static str,
    ) -> bool {
        let choice = self.choice.as_mut();
        choice.is_none_or(|choice| choice.wants_row(number, game, &mut word))
    }

    /// Makes and writes the next row, if it is wanted, and unless a stop was requested.
    pub fn write_wanted<R: Row>(
        &mut self,
        game: &'static str,
        word: impl FnMut() -> &'static str,
        make: impl FnOnce() -> R,
    ) -> Result<(), ExportError> {
        if self.wants_row(None, game, word) { self.write(&make()) } else { Ok(()) }
    }

    /// Writes a row, unless a stop was requested.
    pub fn write(&mut self, row: &impl Row) -> Result<(), ExportError> {
        if let Some(choice) = &mut self.choice {
            self.line.clear();
            self.out.keep(row, &mut self.line);
            choice.take_row(&self.line)?;
            return self.count(1);
        }
        self.write_all(|rows| {
            rows.push(row);
            1
        })
    }

    /// The same for a row of `R` that [`TableWriter::keep`] has kept.
    pub fn write_kept<R: Row>(&mut self, kept: &[u8]) -> Result<(), ExportError> {
        self.write_all(|rows| {
            rows.push_kept::<R>(kept);
            1
        })
    }

    /// Writes the rows that `push` adds, unless a stop was requested; it returns how many.
    pub fn write_all(
        &mut self,
        push: impl FnOnce(&mut RowFormatter) -> u64,
    ) -> Result<(), ExportError> {
        let rows = self.out.write_all(push)?;
        self.count(rows)?;
        if self.live && rows > 0 {
            self.out.flush()?;
        }
        Ok(())
    }

    /// Writes a block of so many rows, unless a stop was requested.
    pub fn write_block(&mut self, block: &RowBlock, rows: u64) -> Result<(), ExportError> {
        self.out.write_block(block)?;
        self.count(rows)
    }

    fn count(&mut self, rows: u64) -> Result<(), ExportError> {
        self.rows += rows;
        self.progress.map_or(Ok(()), |progress| progress.step(rows))
    }
}

impl Table {
    const fn new<R: Row>(name: &'static str, row: &'static str, rows: RowsOf) -> Self {
        Self { name, alias: None, row, columns: R::COLUMNS, rows, has_many: false }
    }

    const fn many(self) -> Self {
        Self { has_many: true, ..self }
    }

    const fn or(self, alias: &'static str) -> Self {
        Self { alias: Some(alias), ..self }
    }

    /// The table of this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        TABLES.iter().find(|table| table.name == name || table.alias == Some(name))
    }

    /// How often input is read for it, if it can be read again.
    pub fn passes(&self) -> u64 {
        if matches!(self.rows, RowsOf::Flows | RowsOf::Endpoints) { 1 } else { 2 }
    }
}

/// What was written.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WrittenTables {
    /// How many rows each table has.
    pub rows: Vec<u64>,
    /// How many messages were read, selected or not.
    pub messages: u64,
}

/// Reads what `pipeline` opened and writes tables, each to its destination.
///
/// # Errors
///
/// If an input cannot be opened again, or a destination takes no more.
pub fn write_tables<'a>(
    pipeline: &mut Pipeline,
    options: TableOptions<'a>,
    tables: impl IntoIterator<Item = (&'static Table, &'a mut (dyn Write + Send))>,
) -> Result<WrittenTables, ExportError> {
    let TableOptions { format, secrets, live, redactor, scratch, selects, origin } = options;
    let inputs = match &redactor {
        Some(redactor) => pipeline.input_set().renamed(|file| redactor.file(file)),
        None => pipeline.input_set().clone(),
    };
    let order = ExchangeOrder::AsEnded(scratch);
    let mut set = TableSet::new(inputs.clone(), pipeline.payloads(), order);
    let tables: Vec<_> = tables.into_iter().collect();
    let count = tables.len();
    for (table, out) in tables {
        let out = TableWriter::new(format, table.name, table.columns, out)?.among(count);
        let out = RowWriter::new((table, format, secrets), out);
        set.add_table(table, RowWriter { live, ..out });
    }
    let messages = write_from((pipeline, inputs), redactor, selects, &mut set)?;
    let facts = origin.map(|origin| origin.facts(pipeline)).unwrap_or_default();
    let (rows, warnings) = set.finish(&facts)?;
    pipeline.add_warnings(warnings);
    Ok(WrittenTables { rows, messages })
}

impl MessageTable for MessageRows {
    fn push(&mut self, message: &CapturedMessage<'_>, rows: &mut RowFormatter) -> u64 {
        rows.push(&self.row(message));
        1
    }
}

impl MessageTable for PlayerRows {
    fn push(&mut self, message: &CapturedMessage<'_>, rows: &mut RowFormatter) -> u64 {
        self.each(message, |row| rows.push(row))
    }
}

fn messages(format: TableFormat, secrets: Secrets, inputs: &InputSet) -> Box<dyn MessageTable> {
    let rows = MessageRows::new(secrets).with_ids(inputs.clone());
    Box::new(rows.with_quotes(format.quotes()))
}

fn players(_: TableFormat, secrets: Secrets, inputs: &InputSet) -> Box<dyn MessageTable> {
    Box::new(PlayerRows::new(secrets, inputs.clone()))
}

fn servers(from: HostRowSource<'_>, out: &mut RowWriter<'_>) -> Result<(), ExportError> {
    let mut servers = from.servers().filter(|server| server.has_sent());
    servers.try_for_each(|server| {
        out.write_wanted(server.game_id(), || "", || ServerRow::new(from, server))
    })
}

fn registrations(from: HostRowSource<'_>, out: &mut RowWriter<'_>) -> Result<(), ExportError> {
    from.servers().try_for_each(|server| {
        server.registrations.iter().try_for_each(|stats| {
            let all = from.registrations;
            let found = LazyCell::new(|| all?.with_master(server, stats.master));
            let failed = || found.as_ref().and_then(Registration::failed);
            let word = || failed().map_or("", |step| step.name.name());
            out.write_wanted(server.game_id(), word, || {
                RegistrationRow::new(server, stats, found.as_ref(), from.inputs)
            })
        })
    })
}

fn listed(from: HostRowSource<'_>, out: &mut RowWriter<'_>) -> Result<(), ExportError> {
    let servers = from.servers();
    let rows = servers.map(|server| ListedRow::new(server, from.inputs));
    rows.filter(|row| row.first_listed.is_some()).try_for_each(|row| out.write(&row))
}

fn masters(from: HostRowSource<'_>, out: &mut RowWriter<'_>) -> Result<(), ExportError> {
    let mut masters = from.masters();
    masters.try_for_each(|master| {
        out.write_wanted(master.verdict.game.id, || "", || MasterRow::new(from, master))
    })
}
