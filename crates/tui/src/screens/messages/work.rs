//! The work of the list: messages sorted by a column, and searched.

use std::ops::ControlFlow;

use super::columns::MessageColumn;
use crate::action::Answer;
use crate::format::Format;
use crate::reader::MessageReader;
use crate::screens::screen::{ScreenContext, Sort};
use crate::search::SearchQuery;
use crate::work::{Work, WorkContext, WorkKind};
use analysis::{AnalysisIndex, CapturedMessage, InputSet, ScanBatch, ScanMessages, SessionScan};
use filter::{EvalScratch, Projection, RowSorter, SortKey, Subject};
use protocol::Reading;
use render::Rendered;
use text::{Secrets, TimeDisplay, Zone};

/// Begins to sort these messages.
pub fn begin_sort(by: &Sort, messages: Vec<u32>, cx: &mut ScreenContext<'_>) {
    let Ok(column) = MessageColumn::named(&by.column) else {
        return;
    };
    let goes_on = !cx.view.known.is_done;
    let work = sort(messages, column, by.is_descending);
    cx.begin(Work::new(WorkKind::Arrange, work).paced(goes_on));
}

/// Sorts these messages by a column.
fn sort(
    messages: Vec<u32>,
    column: MessageColumn,
    is_descending: bool,
) -> impl FnOnce(&WorkContext) + Send + 'static {
    move |cx| {
        let (first, index, inputs) = {
            let session = cx.session.lock();
            (session.begin_time().unwrap_or(0), session.shared_index(), session.input_set().clone())
        };
        let needs_payload = match &column {
            MessageColumn::Value(projection) => projection.needs_payload(),
            MessageColumn::Summary => true,
            _ => false,
        };
        let worker = || {
            let mut keys = KeyReader::new(&column, (first, index.as_deref(), &inputs), cx.secrets);
            move |batch: &ScanBatch, found: &mut Vec<(SortKey, u32)>| {
                found.extend(batch.messages().map(|(at, message)| (keys.key(&message), at as u32)));
            }
        };
        let mut sorter = RowSorter::new(is_descending);
        let messages = ScanMessages::List(messages);
        let scan = SessionScan { messages, needs_payload, threads: cx.threads };
        scan.run(&cx.session, worker, |found, _| {
            found.drain(..).for_each(|(key, at)| sorter.add_row(&key, at));
            if cx.is_stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        if !cx.is_stopped() {
            cx.answer(Answer::Arranged(sorter.finish()));
        }
    }
}

/// Reads the keys of messages by a column.
struct KeyReader<'a> {
    column: &'a MessageColumn,
    first: i64,
    index: Option<&'a AnalysisIndex>,
    inputs: &'a InputSet,
    scratch: EvalScratch,
    reading: Reading,
    secrets: Secrets,
}

impl<'a> KeyReader<'a> {
    fn new(
        column: &'a MessageColumn,
        (first, index, inputs): (i64, Option<&'a AnalysisIndex>, &'a InputSet),
        secrets: Secrets,
    ) -> Self {
        let (scratch, reading) = (EvalScratch::new(secrets), Reading::default());
        Self { column, first, index, inputs, scratch, reading, secrets }
    }

    fn key(&mut self, message: &CapturedMessage<'_>) -> SortKey {
        if let Some(key) = self.column.key(&message.header) {
            return key;
        }
        match self.column {
            MessageColumn::Value(projection) => self.value(projection, message),
            _ => self.summary(message),
        }
    }

    fn value(&mut self, projection: &Projection, message: &CapturedMessage<'_>) -> SortKey {
        let subject = Subject::new(message, self.first).with_inputs(self.inputs);
        let subject = match self.index {
            Some(index) => subject.with(index),
            None => subject,
        };
        projection.key(&subject, &mut self.scratch)
    }

    fn summary(&mut self, message: &CapturedMessage<'_>) -> SortKey {
        let CapturedMessage { header, payload } = message;
        self.reading.read_part(header.entry, payload, header.missing);
        let mut text = String::new();
        let rendered = Rendered::new(&self.reading, payload, self.secrets);
        rendered.summary(&mut text, header.entry, header.missing);
        SortKey::text(&text)
    }
}

/// Begins to search messages, in this order.
pub fn begin_search(query: &SearchQuery, messages: Vec<u32>, cx: &mut ScreenContext<'_>) {
    cx.view.searching = Some(0);
    let times = (cx.view.format, cx.view.begin(), cx.view.zone.clone());
    cx.begin(Work::new(WorkKind::Search, search(query.clone(), messages, times)));
}

/// The first of these messages that contains what is searched.
fn search(
    query: SearchQuery,
    messages: Vec<u32>,
    (format, begin, zone): (Format, i64, Zone),
) -> impl FnOnce(&WorkContext) + Send + 'static {
    move |cx| {
        let total = messages.len().max(1);
        let messages = ScanMessages::List(messages);
        let mut first = None;
        let mut take = |found: Option<u32>, reached: usize| {
            first = found;
            if found.is_some() || cx.is_stopped() {
                return ControlFlow::Break(());
            }
            cx.answer(Answer::Searching(100 * reached / total));
            ControlFlow::Continue(())
        };
        if let Some(filter) = query.filter() {
            filter.matching(&cx.session, messages, cx.secrets, cx.threads, |found, reached| {
                take(found.first().copied(), reached)
            });
        } else {
            let worker = || {
                let mut reader = MessageReader::new(cx.secrets);
                let (query, zone) = (&query, &zone);
                move |batch: &ScanBatch, found: &mut Option<u32>| {
                    let mut messages = batch.messages();
                    let first = messages.find(|(_, message)| {
                        let time = match format.times {
                            // Those of the rows before are not known here.
                            TimeDisplay::Delta => String::new(),
                            _ => format.time(message.header.time, begin, 6, zone),
                        };
                        reader.has(query, &time, &message.header, message.payload)
                    });
                    *found = first.map(|(at, _)| at as u32);
                }
            };
            let scan = SessionScan { messages, needs_payload: true, threads: cx.threads };
            scan.run(&cx.session, worker, |found, reached| take(*found, reached));
        }
        if !cx.is_stopped() {
            cx.answer(Answer::Found(first.map(|at| at as usize)));
        }
    }
}
