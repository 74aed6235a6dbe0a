//! Exports what a session keeps: selected messages, as rows or as their packets, and the tables of
//! its index. The session is locked for one message at a time, so that other threads can read and
//! fill it meanwhile; an export reports progress and can be stopped.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use parking_lot::Mutex;

use super::export_form::ExportForm;
use super::hosts::HostRowSource;
use super::knowledge::{EndpointRows, LearntFlows};
use super::ladder::{DIAGRAM_TITLE, arrow, arrow_text, outcome_of};
use super::message_reader::{AnalysisReader, ReadMessages, ReadingFor};
use super::table_set::{ExchangeOrder, TableInput, TableSet};
use super::tables::{ExportError, RowWriter, Table};
use super::{FlowRows, Packets, TableWriter, notes};
use analysis::{AnalysisIndex, AnalysisNeeds, CapturedMessage, InputSet, MessageHeader, Session};
use filter::MatchingRows;
use flow::FlowId;
use protocol::Reading;
use render::ladder::{Diagram, DiagramForm};
use text::Secrets;

/// What is exported of a session: a table, or the packets or the diagram of messages.
pub struct SessionExport {
    table: &'static Table,
    rows: SessionRows,
    /// The rows of tables with a selected message; nothing if all are selected.
    selected: Option<Arc<MatchingRows>>,
    /// Comments in place of those of the input, by the numbers of their frames.
    comments: BTreeMap<u64, String>,
}

enum SessionRows {
    Messages(Selection),
    Index(Arc<AnalysisIndex>),
}

/// Messages, by their indices in the session.
pub enum Selection {
    /// All of them, from the first that is still kept to the newest.
    All(Range<usize>),
    /// These, by their indices.
    Some(Vec<u32>),
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
    /// Messages that a diagram has no room for.
    pub left_out: u64,
}

impl SessionExport {
    /// The table of this name, of messages; nothing if there is no such table.
    pub fn of_messages(name: &str, selection: Selection) -> Option<Self> {
        let rows = SessionRows::Messages(selection);
        Some(Self { table: Table::named(name)?, rows, selected: None, comments: BTreeMap::new() })
    }

    /// The same, of a table of the index or of flows: only these rows.
    #[must_use]
    pub fn only(self, selected: Option<Arc<MatchingRows>>) -> Self {
        Self { selected, ..self }
    }

    /// The same; packets have these comments in place of their own, where the frame's number has one.
    #[must_use]
    pub fn commented(self, comments: BTreeMap<u64, String>) -> Self {
        Self { comments, ..self }
    }

    /// The same of an index.
    pub fn of_index(name: &str, index: Arc<AnalysisIndex>) -> Option<Self> {
        let rows = SessionRows::Index(index);
        Some(Self { table: Table::named(name)?, rows, selected: None, comments: BTreeMap::new() })
    }

    /// What a row stands for, in one word: `message`.
    pub fn row(&self) -> &'static str {
        self.table.row.split(' ').next().unwrap_or_default()
    }

    /// Writes all of it to `out`, in the order of the session.
    ///
    /// # Errors
    /// If it was stopped, an input cannot be read again, or `out` cannot be written.
    pub fn write<'a>(
        &self,
        form: ExportForm,
        session: &Mutex<Session>,
        secrets: Secrets,
        progress: &'a ExportProgress,
        out: &'a mut (dyn Write + Send),
    ) -> Result<ExportSummary, ExportError> {
        let selected = self.selected.as_deref();
        let rows = &self.rows;
        let mut source = SessionSource { session, rows, selected, progress, gone: 0, left_out: 0 };
        let rows = match form {
            ExportForm::Packets => source.packets(&self.comments, secrets, out)?,
            ExportForm::Diagram(form) => source.diagram(form, secrets, out)?,
            ExportForm::Table(format) => {
                let table = self.table;
                let out = TableWriter::new(format, table.name, table.columns, out)?;
                let mut out = RowWriter::new((table, format, secrets), out);
                out.progress = Some(progress);
                let payloads = session.lock().payloads();
                let mut set = TableSet::new(source.inputs(), payloads, ExchangeOrder::AsBegun);
                set.add_table(self.table, out);
                source.write(secrets, &mut set)?;
                set.finish(&[])?.0.into_iter().sum()
            }
        };
        Ok(ExportSummary { rows, gone: source.gone, left_out: source.left_out })
    }
}

impl Selection {
    fn len(&self) -> usize {
        match self {
            Self::All(range) => range.len(),
            Self::Some(parts) => parts.len(),
        }
    }

    fn indices(&self) -> impl Iterator<Item = usize> {
        let (all, some) = match self {
            Self::All(range) => (range.clone(), &[][..]),
            Self::Some(parts) => (0..0, parts.as_slice()),
        };
        all.chain(some.iter().map(|index| *index as usize))
    }
}

impl ExportProgress {
    /// How many messages or rows have been written.
    pub fn done(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }

    /// Requests to stop: the export ends with [`ExportError::Stopped`].
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// Fails if a stop was requested.
    ///
    /// # Errors
    /// If it was stopped, an input cannot be read again, or `out` cannot be written.
    pub fn check(&self) -> Result<(), ExportError> {
        if self.stopped.load(Ordering::Relaxed) { Err(ExportError::Stopped) } else { Ok(()) }
    }

    /// Counts messages or rows.
    pub(super) fn step(&self, more: u64) -> Result<(), ExportError> {
        self.done.fetch_add(more, Ordering::Relaxed);
        self.check()
    }
}

/// Rows of tables from a session, which is locked for one message at a time.
struct SessionSource<'a> {
    session: &'a Mutex<Session>,
    rows: &'a SessionRows,
    selected: Option<&'a MatchingRows>,
    progress: &'a ExportProgress,
    /// Messages that the session dropped before they were read.
    gone: u64,
    /// Messages that a diagram has no room for.
    left_out: u64,
}

impl<'a> SessionSource<'a> {
    fn selection(&self) -> Result<&'a Selection, ExportError> {
        match self.rows {
            SessionRows::Messages(selection) => Ok(selection),
            SessionRows::Index(_) => Err(ExportError::NoMessages),
        }
    }

    fn index(&self) -> Result<Arc<AnalysisIndex>, ExportError> {
        match self.rows {
            SessionRows::Messages(_) => self.session.lock().shared_index(),
            SessionRows::Index(index) => Some(Arc::clone(index)),
        }
        .ok_or(ExportError::NoIndex)
    }

    /// Writes the packets of messages: reads the input again, with the messages as comments. If all
    /// messages are selected, the other packets are written too, as `export` does.
    fn packets(
        &mut self,
        comments: &BTreeMap<u64, String>,
        secrets: Secrets,
        out: &mut (dyn Write + Send),
    ) -> Result<u64, ExportError> {
        let selection = self.selection()?;
        let (frames, index) = {
            let session = self.session.lock();
            (session.frames()?, session.shared_index())
        };
        let mut frames = frames.ok_or(ExportError::NoPackets)?;
        let notes = notes(index.iter().flat_map(|index| index.findings()), false);
        let mut packets = Packets::new(out, secrets, None)?;
        packets.set_comments(comments.clone());
        packets.only_commented(matches!(selection, Selection::Some(_)));
        let (progress, mut written, mut read) = (self.progress, 0, 0);
        self.messages(&mut |message| {
            progress.step(1)?;
            let number = message.header.number;
            while read < number
                && let Some(frame) = frames.next()
            {
                progress.check()?;
                read = frame.number;
                packets.frame(&frame)?;
            }
            packets.message(message);
            let notes = notes.get(&number).into_iter().flatten();
            notes.for_each(|line| packets.add_comment(number, line));
            written += 1;
            Ok(())
        })?;
        while let Some(frame) = frames.next() {
            progress.check()?;
            packets.frame(&frame)?;
        }
        packets.finish()?;
        Ok(written)
    }

    /// Draws the messages that a diagram has room for.
    fn diagram(
        &mut self,
        form: DiagramForm,
        secrets: Secrets,
        out: &mut (dyn Write + Send),
    ) -> Result<u64, ExportError> {
        let selection = self.selection()?;
        let (mut diagram, mut written) = (Diagram::default(), 0);
        let (mut reading, mut payload) = (Reading::default(), Vec::new());
        for (at, index) in selection.indices().enumerate() {
            if diagram.is_full() {
                self.left_out += (selection.len() - at) as u64;
                break;
            }
            self.progress.step(1)?;
            let session = self.session.lock();
            let Some(header) = session.header(index) else {
                self.gone += 1;
                continue;
            };
            if !diagram.takes(&arrow(&header, "", None)) {
                self.left_out += 1;
                continue;
            }
            let outcome = outcome_of(&session, &header);
            let message = session.message(index, &mut payload);
            drop(session);
            let text = match message.map_err(|source| self.unread(index, source))? {
                Some(message) => arrow_text(&message, &mut reading, secrets),
                None => String::new(),
            };
            let outcome = outcome.as_ref().map(|outcome| outcome.map(|what| what));
            diagram.push(&arrow(&header, &text, outcome));
            written += 1;
        }
        diagram.set_left_out(self.left_out);
        out.write_all(diagram.draw(form, DIAGRAM_TITLE).as_bytes())?;
        Ok(written)
    }
}

impl SessionSource<'_> {
    /// The inputs, as rows name them.
    fn inputs(&self) -> InputSet {
        self.session.lock().input_set().clone()
    }

    /// Passes what the tables are made of to them.
    fn write(&mut self, secrets: Secrets, set: &mut TableSet<'_>) -> Result<(), ExportError> {
        if set.needs(TableInput::Messages) {
            self.messages(&mut |message| set.message(message))?;
        }
        if set.needs(TableInput::Exchanges) {
            self.exchanges(secrets, set)?;
        }
        if set.needs(TableInput::Hosts) || set.needs(TableInput::Registrations) {
            let (index, inputs, session) = (self.index()?, self.inputs(), self.session.lock());
            let (hosts, learnt) = (index.hosts(), Some(LearntFlows::new(session.flows())));
            let (inputs, selected) = (&inputs, self.selected);
            let registrations = Some(&index.registrations());
            set.hosts(HostRowSource { hosts, registrations, learnt, inputs, selected })?;
        }
        if set.needs(TableInput::Findings) {
            self.findings(set)?;
        }
        if set.needs(TableInput::Flows) {
            self.flows(set)?;
        }
        if set.needs(TableInput::Endpoints) {
            self.endpoints(set)?;
        }
        Ok(())
    }

    fn messages(
        &mut self,
        each: &mut dyn FnMut(&CapturedMessage<'_>) -> Result<(), ExportError>,
    ) -> Result<(), ExportError> {
        let mut payload = Vec::new();
        for index in self.selection()?.indices() {
            self.progress.check()?;
            let message = self.session.lock().message(index, &mut payload);
            match message.map_err(|source| self.unread(index, source))? {
                Some(message) => each(&message)?,
                None => self.gone += 1,
            }
        }
        Ok(())
    }

    fn exchanges(&self, secrets: Secrets, set: &mut TableSet<'_>) -> Result<(), ExportError> {
        let mut reader = AnalysisReader::new(ReadingFor {
            secrets,
            needs: AnalysisNeeds::Exchanges,
            quotes: None,
        });
        let (mut read, mut payload) = (ReadMessages::default(), Vec::new());
        let index = self.index()?;
        let is_selected = |at: &usize| self.selected.is_none_or(|rows| rows.has_exchange(*at));
        for at in (0..index.exchanges().len()).filter(is_selected) {
            let Some(exchange) = index.exchange(at, &self.session.lock()) else { continue };
            for (message, turn) in index.steps_of(at) {
                let session = self.session.lock();
                // A message whose payload was dropped has a row without fields.
                let Ok(Some(message)) = session.message(message, &mut payload) else { continue };
                read.clear();
                reader.read_message(&message, &mut read);
                set.step(&message, (exchange.id, turn), &read.get(0));
            }
            set.exchange(&exchange, true, None)?;
        }
        Ok(())
    }

    fn findings(&self, set: &mut TableSet<'_>) -> Result<(), ExportError> {
        let index = self.index()?;
        let findings = index.findings().iter().enumerate();
        let is_selected = |at: usize| self.selected.is_none_or(|rows| rows.has_finding(at));
        let mut findings = findings.filter(|(at, _)| is_selected(*at));
        findings.try_for_each(|(_, finding)| {
            let flow = finding.origin.flow;
            let ends = flow.and_then(|flow| self.session.lock().flows().ends(flow));
            set.finding(finding, ends)
        })
    }

    fn endpoints(&self, set: &mut TableSet<'_>) -> Result<(), ExportError> {
        let rows = EndpointRows::new(self.inputs());
        let session = self.session.lock();
        let flows = session.flows();
        rows.each(flows, flows.iter().map(|(id, _)| id), None, |row| set.endpoint(row))
    }

    fn flows(&self, set: &mut TableSet<'_>) -> Result<(), ExportError> {
        let mut rows = FlowRows::new(self.inputs());
        let session = self.session.lock();
        let flows = session.flows();
        let is_selected = |id: &FlowId| self.selected.is_none_or(|rows| rows.has_flow(*id));
        let mut ids = flows.iter().map(|(id, _)| id).filter(is_selected);
        ids.try_for_each(|id| rows.row(flows, id, None).map_or(Ok(()), |row| set.flow(&row)))
    }
}

impl SessionSource<'_> {
    /// The error of a payload that cannot be read again.
    fn unread(&self, index: usize, source: io::Error) -> ExportError {
        let header: Option<MessageHeader> = self.session.lock().header(index);
        ExportError::Payload { number: header.map_or(0, |header| header.number), source }
    }
}

#[cfg(test)]
mod tests;
