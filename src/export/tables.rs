//! Every table that can be exported, one line each; the command line, its help, the interface and
//! `docs/export.md` use it.
//!
//! A table takes its rows from a [`TableSource`]: a [`Pipeline`](crate::analysis::Pipeline), which
//! reads captures, or a [`Session`](crate::analysis::Session), which has read them.

use std::fs::File;
use std::io::{self, Write};

use super::hosts::ListedRow;
use super::pipeline_source::PipelineSource;
use super::session_export::ExportProgress;
use super::{
    Column, FindingRow, FlowRow, MasterRow, MessageRow, MessageRows, PlayerRow, PlayerRows,
    Redactor, Row, ServerRow, SessionRow, TableFormat, TableWriter,
};
use crate::analysis::{CapturedMessage, Finding, Hosts, Pipeline};
use crate::capture::OpenError;
use crate::text::Secrets;

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
    /// How often the input is read for it, if it can be read again.
    pub passes: u64,
    rows: WriteRows,
}

type WriteRows = fn(&mut dyn TableSource, &mut RowWriter<'_>) -> Result<(), ExportError>;

/// All tables; the first is the default.
pub const TABLES: &[Table] = &[
    Table::of::<SessionRow>("sessions", "exchange", 2, |from, out| from.exchanges(out))
        .or("exchanges"),
    Table::of::<MessageRow>("messages", "message", 2, messages),
    Table::of::<ServerRow>("servers", "server that sent anything", 2, servers),
    Table::of::<ListedRow>("listed", "server that a master listed", 2, listed),
    Table::of::<MasterRow>("masters", "master", 2, masters),
    Table::of::<PlayerRow>("players", "player in an answer of a server", 2, players),
    Table::of::<FlowRow>("flows", "flow", 1, |from, out| from.flows(out)),
    Table::of::<FindingRow>("findings", "finding", 2, findings),
];

/// Where the rows of tables come from.
pub(super) trait TableSource {
    /// Passes every selected message to `each`.
    fn messages(&mut self, each: &mut EachMessage<'_>) -> Result<(), ExportError>;

    /// Writes the rows of the exchanges with a selected message, in the order in which they began.
    fn exchanges(&mut self, out: &mut RowWriter<'_>) -> Result<(), ExportError>;

    /// Passes on the servers and masters of the selected messages, once.
    fn hosts(&mut self, rows: &mut FromHosts<'_>) -> Result<(), ExportError>;

    /// Passes every finding on a selected message to `each`.
    fn findings(&mut self, each: &mut EachFinding<'_>) -> Result<(), ExportError>;

    /// Writes the rows of the flows with a selected message.
    fn flows(&mut self, out: &mut RowWriter<'_>) -> Result<(), ExportError>;
}

/// Takes one message.
pub(super) type EachMessage<'a> = dyn FnMut(&CapturedMessage<'_>) -> Result<(), ExportError> + 'a;
/// Takes the hosts.
pub(super) type FromHosts<'a> = dyn FnMut(&Hosts) -> Result<(), ExportError> + 'a;
/// Takes one finding.
pub(super) type EachFinding<'a> = dyn FnMut(&Finding) -> Result<(), ExportError> + 'a;

/// The options of a table of a pipeline.
pub struct TableOptions<'a> {
    /// The file format.
    pub format: TableFormat,
    /// Whether secrets are shown.
    pub secrets: Secrets,
    /// Whether each row is written at once, for live input.
    pub live: bool,
    /// Replaces names, addresses and secrets by pseudonyms.
    pub redactor: Option<Redactor>,
    /// An empty temporary file for waiting rows.
    pub scratch: Option<File>,
    /// Selects messages; without it, all.
    pub selects: Option<&'a mut Select<'a>>,
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
    pub secrets: Secrets,
    /// Whether each row is written at once.
    pub live: bool,
    pub progress: Option<&'a ExportProgress>,
    /// How many rows were written.
    pub rows: u64,
    pub out: TableWriter<&'a mut (dyn Write + Send)>,
}

impl RowWriter<'_> {
    /// Writes a row, unless a stop was requested.
    pub fn write(&mut self, row: &impl Row) -> Result<(), ExportError> {
        if let Some(progress) = self.progress {
            progress.step()?;
        }
        self.out.write(row)?;
        self.rows += 1;
        if self.live {
            self.out.flush()?;
        }
        Ok(())
    }
}

impl Table {
    const fn of<R: Row>(
        name: &'static str,
        row: &'static str,
        passes: u64,
        rows: WriteRows,
    ) -> Self {
        Self { name, alias: None, row, columns: R::COLUMNS, passes, rows }
    }

    const fn or(self, alias: &'static str) -> Self {
        Self { alias: Some(alias), ..self }
    }

    /// The table of this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        TABLES.iter().find(|table| table.name == name || table.alias == Some(name))
    }

    /// Reads what `pipeline` opened and writes the whole table.
    ///
    /// # Errors
    ///
    /// If an input cannot be opened again, or the destination takes no more.
    pub fn write<'a>(
        &self,
        pipeline: &'a mut Pipeline,
        options: TableOptions<'a>,
        out: &'a mut (dyn Write + Send),
    ) -> Result<(), ExportError> {
        let TableOptions { format, secrets, live, redactor, scratch, selects } = options;
        let mut source = PipelineSource { pipeline, redactor, scratch, selects };
        let out = TableWriter::new(format, self.name, self.columns, out)?;
        self.write_from(
            &mut source,
            RowWriter { format, secrets, live, progress: None, rows: 0, out },
        )?;
        Ok(())
    }

    /// Writes the whole table; returns the number of rows.
    pub(super) fn write_from(
        &self,
        source: &mut dyn TableSource,
        mut out: RowWriter<'_>,
    ) -> Result<u64, ExportError> {
        (self.rows)(source, &mut out)?;
        out.out.finish()?;
        Ok(out.rows)
    }
}

fn messages(from: &mut dyn TableSource, out: &mut RowWriter<'_>) -> Result<(), ExportError> {
    let mut rows = MessageRows::new(out.secrets).with_quotes(out.format.quotes());
    from.messages(&mut |message| out.write(&rows.row(message)))
}

fn players(from: &mut dyn TableSource, out: &mut RowWriter<'_>) -> Result<(), ExportError> {
    let mut rows = PlayerRows::new(out.secrets);
    from.messages(&mut |message| rows.each(message, |row| out.write(row)))
}

fn servers(from: &mut dyn TableSource, out: &mut RowWriter<'_>) -> Result<(), ExportError> {
    from.hosts(&mut |hosts| {
        let mut servers = hosts.servers().into_iter().filter(|server| server.has_sent());
        servers.try_for_each(|server| out.write(&ServerRow::of(hosts, server)))
    })
}

fn listed(from: &mut dyn TableSource, out: &mut RowWriter<'_>) -> Result<(), ExportError> {
    from.hosts(&mut |hosts| {
        let servers = hosts.servers().into_iter();
        let mut rows = servers.map(ListedRow::of).filter(|row| row.first_listed.is_some());
        rows.try_for_each(|row| out.write(&row))
    })
}

fn masters(from: &mut dyn TableSource, out: &mut RowWriter<'_>) -> Result<(), ExportError> {
    from.hosts(&mut |hosts| {
        hosts.masters().into_iter().try_for_each(|master| out.write(&MasterRow::of(master)))
    })
}

fn findings(from: &mut dyn TableSource, out: &mut RowWriter<'_>) -> Result<(), ExportError> {
    from.findings(&mut |finding| out.write(&FindingRow::from(finding)))
}
