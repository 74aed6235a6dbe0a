//! Exports what a session keeps: selected messages, as rows or as their packets, and the tables of
//! its index. The session is locked for one message at a time, so that other threads can read and
//! fill it meanwhile; an export reports progress and can be stopped.

use std::io::{self, Write};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use parking_lot::Mutex;

use super::exchanges::ExchangeRows;
use super::findings::FindingRows;
use super::hosts::ServerRows;
use super::{
    FindingRow, MasterRow, MessageRow, MessageRows, Packets, ServerRow, SessionRow, TableFormat,
    TableWriter, notes,
};
use crate::analysis::{AnalysisIndex, MessageHeader, MessageValues, Session};
use crate::capture::OpenError;
use crate::text::Secrets;

/// What is exported of a session.
pub enum SessionExport {
    Messages(Selection),
    Exchanges(Arc<AnalysisIndex>),
    Servers(Arc<AnalysisIndex>),
    Masters(Arc<AnalysisIndex>),
    Findings(Arc<AnalysisIndex>),
}

/// Messages, by their indices in the session.
pub enum Selection {
    /// All of them, from the first that is still kept to the newest.
    All(Range<usize>),
    Some(Vec<u32>),
}

/// The file format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportForm {
    Table(TableFormat),
    /// A capture, with decoded messages as comments.
    Packets,
}

/// Progress of an export, and the request to stop it; shared between threads.
#[derive(Debug, Default)]
pub struct ExportProgress {
    done: AtomicU64,
    stopped: AtomicBool,
}

/// The result of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ExportSummary {
    /// Messages, or rows of a table.
    pub rows: u64,
    /// Messages that the session dropped before they were written.
    pub gone: u64,
}

/// Why an export was not completed.
#[derive(Debug, thiserror::Error)]
pub enum KeptError {
    /// By [`ExportProgress::stop`].
    #[error("stopped")]
    Stopped,
    /// The input has changed, or cannot be read.
    #[error("message #{number} cannot be read again: {source}")]
    Payload { number: u64, source: io::Error },
    /// The input cannot be opened again.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// Input from a pipe or a device keeps only messages.
    #[error("the packets of a pipe or a live capture are not kept")]
    NoPackets,
    /// Only messages have packets.
    #[error("packets are for messages")]
    NoMessages,
    #[error("cannot write: {0}")]
    Write(#[from] io::Error),
}

impl SessionExport {
    /// How many messages or rows there are.
    pub fn len(&self) -> usize {
        match self {
            Self::Messages(chosen) => chosen.len(),
            Self::Exchanges(books) => books.exchanges().len(),
            Self::Servers(books) => {
                let all = (0..books.servers()).filter_map(|at| books.server(at));
                all.filter(|server| server.spoke()).count()
            }
            Self::Masters(books) => books.masters(),
            Self::Findings(books) => books.findings().len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Writes all of it to `out`, in the order of the session.
    pub fn write(
        &self,
        form: ExportForm,
        session: &Mutex<Session>,
        secrets: Secrets,
        watch: &ExportProgress,
        out: &mut (dyn Write + Send),
    ) -> Result<ExportSummary, KeptError> {
        let format = match (self, form) {
            (Self::Messages(chosen), ExportForm::Packets) => {
                return packets(chosen, session, secrets, watch, out);
            }
            (_, ExportForm::Packets) => return Err(KeptError::NoMessages),
            (_, ExportForm::Table(format)) => format,
        };
        match self {
            Self::Messages(chosen) => messages(chosen, format, session, secrets, watch, out),
            Self::Exchanges(books) => {
                let mut rows = ExchangeRows::new(secrets, session.lock().shelf(), format.quotes());
                let mut sheet = TableWriter::new::<SessionRow>(format, out)?;
                let (mut facts, mut payload) = (MessageValues::showing(secrets), Vec::new());
                let all = books.exchanges().iter();
                each(all, watch, |exchange| {
                    for step in &exchange.steps {
                        let session = session.lock();
                        let at = session.find(step.number);
                        let message = at.map(|at| session.message(at, &mut payload));
                        // A message whose payload was dropped has a row without fields.
                        let Some(Ok(Some(message))) = message else { continue };
                        facts.read(&message);
                        rows.keep(&message, (exchange.id, step.turn), &facts);
                    }
                    sheet.write(&rows.row(exchange, None)?)
                })
                .and_then(|written| ended(sheet, written))
            }
            Self::Servers(books) => {
                let mut rows = ServerRows::default();
                let mut sheet = TableWriter::new::<ServerRow>(format, out)?;
                let all = (0..books.servers()).filter_map(|at| books.server(at));
                let all = all.filter(|server| server.spoke());
                each(all, watch, |server| sheet.write(&rows.row(books.hosts(), server)))
                    .and_then(|written| ended(sheet, written))
            }
            Self::Masters(books) => {
                let mut sheet = TableWriter::new::<MasterRow>(format, out)?;
                let all = (0..books.masters()).filter_map(|at| books.master(at));
                each(all, watch, |master| sheet.write(&MasterRow::of(master)))
                    .and_then(|written| ended(sheet, written))
            }
            Self::Findings(books) => {
                let mut rows = FindingRows::default();
                let mut sheet = TableWriter::new::<FindingRow>(format, out)?;
                each(books.findings().iter(), watch, |finding| sheet.write(&rows.row(finding)))
                    .and_then(|written| ended(sheet, written))
            }
        }
    }
}

impl Selection {
    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            Self::All(range) => range.len(),
            Self::Some(places) => places.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn places(&self) -> impl Iterator<Item = usize> {
        let (all, some) = match self {
            Self::All(range) => (range.clone(), &[][..]),
            Self::Some(places) => (0..0, places.as_slice()),
        };
        all.chain(some.iter().map(|place| *place as usize))
    }
}

impl ExportForm {
    /// The format of a file name, by its extension: `.csv`, `.ndjson`, `.parquet`, `.pcapng`.
    pub fn of(name: &Path) -> Option<Self> {
        let end = name.extension()?.to_str()?.to_ascii_lowercase();
        let found = Self::ENDS.iter().find(|(known, _)| *known == end);
        found.map(|(_, form)| *form)
    }

    /// File extensions and their formats.
    pub const ENDS: [(&'static str, Self); 4] = [
        ("csv", Self::Table(TableFormat::Csv)),
        ("ndjson", Self::Table(TableFormat::Ndjson)),
        ("parquet", Self::Table(TableFormat::Parquet)),
        ("pcapng", Self::Packets),
    ];
}

impl ExportProgress {
    /// How many messages or rows have been written.
    pub fn done(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }

    /// Requests to stop: the export ends with [`KeptError::Stopped`].
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// Fails if a stop was requested.
    pub fn check(&self) -> Result<(), KeptError> {
        if self.stopped.load(Ordering::Relaxed) { Err(KeptError::Stopped) } else { Ok(()) }
    }

    fn step(&self) -> Result<(), KeptError> {
        self.done.fetch_add(1, Ordering::Relaxed);
        self.check()
    }
}

fn messages(
    chosen: &Selection,
    format: TableFormat,
    session: &Mutex<Session>,
    secrets: Secrets,
    watch: &ExportProgress,
    out: &mut (dyn Write + Send),
) -> Result<ExportSummary, KeptError> {
    let mut sheet = TableWriter::new::<MessageRow>(format, out)?;
    let mut rows = MessageRows::new(secrets);
    let (mut payload, mut written) = (Vec::new(), ExportSummary::default());
    for place in chosen.places() {
        watch.step()?;
        let message = session.lock().message(place, &mut payload);
        match message.map_err(|source| unread(session, place, source))? {
            Some(message) => {
                sheet.write(&rows.row(&message))?;
                written.rows += 1;
            }
            None => written.gone += 1,
        }
    }
    ended(sheet, written)
}

/// Writes the packets of messages: reads the input again, with the messages as comments. If all
/// messages are selected, the other packets are written too, as `export` does.
fn packets(
    chosen: &Selection,
    session: &Mutex<Session>,
    secrets: Secrets,
    watch: &ExportProgress,
    out: &mut (dyn Write + Send),
) -> Result<ExportSummary, KeptError> {
    let (frames, books) = {
        let session = session.lock();
        (session.frames()?, session.shared_books())
    };
    let mut frames = frames.ok_or(KeptError::NoPackets)?;
    let notes = notes(books.iter().flat_map(|books| books.findings()), false);
    let mut packets = Packets::new(out, secrets, None)?;
    packets.only_commented(matches!(chosen, Selection::Some(_)));
    let (mut payload, mut written, mut read) = (Vec::new(), ExportSummary::default(), 0);
    for place in chosen.places() {
        watch.step()?;
        let message = session.lock().message(place, &mut payload);
        let Some(message) = message.map_err(|source| unread(session, place, source))? else {
            written.gone += 1;
            continue;
        };
        let number = message.header.number;
        while read < number
            && let Some(frame) = frames.next()
        {
            watch.check()?;
            read = frame.number;
            packets.frame(&frame)?;
        }
        packets.message(&message);
        let notes = notes.get(&number).into_iter().flatten();
        notes.for_each(|line| packets.add_comment(number, line));
        written.rows += 1;
    }
    while let Some(frame) = frames.next() {
        watch.check()?;
        packets.frame(&frame)?;
    }
    packets.finish()?;
    Ok(written)
}

/// Writes a row each, until a stop is requested.
fn each<T>(
    all: impl Iterator<Item = T>,
    watch: &ExportProgress,
    mut write: impl FnMut(T) -> io::Result<()>,
) -> Result<ExportSummary, KeptError> {
    let mut written = ExportSummary::default();
    for one in all {
        watch.step()?;
        write(one)?;
        written.rows += 1;
    }
    Ok(written)
}

fn ended<W: Write + Send>(
    sheet: TableWriter<W>,
    written: ExportSummary,
) -> Result<ExportSummary, KeptError> {
    sheet.finish()?;
    Ok(written)
}

/// The error of a payload that cannot be read again.
fn unread(session: &Mutex<Session>, place: usize, source: io::Error) -> KeptError {
    let header: Option<MessageHeader> = session.lock().header(place);
    KeptError::Payload { number: header.map_or(0, |header| header.number), source }
}
