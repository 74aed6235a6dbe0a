//! The tables that are made of messages, and their destinations.

use super::message_blocks::{MessageBlocks, MessageFormatter};
use super::tables::{ExportError, MakeMessageTable, MessageTable, RowWriter};
use analysis::{CapturedMessage, InputSet};

/// Tables that are made of messages.
#[derive(Default)]
pub(super) struct MessageTables<'a> {
    tables: Vec<OpenMessageTable<'a>>,
}

struct OpenMessageTable<'a> {
    make: MakeMessageTable,
    rows: Box<dyn MessageTable>,
    out: RowWriter<'a>,
    /// Its place among all tables of the run.
    place: usize,
}

impl<'a> MessageTables<'a> {
    /// Adds a table, which has this place among all of the run.
    pub fn add_table(
        &mut self,
        make: MakeMessageTable,
        out: RowWriter<'a>,
        place: usize,
        inputs: &InputSet,
    ) {
        let rows = make(out.format, out.secrets, inputs);
        self.tables.push(OpenMessageTable { make, rows, out, place });
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.tables.is_empty()
    }

    /// What formats their rows on any thread; nothing if rows are written at once.
    pub fn formatters(&self, inputs: &InputSet) -> Vec<MessageFormatter> {
        let tables = self.tables.iter().filter(|table| !table.out.live);
        let formatters = tables.map(|OpenMessageTable { make, out, .. }| MessageFormatter {
            make: *make,
            format: out.format,
            secrets: out.secrets,
            table: out.table,
            inputs: inputs.clone(),
        });
        formatters.collect()
    }

    /// Writes the rows of the next message.
    pub fn message(&mut self, message: &CapturedMessage<'_>) -> Result<(), ExportError> {
        let mut tables = self.tables.iter_mut();
        tables.try_for_each(|OpenMessageTable { rows, out, .. }| {
            out.write_all(|to| rows.push(message, to))
        })
    }

    /// Writes the rows of the next messages, which [`Self::formatters`] have formatted.
    pub fn blocks(&mut self, blocks: &MessageBlocks) -> Result<(), ExportError> {
        self.tables.iter_mut().zip(blocks.iter()).try_for_each(|(table, block)| match block? {
            (Some(block), rows) => table.out.write_block(block, rows),
            (None, _) => Ok(()),
        })
    }

    /// Writes out everything after the last message.
    pub fn end_rows(&mut self) -> Result<(), ExportError> {
        self.tables.iter_mut().try_for_each(|table| Ok(table.out.out.end_rows()?))
    }

    /// What writes each, and its place among all tables.
    pub fn into_writers(self) -> impl Iterator<Item = (usize, RowWriter<'a>)> {
        self.tables.into_iter().map(|table| (table.place, table.out))
    }
}
