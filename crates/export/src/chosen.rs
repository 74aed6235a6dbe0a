//! Rows that are chosen before they are made: what a page shows of tables, without the cost of the
//! rows that it leaves out.

use std::io::{self, Write};

use super::pipeline_source::write_from;
use super::table_set::{ExchangeOrder, TableSet};
use super::tables::{ExportError, RowWriter};
use super::{Redactor, Select, Table, TableFormat, TableWriter};
use analysis::{Exchange, MessageHeader, Pipeline};
use text::Secrets;

/// Chooses the rows of a table.
pub trait RowChoice: Send {
    /// Whether the next row of the table is to be made. It has a number if rows do not come in their
    /// order; `word` is the one that tells what came of it: `state` of an exchange, `severity` of a
    /// finding, `failed_step` of a registration, nothing of others. To find the word may take long.
    fn wants_row(
        &mut self,
        number: Option<u64>,
        game: &'static str,
        word: &mut dyn FnMut() -> &'static str,
    ) -> bool;

    /// Takes the row that was wanted last, as a line of NDJSON.
    ///
    /// # Errors
    /// If the line cannot be taken.
    fn take_row(&mut self, line: &[u8]) -> io::Result<()>;
}

/// Sees all that tables are made of, selected or not; with pseudonyms, if there are any.
pub trait PassObserver: Send {
    /// Sees the next message.
    fn see_message(&mut self, header: &MessageHeader, is_selected: bool);

    /// Sees an exchange that has ended; all its messages came before.
    fn see_exchange(&mut self, exchange: &Exchange, is_selected: bool);
}

/// How rows are chosen.
pub struct ChoiceOptions<'a> {
    /// Whether secrets are shown.
    pub secrets: Secrets,
    /// Replaces names, addresses and secrets by pseudonyms.
    pub redactor: Option<&'a mut Redactor>,
    /// Selects messages; without it, all.
    pub selects: Option<&'a mut Select<'a>>,
    /// Whether the rows of a table have a column, by the names of both.
    pub has: fn(table: &str, column: &str) -> bool,
    /// Sees what the tables are made of.
    pub observer: &'a mut dyn PassObserver,
}

/// Reads what `pipeline` opened, and passes rows of tables to those who choose them.
///
/// # Errors
///
/// If an input cannot be opened again, or a row cannot be taken.
pub fn choose_rows<'a>(
    pipeline: &mut Pipeline,
    options: ChoiceOptions<'a>,
    tables: impl IntoIterator<Item = (&'static Table, &'a mut dyn RowChoice)>,
) -> Result<(), ExportError> {
    let ChoiceOptions { secrets, redactor, selects, has, observer } = options;
    let inputs = match &redactor {
        Some(redactor) => pipeline.input_set().renamed(|file| redactor.file(file)),
        None => pipeline.input_set().clone(),
    };
    let format = TableFormat::Ndjson;
    let tables: Vec<_> = tables.into_iter().collect();
    let mut nowhere = vec![io::sink(); tables.len()];
    let mut set = TableSet::new(inputs.clone(), pipeline.payloads(), ExchangeOrder::AsBegun);
    set.observe_with(observer);
    for ((table, choice), nowhere) in tables.into_iter().zip(&mut nowhere) {
        let out: &mut (dyn Write + Send) = nowhere;
        let out = TableWriter::new(format, table.name, table.columns, out)?;
        let out = out.of_columns(table.columns, |column| has(table.name, column.name));
        set.add_table(table, RowWriter::new((table, format, secrets), out).choosing(choice));
    }
    write_from((pipeline, inputs), redactor, selects, &mut set)?;
    let (_, warnings) = set.finish(&[])?;
    pipeline.add_warnings(warnings);
    Ok(())
}
