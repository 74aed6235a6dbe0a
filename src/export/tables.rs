//! Every table that can be exported: a line each, from which the command line, its help and
//! `docs/export.md` are made.

use std::io::{self, Write};
use std::ops::ControlFlow;

use super::{
    Column, FlowRow, FlowRows, Format, MessageRow, MessageRows, PlayerRow, PlayerRows, Redactor,
    Row, Sheet,
};
use crate::capture::OpenError;
use crate::dump::Secrets;
use crate::session::{Message, Pipeline};

/// A table by its name.
#[derive(Debug, Clone, Copy)]
pub struct Table {
    /// What `--what` calls it.
    pub name: &'static str,
    /// What has a row: `a row a message`.
    pub means: &'static str,
    pub columns: &'static [Column],
    /// How often the input is read for it, where it can be read again.
    pub rounds: u64,
    write: Writer,
}

type Out<'a> = &'a mut (dyn Write + Send);
type Writer = fn(&mut Pipeline, Job<'_>, Out<'_>) -> Result<(), TableError>;

/// How a table is to be written.
pub struct Job<'a> {
    pub format: Format,
    pub secrets: Secrets,
    /// Whether somebody waits for each row.
    pub live: bool,
    /// Puts pseudonyms in the place of names, addresses and secrets.
    pub redactor: Option<Redactor>,
    /// Which messages are meant; without it, all.
    pub takes: Option<&'a mut Takes<'a>>,
}

/// Whether a message is meant; asked of all messages in their order.
pub type Takes<'a> = dyn FnMut(&Message<'_>) -> bool + 'a;

/// Why a table was not written to its end.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error("cannot write")]
    Write(#[from] io::Error),
}

/// All tables; the first is the plainest.
pub const TABLES: &[Table] = &[
    Table::of::<MessageRow>("messages", "a row a message", 2, messages),
    Table::of::<PlayerRow>("players", "a row a player in an answer of a server", 2, players),
    Table::of::<FlowRow>("flows", "a row a conversation", 1, flows),
];

impl Table {
    const fn of<R: Row>(
        name: &'static str,
        means: &'static str,
        rounds: u64,
        write: Writer,
    ) -> Self {
        Self { name, means, columns: R::COLUMNS, rounds, write }
    }

    /// Reads what `pipeline` opened and writes the table to its end.
    pub fn write(
        &self,
        pipeline: &mut Pipeline,
        job: Job<'_>,
        out: Out<'_>,
    ) -> Result<(), TableError> {
        (self.write)(pipeline, job, out)
    }
}

fn messages(pipeline: &mut Pipeline, job: Job<'_>, out: Out<'_>) -> Result<(), TableError> {
    let mut rows = MessageRows::new(job.secrets);
    of_messages::<MessageRow>(pipeline, job, out, |message, sheet| sheet.write(&rows.row(message)))
}

fn players(pipeline: &mut Pipeline, job: Job<'_>, out: Out<'_>) -> Result<(), TableError> {
    let mut rows = PlayerRows::new(job.secrets);
    of_messages::<PlayerRow>(pipeline, job, out, |message, sheet| {
        rows.each(message, |row| sheet.write(row))
    })
}

fn flows(pipeline: &mut Pipeline, mut job: Job<'_>, out: Out<'_>) -> Result<(), TableError> {
    pipeline.listen();
    let mut rows = FlowRows::default();
    let mut sheet = Sheet::new::<FlowRow>(job.format, out)?;
    let flows = pipeline.flows();
    for (id, _) in flows.iter() {
        if let Some(row) = rows.row(flows, id, job.redactor.as_mut()) {
            sheet.write(&row)?;
        }
    }
    Ok(sheet.finish()?)
}

/// A table of rows that each hang on one message.
fn of_messages<R: Row>(
    pipeline: &mut Pipeline,
    mut job: Job<'_>,
    out: Out<'_>,
    mut write: impl FnMut(&Message<'_>, &mut Sheet<Out<'_>>) -> io::Result<()>,
) -> Result<(), TableError> {
    let mut sheet = Sheet::new::<R>(job.format, out)?;
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
