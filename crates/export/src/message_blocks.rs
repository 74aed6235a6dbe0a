//! Formats the rows of messages with all threads.

use std::io;
use std::ops::ControlFlow;

use super::formatter::{RowBlock, RowFormatter};
use super::message_tables::MessageTables;
use super::tables::{ExportError, MakeMessageTable, MessageTable};
use super::{Table, TableFormat};
use analysis::{CapturedMessage, InputSet, MessageBatch, Pipeline};
use text::Secrets;

/// About how many messages a thread formats at a time: as text, and as columns, which are read a
/// block at a time.
const LINES: usize = 512;
const COLUMNS: usize = 2048;
/// The same, where a message may have thousands of rows.
const FEW: usize = 128;

/// What makes the rows of a table of messages.
pub(super) struct MessageFormatter {
    pub make: MakeMessageTable,
    pub format: TableFormat,
    pub secrets: Secrets,
    pub table: &'static Table,
    pub inputs: InputSet,
}

/// What one thread formats the rows of some tables with.
pub(super) struct FormatWorkers(Result<Vec<FormatWorker>, Option<io::Error>>);

/// The same for one table.
struct FormatWorker {
    table: Box<dyn MessageTable>,
    rows: RowFormatter,
    count: u64,
}

/// The rows of some messages: how many messages, and a block per table with the number of its rows.
#[derive(Default)]
pub(super) struct MessageBlocks {
    messages: u64,
    blocks: Vec<io::Result<(Option<RowBlock>, u64)>>,
}

/// Reads all messages and writes their rows. Returns how many messages there are.
pub(super) fn write_messages(
    pipeline: &mut Pipeline,
    formatters: &[MessageFormatter],
    tables: &mut MessageTables<'_>,
) -> Result<u64, ExportError> {
    let mut messages = 0;
    let any = |is_it: fn(&MessageFormatter) -> bool| formatters.iter().any(is_it);
    let size = match () {
        () if any(|of| of.table.has_many) => FEW,
        () if any(|of| of.format.is_binary()) => COLUMNS,
        () => LINES,
    };
    let failed = pipeline.work_on_messages(
        size,
        || {
            let mut workers = FormatWorkers::new(formatters);
            move |batch: &MessageBatch, out: &mut MessageBlocks| *out = workers.format(batch)
        },
        |formatted| {
            messages += formatted.messages;
            let written = tables.blocks(formatted);
            written.map_or_else(ControlFlow::Break, ControlFlow::Continue)
        },
    )?;
    failed.map_or(Ok(messages), Err)
}

impl FormatWorkers {
    /// For the tables of these.
    pub fn new(formatters: &[MessageFormatter]) -> Self {
        let workers = formatters.iter().map(FormatWorker::new).collect::<io::Result<_>>();
        Self(workers.map_err(Some))
    }

    /// Formats the rows of the messages of a batch; without tables, nothing.
    pub fn format(&mut self, batch: &MessageBatch) -> MessageBlocks {
        let mut formatted = MessageBlocks::default();
        match &mut self.0 {
            Ok(workers) if workers.is_empty() => {}
            Ok(workers) => {
                for message in batch.messages() {
                    formatted.messages += 1;
                    for worker in &mut *workers {
                        worker.push(&message);
                    }
                }
                formatted.blocks.extend(workers.iter_mut().map(FormatWorker::take_block));
            }
            Err(error) => formatted.blocks.extend(error.take().map(Err)),
        }
        formatted
    }
}

impl FormatWorker {
    fn new(formatter: &MessageFormatter) -> io::Result<Self> {
        let MessageFormatter { make, format, secrets, table, ref inputs } = *formatter;
        let rows = RowFormatter::new(format, table.name, table.columns)?;
        Ok(Self { table: make(format, secrets, inputs), rows, count: 0 })
    }

    fn push(&mut self, message: &CapturedMessage<'_>) {
        self.count += self.table.push(message, &mut self.rows);
    }

    /// The rows so far, and how many there are.
    fn take_block(&mut self) -> io::Result<(Option<RowBlock>, u64)> {
        Ok((self.rows.take_block()?, std::mem::take(&mut self.count)))
    }
}

impl MessageBlocks {
    /// The block of each table, and how many rows it has.
    pub fn iter(&self) -> impl Iterator<Item = io::Result<(Option<&RowBlock>, u64)>> {
        self.blocks.iter().map(|block| match block {
            Ok((block, rows)) => Ok((block.as_ref(), *rows)),
            Err(error) => Err(io::Error::new(error.kind(), error.to_string())),
        })
    }
}
