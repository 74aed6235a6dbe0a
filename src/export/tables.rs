//! Every table that can be exported, one line each; the command line, its help and `docs/export.md`
//! are generated from it.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Write};
use std::ops::ControlFlow;

use super::exchanges::ExchangeRows;
use super::findings::FindingRows;
use super::hosts::{ListedRow, ListedRows, ServerRows};
use super::ordered::Ordered;
use super::stored::Stored;
use super::{
    Column, FindingRow, FlowRow, FlowRows, MasterRow, MessageRow, MessageRows, PlayerRow,
    PlayerRows, Redactor, Row, ServerRow, SessionRow, TableFormat, TableWriter,
};
use crate::analysis::{Analyzer, CapturedMessage, Exchange, Pipeline};
use crate::capture::OpenError;
use crate::filter::FrameSet;
use crate::text::Secrets;

/// A table by its name.
#[derive(Debug, Clone, Copy)]
pub struct Table {
    /// Its name for `--what`.
    pub name: &'static str,
    /// Another name of the same table.
    pub alias: Option<&'static str>,
    /// What one row stands for: `a row a message`.
    pub means: &'static str,
    pub columns: &'static [Column],
    /// How often the input is read for it, if it can be read again.
    pub rounds: u64,
    write: TableFn,
}

type TableOutput<'a> = &'a mut (dyn Write + Send);
type TableFn = fn(&mut Pipeline, TableOptions<'_>, TableOutput<'_>) -> Result<(), TableError>;

/// The options of a table.
pub struct TableOptions<'a> {
    pub format: TableFormat,
    pub secrets: Secrets,
    /// Whether each row is written at once, for live input.
    pub live: bool,
    /// Replaces names, addresses and secrets by pseudonyms.
    pub redactor: Option<Redactor>,
    /// An empty temporary file for waiting rows.
    pub scratch: Option<File>,
    /// Selects messages; without it, all.
    pub takes: Option<&'a mut Takes<'a>>,
}

/// Whether a message is selected; called for all messages in their order.
pub type Takes<'a> = dyn FnMut(&CapturedMessage<'_>) -> bool + 'a;

/// Why a table was not completed.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error("cannot write")]
    Write(#[from] io::Error),
}

/// All tables; the first is the default.
pub const TABLES: &[Table] = &[
    Table::of::<SessionRow>("sessions", "a row an exchange", 2, sessions).or("exchanges"),
    Table::of::<MessageRow>("messages", "a row a message", 2, messages),
    Table::of::<ServerRow>("servers", "a row a server that sent anything", 2, servers),
    Table::of::<ListedRow>("listed", "a row a server that a master listed", 2, listed),
    Table::of::<MasterRow>("masters", "a row a master", 2, masters),
    Table::of::<PlayerRow>("players", "a row a player in an answer of a server", 2, players),
    Table::of::<FlowRow>("flows", "a row a conversation", 1, flows),
    Table::of::<FindingRow>("findings", "a row a finding", 2, findings),
];

impl Table {
    const fn of<R: Row>(
        name: &'static str,
        means: &'static str,
        rounds: u64,
        write: TableFn,
    ) -> Self {
        Self { name, alias: None, means, columns: R::COLUMNS, rounds, write }
    }

    const fn or(self, alias: &'static str) -> Self {
        Self { alias: Some(alias), ..self }
    }

    /// Reads what `pipeline` opened and writes the whole table.
    pub fn write(
        &self,
        pipeline: &mut Pipeline,
        job: TableOptions<'_>,
        out: TableOutput<'_>,
    ) -> Result<(), TableError> {
        (self.write)(pipeline, job, out)
    }
}

fn messages(
    pipeline: &mut Pipeline,
    job: TableOptions<'_>,
    out: TableOutput<'_>,
) -> Result<(), TableError> {
    let mut rows = MessageRows::new(job.secrets).with_quotes(job.format.quotes());
    of_messages::<MessageRow>(pipeline, job, out, |message, sheet| sheet.write(&rows.row(message)))
}

fn players(
    pipeline: &mut Pipeline,
    job: TableOptions<'_>,
    out: TableOutput<'_>,
) -> Result<(), TableError> {
    let mut rows = PlayerRows::new(job.secrets);
    of_messages::<PlayerRow>(pipeline, job, out, |message, sheet| {
        rows.each(message, |row| sheet.write(row))
    })
}

/// Exchanges with a selected message, in the order in which they began. The analysis uses all
/// messages.
fn sessions(
    pipeline: &mut Pipeline,
    mut job: TableOptions<'_>,
    out: TableOutput<'_>,
) -> Result<(), TableError> {
    let mut sheet = TableWriter::new::<SessionRow>(job.format, out)?;
    let mut rows = ExchangeRows::new(job.secrets, pipeline.shelf(), job.format.quotes());
    let mut ordered = Ordered::new(job.scratch.take());
    let mut meant: HashSet<u64> = HashSet::new();
    let mut ledger = Analyzer::new();
    let mut over: Vec<Exchange> = Vec::new();
    let (live, is_open) = (job.live, job.takes.is_none());
    let mut tell = |over: &mut Vec<Exchange>,
                    meant: &mut HashSet<u64>,
                    rows: &mut ExchangeRows,
                    redactor: &mut Option<Redactor>|
     -> io::Result<()> {
        for exchange in over.drain(..) {
            let mut write = |row: &Stored<'_, SessionRow<'_>>| sheet.write(row);
            if is_open || meant.remove(&exchange.id) {
                let row = rows.row(&exchange, redactor.as_mut())?;
                ordered.take(exchange.id, &row, &mut write)?;
            } else {
                rows.forget(exchange.id);
                ordered.skip::<SessionRow<'_>>(exchange.id, &mut write)?;
            }
        }
        if live { sheet.flush() } else { Ok(()) }
    };
    let failed = pipeline.messages_with(|message, flows| {
        let is_meant = job.takes.as_mut().is_none_or(|takes| takes(message));
        let placed = match &mut job.redactor {
            Some(redactor) => {
                ledger.take(&redactor.message(message), flows, |exchange| over.push(exchange))
            }
            None => ledger.take(message, flows, |exchange| over.push(exchange)),
        };
        if let Some(placed) = placed {
            rows.keep(message, placed, ledger.facts());
            if is_meant && !is_open {
                meant.insert(placed.0);
            }
        }
        if over.is_empty() {
            return ControlFlow::Continue(());
        }
        match tell(&mut over, &mut meant, &mut rows, &mut job.redactor) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => ControlFlow::Break(error),
        }
    })?;
    failed.map_or(Ok(()), Err)?;
    ledger.finish(pipeline.flows(), |exchange| over.push(exchange));
    tell(&mut over, &mut meant, &mut rows, &mut job.redactor)?;
    ordered.finish(|row: &Stored<'_, SessionRow<'_>>| sheet.write(row))?;
    pipeline.complain(ledger.complaints());
    let counts = [
        (
            rows.left_out(),
            "messages were not kept until their exchange ended: their fields are missing",
        ),
        (ordered.late(), "rows of exchanges are not in the order of time: too many had to wait"),
    ];
    let said = counts.into_iter().filter(|(count, _)| *count > 0);
    pipeline.complain(said.map(|(count, what)| format!("{count} {what}")));
    Ok(sheet.finish()?)
}

/// Servers that sent messages.
fn servers(
    pipeline: &mut Pipeline,
    mut job: TableOptions<'_>,
    out: TableOutput<'_>,
) -> Result<(), TableError> {
    let mut sheet = TableWriter::new::<ServerRow>(job.format, out)?;
    let ledger = ledger_of_meant(pipeline, &mut job)?;
    let (mut rows, hosts) = (ServerRows::default(), ledger.hosts());
    for server in hosts.servers().into_iter().filter(|server| server.spoke()) {
        sheet.write(&rows.row(hosts, server))?;
    }
    Ok(sheet.finish()?)
}

fn listed(
    pipeline: &mut Pipeline,
    mut job: TableOptions<'_>,
    out: TableOutput<'_>,
) -> Result<(), TableError> {
    let mut sheet = TableWriter::new::<ListedRow>(job.format, out)?;
    let ledger = ledger_of_meant(pipeline, &mut job)?;
    let mut rows = ListedRows::default();
    for server in ledger.hosts().servers() {
        if let Some(row) = rows.row(server) {
            sheet.write(&row)?;
        }
    }
    Ok(sheet.finish()?)
}

fn masters(
    pipeline: &mut Pipeline,
    mut job: TableOptions<'_>,
    out: TableOutput<'_>,
) -> Result<(), TableError> {
    let mut sheet = TableWriter::new::<MasterRow>(job.format, out)?;
    let ledger = ledger_of_meant(pipeline, &mut job)?;
    for master in ledger.hosts().masters() {
        sheet.write(&MasterRow::of(master))?;
    }
    Ok(sheet.finish()?)
}

/// The host data of the selected messages.
fn ledger_of_meant(
    pipeline: &mut Pipeline,
    job: &mut TableOptions<'_>,
) -> Result<Analyzer, TableError> {
    let mut ledger = Analyzer::new();
    pipeline.messages_with(|message, flows| {
        if job.takes.as_mut().is_none_or(|takes| takes(message)) {
            match &mut job.redactor {
                Some(redactor) => ledger.take(&redactor.message(message), flows, |_| {}),
                None => ledger.take(message, flows, |_| {}),
            };
        }
        ControlFlow::<()>::Continue(())
    })?;
    ledger.finish(pipeline.flows(), |_| {});
    pipeline.complain(ledger.complaints());
    Ok(ledger)
}

/// Findings on a selected message; the analysis uses all messages.
fn findings(
    pipeline: &mut Pipeline,
    mut job: TableOptions<'_>,
    out: TableOutput<'_>,
) -> Result<(), TableError> {
    let mut sheet = TableWriter::new::<FindingRow>(job.format, out)?;
    let is_open = job.takes.is_none();
    let mut ledger = if is_open { Analyzer::new() } else { Analyzer::marking() };
    let mut meant = FrameSet::default();
    pipeline.messages_with(|message, flows| {
        if job.takes.as_mut().is_some_and(|takes| takes(message)) {
            meant.add(message.header.number);
        }
        match &mut job.redactor {
            Some(redactor) => ledger.take(&redactor.message(message), flows, |_| {}),
            None => ledger.take(message, flows, |_| {}),
        };
        ControlFlow::<()>::Continue(())
    })?;
    ledger.finish(pipeline.flows(), |_| {});
    let mut rows = FindingRows::default();
    let at_fault = ledger.faults().into_iter().filter(|(number, _)| meant.has(*number));
    let at_fault: HashSet<_> = at_fault.map(|(_, finding)| finding).collect();
    for (at, finding) in (0..).zip(ledger.findings()) {
        if is_open || at_fault.contains(&at) {
            sheet.write(&rows.row(finding))?;
        }
    }
    pipeline.complain(ledger.complaints());
    Ok(sheet.finish()?)
}

fn flows(
    pipeline: &mut Pipeline,
    mut job: TableOptions<'_>,
    out: TableOutput<'_>,
) -> Result<(), TableError> {
    let mut meant = FrameSet::default();
    let mut rows = FlowRows::default();
    let is_once = !pipeline.reopens();
    if job.takes.is_none() && !is_once {
        pipeline.classify_all()?;
    } else {
        pipeline.messages(|message| {
            // A flow is selected if any of its messages is.
            if job.takes.as_mut().is_some_and(|takes| takes(message)) {
                meant.add(u64::from(message.header.flow.0));
            }
            if is_once {
                rows.note(&message.header);
            }
            ControlFlow::<()>::Continue(())
        })?;
    }
    let mut sheet = TableWriter::new::<FlowRow>(job.format, out)?;
    let flows = pipeline.flows();
    let is_open = job.takes.is_none();
    for (id, _) in flows.iter().filter(|(id, _)| is_open || meant.has(u64::from(id.0))) {
        if let Some(row) = rows.row(flows, id, job.redactor.as_mut()) {
            sheet.write(&row)?;
        }
    }
    Ok(sheet.finish()?)
}

/// A table whose rows each depend on one message.
fn of_messages<R: Row>(
    pipeline: &mut Pipeline,
    mut job: TableOptions<'_>,
    out: TableOutput<'_>,
    mut write: impl FnMut(&CapturedMessage<'_>, &mut TableWriter<TableOutput<'_>>) -> io::Result<()>,
) -> Result<(), TableError> {
    let mut sheet = TableWriter::new::<R>(job.format, out)?;
    let failed = pipeline.messages(|message| {
        if job.takes.as_mut().is_some_and(|takes| !takes(message)) {
            return ControlFlow::Continue(());
        }
        let written = match &mut job.redactor {
            Some(redactor) => write(&redactor.message(message), &mut sheet),
            None => write(message, &mut sheet),
        };
        match written.and_then(|()| if job.live { sheet.flush() } else { Ok(()) }) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => ControlFlow::Break(error),
        }
    })?;
    failed.map_or(Ok(()), Err)?;
    Ok(sheet.finish()?)
}
