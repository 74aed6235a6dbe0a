//! Formats the rows of messages with all threads.

use std::io;
use std::ops::ControlFlow;

use super::formatter::{RowBlock, RowFormatter};
use super::table_set::TableSet;
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

/// What one thread formats the rows of a table with.
struct FormatWorker {
    table: Box<dyn MessageTable>,
    rows: RowFormatter,
    count: u64,
}

/// The rows of some messages, a block per table with the number of its rows.
#[derive(Default)]
struct FormattedMessages {
    messages: u64,
    blocks: Vec<io::Result<(Option<RowBlock>, u64)>>,
}

/// Reads all messages and writes their rows. Returns how many messages there are.
pub(super) fn write_messages(
    pipeline: &mut Pipeline,
    formatters: &[MessageFormatter],
    set: &mut TableSet<'_>,
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
            let workers = formatters.iter().map(FormatWorker::new).collect::<io::Result<Vec<_>>>();
            let mut workers = workers.map_err(Some);
            move |batch: &_, out: &mut FormattedMessages| match &mut workers {
                Ok(workers) => out.format(batch, workers),
                Err(error) => out.blocks.extend(error.take().map(Err)),
            }
        },
        |formatted| {
            messages += formatted.messages;
            let blocks = formatted.blocks.drain(..).collect::<io::Result<Vec<_>>>();
            let written = blocks.map_err(ExportError::from);
            let written = written.and_then(|blocks| set.blocks(blocks.into_iter()));
            written.map_or_else(ControlFlow::Break, ControlFlow::Continue)
        },
    )?;
    failed.map_or(Ok(messages), Err)
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
}

impl FormattedMessages {
    fn format(&mut self, batch: &MessageBatch, workers: &mut [FormatWorker]) {
        self.messages = 0;
        for message in batch.messages() {
            self.messages += 1;
            for worker in &mut *workers {
                worker.push(&message);
            }
        }
        self.blocks = workers
            .iter_mut()
            .map(|worker| Ok((worker.rows.take_block()?, std::mem::take(&mut worker.count))))
            .collect();
    }
}
